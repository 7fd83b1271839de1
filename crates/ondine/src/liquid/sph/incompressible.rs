//! The pressures that keep a liquid's volume.
//!
//! Not in text 002. As in DFSPH and IISPH (Bender and Koschier 2015, Ihmsen et al. 2014), pressures are not a law of the density but whatever
//! keeps it: those with which, at the end of the step, no particle is denser than at rest,
//!
//! ρ_i + dt dρ_i/dt(v*) + dt² dρ_i/dt(f(π)/ρ_m) ≤ ρ0,   π_i ≥ 0,   one of both being equal.
//!
//! With the rates of `rates.rs` that is A π ≥ b, b = (h²/2)(ρ − ρ0) − dt rate(v*) and A π = dt² rate(f(π)/ρ_m): symmetric, for forces and rates are each
//! other's transpose, and positive: the least of ½πAπ − bπ over all π ≥ 0.
//!
//! Where it differs: DFSPH takes Jacobi's steps, with a factor of its own for each particle, which a lone one makes infinite. Here steps are those of
//! Nesterov's accelerated gradient, projected on π ≥ 0, with one factor for all, from the packing at rest: nobody's neighbours are divided by.
//! Momentum is forgotten where it leads uphill (O'Donoghue and Candès 2015). The first guess are the pressures of the step before, which are part of the state.
//! Density and divergence are not two solutions but one: what is moved stays moved, as everywhere in this engine.
//! Limits: the error is bounded for what the step can foresee. Where neighbours pass each other by a good part of h in a step it is larger; the
//! next step takes it back.

use crate::parallel;

/// Longest step, over h and the speed of the flow.
pub const CROSSING: f32 = 0.15;
/// The same for what is alone in the air.
pub const CROSSING_ALONE: f32 = 0.6;
/// Longest step over √(h/g): in longer ones a pool that is held up only at their end never comes to rest.
pub const FALLING: f32 = 0.08;
/// Share of a step by which pressure looks ahead. Whatever is stiff by the mere places of particles then loses its motion.
pub const LOOK_AHEAD: f32 = 0.5;
/// Largest eigenvalue of A over dt² Σ q² (dW/du)² h²/ρ_m in a lattice. In crowds it is larger, which is found on the way.
const STIFFEST: f32 = 2.0;
/// What is added to a stiffness that was found.
const ROOM: f32 = 1.1;
/// Rounds after which it is good enough.
const ROUNDS: u32 = 100;
/// Share of the error that is asked for which the solution may leave: the rest is for what the step does not foresee.
const LEAVES: f64 = 0.4;
/// Way that particles go in a step, over their spacing, as a root mean square, from which the whole error may be left. In calmer liquid that would
/// be what moves it.
const MOVES: f64 = 0.1;
/// Share of the error that is left where nothing moves.
const CALM: f64 = 0.005;

/// Arrays of a solution, by slot.
#[derive(Clone, Debug, Default)]
pub struct Volume {
    /// π [Pa/m²]; eight more.
    pub pressures: Vec<f32>,
    /// b [m²].
    pub wanted: Vec<f32>,
    /// A π [m²].
    pub found: Vec<f32>,
    /// π of the round before, before momentum was added.
    before: Vec<f32>,
    /// The same of this one.
    next: Vec<f32>,
    /// What A was multiplied by in this round and in the one before, and what came of that then.
    tried: Vec<f32>,
    tried_before: Vec<f32>,
    found_before: Vec<f32>,
}

/// What a solution is to be.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// A bound of A's diagonal, dt² Σ q² (dW/du)² h²/ρ_m [m²/(Pa/m²)].
    pub diagonal: f32,
    /// Mean excess of b over A π that is left, where there is any [m²].
    pub error: f64,
}

/// Share of the error asked for that may be left where particles go so far in a step, over their spacing, as a root mean square.
pub fn tolerance(moves: f64) -> f64 {
    (moves / MOVES).clamp(CALM, 1.0)
}

