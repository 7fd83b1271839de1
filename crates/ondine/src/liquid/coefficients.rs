//! From materials in SI units to the method's own numbers.
//!
//! Source: thesis 000 chapters 4 and 5, which leave k, k_near, ρ0, σ, β, k_spring, α, γ to the user's taste, for one
//! spacing. Here they follow from quantities with units, by the sums that a regular packing of the same number of
//! particles a volume gives:
//!
//! | symbol | meaning |
//! |---|---|
//! | s, h, q | spacing, interaction radius, distance over h |
//! | ρ, ρ_near | Σ (1−q)², Σ (1−q)³ over the neighbours in the packing |
//! | S1, S2 | Σ q(1−q), Σ q(1−q)² |
//! | V2 | Σ q²(1−q) |
//! | d | dimension |
//!
//! **Pressure.** The displacements of Algorithm 3 are those of pair forces; their virial is the pressure
//! p/ρ_m = (h/d) [k(ρ−ρ0) S1 + k_near ρ_near S2]. It must vanish at rest, which fixes
//! ρ0 = ρ + κ ρ_near S2/S1 with κ = k_near/k; its slope is the square of the speed of sound, c² = C k h, with C found by
//! squeezing the packing a little. A bulk modulus is ρ_m c².
//!
//! **Viscosity.** In a shear flow, Algorithm 4's impulses between approaching and receding pairs carry the momentum of a
//! kinematic viscosity ν = σ h² V2 ⟨x²y²⟩/2, with ⟨x²y²⟩ = 1/15 in space and 1/8 in the plane.
//!
//! **Elasticity.** Likewise springs at rest have the shear modulus G = ρ_m k_spring h² V2 ⟨x²y²⟩/2.
//!
//! **Surface tension.** The method's own tension is γ_full = T ρ_m k h², with T measured: it grows with the stiffness that
//! incompressibility needs. To have the tension asked for, a particle whose density is below that at rest, as at a
//! surface, has both its pressures multiplied by `cohesion` = γ/γ_full ≤ 1. With `cohesion` 1 this is the thesis.

use crate::scene::{Liquid, Relaxation};
use serde::{Deserialize, Serialize};

/// Ratio κ of near stiffness to stiffness. Near repulsion makes particles even, but also makes them jam: with 2, as in the
/// thesis's small examples, a dam break loses a quarter more of its energy in its first second than an incompressible
/// liquid does; with 0.3 it loses no more, and nearest neighbours are still even to 10 %.
const NEAR_RATIO: f32 = 0.3;

/// Density sums of a settled liquid, irregular as it is, over those of the closest packing with as many particles a
/// volume. Measured on still pools: with 1, they stand some 3 % too high.
const LOOSE_SPACE: f64 = 1.034;
/// The same in the plane, where settled liquid is nearly a hexagonal lattice.
const LOOSE_PLANE: f64 = 1.022;

/// Surface tension of the method as a share of ρ_m k h², measured on oscillating drops: good to some 30 %.
const TENSION_SPACE: f32 = 0.2;
/// The same in the plane.
const TENSION_PLANE: f32 = 0.07;

/// Largest c·dt/h: to 0.9, pools hold their density; at 1, [`restraint`](super::density) begins to soften them.
pub const STABLE_SOUND: f32 = 0.88;

/// Largest c·dt/h for particles that attract. At a support of 2, 0.6 is stable and 0.8 explodes; the more neighbours attract
/// at once, the less will do: drops of a few dozen particles boil from 0.5 on at a support of 2.5, from 0.42 on at 2.8.
pub fn stable_tension(support: f32) -> f32 {
    (1.05 / support).min(0.5)
}

/// The method's parameters for one liquid, in metres and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Interaction radius [m].
    pub h: f32,
    /// Stiffness of density [m/s²].
    pub k: f32,
    /// Stiffness of near density [m/s²].
    pub k_near: f32,
    /// Rest value of the density sum.
    pub rho0: f32,
    /// Value of the density sum in the bulk at rest: below ρ0, because near repulsion spreads particles.
    pub rho_bulk: f32,
    /// What a particle below `rho_bulk` multiplies its pressures with.
    pub cohesion: f32,
    /// 1−q at the distance of one spacing; 0 where the source's attraction rules even in spray.
    pub rest_kernel: f32,
    /// Linear viscosity [1/s].
    pub sigma: f32,
    /// Quadratic viscosity [1/m].
    pub beta: f32,
    /// 1 where linear viscosity also holds receding pairs together, 0 where it does not.
    pub receding: f32,
    /// Spring stiffness [1/s²].
    pub k_spring: f32,
    /// Plasticity [1/s].
    pub alpha: f32,
    /// Yield ratio.
    pub gamma: f32,
}

