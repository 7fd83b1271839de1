//! Chance that is always the same: random numbers by name, and random places in shapes.

use crate::hash;
use crate::objects::Sdf;
use crate::scene::{DropsFrom, Placement};
use glam::Vec3;

/// Points that are tried for a place in a shape, or on it.
const POINTS: u32 = 400;
/// How near to a surface a point must be to be moved onto it, over the size of the shape.
const SKIN: f32 = 0.03;

/// A sequence of random numbers that four words name: the same for any steps and threads, and after any resume.
#[derive(Clone, Copy)]
pub struct Chance {
    words: [u32; 4],
    next: u32,
}

impl Chance {
    /// The sequence of some words.
    pub fn new(words: [u32; 4]) -> Self {
        Self { words, next: 0 }
    }

    /// Between 0 and 1.
    pub fn next(&mut self) -> f32 {
        self.next += 1;
        let [a, b, c, d] = self.words;
        hash::chance([a, b, c, d, self.next])
    }

    /// A point of a box.
    pub fn within(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        low + (high - low) * Vec3::new(self.next(), self.next(), self.next())
    }

    /// A point of a ball of radius 1.
    pub fn in_ball(&mut self, planar: bool) -> Vec3 {
        let all = (0..POINTS).map(|_| self.within(Vec3::NEG_ONE, Vec3::ONE));
        let flat = all.map(|p| if planar { p.with_z(0.0) } else { p });
        flat.take(POINTS as usize).find(|p| p.length_squared() <= 1.0).unwrap_or_default()
    }
}

/// Where something of a radius may come from, in a shape or on it.
pub struct Places<'a> {
    /// The shape's room, in its own frame.
    pub sdf: &'a Sdf,
    /// Where the shape stands.
    pub placement: Placement,
    /// Whether from anywhere in it or from its surface.
    pub from: DropsFrom,
    /// Whether the scene is planar.
    pub planar: bool,
}

impl Places<'_> {
    /// A place for the centre of something of a radius, and the outward normal there if it is on a surface.
    pub fn one(&self, radius: f32, chance: &mut Chance) -> Option<(Vec3, Vec3)> {
        let Self { sdf, placement, from, planar } = *self;
        let (low, high) = sdf.bounds()?;
        let skin = SKIN * (high - low).max_element();
        let on_plane =
            |p: Vec3| if planar { placement.to_local(placement.to_world(p).with_z(0.0)) } else { p };
        for _ in 0..POINTS {
            match from {
                DropsFrom::Volume => {
                    let p = on_plane(chance.within(low, high));
                    if sdf.distance(p) <= 0.0 {
                        return Some((placement.to_world(p), Vec3::ZERO));
                    }
                }
                DropsFrom::Surface => {
                    let p = on_plane(chance.within(low - skin, high + skin));
                    let near = sdf.nearest(p);
                    if near.distance.abs() <= skin {
                        let normal = placement.to_world_direction(near.normal);
                        let on = placement.to_world(p - near.distance * near.normal);
                        return Some((on + 1.1 * radius * normal, normal));
                    }
                }
            }
        }
        None
    }
}

/// The numbers of those of a stream that are let go while their count goes from `before` to `after`: number k at some instant between k
/// and k + 1.
pub fn due(before: f64, after: f64, words: [u32; 3]) -> impl Iterator<Item = u32> {
    let [a, b, c] = words;
    let is_due = move |k: &u64| {
        let at = *k as f64 + hash::chance([a, b, c, *k as u32, 0]) as f64;
        at >= before && at < after
    };
    (before as u64..=after as u64).filter(is_due).map(|k| k as u32)
}
