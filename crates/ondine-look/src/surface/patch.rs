//! The surface within one block: marching cubes on its sums.
//!
//! The cases come from the engine (`ondine::objects::marching`), where they are made such that neighbouring cells always
//! agree. A block owns the edges that start in its cells; those in its upper faces belong to the blocks there, and
//! triangles name them by number until the patches are stitched.

use super::samples::{Block, CELLS, COUNT, NODES, Samples};
use glam::Vec3;
use ondine::objects::marching::{self, Case};
use std::ops::Range;

/// Set in the name of a point that another block owns; the rest is the number of its edge.
pub const FOREIGN: u32 = 1 << 31;

/// Rows of nodes in a block.
const ROWS: usize = NODES * NODES;
/// How far apart the numbers of neighbouring nodes are, along each axis.
pub const STRIDE: [usize; 3] = [1, NODES, NODES * NODES];
/// The lower fifteen nodes of a row: those where cells start.
const OWN: u16 = 0x7fff;
/// Points keep this fraction of an edge away from its ends: no two are the same, even where sums are just the level.
const CLEAR: f32 = 1.0 / 64.0;

/// The surface within one block.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Points on the edges that this block owns, row by row.
    pub points: Vec<Vec3>,
    /// Numbers of points, or edges of other blocks.
    pub triangles: Vec<[u32; 3]>,
    /// Edges in the lower faces and their points, ascending: what other blocks ask for.
    border: Vec<(u16, u16)>,
    /// Whether the surface goes on through the lower and the upper face of x, then of y, then of z.
    pub open: [bool; 6],
}

impl Patch {
    /// The point on an edge in a lower face.
    pub fn find(&self, edge: u32) -> Option<u32> {
        let found = self.border.binary_search_by_key(&edge, |(edge, _)| u32::from(*edge)).ok()?;
        Some(u32::from(self.border[found].1))
    }
}

/// The cuts of the edges that start in one row of nodes. Their points stand side by side, in the order of x.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts {
    /// Number of the first point.
    first: u32,
    /// How many there are before each node, and in all.
    before: [u8; NODES + 1],
}

impl Cuts {
    /// How the points of a row are numbered from `first` on, from bits that tell which nodes have a cut along x, y and z.
    fn new(first: u32, axes: [u16; 3]) -> Self {
        let mut before = [0; NODES + 1];
        for x in 0..NODES {
            before[x + 1] = before[x] + axes.iter().map(|bits| (bits >> x & 1) as u8).sum::<u8>();
        }
        Self { first, before }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.before[NODES] == 0
    }

    /// Points of the cuts at a stretch of nodes.
    #[inline(always)]
    pub fn points(&self, nodes: &Range<usize>) -> Range<usize> {
        let before = |x: usize| self.first as usize + self.before[x] as usize;
        before(nodes.start)..before(nodes.end)
    }
}

/// What it takes to march, kept from block to block.
#[derive(Debug)]
pub struct Walker {
    /// Which nodes of each row are inside, a bit each.
    inside: [u16; ROWS],
    /// The point of each edge that is cut. Edges are three times the number of their lower node, and their axis.
    point_of: Vec<u32>,
    /// The cuts of each row of nodes.
    pub cuts: [Cuts; ROWS],
    /// From the first edge of a cell to its twelve.
    edges: [u32; 12],
    cases: &'static [Case; 256],
}

impl Walker {
    /// Ready for any block.
    pub fn new() -> Self {
        let corners: [usize; 8] = std::array::from_fn(|c| (0..3).map(|a| (c >> a & 1) * STRIDE[a]).sum());
        let edges = std::array::from_fn(|e| {
            let (low, axis) = marching::edge(e);
            (3 * corners[low] + axis) as u32
        });
        let point_of = (0..3 * COUNT as u32).map(|e| FOREIGN | e).collect();
        Self { inside: [0; ROWS], point_of, cuts: [Cuts::default(); ROWS], edges, cases: marching::cases() }
    }

    /// The surface where φ passes `level`.
    pub fn walk(&mut self, samples: &Samples, block: &Block, level: f32) -> Patch {
        let mut patch = Patch::default();
        if !self.compare(samples, level * level) {
            return patch;
        }
        self.note_open(&mut patch);
        self.add_points(samples, block, level, &mut patch);
        self.add_triangles(&mut patch);
        patch.border.sort_unstable();
        patch
    }

