//! How liquids want a frame to be cut into steps.

use super::coefficients::Coefficients;
use super::load::Load;
use super::material::{Material, Packing, STABLE_SOUND, sound_speed};
use super::sph::{self, incompressible};
use super::viscosity::EXPLICIT;
use crate::power::Power;
use crate::scene::{self, LiquidModel};

/// What liquids go by during a frame.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What each liquid must withstand.
    pub loads: Vec<Load>,
    /// Steps of the frame, and of them, those that are done.
    pub steps: u32,
    /// Steps that are done.
    pub done: u32,
    /// Viscosity acts once in so many steps, for as many at a time.
    pub viscous_every: u32,
}

impl Plan {
    /// Time that viscosity acts for in the next step of `dt` [s]: 0 in some, more than `dt` in others.
    pub fn viscous_dt(&self, dt: f32) -> f32 {
        match self.done % self.viscous_every {
            0 => dt * self.viscous_every.min(self.steps - self.done) as f32,
            _ => 0.0,
        }
    }
}

/// Most steps that viscosity takes at once.
pub const MOST_VISCOUS: u32 = 4;
/// Longest step over √(ρs³/γ).
const CAPILLARY: f32 = 0.2;
/// Shortest crossing of h by the fastest particle, in steps: beyond it neighbours are passed unseen.
const CROSSING: f32 = 0.4;
/// The same for what is alone in the air: few meet it.
const CROSSING_ALONE: f32 = 0.6;
/// Largest dt² k_spring for which springs are as stiff as asked (see `springs.rs`: their displacement is limited).
const STIFFEST_SPRING: f32 = 0.2;

/// Steps that a liquid needs for a frame of `frame_dt`.
pub fn wanted_steps(liquid: &scene::Liquid, packing: &Packing, load: Load, frame_dt: f32) -> u32 {
    if let Some(thesis) = liquid.thesis {
        return thesis.substeps;
    }
    let h = packing.support * liquid.spacing;
    let c = Coefficients::new(liquid, packing);
    let springs = (STIFFEST_SPRING / c.k_spring).sqrt();
    if liquid.model == LiquidModel::Sph {
        let dt = sph::longest_step(liquid, load, sound_speed(liquid, load), packing.planar);
        return (frame_dt / dt.min(springs)).ceil().max(1.0) as u32;
    }
    let is_sounding = liquid.model == LiquidModel::Viscoelastic;
    let (sound, crossing) = match is_sounding {
        true => (STABLE_SOUND * h / sound_speed(liquid, load), [CROSSING, CROSSING_ALONE]),
        false => (
            incompressible::FALLING * (h / load.gravity).sqrt(),
            [incompressible::CROSSING, incompressible::CROSSING_ALONE],
        ),
    };
    let crossing = (crossing[0] * h / load.impact).min(crossing[1] * h / load.speed);
    // The shortest ripple that particles carry must not turn in a step.
    let ripple = CAPILLARY * (liquid.density * liquid.spacing.power(3) / liquid.tension()).sqrt();
    let dt = sound.min(crossing).min(springs).min(ripple);
    (frame_dt / dt).ceil().max(1.0) as u32
}

/// Steps that viscosity may take at once: what it does in them must stay small, and two particles that meet head-on at full
/// speed must be met at least once while they cross each other's neighbourhood of 2h: 2 × speed × time ≤ 2h × 0.75. Depth asks
/// for short steps; viscosity mostly does not.
pub fn viscous_every(liquid: &scene::Liquid, packing: &Packing, load: Load, dt: f32) -> u32 {
    const PASSING: f32 = 0.75;
    if liquid.thesis.is_some() || liquid.model != LiquidModel::Viscoelastic {
        return 1;
    }
    let h = packing.support * liquid.spacing;
    let sigma = Material::new(liquid, packing, load, sound_speed(liquid, load), dt, false, 0.0).sigma;
    let thin = 0.75 * EXPLICIT / (sigma * dt);
    let passing = PASSING * h / (load.speed * dt);
    thin.min(passing).clamp(1.0, MOST_VISCOUS as f32) as u32
}
