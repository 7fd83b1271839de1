//! What stops a run: what is no longer a number, runs away, is torn apart, has no room left, or has energy from nowhere.

use super::World;
use super::plan::Plan;
use crate::frame::Ledger;
use crate::health;
use crate::liquid::load::Load;
use crate::liquid::material::sound_speed;
use crate::liquid::{Liquid, Motion, Surroundings};
use crate::objects::Solid;
use crate::scene;
use glam::Vec3;

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{system}: {what} at {time:.4} s (frame {frame}{}). Likely cause: {cause}", of(*particle))]
pub struct Failure {
    /// What failed, by its kind and name: `liquid.water`, `object.boat`, `joint.hinge`.
    pub system: String,
    /// Id of the particle it was first seen on, in a liquid.
    pub particle: Option<u32>,
    /// Frame being computed.
    pub frame: u32,
    /// Time [s].
    pub time: f64,
    /// What was seen.
    pub what: String,
    /// What probably led to it, and the knob to turn.
    pub cause: String,
}

/// ", particle 7".
fn of(particle: Option<u32>) -> String {
    particle.map_or(String::new(), |id| format!(", particle {id}"))
}

impl World {
    /// Stops what has more energy than it can have been given.
    pub(super) fn check_energy(&mut self, all: &Moving, around: &Surroundings) -> Result<(), Failure> {
        let most = self.budget.most_energy(all.mass);
        if all.energy <= most {
            self.budget.forget(all.energy, around.dt as f64);
            return Ok(());
        }
        let mut failure = match all.culprit {
            Culprit::Liquid(n) => self.failure_of_liquid(n, f32::MAX, around),
            Culprit::Object(n) => self.failure_of_object(n, around),
        };
        failure.what = format!(
            "it moves with an energy that nothing gave it ({:.3e} J in all, where {most:.3e} J would be much)",
            all.energy
        );
        Err(failure)
    }

    /// What is there at the start was given.
    pub(super) fn begin_budget(&mut self) {
        let planar = self.scene.planar();
        let liquids = self.liquids.iter().zip(&self.scene.liquid);
        let liquids = liquids.map(|(liquid, scene)| liquid.motion(Liquid::particle_mass(scene, planar)));
        let all: Vec<Motion> = liquids.chain(self.bodies.motions(planar).map(|(_, m)| m)).collect();
        let made = all.iter().map(|m| m.fastest).fold(0.0, f32::max);
        self.budget.give(all.iter().map(|m| m.energy).sum());
        self.budget.note(self.scene.gravity.into(), made, 0.0);
    }

    /// What the scene gives from now on, as far as it is known before a frame.
    pub(super) fn note_budget(&mut self, plan: &Plan) {
        let dt = 1.0 / (self.scene.fps * plan.substeps as f32);
        let inner = self.scene.liquid.iter().zip(&plan.loads);
        let inner = inner.map(|(liquid, load)| health::inner_speed(liquid, &self.scene, *load, dt));
        let inner = inner.fold(0.0, f32::max);
        let made = health::emitted_speed(&self.scene);
        self.budget.note(self.scene.gravity.into(), made, inner);
        self.budget.note_driven(self.bodies.motors(&self.scene));
        let liquids = self.liquids.iter().filter_map(Liquid::bounds);
        liquids.chain(self.bodies.bounds()).for_each(|bounds| self.budget.note_reach(bounds));
    }

