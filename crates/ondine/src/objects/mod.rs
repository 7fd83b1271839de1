//! Rigid objects: their shapes as distances, and what moves them.
//!
//! Source: thesis 000 chapter 6.
//!
//! | step | file |
//! |---|---|
//! | a shape of the scene made ready for distances | `form`, `primitives`, `models`, `meshes` |
//! | a form in its place during a step | `solid` |

mod bodies;
mod colliders;
mod form;
mod mesh;
mod meshes;
mod models;
mod primitives;
mod rigid;
mod solid;

pub use bodies::{Bodies, Body};
pub use field::DistanceField;
pub use form::Form;
pub use mesh::TriangleMesh;
pub use meshes::{Mesh, Meshes};
pub use solid::{Pull, Solid, moved};

use glam::Vec3;

mod field {
    #![allow(missing_docs)]
    use super::Nearest;
    use glam::Vec3;
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct DistanceField(f32);
    impl DistanceField {
        pub fn nearest(&self, p: Vec3) -> Nearest {
            super::primitives::ball(p, self.0)
        }
        pub fn bounds(&self) -> (Vec3, Vec3) {
            (Vec3::splat(-self.0), Vec3::splat(self.0))
        }
    }
}

/// The nearest point of a surface: how far, negative inside, and the outward direction there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance [m].
    pub distance: f32,
    /// Outward unit normal.
    pub normal: Vec3,
}

impl Nearest {
    /// The same point seen from the other side: what was inside is outside.
    pub fn reversed(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal }
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
