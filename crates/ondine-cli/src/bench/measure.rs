//! One measured run.

use super::case::Case;
use super::row::Row;
use super::stopwatch::Stopwatch;
use crate::error::CliError;
use crate::memory::Count;
use crate::scene_choice;
use ondine::{Phase, SystemLedger, World};

/// Time after which a pool is at rest [s].
const AT_REST: f64 = 20.0;

/// Simulates the case and measures time, memory and truth. `threads` is only noted: the caller has chosen the pool.
pub fn run(case: &Case, size: u32, seconds: f64, threads: u32) -> Result<Row, CliError> {
    let count = Count::begin();
    let mut world = start(case, size)?;
    let (watch, mut steps, mut bytes) = (Stopwatch::new(), 0, 0);
    for _ in 0..frames(&world, seconds) {
        watch.resume();
        let (peak, advanced) = count.peak_of(|| world.advance_watched(&|phase| watch.begin(phase)));
        watch.begin(Phase::Other);
        advanced.map_err(|failure| broken(case, failure))?;
        // The ledger tells the number of steps; neither its time nor its memory is the engine's.
        steps += u64::from(world.ledger().substeps);
        bytes = bytes.max(peak);
    }
    drop(count);
    let end = world.ledger();
    let system = end.systems.into_iter().next().unwrap_or_default();
    let wall_s = watch.total().as_secs_f64();
    let particle_steps = (system.particles * steps).max(1) as f64;
    Ok(Row {
        benchmark: case.name,
        size,
        particles: system.particles,
        threads,
        simulated_s: end.time,
        steps,
        wall_s,
        wall_per_simulated_s: wall_s / end.time,
        ns_per_particle_step: 1e9 * wall_s / particle_steps,
        shares: watch.shares(),
        bytes_per_particle: bytes as f64 / system.particles.max(1) as f64,
        center: system.center,
        compression: system.compression,
        pool_error: None,
        leaks: system.leaks,
        hash: end.hash,
    })
}

/// How much too high (or, below 0, too low) the pool is that the case ends as, as a fraction.
pub fn pool_error(case: &Case, size: u32) -> Result<f64, CliError> {
    let mut world = start(case, size)?;
    for _ in 0..frames(&world, AT_REST) {
        world.advance().map_err(|failure| broken(case, failure))?;
    }
    // The surface is ragged where particles are large; the centre of mass is not.
    let center = |systems: &[SystemLedger]| systems.first().map_or(0.0, |system| system.center[1]);
    Ok(2.0 * center(&world.ledger().systems) / case.pool_height() - 1.0)
}

fn start(case: &Case, size: u32) -> Result<World, CliError> {
    let scene = case.scene(size);
    World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))
}

fn frames(world: &World, seconds: f64) -> u32 {
    (seconds * f64::from(world.scene().fps)).round().max(1.0) as u32
}

fn broken(case: &Case, failure: ondine::Failure) -> CliError {
    CliError::Unmeasured { name: case.name, failure: Box::new(failure) }
}
