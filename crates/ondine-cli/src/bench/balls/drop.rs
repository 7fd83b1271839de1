//! Balls in layers that fall into a box, by this engine.

use super::{Found, NAME};
use crate::bench::in_pool;
use crate::bench::stopwatch::timed;
use crate::error::CliError;
use crate::scene_choice;
use ondine::scene::{Ball, Balls, Object, Shape};
use ondine::{Scene, World};

/// Radius of a ball [m].
pub const RADIUS: f32 = 0.1;
/// Coefficient of friction: of all surfaces.
pub const FRICTION: f32 = 0.3;
/// Steps a second.
pub const RATE: f64 = 60.0;
/// How far apart they begin [m].
const APART: f32 = 0.24;
/// How much they are put out of line [m], so that they do not stand on top of each other.
const JITTER: f32 = 0.02;
/// Layers of those that are as deep for any number.
const LAYERS: f32 = 20.0;
/// Balls along a side of the box of the others.
const SIDE: u32 = 16;

/// Balls above the floor of a box.
#[derive(Clone, Debug)]
pub struct Drop {
    /// Balls along each side.
    side: u32,
    /// How many there are.
    pub balls: u32,
    /// Time to simulate [s].
    pub seconds: f64,
}

impl Drop {
    /// In a box of 4 m.
    pub fn square(balls: u32, seconds: f64) -> Self {
        Self { side: SIDE, balls, seconds }
    }

    /// As deep for any number of balls.
    pub fn deep(balls: u32, seconds: f64) -> Self {
        Self { side: (balls as f32 / LAYERS).sqrt().round() as u32, balls, seconds }
    }

    /// Half the width of the box [m].
    pub fn half(&self) -> f32 {
        0.125 * self.side as f32
    }

    /// Height of its walls [m].
    pub fn tall(&self) -> f32 {
        APART * (self.balls as f32 / (self.side * self.side) as f32 + 4.0)
    }

    /// Where they begin [m].
    pub fn places(&self) -> Vec<[f32; 3]> {
        let mut seed = 12345u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            JITTER * ((seed >> 8) as f32 / (1 << 24) as f32 - 0.5)
        };
        let along = |i: u32| APART * (i as f32 + 0.5 - 0.5 * self.side as f32);
        let place = |i: u32| {
            let (layer, rest) = (i / (self.side * self.side), i % (self.side * self.side));
            [along(rest % self.side) + next(), 0.2 + APART * layer as f32, along(rest / self.side) + next()]
        };
        (0..self.balls).map(place).collect()
    }

    fn scene(&self) -> Scene {
        let ball = self.places().into_iter().map(|at| Ball { at, ..Ball::default() }).collect();
        let friction = FRICTION;
        let balls = Balls {
            name: "balls".into(),
            radius: RADIUS,
            friction,
            restitution: 0.0,
            ball,
            ..Balls::default()
        };
        let size = [2.0 * self.half(), self.tall(), 2.0 * self.half()];
        let walls = Object::new("box", Shape::Container { size, open: true }, [0.0, 0.5 * size[1], 0.0]);
        let walls = Object { grip: FRICTION, restitution: 0.0, ..walls };
        Scene { balls: vec![balls], object: vec![walls], fps: RATE as f32, sleep: false, ..Scene::default() }
    }

    /// Measures this engine on so many threads.
    pub fn ours(&self, threads: usize) -> Result<Found, CliError> {
        let scene = self.scene();
        in_pool(threads as u32, || {
            let mut world = World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))?;
            let (steps, mut wall, mut overlap) = ((self.seconds * RATE).round() as u32, 0.0, 0f64);
            for step in 0..steps {
                let (advanced, time) = timed(|| world.advance());
                advanced
                    .map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })?;
                wall += time;
                if self.is_looked_at(step, steps) {
                    overlap = overlap.max(self.overlap(&world.frame().particles[0].position));
                }
            }
            let places = world.frame().particles.swap_remove(0).position;
            Ok(self.found("ondine", threads, wall, overlap, &places))
        })
    }

    /// Whether overlaps are measured after a step: a few times in the last second.
    pub fn is_looked_at(&self, step: u32, steps: u32) -> bool {
        (steps - step - 1).is_multiple_of(20) && steps - step <= 60
    }

    /// Deepest that one is in another, or in a wall, over the radius.
    pub fn overlap(&self, places: &[[f32; 3]]) -> f64 {
        let wall = |p: &[f32; 3]| {
            let inside = (self.half() - p[0].abs()).min(self.half() - p[2].abs()).min(p[1]);
            RADIUS - inside
        };
        let mut sorted = places.to_vec();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut deepest = places.iter().map(wall).fold(0f32, f32::max);
        for (i, a) in sorted.iter().enumerate() {
            for b in sorted[i + 1..].iter().take_while(|b| b[0] - a[0] < 2.0 * RADIUS) {
                let square: f32 = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum();
                deepest = deepest.max(2.0 * RADIUS - square.sqrt());
            }
        }
        (deepest / RADIUS) as f64
    }

    /// What was found, of balls that ended at places.
    pub fn found(
        &self,
        engine: &'static str,
        threads: usize,
        wall_s: f64,
        overlap: f64,
        places: &[[f32; 3]],
    ) -> Found {
        let steps = self.seconds * RATE;
        let outside = |p: &&[f32; 3]| p[0].abs() > self.half() || p[2].abs() > self.half() || p[1] < 0.0;
        Found {
            benchmark: NAME,
            engine,
            threads,
            balls: self.balls,
            simulated_s: self.seconds,
            wall_s,
            steps_per_s: steps / wall_s,
            ns_per_ball_step: 1e9 * wall_s / steps / self.balls as f64,
            overlap,
            outside: places.iter().filter(outside).count(),
            height: places.iter().map(|p| p[1] as f64).sum::<f64>() / places.len().max(1) as f64,
        }
    }
}
