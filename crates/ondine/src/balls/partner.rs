//! A free object as balls push it during a step.

use crate::contact::impulse::Impulse;
use crate::objects::Body;
use glam::{Mat3, Vec3};

/// A free object: how it moves, and what moves it.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    /// Its centre of mass at the end of the step [m].
    pub centre: Vec3,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// Its spin [rad/s].
    pub spin: Vec3,
    /// One over its mass [1/kg].
    pub per_mass: f32,
    /// The inverse of its inertia tensor [1/(kg m²)].
    pub per_tensor: Mat3,
    /// At most, one over a moment of inertia of it [1/(kg m²)].
    pub per_inertia: f32,
    /// What it was given.
    pub given: Impulse,
    /// How far it has come since the start of the step [m], and how far it has turned [rad].
    way: [Vec3; 2],
    /// What gravity gives it [m/s²]: nothing if it sleeps.
    gravity: Vec3,
}

impl Partner {
    /// A free object that has gone ahead for a step, where gravity gave it so much if it is awake [m/s²].
    pub fn of(body: &Body, gravity: Vec3, dt: f32) -> Option<Self> {
        let inertia = body.inertia?;
        let per_tensor = body.world_tensor().inverse().as_mat3();
        let axes = [per_tensor.x_axis.x, per_tensor.y_axis.y, per_tensor.z_axis.z];
        Some(Self {
            centre: body.centre(),
            velocity: body.velocity - dt * gravity,
            spin: body.spin,
            per_mass: (1.0 / inertia.mass) as f32,
            per_tensor,
            // The largest eigenvalue is no more than the trace.
            per_inertia: axes.iter().sum(),
            given: Impulse::default(),
            way: [Vec3::ZERO; 2],
            gravity,
        })
    }

    /// Gravity acts for a time [s].
    pub fn fall(&mut self, h: f32) {
        self.velocity += h * self.gravity;
    }

    /// It goes on for a time [s].
    pub fn go_on(&mut self, h: f32) {
        self.way[0] += h * self.velocity;
        self.way[1] += h * self.spin;
    }

    /// How far its point at `arm` from its centre has come since the start of the step [m].
    pub fn way_at(&self, arm: Vec3) -> Vec3 {
        self.way[0] + self.way[1].cross(arm)
    }

    /// Velocity of its point at `arm` from its centre [m/s].
    pub fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// One over the mass that an impulse at `arm` moves along a normal, and at least that across it [1/kg].
    pub fn per_masses(&self, arm: Vec3, normal: Vec3) -> [f32; 2] {
        let turned = arm.cross(normal);
        let along = self.per_mass + turned.dot(self.per_tensor * turned);
        [along, self.per_mass + arm.length_squared() * self.per_inertia]
    }

    /// Takes an impulse [kg·m/s] at `arm` from its centre.
    pub fn push(&mut self, impulse: Vec3, arm: Vec3) {
        self.velocity += self.per_mass * impulse;
        self.spin += self.per_tensor * arm.cross(impulse);
        self.given += Impulse::at(impulse.as_dvec3(), arm.as_dvec3());
    }

    /// Takes an angular impulse [kg·m²/s].
    pub fn turn(&mut self, impulse: Vec3) {
        self.spin += self.per_tensor * impulse;
        self.given.angular += impulse.as_dvec3();
    }
}
