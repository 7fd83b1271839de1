//! Walls complete the density.
//!
//! Not in thesis 000, where a particle at a wall misses half its neighbours, takes itself to be at a free surface, and
//! crowds its neighbours against the wall: pools then lose several per cent of their volume, more when particles are
//! large. Here everything behind a wall counts as if it were liquid at rest. With u = distance/h and N = h^d/s^d
//! particles a unit volume, a flat wall adds
//!
//! - to the density: N ∫ (1−q)² over the part of the neighbourhood behind the wall, likewise (1−q)³ to the near density;
//! - to the particle's own displacement, along the wall's normal, twice (the wall's particles push back as much as they
//!   are pushed) P N ∫ (1−q) cosθ + P_near N ∫ (1−q)² cosθ, never towards the wall: what holds liquid to a wall is
//!   adhesion, not this.
//!
//! Integrals are tabulated, then scaled so that at half a spacing from the wall they are what the layers of a cubic
//! lattice behind the wall would give: a lattice that fills a container to half a spacing of its walls is at rest.
//! Walls that bend are taken as balls of curvature k = 1/R (in the plane, discs; hollows where k is negative): the part of
//! the sphere of radius q around the particle that is behind the wall is where cosθ ≥ (2u + k(q² + u²)) / (2q(1 + ku)).
//! Limits: edges and corners count as balls, and a bend that is not known as none.

use crate::objects::{Nearest, Solid};
use glam::Vec3;
use serde::{Deserialize, Serialize};

const STEPS: usize = 32;
/// Sharpest bends of the table, hollow and round, in 1/h: beyond them a wall has little behind it anyway.
const BENDS: [f32; 2] = [-1.5, 2.0];
/// Bends between these.
const BEND_STEPS: usize = 14;

/// What a wall adds, by distance and bend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallTable {
    h: f32,
    /// Ways that a surface can bend: one less than dimensions.
    ways: f32,
    /// The push of a flat wall half a spacing away.
    at_touch: f32,
    /// One row a step of bend, in it one entry a step of distance; one beyond the last of each.
    rows: Vec<[f32; 4]>,
}

/// What a wall adds at one distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallSums {
    /// To the density.
    pub rho: f32,
    /// To the near density.
    pub rho_near: f32,
    /// Factor of the pressure in the push.
    pub push: f32,
    /// Factor of the near pressure in the push.
    pub push_near: f32,
}

impl WallTable {
    /// The table for interaction radius `h` of `support` spacings.
    pub fn new(h: f32, support: f32, planar: bool) -> Self {
        let at_contact = integrals(0.5 / support as f64, 0.0, planar);
        let missing = missing_layers(support as f64, planar);
        let scale: [f64; 4] = std::array::from_fn(|i| missing[i] / at_contact[i]);
        let entry = |bend: usize, step: usize| {
            let k = BENDS[0] + bend.min(BEND_STEPS) as f32 * BEND_STEP;
            let v = integrals(step.min(STEPS) as f64 / STEPS as f64, k as f64, planar);
            [v[0] * scale[0], v[1] * scale[1], 2.0 * v[2] * scale[2], 2.0 * v[3] * scale[3]].map(|x| x as f32)
        };
        let rows = (0..BEND_STEPS + 2).flat_map(|b| (0..STEPS + 2).map(move |s| (b, s)));
        let ways = if planar { 1.0 } else { 2.0 };
        let at_touch = 2.0 * missing[2] as f32;
        Self { h, ways, at_touch, rows: rows.map(|(bend, step)| entry(bend, step)).collect() }
    }

    /// Where it ends [m].
    pub fn reach(&self) -> f32 {
        self.h
    }

    /// How much a solid pushes a particle along any one axis, on the average, over what a wall that touches it does.
    pub fn weight(&self, solid: &Solid, p: Vec3) -> f32 {
        let mut push = 0.0;
        solid.walls(p, self.h, |wall| push += self.at(&wall).push);
        push / (self.at_touch * (1.0 + self.ways))
    }

    /// The sums near a wall; distances below 0 count as 0.
    #[inline(always)]
    pub fn at(&self, wall: &Nearest) -> WallSums {
        let u = (wall.distance / self.h).clamp(0.0, 1.0);
        // The bend is told where the particle is; that of the wall, a distance u behind, is sharper.
        let told = wall.bend * self.h / self.ways;
        let k = (told / (1.0 - u * told).max(0.1)).clamp(BENDS[0], BENDS[1]);
        let (bend, b) = split((k - BENDS[0]) / BEND_STEP);
        let (step, s) = split(u * STEPS as f32);
        let entry = |bend: usize, step: usize| self.rows[bend * (STEPS + 2) + step];
        let along = |bend: usize| mix(entry(bend, step), entry(bend, step + 1), s);
        let [rho, rho_near, push, push_near] = match k == 0.0 {
            true => along(bend),
            false => mix(along(bend), along(bend + 1), b),
        };
        WallSums { rho, rho_near, push, push_near }
    }
}

const BEND_STEP: f32 = (BENDS[1] - BENDS[0]) / BEND_STEPS as f32;

fn split(x: f32) -> (usize, f32) {
    let whole = x as usize;
    (whole, x - whole as f32)
}

#[inline(always)]
fn mix(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// ∫(1−q)², ∫(1−q)³, ∫(1−q)cosθ, ∫(1−q)²cosθ over the part of the unit ball (disc) behind a wall of curvature k at
/// distance u.
fn integrals(u: f64, k: f64, planar: bool) -> [f64; 4] {
    const N: usize = 2000;
    let dq = (1.0 - u) / N as f64;
    let mut sums = [0.0; 4];
    for i in 0..N {
        let q = u + (i as f64 + 0.5) * dq;
        let a = 1.0 - q;
        let cos = ((2.0 * u + k * (q * q + u * u)) / (2.0 * q * (1.0 + k * u).max(0.1))).clamp(-1.0, 1.0);
        // Measure of the part of the sphere (circle) of radius q behind the wall, and of its projection on the wall.
        let (cap, flat) = match planar {
            true => (2.0 * q * cos.acos(), 2.0 * q * (1.0 - cos * cos).sqrt()),
            false => (
                2.0 * std::f64::consts::PI * q * q * (1.0 - cos),
                std::f64::consts::PI * q * q * (1.0 - cos * cos),
            ),
        };
        sums[0] += cap * a * a * dq;
        sums[1] += cap * a * a * a * dq;
        sums[2] += flat * a * dq;
        sums[3] += flat * a * a * dq;
    }
    sums
}

/// The same four sums over the points of a cubic (square) lattice one layer or more below the particle.
fn missing_layers(support: f64, planar: bool) -> [f64; 4] {
    let mut sums = [0.0; 4];
    let (reach, deep) = (support.ceil() as i32, if planar { 0 } else { support.ceil() as i32 });
    for y in 1..=reach {
        for x in -reach..=reach {
            for z in -deep..=deep {
                let r = ((x * x + y * y + z * z) as f64).sqrt();
                let a = (1.0 - r / support).max(0.0);
                let cos = y as f64 / r;
                for (sum, term) in sums.iter_mut().zip([a * a, a * a * a, a * cos, a * a * cos]) {
                    *sum += term;
                }
            }
        }
    }
    sums
}
