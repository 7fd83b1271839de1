//! `ondine bench bodies`: what many free bodies in a liquid cost beside one.

use super::Told;
use super::stopwatch::{Shares, Stopwatch};
use crate::args;
use crate::error::CliError;
use crate::scene_choice;
use ondine::scene::{Arrangement, Fill, Motion, Object, Preset, Shape};
use ondine::{Phase, Scene, World};
use serde::Serialize;

/// What `ondine bench` calls it.
pub const NAME: &str = "bodies";
/// What it is, for people.
pub const ABOUT: &str = "10 and 100 free bodies in a pool of 20 thousand particles, beside one";

/// Sides and depth of the pool [m].
const POOL: [f32; 3] = [1.0, 0.5, 1.0];
/// Some 35 × 17 × 35 particles, less what the bodies take up.
const SPACING: f32 = 0.0285;
/// Bodies, in rows of at most so many.
const BODIES: [u32; 3] = [1, 10, 100];
const ROW: u32 = 10;
/// Side of a body [m]: two spacings.
const SIDE: f32 = 0.06;
/// Time to simulate when nobody says [s].
const SECONDS: f64 = 0.5;

/// What was found for a number of bodies.
#[derive(Clone, Debug, Default, Serialize)]
struct Found {
    benchmark: &'static str,
    bodies: u32,
    particles: u64,
    /// Time simulated [s].
    simulated_s: f64,
    steps: u64,
    /// Best time that it took [s].
    wall_s: f64,
    ns_per_particle_step: f64,
    shares: Shares,
    leaks: u64,
}

/// Measures, best of `repeat` runs.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let seconds = order.seconds.unwrap_or(SECONDS);
    let best = |bodies: u32| -> Result<Found, CliError> {
        let runs =
            (0..order.repeat.max(1)).map(|_| measure(bodies, seconds)).collect::<Result<Vec<_>, _>>()?;
        Ok(runs.into_iter().min_by(|a, b| a.wall_s.total_cmp(&b.wall_s)).unwrap_or_default())
    };
    let all = BODIES.into_iter().map(best).collect::<Result<Vec<_>, _>>()?;
    let one = all[0].ns_per_particle_step.max(f64::MIN_POSITIVE);
    let tell = |found: &Found| {
        let share = 100.0 * found.ns_per_particle_step / one;
        let beside =
            if found.bodies == 1 { String::new() } else { format!("; {share:.0} % of the time with one") };
        Told::new(found.text() + &beside, found)
    };
    Ok(all.iter().map(tell).collect())
}

impl Found {
    /// As people read it.
    fn text(&self) -> String {
        format!(
            "{} in {} particles, {} steps: {:.0} ns a particle-step, {:.0} % of it contact; leaks {}",
            if self.bodies == 1 { "one free body".into() } else { format!("{} free bodies", self.bodies) },
            self.particles,
            self.steps,
            self.ns_per_particle_step,
            100.0 * self.shares.contact,
            self.leaks
        )
    }
}

/// A pool with so many cubes half under its surface, in rows.
fn scene(bodies: u32) -> Scene {
    let mut liquid = Preset::Water.liquid();
    liquid.name = "pool".into();
    liquid.spacing = SPACING;
    liquid.fill.push(Fill {
        shape: Shape::Box { size: POOL },
        at: [0.0, 0.5 * POOL[1], 0.0],
        rotate: [0.0; 3],
        velocity: [0.0; 3],
        arrangement: Arrangement::default(),
    });
    let walls = Shape::Container { size: [POOL[0], 3.0 * POOL[1], POOL[2]], open: false };
    let mut object = vec![Object::new("walls", walls, [0.0, 1.5 * POOL[1], 0.0])];
    let (row, rows) = (bodies.min(ROW), bodies.div_ceil(ROW));
    let along = |i: u32, of: u32| (i as f32 + 0.5) / of as f32 - 0.5;
    object.extend((0..bodies).map(|i| {
        let at = [POOL[0] * along(i % row, row), POOL[1], POOL[2] * along(i / row, rows)];
        let cube = Object::new(format!("body {i}"), Shape::Box { size: [SIDE; 3] }, at);
        Object { motion: Motion::Free, density: 500.0, ..cube }
    }));
    Scene { liquid: vec![liquid], object, sleep: false, ..Scene::default() }
}

fn measure(bodies: u32, seconds: f64) -> Result<Found, CliError> {
    let scene = scene(bodies);
    let mut world = World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))?;
    let mut found = Found { benchmark: NAME, bodies, ..Found::default() };
    let (watch, mut particle_steps) = (Stopwatch::new(), 0);
    while world.time() < seconds {
        watch.resume();
        let advanced = world.advance_watched(&|phase| watch.begin(phase));
        watch.begin(Phase::Other);
        advanced.map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })?;
        let ledger = world.ledger();
        found.particles = ledger.systems.iter().map(|s| s.particles).sum();
        found.leaks = ledger.systems.iter().map(|s| s.leaks).sum();
        found.steps += u64::from(ledger.substeps);
        particle_steps += u64::from(ledger.substeps) * found.particles;
    }
    found.simulated_s = world.time();
    found.wall_s = watch.total().as_secs_f64();
    found.ns_per_particle_step = 1e9 * found.wall_s / particle_steps.max(1) as f64;
    found.shares = watch.shares();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both scenes run, and hold what they say.
    #[test]
    fn the_scenes_are_sound() {
        for bodies in BODIES {
            let found = measure(bodies, 0.01).unwrap_or_default();
            assert!(found.steps > 0 && found.particles > 15_000, "{found:?}");
            assert_eq!((found.leaks, scene(bodies).object.len() as u32), (0, bodies + 1));
        }
    }
}
