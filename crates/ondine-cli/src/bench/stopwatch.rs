//! Where the time of a step goes.

use ondine::Phase;
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The parts of a step, in the order of the tables.
const PHASES: [Phase; 6] =
    [Phase::Sort, Phase::Viscosity, Phase::Springs, Phase::Density, Phase::Contact, Phase::Other];

/// Adds up the time of each part of the steps.
#[derive(Debug)]
pub struct Stopwatch(Mutex<Hands>);

#[derive(Debug)]
struct Hands {
    phase: Phase,
    since: Instant,
    spent: [Duration; PHASES.len()],
}

/// Share of each part in the time of a step; together 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Shares {
    /// Sorting particles by cell.
    pub sort: f64,
    /// Viscosity.
    pub viscosity: f64,
    /// Springs.
    pub springs: f64,
    /// Density relaxation.
    pub density: f64,
    /// Contacts.
    pub contact: f64,
    /// Everything else.
    pub other: f64,
}

impl Stopwatch {
    /// At zero.
    pub fn new() -> Self {
        let spent = [Duration::ZERO; PHASES.len()];
        Self(Mutex::new(Hands { phase: Phase::Other, since: Instant::now(), spent }))
    }

    /// Time since the watch was last told anything is nobody's: call before a frame.
    pub fn resume(&self) {
        self.hands(|hands| (hands.phase, hands.since) = (Phase::Other, Instant::now()));
    }

    /// A part begins, or the frame ends with `Other`.
    pub fn begin(&self, phase: Phase) {
        self.hands(|hands| {
            let now = Instant::now();
            let place = PHASES.iter().position(|p| *p == hands.phase).unwrap_or(PHASES.len() - 1);
            hands.spent[place] += now - hands.since;
            (hands.phase, hands.since) = (phase, now);
        });
    }

    /// All time so far.
    pub fn total(&self) -> Duration {
        self.hands(|hands| hands.spent.iter().sum())
    }

    /// How it is shared out.
    pub fn shares(&self) -> Shares {
        let total = self.total().as_secs_f64().max(f64::MIN_POSITIVE);
        let [sort, viscosity, springs, density, contact, other] =
            self.hands(|hands| hands.spent.map(|part| part.as_secs_f64() / total));
        Shares { sort, viscosity, springs, density, contact, other }
    }

    fn hands<R>(&self, work: impl FnOnce(&mut Hands) -> R) -> R {
        // A panic elsewhere leaves the hands as good as they were.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What work gives, and how long it took [s].
pub fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_to_the_part_that_runs() {
        let watch = Stopwatch::new();
        let nap = || std::thread::sleep(Duration::from_millis(20));
        nap();
        watch.resume();
        watch.begin(Phase::Density);
        nap();
        watch.begin(Phase::Other);
        let shares = watch.shares();
        assert!(shares.density > 0.9, "{shares:?}");
        let all =
            [shares.sort, shares.viscosity, shares.springs, shares.density, shares.contact, shares.other];
        assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
