//! The objects of a scene made ready for rays, once for all its pictures.

use super::instance::{Geometry, Instance};
use super::material::Material;
use super::mesh::Mesh;
use super::panes::Panes;
use super::plane::Plane;
use super::render_scene::SceneParts;
use super::revolution::{self, MeshWithNormals, add_block};
use super::spheres::{Sphere, Spheres};
use crate::camera::Framing;
use crate::ground::checker_size;
use glam::{Vec2, Vec3, Vec3A};
use ondine::objects::{Sdf, TriangleMesh, faces_of, thinnest};
use ondine::scene::{Object, Shape};
use ondine::{Frame, Scene};
use std::sync::Arc;

/// How far outside a blend its normals are taken, in its longest side.
const OUTSIDE: f32 = 1.0 / 256.0;
/// Thickness of the frame of a container, in its longest side.
const FRAME: f32 = 0.005;
/// How far the floor of a container lies above the ground that it may stand on, in its longest side.
const LIFT: f32 = 2e-4;
/// Light of the lines along the edges of containers: the same from all sides, as a line in a drawing.
const LINE: Vec3A = Vec3A::new(0.22, 0.25, 0.28);
/// Sizes of the scene at which ground has half gone into the horizon.
const HAZE: f32 = 24.0;

/// What there is to see of an object, in its own frame.
#[derive(Clone, Debug)]
pub struct TracedObject {
    geometry: ObjectGeometry,
    material: Material,
}

#[derive(Clone, Debug)]
enum ObjectGeometry {
    /// Endless, with this normal.
    Plane(Vec3),
    Surface(Geometry),
    /// Panes, the floor between them, and lines along their edges.
    Container {
        half: Vec3,
        round: bool,
        floor: Option<Geometry>,
        edges: Option<Geometry>,
    },
    /// Nothing: what is around a mould would hide what is in it.
    Nothing,
}

/// The objects of a scene.
pub fn of_scene(scene: &Scene) -> Vec<TracedObject> {
    scene.all_objects().map(|object| TracedObject::new(object, scene)).collect()
}

impl TracedObject {
    fn new(object: &Object, scene: &Scene) -> Self {
        Self { geometry: geometry(&object.shape, scene), material: Material::of_object(object) }
    }
}

/// Adds those that are there and to be seen in a frame, where they are then.
pub fn add(objects: &[TracedObject], frame: &Frame, framing: &Framing, parts: &mut SceneParts) {
    let present = objects.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled && pose.visible);
    for (object, pose) in present {
        let (placement, material) = (pose.placement, parts.add_material(object.material));
        match &object.geometry {
            ObjectGeometry::Plane(normal) => {
                let normal = placement.to_world_direction(*normal).normalize_or(Vec3::Y);
                parts.planes.push(plane(placement.at, normal, material, framing));
            }
            ObjectGeometry::Surface(geometry) => {
                let geometry = geometry.clone();
                parts.instances.push(Instance { geometry, placement, material, camera_only: false });
            }
            ObjectGeometry::Container { half, round, floor, edges } => {
                parts.panes.push(Panes { half: (*half).into(), round: *round, placement });
                let line = parts.add_material(Material { emission: LINE, ..Material::matte(Vec3A::ZERO) });
                for (geometry, material, camera_only) in [(floor, material, false), (edges, line, true)] {
                    let instance = |geometry| Instance { geometry, placement, material, camera_only };
                    parts.instances.extend(geometry.clone().map(instance));
                }
            }
            ObjectGeometry::Nothing => {}
        }
    }
}

/// Endless ground in a scene of this framing.
pub fn plane(at: Vec3, normal: Vec3, material: u16, framing: &Framing) -> Plane {
    let (at, normal) = (Vec3A::from(at), Vec3A::from(normal));
    let reach = framing.reach();
    Plane { at, normal, material, checker_size: checker_size(reach), haze: HAZE * reach }
}

