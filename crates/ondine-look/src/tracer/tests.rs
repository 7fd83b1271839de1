//! Light in cases that have a closed form.

use super::area_lights::AreaLight;
use super::camera_rays::CameraRays;
use super::instance::{Geometry, Instance};
use super::integrator::Integrator;
use super::lanes::PLAIN_ONLY;
use super::material::{Bsdf, Material};
use super::mesh::Mesh;
use super::optics::{fresnel, transmittance};
use super::path::Sample;
use super::plane::Plane;
use super::ray::Ray;
use super::render_scene::{RenderScene, SceneParts};
use super::revolution::add_block;
use super::sampling::Sampler;
use super::sky::Sky;
use super::spheres::{Sphere, Spheres};
use crate::camera::{Projection, View};
use crate::{Picture, Quality, Renderer};
use glam::{Vec2, Vec3, Vec3A};
use ondine::objects::{TriangleMesh, polygonize};
use ondine::scene::{Camera, Lamp, LampShape, Light, Liquid, Object, Placement, Preset, Shape};
use ondine::{Scene, Surface, World};
use std::sync::Arc;
use std::sync::atomic::Ordering;

const WHITE: Vec3A = Vec3A::ONE;

fn material(bsdf: Bsdf, color: Vec3A) -> Material {
    Material { bsdf, color, emission: Vec3A::ZERO }
}

fn clear(index: f32, absorption: Vec3A) -> Material {
    material(Bsdf::Clear { alpha: 0.0, index, absorption, contact: 0.0 }, WHITE)
}

fn instance(geometry: Geometry, material: u16) -> Instance {
    Instance { geometry, placement: Placement::ORIGIN, material, camera_only: false }
}

fn ball(center: Vec3, radius: f32, material: u16) -> Instance {
    let spheres = Spheres::new(&[Sphere { center, radius, color: None }]).expect("a sphere");
    instance(Geometry::Spheres(Arc::new(spheres)), material)
}

fn slab(low: Vec3, high: Vec3, material: u16) -> Instance {
    let mut mesh = TriangleMesh::default();
    add_block(low, high, &mut mesh);
    let mesh = Mesh::new(&mesh, Vec::new(), Vec::new()).expect("a mesh");
    instance(Geometry::Mesh(Arc::new(mesh)), material)
}

fn render_scene(instances: Vec<Instance>, planes: Vec<Plane>, materials: Vec<Material>) -> RenderScene {
    RenderScene::new(SceneParts { instances, planes, materials, panes: Vec::new() }, 1.0)
}

fn floor(material: u16) -> Plane {
    Plane { at: Vec3A::ZERO, normal: Vec3A::Y, material, checker_size: f32::INFINITY, haze: 1e9 }
}

fn ray(from: [f32; 3], to: [f32; 3]) -> Ray {
    let (origin, to) = (Vec3A::from(from), Vec3A::from(to));
    Ray { origin, direction: (to - origin).normalize() }
}

/// Sun alone, overhead unless told.
fn sun(towards: [f32; 3], size: f32) -> Sky {
    let light = Light { sun: Some(towards), sun_size: size, sky_strength: 0.0, ..Light::default() };
    Sky::new(&light, Vec3::Y)
}

/// Mean light along a ray.
fn light(scene: &RenderScene, sky: &Sky, lights: &[AreaLight], ray: Ray) -> Vec3A {
    let integrator = Integrator { scene, sky, lights };
    const COUNT: u32 = 1024;
    let each = (0..COUNT).map(|i| {
        let Sample { scattered, other, .. } = integrator.sample(ray, Sampler::new((5, 9), i));
        scattered + other
    });
    each.sum::<Vec3A>() / COUNT as f32
}

