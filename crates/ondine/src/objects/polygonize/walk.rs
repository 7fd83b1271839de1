//! The walk of marching cubes: from samples at the corners of a lattice to points on cut edges and triangles between
//! them. Where the samples come from is the caller's affair.
//!
//! The lattice is cut into blocks of 8 × 8 × 8 cells. Each block becomes a patch on its own, then the patches are
//! stitched in the order of the blocks: the same bits for any number of threads.

use super::marching;
use glam::{UVec3, Vec3};

/// Cells along the side of a block.
pub const SIDE: u32 = 8;
/// Corners along the side of a block.
const CORNERS: u32 = SIDE + 1;
/// Corners of a block.
const SAMPLES: usize = (CORNERS * CORNERS * CORNERS) as usize;

/// Cells in space, in blocks.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// The lowest corner [m].
    pub low: Vec3,
    /// Side of a cell [m].
    pub cell: f32,
    /// Blocks along each axis.
    pub blocks: UVec3,
}

impl Lattice {
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.as_u64vec3().element_product() as usize
    }

    /// Where the block of a number lies, in blocks.
    pub fn block(&self, number: u32) -> UVec3 {
        let (x, rest) = (number % self.blocks.x, number / self.blocks.x);
        UVec3::new(x, rest % self.blocks.y, rest / self.blocks.y)
    }

    fn number(&self, block: UVec3) -> u32 {
        block.x + self.blocks.x * (block.y + self.blocks.y * block.z)
    }

    /// The neighbour of a block through one of its faces, numbered as in [`Patch::open`], if the lattice goes on there.
    pub fn neighbour(&self, number: u32, face: usize) -> Option<u32> {
        let mut block = self.block(number);
        let (axis, up) = (face / 2, face % 2 == 1);
        block[axis] = if up { block[axis] + 1 } else { block[axis].checked_sub(1)? };
        (block[axis] < self.blocks[axis]).then(|| self.number(block))
    }

    /// Position [m] of a corner of the whole lattice. Blocks that share it get the same bits.
    pub fn corner(&self, at: UVec3) -> Vec3 {
        self.low + self.cell * at.as_vec3()
    }

    /// Values at all corners of a block.
    pub fn sample(&self, number: u32, value: impl Fn(Vec3) -> f32) -> Samples {
        let first = SIDE * self.block(number);
        let values = std::array::from_fn(|c| value(self.corner(first + corner(c as u32))));
        Samples { values }
    }
}

/// Values at the corners of one block.
pub struct Samples {
    values: [f32; SAMPLES],
}

/// An edge of a block: three times the number of its lower corner, and its axis.
type Edge = u16;

/// Where the surface cuts an edge.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    edge: Edge,
    /// Where on the edge, from 0 at the lower corner to 1.
    share: f32,
}

/// The surface within one block.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Cuts of the edges that belong to this block, in ascending order. Edges in its upper faces belong to others.
    cuts: Vec<Cut>,
    triangles: Vec<[Edge; 3]>,
    /// Whether the surface goes on through the lower and the upper face of x, then of y, then of z. It has holes where
    /// the block there has no patch.
    pub open: [bool; 6],
}

fn corner(number: u32) -> UVec3 {
    UVec3::new(number % CORNERS, number / CORNERS % CORNERS, number / (CORNERS * CORNERS))
}

fn corner_number(at: UVec3) -> u32 {
    at.x + CORNERS * (at.y + CORNERS * at.z)
}

/// How far apart the numbers of neighbouring corners are, along each axis.
const STRIDE: [usize; 3] = [1, CORNERS as usize, (CORNERS * CORNERS) as usize];

impl Patch {
    /// The surface of a block where the values cross zero. A corner is inside if its value is below `-tiny`; points keep
    /// a small share of the edge away from both ends. So no two points are the same, even where values are just zero.
    pub fn new(samples: &Samples, tiny: f32) -> Self {
        let inside = samples.values.map(|v| v < -tiny);
        let mut patch = Self::default();
        if inside.iter().all(|&i| i == inside[0]) {
            return patch;
        }
        patch.add_cuts(&samples.values, &inside);
        patch.add_triangles(&inside);
        patch
    }

