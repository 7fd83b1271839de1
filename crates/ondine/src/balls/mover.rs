//! A ball as the solver visits it: no more than it needs, in one line of the cache.

use super::ball::{Ball, gyration};
use glam::Vec3;

/// Where a ball is and how it moves during a step.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Mover {
    /// Where its centre is [m].
    pub at: Vec3,
    /// Its radius [m].
    pub radius: f32,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// One over its mass [1/kg].
    pub per_mass: f32,
    /// Its spin times its radius [m/s]: across the normal n of a contact its surface moves by ±rim × n, whatever its size.
    pub rim: Vec3,
    /// Whether anything held it in the last substep.
    pub is_held: bool,
}

impl Mover {
    /// A ball at the start of a step.
    pub fn of(ball: &Ball) -> Self {
        let Ball { at, radius, velocity, per_mass, spin, .. } = *ball;
        Self { at, radius, velocity, per_mass, rim: radius * spin, is_held: false }
    }

    /// Puts into the ball how it ended.
    pub fn leave(&self, ball: &mut Ball) {
        (ball.at, ball.velocity, ball.spin) = (self.at, self.velocity, self.rim / self.radius);
    }

    /// Takes an impulse [kg·m/s], and its twist n × impulse by m r² over the moment of inertia.
    #[inline(always)]
    pub fn push(&mut self, impulse: Vec3, twist: Vec3) {
        self.velocity += self.per_mass * impulse;
        self.rim -= self.per_mass * twist;
    }

    /// Its spin [rad/s].
    pub fn spin(&self) -> Vec3 {
        self.rim / self.radius
    }

    /// One over its moment of inertia [1/(kg m²)].
    pub fn per_inertia(&self, planar: bool) -> f32 {
        gyration(planar) * self.per_mass / (self.radius * self.radius)
    }
}
