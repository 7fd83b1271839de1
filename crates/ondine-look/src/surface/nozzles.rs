//! A jet begins at its nozzle.
//!
//! Particles leave an emitter one after the other, and the newest ones are anywhere up to a spacing before the nozzle: a surface
//! around them would end there in a ragged skirt that flickers. So those that will leave next are shown as well, and the
//! surface is cut where the nozzle is.

use glam::Vec3;
use ondine::scene::{Emitter, EmitterShape};
use ondine::{Particles, Surface};

/// How far before the nozzle the newest particles are, in spacings, and those that are looked for.
const NEWEST: f32 = 1.1;
/// How far aside two particles of one row are, in spacings, at most.
const SAME_ROW: f32 = 0.45;
/// How far behind the nozzle what will come is shown, in spacings, before it is cut.
const BEHIND: f32 = 1.6;
/// Where the surface is cut, in spacings behind the nozzle: the end of what a particle in the nozzle takes up.
const CUT: f32 = 0.5;
/// Fraction of the emitter's speed that the newest particles have at least.
const LEAVING: f32 = 0.5;
/// The most particles in a nozzle that are looked at: all are compared with all.
const MOST: usize = 4096;

/// The nozzle of an emitter.
#[derive(Clone, Copy, Debug)]
pub struct Nozzle {
    at: Vec3,
    /// Where it faces.
    along: Vec3,
    /// Speed of what leaves [m/s].
    speed: f32,
    /// Radius of a circle that holds it [m].
    radius: f32,
    /// When it opens and closes [s].
    open: (f32, f32),
}

impl Nozzle {
    /// Of an emitter; none if nothing leaves it.
    pub fn new(emitter: &Emitter) -> Option<Self> {
        let velocity = Vec3::from(emitter.velocity);
        let radius = match emitter.shape {
            EmitterShape::Disc => emitter.radius,
            EmitterShape::Rectangle => 0.5 * emitter.size[0].hypot(emitter.size[1]),
        };
        Some(Self {
            at: emitter.at.into(),
            along: velocity.try_normalize()?,
            speed: velocity.length(),
            radius,
            open: (emitter.start, emitter.stop.unwrap_or(f32::INFINITY)),
        })
    }

    /// How far before the nozzle a point is, and how far aside of its middle.
    fn place(&self, p: Vec3) -> (f32, Vec3) {
        let before = (p - self.at).dot(self.along);
        (before, p - self.at - before * self.along)
    }

    /// Those that will leave next: each as one that has left, and where. Empty where the nozzle is closed, or in liquid.
    pub fn coming(&self, particles: &Particles, time: f64) -> Vec<(u32, Vec3)> {
        let spacing = 2.0 * particles.radius;
        if time < f64::from(self.open.0) || time > f64::from(self.open.1) {
            return Vec::new();
        }
        let wide = self.radius + 0.5 * spacing;
        let mut newest: Vec<(u32, f32, Vec3)> = Vec::new();
        for (i, p) in particles.position.iter().enumerate() {
            let (before, aside) = self.place(Vec3::from(*p));
            let outside = aside.length_squared() > wide * wide || before.abs() > 2.5 * spacing;
            if outside || before > NEWEST * spacing {
                continue;
            }
            // Liquid behind the nozzle is not ours to cut.
            if before < -CUT * spacing || newest.len() == MOST {
                return Vec::new();
            }
            let leaves = |v: &[f32; 3]| Vec3::from(*v).dot(self.along) > LEAVING * self.speed;
            if particles.velocity.get(i).is_some_and(leaves) {
                newest.push((i as u32, before, aside));
            }
        }
        let is_last = |(_, before, aside): &&(u32, f32, Vec3)| {
            let close = |other: Vec3| other.distance(*aside) < SAME_ROW * spacing;
            !newest.iter().any(|(_, other, beside)| other < before && close(*beside))
        };
        let behind = |&(i, before, aside): &(u32, f32, Vec3)| {
            let rows = (1..).map(move |k| before - k as f32 * spacing);
            let rows = rows.take_while(move |row| *row > -BEHIND * spacing);
            rows.map(move |row| (i, self.at + aside + row * self.along))
        };
        newest.iter().filter(is_last).flat_map(behind).collect()
    }

    /// Cuts a surface behind the nozzle.
    pub fn cut(&self, surface: &mut Surface, spacing: f32) {
        let wide = self.radius + spacing;
        for point in &mut surface.mesh.points {
            let (before, aside) = self.place(*point);
            let behind = -CUT * spacing - before;
            if behind > 0.0 && behind < 2.0 * spacing && aside.length_squared() < wide * wide {
                *point += behind * self.along;
            }
        }
    }
}
