//! `ondine bench`: how fast this machine simulates, and how true the result is.

mod balls;
mod bodies;
mod case;
mod effects;
mod measure;
mod objects;
mod render;
mod row;
mod splash;
mod stopwatch;
mod surface;
mod table;
mod truth;

use crate::args;
use crate::console;
use crate::error::{CliError, count};
use case::Case;
use row::Row;
use serde::Serialize;
use std::thread;

/// A benchmark that is not a [`Case`].
struct Other {
    name: &'static str,
    about: &'static str,
    run: fn(&args::Bench) -> Result<Vec<Told>, CliError>,
}

const OTHERS: [Other; 7] = [
    Other { name: balls::NAME, about: balls::ABOUT, run: balls::run },
    Other { name: effects::NAME, about: effects::ABOUT, run: effects::run },
    Other { name: objects::NAME, about: objects::ABOUT, run: objects::run },
    Other { name: bodies::NAME, about: bodies::ABOUT, run: bodies::run },
    Other { name: surface::NAME, about: surface::ABOUT, run: surface::run },
    Other { name: render::NAME, about: render::ABOUT, run: render::run },
    Other { name: truth::NAME, about: truth::ABOUT, run: truth::run },
];

/// Something that was found, in words and as a line of JSON.
struct Told {
    text: String,
    json: String,
}

impl Told {
    fn new(text: String, found: &impl Serialize) -> Self {
        // Numbers and texts always make JSON.
        Self { text, json: serde_json::to_string(found).unwrap_or_default() }
    }
}

/// Runs a benchmark, or all.
pub fn bench(order: &args::Bench) -> Result<(), CliError> {
    let cases = chosen(order)?;
    if order.name.is_none() {
        cases.iter().for_each(|case| console::eprint(&format!("{:<8}  {}", case.name, case.about)));
        OTHERS.iter().for_each(|other| console::eprint(&format!("{:<8}  {}", other.name, other.about)));
    }
    if cfg!(debug_assertions) {
        console::eprint("warning: this program is built for debugging; its times mean little");
    }
    let threads = match order.threads.as_slice() {
        [] => vec![cores()],
        asked => asked.to_vec(),
    };
    let mut rows = Vec::new();
    for case in cases {
        for size in case.sizes(order) {
            let measured = side_by_side(case, size, &threads, order)?;
            if order.json {
                measured.iter().try_for_each(|row| console::print(&row.json()))?;
            }
            rows.extend(measured);
        }
    }
    if !order.json && !rows.is_empty() {
        console::print(&table::text(&rows, cores()))?;
    }
    let most = threads.iter().copied().max().unwrap_or(1);
    for other in OTHERS.iter().filter(|other| order.name.as_deref().is_none_or(|name| name == other.name)) {
        for told in in_pool(most, || (other.run)(order))? {
            console::print(if order.json { &told.json } else { &told.text })?;
        }
    }
    Ok(())
}

fn chosen(order: &args::Bench) -> Result<Vec<&'static Case>, CliError> {
    let Some(name) = &order.name else { return Ok(case::ALL.iter().collect()) };
    if OTHERS.iter().any(|other| other.name == name) {
        return Ok(Vec::new());
    }
    match case::ALL.iter().filter(|case| case.name == name || case.with == name).collect::<Vec<_>>() {
        cases if !cases.is_empty() => Ok(cases),
        _ => {
            let others = OTHERS.iter().map(|other| other.name);
            let known: Vec<&str> = case::ALL.iter().map(|case| case.name).chain(others).collect();
            Err(CliError::NoSuchBenchmark { name: name.clone(), known: known.join(", ") })
        }
    }
}

fn cores() -> u32 {
    thread::available_parallelism().map_or(1, |number| number.get() as u32)
}

/// The best run for each number of threads. They take turns, so that a disturbance does not hit one number alone.
fn side_by_side(case: &Case, size: u32, threads: &[u32], order: &args::Bench) -> Result<Vec<Row>, CliError> {
    let seconds = order.seconds.unwrap_or_else(|| case.seconds(size));
    let mut best: Vec<Option<Row>> = threads.iter().map(|_| None).collect();
    for turn in 1..=order.repeat {
        for (best, &threads) in best.iter_mut().zip(threads) {
            console::eprint(&format!(
                "{} {size}: {}, run {turn} of {}",
                case.name,
                count(threads as usize, "thread"),
                order.repeat
            ));
            let row = in_pool(threads, || measure::run(case, size, seconds, threads))?;
            if best.as_ref().is_none_or(|best| row.wall_s < best.wall_s) {
                *best = Some(row);
            }
        }
    }
    let mut rows: Vec<Row> = best.into_iter().flatten().collect();
    if case.settles(size) && !order.no_settle {
        console::eprint(&format!("{} {size}: until it is at rest", case.name));
        // Any number of threads gives the same pool, so one will do for all rows.
        let most = threads.iter().copied().max().unwrap_or(1);
        let error = in_pool(most, || measure::pool_error(case, size))?;
        rows.iter_mut().for_each(|row| row.pool_error = Some(error));
    }
    Ok(rows)
}

/// Does the work on so many threads of its own.
fn in_pool<R: Send>(threads: u32, work: impl FnOnce() -> Result<R, CliError> + Send) -> Result<R, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
    let pool = pool.build().map_err(|error| CliError::NoStart { reason: error.to_string() })?;
    pool.install(work)
}
