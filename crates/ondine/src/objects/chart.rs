//! The surface of a blend, measured once.
//!
//! A figure is a blend of twenty parts, and particles ask for its distance several times a step. A chart keeps distances
//! and normals at the nodes of a grid, block by block, as particles come by, and interpolates between them, in the cells
//! where it was tried and agrees with the blend. At edges, in narrow grooves and thin walls, the blend itself is asked.

use super::Nearest;
use super::sdf::Bounds;
use glam::{IVec3, Vec3, Vec4, Vec4Swizzles};
use std::sync::OnceLock;

/// Cells along the side of a block.
const SIDE: usize = 4;
/// Nodes along the side of a block, and in it.
const EDGE: usize = SIDE + 1;
const NODES: usize = EDGE * EDGE * EDGE;
/// Most blocks along the longest side.
const MOST_BLOCKS: f32 = 48.0;
/// How far from the surface charts are good, in radii: liquids reach no farther.
const REACH: f32 = 8.0;
/// Largest error of a distance, in radii of particles.
const DISTANCE_ERROR: f32 = 0.05;
/// Largest error of a normal.
const NORMAL_ERROR: f32 = 0.1;

/// Cosine of the largest angle between the normals at a cell's nodes and in its middle.
const LEAST_COSINE: f32 = 0.8;

/// A grid of blocks around a shape, measured when they are first asked for.
#[derive(Debug)]
pub struct Chart {
    low: Vec3,
    /// Side of a cell [m].
    cell: f32,
    /// Blocks along each axis.
    size: IVec3,
    radius: f32,
    blocks: Vec<OnceLock<Block>>,
}

#[derive(Debug)]
struct Block {
    /// No point in it is nearer to the surface [m].
    at_least: f32,
    /// Near the surface, normals and distances at the nodes.
    nodes: Option<Box<[Vec4; NODES]>>,
    /// One bit a cell, set where interpolation between its nodes is right.
    right: u64,
}

/// A point on the chart.
pub struct Spot<'a> {
    block: &'a Block,
    /// Where in the block it is [cells].
    within: Vec3,
    /// Side of a cell [m].
    side: f32,
}

impl Spot<'_> {
    /// A distance that is surely not more than the true one.
    #[inline]
    pub fn at_least(&self) -> f32 {
        self.block.at_least
    }

    /// The nearest point of the surface, where the chart is right.
    #[inline]
    pub fn nearest(&self) -> Option<Nearest> {
        let nodes = self.block.nodes.as_ref()?;
        let cell = self.within.as_ivec3().min(IVec3::splat(SIDE as i32 - 1));
        let right = self.block.right >> (cell.x + 4 * cell.y + 16 * cell.z) & 1 == 1;
        right.then(|| interpolated(nodes, cell, self.within - cell.as_vec3(), self.side))
    }
}

impl Chart {
    /// A chart of what is within bounds, for particles of a radius, if both have an end.
    pub fn new(bounds: Bounds, radius: f32) -> Option<Self> {
        let (low, high) = bounds?;
        let margin = REACH * radius;
        let extent = high - low + 2.0 * margin;
        let cell = radius.max(extent.max_element() / (MOST_BLOCKS * SIDE as f32));
        if !(cell.is_finite() && radius > 0.0) {
            return None;
        }
        let size = (extent / (cell * SIDE as f32)).ceil().max(Vec3::ONE).as_ivec3();
        let blocks = (0..size.element_product()).map(|_| OnceLock::new()).collect();
        Some(Self { low: low - margin, cell, size, radius, blocks })
    }

