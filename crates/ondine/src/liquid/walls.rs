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
//! Limits: a wall counts as flat across h.

use serde::{Deserialize, Serialize};

const STEPS: usize = 32;

/// What a wall adds, by distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallTable {
    per_h: f32,
    /// One row a step, and one beyond the last.
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
        let at_contact = integrals(0.5 / support as f64, planar);
        let missing = missing_layers(support as f64, planar);
        let scale: [f64; 4] = std::array::from_fn(|i| missing[i] / at_contact[i]);
        let row = |row: usize| {
            let v = integrals(row.min(STEPS) as f64 / STEPS as f64, planar);
            [v[0] * scale[0], v[1] * scale[1], 2.0 * v[2] * scale[2], 2.0 * v[3] * scale[3]].map(|x| x as f32)
        };
        Self { per_h: STEPS as f32 / h, rows: (0..STEPS + 2).map(row).collect() }
    }

    /// Where it ends [m].
    pub fn reach(&self) -> f32 {
        STEPS as f32 / self.per_h
    }

    /// The sums at a distance [m] from the wall; distances below 0 count as 0.
    #[inline(always)]
    pub fn at(&self, distance: f32) -> WallSums {
        let t = (distance * self.per_h).clamp(0.0, STEPS as f32);
        let row = t as usize;
        let u = t - row as f32;
        let [a, b] = [self.rows[row], self.rows[row + 1]];
        let [rho, rho_near, push, push_near] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * u);
        WallSums { rho, rho_near, push, push_near }
    }
}

/// ∫(1−q)², ∫(1−q)³, ∫(1−q)cosθ, ∫(1−q)²cosθ over the part of the unit ball (disc) beyond a plane at distance u.
fn integrals(u: f64, planar: bool) -> [f64; 4] {
    const N: usize = 2000;
    let dq = (1.0 - u) / N as f64;
    let mut sums = [0.0; 4];
    for i in 0..N {
        let q = u + (i as f64 + 0.5) * dq;
        let a = 1.0 - q;
        // Measure of the part of the sphere (circle) of radius q beyond the plane, and of its projection on the plane.
        let (cap, flat) = match planar {
            true => (2.0 * q * (u / q).min(1.0).acos(), 2.0 * (q * q - u * u).max(0.0).sqrt()),
            false => (2.0 * std::f64::consts::PI * q * (q - u), std::f64::consts::PI * (q * q - u * u)),
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
