//! Rigid objects: their shapes as distances, and what moves them.
//!
//! Source: thesis 000 chapter 6.
//!
//! | step | file |
//! |---|---|
//! | a shape of the scene made ready for distances | `sdf`, `touches`, `primitives`, `blend`, `chart`, `models`, `meshes`, `field` |
//! | a shape in its place during a step | `collider` |

mod blend;
mod bodies;
mod bounces;
mod chart;
mod clipped;
mod collider;
mod faces;
mod field;
mod grips;
mod joints;
mod mass_properties;
mod meetings;
mod mesh;
mod meshes;
mod models;
mod polygonize;
mod primitives;
mod rigid;
mod rigid_shapes;
mod sdf;
mod springs;
mod touches;

pub(crate) use bodies::{Bodies, Body, Cling, GROWTH, Given};
pub use collider::{Collider, Pull, moved};
pub use faces::{Faces, faces_of, thinnest};
pub use field::{DistanceField, FieldFault, FieldOptions};
pub use mass_properties::MassProperties;
pub use mesh::TriangleMesh;
pub use meshes::{Mesh, Meshes, Uv};
pub use polygonize::{marching, polygonize};
pub use rigid_shapes::mesh_of;
pub use sdf::Sdf;

use glam::Vec3;

/// The nearest point of a surface: how far, negative inside, and the outward direction there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance [m].
    pub distance: f32,
    /// Outward unit normal.
    pub normal: Vec3,
    /// How the surface bends, in each way in which it does [1/m]: 0 where it is flat or not known, 1/r around a ball.
    pub bend: f32,
}

/// One of the walls that a shape has.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// Its number among the shape's walls.
    pub face: u32,
    /// Whether it is one plane, without an end.
    pub is_plane: bool,
    /// Where it is nearest.
    pub near: Nearest,
    /// In how many ways it bends: a ball in two, or one in the plane, a rod in one.
    pub ways: f32,
    /// Where it ends, as far as that is near.
    pub ends: [Option<End>; 2],
}

/// An edge at which a flat wall ends.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// How far beyond it a point is, along the wall [m]; negative above the wall.
    pub past: f32,
    /// Unit vector along the wall, across the edge.
    pub across: Vec3,
    /// A point a little past the edge, off the wall: if another collider is there, the edge is covered.
    pub beyond: Vec3,
}

impl Wall {
    /// A plane without an end.
    fn plane(face: u32, near: Nearest) -> Self {
        Self { face, is_plane: true, near, ways: 0.0, ends: [None; 2] }
    }

    /// The only wall of a shape.
    fn only(near: Nearest, ways: f32) -> Self {
        Self { face: 0, is_plane: false, near, ways, ends: [None; 2] }
    }
}

impl Nearest {
    /// A point of a surface that is flat, or whose bend is not known.
    pub fn flat(distance: f32, normal: Vec3) -> Self {
        Self { distance, normal, bend: 0.0 }
    }