    /// Finds which nodes are inside. False if all or none are.
    fn compare(&mut self, samples: &Samples, least: f32) -> bool {
        let (mut any, mut all) = (0, u16::MAX);
        for (bits, row) in self.inside.iter_mut().zip(samples.sums.chunks_exact(NODES)) {
            *bits = (0..NODES).fold(0, |bits, x| bits | u16::from(row[x] >= least) << x);
            any |= *bits;
            all &= *bits;
        }
        any != 0 && all != u16::MAX
    }

    /// A face that has nodes on both sides leads on to the next block.
    fn note_open(&self, patch: &mut Patch) {
        let mixed = |mut rows: Box<dyn Iterator<Item = u16> + '_>, mask: u16| {
            let (any, all) = rows.by_ref().fold((0, u16::MAX), |(any, all), r| (any | r, all & r));
            any & mask != 0 && all & mask != mask
        };
        let row = |y: usize, z: usize| self.inside[z * NODES + y];
        let end = NODES - 1;
        for (side, at) in [(0, 0), (1, end)] {
            patch.open[side] = mixed(Box::new(self.inside.iter().copied()), 1 << at);
            patch.open[2 + side] = mixed(Box::new((0..NODES).map(|z| row(at, z))), u16::MAX);
            patch.open[4 + side] = mixed(Box::new((0..NODES).map(|y| row(y, at))), u16::MAX);
        }
    }

    fn add_points(&mut self, samples: &Samples, block: &Block, level: f32, patch: &mut Patch) {
        for row in 0..ROWS {
            let (y, z) = (row % NODES, row / NODES);
            let mut axes = [0; 3];
            if y < NODES - 1 && z < NODES - 1 {
                let here = self.inside[row];
                let next = [here >> 1, self.inside[row + 1], self.inside[row + NODES]];
                axes = next.map(|next| (here ^ next) & OWN);
            }
            self.cuts[row] = Cuts::default();
            let any = axes[0] | axes[1] | axes[2];
            if any != 0 {
                self.cuts[row] = Cuts::new(patch.points.len() as u32, axes);
            }
            for x in bits(any) {
                for axis in (0..3).filter(|&axis| axes[axis] >> x & 1 == 1) {
                    let node = row * NODES + x;
                    let [from, to] = [node, node + STRIDE[axis]].map(|n| samples.sums[n].sqrt());
                    let fraction = ((level - from) / (to - from)).clamp(CLEAR, 1.0 - CLEAR);
                    let mut point = Vec3::new(block.node(0, x), block.node(1, y), block.node(2, z));
                    point[axis] += fraction * block.cell;
                    let (edge, number) = (3 * node + axis, patch.points.len());
                    self.point_of[edge] = number as u32;
                    if x == 0 || y == 0 || z == 0 {
                        patch.border.push((edge as u16, number as u16));
                    }
                    patch.points.push(point);
                }
            }
        }
    }

    fn add_triangles(&self, patch: &mut Patch) {
        patch.triangles.reserve(2 * patch.points.len());
        for (y, z) in (0..CELLS as usize).flat_map(|z| (0..CELLS as usize).map(move |y| (y, z))) {
            let row = z * NODES + y;
            let rows = [row, row + 1, row + NODES, row + NODES + 1].map(|r| self.inside[r]);
            let any = rows.iter().fold(0, |any, r| any | r);
            let all = rows.iter().fold(u16::MAX, |all, r| all & r);
            for x in bits((any | any >> 1) & !(all & all >> 1) & OWN) {
                let pair = |r: u16| usize::from(r >> x & 3);
                let case = pair(rows[0]) | pair(rows[1]) << 2 | pair(rows[2]) << 4 | pair(rows[3]) << 6;
                let first = 3 * (row * NODES + x) as u32;
                let point = |e: u8| self.point_of[(first + self.edges[e as usize]) as usize];
                patch.triangles.extend(self.cases[case].triangles().iter().map(|t| t.map(point)));
            }
        }
    }
}

/// The numbers of the bits that are set, ascending.
pub fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < 16).then_some(lowest)
    })
}
