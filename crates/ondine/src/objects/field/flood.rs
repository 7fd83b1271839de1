//! The outside: every grid node that a walk along the edges of the grid reaches from its border (thesis 000 §6.1,
//! stage 3).
//!
//! A triangle across an edge of the grid closes it to the walk, however close its ends are. So what is outside hangs
//! on the surface being in one piece, never on which way its triangles face, nor on distances.

use super::grid::{Grid, SIDE, place, places};
use super::tree::{Item, Tree};
use super::triangle::{Crossing, TOUCH, Triangle};
use crate::parallel;
use glam::{DVec2, IVec3};

/// No point of a block is farther from its nearest corner [cells].
const TO_CORNER: f64 = 3.47;

/// For the three axes, how far apart neighbours are among the bits of a block, and the bits of its low face.
const STEPS: [(u32, u64); 3] = [(1, 0x1111_1111_1111_1111), (4, 0x000f_000f_000f_000f), (16, 0xffff)];

/// The unsigned distance at a corner of blocks [cells], and the triangle it is from.
pub type Corner = (f32, u32);

/// All blocks with points within `reach` of a triangle, by number, and perhaps some more.
pub fn touched(grid: &Grid, corners: &[Corner], reach: f64) -> Vec<usize> {
    let near = |corner| corners[grid.corner_number(corner)].0 as f64 <= reach + TO_CORNER;
    (0..grid.block_count()).filter(|&i| places(2).any(|c| near(grid.block(i) + c))).collect()
}

/// What stops a walk among the 64 nodes of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Barriers {
    /// Closed edges, by the node at their low end, for each axis.
    edges: [u64; 3],
    /// Nodes in the surface.
    nodes: u64,
}

/// The nodes that are outside.
#[derive(Debug)]
pub struct Outside {
    grid: Grid,
    /// Of each block the 64 nodes at the low corners of its cells.
    nodes: Vec<u64>,
}

impl Outside {
    /// Walks round all triangles, and all that is within `half` of them.
    pub fn find(triangles: &Tree<Triangle>, grid: &Grid, corners: &[Corner], half: f64) -> Self {
        let touched = touched(grid, corners, half);
        let found = parallel::collect(touched.len(), |i| {
            let block = grid.block(touched[i]);
            Barriers::of(block, triangles, half, corners[grid.corner_number(block)].1)
        });
        let mut slots = vec![0u32; grid.block_count()];
        let mut walls = vec![Barriers::default()];
        for (&block, found) in touched.iter().zip(found) {
            slots[block] = walls.len() as u32;
            walls.push(found);
        }
        let mut outside = Self { grid: *grid, nodes: vec![0; grid.block_count()] };
        outside.flood(|block| &walls[slots[block] as usize]);
        outside
    }

    /// Whether a node is outside. All beyond the grid is.
    pub fn has(&self, node: IVec3) -> bool {
        let block = node.div_euclid(IVec3::splat(SIDE));
        !self.grid.has_block(block) || {
            let bit = node - SIDE * block;
            self.nodes[self.grid.block_number(block)] >> (bit.x + 4 * bit.y + 16 * bit.z) & 1 == 1
        }
    }

    /// Fills block by block, from the first, in whose neighbourhood there is nothing.
    fn flood<'a>(&mut self, walls: impl Fn(usize) -> &'a Barriers) {
        let mut queue = vec![0];
        self.nodes[0] = !walls(0).nodes;
        while let Some(number) = queue.pop() {
            let here = walls(number);
            let nodes = here.spread(self.nodes[number]);
            self.nodes[number] = nodes;
            for (axis, up) in [(0, true), (0, false), (1, true), (1, false), (2, true), (2, false)] {
                let mut block = self.grid.block(number);
                block[axis] += if up { 1 } else { -1 };
                if !self.grid.has_block(block) {
                    continue;
                }
                let next = self.grid.block_number(block);
                let there = walls(next);
                let (step, low) = STEPS[axis];
                let across = match up {
                    true => (nodes & !here.edges[axis]) >> (3 * step) & low,
                    false => (nodes & low) << (3 * step) & !there.edges[axis],
                };
                let new = across & !there.nodes & !self.nodes[next];
                if new != 0 {
                    self.nodes[next] |= new;
                    queue.push(next);
                }
            }
        }
    }
}

impl Barriers {
    /// The walls in a block, whose nearest triangle is about `guess`.
    fn of(block: IVec3, triangles: &Tree<Triangle>, half: f64, guess: u32) -> Self {
        let mut walls = Self::default();
        let low = (SIDE * block).as_dvec3();
        triangles.any_in(low - TOUCH, low + SIDE as f64 + TOUCH, |triangle| {
            walls.add(SIDE * block, triangle);
            false
        });
        if half > 0.0 {
            let mut guess = guess;
            for bit in 0..64 {
                let at = low + place(bit, IVec3::splat(SIDE)).as_dvec3();
                let hit = triangles.closest(at, guess);
                walls.nodes |= u64::from(hit.is_some_and(|h| h.square <= half * half)) << bit;
                guess = hit.map_or(guess, |h| h.item);
            }
        }
        walls
    }

    /// Closes what a triangle crosses of the edges from the nodes of a block that starts at `low`.
    fn add(&mut self, low: IVec3, triangle: &Triangle) {
        let (from, to) = triangle.bounds();
        if (from - TOUCH).cmpgt((low + SIDE).as_dvec3()).any() || (to + TOUCH).cmplt(low.as_dvec3()).any() {
            return;
        }
        let lines = SIDE * SIDE;
        for (axis, line) in (0..3).flat_map(|axis| (0..lines).map(move |line| (axis, line))) {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut node = IVec3::ZERO;
            (node[a], node[b]) = (line % SIDE, line / SIDE);
            let at = DVec2::new((low[a] + node[a]) as f64, (low[b] + node[b]) as f64);
            let Some(crossing) = triangle.crossing(axis, at) else { continue };
            for along in 0..SIDE {
                node[axis] = along;
                let bit = node.x + 4 * node.y + 16 * node.z;
                let height = (low[axis] + along) as f64;
                let (from, to, within) = match crossing {
                    Crossing::At(t) => (t, t, (t - height).abs() <= TOUCH),
                    // Nodes in the plane are left to the axis that it lies across.
                    Crossing::Along(from, to) => (from, to, false),
                };
                let closed = to >= height - TOUCH && from <= height + 1.0 + TOUCH;
                self.edges[axis] |= u64::from(closed) << bit;
                self.nodes |= u64::from(within) << bit;
            }
        }
    }

    /// All nodes of the block that can be walked to from `nodes` without leaving it.
    fn spread(&self, mut nodes: u64) -> u64 {
        loop {
            let before = nodes;
            for ((step, low), closed) in STEPS.into_iter().zip(self.edges) {
                nodes |= (nodes & !closed) << step & !low & !self.nodes;
                nodes |= (nodes & !low) >> step & !closed & !self.nodes;
            }
            if nodes == before {
                return nodes;
            }
        }
    }
}