    /// What is known about a point on the chart. `exact` measures.
    #[inline]
    pub fn look(&self, p: Vec3, exact: impl Fn(Vec3) -> Nearest) -> Option<Spot<'_>> {
        let at = (p - self.low) * (1.0 / self.cell);
        let size = SIDE as f32 * self.size.as_vec3();
        // False also for what is no number.
        if !(at.cmpge(Vec3::ZERO).all() && at.cmplt(size).all()) {
            return None;
        }
        let IVec3 { x, y, z } = at.as_ivec3() / SIDE as i32;
        let corner = IVec3::new(x, y, z).as_vec3() * SIDE as f32;
        let number = x + self.size.x * (y + self.size.y * z);
        let block = self.blocks[number as usize].get_or_init(|| self.measure(corner, exact));
        Some(Spot { block, within: at - corner, side: self.cell })
    }

    #[cold]
    fn measure(&self, corner: Vec3, exact: impl Fn(Vec3) -> Nearest) -> Block {
        let point = |within: Vec3| self.low + self.cell * (corner + within);
        let middle = exact(point(Vec3::splat(0.5 * SIDE as f32))).distance;
        // Half the diagonal, and a little for rounding.
        let half = 0.87 * SIDE as f32 * self.cell;
        let at_least = middle - half;
        if middle.abs() > half + REACH * self.radius {
            return Block { at_least, nodes: None, right: 0 };
        }
        let mut nodes = Box::new([Vec4::ZERO; NODES]);
        for (node, at) in nodes.iter_mut().zip(places(EDGE)) {
            let near = exact(point(at.as_vec3()));
            *node = near.normal.extend(near.distance);
        }
        let agrees = |cell: IVec3| {
            // Where normals turn about, there is an edge, seen or not.
            let near = interpolated(&nodes, cell, Vec3::splat(0.5), self.cell);
            let turns = corners(&nodes, cell).into_iter().any(|n| n.xyz().dot(near.normal) < LEAST_COSINE);
            let exact = exact(point(cell.as_vec3() + 0.5));
            exact.distance.abs() > REACH * self.radius
                || !turns
                    && (exact.distance - near.distance).abs() <= DISTANCE_ERROR * self.radius
                    && exact.normal.distance(near.normal) <= NORMAL_ERROR
        };
        let right = places(SIDE).enumerate().fold(0, |right, (i, cell)| right | u64::from(agrees(cell)) << i);
        Block { at_least, nodes: Some(nodes), right }
    }
}

/// The places of a cube of `n` a side, x first.
fn places(n: usize) -> impl Iterator<Item = IVec3> {
    let n = n as i32;
    (0..n * n * n).map(move |i| IVec3::new(i % n, i / n % n, i / n / n))
}

/// The nodes around a block's cell, along x, then y, then z.
#[inline]
fn corners(nodes: &[Vec4; NODES], cell: IVec3) -> [Vec4; 8] {
    let first = cell.x as usize + EDGE * (cell.y as usize + EDGE * cell.z as usize);
    let last = NODES - 1;
    std::array::from_fn(|i| nodes[(first + (i & 1) + EDGE * ((i >> 1 & 1) + EDGE * (i >> 2))).min(last)])
}

/// At `t` between the nodes of a block's cell. The bend is the divergence of the normals.
///
/// Linear interpolation of a quadratic is too high by as much as the mean of the nodes' tangents is too low. Half the sum
/// of both takes −t(1−t)/2 times the slope of the normal along each axis.
#[inline]
fn interpolated(nodes: &[Vec4; NODES], at: IVec3, t: Vec3, cell: f32) -> Nearest {
    let mix = |a: Vec4, b: Vec4, t: f32| a + (b - a) * t;
    let [a, e, b, f, c, g, d, h] = corners(nodes, at);
    let x = mix(mix(e - a, f - b, t.y), mix(g - c, h - d, t.y), t.z).x;
    let [a, b, c, d] = [mix(a, e, t.x), mix(b, f, t.x), mix(c, g, t.x), mix(d, h, t.x)];
    let (low, high) = (mix(a, b, t.y), mix(c, d, t.y));
    let slopes = Vec3::new(x, mix(b - a, d - c, t.z).y, (high - low).z);
    let near = mix(low, high, t.z);
    let distance = near.w - 0.5 * cell * (t * (1.0 - t)).dot(slopes);
    Nearest { distance, normal: near.xyz().normalize_or(Vec3::Y), bend: slopes.element_sum() / cell }
}
