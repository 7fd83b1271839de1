//! The objects of a scene made ready for rays, once for all its pictures.

use super::balls::{Ball, Balls};
use super::material::Material;
use super::mesh::Mesh;
use super::stage::{Body, Plane, Stage, Thing};
use super::tank::Tank;
use super::turned::{self, Shaded, block};
use crate::framing::Framing;
use glam::{Vec2, Vec3, Vec3A};
use ondine::objects::{Form, TriangleMesh, faces_of, thinnest};
use ondine::scene::{Object, Shape};
use ondine::{Frame, Scene};
use std::sync::Arc;

/// How far outside a blend its normals are taken, in its longest side.
const OUTSIDE: f32 = 1.0 / 256.0;
/// Thickness of the frame of a tank, in its longest side.
const FRAME: f32 = 0.005;
/// How far the floor of a tank lies above the ground that it may stand on, in its longest side.
const LIFT: f32 = 2e-4;
/// Light of the lines along the edges of tanks: the same from all sides, as a line in a drawing.
const LINE: Vec3A = Vec3A::new(0.22, 0.25, 0.28);
/// Sizes of the scene at which ground has half gone into the horizon.
const HAZE: f32 = 24.0;

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
    /// Panes, the floor between them, and lines along their edges.
    Tank {
        half: Vec3,
        round: bool,
        floor: Option<Body>,
        edges: Option<Body>,
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
                PropForm::Body(body) => {
                    set.things.push(Thing { body: body.clone(), placement, material, drawn: false });
                }
                PropForm::Tank { half, round, floor, edges } => {
                    set.tanks.push(Tank { half: (*half).into(), round: *round, placement });
                    let line = set.add(Material { glow: LINE, ..Material::matte(Vec3A::ZERO) });
                    for (body, material, drawn) in [(floor, material, false), (edges, line, true)] {
                        let thing = |body| Thing { body, placement, material, drawn };
                        set.things.extend(body.clone().map(thing));
                    }
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
            let balls = Balls::new(&[ball]);
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
    Mesh::new(&mesh, normals, Vec::new()).map(|mesh| Body::Mesh(Arc::new(mesh)))
}

/// The surface of a blend, its normals those of the shape itself.
fn outlined(shape: &Shape, scene: &Scene) -> Shaded {
    let form = Form::new(shape, &scene.meshes, false);
    let Some((low, high)) = form.bounds() else { return Shaded::default() };
    let mesh = faces_of(shape, &scene.meshes).mesh;
    // A little outside: on the surface itself distances have no direction, and edges are smoother so.
    let outside = (OUTSIDE * (high - low).max_element()).min(0.25 * thinnest(&form).unwrap_or(f32::INFINITY));
    let form = form.charted(outside);
    let normals = smooth_normals(&mesh);
    let out = |(p, n): (&Vec3, &Vec3)| form.nearest(*p + *n * outside).normal;
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
fn box_tank(half: Vec3) -> PropForm {
    let longest = half.max_element();
    let (thick, lift) = (FRAME * longest * 2.0, LIFT * longest);
    let (mut floor, mut edges) = (TriangleMesh::default(), TriangleMesh::default());
    block(Vec3::new(-half.x, -half.y - thick, -half.z), half.with_y(-half.y + lift), &mut floor);
    for along in 0..3 {
        let (b, c) = ((along + 1) % 3, (along + 2) % 3);
        for (u, v) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let (mut middle, mut reach) = (Vec3::ZERO, Vec3::splat(0.5 * thick));
            (middle[b], middle[c]) = (u * (half[b] + 0.5 * thick), v * (half[c] + 0.5 * thick));
            reach[along] = half[along] + thick;
            block(middle - reach, middle + reach, &mut edges);
        }
    }
    let [floor, edges] = [floor, edges].map(|mesh| body((mesh, Vec::new())));
    PropForm::Tank { half, round: false, floor, edges }
}

/// A drum one sees into: its floor, and hoops at both ends.
fn drum(radius: f32, half_height: f32) -> PropForm {
    let longest = radius.max(half_height);
    let (thick, lift) = (FRAME * longest * 2.0, LIFT * longest);
    let plate = turned::disc(radius, -half_height + lift).map(|(p, _)| (p, Vec2::Y));
    let ends = [-half_height - thick, half_height];
    let hoops = ends.into_iter().flat_map(|y| turned::hoop(radius, y, thick));
    let (floor, edges) = (body(turned::turned(&[plate])), body(turned::turned(&hoops.collect::<Vec<_>>())));
    PropForm::Tank { half: Vec3::new(radius, half_height, radius), round: true, floor, edges }
}
