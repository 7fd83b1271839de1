//! The objects of a scene made ready for rays, once for all its pictures.

use super::balls::{Ball, Balls};
use super::material::Material;
use super::mesh::Mesh;
use super::stage::{Body, Plane, Stage, Thing};
use super::tank::Tank;
use super::tree::Care;
use super::turned::{self, Shaded, block};
use crate::framing::Framing;
use glam::{Vec3, Vec3A};
use ondine::objects::{Form, TriangleMesh, outline};
use ondine::scene::{Object, Shape};
use ondine::{Frame, Scene};
use std::sync::Arc;

/// Cells across a shape that has no mesh of its own.
const CELLS: f32 = 128.0;
/// Thickness of the frame of a tank, in its longest side.
const FRAME: f32 = 0.006;
/// How far the floor of a tank lies above the ground that it may stand on, in its longest side.
const LIFT: f32 = 2e-4;
/// Sizes of the scene at which ground has half gone into the horizon.
const HAZE: f32 = 14.0;

/// What there is to see of an object, in its own frame.
#[derive(Clone, Debug)]
pub struct Prop {
    form: PropForm,
    material: Material,
}

#[derive(Clone, Debug)]
enum PropForm {
    /// Endless, with this normal.
    Plane(Vec3),
    Body(Body),
    /// Panes, and what can be touched of them.
    Tank {
        half: Vec3,
        round: bool,
        body: Option<Body>,
    },
    /// Nothing: what is around a mould would hide what is in it.
    Nothing,
}

/// What the objects of a frame put on the stage.
#[derive(Clone, Debug, Default)]
pub struct Set {
    pub things: Vec<Thing>,
    pub planes: Vec<Plane>,
    pub tanks: Vec<Tank>,
    pub materials: Vec<Material>,
}

/// The objects of a scene.
pub fn of_scene(scene: &Scene) -> Vec<Prop> {
    scene.object.iter().map(|object| Prop::new(object, scene)).collect()
}

impl Prop {
    fn new(object: &Object, scene: &Scene) -> Self {
        Self { form: form(&object.shape, scene), material: Material::of_object(object) }
    }
}

impl Set {
    /// Those that are there and to be seen in a frame, where they are then.
    pub fn of_frame(props: &[Prop], frame: &Frame, framing: &Framing) -> Self {
        let mut set = Self::default();
        for (prop, pose) in props.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled && pose.visible)
        {
            let (placement, material) = (pose.placement, set.add(prop.material));
            match &prop.form {
                PropForm::Plane(normal) => {
                    let normal = placement.to_world_direction(*normal).normalize_or(Vec3::Y);
                    set.planes.push(plane(placement.at, normal, material, framing));
                }
                PropForm::Body(body) => set.things.push(Thing { body: body.clone(), placement, material }),
                PropForm::Tank { half, round, body } => {
                    set.tanks.push(Tank { half: (*half).into(), round: *round, placement });
                    let thing = body.clone().map(|body| Thing { body, placement, material });
                    set.things.extend(thing);
                }
                PropForm::Nothing => {}
            }
        }
        set
    }

    /// Adds a material. Its number.
    pub fn add(&mut self, material: Material) -> u16 {
        self.materials.push(material);
        (self.materials.len() - 1) as u16
    }

    /// The stage with all of it.
    pub fn stage(self, reach: f32) -> (Stage, Vec<Tank>) {
        (Stage::new(self.things, self.planes, self.materials, reach), self.tanks)
    }
}

/// Endless ground in a scene of this framing.
pub fn plane(at: Vec3, normal: Vec3, material: u16, framing: &Framing) -> Plane {
    let (at, normal) = (Vec3A::from(at), Vec3A::from(normal));
    Plane { at, normal, material, tile: framing.tile(), haze: HAZE * framing.reach() }
}