/// What a liquid must withstand: the engine's choice of stiffness follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Mean over the depth of gravity × depth, half of what it is at the bottom [m²/s²].
    pub head: f32,
    /// Fastest motion [m/s].
    pub speed: f32,
    /// Pressure of its own weight at its bottom [Pa].
    pub weight: f32,
    /// How far down its centre is, along gravity [m].
    pub centre: f32,
}

/// Adds to each liquid's load the weight of the liquids above it.
pub fn stack(loads: &mut [Load], liquids: &[Liquid]) {
    let alone = loads.to_vec();
    for (load, liquid) in loads.iter_mut().zip(liquids) {
        let above = alone.iter().filter(|other| other.centre < load.centre).map(|other| other.weight);
        load.head += above.sum::<f32>() / liquid.density;
    }
}

impl Coefficients {
    /// The coefficients of a liquid under a load, for steps of `dt`: as stiff as the load demands and the step allows.
    pub fn new(liquid: &Liquid, bulk: &Bulk, load: Load, dt: f32) -> Self {
        if let Some(t) = liquid.thesis {
            return Self {
                h: t.h,
                k: t.k,
                k_near: if liquid.relaxation == Relaxation::Single { 0.0 } else { t.k_near },
                rho0: t.rho0,
                rho_bulk: 0.0,
                cohesion: 1.0,
                rest_kernel: 0.0,
                sigma: t.sigma,
                beta: t.beta,
                receding: 0.0,
                k_spring: t.k_spring,
                alpha: t.alpha,
                gamma: t.gamma,
            };
        }
        let h = liquid.support * liquid.spacing;
        let c = sound_speed(liquid, bulk, load).min(STABLE_SOUND * h / dt);
        let k = c * c / (bulk.sound * h);
        let tension = liquid.surface_tension / (bulk.tension * liquid.density * k * h * h);
        Self {
            h,
            k,
            k_near: bulk.kappa * k,
            rho0: bulk.rho0,
            rho_bulk: bulk.rho,
            cohesion: tension.min((stable_tension(liquid.support) * h / (c * dt)).powi(2)).min(1.0),
            rest_kernel: 1.0 - 1.0 / liquid.support,
            sigma: liquid.viscosity.linear / (liquid.density * bulk.shear * h * h / 2.0),
            beta: liquid.viscosity.quadratic / h,
            receding: 1.0,
            k_spring: liquid.springs.stiffness / (liquid.density * bulk.shear * h * h / 2.0),
            alpha: liquid.springs.plasticity,
            gamma: liquid.springs.yield_ratio,
        }
    }
}

#[cfg(test)]
impl Coefficients {
    /// The thesis's coefficients, all 0 but h: for tests of one law at a time.
    pub fn inert(h: f32) -> Self {
        let thesis = crate::scene::Thesis { h, k: 0.0, k_near: 0.0, rho0: 0.0, ..Default::default() };
        let liquid = Liquid { thesis: Some(thesis), ..Liquid::default() };
        Self::new(&liquid, &Bulk::of(2.0, false, Relaxation::Double), Load::default(), 1.0)
    }
}

/// The speed of sound that a liquid needs under a load [m/s]: enough that its depth and its impacts compress it by no
/// more than asked, and that its surface tension is within reach.
pub fn sound_speed(liquid: &Liquid, bulk: &Bulk, load: Load) -> f32 {
    let tension = tension_speed(liquid, bulk);
    match liquid.stiffness {
        Some(modulus) => (modulus / liquid.density).sqrt().max(tension),
        None => (load.head / liquid.compression).sqrt().max(IMPACT * load.speed).max(tension),
    }
}

/// The speed of sound at which the method's own surface tension is the liquid's [m/s].
pub fn tension_speed(liquid: &Liquid, bulk: &Bulk) -> f32 {
    let h = liquid.support * liquid.spacing;
    (liquid.surface_tension / (bulk.tension * liquid.density * h) * bulk.sound).sqrt()
}

/// Speeds of sound to the fastest motion: a splash then compresses by some 1/IMPACT², for an instant.
const IMPACT: f32 = 2.0;