impl Volume {
    /// Makes room for so many slots, with pressures to start from.
    pub fn begin(&mut self, pressures: &[f32]) {
        let n = self.wanted.len();
        self.pressures.clear();
        self.pressures.extend_from_slice(pressures);
        self.before.clear();
        self.before.extend_from_slice(&pressures[..n]);
        self.found.resize(n, 0.0);
        for array in [&mut self.next, &mut self.tried, &mut self.tried_before, &mut self.found_before] {
            array.resize(n, 0.0);
        }
    }

    /// The stiffness of A along the way from the pressures of the round before, |A Δ|²/(Δ A Δ): steps longer than one over it would grow.
    fn stiffness(&self) -> f32 {
        let Self { tried, tried_before, found, found_before, .. } = self;
        let sums = parallel::gather(found.len(), |range| {
            range.fold((0.0, 0.0), |(square, product), i| {
                let (moved, change) = (tried[i] - tried_before[i], found[i] - found_before[i]);
                (square + (change * change) as f64, product + (moved * change) as f64)
            })
        });
        let (square, product) =
            sums.into_iter().fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        if product > 0.0 { (square / product) as f32 } else { 0.0 }
    }

    /// Finds the pressures. `multiply` finds A π. Returns the number of rounds.
    pub fn solve(&mut self, aim: Aim, mut multiply: impl FnMut(&mut Self)) -> u32 {
        let mut step = 1.0 / (STIFFEST * aim.diagonal);
        let mut speed = 1.0f32;
        for round in 1..=ROUNDS {
            std::mem::swap(&mut self.tried, &mut self.tried_before);
            self.tried.copy_from_slice(&self.pressures[..self.wanted.len()]);
            std::mem::swap(&mut self.found, &mut self.found_before);
            multiply(self);
            if round > 1 {
                step = step.min(1.0 / (ROOM * self.stiffness()));
            }
            let (excess, uphill) = self.step(step);
            let is_good = excess <= LEAVES * aim.error * self.wanted.len() as f64;
            let next = 0.5 * (1.0 + (1.0 + 4.0 * speed * speed).sqrt());
            let is_on = !is_good && uphill <= 0.0;
            self.go_on(if is_on { (speed - 1.0) / next } else { 0.0 });
            speed = if is_on { next } else { 1.0 };
            // What is not a number is not good, but no round mends it.
            if is_good || excess.is_nan() {
                return round;
            }
        }
        ROUNDS
    }

    /// A step along the residual, to pressures of which none is below 0. Returns the sum of what A π is off from b, where π can mend it, and how
    /// much of the way since the round before was uphill.
    fn step(&mut self, step: f32) -> (f64, f64) {
        let Self { pressures, wanted, found, before, next, .. } = self;
        let (now, wanted, found, before) = (&*pressures, &*wanted, &*found, &*before);
        parallel::parts(next, |first, part| {
            for (k, next) in part.iter_mut().enumerate() {
                let i = first + k;
                *next = (now[i] + step * (wanted[i] - found[i])).max(0.0);
            }
        });
        let next = &*next;
        let sums = parallel::gather(wanted.len(), |range| {
            range.fold((0.0, 0.0), |(excess, uphill), i| {
                let lacks = wanted[i] - found[i];
                let off = (next[i] - now[i]).abs() / step;
                (excess + off as f64, uphill - (lacks * (next[i] - before[i])) as f64)
            })
        });
        sums.into_iter().fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1))
    }

    /// On from there, by a share of how pressures changed since the round before.
    fn go_on(&mut self, momentum: f32) {
        let Self { pressures, wanted, before, next, .. } = self;
        let (from, to) = (&*before, &*next);
        parallel::parts(&mut pressures[..wanted.len()], |first, part| {
            for (k, now) in part.iter_mut().enumerate() {
                let (from, to) = (from[first + k], to[first + k]);
                *now = (to + momentum * (to - from)).max(0.0);
            }
        });
        std::mem::swap(before, next);
    }
}