fn form(shape: &Shape, scene: &Scene) -> PropForm {
    let shaded = match *shape {
        Shape::HalfSpace { normal } => return PropForm::Plane(Vec3::from(normal).normalize_or(Vec3::Y)),
        Shape::Mould { .. } => return PropForm::Nothing,
        Shape::Container { size, .. } => return box_tank(0.5 * Vec3::from(size)),
        Shape::RoundContainer { radius, height, .. } => return drum(radius, 0.5 * height),
        Shape::Sphere { radius } => {
            let ball = Ball { center: Vec3::ZERO, radius, color: None };
            let balls = Balls::new(&[ball], Care::Thorough);
            return balls.map_or(PropForm::Nothing, |balls| PropForm::Body(Body::Balls(Arc::new(balls))));
        }
        Shape::Box { size } => {
            let (mut mesh, half) = (TriangleMesh::default(), 0.5 * Vec3::from(size));
            block(-half, half, &mut mesh);
            (mesh, Vec::new())
        }
        Shape::Cylinder { radius, height } => turned::cylinder(radius, 0.5 * height),
        Shape::Cone { radius, height } => turned::cone(radius, 0.5 * height),
        Shape::Capsule { radius, height } => turned::capsule(radius, 0.5 * height),
        Shape::Torus { radius, tube } => turned::torus(radius, tube),
        Shape::Mesh(ref file) => match scene.meshes.get(file) {
            Some(mesh) => (TriangleMesh::clone(&mesh.triangles), smooth_normals(&mesh.triangles)),
            None => return PropForm::Nothing,
        },
        Shape::Union(_) | Shape::Difference(_) | Shape::Intersection(_) | Shape::Model { .. } => {
            outlined(shape, scene)
        }
    };
    body(shaded).map_or(PropForm::Nothing, PropForm::Body)
}

fn body((mesh, normals): Shaded) -> Option<Body> {
    Mesh::new(&mesh, normals, Vec::new(), Care::Thorough).map(|mesh| Body::Mesh(Arc::new(mesh)))
}

/// The surface of a blend, its normals those of the shape itself.
fn outlined(shape: &Shape, scene: &Scene) -> Shaded {
    let form = Form::new(shape, &scene.meshes, false);
    let Some((low, high)) = form.bounds() else { return Shaded::default() };
    let longest = (high - low).max_element();
    let form = form.charted(longest / CELLS);
    let mesh = outline(&|p| form.distance(p), low, high, longest / CELLS);
    // A little outside: on the surface itself distances have no direction, and edges are smoother so.
    let normals = smooth_normals(&mesh);
    let out = |(p, n): (&Vec3, &Vec3)| form.nearest(*p + *n * (0.5 * longest / CELLS)).normal;
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

/// A box one sees into: its floor, and a frame along its edges.
fn box_tank(half: Vec3) -> PropForm {
    let (longest, mut mesh) = (half.max_element(), TriangleMesh::default());
    let thick = FRAME * longest * 2.0;
    let floor = -half.y + LIFT * longest;
    block(Vec3::new(-half.x, -half.y - thick, -half.z), Vec3::new(half.x, floor, half.z), &mut mesh);
    let outer = half + Vec3::new(thick, 0.0, thick);
    for (along, x, z) in [(Vec3::X, 0.0, 1.0), (Vec3::Z, 1.0, 0.0), (Vec3::Y, 1.0, 1.0)] {
        for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            // The middle of the edge: beams along x and z at both ends of y, uprights at the corners.
            let side = Vec3::splat(0.5 * thick);
            let middle = match along {
                Vec3::Y => Vec3::new(a * (half.x + 0.5 * thick), 0.0, b * (half.z + 0.5 * thick)),
                _ => Vec3::new(a * x * (half.x + 0.5 * thick), b * half.y, a * z * (half.z + 0.5 * thick)),
            };
            let reach = along * if along == Vec3::Y { half } else { outer } + side * (Vec3::ONE - along);
            block(middle - reach, middle + reach, &mut mesh);
        }
    }
    PropForm::Tank { half, round: false, body: body((mesh, Vec::new())) }
}

/// A drum one sees into: its floor, and hoops at both ends.
fn drum(radius: f32, half_height: f32) -> PropForm {
    let longest = radius.max(half_height);
    let thick = FRAME * longest * 2.0;
    let floor = -half_height + LIFT * longest;
    let plate = turned::turned(&[turned::disc(radius, floor).map(|(p, _)| (p, glam::Vec2::Y))]);
    let hoops =
        [-half_height - 0.5 * thick, half_height - 0.5 * thick].map(|y| turned::hoop(radius, y, thick));
    let (mut mesh, mut normals) = plate;
    for (hoop, more) in hoops {
        let start = mesh.points.len() as u32;
        mesh.points.extend(hoop.points);
        mesh.triangles.extend(hoop.triangles.into_iter().map(|t| t.map(|i| start + i)));
        normals.extend(more);
    }
    PropForm::Tank { half: Vec3::new(radius, half_height, radius), round: true, body: body((mesh, normals)) }
}
