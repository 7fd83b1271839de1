//! From forces to motion, step by step.
//!
//! Source: text 004, "Simulation dans le temps": Euler's method, y' = y + h f(x, y); that of Runge and Kutta, y' = y + h f(x + h/2,
//! y + h/2 f(x, y)), which is the midpoint method; implicit Euler, y' = y + h f(x + h, y'). Here y is a place and a velocity, and f
//! gives velocity and acceleration. Semi-implicit Euler is what keeps planets on their way; the exponential method is exact where
//! drag is linear and all else constant, however long the step (Hochbruck and Ostermann, Exponential integrators, 2010).
//!
//! On an oscillator in steps of a tenth of its radian, Euler gains 1 % of energy a step, implicit Euler loses as much, the midpoint
//! method gains some 10⁻⁵, and semi-implicit Euler swings within 5 % for ever: the tests below have the numbers.

use crate::scene::Integrator;
use glam::{DMat3, DVec3};

/// Most rounds of Newton's method: of linear forces one is enough.
const ROUNDS: usize = 8;
/// Change of velocity at which it ends, over the velocity, and at least [m/s].
const CLOSE: f64 = 1e-12;
/// By how much a velocity is changed to see what forces make of it, over its size, and at least [m/s].
const NUDGE: f64 = 1e-6;

/// Where something is, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Where [m].
    pub at: DVec3,
    /// How fast [m/s].
    pub velocity: DVec3,
}

/// What acts on a mass: its acceleration is `push` − `drag` times its velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceleration {
    /// What does not depend on its velocity, or as if it did not [m/s²].
    pub push: DVec3,
    /// What slows it down [1/s].
    pub drag: f64,
}

impl Acceleration {
    fn on(self, velocity: DVec3) -> DVec3 {
        self.push - self.drag * velocity
    }
}

/// Moves something through a step of `dt` [s] from a time [s] on, by what `forces` says of a state at a time.
pub fn step(
    integrator: Integrator,
    from: Moving,
    time: f64,
    dt: f64,
    forces: impl Fn(Moving, f64) -> Acceleration,
) -> Moving {
    let Moving { at, velocity } = from;
    match integrator {
        Integrator::ExplicitEuler => {
            let gained = dt * forces(from, time).on(velocity);
            Moving { at: at + dt * velocity, velocity: velocity + gained }
        }
        Integrator::SemiImplicitEuler => {
            let velocity = velocity + dt * forces(from, time).on(velocity);
            Moving { at: at + dt * velocity, velocity }
        }
        Integrator::Midpoint => {
            let half = 0.5 * dt;
            let gained = half * forces(from, time).on(velocity);
            let middle = Moving { at: at + half * velocity, velocity: velocity + gained };
            let gained = dt * forces(middle, time + half).on(middle.velocity);
            Moving { at: at + dt * middle.velocity, velocity: velocity + gained }
        }
        Integrator::ImplicitEuler => {
            let velocity = implicit(from, time, dt, forces);
            Moving { at: at + dt * velocity, velocity }
        }
        Integrator::Exponential => {
            let middle = Linear::new(forces(from, time), 0.5 * dt).step(from);
            Linear::new(forces(middle, time + 0.5 * dt), dt).step(from)
        }
    }
}

/// The same for what has no inertia, by what `flow` says of the velocity at a place and time.
pub fn drift(
    integrator: Integrator,
    at: DVec3,
    time: f64,
    dt: f64,
    flow: impl Fn(DVec3, f64) -> DVec3,
) -> DVec3 {
    match integrator {
        Integrator::ExplicitEuler | Integrator::SemiImplicitEuler => at + dt * flow(at, time),
        Integrator::Midpoint | Integrator::Exponential => {
            at + dt * flow(at + 0.5 * dt * flow(at, time), time + 0.5 * dt)
        }
        Integrator::ImplicitEuler => {
            let end = |v: DVec3| flow(at + dt * v, time + dt);
            at + dt * solve(flow(at, time), end)
        }
    }
}

/// The velocity at the end of a step of implicit Euler: v' = v + h a(x + h v', v').
fn implicit(from: Moving, time: f64, dt: f64, forces: impl Fn(Moving, f64) -> Acceleration) -> DVec3 {
    let end = |v: DVec3| {
        let there = Moving { at: from.at + dt * v, velocity: v };
        from.velocity + dt * forces(there, time + dt).on(v)
    };
    solve(from.velocity, end)
}

