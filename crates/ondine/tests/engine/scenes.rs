//! Scenes and measures that several tests share.

use ondine::scene::{Arrangement, Emitter, Fill, Liquid, Motion, Object, Preset, Shape, Thesis};
use ondine::{ObjectLedger, Scene, SystemLedger, World};

/// The source's step, 30 a second.
pub const STEP: f32 = 1.0 / 30.0;

/// A filled box.
pub fn block(size: [f32; 3], at: [f32; 3]) -> Fill {
    Fill {
        shape: Shape::Box { size },
        at,
        rotate: [0.0; 3],
        velocity: [0.0; 3],
        arrangement: Arrangement::Lattice,
    }
}

/// The same, irregular but even.
pub fn relaxed_block(size: [f32; 3], at: [f32; 3]) -> Fill {
    Fill { arrangement: Arrangement::Relaxed, ..block(size, at) }
}

/// A liquid of a material, of a given fineness, with a name.
pub fn liquid(name: &str, material: Preset, spacing: f32) -> Liquid {
    Liquid { name: name.into(), spacing, ..material.liquid() }
}

/// A liquid with the method's own parameters: set A of the tests (h = 1, k = 4, k_near = 10, ρ0 = 3) unless changed.
pub fn raw_liquid(spacing: f32, thesis: Thesis) -> Liquid {
    Liquid { thesis: Some(thesis), ..liquid("raw", Preset::Water, spacing) }
}

/// A weightless scene in which one frame is one step of 1/30 s.
pub fn weightless(dimension: u32, liquid: Liquid) -> Scene {
    Scene { dimension, gravity: [0.0; 3], liquid: vec![liquid], ..Scene::default() }
}

/// Particles at given places with given velocities: one fill each.
pub fn particles(spacing: f32, at: &[([f32; 3], [f32; 3])]) -> Vec<Fill> {
    at.iter().map(|&(at, velocity)| Fill { velocity, ..block([spacing; 3], at) }).collect()
}

/// Particles at rest, at random in a square around the origin.
pub fn strewn(count: usize, side: f32) -> Vec<([f32; 3], [f32; 3])> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * side
    };
    (0..count).map(|_| ([next(), next(), 0.0], [0.0; 3])).collect()
}

/// A closed box around everything, with its floor at y = 0 and its left and back walls at x = 0 and z = −depth/2.
pub fn tank(size: [f32; 3]) -> Object {
    Object::new("tank", Shape::Container { size, open: false }, [0.5 * size[0], 0.5 * size[1], 0.0])
}

/// A floor at y = 0.
pub fn floor() -> Object {
    Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3])
}

/// A free object.
pub fn free(name: &str, shape: Shape, at: [f32; 3]) -> Object {
    Object { motion: Motion::Free, ..Object::new(name, shape, at) }
}

/// A moving object.
pub fn moving(name: &str, shape: Shape, at: [f32; 3]) -> Object {
    Object { motion: Motion::Moving, ..Object::new(name, shape, at) }
}

/// A nozzle of one disc.
pub fn disc(radius: f32, at: [f32; 3], velocity: [f32; 3]) -> Emitter {
    Emitter { radius, at, velocity, ..Emitter::default() }
}

/// The world of a scene.
pub fn world(scene: &Scene) -> World {
    World::new(scene).expect("a sound scene")
}

/// Advances by some frames.
pub fn advance(world: &mut World, frames: u32) {
    for _ in 0..frames {
        world.advance().expect("a healthy frame");
    }
}

/// The world of a scene after some frames.
pub fn after(scene: &Scene, frames: u32) -> World {
    let mut world = world(scene);
    advance(&mut world, frames);
    world
}

/// The measure of the n-th system.
pub fn measure(world: &World, n: usize) -> SystemLedger {
    world.ledger().systems[n].clone()
}

/// The measure of an object that can move.
pub fn body(world: &World, name: &str) -> ObjectLedger {
    let objects = world.ledger().objects;
    objects.into_iter().find(|o| o.name == name).expect("an object that can move")
}

/// Positions of the first system's particles in order of birth.
pub fn positions(world: &World) -> Vec<[f32; 3]> {
    by_birth(world, |p| &p.position)
}

/// Velocities of the first system's particles in order of birth.
pub fn velocities(world: &World) -> Vec<[f32; 3]> {
    by_birth(world, |p| &p.velocity)
}

fn by_birth(world: &World, of: impl Fn(&ondine::Particles) -> &Vec<[f32; 3]>) -> Vec<[f32; 3]> {
    let particles = &world.frame().particles[0];
    let mut all: Vec<_> = particles.id.iter().zip(of(particles)).collect();
    all.sort_by_key(|(id, _)| **id);
    all.into_iter().map(|(_, v)| *v).collect()
}

/// Length of a vector.
pub fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Distance of two points.
pub fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt()
}

/// For each point, the distance to its nearest other.
pub fn nearest(points: &[[f32; 3]]) -> Vec<f32> {
    let to_others = |i: usize| (0..points.len()).filter(move |&j| j != i);
    let nearest_of =
        |i: usize| to_others(i).map(|j| distance(&points[i], &points[j])).fold(f32::INFINITY, f32::min);
    (0..points.len()).map(nearest_of).collect()
}

/// Mean and standard deviation over the mean.
pub fn spread(values: &[f32]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().map(|&v| v as f64).sum::<f64>() / n;
    let variance = values.iter().map(|&v| (v as f64 - mean).powi(2)).sum::<f64>() / n;
    (mean, variance.sqrt() / mean)
}

/// The middle value.
pub fn median(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted[sorted.len() / 2]
}
