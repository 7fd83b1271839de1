//! What particles meet on their way: objects, swept in their frames, and the surfaces of other systems. They push nothing.
//!
//! A particle that meets something loses the share `friction` of its velocity along it and gets back the share `restitution` of that
//! towards it, relative to what it met. What touches down no faster than forces make it in a step and a half rests: it slides on, and that is no impact.

use super::births::{midway, velocity_of};
use super::crowd::Crowd;
use crate::contact::sweep::Path;
use crate::integrate::Moving;
use crate::lanes::{Lanes, widest};
use crate::objects::{Collider, Nearest};
use crate::parallel::PART;
use crate::scene::{EffectCollision, Encounter};
use crate::step::Step;
use glam::{DVec3, Vec3};

/// Rounds of halving by which the instant is found at which a wall around is met.
const HALVINGS: usize = 24;
/// Steps for which forces may act on what rests, over those that they have.
const RESTING: f64 = 1.5;
/// Time for which friction takes its share of what slides [s], as objects do of liquids.
const SLIDING: f64 = 1.0 / 30.0;

/// All that the particles of an effect may meet in a step.
pub struct Obstacles<'a> {
    given: EffectCollision,
    all: Vec<&'a Collider>,
    crowds: &'a [Crowd],
    /// When the step begins [s], and how long it is [s].
    time: f64,
    dt: f64,
}

/// A particle that meets something.
pub struct Met {
    /// When [s].
    pub time: f64,
    /// How it came.
    pub at_hit: Moving,
    /// How it goes on.
    pub after: Moving,
    /// Whether it came fast enough to be heard.
    pub is_impact: bool,
    /// What becomes of it.
    pub becomes: Meeting,
}

/// What becomes of a particle that meets something.
pub enum Meeting {
    /// It goes on.
    GoesOn,
    /// It lies on what it met, and has slid there by the end of the step.
    Rests(Moving),
    /// It sticks to the object of a number.
    Sticks(u32),
    /// It ends.
    Dies,
}

/// Where on its way something is met.
struct Hit {
    /// Share of the way.
    share: f64,
    /// The outward normal there, in the world.
    normal: Vec3,
    /// Velocity of what is met there [m/s].
    moves: Vec3,
    /// The centre of the particle then [m].
    at: Vec3,
    /// The object, if it is one.
    object: Option<u32>,
}

impl<'a> Obstacles<'a> {
    /// Those of an effect, among the objects of a step and the surfaces of other systems.
    pub fn new(given: EffectCollision, crowds: &'a [Crowd], step: &Step<'a>) -> Self {
        let (time, dt) = (step.time, step.dt as f64);
        let [objects, systems] = [given.objects, given.systems].map(|encounter| encounter != Encounter::Pass);
        let all = step.colliders.iter().filter(|c| objects && c.object.is_some()).collect();
        Self { given, all, crowds: if systems { crowds } else { &[] }, time, dt }
    }

