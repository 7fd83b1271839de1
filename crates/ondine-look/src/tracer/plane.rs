//! Endless ground and walls.

use super::ray::Ray;
use crate::ground::checker_plane;
use glam::Vec3A;

/// Squares of the checker from the camera at which they have faded: further out they would only glitter.
const FADED_SQUARES: f32 = 36.0;

/// Endless ground or wall, seen from the side that its normal points to.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// A point of it.
    pub at: Vec3A,
    /// Away from the ground.
    pub normal: Vec3A,
    /// Number of its material.
    pub material: u16,
    /// Side of the squares of its checker [m].
    pub checker_size: f32,
    /// How far from the camera it has half gone into the horizon [m].
    pub haze: f32,
}

impl Plane {
    /// How far a ray goes until it meets the front of the plane.
    pub fn intersect(&self, ray: &Ray) -> Option<f32> {
        let towards = ray.direction.dot(self.normal);
        let distance = (self.at - ray.origin).dot(self.normal) / towards;
        (towards < 0.0 && distance > 0.0 && distance < 1e9).then_some(distance)
    }

    /// 1 on the darker squares, 0 on the others, in the two axes that the plane runs along most.
    pub fn checker(&self, p: Vec3A) -> f32 {
        let flat = checker_plane(p.into(), self.normal.into());
        let odd = |x: f32| (x / self.checker_size).floor().rem_euclid(2.0);
        (odd(flat.x) - odd(flat.y)).abs()
    }

    /// How much of the checker is seen from a distance.
    pub fn checker_contrast(&self, distance: f32) -> f32 {
        (1.0 - distance / (FADED_SQUARES * self.checker_size)).clamp(0.0, 1.0)
    }
}
