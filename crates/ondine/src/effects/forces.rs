//! Effects that forces move, step by step: one pass over their arrays.
//!
//! Where nothing but constant push and linear drag acts, all go at once, eight at a time, and that is exact. Those that are born in the step,
//! that may meet something, or whose trail or death somebody comes of, are gone through one by one.

use super::Effect;
use super::air::Air;
use super::collide::{Meeting, Obstacles};
use super::events::{Event, Wanted};
use super::settled::Stuck;
use crate::exits::Exits;
use crate::integrate::{Linear, Moving};
use crate::lanes::{Lanes, widest};
use crate::parallel::{self, PART, Shared};
use crate::scene::ChildEvent;
use crate::step::Step;
use glam::Vec3;
use std::ops::Range;

/// Times that a particle may meet something in a step before it ends where it is.
const MEETINGS: usize = 8;
/// Particles that one thread goes through at a time: enough to be worth a hand-over.
const BLOCK: usize = 8 * PART;
/// Speed at which something has gone wrong [m/s], and distance from the origin beyond which nobody is looked for [m].
pub const FASTEST: f32 = 1e5;
pub const FARTHEST: f32 = 1e6;

/// A step of an effect.
struct Flight<'a> {
    air: Air,
    /// The exact step of all, if there is one.
    linear: Option<Linear>,
    span: Range<f64>,
    /// The first that was born in it.
    newborn: usize,
    wanted: Wanted,
    obstacles: Obstacles<'a>,
    exits: Option<Exits>,
}

/// What comes of a part of the particles.
#[derive(Default)]
struct Outcome {
    events: Vec<Event>,
    gone: Vec<u32>,
    stuck: Vec<Stuck>,
    /// Whether one is no number, too fast or too far away.
    is_wild: bool,
}

impl Outcome {
    fn is_something(&self) -> bool {
        self.is_wild || !self.events.is_empty() || !self.gone.is_empty() || !self.stuck.is_empty()
    }
}

/// Positions, then velocities, of some particles: a part of each array.
type Six<'a> = [&'a mut [f32]; 6];

impl Effect {
    /// Goes through a span of time; those from number `newborn` on from their birth.
    pub(super) fn be_moved(&mut self, span: Range<f64>, newborn: usize, step: &Step) -> Vec<Event> {
        let air = Air::new(self, step.gravity, step.planar);
        let flight = Flight {
            linear: air.linear(span.end - span.start),
            air,
            newborn,
            wanted: Wanted::by(&self.description.child),
            obstacles: Obstacles::new(self.description.collision, &self.crowds, step),
            exits: Exits::open(step, None),
            span,
        };
        let swarm = &mut self.swarm;
        let (birth, death) = (&swarm.birth, &swarm.death);
        let (p, v) = (&mut swarm.position, &mut swarm.velocity);
        let arrays = [&mut p.x, &mut p.y, &mut p.z, &mut v.x, &mut v.y, &mut v.z].map(|a| Shared::new(a));
        let count = birth.len();
        let outcomes = parallel::collect(count.div_ceil(BLOCK), |block| {
            let mut all = Vec::new();
            for first in (block * BLOCK..count.min((block + 1) * BLOCK)).step_by(PART) {
                let range = first..count.min(first + PART);
                // SAFETY: parts of the numbers do not overlap, and each is gone through once.
                let mut six = arrays.each_ref().map(|array| unsafe { array.slice(first, range.len()) });
                let outcome = flight.part(first, &mut six, &birth[range.clone()], &death[range]);
                all.extend(outcome.is_something().then_some(outcome));
            }
            all
        });
        let (mut events, mut gone) = (Vec::new(), Vec::new());
        for outcome in outcomes.into_iter().flatten() {
            events.extend(outcome.events);
            gone.extend(outcome.gone);
            self.is_wild |= outcome.is_wild;
            for stuck in outcome.stuck {
                let i = stuck.particle as usize;
                self.settled.push(stuck, [swarm.birth[i], swarm.death[i]], swarm.id[i]);
            }
        }
        // Those that stuck are not gone, only somewhere else.
        self.removed += gone.len() as u64 - std::mem::take(&mut self.settled.newest) as u64;
        self.swarm.take_out(&gone);
        events
    }
}