/// In the middle of even light nothing can be seen of what absorbs none, and nothing is brighter than all.
#[test]
fn nothing_gains_energy() {
    let coat = |alpha| Bsdf::Coated { alpha, index: 1.5 };
    let skin = |alpha| Bsdf::Skin { alpha, index: 1.5 };
    let metal = |alpha| Bsdf::Metal { alpha };
    let clear = |alpha, index| Bsdf::Clear { alpha, index, absorption: Vec3A::ZERO, contact: 0.0 };
    // Each with the least of the light that must come back.
    let bsdfs = [
        (Bsdf::Matte, 0.999),
        (coat(0.0), 0.99),
        (coat(0.2), 0.97),
        (coat(1.0), 0.9),
        (skin(0.3), 0.97),
        (metal(0.0), 0.999),
        (metal(0.1), 0.97),
        (metal(0.6), 0.5),
        (clear(0.0, 1.33), 0.98),
        (clear(0.0, 1.5), 0.98),
        (clear(0.15, 1.4), 0.95),
    ];
    for (bsdf, least) in bsdfs {
        let scene = render_scene(vec![ball(Vec3::ZERO, 1.0, 0)], Vec::new(), vec![material(bsdf, WHITE)]);
        for offset in [0.0, 0.4, 0.8] {
            let seen = light(&scene, &Sky::even(1.0), &[], ray([offset, 0.0, 3.0], [offset, 0.0, 0.0]));
            let [low, high] = [seen.min_element(), seen.max_element()];
            assert!(low >= least && high <= 1.001, "{bsdf:?} at {offset}: {seen}");
        }
    }
}

#[test]
fn a_matte_ball_in_the_sun_follows_the_cosine() {
    let scene = render_scene(vec![ball(Vec3::ZERO, 1.0, 0)], Vec::new(), vec![Material::matte(0.5 * WHITE)]);
    let sky = sun([0.0, 0.0, 1.0], 0.5);
    let facing = sky.sun().expect("a sun").strength().y;
    for degrees in [0f32, 30.0, 60.0, 80.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let seen = light(&scene, &sky, &[], ray([sin, 0.0, 3.0], [sin, 0.0, cos])).y;
        assert!((seen - 0.5 * facing * cos).abs() < 0.01, "{degrees}°: {seen}");
    }
}

/// The edge of a roof's shadow is half lit right below it; the penumbra is as wide as the sun seen from there.
#[test]
fn a_shadow_has_its_edge_and_its_width() {
    let (height, size) = (1.0f32, 6.0f32);
    // Black, so that nothing comes back from it.
    let roof = slab(Vec3::new(-9.0, height, -9.0), Vec3::new(0.0, height + 1e-3, 9.0), 1);
    let scene = render_scene(vec![roof], vec![floor(0)], [WHITE, Vec3A::ZERO].map(Material::matte).to_vec());
    let sky = sun([0.0, 1.0, 0.0], size);
    let half_width = height * (0.5 * size).to_radians().tan();
    let at = |x: f32| {
        let seen = light(&scene, &sky, &[], ray([x, 0.5, 0.0], [x, 0.0, 0.0])).y;
        seen / light(&scene, &sky, &[], ray([5.0, 0.5, 0.0], [5.0, 0.0, 0.0])).y
    };
    assert!((at(0.0) - 0.5).abs() < 0.03, "{}", at(0.0));
    assert!(at(-1.05 * half_width) < 0.03, "{}", at(-1.05 * half_width));
    assert!(at(1.05 * half_width) > 0.97);
    // A disc cut by a line half-way to its edge: 0.195 of it remain.
    assert!((at(-0.5 * half_width) - 0.1955).abs() < 0.03, "{}", at(-0.5 * half_width));
}

#[test]
fn a_lamp_lights_by_the_square_of_its_distance() {
    let lamp = Lamp { shape: LampShape::Disc, radius: 0.05, at: [0.0, 2.0, 0.0], ..Lamp::default() };
    let area_light = AreaLight::new(&lamp).expect("a lamp");
    let scene = render_scene(Vec::new(), vec![floor(0)], vec![Material::matte(WHITE)]);
    let seen = light(&scene, &Sky::even(0.0), &[area_light], ray([1.0, 0.5, 0.0], [0.0, 0.0, 0.0])).y;
    let (radius, distance) = (0.05f32, 2.0f32);
    let strength = super::material::bounded(lamp.color).y * lamp.strength;
    let expected = strength * (radius / distance).powi(2);
    assert!((seen / expected - 1.0).abs() < 0.01, "{seen} instead of {expected}");
}

