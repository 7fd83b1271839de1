//! Vertex attributes: what the points of a surface have from the particles: its direction, their velocity and their colour.

use super::patch::{Cuts, Patch, bits};
use super::samples::{Block, NODES};
use glam::Vec3;
use wide::f32x4;

/// What a point of the surface has from the particles around it.
#[derive(Clone, Copy, Debug, Default)]
pub struct VertexAttributes {
    /// Away from the liquid: against the gradient of φ.
    pub normal: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Colour.
    pub color: Vec3,
    /// Σ (1 − r/h)², every particle counted fully: how much liquid there is about the point.
    pub neighbour_sum: f32,
}

/// Liquid about a point, as [`VertexAttributes::neighbour_sum`] counts it, of drops and threads, and from which it is a body.
const LONELY: f32 = 0.7;
const CROWDED: f32 = 1.3;

impl VertexAttributes {
    /// How freely the point may move: 0 on drops and threads, which are as they should be, 1 on large bodies.
    pub fn freedom(&self) -> f32 {
        ((self.neighbour_sum - LONELY) / (CROWDED - LONELY)).clamp(0.0, 1.0)
    }
}

/// A particle as it adds to a surface.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Where it is [m].
    pub at: Vec3,
    /// What it counts.
    pub weight: f32,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// Its colour.
    pub color: Vec3,
}

/// Points that are added to at once: four numbers take no longer than one.
const LANES: usize = 4;

/// Four points, and sums over the particles that reach them.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    point: [f32x4; 3],
    normal: [f32x4; 3],
    /// Times the weight.
    velocity: [f32x4; 3],
    /// Times the weight.
    color: [f32x4; 3],
    weight: f32x4,
    neighbour_sum: f32x4,
}

/// Sums at the points of a patch.
#[derive(Debug)]
pub struct Sums<'a> {
    groups: Vec<Group>,
    count: usize,
    cuts: &'a [Cuts],
    /// Which rows of each layer have points, a bit each.
    filled: [u16; NODES],
    block: &'a Block,
    /// Support of a particle [m].
    h: f32,
}

impl<'a> Sums<'a> {
    /// Nothing at any point of a patch, whose rows have these cuts.
    pub fn new(patch: &Patch, cuts: &'a [Cuts], block: &'a Block, h: f32) -> Self {
        let mut groups = vec![Group::default(); patch.points.len().div_ceil(LANES)];
        for (i, point) in patch.points.iter().enumerate() {
            (0..3).for_each(|axis| groups[i / LANES].point[axis].as_mut_array()[i % LANES] = point[axis]);
        }
        let has_points = |row: usize| u16::from(!cuts[row].is_empty());
        let layer = |z: usize| (0..NODES).fold(0, |bits, y| bits | has_points(z * NODES + y) << y);
        Self { groups, count: patch.points.len(), cuts, filled: std::array::from_fn(layer), block, h }
    }

    /// Adds a particle to the points that it reaches.
    pub fn add(&mut self, kernel: &Kernel) {
        // Points lie up to a cell above their node.
        let (h, inverse, half) = (self.h, 1.0 / self.h, 0.5 * self.block.cell);
        let span = |axis: usize| self.block.within(axis, kernel.at[axis] - half, h + half);
        let (xs, ys, zs) = (span(0), span(1), span(2));
        let rows = ((1u32 << ys.end) - (1u32 << ys.start.min(ys.end))) as u16;
        for z in zs {
            for y in bits(self.filled[z] & rows) {
                let points = self.cuts[z * NODES + y].points(&xs);
                let groups = points.start / LANES..points.end.div_ceil(LANES);
                let (start, end) = (f32x4::splat(points.start as f32), f32x4::splat(points.end as f32));
                for (group, number) in self.groups[groups.clone()].iter_mut().zip(groups) {
                    let numbers = f32x4::splat((number * LANES) as f32) + f32x4::new([0.0, 1.0, 2.0, 3.0]);
                    group.add(kernel, inverse, numbers.simd_ge(start) & numbers.simd_lt(end));
                }
            }
        }
    }

    /// Sums become means.
    pub fn means(self) -> Vec<VertexAttributes> {
        let each = (0..self.count).map(|i| (&self.groups[i / LANES], i % LANES));
        each.map(|(group, lane)| group.mean(lane)).collect()
    }
}

impl Group {
    /// Adds a particle to those points of the group that are meant.
    #[inline(always)]
    fn add(&mut self, kernel: &Kernel, inverse_h: f32, meant: f32x4) {
        let away: [f32x4; 3] = std::array::from_fn(|axis| self.point[axis] - kernel.at[axis]);
        let r = (away[0] * away[0] + away[1] * away[1] + away[2] * away[2]).sqrt();
        let near = (1.0 - r * inverse_h).max(f32x4::ZERO) & meant;
        let outward = near * kernel.weight / r.max(f32x4::splat(f32::MIN_POSITIVE));
        let squared = near * near;
        let weight = squared * kernel.weight;
        for (axis, away) in away.into_iter().enumerate() {
            self.normal[axis] += away * outward;
            self.velocity[axis] += weight * kernel.velocity[axis];
            self.color[axis] += weight * kernel.color[axis];
        }
        self.weight += weight;
        self.neighbour_sum += squared;
    }

    /// The means at one of the points.
    fn mean(&self, lane: usize) -> VertexAttributes {
        let vector = |lanes: &[f32x4; 3]| Vec3::from_array(lanes.map(|lanes| lanes.to_array()[lane]));
        let inverse = 1.0 / self.weight.to_array()[lane].max(f32::MIN_POSITIVE);
        VertexAttributes {
            normal: vector(&self.normal).normalize_or(Vec3::Y),
            velocity: vector(&self.velocity) * inverse,
            color: vector(&self.color) * inverse,
            neighbour_sum: self.neighbour_sum.to_array()[lane],
        }
    }
}
