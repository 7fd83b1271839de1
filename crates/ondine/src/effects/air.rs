//! What moves particles: gravity, the air with its wind, whirls and turbulence, and attractors.

use super::Effect;
use super::noise::Noise;
use crate::integrate::{self, Acceleration, Linear, Moving};
use crate::scene::{self, Attractor, AttractorLaw, Integrator, Vortex};
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

/// All that moves the particles of an effect in a step.
pub struct Air {
    /// Gravity as they feel it [m/s²].
    gravity: DVec3,
    wind: DVec3,
    linear: f64,
    quadratic: f64,
    vortices: Vec<Vortex>,
    noise: Option<Noise>,
    attractors: Vec<Attractor>,
    is_carried: bool,
    integrator: Integrator,
    planar: bool,
}

impl Air {
    /// That of an effect, under the scene's gravity.
    pub fn new(effect: &Effect, gravity: Vec3, planar: bool) -> Self {
        let given = &effect.description;
        let scene::CurlNoise { speed, scale, rate } = given.noise;
        let seed = effect.seed ^ effect.number.rotate_left(16);
        let noise = Noise { speed: speed as f64, scale: scale as f64, rate: rate as f64, seed, planar };
        Self {
            gravity: (given.gravity * gravity).as_dvec3(),
            wind: Vec3::from(given.wind).as_dvec3(),
            linear: given.drag.linear as f64,
            quadratic: given.drag.quadratic as f64,
            vortices: given.vortex.clone(),
            noise: (speed > 0.0).then_some(noise),
            attractors: given.attractor.clone(),
            is_carried: given.carried,
            integrator: given.integrator,
            planar,
        }
    }

    /// The step of all, if one is exact for all: constant push and linear drag, by the method that is exact for them.
    pub fn linear(&self, dt: f64) -> Option<Linear> {
        let is_linear = self.quadratic == 0.0
            && self.vortices.is_empty()
            && self.noise.is_none()
            && self.attractors.is_empty()
            && !self.is_carried
            && self.integrator == Integrator::Exponential;
        let push = self.gravity + self.linear * self.wind;
        is_linear.then(|| Linear::new(Acceleration { push, drag: self.linear }, dt))
    }

    /// Velocity that one who is born there gets of the air that carries it [m/s].
    pub fn carries(&self, p: DVec3, time: f64) -> DVec3 {
        if self.is_carried { self.flow(p, time) } else { DVec3::ZERO }
    }

    /// Moves a particle through `dt` [s] from a time [s] on. What is carried keeps the velocity that it has besides that of the air.
    pub fn step(&self, from: Moving, time: f64, dt: f64) -> Moving {
        if let Some(linear) = self.linear(dt) {
            return linear.step(from);
        }
        let end = match self.is_carried {
            true => {
                let own = from.velocity - self.flow(from.at, time);
                let at = integrate::drift(self.integrator, from.at, time, dt, |p, t| self.flow(p, t) + own);
                Moving { at, velocity: self.flow(at, time + dt) + own }
            }
            false => integrate::step(self.integrator, from, time, dt, |m, t| self.acceleration(m, t)),
        };
        match self.planar {
            true => Moving { at: end.at.with_z(0.0), velocity: end.velocity.with_z(0.0) },
            false => end,
        }
    }

    /// Velocity of the air [m/s].
    pub fn flow(&self, p: DVec3, time: f64) -> DVec3 {
        let whirls: DVec3 = self.vortices.iter().map(|vortex| whirl(vortex, p)).sum();
        self.wind + whirls + self.noise.map_or(DVec3::ZERO, |noise| noise.at(p, time))
    }

    fn acceleration(&self, m: Moving, time: f64) -> Acceleration {
        let drawn: DVec3 = self.attractors.iter().map(|attractor| draw(attractor, m.at)).sum();
        let push = self.gravity + drawn;
        if self.linear == 0.0 && self.quadratic == 0.0 {
            return Acceleration { push, drag: 0.0 };
        }
        let flow = self.flow(m.at, time);
        let drag = self.linear + self.quadratic * (m.velocity - flow).length();
        Acceleration { push: push + drag * flow, drag }
    }
}

/// Velocity of a whirl [m/s]: Γ/2πr around its line, and as a rigid body within its core (Rankine).
fn whirl(vortex: &Vortex, p: DVec3) -> DVec3 {
    let axis = Vec3::from(vortex.axis).as_dvec3().normalize_or(DVec3::Y);
    let r = p - Vec3::from(vortex.at).as_dvec3();
    let around = axis.cross(r);
    let core = vortex.core as f64;
    vortex.circulation as f64 / (TAU * around.length_squared().max(core * core)) * around
}

/// Acceleration to an attractor [m/s²].
fn draw(attractor: &Attractor, p: DVec3) -> DVec3 {
    let r = Vec3::from(attractor.at).as_dvec3() - p;
    let strength = attractor.strength as f64;
    match attractor.law {
        AttractorLaw::Spring => strength * r,
        AttractorLaw::InverseSquare => {
            let core = attractor.core as f64;
            let square = r.length_squared().max(core * core);
            strength / (square * square.sqrt()) * r
        }
    }
}
