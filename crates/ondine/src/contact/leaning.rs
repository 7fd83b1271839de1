//! Liquid that leans on free objects: what they take of the pressure and the drag that they get as walls.

use super::floater::Floater;
use super::impulse::Impulse;
use crate::step::Step;
use glam::DVec3;
use std::ops::AddAssign;

/// What a free object gets as a wall in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leaning {
    /// The opposite of what it gives the liquid.
    pub impulse: Impulse,
    /// Mass of the liquid that leans on it [kg].
    pub crowd: f64,
    /// Momentum of that liquid [kg·m/s].
    pub momentum: DVec3,
    /// Which way it is pressed on another collider and cannot give way, or 0.
    pub held: DVec3,
}

impl AddAssign for Leaning {
    fn add_assign(&mut self, o: Leaning) {
        self.impulse += o.impulse;
        self.crowd += o.crowd;
        self.momentum += o.momentum;
        self.held += o.held;
    }
}

impl Leaning {
    /// What an object takes of it, when gravity gives it an impulse of `weight` besides; and by how much the velocity of the liquid that
    /// leans on it changes for the rest [m/s]. Liquid that outweighs an object would throw it farther in a step than it was pushed, and
    /// it would bounce: the two move together instead, with the inertia of both.
    pub fn shared(self, floater: &Floater, weight: DVec3) -> (Impulse, DVec3) {
        let mass = floater.mass;
        if self.crowd <= mass {
            return (self.impulse, DVec3::ZERO);
        }
        let share = mass / self.crowd;
        if self.held != DVec3::ZERO {
            // What leans on it cannot take it along: what it lies on answers that. All else would throw it about.
            let down = self.held.normalize();
            let pressed = (1.0 - share) * self.impulse.linear.dot(down) * down;
            let Impulse { linear, angular } = self.impulse.scaled(share);
            return (Impulse { linear: linear + pressed, angular }, DVec3::ZERO);
        }
        let weight = Impulse { linear: weight, angular: DVec3::ZERO };
        let left = (1.0 - share) * (self.impulse + weight).linear;
        let joined = self.joined(floater);
        let push = self.impulse.scaled(share) - weight.scaled(1.0 - share);
        (push + Impulse { linear: joined, angular: DVec3::ZERO }, (left - joined) / self.crowd)
    }

    /// The impulse on an object by liquid that has come to lean on it since the last step and from now on shares its velocity: as when
    /// two things stick together, so that no energy comes of the inertia that is lent.
    fn joined(self, floater: &Floater) -> DVec3 {
        let fresh = (self.crowd - floater.leaning.max(floater.mass)).max(0.0) / self.crowd;
        floater.mass * fresh * (self.momentum / self.crowd - floater.velocity)
    }
}

/// What each free thing takes of what it gets as a wall, and by how much the velocity of the liquid on it changes for the rest.
pub fn share(walls: &[Leaning], floaters: &mut [Floater], step: &Step) -> (Vec<Impulse>, Vec<DVec3>) {
    let shared = |(wall, floater): (&Leaning, &mut Floater)| {
        let both = wall.shared(floater, floater.weight(step));
        floater.leaning = wall.crowd;
        both
    };
    walls.iter().zip(floaters).map(shared).unzip()
}
