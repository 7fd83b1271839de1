//! Whether a liquid is well, and whether it rests.

use super::Liquid;
use super::load::Load;
use super::material::sound_speed;
use crate::health::{SQUEEZED_SOUND, is_beyond};
use crate::objects::{Bodies, Collider};
use crate::power::Power;
use crate::scene::{self, LiquidModel, Motion};
use crate::step::Step;
use crate::system::{Ailment, Mark};
use glam::Vec3;

/// What to do about objects that close on liquid.
const LEAVE_ROOM: &str = "stop what moves before it closes, let the liquid out, or drain it";
/// Density over that at rest from which a liquid is squeezed.
const SQUEEZED: f32 = 1.2;
/// Particles between objects that close, from which a run is stopped: fewer are told as leaks.
const PINCHED: usize = 10;
/// Speeds of a liquid at rest over √(2gD), D its depth: the root of the mean square, and the fastest. A third of what can be seen.
const SLOW: [f64; 2] = [3e-4, 3e-3];
/// Way that the centre of a liquid at rest may take, over its spacing. Still pools wander by 0.0003 at most; honey that has spread for a
/// minute still sinks by 0.0015 (Huppert).
const STAYS: f64 = 5e-4;

/// A speed that nothing healthy reaches within a frame [m/s].
pub fn runaway(liquid: &scene::Liquid, load: Load) -> f32 {
    100.0 + 20.0 * load.speed.max(sound_speed(liquid, load))
}

/// Speed that comes of a liquid's own forces: springs at their stiffness, surface tension of a particle, adhesion, what is squeezed; of the
/// sources' own methods, whose numbers are free, as much as crosses its radius in a step of `dt` [m/s].
pub fn inner_speed(liquid: &scene::Liquid, planar: bool, bodies: &Bodies, load: Load, dt: f32) -> f32 {
    if let Some(thesis) = liquid.thesis {
        return thesis.h / dt;
    }
    if liquid.model == LiquidModel::Sph && liquid.sph.suction {
        return liquid.reach(planar) / dt;
    }
    let sound = match liquid.stiffness {
        _ if liquid.model == LiquidModel::Sph => sound_speed(liquid, load).power(2),
        Some(modulus) => modulus / liquid.density,
        None => (load.head + load.cohesion) / liquid.compression,
    };
    let springs = liquid.springs.stiffness / liquid.density;
    let tension = liquid.tension() / (liquid.density * liquid.spacing);
    let pulls = bodies.objects().filter_map(|o| o.adhesion.get(&liquid.name));
    let pull = pulls.map(|a| 2.0 * a.pull * a.range.unwrap_or(0.5 * liquid.spacing)).fold(0.0, f32::max);
    SQUEEZED_SOUND * sound.sqrt() + springs.sqrt() + tension.sqrt() + pull.sqrt()
}

/// Whether a liquid comes to rest at all: not by the source's own method, nor where it vanishes.
pub fn may_rest(liquid: &scene::Liquid) -> bool {
    liquid.thesis.is_none() && liquid.lifetime.is_none()
}

/// Whether a liquid that has to withstand so much is slow.
pub fn is_slow(liquid: &Liquid, load: &Load) -> bool {
    let (mean_square, fastest) = liquid.squared_speeds();
    let fall = 2.0 * (load.gravity * load.depth) as f64;
    mean_square <= SLOW[0] * SLOW[0] * fall && fastest <= SLOW[1] * SLOW[1] * fall
}

impl Liquid {
    /// What stays where it is when the liquid rests.
    pub(super) fn mark(&self) -> Mark {
        Mark { at: self.centre(), stray: STAYS * self.description.spacing as f64 }
    }

