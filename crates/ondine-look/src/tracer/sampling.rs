//! Where samples fall: the same pattern in every frame, so that films do not flicker.
//!
//! Each pixel has its own Sobol points in two dimensions for each decision, scrambled as Owen has it by a hash
//! (Burley, "Practical hash-based Owen scrambling", 2020). Points of one pixel are spread evenly after any number of
//! passes; nothing depends on the clock, the frame or the thread.

use glam::{Vec2, Vec3A};
use std::f32::consts::{PI, TAU};

/// Dimensions of a path, at most, before those of its branch begin.
const BRANCH: u32 = 1 << 16;

/// How many samples one of them stands for, where not all are taken.
#[derive(Clone, Copy, Debug)]
pub enum Subsampling {
    /// Two.
    Two,
    /// Four.
    Four,
}

impl Subsampling {
    /// The number.
    pub fn count(self) -> f32 {
        match self {
            Subsampling::Two => 2.0,
            Subsampling::Four => 4.0,
        }
    }
}

/// The random numbers of one sample of one pixel.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// Of the pixel.
    seed: u32,
    /// Number of the sample.
    index: u32,
    /// Number of the next decision.
    dimension: u32,
    /// Its place in an order of two, and in one of four.
    turns: [u32; 2],
}

impl Sampler {
    /// The sample of a number in a pixel.
    pub fn new((x, y): (u32, u32), index: u32) -> Self {
        let turns = [(x ^ y ^ index) & 1, x.wrapping_add(2 * y).wrapping_add(index) & 3];
        Self { seed: mix(x ^ mix(y ^ 0x9e37_79b9)), index, dimension: 0, turns }
    }

    /// Whether this sample is taken where one of several is enough. Turns are dealt as on a chessboard: any two pixels
    /// side by side, or any two by two, have one, and so have any two or four samples of a pixel. Samples are numbered anew
    /// among those that have it, for their decisions to be spread as evenly as those of all.
    pub fn is_taken(&mut self, of: Subsampling) -> bool {
        self.index /= of.count() as u32;
        self.turns[of as usize] == 0
    }

    /// The same sample for a branch of its path, with decisions of its own.
    pub fn branch(&self) -> Self {
        Self { dimension: self.dimension + BRANCH, ..*self }
    }

    /// Two numbers from 0 to 1 for the next decision.
    pub fn next_2d(&mut self) -> Vec2 {
        let seed = mix(self.seed ^ self.dimension.wrapping_mul(0x85eb_ca6b));
        self.dimension += 1;
        let (x, y) = sobol(self.index);
        Vec2::new(fraction(scrambled(x, seed)), fraction(scrambled(y, mix(seed))))
    }

    /// One number from 0 to 1.
    pub fn next_1d(&mut self) -> f32 {
        self.next_2d().x
    }
}

/// The first two Sobol sequences as bits of a fraction.
fn sobol(index: u32) -> (u32, u32) {
    let (mut rest, mut direction, mut y) = (index, 1 << 31, 0);
    while rest != 0 {
        if rest & 1 == 1 {
            y ^= direction;
        }
        rest >>= 1;
        direction ^= direction >> 1;
    }
    (index.reverse_bits(), y)
}

/// Owen's scramble: each bit is flipped or not by a hash of those above it.
fn scrambled(x: u32, seed: u32) -> u32 {
    let mut x = x.reverse_bits();
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(seed);
    x = x.wrapping_mul((seed >> 16) | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^= x.wrapping_mul(0x53a2_2864);
    x.reverse_bits()
}

/// A hash of 32 bits: every bit of the result depends on every bit of `x`.
fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// The upper 24 bits, which f32 can tell apart, as a number below 1.
fn fraction(x: u32) -> f32 {
    (x >> 8) as f32 / (1 << 24) as f32
}

/// A point of the disc of radius 1, evenly spread.
pub fn disc(u: Vec2) -> Vec2 {
    let (sin, cos) = (TAU * u.y).sin_cos();
    u.x.sqrt() * Vec2::new(cos, sin)
}

/// A direction about z, as often as its cosine says.
pub fn cosine_hemisphere(u: Vec2) -> Vec3A {
    let p = disc(u);
    Vec3A::new(p.x, p.y, (1.0 - u.x).max(0.0).sqrt())
}

/// A direction within a cone about z, evenly spread; `narrow` is 1 minus the cosine of its half angle.
pub fn cone(u: Vec2, narrow: f32) -> Vec3A {
    let up = 1.0 - u.x * narrow;
    let aside = (1.0 - up * up).max(0.0).sqrt();
    let (sin, cos) = (TAU * u.y).sin_cos();
    Vec3A::new(aside * cos, aside * sin, up)
}

/// Solid angle of that cone [sr].
pub fn solid_angle(narrow: f32) -> f32 {
    2.0 * PI * narrow
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any sixteen samples from the start fall into sixteen different squares of a 4×4 board.
    #[test]
    fn samples_are_spread_evenly() {
        for pixel in [(0, 0), (17, 3), (640, 360)] {
            for dimension in 0..5 {
                let mut squares = [false; 16];
                for index in 0..16 {
                    let mut sampler = Sampler { dimension, ..Sampler::new(pixel, index) };
                    let p = sampler.next_2d() * 4.0;
                    squares[p.x as usize + 4 * p.y as usize] = true;
                }
                assert!(squares.iter().all(|taken| *taken), "{pixel:?} {dimension}");
            }
        }
    }

    #[test]
    fn directions_have_their_means() {
        let each = |of: &dyn Fn(Vec2) -> f32| {
            let points = (0..1024).map(|i| Sampler::new((1, 2), i).next_2d());
            points.map(of).sum::<f32>() / 1024.0
        };
        assert!((each(&|u| cosine_hemisphere(u).z) - 2.0 / 3.0).abs() < 1e-3);
        assert!((each(&|u| cone(u, 0.1).z) - 0.95).abs() < 1e-4);
        assert!(each(&|u| cosine_hemisphere(u).x).abs() < 1e-2);
    }
}
