//! What objects are to one another: the shapes that rapier knows.
//!
//! Unions become compounds of their parts (their smooth seams are for liquids only); what has no such form is polygonized,
//! and then either taken as it is, where nothing pushes it, or cut into convex pieces.

use super::polygonize::polygonize;
use super::{Meshes, Sdf, TriangleMesh, models};
use crate::scene::{Blend, Motion, Placement, Shape};
use glam::{Quat, Vec3};
use rapier3d::geometry::SharedShape;
use rapier3d::math::Pose;
use rapier3d::parry::transformation::vhacd::VHACDParameters;

/// Cells across an polygonized shape.
const CELLS: f32 = 48.0;
/// Slabs around a round container, and capsules around a ring.
const AROUND: u32 = 24;

/// A shape of rapier in its place.
pub type Piece = (Pose, SharedShape);

/// The pieces that a shape is made of.
pub fn pieces(shape: &Shape, motion: Motion, meshes: &Meshes, planar: bool) -> Vec<Piece> {
    let mut making = Making { motion, meshes, planar, pieces: Vec::new() };
    making.add(shape, &Placement::ORIGIN, 1.0);
    making.pieces
}

struct Making<'a> {
    motion: Motion,
    meshes: &'a Meshes,
    planar: bool,
    pieces: Vec<Piece>,
}

impl Making<'_> {
    fn add(&mut self, shape: &Shape, place: &Placement, s: f32) {
        let half = |size: &[f32; 3]| 0.5 * s * Vec3::from(*size);
        let piece = match shape {
            Shape::HalfSpace { normal } => SharedShape::halfspace(Vec3::from(*normal).normalize_or(Vec3::Y)),
            Shape::Box { size } => {
                let half = half(size);
                SharedShape::cuboid(half.x, half.y, half.z)
            }
            Shape::Sphere { radius } => SharedShape::ball(s * radius),
            Shape::Capsule { radius, height } => SharedShape::capsule_y(0.5 * s * height, s * radius),
            Shape::Cylinder { radius, height } => SharedShape::cylinder(0.5 * s * height, s * radius),
            Shape::Cone { radius, height } => SharedShape::cone(0.5 * s * height, s * radius),
            Shape::Container { size, open } => return self.slabs(half(size), *open, place),
            Shape::RoundContainer { radius, height, open } => {
                return self.ring_of_slabs(s * radius, 0.5 * s * height, *open, place);
            }
            Shape::Torus { radius, tube } => return self.ring_of_rods(s * radius, s * tube, place),
            Shape::Union(blend) => return self.union(blend, place, s),
            Shape::Model { of, height } => return self.add(&models::shape(*of, *height), place, s),
            Shape::Mesh(_) | Shape::Difference(_) | Shape::Intersection(_) | Shape::Mould { .. } => {
                return self.polygonized(shape, place, s);
            }
        };
        self.pieces.push((pose(place), piece));
    }

    fn union(&mut self, blend: &Blend, place: &Placement, s: f32) {
        for part in &blend.of {
            let own = part.placement();
            let at = place.to_world(s * own.at);
            let placement = Placement { at, rotation: place.rotation * own.rotation };
            self.add(&part.shape, &placement, s * part.scale);
        }
    }

    /// The sides of a container, each as thick as the container is wide.
    fn slabs(&mut self, half: Vec3, open: bool, place: &Placement) {
        let thick = half.max_element();
        for c in 0..3 {
            for side in [-1.0f32, 1.0] {
                if open && c == 1 && side > 0.0 || self.planar && c == 2 {
                    continue;
                }
                let (mut at, mut slab) = (Vec3::ZERO, half + Vec3::splat(thick));
                at[c] = side * (half[c] + thick);
                slab[c] = thick;
                self.slab(at, slab, Quat::IDENTITY, place);
            }
        }
    }

    fn ring_of_slabs(&mut self, radius: f32, half_height: f32, open: bool, place: &Placement) {
        let thick = radius.max(half_height);
        let lid = Vec3::new(radius + thick, thick, radius + thick);
        self.slab(Vec3::NEG_Y * (half_height + thick), lid, Quat::IDENTITY, place);
        if !open {
            self.slab(Vec3::Y * (half_height + thick), lid, Quat::IDENTITY, place);
        }
        // Each touches the cylinder along its middle and reaches its neighbours.
        let step = std::f32::consts::TAU / AROUND as f32;
        let width = (radius + 2.0 * thick) * libm::tanf(0.5 * step);
        for k in 0..AROUND {
            let turn = Quat::from_rotation_y(k as f32 * step);
            let slab = Vec3::new(thick, half_height + thick, width);
            self.slab(turn * Vec3::X * (radius + thick), slab, turn, place);
        }
    }

    fn slab(&mut self, at: Vec3, half: Vec3, turn: Quat, place: &Placement) {
        let placement = Placement { at: place.to_world(at), rotation: place.rotation * turn };
        self.pieces.push((pose(&placement), SharedShape::cuboid(half.x, half.y, half.z)));
    }

    fn ring_of_rods(&mut self, radius: f32, tube: f32, place: &Placement) {
        let step = std::f32::consts::TAU / AROUND as f32;
        for k in 0..AROUND {
            let at = |k: u32| Quat::from_rotation_y(k as f32 * step) * Vec3::X * radius;
            self.pieces.push((pose(place), SharedShape::capsule(at(k), at(k + 1), tube)));
        }
    }

    fn polygonized(&mut self, shape: &Shape, place: &Placement, s: f32) {
        let mut mesh = mesh_of(shape, self.meshes);
        mesh.points.iter_mut().for_each(|p| *p *= s);
        if mesh.triangles.is_empty() {
            return;
        }
        let TriangleMesh { points, triangles } = mesh;
        let piece = match self.motion {
            Motion::Free => {
                let parameters = VHACDParameters { resolution: 48, ..VHACDParameters::default() };
                SharedShape::convex_decomposition_with_params(&points, &triangles, &parameters)
            }
            Motion::Fixed | Motion::Moving => match SharedShape::trimesh(points, triangles) {
                Ok(mesh) => mesh,
                Err(_) => return,
            },
        };
        self.pieces.push((pose(place), piece));
    }
}

/// A mesh of any shape that has an end: of a container or a mould, the room in it.
pub fn mesh_of(shape: &Shape, meshes: &Meshes) -> TriangleMesh {
    let sdf = Sdf::new(shape, meshes, false).room();
    let Some((low, high)) = sdf.bounds() else { return TriangleMesh::default() };
    let cell = (high - low).max_element() / CELLS;
    polygonize(&|p| sdf.distance(p), low, high, cell)
}

/// A placement as rapier writes it.
pub fn pose(place: &Placement) -> Pose {
    Pose::from_parts(place.at, place.rotation)
}
