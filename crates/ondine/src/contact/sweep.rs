//! What a particle meets on its way.
//!
//! Paths are swept in the frame of the object, by steps as long as the distance to it allows. Distances change by no more
//! than the way between two points, which saves most of the looks: what ends far from a surface, for the length of its way,
//! has passed nothing.

use super::objects::INSIDE;
use crate::objects::{Collider, Nearest, Pull, Sdf};
use crate::power::Power;
use glam::Vec3;

/// Steps of walking along a path before it ends where it is.
const SWEEP_STEPS: usize = 256;
/// The shortest step of that walk, in radii: a hit may be found so much too late.
const SWEEP_STEP: f32 = 0.1;
/// Slope towards a surface below which a path slides along it: round-off, and a hundredth of a radius in a step.
const GRAZING: f32 = 1e-3;
/// How far a surface may be taken for its plane, in radii.
const NEAR_BY: f32 = 0.25;
/// How near a path may come to a surface before it must be swept, in radii: what stays farther has passed nothing.
pub const DIP: f32 = 0.25;

/// A step's path in the frame of an object.
pub struct Path {
    /// Where the particle comes from.
    pub start: Vec3,
    /// Where it goes.
    pub end: Vec3,
}

impl Path {
    /// The way from `start` to `end` in the world.
    #[inline(always)]
    pub fn of(collider: &Collider, start: Vec3, end: Vec3) -> Self {
        Self { start: collider.before.to_local(start), end: collider.placement.to_local(end) }
    }

    fn length(&self) -> f32 {
        self.start.distance(self.end)
    }

    /// No less than its length, and no root to wait for.
    fn at_most(&self) -> f32 {
        1.7321 * (self.end - self.start).abs().max_element()
    }

    /// The length of a way, and nothing else.
    pub fn length_past(collider: &Collider, start: Vec3, end: Vec3) -> f32 {
        if collider.is_still() { start.distance(end) } else { Self::of(collider, start, end).length() }
    }

    /// Whether it may come near a surface whose distance is known at one point.
    fn may_dip(&self, distance: f32, point: Vec3, radius: f32) -> bool {
        let room = (distance - DIP * radius).max(0.0);
        self.start.distance_squared(point).max(self.end.distance_squared(point)) > room * room
    }

    /// The first point of the way where a particle touches a shape that it does not leave.
    pub fn hit(&self, sdf: &Sdf, radius: f32) -> Option<(Vec3, Nearest)> {
        let (path, length) = (self.end - self.start, self.length());
        if sdf.is_outside_in() || length == 0.0 {
            return None;
        }
        let mut done = 0.0;
        for step in 0..=SWEEP_STEPS {
            let point = self.start + path * (done / length);
            let least = sdf.at_least(point) - radius;
            if least >= length - done {
                return None;
            }
            let near = sdf.nearest(point);
            let gap = near.distance - radius;
            // Leaving a surface is no hit, nor is sliding along it.
            let closing = path.dot(near.normal) < -GRAZING * length;
            if closing && (gap < 0.01 * radius || step == SWEEP_STEPS) {
                return Some((point, near));
            }
            done += gap.max(SWEEP_STEP * radius);
            if done >= length {
                return None;
            }
        }
        None
    }
}

/// A particle near an object at the end of its step, or that met it on the way.
pub struct Touch {
    /// The way that it goes, in the object's frame.
    pub way: Path,
    /// The surface where the particle met it, or else nearest to its end, in the object's frame.
    pub near: Nearest,
    /// Where the particle was then.
    pub point: Vec3,
    /// Whether the way goes on through the surface.
    pub hit: bool,
}

impl Touch {
    /// How a particle that goes from `start` to `end` touches a collider that is felt within `reach`, if it does.
    #[inline(always)]
    pub fn of(collider: &Collider, reach: f32, start: Vec3, end: Vec3, radius: f32) -> Option<Touch> {
        let way = Path::of(collider, start, end);
        let near = collider.sdf().nearest_within(way.end, reach.max(radius + way.at_most()))?;
        let mut touch = Touch { point: way.end, near, hit: false, way };
        touch.sweep(collider.sdf(), radius);
        (touch.hit || near.distance < reach).then_some(touch)
    }

    /// Finds what the way goes through, if anything.
    pub fn sweep(&mut self, sdf: &Sdf, radius: f32) {
        self.hit = false;
        if self.way.may_dip(self.near.distance, self.point, radius)
            && let Some((point, near)) = self.way.hit(sdf, radius)
        {
            (self.point, self.near, self.hit) = (point, near, true);
        }
    }

    /// Whether the end of the way, as it is by now, is surely outside: by the farthest that the surface could have come, or
    /// near by, by the plane there.
    pub fn ends_outside(&self, radius: f32) -> bool {
        let moved = self.way.end - self.point;
        let (square, room) = (moved.length_squared(), (self.near.distance - radius).max(0.0));
        let by_plane = self.near.distance + moved.dot(self.near.normal) >= INSIDE * radius;
        square < room * room || by_plane && square < (NEAR_BY * radius).power(2)
    }

    /// How far from touching the particle was at the start of the step [m], by the plane that it is near.
    pub fn gap_before(&self, radius: f32) -> f32 {
        self.near.distance - radius + (self.way.start - self.point).dot(self.near.normal)
    }

    /// Acceleration towards the surface [m/s²] (equation 6.4).
    pub fn pull(&self, pull: Pull, radius: f32) -> f32 {
        pull.at(self.near.distance - radius)
    }
}
