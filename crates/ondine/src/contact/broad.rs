//! Which particles may touch which objects in a step, without a look at each.
//!
//! Particles that stand side by side in memory stand close together, for they are sorted by cell. A **group** is some of them, seen from
//! afar as a ball. An object that cannot reach the ball reaches none of them.

use crate::objects::Collider;
use crate::parallel;
use crate::particles::Axes;
use glam::Vec3;
use std::ops::Range;

/// Particles of a group.
pub const GROUP: usize = 32;
/// How far a particle may be moved aside before it must look at all colliders again, in radii.
pub const ASIDE: f32 = 2.0;

/// Some particles next to each other, on their way from start to end of a step.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Centre of the box around their ends [m].
    centre: Vec3,
    /// Half the diagonal of that box [m].
    around: f32,
    /// Longest of their ways [m].
    longest: f32,
}

impl Group {
    /// The groups of some particles, from where they are and where they come from.
    pub fn all(position: &Axes, previous: &Axes) -> Vec<Self> {
        let (count, groups) = (position.len(), position.len().div_ceil(GROUP));
        let parts = parallel::gather(groups, |range| {
            range.map(|g| Self::of(position, previous, Self::places(g, count))).collect::<Vec<_>>()
        });
        parts.into_iter().flatten().collect()
    }

    fn of(position: &Axes, previous: &Axes, range: Range<usize>) -> Self {
        let (mut low, mut high, mut longest) = (Vec3::MAX, Vec3::MIN, 0f32);
        for i in range {
            let (start, end) = (previous.get(i), position.get(i));
            (low, high) = (low.min(end), high.max(end));
            longest = longest.max(start.distance_squared(end));
        }
        Self { centre: 0.5 * (low + high), around: 0.5 * low.distance(high), longest: longest.sqrt() }
    }

    /// Whether any of them may end in a collider.
    pub fn is_near(&self, collider: &Collider) -> bool {
        // Also where a position is no number.
        !(self.centre.distance(collider.placement.at) > self.around + collider.sdf().radius()
            || collider.quick_distance(self.centre) > self.around)
    }

    /// The places of the particles of group number `g`, of so many.
    pub fn places(g: usize, count: usize) -> Range<usize> {
        g * GROUP..count.min((g + 1) * GROUP)
    }
}

/// A collider, and from where it may be touched in a step.
#[derive(Clone, Copy)]
pub struct Reach<'a> {
    /// The collider.
    pub collider: &'a Collider,
    /// How far from the surface it is felt [m].
    pub felt: f32,
    /// Radius of the particles [m].
    radius: f32,
    /// How far its origin goes in the step [m].
    gone: f32,
    /// How far it turns in the step: what a point goes for that, over its distance from the origin.
    turned: f32,
}

impl<'a> Reach<'a> {
    /// The reach of a collider that particles of a radius feel from so far.
    pub fn new(collider: &'a Collider, felt: f32, radius: f32) -> Self {
        let (from, to) = (&collider.before, &collider.placement);
        let turn = from.rotation.inverse() * to.rotation;
        Self {
            collider,
            felt,
            radius,
            gone: from.at.distance(to.at),
            turned: 2.0 * Vec3::new(turn.x, turn.y, turn.z).length(),
        }
    }

    /// Whether a particle of a group may touch it, or may when it is moved aside a little. A way that is no longer, in the frame of
    /// the collider, than its end is from the surface has passed nothing (`sweep.rs`).
    #[inline]
    pub fn may_touch(&self, group: &Group) -> bool {
        let from_origin = group.centre.distance(self.collider.placement.at);
        let around = group.around + ASIDE * self.radius;
        // As long as the collider's frame makes it look at most; roundings and roots that are left out there make it seem longer.
        let way = 1.75 * (group.longest + self.gone + self.turned * (from_origin + around));
        let far = around + self.felt.max(self.radius + way);
        // Also where a position is no number.
        !(from_origin > self.collider.sdf().radius() + far
            || self.collider.quick_distance(group.centre) > far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::sweep::Touch;
    use crate::objects::moved;
    use crate::particles::ParticleArrays;
    use crate::scene::{Placement, Scene, Shape};
    use proptest::prelude::*;

    proptest! {
        /// Nobody who touches a collider, whichever way both go, is in a group that may not.
        #[test]
        fn who_touches_may_touch(
            ways in prop::collection::vec((prop::array::uniform3(-1f32..1.0), prop::array::uniform3(-0.5f32..0.5)), 1..40),
            velocity in prop::array::uniform3(-0.5f32..0.5), spin in prop::array::uniform3(-1.5f32..1.5), kind in 0..4,
        ) {
            let shape = match kind {
                0 => Shape::Box { size: [0.1, 0.9, 0.2] },
                1 => Shape::Sphere { radius: 0.3 },
                2 => Shape::HalfSpace { normal: [0.0, 1.0, 0.0] },
                _ => Shape::Container { size: [1.5; 3], open: true },
            };
            let mut collider = Collider::of(&shape, Placement::ORIGIN, &Scene::default());
            collider.placement = moved(&Placement::ORIGIN, velocity.into(), spin.into(), 1.0);
            let mut particles = ParticleArrays::of(ways.iter().map(|(at, _)| (Vec3::from(*at), Vec3::ZERO)));
            for (i, (at, way)) in ways.iter().enumerate() {
                particles.previous.set(i, Vec3::from(*at));
                particles.position.set(i, Vec3::from(*at) + Vec3::from(*way));
            }
            let reach = Reach::new(&collider, 0.03, 0.02);
            for (g, group) in Group::all(&particles.position, &particles.previous).iter().enumerate() {
                let touches = |i: usize| {
                    Touch::of(&collider, 0.03, particles.previous.get(i), particles.position.get(i), 0.02).is_some()
                };
                if Group::places(g, particles.len()).any(touches) {
                    prop_assert!(reach.may_touch(group));
                }
            }
        }
    }
}