/// The v that is `of(v)`, by Newton's method with measured slopes.
fn solve(guess: DVec3, of: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let mut v = guess;
    for _ in 0..ROUNDS {
        let off = v - of(v);
        let nudge = NUDGE * v.length().max(1.0);
        let slope = |axis: DVec3| axis - (of(v + nudge * axis) - of(v - nudge * axis)) / (2.0 * nudge);
        let slopes = DMat3::from_cols(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        // Where it has no slope it stays: the step is then no better than explicit.
        let change = if slopes.determinant().abs() > 1e-300 { slopes.inverse() * off } else { off };
        v -= change;
        if change.length() <= CLOSE * v.length().max(1.0) {
            break;
        }
    }
    v
}

/// The exact step under a constant push and linear drag k: v' = e v + a p, x' = x + a v + b p with e = exp(−k h), a = (1 − e)/k,
/// b = (h − a)/k.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// What is left of the velocity.
    pub kept: f64,
    /// Way for the velocity, and velocity for the push [s].
    pub way: f64,
    /// Way for the push [s²].
    pub fall: f64,
    /// The push [m/s²].
    pub push: DVec3,
}

impl Linear {
    /// A step of so long [s].
    pub fn new(acting: Acceleration, dt: f64) -> Self {
        let Acceleration { push, drag } = acting;
        let x = drag * dt;
        // Below this the differences would leave too few digits, and three terms of their series are enough.
        if x < 1e-4 {
            let way = dt * (1.0 - x / 2.0 + x * x / 6.0);
            return Self {
                kept: 1.0 - drag * way,
                way,
                fall: dt * dt * (0.5 - x / 6.0 + x * x / 24.0),
                push,
            };
        }
        let way = -libm::expm1(-x) / drag;
        Self { kept: libm::exp(-x), way, fall: (dt - way) / drag, push }
    }