    /// What is wrong with it, if something is no number or faster than a limit [m/s]; else of the fastest particle.
    pub(super) fn ailment(&self, limit: f32, step: &Step) -> Ailment {
        let speeds: Vec<f32> = self.particles.velocity.iter().map(Vec3::length).collect();
        let fastest = || (0..speeds.len()).max_by(|&a, &b| speeds[a].total_cmp(&speeds[b]));
        let worst = speeds.iter().position(|&speed| is_beyond(speed, limit)).or_else(fastest).unwrap_or(0);
        let what = match speeds.get(worst).copied().unwrap_or(0.0) {
            speed if speed.is_finite() => format!("a particle ran away at {speed:.0} m/s"),
            _ => "a particle's position is no longer a number".to_string(),
        };
        let cause = if self.description.thesis.is_some() {
            "the source parameters are too stiff for the step; lower thesis.k, k_near or k_spring, or raise thesis.substeps".into()
        } else if let Some(by) = self.squeezed_by(step) {
            format!("it is squeezed by {by}; {LEAVE_ROOM}")
        } else {
            "the liquid is squeezed where it has no room, or max_substeps is too low for its speed; raise max_substeps or compression".into()
        };
        self.told(self.particles.id.get(worst).copied(), what, cause)
    }

    fn told(&self, particle: Option<u32>, what: String, cause: String) -> Ailment {
        Ailment { system: format!("liquid.{}", self.description.name), particle, what, cause }
    }

    /// The objects around the densest part of it, if it is squeezed there and one of them is driven.
    fn squeezed_by(&self, step: &Step) -> Option<String> {
        let density = &self.particles.density;
        let densest = (0..density.len()).max_by(|&a, &b| density[a].total_cmp(&density[b]))?;
        let p = self.particles.position.get(densest);
        let reach = 2.0 * self.description.reach(step.planar);
        let is_near = |s: &&Collider| s.at_least(p) < reach && s.distance(p) < reach;
        let near: Vec<&Collider> = step.colliders.iter().filter(is_near).collect();
        let squeezed = density[densest] > SQUEEZED * self.rest_sum();
        let driven = near.iter().any(|s| is_driven(s, step));
        (squeezed && driven).then(|| named(&near, step))
    }

    /// Where an object that is driven closes on others, liquid in between has no room left: it would end up inside of them.
    pub(super) fn check_room(&self, step: &Step) -> Result<(), Ailment> {
        if !step.colliders.iter().any(|s| is_driven(s, step)) {
            return Ok(());
        }
        let is_in = |s: &Collider, p: Vec3, skin: f32| s.at_least(p) < skin && s.distance(p) < skin;
        let (mut pinched, mut by) = (0, Vec::new());
        for p in self.particles.position.iter() {
            if !step.colliders.iter().any(|s| is_in(s, p, 0.0)) {
                continue;
            }
            let around = |i: &usize| is_in(&step.colliders[*i], p, 0.5 * self.description.spacing);
            let near: Vec<usize> = (0..step.colliders.len()).filter(around).collect();
            if near.len() > 1 && near.iter().any(|&i| is_driven(&step.colliders[i], step)) {
                pinched += 1;
                by.extend(near);
            }
        }
        if pinched <= PINCHED {
            return Ok(());
        }
        by.sort_unstable();
        by.dedup();
        let by = named(&by.iter().map(|&i| &step.colliders[i]).collect::<Vec<_>>(), step);
        let what = format!("{pinched} particles have no room left between {by}");
        Err(self.told(None, what, format!("{by} close on each other; {LEAVE_ROOM}")))
    }
}

/// Whether a collider moves as it is told.
fn is_driven(collider: &Collider, step: &Step) -> bool {
    let object = collider.object.and_then(|n| step.object(n as usize));
    object.is_some_and(|object| object.motion == Motion::Moving)
}

/// "object.left and object.right".
fn named(colliders: &[&Collider], step: &Step) -> String {
    let objects = colliders.iter().filter_map(|c| c.object.and_then(|n| step.object(n as usize)));
    objects.map(|object| format!("object.{}", object.name)).collect::<Vec<_>>().join(" and ")
}
