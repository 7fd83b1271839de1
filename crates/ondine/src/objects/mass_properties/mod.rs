//! How hard shapes are to push and to turn.
//!
//! Closed forms for the simple shapes, all centred on the origin with y as their axis; sums over cells for the rest.

mod gather;
#[cfg(test)]
mod tests;

use crate::power::Power;
use glam::{DMat3, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Mass, centre of mass and inertia of a body. As built its density is one, so its mass is its volume.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass [kg]; as built, with a density of one, the volume [m³].
    pub mass: f64,
    /// Centre of mass [m].
    pub centre: DVec3,
    /// MassProperties tensor about the centre of mass [m⁵]; after [`MassProperties::scaled`] [kg m²].
    pub tensor: DMat3,
}

impl MassProperties {
    /// Nothing, at the origin.
    pub const NONE: Self = Self { mass: 0.0, centre: DVec3::ZERO, tensor: DMat3::ZERO };

    /// A ball.
    pub fn sphere(radius: f32) -> Self {
        let r = f64::from(radius);
        Self::round(4.0 / 3.0 * PI * r.power(3), 0.4 * r * r, 0.4 * r * r)
    }

    /// A box of the given side lengths.
    pub fn cuboid(size: Vec3) -> Self {
        let size = size.as_dvec3();
        let mass = size.element_product();
        Self::from_second(mass, DVec3::ZERO, DMat3::from_diagonal(mass * size * size / 12.0))
    }

    /// A capsule; `height` is that of the straight part between the round ends.
    pub fn capsule(radius: f32, height: f32) -> Self {
        let (r, h) = (f64::from(radius), f64::from(height));
        let tube = PI * r * r * h;
        let ends = 4.0 / 3.0 * PI * r.power(3);
        let along = tube * 0.5 * r * r + ends * 0.4 * r * r;
        // The ends are half balls, whose centres of mass lie three eighths of the radius beyond the straight part.
        let across =
            tube * (h * h / 12.0 + 0.25 * r * r) + ends * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r);
        Self { mass: tube + ends, centre: DVec3::ZERO, tensor: about_y(along, across) }
    }

    /// A cylinder.
    pub fn cylinder(radius: f32, height: f32) -> Self {
        let (r, h) = (f64::from(radius), f64::from(height));
        Self::round(PI * r * r * h, 0.5 * r * r, 0.25 * r * r + h * h / 12.0)
    }

    /// A cone. The origin is in the middle of its height: base at `-height / 2`, apex at `height / 2`. Its centre of
    /// mass is a quarter of the height above the base.
    pub fn cone(radius: f32, height: f32) -> Self {
        let (r, h) = (f64::from(radius), f64::from(height));
        let upright = Self::round(PI * r * r * h / 3.0, 0.3 * r * r, 0.15 * r * r + 0.0375 * h * h);
        Self { centre: DVec3::NEG_Y * 0.25 * h, ..upright }
    }

    /// A torus: `minor` is the radius of the ring's own thickness, at most `major`, that of the ring.
    pub fn torus(major: f32, minor: f32) -> Self {
        let (a, b) = (f64::from(major), f64::from(minor));
        Self::round(2.0 * PI * PI * a * b * b, a * a + 0.75 * b * b, 0.5 * a * a + 0.625 * b * b)
    }

    /// A disc in the plane of x and y, one metre thick: `tensor.z_axis.z` is its polar moment.
    pub fn disc(radius: f32) -> Self {
        Self::cylinder(radius, 1.0).placed(Vec3::ZERO, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2))
    }

    /// A rectangle in the plane of x and y, one metre thick.
    pub fn rectangle(width: f32, height: f32) -> Self {
        Self::cuboid(Vec3::new(width, height, 1.0))
    }

    /// Any shape, by its signed distance [m], negative inside, within a box between two corners.
    ///
    /// `resolution` is the number of cells along the longest side, from 8 to 512. Those at the surface are divided
    /// again, those far from it taken together, so the work grows with the surface only. With 64 cells the errors for
    /// simple shapes are below 0.3 %; parts thinner than half a cell come out too heavy. The distance must change by no
    /// more than the way gone. A box that is not finite is empty.
    pub fn of_distance(
        distance: &(dyn Fn(Vec3) -> f32 + Sync),
        low: Vec3,
        high: Vec3,
        resolution: u32,
    ) -> Self {
        gather::in_space(distance, low, high, resolution)
    }

    /// The slice of a shape in the plane z = 0, one metre thick: `mass` is its area [m²], `tensor.z_axis.z` its polar
    /// moment [m⁴]. Otherwise as [`MassProperties::of_distance`]; the corners' z do not matter.
    pub fn of_slice(distance: &(dyn Fn(Vec3) -> f32 + Sync), low: Vec3, high: Vec3, resolution: u32) -> Self {
        gather::in_plane(distance, low, high, resolution)
    }

    /// The same body with its density multiplied.
    pub fn scaled(self, density: f64) -> Self {
        Self { mass: self.mass * density, tensor: self.tensor * density, ..self }
    }

    /// The same body turned about the origin, then moved there.
    pub fn placed(self, at: Vec3, turn: Quat) -> Self {
        let turn = DMat3::from_quat(turn.as_dquat().normalize());
        Self {
            mass: self.mass,
            centre: at.as_dvec3() + turn * self.centre,
            tensor: turn * self.tensor * turn.transpose(),
        }
    }

    /// Two bodies as one. Scaled by a negative density, the second is a hole in the first.
    pub fn joined(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        let moment = self.mass * self.centre + other.mass * other.centre;
        let centre = if mass == 0.0 { self.centre } else { moment / mass };
        Self { mass, centre, tensor: self.about(centre) + other.about(centre) }
    }

    /// The inertia tensor about any point (parallel axes theorem).
    pub fn about(&self, point: DVec3) -> DMat3 {
        self.tensor + self.mass * turning(outer(point - self.centre))
    }

    /// From the second moment about the centre, the integral of `r rᵀ`.
    fn from_second(mass: f64, centre: DVec3, second: DMat3) -> Self {
        Self { mass, centre, tensor: turning(second) }
    }

    /// A body round the y axis, by its squared radii of gyration along and across it.
    fn round(mass: f64, along: f64, across: f64) -> Self {
        Self { mass, centre: DVec3::ZERO, tensor: about_y(mass * along, mass * across) }
    }
}

fn about_y(along: f64, across: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(across, along, across))
}

/// `r rᵀ`.
fn outer(r: DVec3) -> DMat3 {
    DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}

/// MassProperties from second moments: what lies off an axis resists turning about it.
fn turning(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}
