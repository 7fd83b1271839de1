//! What edits do to objects: one is added, pushed, held, dragged, let go.

use super::{Bodies, Body, sdf};
use crate::contact::impulse::Impulse;
use crate::objects::Sdf;
use crate::objects::rigid::Rigid;
use crate::scene::{Edit, Object, Scene, Value};
use crate::step::Step;
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How fast what is held follows [rad/s]: in some tenth of a second, without swinging. Its own weight lowers it by g/ω², 1.6 cm.
const FOLLOWS: f64 = 25.0;
/// How fast what is held stops to turn [1/s]: else it would swing on for ever below the hand.
const STEADIES: f32 = 5.0;
/// Strongest acceleration that a hand gives what it holds [m/s²]: from farther away it is not drawn harder.
const STRONGEST: f64 = 300.0;
/// Fastest that an edit may make anything [m/s], as scenes have it: what is faster has run away.
const FASTEST: f32 = 1e4;

/// By what an object is held: a damped spring from a point of it to a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// The point, in the object's own frame [m].
    point: Vec3,
    /// The place [m].
    to: Vec3,
}

/// What objects were given from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// Kinetic energy [J].
    pub energy: f64,
    /// Speed that their fastest point came to have [m/s].
    pub speed: f32,
}

impl Given {
    /// Adds energy that an object was given [J], and its speed.
    pub(super) fn add(&mut self, energy: f64, body: &Body, sdf: &Sdf, planar: bool) {
        self.energy += energy.max(0.0);
        self.speed = self.speed.max(body.fastest(sdf, planar).min(FASTEST));
    }
}

impl Body {
    /// Draws it by its hold for a step. Returns the energy that this gives it [J].
    ///
    /// The spring acts with the velocity that it will have made by the end of the step (J = −(K + γ)⁻¹ (v + β d), with K the change of
    /// the point's velocity by an impulse there): stable for any step, and for any point of the object.
    pub(super) fn pull(&mut self, hold: Hold, step: &Step) -> f64 {
        let Some(inertia) = self.inertia else { return 0.0 };
        let (mass, dt) = (inertia.mass, step.dt as f64);
        self.spin /= 1.0 + step.dt * STEADIES;
        let at = self.placement.to_world(hold.point);
        let arm = (at - self.centre()).as_dvec3();
        let velocity = self.velocity.as_dvec3() + self.spin.as_dvec3().cross(arm);
        // Critically damped: stiffness m ω², damping 2 m ω.
        let strength = dt * mass * FOLLOWS * (2.0 + dt * FOLLOWS);
        let softness = 1.0 / strength;
        let back = dt * mass * FOLLOWS * FOLLOWS * softness * (at - hold.to).as_dvec3();
        let answer = self.answer(arm, mass) + softness * DMat3::IDENTITY;
        let wanted = -(answer.inverse() * (velocity + back));
        let most = mass * STRONGEST * dt;
        let impulse = wanted * (most / wanted.length().max(most));
        self.struck(if impulse.is_finite() { impulse } else { DVec3::ZERO }, arm, step.planar)
    }

    /// How the velocity of a point at `arm` from the centre answers to an impulse there.
    fn answer(&self, arm: DVec3, mass: f64) -> DMat3 {
        let cross = DMat3::from_cols(
            DVec3::new(0.0, arm.z, -arm.y),
            DVec3::new(-arm.z, 0.0, arm.x),
            DVec3::new(arm.y, -arm.x, 0.0),
        );
        DMat3::IDENTITY * (1.0 / mass) + cross * self.world_tensor().inverse() * cross.transpose()
    }

    /// Gives it an impulse at `arm` from its centre. Returns the energy that this gives it [J].
    fn struck(&mut self, impulse: DVec3, arm: DVec3, planar: bool) -> f64 {
        let before = self.energy();
        self.strike(Impulse::at(impulse, arm));
        if planar {
            self.flatten_motion();
        }
        self.energy() - before
    }

    fn energy(&self) -> f64 {
        let (velocity, spin) = (self.velocity.as_dvec3(), self.spin.as_dvec3());
        let mass = self.inertia.map_or(0.0, |i| i.mass);
        0.5 * (mass * velocity.length_squared() + spin.dot(self.world_tensor() * spin))
    }

