//! The source method's own numbers (thesis 000 chapters 4 and 5), and those that springs and viscosity have of a material.

use super::material::Packing;
use crate::scene::{Liquid, Relaxation};

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
    /// Linear viscosity [1/s].
    pub sigma: f32,
    /// Quadratic viscosity [1/m].
    pub beta: f32,
    /// Spring stiffness [1/s²].
    pub k_spring: f32,
    /// Plasticity [1/s].
    pub alpha: f32,
    /// Yield ratio.
    pub gamma: f32,
}

impl Coefficients {
    /// The coefficients of a liquid: the source's as they are given, else those that follow from its material, by the sums of
    /// a regular packing. In a shear flow, Algorithm 4's impulses between approaching and receding pairs carry the momentum
    /// of a kinematic viscosity ν = σ h² V2 ⟨x²y²⟩/2; springs at rest have the shear modulus G = ρ_m k_spring h² V2 ⟨x²y²⟩/2.
    pub fn new(liquid: &Liquid, packing: &Packing) -> Self {
        if let Some(t) = liquid.thesis {
            return Self {
                h: t.h,
                k: t.k,
                k_near: if liquid.relaxation == Relaxation::Single { 0.0 } else { t.k_near },
                rho0: t.rho0,
                sigma: t.sigma,
                beta: t.beta,
                k_spring: t.k_spring,
                alpha: t.alpha,
                gamma: t.gamma,
            };
        }
        let h = packing.support * liquid.spacing;
        let shear = liquid.density * packing.bonds * h * h / 2.0;
        Self {
            h,
            k: 0.0,
            k_near: 0.0,
            rho0: packing.rest,
            sigma: liquid.viscosity.linear / shear,
            beta: liquid.viscosity.quadratic / h,
            k_spring: liquid.springs.stiffness / shear,
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
        Self::new(&liquid, &Packing::of(2.0, false))
    }
}