impl Flight<'_> {
    /// Moves a part of the particles, the first of which has a number.
    fn part(&self, first: usize, six: &mut Six, birth: &[f32], death: &[f32]) -> Outcome {
        let (count, end) = (birth.len(), self.span.end as f32);
        let old = self.newborn.saturating_sub(first).min(count);
        let any_end = death.iter().map(|death| (*death <= end) as u32).sum::<u32>() > 0;
        let notes_all = !self.wanted.trails.is_empty();
        let notes_some = self.wanted.death && any_end;
        let may_turn = notes_all || notes_some || old < count || !self.obstacles.is_empty();
        let before: Option<[[f32; PART]; 6]> = may_turn.then(|| start_of(six));
        match &self.linear {
            Some(linear) => drift(six, old, linear),
            None => self.drift_one_by_one(six, old),
        }
        let mut is_slow = [notes_all; PART];
        is_slow[old..count].fill(true);
        if let Some(before) = before.as_ref().filter(|_| !notes_all && !self.obstacles.is_empty()) {
            self.obstacles.screen(before, six, old, &mut is_slow);
        }
        let mut out = Outcome::default();
        if any_end || self.exits.is_some() || is_slow[..count].contains(&true) {
            for i in 0..count {
                let dies = death[i] <= end;
                let one_by_one = before.as_ref().filter(|_| is_slow[i] || notes_some && dies);
                let lives = match one_by_one {
                    Some(before) => {
                        let life = [birth[i], death[i]];
                        let moved =
                            self.travel((first + i) as u32, state(before, i), life, i >= old, &mut out);
                        moved.is_some_and(|moved| put(six, i, moved))
                    }
                    None => !dies,
                };
                if !lives || self.leaves(six, birth, i) {
                    out.gone.push((first + i) as u32);
                }
            }
        }
        out.is_wild = is_wild(six);
        out
    }

    /// Whether a drain or the end of the world takes one.
    fn leaves(&self, six: &Six, birth: &[f32], i: usize) -> bool {
        self.exits
            .as_ref()
            .is_some_and(|exits| exits.take(Vec3::new(six[0][i], six[1][i], six[2][i]), birth[i]))
    }

    fn drift_one_by_one(&self, six: &mut Six, old: usize) {
        let dt = self.span.end - self.span.start;
        for i in 0..old {
            let moved = self.air.step(state(six, i), self.span.start, dt);
            put(six, i, moved);
        }
    }

    /// One goes from its birth, or the start of the step, to its death or the end of the step, and meets what is in its way. None if it
    /// is no longer in the air.
    fn travel(
        &self,
        particle: u32,
        from: Moving,
        life: [f32; 2],
        is_new: bool,
        out: &mut Outcome,
    ) -> Option<Moving> {
        let ([birth, death], mut now, mut time) = (life.map(f64::from), from, self.span.start);
        if is_new {
            time = birth;
            now.velocity += self.air.carries(now.at, time);
            if self.wanted.birth {
                out.events.push(event(ChildEvent::Birth, 0, time, now));
            }
        }
        let end = self.span.end.min(death).max(time);
        for _ in 0..MEETINGS {
            let whole = self.linear.filter(|_| time == self.span.start && end == self.span.end);
            let moved = whole.map_or_else(|| self.air.step(now, time, end - time), |linear| linear.step(now));
            let Some(met) = self.obstacles.first(now, moved, time, end) else {
                self.trail(now, moved, [time, end], birth, out);
                now = moved;
                break;
            };
            self.trail(now, met.at_hit, [time, met.time], birth, out);
            (now, time) = (met.after, met.time);
            if met.is_impact && self.wanted.impact {
                out.events.push(event(ChildEvent::Impact, 0, time, now));
            }
            match met.becomes {
                Meeting::Dies => {
                    if self.wanted.death {
                        out.events.push(event(ChildEvent::Death, 0, time, now));
                    }
                    return None;
                }
                Meeting::Sticks(object) => {
                    let local = self.obstacles.local(object, now.at.as_vec3(), time);
                    out.stuck.push(Stuck { particle, object, local });
                    return None;
                }
                Meeting::Rests(moved) => {
                    // What slides into something else stays in the corner.
                    now = if self.obstacles.leave_free(moved.at.as_vec3(), end) { moved } else { now };
                    break;
                }
                Meeting::GoesOn => (),
            }
        }
        if death <= self.span.end {
            if self.wanted.death {
                out.events.push(event(ChildEvent::Death, 0, death, now));
            }
            return None;
        }
        Some(now)
    }

    /// What is left behind between two states.
    fn trail(&self, from: Moving, to: Moving, [start, end]: [f64; 2], birth: f64, out: &mut Outcome) {
        if self.wanted.trails.is_empty() || end <= start {
            return;
        }
        for (time, child) in self.wanted.trail(birth, start, end) {
            let share = (time - start) / (end - start);
            let at = from.at.lerp(to.at, share);
            let velocity = from.velocity.lerp(to.velocity, share);
            out.events.push(event(ChildEvent::Trail, child, time, Moving { at, velocity }));
        }
    }
}

