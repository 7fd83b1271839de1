//! Smoothed particle hydrodynamics (text 002): the source's own model, and one that is incompressible.
//!
//! Source: text 002, "SPH", after Müller, Charypar and Gross (2003). In each step, from places and velocities,
//!
//! ρ_i = Σ_j m W(r),   f_ij = m/ρ_j ((p_i + p_j)/2 |∇W| r̂ − μ v_ij ∇²W),   p = K(ρ − ρ0),
//! a_i = Σ_j f_ij/ρ_i + g,   v += dt a,   x += dt v,
//!
//! each sum with a kernel of its own (`kernel.rs`); in the plane with the numbers that the source prints, in space with those of the 2003
//! paper. The source says f_ij = −f_ji, which holds only where densities are equal; f_ij/ρ_i, which is integrated, is antisymmetric.
//!
//! | symbol | meaning |
//! |---|---|
//! | h, q | interaction radius [m], distance over it |
//! | m, ρ0 | mass of a particle [kg], density at rest [kg/m³] |
//! | K | stiffness [m²/s²]; of the two halves of a uniform pressure one cancels, so that sound runs at √(K/2) and the pressure that holds a weight is K(ρ − ρ0)/2 |
//! | μ | viscosity [Pa·s] |
//!
//! Where it differs: walls are mirrors unless a scene asks for the source's, which only bounce (`../mirrors.rs`): images count in densities
//! and push, but never pull. Neighbours come from lists, not from a look at each. Steps and what a scene does not give are chosen
//! (`../plan.rs`, [`Fluid::new`]).
//! Where ρ is below ρ0 the source's pressure is negative, and K, which must be large, then draws whatever is at a surface together with
//! much more than its weight: it boils. So pressure is 0 there, unless a scene asks for the source's (`suction`).
//! Limits: surface tension is no part of this model. The kernels of density and pressure are not one: energy is kept by viscosity, not by the law.

pub mod forces;
pub mod incompressible;
pub mod kernel;
pub mod rates;

use super::load::Load;
use super::material::Material;
use crate::power::Power;
use crate::scene::{Liquid, LiquidModel};

/// Longest step over h/(c + v), c the speed of sound and v that of the flow.
pub const COURANT: f32 = 0.4;
/// Longest step over ρ h²/μ.
pub const VISCOUS: f32 = 0.06;
/// Longest step over √(h/a), a the acceleration.
pub const ACCELERATED: f32 = 0.25;

/// Least kinematic viscosity where none is given, over c h. Poly6 and spiky are not of one energy: without viscosity the shortest motions grow,
/// in the plane up to 0.004. Half of this is Monaghan's artificial viscosity with α = 0.04.
const CALM: f32 = 0.01;

/// The numbers of one liquid of the source's model in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fluid {
    /// K [m²/s²].
    pub k: f32,
    /// μ [Pa·s].
    pub mu: f32,
    /// ρ0 [kg/m³].
    pub rho0: f32,
    /// m [kg]; in the plane, of a slice one metre thick.
    pub m: f32,
    /// Density of a sum of weights of 1 [kg/m³].
    pub unit: f32,
    /// Least pressure [Pa].
    pub least: f32,
}

impl Fluid {
    /// The numbers of a liquid whose sound runs at `c` [m/s], if it is one of these.
    pub fn new(liquid: &Liquid, c: f32, planar: bool) -> Option<Self> {
        if liquid.model != LiquidModel::Sph {
            return None;
        }
        let least = || least_viscosity(liquid, liquid.reach(planar), c);
        Some(Self {
            k: liquid.sph.k.unwrap_or(2.0 * c * c),
            mu: liquid.sph.mu.unwrap_or_else(|| liquid.viscosity.linear.max(least())),
            rho0: liquid.rest_density(),
            m: liquid.particle_mass(planar) as f32,
            unit: density_unit(liquid, planar),
            least: if liquid.sph.suction { f32::NEG_INFINITY } else { 0.0 },
        })
    }

    /// Pressure of a sum of weights, K(ρ − ρ0) or the least [Pa].
    #[inline(always)]
    pub fn pressure(&self, sum: f32) -> f32 {
        (self.k * (self.unit * sum - self.rho0)).max(self.least)
    }

    /// Puts its numbers in the place of those of the default method, for whatever both share: bodies, grips, lists.
    pub fn put_into(&self, material: &mut Material) {
        let half = 0.5 * self.k;
        let per_nu = material.sigma_of_nu;
        *material = Material {
            volume: self.m / self.rho0,
            density: self.rho0,
            rest: self.rho0 / self.unit,
            bulk: self.rho0 * half,
            per_response: 1.0,
            swollen: 1.0,
            sigma: self.mu / self.rho0 * per_nu,
            own_sigma: self.mu / self.rho0 * per_nu,
            ..*material
        };
    }
}

/// The speed of sound √(K/2) of a liquid of the source's model [m/s]: of the K that is given, else one with which neither its weight nor its
/// speed squeezes it by more than its `compression`. Speeds of √(2gD) are expected of any pool of depth D.
pub fn sound_speed(liquid: &Liquid, load: Load) -> f32 {
    match liquid.sph.k {
        Some(k) => (0.5 * k).sqrt(),
        None => ((2.0 * load.gravity * load.depth).max(load.head).max(load.impact.power(2))
            / liquid.compression)
            .sqrt(),
    }
}

/// The least viscosity of a liquid of the source's model with an interaction radius h whose sound runs at `c` [Pa·s]: none if one is given.
pub fn least_viscosity(liquid: &Liquid, h: f32, c: f32) -> f32 {
    if liquid.sph.mu.is_some() { 0.0 } else { CALM * liquid.rest_density() * c * h }
}

/// Density of a sum of weights of 1 [kg/m³], for a liquid of the source's model.
pub fn density_unit(liquid: &Liquid, planar: bool) -> f32 {
    let (h, dimension) = (liquid.reach(planar), if planar { 2 } else { 3 });
    liquid.particle_mass(planar) as f32 * kernel::poly6(planar) / h.power(dimension)
}

/// Longest step of a liquid of the source's model under a load, with a speed of sound `c` [s].
pub fn longest_step(liquid: &Liquid, load: Load, c: f32, planar: bool) -> f32 {
    let (h, fluid) = (liquid.reach(planar), Fluid::new(liquid, c, planar));
    let courant = COURANT * h / (c + load.impact);
    let viscous = fluid.map_or(f32::INFINITY, |f| VISCOUS * h * h * f.rho0 / f.mu);
    let accelerated = ACCELERATED * (h / load.gravity).sqrt();
    courant.min(viscous).min(accelerated)
}
