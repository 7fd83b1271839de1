//! Whether what moves can be right: how fast anything may be, and how much energy all of it may have.
//!
//! Not in the source texts. Nothing here changes a run, it only stops one that has gone wrong. Two limits, both wide, for to stop a
//! run that is right would be worse than to let a wrong one go on for a while:
//!
//! - Speed. What is not driven is no faster than it was made, plus what it may have fallen: v² = v₀² + 2 g D, D the diagonal of the
//!   box in which everything has been so far. A splash makes some of it several times as fast: nothing may be faster than
//!   100 m/s + 20 v.
//! - Energy. The kinetic energy of all systems and objects comes from what they had at the start, from the work of gravity, from what
//!   emitters give, and from objects that are driven: E ≤ 4 (given) + ½ M u², where u allows for what is not booked: what is driven
//!   pushes liquid through nozzles, springs, tension and squeezed liquid come undone.
//!
//! The energy given is forgotten in some ten seconds once it is no longer there: what friction took cannot come back.

use crate::objects::Given;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Speed that nothing healthy reaches, when nothing moves [m/s].
const FASTEST: f32 = 100.0;
/// The same, over the speed that things are given.
const FASTER: f32 = 20.0;
/// Energy over what has been given.
const MORE: f64 = 4.0;
/// Speed of all mass together that is always allowed [m/s].
const ALWAYS: f32 = 5.0;
/// The same, over the speed of what is driven: as if all of it went through a nozzle of a tenth of its width.
const PUMPED: f32 = 10.0;
/// The same, over the speed of sound: liquid that was squeezed by a fifth and comes undone.
pub const SQUEEZED_SOUND: f32 = 0.2;
/// Time in which energy that is gone is forgotten [s].
const MEMORY: f64 = 10.0;

/// How something moves as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinetics {
    /// Mass [kg].
    pub mass: f64,
    /// Fastest part of it [m/s], not a number if any is not.
    pub fastest: f32,
    /// Momentum [kg·m/s].
    pub momentum: DVec3,
    /// Kinetic energy [J].
    pub energy: f64,
}

/// What a world has been given, and so what it may have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The box in which everything has been, once there was anything.
    reach: Option<(Vec3, Vec3)>,
    /// Strongest gravity so far [m/s²].
    gravity: f32,
    /// Fastest that anything was made so far [m/s].
    made: f32,
    /// Fastest that anything was driven so far [m/s].
    driven: f32,
    /// Speed that comes of systems' own forces [m/s].
    inner: f32,
    /// Kinetic energy that things were given, and have not lost long ago [J].
    given: f64,
}

impl Budget {
    /// Notes what is given before a frame: gravity, and speeds [m/s] of what is made and of what comes of systems themselves.
    pub fn note(&mut self, gravity: Vec3, made: f32, inner: f32) {
        self.gravity = self.gravity.max(gravity.length());
        self.made = self.made.max(made);
        self.inner = inner;
    }

    /// Notes what objects were given from outside.
    pub fn note_given(&mut self, given: Given) {
        self.made = self.made.max(given.speed);
        self.give(given.energy);
    }

    /// Notes how fast something is driven [m/s].
    pub fn note_driven(&mut self, speed: f32) {
        self.driven = self.driven.max(speed);
    }

    /// Notes where things are: the corners of a box around them [m].
    pub fn note_reach(&mut self, (low, high): (Vec3, Vec3)) {
        self.reach = Some(match self.reach {
            Some((l, h)) => (l.min(low), h.max(high)),
            None => (low, high),
        });
    }

    /// Adds energy that was given [J].
    pub fn give(&mut self, energy: f64) {
        self.given += energy.max(0.0);
    }

    /// The speed that nothing healthy exceeds [m/s].
    pub fn fastest(&self) -> f32 {
        let way = self.reach.map_or(0.0, |(low, high)| low.distance(high));
        let fallen = (self.made * self.made + 2.0 * self.gravity * way).sqrt();
        FASTEST + FASTER * fallen.max(self.driven).max(self.inner)
    }

    /// The kinetic energy that things of this mass [kg] do not exceed together [J].
    pub fn most_energy(&self, mass: f64) -> f64 {
        let speed = (ALWAYS + PUMPED * self.driven + self.inner) as f64;
        MORE * self.given + 0.5 * mass * speed * speed
    }

    /// Forgets what things of this kinetic energy [J] have lost, little by little.
    pub fn forget(&mut self, energy: f64, dt: f64) {
        self.given -= (self.given - energy).max(0.0) * (dt / MEMORY).min(1.0);
    }

    /// Whether its numbers can be right.
    pub fn is_sound(&self) -> bool {
        let reach = self.reach.is_none_or(|(low, high)| low.is_finite() && high.is_finite());
        let sound = |x: f64| x.is_finite() && x >= 0.0;
        reach
            && [self.gravity, self.made, self.driven, self.inner].iter().all(|&x| sound(x as f64))
            && sound(self.given)
    }
}

/// Speeds that a system may come to have by what the scene gives it [m/s].
#[derive(Clone, Copy, Debug, Default)]
pub struct Speeds {
    /// Of what is made.
    pub made: f32,
    /// That come of its own forces.
    pub inner: f32,
}

/// Whether a speed is above a limit, or no number at all.
pub fn is_beyond(speed: f32, limit: f32) -> bool {
    speed > limit || speed.is_nan()
}

/// The work of gravity on what moves so, in a step [J]: what it loses on the way up was given before.
pub fn fall(motion: &Kinetics, gravity: Vec3, dt: f32) -> f64 {
    motion.momentum.dot(gravity.as_dvec3()).max(0.0) * dt as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_what_is_given() {
        let mut budget = Budget::default();
        assert_eq!(budget.fastest(), FASTEST);
        budget.note_reach((Vec3::ZERO, Vec3::Y * 5.0));
        budget.note(Vec3::NEG_Y * 10.0, 0.0, 0.0);
        assert_eq!(budget.fastest(), FASTEST + FASTER * 10.0);
        assert_eq!(budget.most_energy(2.0), 25.0);
        budget.give(7.0);
        budget.give(-3.0);
        assert_eq!(budget.most_energy(2.0), 53.0);
    }

    #[test]
    fn what_is_lost_is_forgotten_slowly_and_what_is_there_is_not() {
        let mut budget = Budget::default();
        budget.give(8.0);
        (0..1000).for_each(|_| budget.forget(2.0, 0.1));
        assert!((budget.most_energy(0.0) / MORE - 2.0).abs() < 0.01);
        budget.forget(9.0, 0.1);
        assert!((budget.most_energy(0.0) / MORE - 2.0).abs() < 0.01);
    }
}
