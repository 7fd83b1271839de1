//! Smooth random patterns in the plane.

use glam::{IVec2, Vec2};

/// Octaves of a pattern, each of half the size and half the strength of the one before.
const OCTAVES: u32 = 5;

/// A random number from 0 to 1 for a corner of the lattice.
fn corner(at: IVec2, seed: u32) -> f32 {
    let mut h = (at.x as u32).wrapping_mul(0x9e37_79b1) ^ (at.y as u32).wrapping_mul(0x85eb_ca77) ^ seed;
    for _ in 0..2 {
        h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
        h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    }
    (h >> 8) as f32 / (1 << 24) as f32
}

/// Random numbers from 0 to 1 at whole places, smooth between them.
fn value(p: Vec2, seed: u32) -> f32 {
    let cell = p.floor();
    let t = p - cell;
    let t = t * t * (Vec2::splat(3.0) - 2.0 * t);
    let at = |dx, dy| corner(cell.as_ivec2() + IVec2::new(dx, dy), seed);
    let along = |dy| at(0, dy) + (at(1, dy) - at(0, dy)) * t.x;
    along(0) + (along(1) - along(0)) * t.y
}

/// Noise of several sizes, the largest 1: about 0.5, from 0 to 1.
pub fn fractal(p: Vec2, seed: u32) -> f32 {
    // Each octave is turned, so that no direction of the lattice shows.
    let turn = Vec2::new(0.8, 0.6);
    let (mut sum, mut most, mut strength, mut p) = (0.0, 0.0, 1.0, p);
    for octave in 0..OCTAVES {
        sum += strength * value(p, seed.wrapping_add(octave));
        most += strength;
        strength *= 0.5;
        p = 2.0 * p.rotate(turn);
    }
    sum / most
}
