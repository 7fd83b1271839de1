//! `ondine bench`: how fast this machine simulates.

use crate::args;
use crate::stop::Stop;

/// Runs a benchmark, or all.
pub fn bench(order: &args::Bench) -> Result<(), Stop> {
    Err(Stop::NoSuchBenchmark { name: order.name.clone().unwrap_or_else(|| "all".into()) })
}
