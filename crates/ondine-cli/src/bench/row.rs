//! What a benchmark finds.

use super::stopwatch::Shares;
use serde::Serialize;

/// The best run of a case at one size with one number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the case.
    pub benchmark: &'static str,
    /// Particles along an edge of the cube.
    pub size: u32,
    /// Particles.
    pub particles: u64,
    /// Threads at work.
    pub threads: u32,
    /// Time simulated [s].
    pub simulated_s: f64,
    /// Steps taken for it.
    pub steps: u64,
    /// Time that the steps took [s].
    pub wall_s: f64,
    /// The same for a simulated second [s/s]. For less than a second of simulation, an extrapolation.
    pub wall_per_simulated_s: f64,
    /// Time for a step of one particle [ns].
    pub ns_per_particle_step: f64,
    /// Where the time went.
    pub shares: Shares,
    /// Most memory alive during a step, over the particles [B].
    pub bytes_per_particle: f64,
    /// Centre of mass at the end [m].
    pub center: [f64; 3],
    /// Mean excess of density inside the liquid at the end, as a fraction.
    pub compression: f64,
    /// How much too high the pool at rest is, as a fraction; nothing when it was not measured.
    pub pool_error: Option<f64>,
    /// Particles on the wrong side of a wall at the end.
    pub leaks: u64,
    /// Hash of the state at the end: equal for any number of threads.
    pub hash: String,
}

impl Row {
    /// One line of JSON.
    pub fn json(&self) -> String {
        // Numbers and texts always make JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}
