//! The particles as one function in space, and the blocks in which it passes its level.

use super::SurfaceOptions;
use super::attributes::{Kernel, Sums, VertexAttributes};
use super::cells::{Cells, cube, key, place};
use super::neighbour_sum::NeighbourSum;
use super::patch::{Patch, Walker};
use super::samples::{Block, CELLS, Samples};
use super::stitch::Piece;
use glam::{IVec3, Vec3};
use ondine::Particles;
use rayon::prelude::*;
use std::collections::HashSet;

/// Fraction of a pool's particles that a cube must have to count as full of liquid.
const FULL: f32 = 0.5;

/// Blocks that one thread takes at a time.
const BUNCH: usize = 4;

/// The implicit function of all particles.
#[derive(Debug)]
pub struct Field<'a> {
    systems: &'a [&'a Particles],
    cells: Cells,
    /// What each particle counts; all 1 if empty.
    weights: Vec<f32>,
    /// Support of a particle [m].
    h: f32,
    /// Side of a cell of the lattice [m].
    cell: f32,
    /// Value of φ at the surface.
    level: f32,
    /// Particles that a full cube has at least.
    full: usize,
}

/// What a thread needs for its blocks.
struct Scratch {
    samples: Samples,
    walker: Walker,
    /// The particles that reach into the block.
    near: Vec<u32>,
}

