//! A step of twenty thousand particles, for what springs and viscosity add to it.
//!
//! `cargo bench -p ondine`. What is timed is whole frames, each from the same state; what is told is their time over
//! their steps. A lone step would not do: viscosity acts in some steps for several at a time.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ondine::scene::{Arrangement, Fill, Object, Preset, Shape};
use ondine::{Scene, World};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Particles along an edge of a cube of 1 m: 19,683 in all.
const EDGE: u32 = 27;

/// Frames before the first that is timed: the cube has begun to spread and is no lattice any more.
const FRAMES_BEFORE: u32 = 10;

/// A cubic metre in the corner of a closed box.
fn scene(material: Preset) -> Scene {
    let mut liquid = material.liquid();
    liquid.name = "cube".into();
    liquid.spacing = 1.0 / EDGE as f32;
    liquid.fill.push(Fill {
        shape: Shape::Box { size: [1.0; 3] },
        at: [0.5; 3],
        rotate: [0.0; 3],
        velocity: [0.0; 3],
        arrangement: Arrangement::Lattice,
    });
    let walls = Shape::Container { size: [2.0, 2.0, 1.0], open: false };
    let walls = Object::new("walls", walls, [1.0, 1.0, 0.5]);
    Scene { liquid: vec![liquid], object: vec![walls], ..Scene::default() }
}

fn in_motion(material: Preset) -> World {
    let mut world = World::new(&scene(material)).expect("a sound scene");
    for _ in 0..FRAMES_BEFORE {
        world.advance().expect("a healthy step");
    }
    world
}

/// Time of a step, from `frames` times the frame after `world`.
fn step(world: &World, frames: u64) -> Duration {
    let mut spent = Duration::ZERO;
    for _ in 0..frames {
        let mut world = world.clone();
        let start = Instant::now();
        black_box(&mut world).advance().expect("a healthy step");
        spent += start.elapsed() / world.ledger().substeps;
    }
    spent
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    group.sample_size(20).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(u64::from(EDGE).pow(3)));
    for (name, material) in [("water", Preset::Water), ("honey", Preset::Honey), ("jelly", Preset::Jelly)] {
        let world = in_motion(material);
        group.bench_with_input(BenchmarkId::from_parameter(name), &world, |bencher, world| {
            bencher.iter_custom(|frames| step(world, frames));
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
