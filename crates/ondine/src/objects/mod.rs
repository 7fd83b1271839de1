//! Rigid objects as distances: how far a point is from a shape, and which way is out.
//!
//! Source: thesis 000 chapter 6, where "distance" is negative inside an object and the normal is its gradient. The
//! shapes here have closed forms; `field` tabulates the distance of any mesh. Limits: objects do not move.

mod field;
mod mesh;

pub use field::{DistanceField, FieldFault, FieldOptions};
pub use mesh::TriangleMesh;

use crate::scene::{self, Placement, Shape};
use glam::{Vec2, Vec3};

/// Half-lengths across the plane of a planar scene: nothing reaches that far.
const ACROSS: f32 = 1e9;

/// An object ready for distance queries.
#[derive(Clone, Debug)]
pub struct Solid {
    shape: Shape,
    placement: Placement,
    planar: bool,
    /// Share of the sliding velocity that a contact takes away in a thirtieth of a second.
    pub friction: f32,
}

/// The nearest point of a surface: how far, negative inside, and the outward direction there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance [m].
    pub distance: f32,
    /// Outward unit normal.
    pub normal: Vec3,
}

impl Solid {
    /// A shape in its place.
    pub fn new(shape: Shape, placement: Placement, planar: bool) -> Self {
        Self { shape, placement, planar, friction: 0.0 }
    }

    /// The objects of a scene that are there now.
    pub fn of_scene(scene: &scene::Scene) -> Vec<Solid> {
        scene
            .object
            .iter()
            .filter(|o| o.enabled)
            .map(|o| Self { friction: o.friction, ..Self::new(o.shape, o.placement(), scene.planar()) })
            .collect()
    }

    /// Signed distance [m], negative inside.
    pub fn distance(&self, p: Vec3) -> f32 {
        self.nearest(p).distance
    }

    /// The nearest point of the surface.
    pub fn nearest(&self, p: Vec3) -> Nearest {
        let local = self.placement.to_local(p);
        let near = match self.shape {
            Shape::HalfSpace { normal } => half_space(local, normal.into()),
            Shape::Box { size } => block(local, self.half(size)),
            Shape::Container { size, open } => container(local, self.half(size), open),
            Shape::Sphere { radius } => ball(local, radius),
            Shape::Capsule { radius, height } => {
                ball(local - Vec3::Y * local.y.clamp(-0.5 * height, 0.5 * height), radius)
            }
            Shape::Cylinder { radius, height } => cylinder(local, radius, 0.5 * height),
        };
        Nearest { distance: near.distance, normal: self.placement.to_world_direction(near.normal) }
    }

    /// Every flat piece of the surface within `reach` of an outside point. A container has up to six, others one.
    #[inline(always)]
    pub fn walls(&self, p: Vec3, reach: f32, mut wall: impl FnMut(Nearest)) {
        let Shape::Container { size, open } = self.shape else {
            let near = self.nearest(p);
            if near.distance < reach {
                wall(near);
            }
            return;
        };
        let (local, half) = (self.placement.to_local(p), self.half(size));
        for c in 0..3 {
            for side in [-1.0f32, 1.0] {
                let distance = half[c] - side * local[c];
                if distance < reach && !(open && c == 1 && side > 0.0) {
                    let mut normal = Vec3::ZERO;
                    normal[c] = -side;
                    wall(Nearest { distance, normal: self.placement.to_world_direction(normal) });
                }
            }
        }
    }

    fn half(&self, size: [f32; 3]) -> Vec3 {
        let mut half = 0.5 * Vec3::from(size);
        if self.planar {
            half.z = ACROSS;
        }
        half
    }

    /// Whether every straight line out of the solid stays out: then a particle that ends outside never was inside.
    pub fn is_outside_in(&self) -> bool {
        matches!(self.shape, Shape::HalfSpace { .. } | Shape::Container { .. })
    }

    /// Thickness of the thinnest part [m].
    pub fn thickness(&self) -> f32 {
        match self.shape {
            Shape::HalfSpace { .. } | Shape::Container { .. } => f32::INFINITY,
            Shape::Box { size } => 2.0 * self.half(size).min_element(),
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => 2.0 * radius,
            Shape::Cylinder { radius, height } => height.min(2.0 * radius),
        }
    }

    /// Corners of a box that holds the solid, if anything can.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let half = match self.shape {
            Shape::HalfSpace { .. } => return None,
            Shape::Box { size } | Shape::Container { size, .. } => 0.5 * Vec3::from(size),
            Shape::Sphere { radius } => Vec3::splat(radius),
            Shape::Capsule { radius, height } => Vec3::new(radius, radius + 0.5 * height, radius),
            Shape::Cylinder { radius, height } => Vec3::new(radius, 0.5 * height, radius),
        };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|a| self.placement.to_world_direction(a).abs());
        let reach = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
        Some((self.placement.at - reach, self.placement.at + reach))
    }
}

fn half_space(p: Vec3, normal: Vec3) -> Nearest {
    let normal = normal.normalize_or(Vec3::Y);
    Nearest { distance: p.dot(normal), normal }
}

