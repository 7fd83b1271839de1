//! What the particles carry to the points of a surface: its direction, their velocity and their colour.

use super::patch::{Patch, bits};
use super::samples::{Block, NODES};
use glam::Vec3;

/// What a point of the surface has from the particles around it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried {
    /// Away from the liquid: against the gradient of φ. Not yet of length 1.
    pub normal: Vec3,
    /// Velocity [m/s], as long as it is summed up times `weight`.
    pub velocity: Vec3,
    /// Colour, likewise.
    pub color: Vec3,
    /// Sum of the weights.
    weight: f32,
    /// Σ (1 − r/h)², every particle counted fully: how much liquid there is about the point.
    pub crowd: f32,
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

/// Where the points of a patch are, row of nodes by row.
#[derive(Debug)]
pub struct Rows<'a> {
    /// First point of each row, and the number of points at the end.
    starts: &'a [u32],
    /// Which rows of each layer have points, a bit each.
    filled: [u16; NODES],
}

impl<'a> Rows<'a> {
    /// From the first points of the rows.
    pub fn new(starts: &'a [u32]) -> Self {
        let has_points = |row: usize| u16::from(starts[row + 1] > starts[row]);
        let layer = |z: usize| (0..NODES).fold(0, |bits, y| bits | has_points(z * NODES + y) << y);
        Self { starts, filled: std::array::from_fn(layer) }
    }
}

/// Adds a particle to the points of a patch that it reaches.
pub fn add(carried: &mut [Carried], patch: &Patch, rows: &Rows, block: &Block, kernel: &Kernel, h: f32) {
    // Points lie up to a cell above their row.
    let (reach, inverse) = (h + block.cell, 1.0 / h);
    let span = block.span(1, kernel.at.y, reach);
    let within = ((1u32 << span.end) - (1u32 << span.start.min(span.end))) as u16;
    for z in block.span(2, kernel.at.z, reach) {
        for y in bits(rows.filled[z] & within) {
            let row = z * NODES + y;
            let points = rows.starts[row] as usize..rows.starts[row + 1] as usize;
            for (carried, point) in carried[points.clone()].iter_mut().zip(&patch.points[points]) {
                let away = *point - kernel.at;
                let square = away.length_squared();
                if square < h * h {
                    carried.add(away, square.sqrt(), kernel, inverse);
                }
            }
        }
    }
}

impl Carried {
    #[inline(always)]
    fn add(&mut self, away: Vec3, r: f32, kernel: &Kernel, inverse_h: f32) {
        let near = 1.0 - r * inverse_h;
        let share = kernel.weight * near * near;
        self.normal += away * (kernel.weight * near / r.max(f32::MIN_POSITIVE));
        self.velocity += kernel.velocity * share;
        self.color += kernel.color * share;
        self.weight += share;
        self.crowd += near * near;
    }

    /// Sums become means.
    pub fn finish(&mut self) {
        let inverse = 1.0 / self.weight.max(f32::MIN_POSITIVE);
        self.velocity *= inverse;
        self.color *= inverse;
        self.normal = self.normal.normalize_or(Vec3::Y);
    }
}
