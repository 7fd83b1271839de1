//! Where there is room for a ball among others.

use super::ball::Ball;
use glam::{IVec3, Vec3};
use std::collections::HashMap;

/// Balls by the cells that their centres are in, each as wide as the widest of them. Only asked by cell, never gone through in order.
#[derive(Debug)]
pub struct Room {
    cell: f32,
    cells: HashMap<IVec3, Vec<(Vec3, f32)>>,
}

impl Room {
    /// Empty, for balls of at most a radius [m].
    pub fn new(widest: f32) -> Self {
        Self { cell: 2.0 * widest.max(f32::MIN_POSITIVE), cells: HashMap::new() }
    }

    fn cell_of(&self, p: Vec3) -> IVec3 {
        (p / self.cell).floor().as_ivec3()
    }

    /// Puts one in.
    pub fn take(&mut self, at: Vec3, radius: f32) {
        self.cells.entry(self.cell_of(at)).or_default().push((at, radius));
    }

    /// The gap to the nearest of those near a place, for a ball of a radius [m]: negative where they overlap. Without end if none is near.
    pub fn gap(&self, at: Vec3, radius: f32) -> f32 {
        self.near(at).map(|(p, r)| p.distance(at) - r - radius).fold(f32::INFINITY, f32::min)
    }

    /// Those that a ball of at most that radius may touch at a place: their centres and radii.
    pub fn near(&self, at: Vec3) -> impl Iterator<Item = (Vec3, f32)> + '_ {
        let middle = self.cell_of(at);
        let around = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
        around.filter_map(move |d| self.cells.get(&middle.wrapping_add(IVec3::from(d)))).flatten().copied()
    }
}

/// How deep the deepest two balls are in each other, over the radius of the smaller one; 0 if none are.
pub fn deepest(balls: &[Ball]) -> f64 {
    let mut room = Room::new(balls.iter().map(|ball| ball.radius).fold(0.0, f32::max));
    let mut most = 0f32;
    for ball in balls {
        most = most.max(-room.gap(ball.at, ball.radius) / ball.radius);
        room.take(ball.at, ball.radius);
    }
    most as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has been thrown beyond all cells is still somewhere.
    #[test]
    fn nothing_is_too_far_away() {
        let mut room = Room::new(0.1);
        for at in [Vec3::splat(1e30), Vec3::splat(-1e30), Vec3::X * f32::MAX] {
            room.take(at, 0.1);
            assert_eq!(room.gap(at, 0.1), -0.2);
        }
        assert_eq!(room.gap(Vec3::ZERO, 0.1), f32::INFINITY);
    }
}
