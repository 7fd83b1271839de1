//! `ondine bench effects`: how fast particles of effects go, beside how fast this machine copies memory; and what collisions cost.

use super::Told;
use crate::args;
use crate::error::CliError;
use crate::scene_choice;
use ondine::scene::{
    Burst, Effect, EffectCollision, EffectEmitter, EffectPreset, Encounter, Object, ParticleDrag, Shape,
    Trajectory,
};
use ondine::{Scene, World};
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;

/// What `ondine bench` calls it.
pub const NAME: &str = "effects";
/// What it is, for people.
pub const ABOUT: &str = "1 and 10 million particles under gravity, wind and drag, beside copies of memory; then among ten objects";

const SIZES: [u32; 2] = [1_000_000, 10_000_000];
/// Bytes that an update moves: place, velocity and death are read, place and velocity written.
const BYTES: f64 = 28.0 + 24.0;
/// Updates that are measured one by one, for each repetition.
const STEPS: usize = 12;

/// What was found for some particles.
#[derive(Clone, Debug, Serialize)]
struct Found {
    benchmark: &'static str,
    particles: u32,
    threads: usize,
    /// Objects that they may meet.
    objects: usize,
    /// Best time of an update of all [ms].
    ms: f64,
    /// Of one particle [ns].
    ns_per_particle: f64,
    updates_per_s: f64,
    /// Bytes that updates move in a second [GB/s].
    update_gb_s: f64,
    /// Bytes that copies read and write in a second [GB/s].
    copy_gb_s: f64,
    /// The former over the latter.
    share_of_copy: f64,
}

/// Measures, best of `repeat` runs; updates and copies take turns.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let mut told = Vec::new();
    for (particles, objects) in [(SIZES[0], 0), (SIZES[1], 0), (SIZES[0], 10)] {
        let scene = scene(particles, objects);
        let mut world = World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))?;
        // All are born.
        advance(&mut world)?;
        let mut copy = Copy::new(particles as usize);
        let (mut best, mut fastest_copy) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..STEPS * order.repeat.max(1) as usize {
            let start = Instant::now();
            advance(&mut world)?;
            best = best.min(start.elapsed().as_secs_f64());
            fastest_copy = fastest_copy.min(copy.seconds());
        }
        let (count, copied) = (particles as f64, copy.bytes());
        let found = Found {
            benchmark: NAME,
            particles,
            threads: rayon::current_num_threads(),
            objects,
            ms: 1e3 * best,
            ns_per_particle: 1e9 * best / count,
            updates_per_s: count / best,
            update_gb_s: 1e-9 * BYTES * count / best,
            copy_gb_s: 1e-9 * copied / fastest_copy,
            share_of_copy: BYTES * count / best / (copied / fastest_copy),
        };
        let text = format!(
            "{:>9} particles, {:>2} objects: {:7.2} ms an update, {:6.2} ns a particle, {:5.1} GB/s; copies {:5.1} GB/s: {:3.0} %",
            found.particles,
            found.objects,
            found.ms,
            found.ns_per_particle,
            found.update_gb_s,
            found.copy_gb_s,
            100.0 * found.share_of_copy
        );
        told.push(Told::new(text, &found));
    }
    Ok(told)
}

fn advance(world: &mut World) -> Result<(), CliError> {
    world.advance().map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })
}

/// Particles in a wide box, which live longer than anybody looks; objects among them.
fn scene(particles: u32, objects: usize) -> Scene {
    let effect = Effect {
        emitter: EffectEmitter {
            shape: Some(Shape::Box { size: [20.0, 10.0, 20.0] }),
            at: [0.0, 20.0, 0.0],
            burst: vec![Burst { at: 0.0, times: particles }],
            angle: 180.0,
            speed: 3.0,
            ..EffectEmitter::default()
        },
        life: 1000.0,
        trajectory: Trajectory::Forces,
        gravity: 0.3,
        wind: [0.5, 0.0, 0.2],
        drag: ParticleDrag { linear: 0.4, quadratic: 0.0 },
        collision: EffectCollision { objects: Encounter::Bounce, ..EffectCollision::default() },
        ..Effect::new("many", EffectPreset::Plain)
    };
    let object = |n: usize| {
        let shape = match n % 3 {
            0 => Shape::Sphere { radius: 1.5 },
            1 => Shape::Box { size: [2.0, 3.0, 2.0] },
            _ => Shape::Capsule { radius: 0.8, height: 2.0 },
        };
        Object::new(format!("object-{n}"), shape, [3.0 * n as f32 - 13.5, 18.0, (n % 4) as f32 * 4.0 - 6.0])
    };
    Scene { fps: 60.0, effect: vec![effect], object: (0..objects).map(object).collect(), ..Scene::default() }
}

/// Arrays as large as what updates write, and their copies.
struct Copy {
    from: Vec<f32>,
    to: Vec<f32>,
}

impl Copy {
    fn new(particles: usize) -> Self {
        Self { from: vec![1.0; 6 * particles], to: vec![0.0; 6 * particles] }
    }

    /// Read and written.
    fn bytes(&self) -> f64 {
        8.0 * self.from.len() as f64
    }

    /// Time of one copy by all threads.
    fn seconds(&mut self) -> f64 {
        let start = Instant::now();
        let parts = self.to.par_chunks_mut(1 << 16).zip(self.from.par_chunks(1 << 16));
        parts.for_each(|(to, from)| to.copy_from_slice(from));
        start.elapsed().as_secs_f64()
    }
}
