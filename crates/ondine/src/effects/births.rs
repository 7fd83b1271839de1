//! How particles are born: where, how fast and for how long, each by its own chance.

use super::Effect;
use super::events::Event;
use super::swarm::Newborn;
use crate::chance::{Chance, Places};
use crate::objects::{Collider, Sdf};
use crate::parallel;
use crate::scene::{self, ChildEvent, EffectEmitter, Placement};
use crate::step::Step;
use glam::{Quat, Vec3};
use std::f32::consts::TAU;
use std::ops::Range;

/// What chance decides of a particle: each has a sequence of its own, named by the scene's seed, the effect, the particle and this.
#[derive(Clone, Copy)]
pub enum Draw {
    /// Where those are born that are born at once.
    Place,
    /// How it leaves.
    Leave,
    /// How long it lives.
    Life,
    /// How large it is, how it is turned, how it turns.
    Look,
    /// Which tint those have that are born at once.
    Tint,
    /// Where on its waves it is.
    Path,
    /// A step of its random walk.
    Walk(u32),
}

impl Draw {
    /// Small numbers are other systems' in this place.
    fn word(self) -> u32 {
        match self {
            Draw::Place => 0xeff0_0000,
            Draw::Leave => 0xeff0_0001,
            Draw::Life => 0xeff0_0002,
            Draw::Look => 0xeff0_0003,
            Draw::Tint => 0xeff0_0004,
            Draw::Path => 0xeff0_0005,
            Draw::Walk(node) => 0xeff1_0000 + node,
        }
    }
}

/// The chance of a particle, or of an instant, for one purpose.
pub fn chance(seed: u32, effect: u32, of: u32, draw: Draw) -> Chance {
    Chance::new([seed, effect, of, draw.word()])
}

/// Litters that are born at one instant, or of one event: those of a litter in one place.
pub struct Litters {
    time: f64,
    /// What they come of, if not of the emitter.
    parent: Option<Event>,
    /// The id of the first of all.
    first: u32,
    /// Of a litter.
    count: u32,
    times: u32,
}

impl Litters {
    fn len(&self) -> usize {
        self.count as usize * self.times as usize
    }
}

/// Where an emitter stands during a step.
struct Stand<'a> {
    emitter: &'a EffectEmitter,
    sdf: Option<Sdf>,
    /// The object that it is fixed to.
    object: Option<&'a Collider>,
    /// When the step begins [s], and how long it is [s].
    time: f64,
    dt: f32,
    planar: bool,
    seed: u32,
    number: u32,
}

impl Effect {
    /// The litters of the emitter in a span of time, then those of what happened to others.
    pub fn litters(&mut self, span: Range<f64>, events: &[(Event, u32)], step: &Step) -> Vec<Litters> {
        let emitter = &self.description.emitter;
        let mut all = Vec::new();
        let is_there = emitter.on.as_deref().is_none_or(|name| object(name, step).is_some());
        let due = self.emission.go(emitter, span);
        let own = due.iter().filter(|_| is_there).map(|due| (due.time, None, emitter.count, due.times));
        let of_others = events.iter().map(|(event, count)| (event.time, Some(*event), *count, 1));
        for (time, parent, count, times) in own.chain(of_others) {
            let litters = Litters { time, parent, first: self.next_id, count, times };
            self.next_id = self.next_id.wrapping_add(litters.len() as u32);
            self.emitted += litters.len() as u64;
            all.push(litters);
        }
        all
    }

    /// Those that are born of litters, in order.
    pub fn newborns(&self, all: &[Litters], step: &Step) -> Vec<Newborn> {
        let emitter = &self.description.emitter;
        let sdf = emitter.shape.as_ref().map(|shape| Sdf::new(shape, &step.scene.meshes, step.planar).room());
        let object = emitter.on.as_deref().and_then(|name| object(name, step));
        let (seed, number) = (step.scene.seed, self.number);
        let Step { time, dt, planar, .. } = *step;
        let stand = Stand { emitter, sdf, object, time, dt, planar, seed, number };
        let mut ends = Vec::with_capacity(all.len());
        let count = all.iter().fold(0, |before, litters| {
            ends.push(before + litters.len());
            before + litters.len()
        });
        let parts = parallel::gather(count, |range| {
            let (mut at, mut place) = (ends.partition_point(|end| *end <= range.start), None);
            let mut born = Vec::with_capacity(range.len());
            for i in range {
                while ends[at] <= i {
                    at += 1;
                }
                let litters = &all[at];
                let nth = (i + litters.len() - ends[at]) as u32;
                // The first of the litter, by whose chance all of it has its place.
                let first = litters.first.wrapping_add(nth - nth % litters.count);
                let found = match place {
                    Some((of, found)) if of == (at, first) => found,
                    _ => stand.place(litters, first),
                };
                place = Some(((at, first), found));
                born.push(stand.newborn(litters, found, litters.first.wrapping_add(nth), &self.description));
            }
            born
        });
        parts.into_iter().flatten().collect()
    }
}

/// The object of a name, if it is there.
pub fn object<'a>(name: &str, step: &Step<'a>) -> Option<&'a Collider> {
    let is_it = |c: &&Collider| {
        c.object.and_then(|n| step.object(n as usize)).is_some_and(|object| object.name == name)
    };
    step.colliders.iter().find(is_it)
}