    /// How many triangles the block has.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    fn add_cuts(&mut self, values: &[f32], inside: &[bool]) {
        for (c, &value) in values.iter().enumerate() {
            let at = corner(c as u32);
            for axis in (0..3).filter(|&a| at[a] < SIDE) {
                let next = c + STRIDE[axis];
                if inside[c] == inside[next] {
                    continue;
                }
                self.note_open(at, axis);
                if at.max_element() < SIDE {
                    let share = (value / (value - values[next])).clamp(1.0 / 64.0, 63.0 / 64.0);
                    self.cuts.push(Cut { edge: (3 * c + axis) as Edge, share });
                }
            }
        }
    }

    /// The faces that a cut edge lies in lead on to other blocks.
    fn note_open(&mut self, at: UVec3, axis: usize) {
        for other in (0..3).filter(|&o| o != axis) {
            self.open[2 * other] |= at[other] == 0;
            self.open[2 * other + 1] |= at[other] == SIDE;
        }
    }

    fn add_triangles(&mut self, inside: &[bool]) {
        let offset = |c: usize| (0..3).map(|a| (c >> a & 1) * STRIDE[a]).sum::<usize>();
        let corners: [usize; 8] = std::array::from_fn(offset);
        let edges: [usize; 12] = std::array::from_fn(|e| {
            let (low, axis) = marching::edge(e);
            3 * corners[low] + axis
        });
        let cases = marching::cases();
        for c in (0..SAMPLES).filter(|&c| corner(c as u32).max_element() < SIDE) {
            let case = (0..8).fold(0, |m, i| m | usize::from(inside[c + corners[i]]) << i);
            let triangles = cases[case].triangles().iter();
            self.triangles.extend(triangles.map(|t| t.map(|e| (3 * c + edges[e as usize]) as Edge)));
        }
    }

    /// Positions [m] of the cuts of a block of the lattice.
    pub fn points(&self, lattice: &Lattice, number: u32) -> impl Iterator<Item = Vec3> {
        let first = SIDE * lattice.block(number);
        self.cuts.iter().map(move |cut| {
            let axis = usize::from(cut.edge % 3);
            let mut point = lattice.corner(first + corner(u32::from(cut.edge / 3)));
            point[axis] += cut.share * lattice.cell;
            point
        })
    }

    /// Which of the block's cuts lies on an edge.
    fn find(&self, edge: Edge) -> usize {
        self.cuts.binary_search_by_key(&edge, |cut| cut.edge).expect("the cut of an edge that triangles use")
    }
}

/// Triangles of all patches, their points numbered through in the order of the patches. The patches come in the order
/// of their blocks, each with the number of its block; wherever one is open, its neighbour must be there.
pub fn stitch(lattice: &Lattice, patches: &[(u32, Patch)]) -> Vec<[u32; 3]> {
    let mut place = vec![u32::MAX; lattice.len()];
    let mut first = Vec::with_capacity(patches.len());
    let mut points = 0;
    for (i, (number, patch)) in patches.iter().enumerate() {
        place[*number as usize] = i as u32;
        first.push(points);
        points += patch.cuts.len() as u32;
    }
    let point = |number: u32, edge: Edge| {
        let (owner, edge) = owner(lattice, number, edge);
        let i = place[owner as usize] as usize;
        first[i] + patches[i].1.find(edge) as u32
    };
    let mut triangles = Vec::with_capacity(patches.iter().map(|(_, p)| p.len()).sum());
    for (number, patch) in patches {
        triangles.extend(patch.triangles.iter().map(|t| t.map(|edge| point(*number, edge))));
    }
    triangles
}

/// The block that an edge belongs to, and the edge as that block numbers it.
fn owner(lattice: &Lattice, number: u32, edge: Edge) -> (u32, Edge) {
    let at = corner(u32::from(edge / 3));
    let beyond = at / SIDE;
    if beyond == UVec3::ZERO {
        return (number, edge);
    }
    let edge_there = 3 * corner_number(at - SIDE * beyond) as Edge + edge % 3;
    (lattice.number(lattice.block(number) + beyond), edge_there)
}
