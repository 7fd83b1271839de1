//! Impulses on rigid bodies.

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Sub};

/// An impulse [kg·m/s] and an angular impulse about a centre of mass [kg·m²/s].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Of its motion [kg·m/s].
    pub linear: DVec3,
    /// Of its spin [kg·m²/s].
    pub angular: DVec3,
}

impl Impulse {
    /// An impulse that acts at `arm` from the centre.
    pub fn at(linear: DVec3, arm: DVec3) -> Self {
        Self { linear, angular: arm.cross(linear) }
    }

    /// Whether it is a number.
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }

    /// So many times as much.
    pub fn scaled(self, s: f64) -> Self {
        Self { linear: s * self.linear, angular: s * self.angular }
    }
}

impl Add for Impulse {
    type Output = Impulse;
    fn add(self, o: Impulse) -> Impulse {
        Impulse { linear: self.linear + o.linear, angular: self.angular + o.angular }
    }
}

impl AddAssign for Impulse {
    fn add_assign(&mut self, o: Impulse) {
        *self = *self + o;
    }
}

impl Sub for Impulse {
    type Output = Impulse;
    fn sub(self, o: Impulse) -> Impulse {
        self + o.scaled(-1.0)
    }
}

/// Sums what free objects are given part by part, in order.
pub fn sum<T: Copy + Default + AddAssign>(parts: impl IntoIterator<Item = Vec<T>>, free: usize) -> Vec<T> {
    let mut total = vec![T::default(); free];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, push)| *total += push);
    }
    total
}

/// The push on an object that gives a particle of mass `m` the displacement `d` in a step.
pub fn reaction(m: f64, d: Vec3, dt: f32, arm: Vec3) -> Impulse {
    Impulse::at(-m * d.as_dvec3() / dt as f64, arm.as_dvec3())
}
