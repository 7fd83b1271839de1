//! From quantities in SI units to the numbers of the default method.
//!
//! | symbol | meaning |
//! |---|---|
//! | s, h, q | spacing, interaction radius, distance over h |
//! | ρ, ρ0 | Σ (1−q)³ over the neighbours, and its value at rest |
//! | C | ρ/ρ0 − 1 |
//! | ε | how much faster than the number of particles a volume ρ grows: dρ/ρ = ε dn/n |
//! | K, c | bulk modulus [Pa] and speed of sound, K = ρ_m c² |
//! | V2 | Σ q²(1−q) |
//!
//! All sums are over a regular packing with one particle a volume s³ (s² in the plane).

use super::coefficients::Load;
use crate::scene::Liquid;
use serde::{Deserialize, Serialize};

/// Density sums of a settled liquid, irregular as it is, over those of the closest packing with as many particles a volume.
/// Cubic packings have 1.003 and 1.004 times as much in space, a square one 1.007 times in the plane.
const LOOSE: f64 = 1.002;

/// Largest c·dt/h. The fastest oscillation of a lattice has ω = 2.2 c/h, a little more where it is squeezed, and √(1 + MEMORY)
/// of it with memory; a force at [`LOOK_AHEAD`] is stable while (ω dt)² < 4/(1 + 2 LOOK_AHEAD).
pub const STABLE_SOUND: f32 = 0.6;

/// Share of a step by which pressures look ahead: sound waves lose ω² dt²/2 of it in amplitude with each step, the more the
/// shorter they are; gravity waves, slow and long, lose nothing to speak of.
pub const LOOK_AHEAD: f32 = 0.25;

/// Stiffness that is there for sudden changes of density only, over the lasting one. It takes the ringing out of a
/// pool that has been filled or hit: a wave whose period is 2π times the time of forgetting loses a quarter of this share of
/// its amplitude with every radian.
pub const MEMORY: f32 = 0.3;

/// Least kinematic viscosity, over c·s: what it takes to bring particles to rest that jostle each other.
pub const STILL: f32 = 0.005;

/// Speeds of sound to the fastest motion: a splash then compresses by some 1/IMPACT², for an instant.
const IMPACT: f32 = 2.0;

/// Sums over a regular packing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// ρ0.
    pub rest: f32,
    /// ε.
    pub response: f32,
    /// V2 ⟨x²y²⟩, with ⟨x²y²⟩ = 1/15 in space and 1/8 in the plane.
    pub shear: f32,
}

impl Packing {
    /// The sums for an interaction radius of `support` spacings.
    pub fn of(support: f32, planar: bool) -> Self {
        let (mut rho, mut slope, mut v2) = (0.0, 0.0, 0.0);
        for q in distances(planar).map(|r| r / support as f64).filter(|q| *q > 0.0 && *q < 1.0) {
            let a = 1.0 - q;
            rho += a * a * a;
            slope += 3.0 * q * a * a;
            v2 += q * q * a;
        }
        let (dimension, turns) = if planar { (2.0, 1.0 / 8.0) } else { (3.0, 1.0 / 15.0) };
        Self {
            rest: (LOOSE * rho) as f32,
            response: (slope / (dimension * rho)) as f32,
            shear: (v2 * turns) as f32,
        }
    }
}

/// Distances of the points of the closest packing with one point a unit volume (area) from one of them.
fn distances(planar: bool) -> impl Iterator<Item = f64> {
    const REACH: i32 = 8;
    let row = || -REACH..=REACH;
    let layers = if planar { 0..=0 } else { row() };
    layers.flat_map(move |k| row().flat_map(move |j| row().map(move |i| [i, j, k]))).filter_map(move |[i, j, k]| {
        if planar {
            // Hexagonal: area of a cell √3/2 a².
            let a = (2.0 / 3f64.sqrt()).sqrt();
            return Some(a * (i as f64 + 0.5 * j as f64).hypot(0.75f64.sqrt() * j as f64));
        }
        // Face-centred cubic: points of the cubic lattice of side a/2 with an even sum, four a cube a³.
        ((i + j + k) % 2 == 0).then(|| 0.5 * 4f64.cbrt() * ((i * i + j * j + k * k) as f64).sqrt())
    })
}

/// The speed of sound that a liquid needs under a load [m/s]: enough that its depth and its impacts compress it by no
/// more than asked.
pub fn sound_speed(liquid: &Liquid, load: Load) -> f32 {
    match liquid.stiffness {
        Some(modulus) => (modulus / liquid.density).sqrt(),
        None => (load.head / liquid.compression).sqrt().max(IMPACT * load.speed),
    }
}

/// The method's numbers for one liquid in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Interaction radius [m].
    pub h: f32,
    /// Volume of a particle [m³]; in the plane, its area.
    pub volume: f32,
    /// Density ρ_m [kg/m³].
    pub density: f32,
    /// ρ0.
    pub rest: f32,
    /// Pressure gradient of a C of 1, 3K/(ε² ρ0 h) [Pa/m].
    pub push: f32,
    /// Share of the difference between C and what a particle is used to that a step forgets.
    pub forgets: f32,
    /// Linear viscosity σ [1/s].
    pub sigma: f32,
    /// Quadratic viscosity β [1/m].
    pub beta: f32,
}

impl Material {
    /// The strain C of a density sum.
    #[inline(always)]
    pub fn strain(&self, rho: f32) -> f32 {
        let x = rho / self.rest;
        2.0 * (x - 1.0) / (x + 1.0)
    }

    /// π of a density sum and the strain that a particle is used to [Pa/m].
    #[inline(always)]
    pub fn pressure(&self, rho: f32, used_to: f32) -> f32 {
        let x = rho / self.rest;
        let strain = self.strain(rho);
        let slope = 2.0 / (x + 1.0);
        self.push * slope * slope * (strain.max(0.0) + memory() * (strain - used_to)).max(0.0)
    }

    /// The numbers of a liquid with speed of sound `c` for a step of `dt`.
    pub fn new(liquid: &Liquid, packing: &Packing, load: Load, c: f32, dt: f32, planar: bool) -> Self {
        let h = liquid.support * liquid.spacing;
        let modulus = liquid.density * c * c;
        // A pool of depth D, whose mean load is gD/2, rings with ω = πc/2D; small things with their own size.
        let depth = (2.0 * load.head / load.gravity.max(1e-6)).max(2.0 * h);
        let time = 2.0 * depth / (std::f32::consts::PI * c);
        Self {
            h,
            volume: liquid.spacing.powi(if planar { 2 } else { 3 }),
            density: liquid.density,
            rest: packing.rest,
            push: 3.0 * modulus / (packing.response * packing.response * packing.rest * h),
            forgets: (dt / time).min(1.0),
            sigma: (liquid.viscosity.linear / liquid.density + still() * c * liquid.spacing)
                / (0.5 * packing.shear * h * h),
            beta: liquid.viscosity.quadratic / h,
        }
    }
}

fn env(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}
pub fn stable_sound() -> f32 {
    static V: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *V.get_or_init(|| env("SS", 0.5))
}
pub fn look_ahead() -> f32 {
    static V: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *V.get_or_init(|| env("LA", 0.25))
}
pub fn memory() -> f32 {
    static V: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *V.get_or_init(|| env("ME", 0.3))
}
pub fn still() -> f32 {
    static V: std::sync::OnceLock<f32> = std::sync::OnceLock::new();
    *V.get_or_init(|| env("ST", 0.005))
}
