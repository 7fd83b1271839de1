//! What objects have, move with and could be: for the health of a run, and for worlds that were read.

use super::{Bodies, Body};
use crate::health::Kinetics;
use crate::objects::Sdf;
use crate::scene::{Edit, JointKind, Motion, Placement, Recorded, Scene};
use glam::Vec3;
use std::sync::Arc;

/// Farthest from the origin that an object may be [m].
const FARTHEST: f32 = 1e8;
/// How far the ends of a joint may be apart, over the size of what it holds: beyond, it holds nothing.
const TORN: f32 = 5.0;

impl Body {
    /// How it moves as a whole.
    fn moves(&self, sdf: &Sdf, planar: bool) -> Kinetics {
        let mass = self.inertia.map_or(0.0, |i| i.mass);
        let (velocity, spin) = (self.velocity.as_dvec3(), self.spin.as_dvec3());
        let turning = spin.dot(self.world_tensor() * spin);
        Kinetics {
            mass,
            fastest: self.fastest(sdf, planar),
            momentum: mass * velocity,
            energy: 0.5 * (mass * velocity.length_squared() + turning),
        }
    }

    /// Whether all its numbers are numbers.
    fn is_finite(&self) -> bool {
        let Placement { at, rotation } = self.placement;
        let moves = self.velocity.is_finite() && self.spin.is_finite();
        at.is_finite() && rotation.is_finite() && moves && self.deferred.is_finite()
    }

    /// Whether an object that starts so could be as this one is.
    fn could_be(&self, start: &Body) -> bool {
        let turn = |p: &Placement| (p.rotation.length() - 1.0).abs() < 1e-3;
        let near = |p: &Placement| p.at.abs().max_element() <= FARTHEST && turn(p);
        let (push, time) = self.received;
        let still = self.object.motion != Motion::Fixed || self.placement == start.placement;
        let mass = |m: f64| m.is_finite() && m >= 0.0;
        let told = push.is_finite() && time.is_finite() && mass(self.crowd) && mass(self.leaning);
        let told = told && (0.0..=FARTHEST).contains(&self.skin) && self.is_held_well();
        self.is_finite()
            && told
            && near(&self.placement)
            && near(&self.before)
            && still
            && self.inertia == start.inertia
            && self.hung == start.hung
    }
}

impl Bodies {
    /// What is wrong with objects that were read, beside those that the scene has at its start.
    pub fn unfit_beside(&self, expected: &Bodies) -> Option<String> {
        let whole = self.all.len() == expected.all.len() && self.rigid.is_some() == expected.rigid.is_some();
        if !whole {
            return Some("its objects are not those of its scene".into());
        }
        let mut unfit = self.all.iter().zip(&expected.all).filter(|(body, start)| !body.could_be(start));
        let named =
            |name: &str| format!("object.{name} is not as its scene has it, or where no object can be");
        unfit.next().map(|(body, _)| named(&body.object.name)).or_else(|| {
            let (rigid, start) = self.rigid.as_ref().zip(expected.rigid.as_ref())?;
            rigid.unfit_beside(start).map(str::to_string)
        })
    }

    /// Fastest point of objects that move as they are told, where they have gone ahead [m/s].
    pub fn led(&self, planar: bool) -> f32 {
        let is_led = |body: &Body| body.object.enabled && body.object.motion == Motion::Moving;
        let moving = self.all.iter().zip(&self.sdfs).filter(|(body, _)| is_led(body));
        moving.map(|(body, sdf)| body.fastest(sdf, planar)).fold(0.0, f32::max)
    }

    /// Fastest that motors drive a point of what they hold [m/s].
    pub fn motors(&self, scene: &Scene) -> f32 {
        let motors = scene.joint.iter().filter_map(|joint| {
            let held = scene.object.iter().position(|o| o.name == joint.object)?;
            let (body, sdf) = (self.all.get(held)?, self.sdfs.get(held)?);
            let reach = sdf.bounds().map_or(0.0, |(low, high)| low.distance(high));
            let arm = reach + body.placement.at.distance(joint.at.into());
            Some(match joint.kind {
                JointKind::Hinge => joint.speed?.abs().to_radians() * arm,
                _ => joint.speed?.abs(),
            })
        });
        motors.fold(0.0, f32::max)
    }

    /// How each free object moves, with its number among all.
    pub fn kinetics(&self, planar: bool) -> impl Iterator<Item = (usize, Kinetics)> + '_ {
        let all = self.all.iter().zip(&self.sdfs).enumerate();
        all.filter(|(_, (body, _))| body.inertia.is_some())
            .map(move |(i, (body, sdf))| (i, body.moves(sdf, planar)))
    }

    /// Fastest point of an object [m/s].
    pub fn speed(&self, object: usize) -> f32 {
        self.all[object].fastest(&self.sdfs[object], false)
    }

    /// The first object that is no longer a number, or faster than a limit [m/s] and free.
    pub(super) fn unfit(&self, planar: bool, limit: f32) -> Option<usize> {
        let all = self.all.iter().zip(&self.sdfs);
        let is_unfit = |(body, sdf): (&Body, &Arc<Sdf>)| {
            let runs = body.object.enabled && body.inertia.is_some() && body.fastest(sdf, planar) > limit;
            runs || !body.is_finite()
        };
        all.into_iter().position(is_unfit)
    }

    /// The first joint whose ends are far apart, and how far [m]. Those that an event or one of the `edits` so far may have taken apart do
    /// not count.
    pub fn torn(&self, scene: &Scene, edits: &[Recorded]) -> Option<(usize, f32)> {
        let edited =
            |path: &str| edits.iter().any(|e| matches!(&e.change, Edit::Set { path: p, .. } if p == path));
        let switched = |name: &str| {
            let path = format!("object.{name}.enabled");
            scene.changes(&path) || edited(&path)
        };
        let gaps = self.rigid.iter().flat_map(|rigid| rigid.gaps());
        (scene.joint.iter().zip(gaps).enumerate())
            .filter(|(_, (joint, _))| !switched(&joint.object) && !joint.to.as_deref().is_some_and(switched))
            .find(|(_, (_, (gap, size)))| gap > &(TORN * size))
            .map(|(n, (_, (gap, _)))| (n, gap))
    }

    /// Where they are: the corners of a box around their origins [m].
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let at = self.all.iter().map(|body| (body.placement.at, body.placement.at));
        at.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}
