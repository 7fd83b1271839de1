//! Asking a distance field.

use super::{COARSE, DistanceField, EDGE, LESS, SAMPLES, grid::SIDE};
use crate::objects::Nearest;
use glam::Vec3;

/// Coordinates beyond this have no squares in single precision [m].
const EVERYWHERE: f32 = 1e18;

impl DistanceField {
    /// Signed distance [m], negative inside.
    pub fn distance(&self, p: Vec3) -> f32 {
        self.nearest(p).distance
    }

    /// The distance of a point, wherever it is, and the direction in which it grows.
    #[inline]
    pub fn nearest(&self, p: Vec3) -> Nearest {
        let size = Vec3::from(self.blocks.map(|n| n as f32)) * SIDE as f32;
        let asked = (p - self.origin) / self.cell;
        // In this order a coordinate that is no number gives zero.
        let within = Vec3::from(asked.to_array().map(|c| c.max(0.0))).min(size);
        let (distance, gradient) = self.interpolate(within);
        if within == asked {
            return Nearest::flat(distance, self.outward(gradient, p));
        }
        self.beyond(p, self.origin + within * self.cell, distance, gradient)
    }

    /// Between the samples around a point in cells: the value, and its gradient in any length.
    #[inline]
    fn interpolate(&self, p: Vec3) -> (f32, Vec3) {
        let [nx, ny, nz] = self.blocks;
        // Casts of what is not negative round down, and unlike `floor` are one instruction everywhere.
        let block = |c: f32, count: u32| ((c * (1.0 / SIDE as f32)) as i32).min(count as i32 - 1);
        let [x, y, z] = [block(p.x, nx), block(p.y, ny), block(p.z, nz)];
        let within = p - SIDE as f32 * Vec3::new(x as f32, y as f32, z as f32);
        let [x, y, z, nx, ny] = [x as usize, y as usize, z as usize, nx as usize, ny as usize];
        let slot = self.slots[(z * ny + y) * nx + x];
        if slot == COARSE {
            let first = (z * (ny + 1) + y) * (nx + 1) + x;
            let corners = corners(&self.coarse[first..], nx + 1, (nx + 1) * (ny + 1));
            return interpolated(&corners, within * (1.0 / SIDE as f32));
        }
        let cell = |c: f32| (c as i32).min(SIDE - 1);
        let [x, y, z] = [cell(within.x), cell(within.y), cell(within.z)];
        let at = x as usize + EDGE * (y as usize + EDGE * z as usize);
        let samples = &self.fine[slot as usize * SAMPLES..][..SAMPLES];
        let corners = corners(&samples[at..], EDGE, EDGE * EDGE);
        interpolated(&corners, within - Vec3::new(x as f32, y as f32, z as f32))
    }

    /// Outside the grid, where `q` is the nearest point of its border. As the grid is convex and holds the solid, the
    /// ways from `q` to `p` and to the solid are never at less than a right angle: the distance is at least a
    /// hypotenuse. It is at least that to the box around the solid, too; `LESS`, so as not to jump at the border.
    #[cold]
    fn beyond(&self, p: Vec3, q: Vec3, distance: f32, gradient: Vec3) -> Nearest {
        if !p.is_finite() {
            return Nearest::flat(f32::MAX, Vec3::Y);
        }
        let p = p.clamp(Vec3::splat(-EVERYWHERE), Vec3::splat(EVERYWHERE));
        let across = (p - q).length_squared() + distance * distance;
        let from_box = p - p.clamp(self.low, self.high);
        let straight = from_box.length() - LESS as f32 * self.cell;
        if straight * straight > across {
            return Nearest::flat(straight, from_box.normalize_or(Vec3::Y));
        }
        let normal = (p - q + distance * self.outward(gradient, q)).normalize_or(Vec3::Y);
        Nearest::flat(across.sqrt(), normal)
    }

    /// A unit vector along the gradient. Where there is none, on the ridges inside, any way out is as good.
    #[inline]
    fn outward(&self, gradient: Vec3, p: Vec3) -> Vec3 {
        let square = gradient.length_squared();
        if square > 1e-12 * self.cell * self.cell {
            return gradient / square.sqrt();
        }
        (p - 0.5 * (self.low + self.high)).normalize_or(Vec3::Y)
    }
}

/// The corners of a cell, along x, then y, then z, of samples with these steps along y and z.
#[inline]
fn corners(samples: &[f32], y: usize, z: usize) -> [f32; 8] {
    let s = &samples[..y + z + 2];
    [s[0], s[1], s[y], s[y + 1], s[z], s[z + 1], s[y + z], s[y + z + 1]]
}

/// Between the corners of a cell, from (0, 0, 0) to (1, 1, 1): the value, and its gradient.
#[inline]
pub fn interpolated(corners: &[f32; 8], at: Vec3) -> (f32, Vec3) {
    let [a, b, c, d, e, f, g, h] = *corners;
    let mix = |from: f32, to: f32, t: f32| from + (to - from) * t;
    let (ab, cd, ef, gh) = (mix(a, b, at.x), mix(c, d, at.x), mix(e, f, at.x), mix(g, h, at.x));
    let (low, high) = (mix(ab, cd, at.y), mix(ef, gh, at.y));
    let x = mix(mix(b - a, d - c, at.y), mix(f - e, h - g, at.y), at.z);
    let y = mix(cd - ab, gh - ef, at.z);
    (mix(low, high, at.z), Vec3::new(x, y, high - low))
}