/// The state of a part at the start of a step.
fn start_of(six: &Six) -> [[f32; PART]; 6] {
    let mut start = [[0.0; PART]; 6];
    start.iter_mut().zip(six).for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
    start
}

/// One of a part.
fn state(six: &[impl AsRef<[f32]>; 6], i: usize) -> Moving {
    let vector =
        |first: usize| Vec3::from_array(std::array::from_fn(|c| six[first + c].as_ref()[i])).as_dvec3();
    Moving { at: vector(0), velocity: vector(3) }
}

/// Puts one of a part somewhere. It is alive.
fn put(six: &mut Six, i: usize, state: Moving) -> bool {
    let (at, velocity) = (state.at.as_vec3().to_array(), state.velocity.as_vec3().to_array());
    six.iter_mut().zip(at.into_iter().chain(velocity)).for_each(|(array, value)| array[i] = value);
    true
}

fn event(what: ChildEvent, child: u32, time: f64, state: Moving) -> Event {
    Event { what, child, time, at: state.at.as_vec3(), velocity: state.velocity.as_vec3() }
}

widest!(
    /// Moves the first `old` of a part by one exact step.
    fn drift(six: &mut Six, old: usize, law: &Linear) = drift_eight
);

#[inline(always)]
fn drift_eight<V: Lanes>(six: &mut Six, old: usize, law: &Linear) {
    let (kept, way) = (law.kept as f32, law.way as f32);
    let [x, y, z, vx, vy, vz] = six;
    for (c, (p, v)) in [(&mut **x, &mut **vx), (y, vy), (z, vz)].into_iter().enumerate() {
        let (fall, gain) = ((law.fall * law.push[c]) as f32, (law.way * law.push[c]) as f32);
        let ((p8, p1), (v8, v1)) = (p[..old].as_chunks_mut::<8>(), v[..old].as_chunks_mut::<8>());
        for (p, v) in p8.iter_mut().zip(v8) {
            let velocity = V::from_array(*v);
            let moved = V::from_array(*p).add(velocity.mul_add(V::splat(way), V::splat(fall)));
            (*p, *v) = (moved.to_array(), velocity.mul_add(V::splat(kept), V::splat(gain)).to_array());
        }
        for (p, v) in p1.iter_mut().zip(v1) {
            *p += v.mul_add(way, fall);
            *v = v.mul_add(kept, gain);
        }
    }
}

widest!(
    /// Whether anything in a part is no number, too fast or too far away.
    fn is_wild(six: &Six) -> bool = is_wild_eight
);

#[inline(always)]
fn is_wild_eight<V: Lanes>(six: &Six) -> bool {
    let mut all = 255;
    for (c, part) in six.iter().enumerate() {
        let most = if c < 3 { FARTHEST } else { FASTEST };
        let (eights, ones) = part.as_chunks::<8>();
        for eight in eights {
            let x = V::from_array(*eight);
            all &= x.less(V::splat(most)) & V::splat(-most).less(x);
        }
        if !ones.iter().all(|x| x.abs() < most) {
            all = 0;
        }
    }
    all != 255
}
