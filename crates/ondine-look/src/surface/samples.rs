//! Eq 7.1 at the nodes of a block: φ = (Σ (1 − r/h)²)^½.
//!
//! A block is 16 × 16 × 16 nodes, 15 cells along a side; neighbouring blocks share a layer of nodes. A node gets the
//! same sum in each of them: positions of nodes follow from their number in the whole lattice, and particles are
//! added in one order everywhere.

use glam::{IVec3, Vec3};

/// Nodes along the side of a block.
pub const NODES: usize = 16;
/// Cells along the side of a block.
pub const CELLS: i32 = NODES as i32 - 1;
/// Nodes of a block.
pub const COUNT: usize = NODES * NODES * NODES;
/// Nodes that are added to at once.
const LANES: usize = 8;

/// Where a block lies.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Place of the block, in blocks.
    pub at: IVec3,
    /// Side of a cell [m].
    pub cell: f32,
    /// Cells a metre [1/m].
    inverse: f32,
}

impl Block {
    /// The block at a place, counted in blocks.
    pub fn new(at: IVec3, cell: f32) -> Self {
        Self { at, cell, inverse: 1.0 / cell }
    }

    /// Position of a node along one axis [m].
    pub fn node(&self, axis: usize, i: usize) -> f32 {
        (self.at[axis] * CELLS + i as i32) as f32 * self.cell
    }

    /// Corners of the block [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let corner = |i: usize| Vec3::new(self.node(0, i), self.node(1, i), self.node(2, i));
        (corner(0), corner(NODES - 1))
    }

    /// The nodes along an axis that are less than `reach` from a coordinate, with a little room for rounding.
    #[inline(always)]
    pub fn within(&self, axis: usize, middle: f32, reach: f32) -> std::ops::Range<usize> {
        let middle = middle * self.inverse;
        let (from, room) = (middle - (self.at[axis] * CELLS) as f32 + 1.0, 1e-3 + 1e-6 * middle.abs());
        let reach = reach * self.inverse + room;
        // Casts from float cut towards 0 and saturate: what lies outside of the block becomes an empty range.
        ((from - reach) as usize).min(NODES)..((from + reach) as usize).min(NODES)
    }
}

/// Sums at the nodes of a block, x fastest.
#[derive(Debug)]
pub struct Samples {
    /// Σ weight (1 − r/h)²: the square of φ.
    pub sums: Box<[f32; COUNT]>,
    block: Block,
    axes: [[f32; NODES]; 3],
}

impl Samples {
    /// Nothing anywhere.
    pub fn new() -> Self {
        let block = Block::new(IVec3::ZERO, 1.0);
        Self { sums: Box::new([0.0; COUNT]), block, axes: [[0.0; NODES]; 3] }
    }

    /// Begins another block.
    pub fn begin(&mut self, block: Block) {
        self.sums.fill(0.0);
        self.block = block;
        self.axes = std::array::from_fn(|axis| std::array::from_fn(|i| block.node(axis, i)));
    }

    /// Adds a particle.
    pub fn add(&mut self, at: Vec3, h: f32, weight: f32) {
        let inverse = 1.0 / h;
        let across = |axis: usize, i: usize| {
            let d = (self.axes[axis][i] - at[axis]) * inverse;
            d * d
        };
        let along: [f32; NODES] = std::array::from_fn(|i| across(0, i));
        let windows = windows(self.block.within(0, at.x, h));
        for z in self.block.within(2, at.z, h) {
            let from_z = across(2, z);
            // Half the width of the ball in this layer.
            let reach = h * (1.0 - from_z).max(0.0).sqrt();
            for y in self.block.within(1, at.y, reach) {
                let (row, aside) = ((z * NODES + y) * NODES, from_z + across(1, y));
                for start in windows.clone().step_by(LANES) {
                    let sums = &mut self.sums[row + start..row + start + LANES];
                    add_cones(sums, &along[start..], aside, weight);
                }
            }
        }
    }
}

/// Where to start with eight nodes at a time so that all of a range are met and none twice: one stretch where it is short
/// enough, the lower or upper half of the row, or both.
fn windows(range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    match range {
        range if range.is_empty() => 0..0,
        range if range.len() <= LANES => {
            let start = range.start.min(NODES - LANES);
            start..start + 1
        }
        _ => 0..NODES,
    }
}

/// Adds weight (1 − r)² to some nodes of a row, from the squares of their distances along and across it, in units of h.
#[inline(always)]
fn add_cones(sums: &mut [f32], along: &[f32], aside: f32, weight: f32) {
    let (sums, along) = (&mut sums[..LANES], &along[..LANES]);
    for i in 0..LANES {
        let near = 1.0 - (along[i] + aside).sqrt();
        let near = if near > 0.0 { near } else { 0.0 };
        sums[i] += weight * near * near;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_is_a_cone_squared() {
        let block = Block::new(IVec3::new(-1, 0, 2), 0.1);
        let mut samples = Samples::new();
        samples.begin(block);
        let (at, h) = (Vec3::new(-0.83, 0.21, 3.77), 0.52);
        samples.add(at, h, 2.0);
        for c in 0..COUNT {
            let node = Vec3::new(
                block.node(0, c % NODES),
                block.node(1, c / NODES % NODES),
                block.node(2, c / NODES / NODES),
            );
            let expected = 2.0 * (1.0 - node.distance(at) / h).max(0.0).powi(2);
            assert!((samples.sums[c] - expected).abs() < 1e-5, "{c}: {} {expected}", samples.sums[c]);
        }
    }

    #[test]
    fn blocks_agree_on_the_nodes_they_share() {
        let place =
            |i: i32| Vec3::new(1.5 + 0.013 * i as f32, 0.4 - 0.007 * i as f32, 0.9 + 0.01 * (i % 7) as f32);
        let sums = |x: i32| {
            let mut samples = Samples::new();
            samples.begin(Block::new(IVec3::new(x, 0, 0), 0.1));
            (0..40).for_each(|i| samples.add(place(i), 0.31, 0.7));
            samples
        };
        let (left, right) = (sums(0), sums(1));
        for row in 0..NODES * NODES {
            assert_eq!(left.sums[row * NODES + NODES - 1], right.sums[row * NODES]);
        }
        assert!(left.sums.iter().any(|s| *s > 0.5));
    }
}
