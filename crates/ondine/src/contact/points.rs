//! Points that can be touched: all that contact knows of a system's particles.

use crate::particles::Axes;

/// The points of one member of a system.
pub struct Points<'a> {
    /// Where they are predicted to be [m].
    pub position: &'a mut Axes,
    /// Where they come from [m].
    pub previous: &'a Axes,
    /// At what distance from a surface they touch it [m].
    pub radius: f32,
    /// Mass of each [kg].
    pub mass: f64,
    /// Those of one family see to each other themselves.
    pub family: u64,
    /// Distance that points of other families keep from them [m]: the mean of both.
    pub reach: f32,
}

impl Points<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }
}