#[test]
fn a_metal_mirrors_where_it_should() {
    let glowing = Material { emission: WHITE, ..Material::matte(Vec3A::ZERO) };
    let mirror = material(Bsdf::Metal { alpha: 0.0 }, WHITE);
    let scene_with = |center| render_scene(vec![ball(center, 0.1, 0)], vec![floor(1)], vec![glowing, mirror]);
    let sight = ray([-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]);
    let seen = |center| light(&scene_with(center), &Sky::even(0.0), &[], sight).y;
    assert!((seen(Vec3::new(1.0, 1.0, 0.0)) - 1.0).abs() < 1e-4);
    assert!(seen(Vec3::new(1.0, 1.3, 0.0)) < 1e-4);
    assert!(seen(Vec3::new(1.0, 1.0, 0.3)) < 1e-4);
}

#[test]
fn a_clear_slab_absorbs_as_beer_has_it() {
    let absorption = Vec3A::new(0.5, 1.0, 3.0);
    let slab = || slab(Vec3::new(-5.0, 0.0, -5.0), Vec3::new(5.0, 0.4, 5.0), 0);
    let sight = ray([0.3, 2.0, 0.1], [0.3, 0.0, 0.1]);
    let bare = render_scene(vec![slab()], Vec::new(), vec![clear(1.0, absorption)]);
    let expected = transmittance(absorption, 0.4);
    let seen = light(&bare, &Sky::even(1.0), &[], sight);
    assert!(seen.distance(expected) < 1e-3, "{seen} instead of {expected}");
    // A ray to a light loses the same, and what both faces reflect.
    let water = render_scene(vec![slab()], Vec::new(), vec![clear(1.33, absorption)]);
    let through = (1.0 - fresnel(1.0, 1.33)).powi(2) * expected;
    assert!(water.transmittance(&sight, f32::INFINITY).distance(through) < 1e-4);
    assert!(water.transmittance(&sight, 1.0).distance(Vec3A::ONE) < 1e-4, "nothing before it");
}

/// A pool's floor is seen where Snell's law puts it.
#[test]
fn a_stick_in_water_is_bent() {
    let glowing = Material { emission: WHITE, ..Material::matte(Vec3A::ZERO) };
    let pool = slab(Vec3::new(-5.0, -1.0, -5.0), Vec3::new(5.0, 0.0, 5.0), 1);
    let angle = 40f32.to_radians();
    let bent = (angle.sin() / 1.33).asin();
    let target = Vec3::new(0.9 * bent.tan(), -0.9, 0.0);
    let sight = Ray {
        origin: Vec3A::new(-angle.sin(), angle.cos(), 0.0),
        direction: Vec3A::new(angle.sin(), -angle.cos(), 0.0),
    };
    let seen = |center| {
        let instances =
            vec![ball(center, 0.02, 0), slab(Vec3::splat(20.0), Vec3::splat(21.0), 0), pool.clone()];
        light(
            &render_scene(instances, Vec::new(), vec![glowing, clear(1.33, Vec3A::ZERO)]),
            &Sky::even(0.0),
            &[],
            sight,
        )
        .y
    };
    let through = 1.0 - fresnel(angle.cos(), 1.33);
    assert!((seen(target) - through).abs() < 0.02, "{}", seen(target));
    assert!(seen(target + Vec3::X * 0.08) < 0.1);
}

#[test]
fn a_wide_lens_is_sharp_at_one_depth() {
    let camera = Camera { at: [0.0, 0.0, 4.0], look_at: [0.0; 3], aperture: 0.4, ..Camera::default() };
    let projection = Projection::Perspective(300.0);
    let view = View::new(Vec3::new(0.0, 0.0, 4.0), Vec3::NEG_Z, projection, (640, 360));
    let rays = CameraRays::new(view, Some(&camera));
    let place = Vec2::new(400.0, 100.0);
    let at_depth = |lens: Vec2, z: f32| {
        let ray = rays.ray(place, lens);
        ray.at((z - ray.origin.z) / ray.direction.z)
    };
    let (a, b) = (Vec2::new(0.9, 0.1), Vec2::new(0.9, 0.6));
    assert!(at_depth(a, 0.0).distance(at_depth(b, 0.0)) < 1e-4, "sharp where it looks");
    // Twice as far, the disc is as wide as the lens.
    let apart = at_depth(a, -4.0).distance(at_depth(b, -4.0));
    assert!((apart - 2.0 * 0.2 * 0.9f32.sqrt()).abs() < 1e-3, "{apart}");
}