fn geometry(shape: &Shape, scene: &Scene) -> ObjectGeometry {
    let mesh = match *shape {
        Shape::HalfSpace { normal } => {
            return ObjectGeometry::Plane(Vec3::from(normal).normalize_or(Vec3::Y));
        }
        Shape::Mould { .. } => return ObjectGeometry::Nothing,
        Shape::Container { size, .. } => return box_container(0.5 * Vec3::from(size)),
        Shape::RoundContainer { radius, height, .. } => return round_container(radius, 0.5 * height),
        Shape::Sphere { radius } => {
            let spheres = Spheres::new(&[Sphere { center: Vec3::ZERO, radius, color: None }]);
            return spheres.map_or(ObjectGeometry::Nothing, |spheres| {
                ObjectGeometry::Surface(Geometry::Spheres(Arc::new(spheres)))
            });
        }
        Shape::Box { size } => {
            let (mut mesh, half) = (TriangleMesh::default(), 0.5 * Vec3::from(size));
            add_block(-half, half, &mut mesh);
            (mesh, Vec::new())
        }
        Shape::Cylinder { radius, height } => revolution::cylinder(radius, 0.5 * height),
        Shape::Cone { radius, height } => revolution::cone(radius, 0.5 * height),
        Shape::Capsule { radius, height } => revolution::capsule(radius, 0.5 * height),
        Shape::Torus { radius, tube } => revolution::torus(radius, tube),
        Shape::Mesh(ref file) => match scene.meshes.get(file) {
            Some(mesh) => (TriangleMesh::clone(&mesh.triangles), smooth_normals(&mesh.triangles)),
            None => return ObjectGeometry::Nothing,
        },
        Shape::Union(_) | Shape::Difference(_) | Shape::Intersection(_) | Shape::Model { .. } => {
            polygonized(shape, scene)
        }
    };
    meshed(mesh).map_or(ObjectGeometry::Nothing, ObjectGeometry::Surface)
}

fn meshed((mesh, normals): MeshWithNormals) -> Option<Geometry> {
    Mesh::new(&mesh, normals, Vec::new()).map(|mesh| Geometry::Mesh(Arc::new(mesh)))
}

/// The surface of a blend, its normals those of the shape itself.
fn polygonized(shape: &Shape, scene: &Scene) -> MeshWithNormals {
    let sdf = Sdf::new(shape, &scene.meshes, false);
    let Some((low, high)) = sdf.bounds() else { return MeshWithNormals::default() };
    let mesh = faces_of(shape, &scene.meshes).mesh;
    // A little outside: on the surface itself distances have no direction, and edges are smoother so.
    let outside = (OUTSIDE * (high - low).max_element()).min(0.25 * thinnest(&sdf).unwrap_or(f32::INFINITY));
    let sdf = sdf.charted(outside);
    let normals = smooth_normals(&mesh);
    let out = |(p, n): (&Vec3, &Vec3)| sdf.nearest(*p + *n * outside).normal;
    let normals = mesh.points.iter().zip(&normals).map(out).collect();
    (mesh, normals)
}

/// At each point the mean of the triangles around it, by their size.
pub fn smooth_normals(mesh: &TriangleMesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; mesh.points.len()];
    for (triangle, [a, b, c]) in mesh.triangles.iter().zip(mesh.corners()) {
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|i| normals[*i as usize] += normal);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}

/// A box one sees into: its floor, and lines along its edges.
fn box_container(half: Vec3) -> ObjectGeometry {
    let longest = half.max_element();
    let (thick, lift) = (FRAME * longest * 2.0, LIFT * longest);
    let (mut floor, mut edges) = (TriangleMesh::default(), TriangleMesh::default());
    add_block(Vec3::new(-half.x, -half.y - thick, -half.z), half.with_y(-half.y + lift), &mut floor);
    for along in 0..3 {
        let (b, c) = ((along + 1) % 3, (along + 2) % 3);
        for (u, v) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let (mut middle, mut reach) = (Vec3::ZERO, Vec3::splat(0.5 * thick));
            (middle[b], middle[c]) = (u * (half[b] + 0.5 * thick), v * (half[c] + 0.5 * thick));
            reach[along] = half[along] + thick;
            add_block(middle - reach, middle + reach, &mut edges);
        }
    }
    let [floor, edges] = [floor, edges].map(|mesh| meshed((mesh, Vec::new())));
    ObjectGeometry::Container { half, round: false, floor, edges }
}

/// A drum one sees into: its floor, and hoops at both ends.
fn round_container(radius: f32, half_height: f32) -> ObjectGeometry {
    let longest = radius.max(half_height);
    let (thick, lift) = (FRAME * longest * 2.0, LIFT * longest);
    let plate = revolution::disc(radius, -half_height + lift).map(|(p, _)| (p, Vec2::Y));
    let ends = [-half_height - thick, half_height];
    let hoops = ends.into_iter().flat_map(|y| revolution::hoop(radius, y, thick));
    let (floor, edges) =
        (meshed(revolution::revolved(&[plate])), meshed(revolution::revolved(&hoops.collect::<Vec<_>>())));
    ObjectGeometry::Container { half: Vec3::new(radius, half_height, radius), round: true, floor, edges }
}
