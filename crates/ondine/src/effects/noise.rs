//! Turbulence without sources: the curl of a random field (Bridson and others, Curl-noise for procedural fluid flow, 2007).
//!
//! The potential is value noise: random vectors at the corners of a lattice, joined by quintics, whose slopes are known. It becomes another
//! in time: two fields, one that fades and one that comes, in shares whose squares add up to 1.

use crate::hash;
use glam::DVec3;

/// Root of the mean square of the curl of the potential, over one lattice step, in space and in the plane: of six slopes, or two, each of the
/// mean square ⅓ · 2 ∫s′² · w² (or w), where s is the quintic and w = ∫ s² + (1 − s)².
const STRENGTH: [f64; 2] = [1.8730, 1.2217];

/// A field of turbulence.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Root of the mean square of its speed [m/s].
    pub speed: f64,
    /// Size of its whirls [m].
    pub scale: f64,
    /// How often it becomes another in a second [1/s].
    pub rate: f64,
    /// Names it.
    pub seed: u32,
    /// Whether the scene is planar.
    pub planar: bool,
}

impl Noise {
    /// Its velocity at a place and time [m/s].
    pub fn at(&self, p: DVec3, time: f64) -> DVec3 {
        let (slot, share) = (libm::floor(time * self.rate), time * self.rate - libm::floor(time * self.rate));
        let (going, coming) = (1.0 - share, share);
        let whole = (going * going + coming * coming).sqrt();
        let p = p / self.scale;
        let mut curl = going / whole * self.curl(p, slot as i64 as u32);
        if coming > 0.0 {
            curl += coming / whole * self.curl(p, (slot as i64 + 1) as u32);
        }
        self.speed / STRENGTH[self.planar as usize] * curl
    }

    /// The curl of the potential of a slot of time, in lattice steps.
    fn curl(&self, p: DVec3, slot: u32) -> DVec3 {
        let cell = p.floor();
        let t = p - cell;
        // 6t⁵ − 15t⁴ + 10t³ and its slope.
        let fade = t * t * t * (t * (6.0 * t - DVec3::splat(15.0)) + DVec3::splat(10.0));
        let slope = 30.0 * t * t * (t * (t - DVec3::splat(2.0)) + DVec3::ONE);
        let (mut dx, mut dy, mut dz) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for corner in 0..if self.planar { 4 } else { 8 } {
            let at = [corner & 1, corner >> 1 & 1, corner >> 2];
            let weight = |c: usize| if at[c] == 1 { fade[c] } else { 1.0 - fade[c] };
            let change = |c: usize| if at[c] == 1 { slope[c] } else { -slope[c] };
            let (wx, wy, wz) = (weight(0), weight(1), if self.planar { 1.0 } else { weight(2) });
            let corner = [cell.x as i64 + at[0], cell.y as i64 + at[1], cell.z as i64 + at[2]];
            let value = self.value(corner, slot);
            dx += change(0) * wy * wz * value;
            dy += wx * change(1) * wz * value;
            dz += wx * wy * change(2) * value;
        }
        match self.planar {
            true => DVec3::new(dy.z, -dx.z, 0.0),
            false => DVec3::new(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x),
        }
    }

    /// The potential at a corner of the lattice: each coordinate from −1 to 1.
    fn value(&self, corner: [i64; 3], slot: u32) -> DVec3 {
        let mut hash = hash::StateHash::default();
        let [x, y, z] = corner.map(|c| c as u32 as u64);
        [x | y << 32, z | (slot as u64) << 32, self.seed as u64].into_iter().for_each(|word| hash.add(word));
        let bits = hash.finish();
        let part = |shift: u32| (bits >> shift & 0x1f_ffff) as f64 / (1 << 20) as f64 - 1.0;
        DVec3::new(part(0), part(21), part(42))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::strewn;

    fn noise(planar: bool) -> Noise {
        Noise { speed: 1.0, scale: 0.5, rate: 2.0, seed: 3, planar }
    }

    #[test]
    fn it_has_the_speed_that_it_should() {
        for planar in [false, true] {
            let places = strewn(40_000, planar, 5);
            let square = |(i, p): (usize, &glam::Vec3)| {
                noise(planar).at(20.0 * p.as_dvec3(), 0.01 * i as f64).length_squared()
            };
            let mean = places.iter().enumerate().map(square).sum::<f64>() / 40_000.0;
            assert!((mean.sqrt() - 1.0).abs() < 0.02, "{planar}: {}", mean.sqrt());
        }
    }

    /// Neither sources nor sinks: the divergence, by differences, is nothing beside the slopes.
    #[test]
    fn it_gathers_nothing() {
        let step = 1e-5;
        for planar in [false, true] {
            let (mut most, mut slopes) = (0f64, 0f64);
            for (i, p) in strewn(500, planar, 9).iter().enumerate() {
                let (p, time) = (5.0 * p.as_dvec3(), 0.037 * i as f64);
                let slope = |c: usize| {
                    let aside = step * DVec3::AXES[c];
                    (noise(planar).at(p + aside, time) - noise(planar).at(p - aside, time)) / (2.0 * step)
                };
                let axes = if planar { 2 } else { 3 };
                most = most.max((0..axes).map(|c| slope(c)[c]).sum::<f64>().abs());
                slopes = slopes.max((0..axes).map(|c| slope(c).length()).fold(0.0, f64::max));
            }
            assert!(most < 1e-6 * slopes, "{planar}: {most} {slopes}");
        }
    }

    /// It is the same everywhere, also far below zero, and never jumps.
    #[test]
    fn it_is_smooth() {
        let field = noise(false);
        for edge in [-3.0f64, 0.0, 0.5, 7.5] {
            let at = |x: f64| field.at(DVec3::new(x, 0.3, -0.2), 1.0);
            assert!(at(edge - 1e-7).distance(at(edge + 1e-7)) < 1e-4);
            let then = |t: f64| field.at(DVec3::new(0.1, 0.3, -0.2), t);
            assert!(then(edge + 4.0 - 1e-7).distance(then(edge + 4.0 + 1e-7)) < 1e-4);
        }
    }
}
