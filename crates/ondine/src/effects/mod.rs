//! Particle effects (004, "Systèmes de particules", after Reeves): particles that are born, go their way, meet things, end, and are seen.
//!
//! | what | file |
//! |---|---|
//! | the particles of an effect, as arrays | `swarm` |
//! | when they are born | `emission` |
//! | where and how | `births` |
//! | what happens to them, and what comes of it | `events` |
//! | those whose place follows from the time alone | `course`: parabolas in `ballistic`, arbitrary ones in `path` |
//! | those that forces move | `forces`, in the air of `air` and `noise` |
//! | what they meet | `collide`; `crowd`, the surfaces of other systems |
//! | those that stick to objects | `settled` |
//! | what is seen of them | `look` |
//! | what the world knows of all that | `system` |
//!
//! Effects push nothing: they have no mass for anybody. Effects that come of others are gone through after those, in one step.
//!
//! What follows from the time alone: an effect whose trajectory is "ballistic" or "path", which comes of no other and has no object that moves, no
//! event, track or edit that reaches it or gravity. Its state at an instant is then the same to the bit for whatever steps led there, and
//! `World::seek` goes there at once.

mod air;
mod ballistic;
mod births;
mod collide;
mod course;
mod crowd;
mod emission;
mod events;
mod forces;
mod look;
mod noise;
mod path;
mod settled;
mod swarm;
mod system;

use crate::scene::{self, ChildEvent, Encounter, Scene, Trajectory};
use crate::step::Step;
use crate::world::SystemView;
use ballistic::Law;
use births::called_for;
use crowd::Crowd;
use emission::Emission;
use events::Event;
use serde::{Deserialize, Serialize};
use settled::Settled;
use std::ops::Range;
use swarm::{Newborn, Swarm};

/// All effects of a scene.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// In the order of the scene.
    all: Vec<Effect>,
    /// The time up to which all has happened [s].
    now: f64,
}

/// One effect.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Effect {
    /// What the scene says of it, with the values that it has by now.
    description: scene::Effect,
    /// Its number in the scene, and the scene's seed: the words of its chance.
    number: u32,
    seed: u32,
    emission: Emission,
    swarm: Swarm,
    /// Those that stick to objects.
    settled: Settled,
    /// What its parabolas depend on.
    law: Law,
    /// The id that the next one gets.
    next_id: u32,
    emitted: u64,
    removed: u64,
    /// Whether one of them has been no number, too fast or too far away since the last frame.
    #[serde(skip)]
    is_wild: bool,
    /// The surfaces that they may meet.
    #[serde(skip)]
    crowds: Vec<Crowd>,
}

impl Effect {
    /// Whether its particles are where the time says.
    fn is_on_course(&self) -> bool {
        self.description.trajectory != Trajectory::Forces
    }

    /// Whether it meets the surfaces of other systems.
    fn looks_at_others(&self) -> bool {
        !self.is_on_course() && self.description.collision.systems != Encounter::Pass
    }

    /// Goes through a span of time, in which some come of what happened to others. Returns what happened to its own.
    fn advance(&mut self, span: Range<f64>, of_others: &[(Event, u32)], step: &Step) -> Vec<Event> {
        let litters = self.litters(span.clone(), of_others, step);
        let (first, is_on_course) = (self.swarm.len(), self.is_on_course());
        // Of those that do not live to see the end nothing is left, unless others come of them.
        let is_seen = |one: &Newborn| {
            !is_on_course || !self.description.child.is_empty() || one.death as f64 > span.end
        };
        let born = self.newborns(&litters, step);
        self.removed += born.iter().filter(|one| !is_seen(one)).count() as u64;
        let seen: Vec<Newborn> = born.into_iter().filter(is_seen).collect();
        seen.into_iter().for_each(|newborn| self.swarm.push(newborn, is_on_course));
        let end = span.end;
        let mut events = match is_on_course {
            true => self.go_on(span, first, step),
            false => self.be_moved(span, first, step),
        };
        let gone = self.settled.follow(step.colliders, end);
        self.removed += gone.len() as u64;
        if self.description.child.iter().any(|child| child.on == ChildEvent::Death) {
            events.extend(gone);
        }
        events
    }
}

impl Effects {
    /// The effects of a scene at the start: nobody is born yet.
    pub fn new(scene: &Scene) -> Self {
        let effect = |(number, description): (usize, &scene::Effect)| Effect {
            description: description.clone(),
            number: number as u32,
            seed: scene.seed,
            emission: Emission::default(),
            swarm: Swarm::default(),
            settled: Settled::default(),
            law: Law::default(),
            next_id: 0,
            emitted: 0,
            removed: 0,
            is_wild: false,
            crowds: Vec::new(),
        };
        Self { all: scene.effect.iter().enumerate().map(effect).collect(), now: 0.0 }
    }

    /// Whether any effect meets the surfaces of other systems.
    pub fn looks_at_others(&self) -> bool {
        self.all.iter().any(Effect::looks_at_others)
    }

    /// Shows effects the other systems, as they are when a frame begins.
    pub fn see(&mut self, others: &[SystemView]) {
        let crowds: Vec<Crowd> = others.iter().map(Crowd::of).collect();
        for effect in self.all.iter_mut().filter(|effect| effect.looks_at_others()) {
            effect.crowds = crowds.clone();
        }
    }

    /// The effects, each after those that it comes of: the checks say that there is such an order.
    fn order(&self) -> Vec<usize> {
        let comes_of =
            |a: &Effect, b: &Effect| b.description.child.iter().any(|c| c.effect == a.description.name);
        let mut order: Vec<usize> = Vec::with_capacity(self.all.len());
        while order.len() < self.all.len() {
            let is_next = |n: &usize| {
                let parents = (0..self.all.len()).filter(|p| comes_of(&self.all[*n], &self.all[*p]));
                !order.contains(n) && parents.into_iter().all(|p| order.contains(&p))
            };
            match (0..self.all.len()).find(is_next) {
                Some(next) => order.push(next),
                None => break,
            }
        }
        order
    }

    /// The span of time of a step: it begins where the last one ended, and ends at a frame if it ends about there. So that spans meet, whatever
    /// numbers round to.
    fn span(&self, step: &Step) -> Range<f64> {
        let (fps, dt) = (step.scene.fps as f64, step.dt as f64);
        let frame = (step.end() * fps).round() / fps;
        let end = if (frame - step.end()).abs() < 1e-3 * dt { frame } else { step.end() };
        // Nothing was there while the world slept.
        let start = if self.now < step.time - 0.5 * dt { step.time } else { self.now };
        start.min(end)..end
    }

    /// All effects go through a span of time in one step.
    fn advance_all(&mut self, span: Range<f64>, step: &Step) {
        let mut of_others: Vec<Vec<(Event, u32)>> = vec![Vec::new(); self.all.len()];
        for n in self.order() {
            let due = std::mem::take(&mut of_others[n]);
            let events = self.all[n].advance(span.clone(), &due, step);
            for (c, child) in self.all[n].description.child.iter().enumerate() {
                let meant = self.all.iter().position(|e| e.description.name == child.effect);
                if let Some(meant) = meant {
                    of_others[meant].extend(called_for(&events, child, c));
                }
            }
        }
        self.now = span.end;
    }
}
