//! Containers as thin panes of glass: one sees inside.
//!
//! Panes are so thin that nothing is bent. They are seen by the camera alone: a faint reflection of the sky, nothing else,
//! which costs no more rays than there were.

use super::optics::{fresnel, reflected};
use super::ray::Ray;
use super::sky::Sky;
use glam::{Vec3A, Vec3Swizzles};
use ondine::scene::Placement;

/// Refractive index of the panes.
const GLASS: f32 = 1.5;

/// The most that a pane reflects: edge on it would hide what is in it.
const MOST: f32 = 0.15;

/// What a pane lets through of what it does not reflect: its edges are green.
const TINT: Vec3A = Vec3A::new(0.985, 0.995, 0.99);

/// Cosine to a pane within which a surface counts as lying against it.
const FLAT: f32 = 0.6;

/// The panes around the inside of a container.
#[derive(Clone, Copy, Debug)]
pub struct Panes {
    /// Half its sides [m].
    pub half: Vec3A,
    /// Whether it is a drum around y rather than a box.
    pub round: bool,
    /// Where it stands.
    pub placement: Placement,
}

impl Panes {
    /// What the panes before a distance do to the light of a ray: the fraction that comes through, and light added to it.
    pub fn veil(&self, ray: &Ray, distance: f32, sky: &Sky) -> (Vec3A, Vec3A) {
        let back = self.placement.rotation.inverse();
        let origin = back * (ray.origin - Vec3A::from(self.placement.at));
        let local = Ray { origin, direction: back * ray.direction };
        let (mut through, mut added) = (Vec3A::ONE, Vec3A::ZERO);
        for (t, normal) in self.crossings(&local).into_iter().flatten() {
            let upright = t > 0.0 && t < distance && local.at(t).y.abs() <= self.half.y;
            if !upright {
                continue;
            }
            let normal = self.placement.rotation * normal;
            // Both faces of the pane reflect, again and again.
            let once = fresnel(ray.direction.dot(normal).abs(), GLASS);
            let reflectance = (2.0 * once / (1.0 + once)).min(MOST);
            added += through * reflectance * sky.light(reflected(ray.direction, normal));
            through *= TINT * (1.0 - reflectance);
        }
        (through, added)
    }

    /// The outward normal of the pane that a surface lies against, if it does.
    pub fn pane_near(&self, point: Vec3A, shading_normal: Vec3A, near: f32) -> Option<Vec3A> {
        let back = self.placement.rotation.inverse();
        let (p, n) = (back * (point - Vec3A::from(self.placement.at)), back * shading_normal);
        let pane = if self.round {
            let out = p.with_y(0.0);
            (self.half.x - out.length() < near).then(|| out.normalize_or(Vec3A::X))
        } else {
            let (x, z) = (self.half.x - p.x.abs(), self.half.z - p.z.abs());
            let sides = [(x, Vec3A::X * p.x.signum()), (z, Vec3A::Z * p.z.signum())];
            sides.into_iter().find(|(d, side)| *d < near && n.dot(*side) > FLAT).map(|(_, side)| side)
        };
        pane.filter(|side| n.dot(*side) > FLAT && p.y.abs() < self.half.y)
            .map(|side| self.placement.rotation * side)
    }

    /// Where a ray crosses the upright walls.
    fn crossings(&self, ray: &Ray) -> [Option<(f32, Vec3A)>; 2] {
        if self.round {
            return self.round_crossings(ray);
        }
        let crossing = |c: usize| {
            let (a, b) = (
                (-self.half[c] - ray.origin[c]) / ray.direction[c],
                (self.half[c] - ray.origin[c]) / ray.direction[c],
            );
            (a.min(b), a.max(b))
        };
        let ((x_in, x_out), (z_in, z_out)) = (crossing(0), crossing(2));
        let (enter, leave) = (x_in.max(z_in), x_out.min(z_out));
        if enter.is_nan() || leave.is_nan() || enter > leave {
            return [None; 2];
        }
        let normal = |x: bool| if x { Vec3A::X } else { Vec3A::Z };
        [Some((enter, normal(enter == x_in))), Some((leave, normal(leave == x_out)))]
    }

    fn round_crossings(&self, ray: &Ray) -> [Option<(f32, Vec3A)>; 2] {
        let (origin, direction) = (ray.origin.xz(), ray.direction.xz());
        let (a, b) = (direction.length_squared(), origin.dot(direction));
        let root = b * b - a * (origin.length_squared() - self.half.x * self.half.x);
        if a < 1e-9 || root.is_nan() || root <= 0.0 {
            return [None; 2];
        }
        [(-b - root.sqrt()) / a, (-b + root.sqrt()) / a].map(|t| {
            let p = ray.at(t);
            Some((t, p.with_y(0.0) / self.half.x))
        })
    }
}