    /// Whether it is held as something can be.
    pub(super) fn is_held_well(&self) -> bool {
        self.hold.is_none_or(|g| self.inertia.is_some() && g.point.is_finite() && g.to.is_finite())
    }
}

impl Bodies {
    /// The objects of a scene at the start, and those that edits have added to them.
    pub fn edited<'e>(scene: &Scene, edits: impl IntoIterator<Item = &'e Edit>) -> Self {
        let mut bodies = Self::new(scene);
        edits.into_iter().for_each(|edit| bodies.build(edit, scene));
        bodies
    }

    /// What an edit changes of how objects and their solver are built, if anything.
    pub fn build(&mut self, edit: &Edit, scene: &Scene) {
        match edit {
            Edit::Object(object) => self.add(object, scene),
            Edit::Set { path, value: Value::Number(x) } => {
                let restitution = path.strip_prefix("object.").filter(|rest| rest.ends_with(".restitution"));
                if let Some(scalar) = restitution.and_then(|path| self.live(path)) {
                    scalar.store(*x);
                    self.rigid.iter_mut().for_each(Rigid::let_bounce);
                }
            }
            _ => (),
        }
    }

    fn add(&mut self, object: &Object, scene: &Scene) {
        let sdf = sdf(object, scene);
        // It comes among things: what is in its place gives way.
        let body = Body { there: false, ..Body::new(object, &sdf, scene.planar()) };
        match &mut self.rigid {
            Some(rigid) => rigid.admit(object, body.inertia.as_ref(), scene),
            None if body.inertia.is_some() => self.rigid = Some(self.with_a_solver(&body, scene)),
            None => (),
        }
        self.all.push(body);
        self.sdfs.push(sdf);
    }

    /// The solver that a first free object needs, with all others where they are by now.
    fn with_a_solver(&self, first: &Body, scene: &Scene) -> Rigid {
        let all = || self.all.iter().chain([first]);
        let scene = Scene { object: all().map(|body| body.object.clone()).collect(), ..scene.clone() };
        let mut rigid = Rigid::new(&scene, &all().map(|body| body.inertia).collect::<Vec<_>>());
        all().enumerate().for_each(|(i, body)| rigid.place(i, &body.placement));
        rigid
    }

    /// What an edit does to an object that is there, if anything. Returns what that gives it.
    pub fn handle(&mut self, edit: &Edit, planar: bool) -> Given {
        let mut given = Given::default();
        let (Edit::Push { object: name, .. }
        | Edit::Grab { object: name, .. }
        | Edit::Drag { object: name, .. }
        | Edit::Release { object: name }) = edit
        else {
            return given;
        };
        let Some(i) = self.all.iter().position(|body| body.object.name == *name) else { return given };
        let (body, sdf): (_, &Arc<Sdf>) = (&mut self.all[i], &self.sdfs[i]);
        match edit {
            Edit::Push { impulse, at, .. } if body.object.enabled => {
                let arm = at.map_or(Vec3::ZERO, |at| Vec3::from(at) - body.centre());
                let energy = body.struck(Vec3::from(*impulse).as_dvec3(), arm.as_dvec3(), planar);
                given.add(energy, body, sdf, planar);
            }
            Edit::Grab { at, .. } if body.inertia.is_some() => {
                let to = Vec3::from(*at);
                body.hold = Some(Hold { point: body.placement.to_local(to), to });
            }
            Edit::Drag { to, .. } => body.hold.iter_mut().for_each(|hold| hold.to = Vec3::from(*to)),
            Edit::Release { .. } => body.hold = None,
            _ => (),
        }
        given
    }

    /// Speed of a new object's fastest point [m/s] and the energy that it brings [J].
    pub fn brought(&self, planar: bool) -> Given {
        let mut given = Given::default();
        if let (Some(body), Some(sdf)) = (self.all.last(), self.sdfs.last()) {
            given.add(body.energy(), body, sdf, planar);
        }
        given
    }

    /// Wakes everything: something has been changed.
    pub fn rouse(&mut self) {
        if let Some(rigid) = &mut self.rigid {
            (0..self.all.len()).filter(|&i| self.all[i].inertia.is_some()).for_each(|i| rigid.wake(i));
        }
    }

    /// The names of those that are held.
    pub fn held(&self) -> Vec<&str> {
        let held = self.all.iter().filter(|body| body.hold.is_some());
        held.map(|body| body.object.name.as_str()).collect()
    }
}