fn ball(p: Vec3, radius: f32) -> Nearest {
    let r = p.length();
    Nearest { distance: r - radius, normal: if r > 0.0 { p / r } else { Vec3::Y } }
}

fn block(p: Vec3, half: Vec3) -> Nearest {
    let beyond = p.abs() - half;
    let sign = Vec3::select(p.cmplt(Vec3::ZERO), Vec3::NEG_ONE, Vec3::ONE);
    let outside = beyond.max(Vec3::ZERO);
    let r = outside.length();
    if r > 0.0 {
        return Nearest { distance: r, normal: sign * outside / r };
    }
    let c = beyond.max_position();
    let mut normal = Vec3::ZERO;
    normal[c] = sign[c];
    Nearest { distance: beyond[c], normal }
}

fn container(p: Vec3, half: Vec3, open: bool) -> Nearest {
    // Without a top the inside goes on upwards: a taller box around a lower point.
    let (p, half) = match open && p.y > 0.0 {
        true => (Vec3::new(p.x, 0.0, p.z), Vec3::new(half.x, ACROSS, half.z)),
        false => (p, half),
    };
    let near = block(p, half);
    Nearest { distance: -near.distance, normal: -near.normal }
}

fn cylinder(p: Vec3, radius: f32, half_height: f32) -> Nearest {
    let across = Vec2::new(p.x, p.z);
    let r = across.length();
    let radial = if r > 0.0 { Vec3::new(p.x / r, 0.0, p.z / r) } else { Vec3::X };
    let axial = if p.y < 0.0 { Vec3::NEG_Y } else { Vec3::Y };
    let beyond = Vec2::new(r - radius, p.y.abs() - half_height);
    let outside = beyond.max(Vec2::ZERO);
    let d = outside.length();
    if d > 0.0 {
        return Nearest { distance: d, normal: (radial * outside.x + axial * outside.y) / d };
    }
    if beyond.x > beyond.y {
        Nearest { distance: beyond.x, normal: radial }
    } else {
        Nearest { distance: beyond.y, normal: axial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::HalfSpace { normal: [0.3, 2.0, -0.5] },
            Shape::Box { size: [1.0, 2.0, 0.5] },
            Shape::Container { size: [1.0, 2.0, 3.0], open: false },
            Shape::Container { size: [1.0, 2.0, 3.0], open: true },
            Shape::Sphere { radius: 0.7 },
            Shape::Capsule { radius: 0.3, height: 1.0 },
            Shape::Cylinder { radius: 0.4, height: 1.5 },
        ]
    }

    #[test]
    fn distances_of_known_points() {
        let at = |shape, p: [f32; 3]| {
            Solid::new(shape, Placement::new([1.0, 0.0, 0.0], [0.0; 3]), false).distance(Vec3::from(p))
        };
        assert_eq!(at(Shape::Sphere { radius: 1.0 }, [4.0, 0.0, 0.0]), 2.0);
        assert_eq!(at(Shape::Box { size: [2.0; 3] }, [1.0, 0.25, 0.0]), -0.75);
        assert_eq!(at(Shape::Box { size: [2.0; 3] }, [5.0, 4.0, 0.0]), (9.0f32 + 9.0).sqrt());
        assert_eq!(at(Shape::Container { size: [2.0; 3], open: false }, [1.0, 0.5, 0.0]), 0.5);
        assert_eq!(at(Shape::Container { size: [2.0; 3], open: true }, [1.0, 9.0, 0.0]), 1.0);
        assert_eq!(at(Shape::Cylinder { radius: 1.0, height: 2.0 }, [1.0, 3.0, 0.0]), 2.0);
        assert_eq!(at(Shape::Capsule { radius: 1.0, height: 2.0 }, [1.0, 3.0, 0.0]), 1.0);
    }

    #[test]
    fn a_turned_box_is_where_it_should_be() {
        let turned = Solid::new(
            Shape::Box { size: [2.0, 0.2, 0.2] },
            Placement::new([0.0; 3], [0.0, 0.0, 90.0]),
            false,
        );
        assert!((turned.distance(Vec3::new(0.0, 1.5, 0.0)) - 0.5).abs() < 1e-6);
    }

    proptest! {
        /// The normal is the gradient of the distance, and walking along it leads to the surface.
        #[test]
        fn normals_lead_to_the_surface(
            x in -2f32..2.0, y in -2f32..2.0, z in -2f32..2.0,
            turn in prop::array::uniform3(-180f32..180.0),
        ) {
            for shape in shapes() {
                let solid = Solid::new(shape, Placement::new([0.1, 0.2, 0.3], turn), false);
                let p = Vec3::new(x, y, z);
                let near = solid.nearest(p);
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-4);
                // Outside points of a box's or cylinder's edges have exact distances; inside, up to the medial axis.
                let foot = p - near.distance * near.normal;
                prop_assert!(solid.distance(foot).abs() < 2e-3, "{shape:?} {p} {near:?}");
            }
        }
    }
}