    pub(super) fn failure_of_liquid(&self, n: usize, limit: f32, around: &Surroundings) -> Failure {
        let (liquid, scene) = (&self.liquids[n], &self.scene.liquid[n]);
        let speeds: Vec<f32> = liquid.particles.velocity.iter().map(Vec3::length).collect();
        let fastest = || (0..speeds.len()).max_by(|&a, &b| speeds[a].total_cmp(&speeds[b]));
        let worst = speeds.iter().position(|&speed| is_beyond(speed, limit)).or_else(fastest).unwrap_or(0);
        let what = match speeds.get(worst).copied().unwrap_or(0.0) {
            speed if speed.is_finite() => format!("a particle ran away at {speed:.0} m/s"),
            _ => "a particle's position is no longer a number".to_string(),
        };
        let cause = if scene.thesis.is_some() {
            "the source parameters are too stiff for the step; lower thesis.k, k_near or k_spring, or raise thesis.substeps".into()
        } else if let Some(by) = self.squeezed_by(n) {
            format!("it is squeezed by {by}; {LEAVE_ROOM}")
        } else {
            "the liquid is squeezed where it has no room, or max_substeps is too low for its speed; raise max_substeps or compression".into()
        };
        Failure {
            system: format!("liquid.{}", scene.name),
            particle: liquid.particles.id.get(worst).copied(),
            frame: self.frame + 1,
            time: around.time + around.dt as f64,
            what,
            cause,
        }
    }

    /// The objects that are there, with their names and whether they move as they are told.
    fn named_solids(&self) -> Vec<(Solid, &str, bool)> {
        let there = self.scene.object.iter().filter(|o| o.enabled);
        let solids = self.bodies.solids(&self.scene).into_iter().zip(there);
        solids.map(|(s, o)| (s, o.name.as_str(), o.motion == scene::Motion::Moving)).collect()
    }

    /// The objects around the densest part of liquid number `n`, if it is squeezed there and one of them is driven.
    fn squeezed_by(&self, n: usize) -> Option<String> {
        let (liquid, scene) = (&self.liquids[n], &self.scene.liquid[n]);
        let density = &liquid.particles.density;
        let densest = (0..density.len()).max_by(|&a, &b| density[a].total_cmp(&density[b]))?;
        let p = liquid.particles.position.get(densest);
        let reach = 2.0 * scene.reach(self.scene.planar());
        let mut near = self.named_solids();
        near.retain(|(solid, ..)| solid.at_least(p) < reach && solid.distance(p) < reach);
        let squeezed = density[densest] > SQUEEZED * liquid.packing().rest;
        let driven = near.iter().any(|(_, _, moving)| *moving);
        (squeezed && driven).then(|| named(near.iter().map(|(_, name, _)| *name)))
    }

    /// Where an object that is driven closes on others, liquid in between has no room left: it would end up inside of them.
    pub(super) fn check_room(&self) -> Result<(), Failure> {
        if self.scene.object.iter().all(|o| o.motion != scene::Motion::Moving) {
            return Ok(());
        }
        let solids = self.named_solids();
        let is_in = |s: &Solid, p: Vec3, skin: f32| s.at_least(p) < skin && s.distance(p) < skin;
        for (liquid, scene) in self.liquids.iter().zip(&self.scene.liquid) {
            let (mut pinched, mut by) = (0, Vec::new());
            for p in liquid.particles.position.iter() {
                if !solids.iter().any(|(s, ..)| is_in(s, p, 0.0)) {
                    continue;
                }
                let around = |(_, (s, ..)): &(usize, &(Solid, &str, bool))| is_in(s, p, 0.5 * scene.spacing);
                let near: Vec<usize> = solids.iter().enumerate().filter(around).map(|(i, _)| i).collect();
                if near.len() > 1 && near.iter().any(|&i| solids[i].2) {
                    pinched += 1;
                    by.extend(near);
                }
            }
            if pinched > PINCHED {
                by.sort_unstable();
                by.dedup();
                let by = named(by.into_iter().map(|i| solids[i].1));
                let what = format!("{pinched} particles have no room left between {by}");
                let time = self.time() + 1.0 / self.scene.fps as f64;
                let cause = format!("{by} close on each other; {LEAVE_ROOM}");
                return Err(self.failure_of(format!("liquid.{}", scene.name), what, &cause, time));
            }
        }
        Ok(())
    }

