//! What stops a run: what is no longer a number, runs away, is torn apart, has no room left, or has energy from nowhere.

use super::World;
use super::systems::Systems;
use crate::frame::Ledger;
use crate::health::{self, Budget, Kinetics};
use crate::objects::{Bodies, Collider};
use crate::step::Step;
use crate::system::Ailment;

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

impl Failure {
    /// A system's, in a frame, at a time [s].
    pub(super) fn of(ailment: Ailment, frame: u32, time: f64) -> Self {
        let Ailment { system, particle, what, cause } = ailment;
        Self { system, particle, frame, time, what, cause }
    }
}

/// Each system finishes its step, and what moves is looked at.
pub(super) fn finish(
    systems: &mut Systems,
    bodies: &Bodies,
    budget: &mut Budget,
    frame: u32,
    step: &Step,
    moved: &[Collider],
) -> Result<(), Failure> {
    let (mut all, most) = (Moving::default(), budget.fastest());
    systems.all_mut().into_iter().for_each(|system| system.follow(&Step { colliders: moved, ..*step }));
    for (s, system) in systems.all_mut().into_iter().enumerate() {
        let motions = system.finish(step, most).map_err(|a| Failure::of(a, frame, step.end()))?;
        for (n, motion) in motions.iter().enumerate() {
            budget.give(health::fall(motion, step.gravity, step.dt));
            all.add(Culprit::System(s, n), motion);
        }
    }
    for (n, motion) in bodies.kinetics(step.planar) {
        budget.give(health::fall(&motion, step.gravity, step.dt));
        all.add(Culprit::Object(n), &motion);
    }
    check_energy(&all, systems, bodies, budget, frame, step)
}

/// Stops what has more energy than it can have been given.
fn check_energy(
    all: &Moving,
    systems: &Systems,
    bodies: &Bodies,
    budget: &mut Budget,
    frame: u32,
    step: &Step,
) -> Result<(), Failure> {
    let most = budget.most_energy(all.mass);
    if all.energy <= most {
        budget.forget(all.energy, step.dt as f64);
        return Ok(());
    }
    let mut failure = match all.culprit {
        Culprit::System(s, n) => Failure::of(systems.all()[s].blame(n, f32::MAX, step), frame, step.end()),
        Culprit::Object(n) => failure_of_object(n, frame, bodies, systems, step),
    };
    failure.what = format!(
        "it moves with an energy that nothing gave it ({:.3e} J in all, where {most:.3e} J would be much)",
        all.energy
    );
    Err(failure)
}

/// Object number `n` is no longer a number or runs away; unless a system made it so, it is told itself.
pub(super) fn failure_of_object(
    n: usize,
    frame: u32,
    bodies: &Bodies,
    systems: &Systems,
    step: &Step,
) -> Failure {
    for system in systems.all() {
        if let Some(n) = system.broken() {
            let failure = Failure::of(system.blame(n, f32::MAX, step), frame, step.end());
            return Failure { what: "a particle's position is no longer a number".into(), ..failure };
        }
    }
    let speed = bodies.speed(n);
    let what = match speed.is_finite() {
        true => format!("it ran away at {speed:.0} m/s"),
        false => "its position is no longer a number".to_string(),
    };
    let cause = "it is caught between objects or joints that leave it no room, or it is too light or too small for what pushes it; \
                 give it room, make it heavier or larger, or raise max_substeps";
    let system = step.object(n).map_or("object".into(), |object| format!("object.{}", object.name));
    Failure { system, particle: None, frame, time: step.end(), what, cause: cause.into() }
}

impl World {
    /// What is there at the start was given.
    pub(super) fn begin_budget(&mut self) {
        let planar = self.scene.planar();
        let systems = self.systems.all();
        let systems = systems.iter().flat_map(|system| system.kinetics(planar));
        let all: Vec<Kinetics> = systems.chain(self.bodies.kinetics(planar).map(|(_, m)| m)).collect();
        let made = all.iter().map(|m| m.fastest).fold(0.0, f32::max);
        self.budget.give(all.iter().map(|m| m.energy).sum());
        self.budget.note(self.live.gravity.into(), made, 0.0);
    }

    /// What the scene gives from now on, as far as it is known before a frame with steps of `dt` [s].
    pub(super) fn note_budget(&mut self, dt: f32) {
        let Self { systems, bodies, budget, scene, live, .. } = self;
        let speeds = systems.all().map(|system| system.speeds(bodies, dt));
        let most = |speed: fn(&health::Speeds) -> f32| speeds.iter().map(speed).fold(0.0, f32::max);
        budget.note(live.gravity.into(), most(|s| s.made), most(|s| s.inner));
        budget.note_driven(bodies.motors(scene));
        budget.note_given(bodies.sprung());
        let bounds = systems.all().map(|system| system.bounds());
        bounds.into_iter().flatten().chain(bodies.bounds()).for_each(|bounds| budget.note_reach(bounds));
    }

    /// A joint whose ends are far apart holds nothing any more.
    pub(super) fn check_joints(&self) -> Result<(), Failure> {
        let Some((n, gap)) = self.bodies.torn(&self.scene, self.edits_so_far()) else { return Ok(()) };
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

/// What moves in a world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Culprit {
    /// Which system, and which of its members.
    System(usize, usize),
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
        Self { mass: 0.0, energy: 0.0, most: f64::NEG_INFINITY, culprit: Culprit::Object(0) }
    }
}

impl Moving {
    fn add(&mut self, who: Culprit, motion: &Kinetics) {
        self.mass += motion.mass;
        self.energy += motion.energy;
        if motion.energy > self.most {
            (self.most, self.culprit) = (motion.energy, who);
        }
    }
}
