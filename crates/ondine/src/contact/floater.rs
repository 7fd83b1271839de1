//! A free rigid thing among points: an object, or a ball.

use crate::step::Step;
use glam::{DMat3, DVec3};

/// What pushes of points need to know of a free rigid thing, and what they leave behind for the next step.
#[derive(Clone, Copy, Debug)]
pub struct Floater {
    /// Its mass [kg].
    pub mass: f64,
    /// Its inertia tensor about its centre of mass, in the world [kg m²].
    pub tensor: DMat3,
    /// Its velocity, gone ahead [m/s].
    pub velocity: DVec3,
    /// Its spin [rad/s].
    pub spin: DVec3,
    /// Mass of the liquid that leans on it as a wall [kg]: before it is predicted, in the last step.
    pub leaning: f64,
    /// Mass of the points near it, likewise [kg].
    pub crowd: f64,
}

impl Floater {
    /// The impulse of gravity on it in a step [kg·m/s].
    pub fn weight(&self, step: &Step) -> DVec3 {
        self.mass * step.dt as f64 * step.gravity.as_dvec3()
    }
}
