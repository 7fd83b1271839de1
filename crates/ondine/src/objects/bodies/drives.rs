//! What drives free objects beside gravity, liquids and each other: forces, torques, the air, springs.
//!
//! Source: text 004, "Mécanique classique". The air resists with c (v − w), w being the wind and c = b + ½ ρ C A |v − w|: b of what is
//! slow and small, the rest of what is fast or large. c is taken as it is when a step begins. The part c w is a force like others, and −c v
//! is left to the solver, v′ = v / (1 + c dt / m), so that no step is too long for it.

use super::edits::Given;
use super::{Bodies, Body};
use crate::contact::impulse::Impulse;
use crate::frame::SpringLedger;
use crate::objects::Sdf;
use crate::objects::springs::Stretch;
use crate::scene::{Described, Drag, Scalar, Scene, Spring};
use crate::step::Step;
use glam::{DVec3, Vec3};
use std::f32::consts::PI;

/// Fastest that springs are taken to make anything [m/s], as scenes have it.
const FASTEST: f64 = 1e4;

/// What drives a free object in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Force [N] and torque about its centre of mass [N·m].
    pub push: Impulse,
    /// Rate at which the air slows it [1/s].
    pub slowing: f32,
    /// Velocity [m/s] and spin [rad/s] that it gets when it goes ahead, with gravity.
    pub gained: (Vec3, Vec3),
}

impl Body {
    /// What drives it in a step, before gravity is known to reach it.
    pub(super) fn drive(&self, sdf: &Sdf, step: &Step) -> Drive {
        let Some(inertia) = self.inertia.filter(|_| self.is_driven()) else { return Drive::default() };
        let at = self.object.force_at.map_or(self.centre(), |p| self.placement.to_world(p.into()));
        let vector = |v: [f32; 3]| Vec3::from(v).as_dvec3();
        let mut push = Impulse::at(vector(self.object.force), (at - self.centre()).as_dvec3());
        push.angular += vector(self.object.torque);
        let resistance = self.resistance(sdf, step);
        push.linear += resistance as f64 * step.wind.as_dvec3();
        if step.planar {
            push = Impulse { linear: push.linear.with_z(0.0), angular: DVec3::Z * push.angular.z };
        }
        Drive { push, slowing: resistance / inertia.mass as f32, ..Drive::default() }
    }

    /// Whether anything drives it, springs left out.
    pub(super) fn is_driven(&self) -> bool {
        let object = &self.object;
        object.force != [0.0; 3] || object.torque != [0.0; 3] || object.drag.is_felt()
    }

    /// Force over speed with which the air resists [N·s/m].
    fn resistance(&self, sdf: &Sdf, step: &Step) -> f32 {
        let Drag { linear, coefficient, area } = self.object.drag;
        if coefficient == 0.0 {
            return linear;
        }
        let wind = step.wind - self.velocity;
        let along = self.placement.rotation.inverse() * wind.normalize_or_zero();
        let area = area.unwrap_or_else(|| shadow(sdf, along, step.planar));
        linear + 0.5 * step.scene.air_density * coefficient * area * wind.length()
    }

    /// Lets it go ahead by what drives it and gravity. Returns the work that is not gravity's [J].
    pub(super) fn gain(&mut self, drive: &mut Drive, step: &Step) -> f64 {
        let Some(inertia) = self.inertia else { return 0.0 };
        let dt = step.dt;
        let pull = step.gravity + (drive.push.linear / inertia.mass).as_vec3();
        let velocity = (dt * pull - dt * drive.slowing * self.velocity) / (1.0 + dt * drive.slowing);
        let mut spin = Vec3::ZERO;
        if drive.push.angular != DVec3::ZERO {
            spin = dt * (self.world_tensor().inverse() * drive.push.angular).as_vec3();
        }
        drive.gained = (velocity, spin);
        let (linear, angular) = (self.velocity + 0.5 * velocity, self.spin + 0.5 * spin);
        let power = drive.push.linear.dot(linear.as_dvec3()) + drive.push.angular.dot(angular.as_dvec3());
        self.velocity += velocity;
        self.spin += spin;
        power * dt as f64
    }
}

/// Area of the shadow of an ellipsoid as large as a shape [m²], in a direction of its own frame; in the plane the width of an ellipse [m].
fn shadow(sdf: &Sdf, along: Vec3, planar: bool) -> f32 {
    let Some((low, high)) = sdf.bounds() else { return 0.0 };
    let Vec3 { x, y, z } = 0.5 * (high - low);
    match planar {
        true => 2.0 * Vec3::new(y * along.x, x * along.y, 0.0).length(),
        false => PI * Vec3::new(y * z * along.x, x * z * along.y, x * y * along.z).length(),
    }
}

impl Bodies {
    /// The live value of a spring that a path names, such as `coil.stiffness`.
    pub fn live_spring(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (name, key) = path.split_once('.')?;
        self.springs.iter_mut().find(|spring| spring.name == name)?.live(key)
    }

    /// What the scene says of springs, with the values that they have by now.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    fn stretched(&self) -> impl Iterator<Item = (&Spring, Option<Stretch>)> {
        let stretch = |n: usize, spring: &Spring| self.rigid.as_ref()?.stretch(n, spring);
        self.springs.iter().enumerate().map(move |(n, spring)| (spring, stretch(n, spring)))
    }

    /// The energy that all springs hold [J].
    pub fn spring_energy(&self) -> f64 {
        self.stretched().filter_map(|(spring, stretch)| Some(stretch?.energy(spring))).sum()
    }

    /// The speed that springs may give what they pull [m/s].
    pub fn sprung(&self) -> Given {
        let masses = self.all.iter().filter_map(|body| Some(body.inertia?.mass));
        let lightest = masses.fold(f64::INFINITY, f64::min);
        let speed = (2.0 * self.spring_energy() / lightest).sqrt().min(FASTEST);
        Given { energy: 0.0, speed: speed as f32 }
    }

    /// The measure of springs.
    pub fn spring_ledger(&self) -> Vec<SpringLedger> {
        let measure = |(spring, stretch): (&Spring, Option<Stretch>)| SpringLedger {
            name: spring.name.clone(),
            length: stretch.map_or(0.0, |s| s.length as f64),
            tension: stretch.map_or(0.0, |s| s.tension(spring)),
            energy: stretch.map_or(0.0, |s| s.energy(spring)),
        };
        self.stretched().map(measure).collect()
    }
}

/// Which objects springs pull at, by their numbers.
pub fn hung(scene: &Scene) -> Vec<bool> {
    let mut hung = vec![false; scene.object.len()];
    for spring in &scene.spring {
        let ends = spring.ends(&scene.object).into_iter().flatten();
        ends.filter_map(|(object, _)| object).for_each(|o| hung[o] = true);
    }
    hung
}