    /// The same point seen from the other side: what was inside is outside.
    pub fn reversed(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal, bend: -self.bend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Blend, Model, Part, Placement, Scene, Shape};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    fn collider(shape: &Shape, placement: Placement) -> Collider {
        Collider::of(shape, placement, &Scene::default())
    }

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::HalfSpace { normal: [0.3, 2.0, -0.5] },
            Shape::Box { size: [1.0, 2.0, 0.5] },
            Shape::Container { size: [1.0, 2.0, 3.0], open: false },
            Shape::Container { size: [1.0, 2.0, 3.0], open: true },
            Shape::Sphere { radius: 0.7 },
            Shape::Capsule { radius: 0.3, height: 1.0 },
            Shape::Cylinder { radius: 0.4, height: 1.5 },
            Shape::Cone { radius: 0.5, height: 1.2 },
            Shape::Torus { radius: 0.6, tube: 0.2 },
            Shape::RoundContainer { radius: 0.8, height: 1.6, open: false },
            Shape::RoundContainer { radius: 0.8, height: 1.6, open: true },
            Shape::Mould { of: Box::new(Shape::Sphere { radius: 0.7 }) },
        ]
    }

    #[test]
    fn distances_of_known_points() {
        let at = |shape, p: [f32; 3]| {
            collider(&shape, Placement::new([1.0, 0.0, 0.0], [0.0; 3])).distance(Vec3::from(p))
        };
        assert_eq!(at(Shape::Sphere { radius: 1.0 }, [4.0, 0.0, 0.0]), 2.0);
        assert_eq!(at(Shape::Box { size: [2.0; 3] }, [1.0, 0.25, 0.0]), -0.75);
        assert_eq!(at(Shape::Box { size: [2.0; 3] }, [5.0, 4.0, 0.0]), (9.0f32 + 9.0).sqrt());
        assert_eq!(at(Shape::Container { size: [2.0; 3], open: false }, [1.0, 0.5, 0.0]), 0.5);
        assert_eq!(at(Shape::Container { size: [2.0; 3], open: true }, [1.0, 9.0, 0.0]), 1.0);
        assert_eq!(at(Shape::Cylinder { radius: 1.0, height: 2.0 }, [1.0, 3.0, 0.0]), 2.0);
        assert_eq!(at(Shape::Capsule { radius: 1.0, height: 2.0 }, [1.0, 3.0, 0.0]), 1.0);
        assert_eq!(at(Shape::Cone { radius: 1.0, height: 2.0 }, [1.0, 3.0, 0.0]), 2.0);
        assert_eq!(at(Shape::Cone { radius: 1.0, height: 2.0 }, [1.0, -3.0, 0.5]), 2.0);
        assert_eq!(at(Shape::Torus { radius: 2.0, tube: 0.5 }, [1.0, 0.0, 0.0]), 1.5);
        assert_eq!(at(Shape::RoundContainer { radius: 1.0, height: 2.0, open: true }, [1.0, 9.0, 0.5]), 0.5);
        assert_eq!(at(Shape::Mould { of: Box::new(Shape::Sphere { radius: 1.0 }) }, [1.5, 0.0, 0.0]), 0.5);
    }

    #[test]
    fn a_turned_box_is_where_it_should_be() {
        let turned =
            collider(&Shape::Box { size: [2.0, 0.2, 0.2] }, Placement::new([0.0; 3], [0.0, 0.0, 90.0]));
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
                let collider = collider(&shape, Placement::new([0.1, 0.2, 0.3], turn));
                let p = Vec3::new(x, y, z);
                let near = collider.nearest(p);
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-4);
                // Outside points of a box's or cylinder's edges have exact distances; inside, up to the medial axis.
                let foot = p - near.distance * near.normal;
                prop_assert!(collider.distance(foot).abs() < 2e-3, "{shape:?} {p} {near:?}");
            }
        }
    }

    fn blends() -> Vec<Shape> {
        let parts = || {
            vec![
                Part::new(Shape::Box { size: [1.0; 3] }, [0.0; 3]),
                Part {
                    scale: 1.5,
                    rotate: [20.0, 0.0, 40.0],
                    ..Part::new(Shape::Sphere { radius: 0.4 }, [0.5, 0.3, 0.2])
                },
                Part::new(Shape::Cone { radius: 0.3, height: 1.0 }, [-0.2, 0.4, 0.1]),
            ]
        };
        let smooth = |smooth| {
            let blend = || Blend { of: parts(), smooth };
            [Shape::Union(blend()), Shape::Difference(blend()), Shape::Intersection(blend())]
        };
        let models = [Model::Rabbit, Model::Figure, Model::Stool, Model::Cup, Model::Teapot];
        let models = models.map(|of| Shape::Model { of, height: 1.0 });
        [0.0, 0.2].into_iter().flat_map(smooth).chain(models).collect()
    }

    /// A cup is hollow; what is cut out is outside; what is joined is inside.
    #[test]
    fn blends_hold_what_they_say() {
        let wall = Part::new(Shape::Cylinder { radius: 1.0, height: 2.0 }, [0.0; 3]);
        let room = Part::new(Shape::Cylinder { radius: 0.9, height: 2.0 }, [0.0, 0.1, 0.0]);
        let cup =
            collider(&Shape::Difference(Blend { of: vec![wall, room], smooth: 0.0 }), Placement::ORIGIN);
        assert!((cup.distance(Vec3::ZERO) - 0.9).abs() < 1e-6);
        assert!((cup.distance(Vec3::X * 0.95) + 0.05).abs() < 1e-6);
        assert!((cup.distance(Vec3::X * 1.5) - 0.5).abs() < 1e-6);
        assert!((cup.distance(Vec3::Y * 1.01) - 0.09).abs() < 1e-6, "nothing spans its nozzle");
        let ball = |x: f32| Part::new(Shape::Sphere { radius: 0.5 }, [x, 0.0, 0.0]);
        let union = |smooth| {
            collider(&Shape::Union(Blend { of: vec![ball(-0.6), ball(0.6)], smooth }), Placement::ORIGIN)
        };
        assert!((union(0.0).distance(Vec3::ZERO) - 0.1).abs() < 1e-6);
        assert!(
            (union(0.4).distance(Vec3::ZERO) - 0.0).abs() < 1e-6,
            "a smooth union swells by a quarter of its width"
        );
    }

    /// A plank that leans out of the plane, and ready-made figures that have some, stay as small as they are.
    #[test]
    fn parts_that_lean_out_of_the_plane_keep_their_size() {
        let plank = Part { rotate: [60.0, 0.0, 10.0], ..Part::new(Shape::Box { size: [0.2; 3] }, [0.0; 3]) };
        let leaning = Shape::Union(Blend { of: vec![plank], smooth: 0.0 });
        let scene = Scene { dimension: 2, ..Scene::default() };
        for shape in blends().into_iter().chain([leaning]) {
            let collider = Collider::of(&shape, Placement::ORIGIN, &scene);
            let (low, high) = collider.bounds().expect("it has an end");
            assert!((high - low).truncate().max_element() < 10.0, "{shape:?} {low} {high}");
        }
    }

    /// Radius of the particles for which charts are made.
    const RADIUS: f32 = 0.02;

    /// Blends, their moulds, and both with charts.
    static CHARTED: LazyLock<Vec<(Sdf, Sdf)>> = LazyLock::new(|| {
        let moulds = blends().into_iter().map(|of| Shape::Mould { of: Box::new(of) });
        let sdfs = blends().into_iter().chain(moulds).map(|s| Sdf::new(&s, &Meshes::default(), false));
        sdfs.map(|sdf| (sdf.clone(), sdf.charted(RADIUS))).collect()
    });

    proptest! {
        /// Charts are right to a small part of a particle, also where they were not tried; and what they say is the least
        /// distance is.
        #[test]
        fn charts_are_right(p in prop::collection::vec(prop::array::uniform3(-1f32..1.0), 200)) {
            for ((sdf, charted), p) in CHARTED.iter().flat_map(|sdfs| p.iter().map(move |p| (sdfs, Vec3::from(*p)))) {
                let (exact, near) = (sdf.nearest(p), charted.nearest(p));
                let error = (exact.distance - near.distance).abs();
                let far = exact.distance.abs() > 7.5 * RADIUS && near.distance.abs() > 7.0 * RADIUS;
                prop_assert!(far || error < 0.2 * RADIUS, "{exact:?} {near:?} {p}");
                prop_assert!(charted.at_least(p) <= exact.distance.max(sdf.at_least(p)), "{exact:?} {p}");
            }
        }

        /// What sweeping and pushing out rely on: slope at most 1, unit normals along it, and the box holds it.
        #[test]
        fn blends_never_overstate_a_distance(
            p in prop::array::uniform3(-1.5f32..1.5), d in prop::array::uniform3(-0.1f32..0.1),
        ) {
            for shape in blends() {
                let collider = collider(&shape, Placement::ORIGIN);
                let (p, q) = (Vec3::from(p), Vec3::from(p) + Vec3::from(d));
                let near = collider.nearest(p);
                prop_assert!((near.distance - collider.distance(q)).abs() <= p.distance(q) + 1e-4, "{shape:?}");
                prop_assert!((near.normal.length() - 1.0).abs() < 1e-4, "{shape:?}");
                prop_assert!(near.distance > -1e-5 || collider.at_least(p) <= 1e-5, "{shape:?} {p}");
            }
        }
    }
}
