//! One ball.

use crate::contact::impact::Party;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A ball: what the solver visits at random, so that all of it stands together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ball {
    /// Where its centre is [m].
    pub at: Vec3,
    /// Its radius [m].
    pub radius: f32,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// One over its mass [1/kg].
    pub per_mass: f32,
    /// Its spin [rad/s].
    pub spin: Vec3,
    /// One over its moment of inertia [1/(kg m²)].
    pub per_inertia: f32,
    /// Which of the scene's balls it belongs to.
    pub set: u32,
    /// How it is turned.
    pub turn: Quat,
    /// It keeps this name for life, and no other has it.
    pub id: u32,
    /// When it came [s].
    pub birth: f32,
}

impl Ball {
    /// Its mass [kg].
    pub fn mass(&self) -> f64 {
        1.0 / self.per_mass as f64
    }

    /// Who it is in an impact.
    pub fn party(&self) -> Party {
        Party::Particle { member: self.set, id: self.id }
    }

    /// Turns on by its spin for a time [s].
    pub fn turn_on(&mut self, dt: f32) {
        // No sine or cosine: the same bits everywhere.
        let half = 0.5 * dt * self.spin;
        self.turn = (Quat::from_xyzw(half.x, half.y, half.z, 1.0) * self.turn).normalize();
    }

    /// Its kinetic energy [J].
    pub fn energy(&self) -> f64 {
        let turning = self.spin.as_dvec3().length_squared() / self.per_inertia as f64;
        0.5 * (self.mass() * self.velocity.as_dvec3().length_squared() + turning)
    }

    /// Whether all its numbers are numbers, and it is something.
    pub fn is_sound(&self) -> bool {
        let whole = self.at.is_finite() && self.velocity.is_finite() && self.spin.is_finite();
        let is_one = (self.turn.length() - 1.0).abs() < 1e-3;
        let sized = [self.radius, self.per_mass, self.per_inertia].iter().all(|x| *x > 0.0 && x.is_finite());
        whole && is_one && sized && self.birth.is_finite()
    }
}

/// One over the moment of inertia of a ball [1/(kg m²)]: it is 2/5 m r², in the plane a disc's ½ m r².
pub fn per_inertia(radius: f32, per_mass: f32, planar: bool) -> f32 {
    gyration(planar) * per_mass / (radius * radius)
}

/// m r² over the moment of inertia.
pub fn gyration(planar: bool) -> f32 {
    if planar { 2.0 } else { 2.5 }
}