    /// Moves something through it.
    pub fn step(&self, from: Moving) -> Moving {
        Moving {
            at: from.at + self.way * from.velocity + self.fall * self.push,
            velocity: self.kept * from.velocity + self.way * self.push,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Integrator; 5] = [
        Integrator::Exponential,
        Integrator::ExplicitEuler,
        Integrator::Midpoint,
        Integrator::ImplicitEuler,
        Integrator::SemiImplicitEuler,
    ];

    /// An oscillator of ω = 1 from x = 1 for 10 s: how far off it is in the end, the energy over that at the start, and its range.
    fn oscillate(integrator: Integrator, steps: usize) -> (f64, f64, [f64; 2]) {
        let dt = 10.0 / steps as f64;
        let mut state = Moving { at: DVec3::X, velocity: DVec3::ZERO };
        let (mut energy, mut range) = (1.0, [1f64, 1f64]);
        for i in 0..steps {
            let spring = |m: Moving, _| Acceleration { push: -m.at, drag: 0.0 };
            state = step(integrator, state, i as f64 * dt, dt, spring);
            energy = state.at.length_squared() + state.velocity.length_squared();
            range = [range[0].min(energy), range[1].max(energy)];
        }
        let exact = Moving { at: DVec3::X * 10f64.cos(), velocity: DVec3::NEG_X * 10f64.sin() };
        let off = (state.at - exact.at).length_squared() + (state.velocity - exact.velocity).length_squared();
        (off.sqrt(), energy, range)
    }

    /// The numbers of the text's methods, worked out apart from this: error, order, energy.
    #[test]
    fn an_oscillator_shows_what_each_method_is() {
        let known = [
            (Integrator::ExplicitEuler, 0.646, 1, 2.70481),
            (Integrator::Midpoint, 0.01667, 2, 1.002503),
            (Integrator::ImplicitEuler, 0.3928, 1, 0.369711),
        ];
        for (integrator, error, order, energy) in known {
            let (off, kept, _) = oscillate(integrator, 100);
            assert!((off / error - 1.0).abs() < 2e-3, "{integrator:?}: {off}");
            assert!((kept - energy).abs() < 1e-5, "{integrator:?}: {kept}");
            assert_order(integrator, order);
        }
        let (off, _, range) = oscillate(Integrator::SemiImplicitEuler, 100);
        assert!((off / 0.02998 - 1.0).abs() < 2e-3, "{off}");
        assert!(range[0] > 0.95237 && range[1] < 1.05264 && range[1] - range[0] > 0.09, "{range:?}");
        assert_order(Integrator::SemiImplicitEuler, 1);
        assert_order(Integrator::Exponential, 2);
    }

    /// Halving the step divides the error by two to the order.
    fn assert_order(integrator: Integrator, order: i32) {
        let errors = [1600, 3200].map(|steps| oscillate(integrator, steps).0);
        let seen = (errors[0] / errors[1]).log2();
        assert!((seen - order as f64).abs() < 0.05, "{integrator:?}: order {seen}");
    }

    /// Linear drag and gravity, in one step: x = u t + (v0 − u)(1 − e^(−kt))/k with u = g/k.
    #[test]
    fn the_exponential_method_is_exact_under_linear_drag() {
        for (drag, t) in [(0.7, 3.0), (1e-5, 2.0), (1e-7, 0.5), (40.0, 1.0)] {
            let (g, v0) = (DVec3::NEG_Y * 9.81, DVec3::new(2.0, 5.0, -1.0));
            let from = Moving { at: DVec3::ZERO, velocity: v0 };
            let end = step(Integrator::Exponential, from, 0.0, t, |_, _| Acceleration { push: g, drag });
            let e = (-drag * t).exp_m1();
            let u = g / drag;
            let (v, x) = (u + (v0 - u) * (1.0 + e), u * t - (v0 - u) * e / drag);
            assert!((end.velocity - v).length() < 1e-8 * u.length().max(1.0), "{drag}: {} {v}", end.velocity);
            assert!(
                (end.at - x).length() < 1e-8 * u.length().max(1.0) / drag.min(1.0),
                "{drag}: {} {x}",
                end.at
            );
        }
    }

    /// v_t²/g ln cosh(g t/v_t), of a fall with drag by the square of the speed, by every method at its order.
    #[test]
    fn falls_with_quadratic_drag() {
        let (g, quadratic) = (9.81f64, 0.4f64);
        let terminal = (g / quadratic).sqrt();
        let exact = -terminal * terminal / g * (g * 1.5 / terminal).cosh().ln();
        let off = |integrator, steps: usize| {
            let mut state = Moving { at: DVec3::ZERO, velocity: DVec3::ZERO };
            let dt = 1.5 / steps as f64;
            for i in 0..steps {
                let forces = |m: Moving, _| Acceleration {
                    push: DVec3::NEG_Y * g,
                    drag: quadratic * m.velocity.length(),
                };
                state = step(integrator, state, i as f64 * dt, dt, forces);
            }
            (state.at.y - exact).abs()
        };
        for integrator in ALL {
            let (coarse, fine) = (off(integrator, 400), off(integrator, 800));
            let order = (coarse / fine).log2();
            let wanted =
                if matches!(integrator, Integrator::Midpoint | Integrator::Exponential) { 2.0 } else { 1.0 };
            assert!((order - wanted).abs() < 0.1 && coarse < 0.02, "{integrator:?}: {coarse} order {order}");
        }
    }

    /// Implicit Euler stands any stiffness; explicit Euler does not.
    #[test]
    fn stiff_springs_break_what_is_explicit() {
        let run = |integrator| {
            let mut state = Moving { at: DVec3::X, velocity: DVec3::ZERO };
            for i in 0..200 {
                let spring = |m: Moving, _| Acceleration { push: -1e4 * m.at, drag: 0.0 };
                state = step(integrator, state, i as f64 * 0.1, 0.1, spring);
            }
            state.at.length()
        };
        assert!(run(Integrator::ImplicitEuler) < 1e-6);
        assert!(run(Integrator::ExplicitEuler) > 1e6);
    }

    /// What drifts in a whirl comes back after 4π²r²/Γ.
    #[test]
    fn what_has_no_inertia_follows_the_flow() {
        let (steps, period) = (400, 2.0 * std::f64::consts::PI);
        let dt = period / steps as f64;
        for (integrator, off) in [
            (Integrator::Midpoint, 1e-3),
            (Integrator::ExplicitEuler, 0.11),
            (Integrator::ImplicitEuler, 0.11),
        ] {
            let mut at = DVec3::X;
            for i in 0..steps {
                at = drift(integrator, at, i as f64 * dt, dt, |p, _| DVec3::new(-p.y, p.x, 0.0));
            }
            assert!(at.distance(DVec3::X) < off, "{integrator:?}: {at}");
        }
    }
}
