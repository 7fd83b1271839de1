//! Balls too small for the liquids that they may meet.

use super::objects::too_small;
use crate::balls::sources::volume;
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Scene};

/// The smallest ball of each kind, as what floats is looked at.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (balls, address) in scene.balls.iter().zip(&addresses.balls) {
        let single = balls.ball.iter().filter_map(|ball| ball.radius);
        let least = single.fold(balls.radius * (1.0 - balls.spread), f32::min);
        let volume = volume(least, scene.planar()) as f64;
        found.extend(too_small(volume, "the smallest of them is", address, scene));
    }
}
