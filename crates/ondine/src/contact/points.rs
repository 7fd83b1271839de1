//! Points that can be touched: all that contact knows of a system's particles.

use crate::particles::Axes;

/// A number for all points, or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Each<'a> {
    /// The same for all.
    One(f64),
    /// One for each.
    #[allow(dead_code)]
    Own(&'a [f32]),
}

impl Each<'_> {
    /// That of point number `i`.
    #[inline(always)]
    pub fn of(&self, i: usize) -> f64 {
        match self {
            Each::One(x) => *x,
            Each::Own(all) => all[i] as f64,
        }
    }

    /// The largest.
    pub fn most(&self) -> f64 {
        match self {
            Each::One(x) => *x,
            Each::Own(all) => all.iter().fold(0.0f32, |most, &x| most.max(x)) as f64,
        }
    }
}

/// The points of one member of a system.
pub struct Points<'a> {
    /// Where they are predicted to be [m].
    pub position: &'a mut Axes,
    /// Where they come from [m].
    pub previous: &'a Axes,
    /// At what distance from a surface they touch it [m].
    pub radius: Each<'a>,
    /// Their masses [kg].
    pub mass: Each<'a>,
    /// Those of one family see to each other themselves.
    pub family: u64,
    /// Distance that points of other families keep from them [m]: the mean of both.
    pub reach: Each<'a>,
}

impl Points<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }
}