/// Where a collider is when a share of the step has gone.
pub fn midway(collider: &Collider, share: f32) -> Placement {
    let (from, to) = (&collider.before, &collider.placement);
    if collider.is_still() {
        return *to;
    }
    Placement { at: from.at.lerp(to.at, share), rotation: from.rotation.lerp(to.rotation, share) }
}

/// Velocity [m/s] of the point of a collider that has a place in its frame, over a step of `dt`.
pub fn velocity_of(collider: &Collider, local: Vec3, dt: f32) -> Vec3 {
    if collider.is_still() || dt <= 0.0 {
        return Vec3::ZERO;
    }
    (collider.placement.to_world(local) - collider.before.to_world(local)) / dt
}

impl Stand<'_> {
    /// The place of a litter, the way out of the surface there if it is on one, and the velocity that they get from what they come of.
    fn place(&self, litters: &Litters, first: u32) -> (Vec3, Vec3, Vec3) {
        let Self { emitter, sdf, object, time, dt, planar, seed, number } = self;
        if let Some(parent) = &litters.parent {
            return (parent.at, Vec3::ZERO, emitter.inherit * parent.velocity);
        }
        let (at, out) = match sdf {
            Some(sdf) => {
                let places =
                    Places { sdf, placement: emitter.placement(), from: emitter.from, planar: *planar };
                let found = places.one(0.0, &mut chance(*seed, *number, first, Draw::Place));
                found.unwrap_or((emitter.at.into(), Vec3::ZERO))
            }
            None => {
                let half = 0.5 * Vec3::from(emitter.size);
                let local = chance(*seed, *number, first, Draw::Place).within(-half, half);
                (emitter.placement().to_world(local), Vec3::ZERO)
            }
        };
        let Some(object) = object else { return (at, out, Vec3::ZERO) };
        let share = ((litters.time - time) / dt.max(f32::MIN_POSITIVE) as f64) as f32;
        let placement = midway(object, share.clamp(0.0, 1.0));
        let carried = emitter.inherit * velocity_of(object, at, *dt);
        (placement.to_world(at), placement.to_world_direction(out), carried)
    }

    fn newborn(
        &self,
        litters: &Litters,
        (at, out, carried): (Vec3, Vec3, Vec3),
        id: u32,
        effect: &scene::Effect,
    ) -> Newborn {
        let Self { emitter, planar, seed, number, object, .. } = self;
        let mut draw = chance(*seed, *number, id, Draw::Leave);
        let turn =
            object.filter(|_| litters.parent.is_none()).map_or(Quat::IDENTITY, |o| o.placement.rotation);
        let along =
            cone(turn * Vec3::from(emitter.direction), emitter.angle.to_radians(), *planar, &mut draw);
        let speed = emitter.speed * (1.0 - emitter.speed_spread * draw.next());
        let velocity = speed * along + emitter.outward * out + carried;
        let shorter = effect.life_spread * chance(*seed, *number, id, Draw::Life).next();
        let death = (litters.time + (effect.life * (1.0 - shorter)) as f64) as f32;
        let flat = |v: Vec3| if *planar { v.with_z(0.0) } else { v };
        Newborn { time: litters.time, at: flat(at), velocity: flat(velocity), death, id }
    }
}

/// A direction of a cone around another, all equally likely: of half-angle θ, the mean cosine is (1 + cos θ)/2; in the plane sin θ/θ.
fn cone(axis: Vec3, half_angle: f32, planar: bool, draw: &mut Chance) -> Vec3 {
    let axis = axis.normalize_or(Vec3::Y);
    if planar {
        let (sin, cos) = libm::sincosf(half_angle * (2.0 * draw.next() - 1.0));
        return Vec3::new(cos * axis.x - sin * axis.y, sin * axis.x + cos * axis.y, 0.0);
    }
    let least = libm::cosf(half_angle);
    let cos = 1.0 - (1.0 - least) * draw.next();
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let (s, c) = libm::sincosf(TAU * draw.next());
    let (u, v) = axis.any_orthonormal_pair();
    cos * axis + sin * (c * u + s * v)
}

/// What of some events an effect comes of, and how many.
pub fn called_for(events: &[Event], child: &scene::EffectChild, number: usize) -> Vec<(Event, u32)> {
    let is_meant = |event: &&Event| {
        event.what == child.on && (child.on != ChildEvent::Trail || event.child == number as u32)
    };
    events.iter().filter(is_meant).map(|event| (*event, child.count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_has_its_mean_cosine() {
        for (degrees, axis) in
            [(0f32, Vec3::Y), (30.0, Vec3::new(1.0, 2.0, -0.5)), (90.0, Vec3::NEG_Z), (180.0, Vec3::X)]
        {
            for planar in [false, true] {
                let axis = if planar { axis.with_z(0.0) } else { axis }.normalize_or(Vec3::Y);
                let angle = degrees.to_radians();
                let all = (0..20_000).map(|id| cone(axis, angle, planar, &mut chance(1, 0, id, Draw::Leave)));
                let (mut sum, mut least) = (0.0, 1f32);
                for v in all {
                    assert!((v.length() - 1.0).abs() < 1e-5);
                    sum += v.dot(axis);
                    least = least.min(v.dot(axis));
                }
                let mean = match planar {
                    true if angle > 0.0 => angle.sin() / angle,
                    true => 1.0,
                    false => 0.5 * (1.0 + angle.cos()),
                };
                assert!((sum / 20_000.0 - mean).abs() < 0.015, "{degrees} {planar}: {}", sum / 20_000.0);
                assert!(least >= angle.cos() - 1e-5);
            }
        }
    }
}