    /// Object number `n` is no longer a number or runs away; unless a liquid made it so, it is told itself.
    pub(super) fn failure_of_object(&self, n: usize, around: &Surroundings) -> Failure {
        let is_broken = |l: &Liquid| l.particles.position.iter().any(|p| !p.is_finite());
        if let Some(n) = self.liquids.iter().position(is_broken) {
            let failure = self.failure_of_liquid(n, f32::MAX, around);
            return Failure { what: "a particle's position is no longer a number".into(), ..failure };
        }
        let speed = self.bodies.speed(n);
        let what = match speed.is_finite() {
            true => format!("it ran away at {speed:.0} m/s"),
            false => "its position is no longer a number".to_string(),
        };
        let cause = "it is caught between objects or joints that leave it no room, or it is too light or too small for what pushes it; \
                     give it room, make it heavier or larger, or raise max_substeps";
        self.failure_of(
            format!("object.{}", self.scene.object[n].name),
            what,
            cause,
            around.time + around.dt as f64,
        )
    }

    /// A joint whose ends are far apart holds nothing any more.
    pub(super) fn check_joints(&self) -> Result<(), Failure> {
        let Some((n, gap)) = self.bodies.torn(&self.scene) else { return Ok(()) };
        let cause = "it pulls at what cannot follow, or at what is much heavier than what it holds; \
                     leave its objects room to move, or raise max_substeps";
        let time = self.time() + 1.0 / self.scene.fps as f64;
        let what = format!("it is torn apart, its ends are {gap:.2} m from each other");
        Err(self.failure_of(format!("joint.{}", self.scene.joint[n].name), what, cause, time))
    }

    fn failure_of(&self, system: String, what: String, cause: &str, time: f64) -> Failure {
        Failure { system, particle: None, frame: self.frame + 1, time, what, cause: cause.into() }
    }

    /// The same, or what of it is no longer a number: such a measure is worth nothing.
    pub fn measured(&self) -> Result<Ledger, Failure> {
        let ledger = self.ledger();
        let Some(system) = ledger.broken() else { return Ok(ledger) };
        Err(Failure {
            system,
            particle: None,
            frame: self.frame,
            time: self.time(),
            what: "what is measured of it is no longer a number".into(),
            cause: "it is farther away, heavier or faster than numbers can tell; keep masses, places and speeds within what can be seen".into(),
        })
    }
}

/// "object.left and object.right".
fn named<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.map(|name| format!("object.{name}")).collect();
    all.join(" and ")
}

/// What to do about objects that close on liquid.
const LEAVE_ROOM: &str = "stop what moves before it closes, let the liquid out, or drain it";
/// Density over that at rest from which a liquid is squeezed.
const SQUEEZED: f32 = 1.2;
/// Particles between objects that close, from which a run is stopped: fewer are told as leaks.
const PINCHED: usize = 10;

/// What moves in a world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Culprit {
    Liquid(usize),
    Object(usize),
}

/// All that moves, and which part of it has the most energy.
#[derive(Debug)]
pub(super) struct Moving {
    mass: f64,
    energy: f64,
    most: f64,
    culprit: Culprit,
}

impl Default for Moving {
    fn default() -> Self {
        Self { mass: 0.0, energy: 0.0, most: f64::NEG_INFINITY, culprit: Culprit::Liquid(0) }
    }
}

impl Moving {
    pub fn add(&mut self, who: Culprit, motion: &Motion) {
        self.mass += motion.mass;
        self.energy += motion.energy;
        if motion.energy > self.most {
            (self.most, self.culprit) = (motion.energy, who);
        }
    }
}

/// Whether a speed is above a limit, or no number at all.
pub(super) fn is_beyond(speed: f32, limit: f32) -> bool {
    speed > limit || speed.is_nan()
}

/// A speed that nothing healthy reaches within a frame [m/s].
pub(super) fn runaway(liquid: &scene::Liquid, load: Load) -> f32 {
    100.0 + 20.0 * load.speed.max(sound_speed(liquid, load))
}