impl<'a> Field<'a> {
    /// Sorts the particles, and weighs them if that is wanted.
    pub fn new(systems: &'a [&'a Particles], spacing: f32, options: &SurfaceOptions) -> Self {
        let h = within(options.support, 1.0, 8.0) * spacing;
        // A block looks one block around itself at most.
        let cell = within(options.cell * spacing, h / CELLS as f32, h);
        let cells = Cells::new(systems, h);
        let full = (FULL * (h / spacing).powi(3)) as usize;
        let mut field = Self {
            systems,
            cells,
            weights: Vec::new(),
            h,
            cell,
            level: within(options.level, 0.01, 0.99),
            full,
        };
        if options.even {
            field.weigh();
        }
        field
    }

    /// Weighs each particle by 1 / Σ (1 − r/h)² over those around it and itself. Then φ is about 1 in a pool, at a lone
    /// particle, and in sheets and threads: one level is right for all of them.
    fn weigh(&mut self) {
        let cells = &self.cells;
        let cubes = (0..cells.len()).into_par_iter().with_min_len(32);
        let weights: Vec<Vec<f32>> = cubes
            .map_init(NeighbourSum::default, |neighbours, cube| {
                neighbours.gather(cells.around(cube).flat_map(|cubes| &cells.points[cells.particles(cubes)]));
                let own = &cells.points[cells.particles(cube..cube + 1)];
                own.iter().map(|at| 1.0 / neighbours.sum(*at, self.h)).collect()
            })
            .collect();
        self.weights = weights.concat();
    }

    /// The surface in all blocks that have some, in the order of the blocks. `with_attributes` says whether points get
    /// attributes.
    pub fn pieces(&self, with_attributes: bool) -> Vec<Piece> {
        let mut waiting = self.candidates();
        let mut seen: HashSet<u64> = waiting.iter().copied().collect();
        let mut found: Vec<Piece> = Vec::new();
        while !waiting.is_empty() {
            let blocks = waiting.par_iter().with_min_len(BUNCH);
            let scratch = || Scratch { samples: Samples::new(), walker: Walker::new(), near: Vec::new() };
            let made: Vec<Piece> = blocks
                .map_init(scratch, |scratch, &b| self.piece(b, scratch, with_attributes))
                .flatten_iter()
                .collect();
            // Blocks that were taken for full, or for empty, and are not.
            waiting = made.iter().flat_map(open_neighbours).filter(|&next| seen.insert(next)).collect();
            found.extend(made);
        }
        found.par_sort_unstable_by_key(|piece| piece.key);
        found
    }

    /// Blocks near particles that are not deep in the liquid, ascending.
    fn candidates(&self) -> Vec<u64> {
        let (cells, side) = (&self.cells, self.cell * CELLS as f32);
        // How far the surface is from a lone particle; where it is further, the blocks there are found later.
        let reach = self.h * (1.0 - self.level);
        let near = (0..cells.len()).into_par_iter().with_min_len(64).flat_map_iter(|c| {
            let (low, high) = cells.bounds(c);
            let (low, high) = (cube(low - reach, side), cube(high + reach, side));
            let rows = (low.z..=high.z).flat_map(move |z| (low.y..=high.y).map(move |y| (y, z)));
            rows.flat_map(move |(y, z)| (low.x..=high.x).filter_map(move |x| key(IVec3::new(x, y, z))))
        });
        let mut near: Vec<u64> = near.collect();
        near.par_sort_unstable();
        near.dedup();
        near.into_par_iter().with_min_len(64).filter(|&block| !self.is_full(&self.block(block))).collect()
    }

    fn block(&self, key: u64) -> Block {
        Block::new(place(key), self.cell)
    }

    /// Whether all cubes in a block and within the support around it are full of particles.
    fn is_full(&self, block: &Block) -> bool {
        let (low, high) = block.bounds();
        let (low, high) = (low - self.h, high + self.h);
        let across = cube(high, self.cells.side) - cube(low, self.cells.side) + 1;
        let mut rows = 0;
        let full = self.cells.touching(low, high).all(|cubes| {
            rows += 1;
            cubes.len() == across.x as usize
                && cubes.clone().all(|c| self.cells.particles(c..c + 1).len() >= self.full)
        });
        full && rows == across.y * across.z
    }

    /// Lists the particles that reach into a block, in their order.
    fn find_near(&self, block: &Block, near: &mut Vec<u32>) {
        let (low, high) = block.bounds();
        near.clear();
        for cubes in self.cells.touching(low - self.h, high + self.h) {
            let particles = self.cells.particles(cubes);
            let points = self.cells.points[particles.clone()].iter();
            // A little further than they reach, whatever the rounding: what is too far adds nothing.
            let reaches = |p: &Vec3| p.distance_squared(p.clamp(low, high)) < 1.0001 * self.h * self.h;
            near.extend(particles.zip(points).filter(|(_, p)| reaches(p)).map(|(i, _)| i as u32));
        }
    }

    fn weight(&self, i: usize) -> f32 {
        self.weights.get(i).copied().unwrap_or(1.0)
    }

    /// The surface in one block, if it has some.
    fn piece(&self, key: u64, scratch: &mut Scratch, with_attributes: bool) -> Option<Piece> {
        let block = self.block(key);
        self.find_near(&block, &mut scratch.near);
        if scratch.near.is_empty() {
            return None;
        }
        scratch.samples.begin(block);
        for &i in &scratch.near {
            scratch.samples.add(self.cells.points[i as usize], self.h, self.weight(i as usize));
        }
        let patch = scratch.walker.walk(&scratch.samples, &block, self.level);
        if patch.triangles.is_empty() {
            return None;
        }
        let attributes = if with_attributes { self.attributes(&block, &patch, scratch) } else { Vec::new() };
        Some(Piece { key, patch, attributes })
    }

    /// The attributes of the points of a patch.
    fn attributes(&self, block: &Block, patch: &Patch, scratch: &Scratch) -> Vec<VertexAttributes> {
        let mut sums = Sums::new(patch, &scratch.walker.cuts, block, self.h);
        for i in scratch.near.iter().map(|&i| i as usize) {
            let (system, number) = self.cells.origin[i];
            let system = self.systems[system as usize];
            sums.add(&Kernel {
                at: self.cells.points[i],
                weight: self.weight(i),
                velocity: system.velocity.get(number as usize).map_or(Vec3::ZERO, |v| Vec3::from(*v)),
                color: system.color.into(),
            });
        }
        sums.means()
    }
}

/// A value between limits; the lower one for what is not a number.
fn within(value: f32, low: f32, high: f32) -> f32 {
    if value > low { value.min(high) } else { low }
}

/// The blocks that the surface goes on to.
fn open_neighbours(piece: &Piece) -> impl Iterator<Item = u64> + '_ {
    let faces = (0..6).filter(|&face| piece.patch.open[face]);
    faces.filter_map(|face| {
        let mut at = place(piece.key);
        at[face / 2] += if face % 2 == 1 { 1 } else { -1 };
        key(at)
    })
}
