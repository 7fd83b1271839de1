//! When the particles of an emitter are born.
//!
//! Number n is born at n over the rate, whatever the steps are. A rate that changes counts on from where it changed. What was born follows
//! from times alone as long as nothing changes, so that seeking finds what stepping does.

use crate::scene::EffectEmitter;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How far an emitter has come. What is born at once has one number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Emission {
    /// The rate by which it counts [1/s].
    rate: f32,
    /// Since when [s].
    since: f64,
    /// How many had been due by then.
    before: f64,
    /// The number of the next.
    next: u64,
    /// Bursts that have happened.
    bursts: u32,
}

/// Some that are born at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// When [s].
    pub time: f64,
    /// How many times the emitter's count.
    pub times: u32,
}

impl Emission {
    /// What is born from one time to another, the second excluded, in the order of time; of one instant, bursts first.
    pub fn go(&mut self, emitter: &EffectEmitter, span: Range<f64>) -> Vec<Delivery> {
        let mut due = self.bursts(emitter, span.end);
        let open = span.start.max(emitter.start as f64);
        let close = emitter.stop.map_or(span.end, |stop| span.end.min(stop as f64));
        if open < close {
            self.count_by(emitter.rate, open);
            while let Some(time) = self.time_of(self.next).filter(|time| *time < close) {
                due.push(Delivery { time: time.max(open), times: 1 });
                self.next += 1;
            }
        }
        due.sort_by(|a, b| a.time.total_cmp(&b.time));
        due
    }

    /// The bursts up to a time. They are in order of time: the checks say so.
    fn bursts(&mut self, emitter: &EffectEmitter, end: f64) -> Vec<Delivery> {
        let left = emitter.burst.get(self.bursts as usize..).unwrap_or_default();
        let due: Vec<Delivery> = left
            .iter()
            .take_while(|burst| (burst.at as f64) < end)
            .map(|burst| Delivery { time: burst.at as f64, times: burst.times })
            .collect();
        self.bursts += due.len() as u32;
        due
    }

    /// Counts by a rate from a time on: after a change from what is due by then, after a pause from the next whole number.
    fn count_by(&mut self, rate: f32, time: f64) {
        let overdue = self.time_of(self.next).is_none_or(|next| next < time);
        if overdue {
            self.before = self.next as f64;
        } else if rate != self.rate {
            self.before += self.rate as f64 * (time - self.since);
        } else {
            return;
        }
        (self.rate, self.since) = (rate, time);
    }

    /// When a number is born, at the present rate.
    fn time_of(&self, number: u64) -> Option<f64> {
        (self.rate > 0.0).then(|| self.since + (number as f64 - self.before) / self.rate as f64)
    }

    /// Whether its numbers can be right.
    pub fn is_sound(&self, emitter: &EffectEmitter) -> bool {
        [self.since, self.before, self.rate as f64].iter().all(|x| x.is_finite() && *x >= 0.0)
            && self.before <= self.next as f64
            && self.bursts as usize <= emitter.burst.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Burst;

    fn times(emitter: &EffectEmitter, steps: usize, end: f64) -> Vec<Delivery> {
        let mut emission = Emission::default();
        let at = |i: usize| end * i as f64 / steps as f64;
        (0..steps).flat_map(|i| emission.go(emitter, at(i)..at(i + 1))).collect()
    }

    /// Number n at n over the rate, to the bit, for any steps; and so many that it is within one of the rate times the time.
    #[test]
    fn births_do_not_depend_on_steps() {
        let emitter = EffectEmitter { rate: 7.3, start: 0.25, stop: Some(2.5), ..EffectEmitter::default() };
        let once = times(&emitter, 1, 3.0);
        for (n, born) in once.iter().enumerate() {
            assert_eq!(born.time, 0.25 + n as f64 / 7.3f32 as f64);
        }
        assert!((once.len() as f64 - 7.3 * 2.25).abs() <= 1.0, "{}", once.len());
        for steps in [2, 7, 90, 1001] {
            assert_eq!(times(&emitter, steps, 3.0), once);
        }
    }

    /// A rate that changes counts on: what was due by half is born half as late.
    #[test]
    fn a_rate_that_changes_counts_on() {
        let mut emitter = EffectEmitter { rate: 1.0, ..EffectEmitter::default() };
        let mut emission = Emission::default();
        assert_eq!(emission.go(&emitter, 0.0..0.5).len(), 1);
        emitter.rate = 2.0;
        let born = emission.go(&emitter, 0.5..2.0);
        assert_eq!(born.iter().map(|b| b.time).collect::<Vec<_>>(), [0.75, 1.25, 1.75]);
        emitter.rate = 0.0;
        assert!(emission.go(&emitter, 2.0..4.0).is_empty());
        emitter.rate = 1.0;
        assert_eq!(emission.go(&emitter, 4.0..4.5)[0].time, 4.0);
        emitter.stop = Some(4.5);
        assert!(emission.go(&emitter, 4.5..9.0).is_empty());
        emitter.stop = None;
        assert_eq!(emission.go(&emitter, 9.0..9.5).iter().map(|b| b.time).collect::<Vec<_>>(), [9.0]);
    }

    #[test]
    fn bursts_come_once() {
        let burst = vec![Burst { at: 0.5, times: 3 }, Burst { at: 0.5, times: 4 }];
        let emitter = EffectEmitter { burst, rate: 1.0, ..EffectEmitter::default() };
        for steps in [1, 4, 100] {
            let all = times(&emitter, steps, 1.0);
            assert_eq!(all.iter().map(|b| b.times).collect::<Vec<_>>(), [1, 3, 4]);
        }
    }
}