/// Meshes with holes, points that are no numbers, a camera inside a liquid: dark or bright, but something.
#[test]
fn broken_things_do_no_harm() {
    let mut mesh = TriangleMesh::default();
    add_block(Vec3::splat(-1.0), Vec3::ONE, &mut mesh);
    mesh.points.extend([Vec3::NAN, Vec3::INFINITY, Vec3::ZERO]);
    mesh.triangles.extend([[0, 8, 1], [9, 0, 2], [10, 10, 10], [0, 0, 1], [0, 1, 99]]);
    mesh.triangles.remove(3);
    let normals = vec![Vec3::NAN; mesh.points.len()];
    let mesh = Mesh::new(&mesh, normals, Vec::new()).expect("something is left");
    let broken = || instance(Geometry::Mesh(Arc::new(mesh.clone())), 0);
    for m in
        [clear(1.33, Vec3A::splat(2.0)), material(Bsdf::Metal { alpha: 0.0 }, WHITE), Material::matte(WHITE)]
    {
        let scene = render_scene(vec![broken(), broken()], Vec::new(), vec![m]);
        for from in [[0.0, 0.0, 0.0], [0.2, 0.3, 3.0], [1.0, 1.0, 1.0]] {
            let seen = light(&scene, &Sky::even(1.0), &[], ray(from, [-3.0, -2.0, -5.0]));
            assert!(seen.is_finite() && seen.max_element() <= 1.001, "{m:?} {from:?}: {seen}");
        }
        let nowhere = Ray { origin: Vec3A::NAN, direction: Vec3A::Z };
        assert!(light(&scene, &Sky::even(1.0), &[], nowhere).is_finite());
    }
    let nothing = TriangleMesh { points: vec![Vec3::ZERO; 3], triangles: vec![[0, 1, 2]] };
    assert!(Mesh::new(&nothing, Vec::new(), Vec::new()).is_none());
    assert!(Spheres::new(&[Sphere { center: Vec3::NAN, radius: 1.0, color: None }]).is_none());
}

/// A little of everything that vectors reckon with: triangles in a hierarchy of several levels, spheres, clear things, smoothing.
fn traced_picture() -> Picture {
    let bumpy = |p: Vec3| p.length() - 0.4 - 0.02 * (20.0 * p.x).sin() * (20.0 * p.y).cos();
    let mesh = polygonize(&bumpy, Vec3::splat(-0.6), Vec3::splat(0.6), 0.04);
    let surface = Surface {
        name: "water".into(),
        normal: mesh.points.iter().map(|p| p.normalize().into()).collect(),
        velocity: vec![[0.0; 3]; mesh.points.len()],
        color: vec![[0.2, 0.5, 0.8]; mesh.points.len()],
        mesh,
    };
    let water = Liquid { name: "water".into(), ..Preset::Water.liquid() };
    let object = |name, shape, at| Object::new(name, shape, at);
    let ball = object("ball", Shape::Sphere { radius: 0.2 }, [0.7, 0.2, 0.3]);
    let floor = object("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0, -0.5, 0.0]);
    let camera = Camera { at: [0.6, 1.0, 3.0], ..Camera::default() };
    let objects = vec![ball, floor];
    let scene = Scene { liquid: vec![water], object: objects, camera: Some(camera), ..Scene::default() };
    let frame = World::new(&scene).expect("a sound scene").frame();
    Renderer::of(&scene).picture(&frame, &[surface], (84, 60), Quality::Draft)
}

#[test]
fn the_width_of_vectors_cannot_be_seen() {
    let widest = traced_picture();
    PLAIN_ONLY.store(true, Ordering::Relaxed);
    let plain = traced_picture();
    PLAIN_ONLY.store(false, Ordering::Relaxed);
    assert_eq!(widest, plain);
}
