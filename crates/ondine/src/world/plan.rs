//! How a frame is cut into steps.

use super::World;
use crate::liquid::coefficients::Coefficients;
use crate::liquid::load::{Load, stack};
use crate::liquid::material::{Material, Packing, STABLE_SOUND, sound_speed};
use crate::liquid::viscosity::EXPLICIT;
use crate::liquid::{Liquid, Phase};
use crate::scene;
use glam::Vec3;

/// How a frame is cut into steps.
pub(super) struct Plan {
    /// Steps.
    pub substeps: u32,
    /// Viscosity acts once in so many steps, for as many at a time.
    pub viscous_every: u32,
    /// What each liquid must withstand.
    pub loads: Vec<Load>,
}

/// One step of a plan.
pub(super) struct Step<'a> {
    /// Its start [s].
    pub time: f64,
    /// Its length [s].
    pub dt: f32,
    /// Time that viscosity acts for in it [s].
    pub viscous_dt: f32,
    /// What each liquid must withstand.
    pub loads: &'a [Load],
    /// Told which part of the step begins.
    pub watch: &'a dyn Fn(Phase),
}

/// Most steps that viscosity takes at once.
const MOST_VISCOUS: u32 = 4;
/// Longest step over √(ρs³/γ).
const CAPILLARY: f32 = 0.2;
/// Longest step of free objects [s]: contacts and joints among them drift in longer ones.
const LONGEST_RIGID: f32 = 1.0 / 120.0;
/// Shortest crossing of h by the fastest particle, in steps: beyond it neighbours are passed unseen.
const CROSSING: f32 = 0.4;
/// The same for what is alone in the air: few meet it.
const CROSSING_ALONE: f32 = 0.6;
/// Largest dt² k_spring for which springs are as stiff as asked (see `springs.rs`: their displacement is limited).
const STIFFEST_SPRING: f32 = 0.2;

/// Steps that a liquid needs for a frame of `frame_dt`.
pub(crate) fn wanted_substeps(liquid: &scene::Liquid, packing: &Packing, load: Load, frame_dt: f32) -> u32 {
    if let Some(thesis) = liquid.thesis {
        return thesis.substeps;
    }
    let h = packing.support * liquid.spacing;
    let c = Coefficients::new(liquid, packing);
    let sound = STABLE_SOUND * h / sound_speed(liquid, load);
    let crossing = (CROSSING * h / load.impact).min(CROSSING_ALONE * h / load.speed);
    let springs = (STIFFEST_SPRING / c.k_spring).sqrt();
    // The shortest ripple that particles carry must not turn in a step.
    let ripple = CAPILLARY * (liquid.density * liquid.spacing.powi(3) / liquid.surface_tension).sqrt();
    let dt = sound.min(crossing).min(springs).min(ripple);
    (frame_dt / dt).ceil().max(1.0) as u32
}

/// Steps that viscosity may take at once: what it does in them must stay small, and two particles that meet head-on at full
/// speed must be met at least once while they cross each other's neighbourhood of 2h: 2 × speed × time ≤ 2h × 0.75. Depth asks
/// for short steps; viscosity mostly does not.
fn viscous_every(liquid: &scene::Liquid, packing: &Packing, load: Load, dt: f32) -> u32 {
    const PASSING: f32 = 0.75;
    if liquid.thesis.is_some() {
        return 1;
    }
    let h = packing.support * liquid.spacing;
    let sigma = Material::new(liquid, packing, load, sound_speed(liquid, load), dt, false, 0.0).sigma;
    let thin = 0.75 * EXPLICIT / (sigma * dt);
    let passing = PASSING * h / (load.speed * dt);
    thin.min(passing).clamp(1.0, MOST_VISCOUS as f32) as u32
}

impl World {
    /// Steps for the next frame, and what each liquid must withstand during it.
    pub(super) fn plan(&self) -> Plan {
        let frame_dt = 1.0 / self.scene.fps;
        let gravity = Vec3::from(self.scene.gravity);
        let load = |(liquid, scene): (&Liquid, _)| liquid.load(scene, gravity, frame_dt);
        let mut loads: Vec<Load> = self.liquids.iter().zip(&self.scene.liquid).map(load).collect();
        // Liquid takes on the speed of what hits it.
        let fall = gravity.length() * frame_dt;
        let fastest = self.bodies.fastest(&self.scene, fall);
        for load in &mut loads {
            (load.speed, load.impact) = (load.speed.max(fastest), load.impact.max(fastest));
        }
        stack(&mut loads, &self.scene.liquid);
        let all = || self.liquids.iter().zip(&self.scene.liquid).zip(&loads);
        let wanted = all().map(|((l, scene), load)| wanted_substeps(scene, l.packing(), *load, frame_dt));
        let rigid = if self.bodies.any_free() { (frame_dt / LONGEST_RIGID).ceil() as u32 } else { 1 };
        let substeps = wanted.max().unwrap_or(1).max(rigid).min(self.scene.max_substeps);
        let dt = frame_dt / substeps as f32;
        // What liquid and free objects share changes velocities after viscosity has seen them: in bursts it would shake both for ever.
        let most = if self.bodies.any_free() { 1 } else { MOST_VISCOUS };
        let every = all().map(|((l, scene), load)| viscous_every(scene, l.packing(), *load, dt));
        Plan { substeps, viscous_every: every.fold(most, u32::min), loads }
    }
}