/// Sums over a regular packing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bulk {
    /// Σ (1−q)².
    pub rho: f32,
    /// Rest value that balances near repulsion.
    pub rho0: f32,
    /// k_near/k.
    pub kappa: f32,
    /// C of c² = C k h.
    pub sound: f32,
    /// V2 ⟨x²y²⟩.
    pub shear: f32,
    /// T of γ_full = T ρ_m k h².
    pub tension: f32,
}

impl Bulk {
    /// The sums for an interaction radius of `support` spacings.
    pub fn of(support: f32, planar: bool, relaxation: Relaxation) -> Self {
        let kappa = if relaxation == Relaxation::Single { 0.0 } else { NEAR_RATIO as f64 };
        let d = if planar { 2.0 } else { 3.0 };
        let rest = Sums::of(support as f64, planar);
        let rho0 = rest.rho + kappa * rest.rho_near * rest.s2 / rest.s1;
        // Pressure over h k (mass density at rest), with the number of particles a volume n at rest 1.
        let pressure = |n: f64| {
            let s = Sums::of(support as f64 * n.powf(1.0 / d), planar);
            n / d * ((s.rho - rho0) * s.s1 + kappa * s.rho_near * s.s2)
        };
        let e = 0.02;
        Self {
            rho: rest.rho as f32,
            rho0: rho0 as f32,
            kappa: kappa as f32,
            sound: ((pressure(1.0 + e) - pressure(1.0 - e)) / (2.0 * e)) as f32,
            tension: if planar { TENSION_PLANE } else { TENSION_SPACE },
            shear: (rest.v2 * if planar { 1.0 / 8.0 } else { 1.0 / 15.0 }) as f32,
        }
    }
}

struct Sums {
    rho: f64,
    rho_near: f64,
    s1: f64,
    s2: f64,
    v2: f64,
}

impl Sums {
    /// Over the closest packing with one particle a unit volume (area), for the interaction radius `h`.
    fn of(h: f64, planar: bool) -> Self {
        let mut sums = Self { rho: 0.0, rho_near: 0.0, s1: 0.0, s2: 0.0, v2: 0.0 };
        let mut add = |r: f64| {
            let q = r / h;
            if r > 0.0 && q < 1.0 {
                let a = 1.0 - q;
                sums.rho += a * a;
                sums.rho_near += a * a * a;
                sums.s1 += q * a;
                sums.s2 += q * a * a;
                sums.v2 += q * q * a;
            }
        };
        let reach = 8i32;
        for i in -reach..=reach {
            for j in -reach..=reach {
                if planar {
                    // Hexagonal: area of a cell √3/2 a².
                    let a = (2.0 / 3f64.sqrt()).sqrt();
                    let (x, y) = (i as f64 + 0.5 * j as f64, 0.75f64.sqrt() * j as f64);
                    add(a * x.hypot(y));
                    continue;
                }
                for k in -reach..=reach {
                    // Face-centred cubic: points of the cubic lattice of side a/2 with an even sum, four a cube a³.
                    if (i + j + k) % 2 == 0 {
                        let half = 0.5 * 4f64.cbrt();
                        add(half * ((i * i + j * j + k * k) as f64).sqrt());
                    }
                }
            }
        }
        let loose = if planar { LOOSE_PLANE } else { LOOSE_SPACE };
        (sums.rho, sums.rho_near) = (sums.rho * loose, sums.rho_near * loose);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Preset;

    /// The worked example of `docs/materials.md`: water 0.02 m apart, half a metre deep.
    #[test]
    fn the_worked_example_holds() {
        let water = Preset::Water.liquid();
        let bulk = Bulk::of(water.support, false, water.relaxation);
        let load = Load { head: 0.5 * 9.81 * 0.5, speed: 3.0, ..Load::default() };
        let c = Coefficients::new(&water, &bulk, load, 1.0 / 30.0 / 11.0);
        let close = |a: f32, b: f32| assert!((a / b - 1.0).abs() < 1e-3, "{a} is not {b}");
        close(bulk.rho, 2.672);
        close(bulk.rho0, 2.782);
        close(bulk.sound, 4.935);
        close(bulk.shear, 0.2048);
        close(sound_speed(&water, &bulk, load), 11.073);
        close(c.h, 0.04);
        close(c.k, 621.2);
        close(c.k_near, 186.4);
        close(c.cohesion, 3.622e-4);
        close(c.sigma, 6.105e-3);
        close(c.beta, 25.0);
    }
}