    /// Whether there is nothing to meet.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.crowds.is_empty()
    }

    /// Marks those of the first `old` of a part that may meet something on the way from where they were.
    pub fn screen(
        &self,
        before: &[[f32; PART]; 6],
        after: &[&mut [f32]; 6],
        old: usize,
        marks: &mut [bool; PART],
    ) {
        let way = longest(before, after, old);
        for collider in &self.all {
            let turned = collider.before.rotation.angle_between(collider.placement.rotation);
            let gone = collider.before.at.distance(collider.placement.at);
            let radius = collider.sdf().radius();
            let margin = self.given.radius + way + gone;
            match collider.sdf().plane() {
                Some(normal) if turned == 0.0 => {
                    let normal = collider.placement.to_world_direction(normal);
                    mark_below(after, old, normal, normal.dot(collider.placement.at) + margin, marks);
                }
                _ if radius.is_finite() => {
                    let reach = radius * (1.0 + turned) + margin;
                    mark_within(after, old, collider.placement.at, reach, marks);
                }
                _ => (0..old).for_each(|i| marks[i] = true),
            }
        }
        for crowd in self.crowds {
            let (low, high) = crowd.bounds(self.given.radius + way);
            for i in 0..old {
                let p = Vec3::new(after[0][i], after[1][i], after[2][i]);
                marks[i] |= p.cmpge(low).all() && p.cmple(high).all();
            }
        }
    }

    /// The first that a particle meets on its way from one state to another, between two times [s].
    pub fn first(&self, from: Moving, to: Moving, start: f64, end: f64) -> Option<Met> {
        if self.is_empty() || end <= start {
            return None;
        }
        let (a, b) = (from.at.as_vec3(), to.at.as_vec3());
        let share = |time: f64| ((time - self.time) / self.dt).clamp(0.0, 1.0) as f32;
        let shares = [share(start), share(end)];
        let objects = self.all.iter().filter_map(|collider| self.hit(collider, a, b, shares));
        let others = self.crowds.iter().filter_map(|crowd| {
            let (share, at, normal) = crowd.hit(a, b, self.given.radius)?;
            Some(Hit { share, normal, moves: Vec3::ZERO, at, object: None })
        });
        let hit = objects.chain(others).min_by(|a, b| a.share.total_cmp(&b.share))?;
        Some(self.meet(hit, from, to, [start, end]))
    }

    /// Whether no object is at a place at a time [s].
    pub fn leave_free(&self, p: Vec3, time: f64) -> bool {
        let share = ((time - self.time) / self.dt).clamp(0.0, 1.0) as f32;
        self.all.iter().all(|c| {
            let local = midway(c, share).to_local(p);
            c.sdf().at_least(local) > 0.0 || c.sdf().distance(local) > 0.0
        })
    }

    /// Where in the frame of an object a point is at a time [s].
    pub fn local(&self, object: u32, p: Vec3, time: f64) -> Vec3 {
        let share = ((time - self.time) / self.dt).clamp(0.0, 1.0) as f32;
        let collider = self.all.iter().find(|c| c.object == Some(object));
        collider.map_or(p, |c| midway(c, share).to_local(p))
    }

    fn hit(&self, collider: &Collider, a: Vec3, b: Vec3, [start, end]: [f32; 2]) -> Option<Hit> {
        let (sdf, radius) = (collider.sdf(), self.given.radius);
        let moved = a.distance(b) + collider.before.at.distance(collider.placement.at);
        let far = sdf.radius() + radius + moved;
        if collider.placement.at.distance_squared(b) > far * far {
            return None;
        }
        let (from, to) = (midway(collider, start), midway(collider, end));
        let path = Path { start: from.to_local(a), end: to.to_local(b) };
        let length = path.start.distance(path.end);
        if sdf.at_least(path.end) > radius + length {
            return None;
        }
        let (point, near) =
            if sdf.is_outside_in() { out_of(collider, &path, radius) } else { path.hit(sdf, radius) }?;
        let share = if length > 0.0 { (path.start.distance(point) / length).min(1.0) } else { 0.0 };
        let placement = midway(collider, start + (end - start) * share);
        // Not in it by more than it touches.
        let out = point + (radius - near.distance).max(0.0) * near.normal;
        Some(Hit {
            share: share as f64,
            normal: placement.to_world_direction(near.normal),
            moves: velocity_of(collider, point, self.dt as f32),
            at: placement.to_world(out),
            object: collider.object,
        })
    }

    fn meet(&self, hit: Hit, from: Moving, to: Moving, [start, end]: [f64; 2]) -> Met {
        let (normal, moves) = (hit.normal.as_dvec3(), hit.moves.as_dvec3());
        let time = start + hit.share * (end - start);
        let came = from.velocity.lerp(to.velocity, hit.share) - moves;
        let closing = -came.dot(normal);
        let along = came + closing * normal;
        let at = hit.at.as_dvec3();
        let gained = (to.velocity - from.velocity).length() / (end - start).max(f64::MIN_POSITIVE) * self.dt;
        let is_impact = closing > RESTING * gained;
        let state = |velocity: DVec3| Moving { at, velocity: velocity + moves };
        let at_hit = state(came);
        let met = |after, becomes| Met { time, at_hit, after, is_impact, becomes };
        let encounter = if hit.object.is_some() { self.given.objects } else { self.given.systems };
        match (encounter, hit.object) {
            (Encounter::Die, _) => met(at_hit, Meeting::Dies),
            (Encounter::Stick, Some(object)) => met(state(DVec3::ZERO), Meeting::Sticks(object)),
            _ if is_impact => {
                let back = self.given.restitution as f64 * closing * normal;
                met(state((1.0 - self.given.friction as f64) * along + back), Meeting::GoesOn)
            }
            _ => {
                let left = end - time;
                let kept = libm::pow(1.0 - self.given.friction as f64, left / SLIDING);
                let pulled = to.velocity - from.velocity.lerp(to.velocity, hit.share);
                let slid = kept * (along + pulled - pulled.dot(normal) * normal);
                let rest = Moving { at: at + left * (slid + moves), velocity: slid + moves };
                met(state(along), Meeting::Rests(rest))
            }
        }
    }
}

