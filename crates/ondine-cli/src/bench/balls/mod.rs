//! `ondine bench balls`: balls that fall into a box, beside those of the rigid solver that objects go by; and what a ball costs among
//! more of them.

mod drop;
mod peer;

use super::Told;
use crate::args;
use crate::error::CliError;
use drop::Drop;
use serde::Serialize;

/// What `ondine bench` calls it.
pub const NAME: &str = "balls";
/// What it is, for people.
pub const ABOUT: &str = "5 thousand balls that fall into a box, beside rapier's; and 1, 10 and 100 thousand";

/// Balls beside the other solver's, and the time that is simulated when nobody says [s].
const DUEL: u32 = 5000;
const DUEL_SECONDS: f64 = 5.0;
/// Balls alone, and the time [s].
const ALONE: [u32; 3] = [1000, 10_000, 100_000];
const ALONE_SECONDS: f64 = 2.0;

/// What was found for some balls.
#[derive(Clone, Debug, Serialize)]
struct Found {
    benchmark: &'static str,
    /// Whose balls.
    engine: &'static str,
    threads: usize,
    balls: u32,
    /// Time simulated [s].
    simulated_s: f64,
    /// Best time that it took [s].
    wall_s: f64,
    /// Steps of a sixtieth of a second in a second.
    steps_per_s: f64,
    /// Time for one ball in such a step [ns].
    ns_per_ball_step: f64,
    /// Deepest that one is in another, or in a wall, at the end and over a whole second before it, over the radius.
    overlap: f64,
    /// Balls whose centres are outside of the box at the end.
    outside: usize,
    /// Mean height of the centres at the end [m].
    height: f64,
}

/// Measures, best of `repeat` runs; both solvers take turns.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let threads = rayon::current_num_threads();
    let duel = Drop::square(DUEL, order.seconds.unwrap_or(DUEL_SECONDS));
    let (mut own, mut single, mut other) = (None, None, None);
    for _ in 0..order.repeat.max(1) {
        keep(&mut own, duel.ours(threads)?);
        keep(&mut single, duel.ours(1)?);
        keep(&mut other, peer::rapier(&duel));
    }
    let duel: Vec<Found> = [own, single, other].into_iter().flatten().collect();
    let last = duel.last().map_or(1.0, |found| found.steps_per_s);
    let mut told: Vec<Told> =
        duel.iter().map(|found| Told::new(found.text(Some(found.steps_per_s / last)), found)).collect();
    for balls in ALONE {
        let drop = Drop::deep(balls, order.seconds.unwrap_or(ALONE_SECONDS));
        let mut best = None;
        for _ in 0..order.repeat.max(1) {
            keep(&mut best, drop.ours(threads)?);
        }
        told.extend(best.iter().map(|found: &Found| Told::new(found.text(None), found)));
    }
    Ok(told)
}

/// Keeps the faster.
fn keep(best: &mut Option<Found>, found: Found) {
    if best.as_ref().is_none_or(|best| found.wall_s < best.wall_s) {
        *best = Some(found);
    }
}

impl Found {
    /// As people read it; `times` is how many times as fast as the other solver it is.
    fn text(&self, times: Option<f64>) -> String {
        let Self { engine, threads, balls, steps_per_s, ns_per_ball_step, overlap, outside, height, .. } =
            self;
        let beside = times.map_or(String::new(), |times| format!(" ({times:.1} times rapier's)"));
        format!(
            "{engine}, {balls} balls, {threads} thread{}: {steps_per_s:.1} steps of 1/60 s a second{beside}, {ns_per_ball_step:.0} ns a \
             ball-step; overlap {:.1} % of the radius, outside {outside}, mean height {height:.3} m",
            if *threads == 1 { "" } else { "s" },
            100.0 * overlap,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both solvers drop the same balls: none is lost, and both heaps are as high, to some per cent.
    #[test]
    fn both_solvers_make_the_same_heap() {
        let drop = Drop::square(300, 2.0);
        let (own, other) = (drop.ours(2).unwrap_or_else(|e| panic!("{e}")), peer::rapier(&drop));
        for found in [&own, &other] {
            assert_eq!((found.balls, found.outside), (300, 0), "{found:?}");
            assert!(found.overlap < 0.1 && found.steps_per_s > 0.0, "{found:?}");
        }
        assert!((own.height / other.height - 1.0).abs() < 0.1, "{own:?} {other:?}");
    }
}
