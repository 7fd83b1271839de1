//! An object as particles meet it during one step: a shape, and where it goes.

use super::{End, Nearest, Sdf, Wall};
use crate::scene::{Placement, Scene, Shape};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A shape in its place, and the place it comes from.
#[derive(Clone, Debug)]
pub struct Collider {
    pub(crate) sdf: Arc<Sdf>,
    /// Where it is at the end of the step.
    pub placement: Placement,
    /// Where it was at the start of the step.
    pub before: Placement,
    /// Share of the sliding velocity that a contact takes away in a thirtieth of a second.
    pub friction: f32,
    /// Coulomb's coefficient, among rigid things.
    pub grip: f32,
    /// Share of the approach velocity that a contact gives back.
    pub restitution: f32,
    /// What points feel, by their number.
    pub adhesion: Vec<Pull>,
    /// Cosine of the angle at which liquids meet it, by the number of their points.
    pub wetting: Vec<f32>,
    /// Its number among all objects, if it is one.
    pub object: Option<u32>,
    /// Its number among all that is free, if it is: objects first, then the rigid parts of systems.
    pub free: Option<u32>,
    /// Whether it goes ahead with what gravity gives it in the step, before anything answers to that.
    pub falls: bool,
    /// Its mass [kg], without end unless it is free.
    pub mass: f64,
    /// Its centre of mass at the end of the step [m]: what torques are about.
    pub centre: Vec3,
}

/// How a liquid is drawn to a surface (thesis 000, equation 6.4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// k_adhesion [1/s²].
    pub k: f32,
    /// How far from touching it ends [m].
    pub range: f32,
}

impl Pull {
    /// Acceleration towards the surface at a distance from touching [m/s²].
    #[inline]
    pub fn at(&self, distance: f32) -> f32 {
        match distance > 0.0 && distance < self.range {
            true => self.k * distance * (1.0 - distance / self.range),
            false => 0.0,
        }
    }
}

impl Collider {
    /// A shape that stands still, slippery and dry.
    pub fn new(sdf: Arc<Sdf>, placement: Placement) -> Self {
        Self {
            sdf,
            placement,
            before: placement,
            friction: 0.0,
            grip: 0.0,
            restitution: 0.0,
            adhesion: Vec::new(),
            wetting: Vec::new(),
            object: None,
            free: None,
            falls: false,
            mass: f64::INFINITY,
            centre: placement.at,
        }
    }

    /// A shape of a scene in its place.
    pub fn of(shape: &Shape, placement: Placement, scene: &Scene) -> Self {
        Self::new(Arc::new(Sdf::new(shape, &scene.meshes, scene.planar())), placement)
    }

    /// What points number `number` feel of its adhesion.
    pub fn pull_on(&self, number: usize) -> Pull {
        self.adhesion.get(number).copied().unwrap_or_default()
    }

    /// Its shape in its own frame.
    pub fn sdf(&self) -> &Sdf {
        &self.sdf
    }

    /// Signed distance [m], negative inside.
    pub fn distance(&self, p: Vec3) -> f32 {
        self.sdf.distance(self.placement.to_local(p))
    }

    /// A distance that is surely not more than the true one, quickly found.
    #[inline(always)]
    pub fn at_least(&self, p: Vec3) -> f32 {
        self.sdf.at_least(self.placement.to_local(p))
    }

    /// A distance that is not more than the true one, quickly found where that can be.
    pub fn quick_distance(&self, p: Vec3) -> f32 {
        if self.sdf.is_outside_in() { self.distance(p) } else { self.at_least(p) }
    }

    /// The nearest point of the surface.
    pub fn nearest(&self, p: Vec3) -> Nearest {
        self.in_world(self.sdf.nearest(self.placement.to_local(p)))
    }

    /// The nearest point of the surface, if it is nearer than `reach`.
    pub fn nearest_within(&self, p: Vec3, reach: f32) -> Option<Nearest> {
        self.sdf.nearest_within(self.placement.to_local(p), reach).map(|near| self.in_world(near))
    }

    fn in_world(&self, near: Nearest) -> Nearest {
        Nearest { normal: self.placement.to_world_direction(near.normal), ..near }
    }

    /// Every wall within `reach` of an outside point.
    #[inline(always)]
    pub fn walls(&self, p: Vec3, reach: f32, mut wall: impl FnMut(Wall)) {
        let end_in_world = |end: End| End {
            across: self.placement.to_world_direction(end.across),
            beyond: self.placement.to_world(end.beyond),
            ..end
        };
        self.sdf.walls(self.placement.to_local(p), reach, |w| {
            let ends = if w.is_plane { [None; 2] } else { w.ends.map(|end| end.map(end_in_world)) };
            wall(Wall { near: self.in_world(w.near), ends, ..w })
        });
    }

    /// Corners of a box that holds it, if anything can.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.sdf.bounds().map(|(low, high)| self.placement.box_around(low, high))
    }

    /// Whether it does not move during the step.
    pub fn is_still(&self) -> bool {
        self.placement == self.before
    }

    /// Velocity [m/s] of the point of it that is at `p` at the end of the step, as it was before gravity acted in this one: the
    /// pressure and the drag that hold a body come after it, and would meet one that sinks or rests too fast by gravity's share of a step.
    pub fn velocity_at(&self, p: Vec3, gravity: Vec3, dt: f32) -> Vec3 {
        let ahead = (p - self.before.to_world(self.placement.to_local(p))) / dt;
        if self.falls { ahead - dt * gravity } else { ahead }
    }
}

/// The placement a step later, from the velocity of its origin [m/s] and its spin [rad/s].
pub fn moved(placement: &Placement, velocity: Vec3, spin: Vec3, dt: f32) -> Placement {
    let turn = Quat::from_scaled_axis(spin * dt);
    Placement { at: placement.at + dt * velocity, rotation: (turn * placement.rotation).normalize() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that has gone ahead for a step under gravity moves, for those whom it drags, as it came.
    #[test]
    fn gravity_ahead_of_what_answers_it_drags_nobody() {
        let (dt, came, gravity) = (0.001, Vec3::new(0.02, -0.04, 0.0), Vec3::new(0.0, -9.81, 0.0));
        let placement = moved(&Placement::ORIGIN, came + dt * gravity, Vec3::ZERO, dt);
        let still = Collider::of(&Shape::Sphere { radius: 0.02 }, placement, &Scene::default());
        let ball = Collider { before: Placement::ORIGIN, falls: true, ..still };
        let at = ball.velocity_at(Vec3::new(0.02, 0.0, 0.0), gravity, dt);
        assert!((at - came).length() < 1e-5, "{at}");
    }
}