/// Where a way leads out of the room in a shape that is all around.
fn out_of(collider: &Collider, path: &Path, radius: f32) -> Option<(Vec3, Nearest)> {
    let sdf = collider.sdf();
    if sdf.nearest(path.end).distance >= radius {
        return None;
    }
    let (mut inside, mut outside) = (0.0, 1.0);
    let begins = sdf.nearest(path.start);
    if begins.distance < radius {
        let closes = (path.end - path.start).dot(begins.normal) < 0.0;
        return closes.then_some((path.start, begins));
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        match sdf.nearest(path.start.lerp(path.end, middle)).distance < radius {
            true => outside = middle,
            false => inside = middle,
        }
    }
    let point = path.start.lerp(path.end, inside);
    Some((point, sdf.nearest(point)))
}

widest!(
    /// The longest way of a part [m].
    fn longest(before: &[[f32; PART]; 6], after: &[&mut [f32]; 6], old: usize) -> f32 = longest_eight
);

#[inline(always)]
fn longest_eight<V: Lanes>(before: &[[f32; PART]; 6], after: &[&mut [f32]; 6], old: usize) -> f32 {
    let mut most = [0f32; 8];
    for first in (0..old).step_by(8) {
        let count = (old - first).min(8);
        let mut square = V::splat(0.0);
        for c in 0..3 {
            let d = eight::<V>(after[c], first, count).sub(eight::<V>(&before[c], first, count));
            square = d.mul_add(d, square);
        }
        most = V::from_array(most).max(square).to_array();
    }
    most.into_iter().fold(0.0, f32::max).sqrt()
}

/// Some numbers of an array, and zeros.
#[inline(always)]
fn eight<V: Lanes>(array: &[f32], first: usize, count: usize) -> V {
    let mut values = [0.0; 8];
    match array.get(first..first + 8) {
        Some(whole) if count == 8 => values.copy_from_slice(whole),
        _ => values[..count].copy_from_slice(&array[first..first + count]),
    }
    V::from_array(values)
}

widest!(
    /// Marks who is below a plane n·p = d.
    fn mark_below(at: &[&mut [f32]; 6], old: usize, normal: Vec3, d: f32, marks: &mut [bool; PART]) = mark_below_eight
);

#[inline(always)]
fn mark_below_eight<V: Lanes>(
    at: &[&mut [f32]; 6],
    old: usize,
    normal: Vec3,
    d: f32,
    marks: &mut [bool; PART],
) {
    for first in (0..old).step_by(8) {
        let count = (old - first).min(8);
        let mut height = V::splat(0.0);
        for c in 0..3 {
            height = eight::<V>(at[c], first, count).mul_add(V::splat(normal[c]), height);
        }
        mark(height.less(V::splat(d)), first, count, marks);
    }
}

widest!(
    /// Marks who is within a distance of a point.
    fn mark_within(at: &[&mut [f32]; 6], old: usize, centre: Vec3, reach: f32, marks: &mut [bool; PART]) = mark_within_eight
);

#[inline(always)]
fn mark_within_eight<V: Lanes>(
    at: &[&mut [f32]; 6],
    old: usize,
    centre: Vec3,
    reach: f32,
    marks: &mut [bool; PART],
) {
    for first in (0..old).step_by(8) {
        let count = (old - first).min(8);
        let mut square = V::splat(0.0);
        for c in 0..3 {
            let d = eight::<V>(at[c], first, count).sub(V::splat(centre[c]));
            square = d.mul_add(d, square);
        }
        mark(square.less(V::splat(reach * reach)), first, count, marks);
    }
}

fn mark(bits: u32, first: usize, count: usize, marks: &mut [bool; PART]) {
    if bits != 0 {
        (0..count).for_each(|k| marks[first + k] |= bits >> k & 1 == 1);
    }
}
