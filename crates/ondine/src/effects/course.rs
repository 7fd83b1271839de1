//! Effects whose particles are where the time says: their births, impacts and deaths in a span of time, and their places at an instant.

use super::Effect;
use super::ballistic::{Bounce, Law, Piece};
use super::events::{Event, Wanted};
use super::path::Path;
use crate::parallel;
use crate::scene::{ChildEvent, EffectCollision, Encounter, Trajectory};
use crate::step::Step;
use glam::{DVec3, Vec3};
use std::ops::Range;

impl Effect {
    /// Goes through a span of time: notes what happens in it, takes out who dies. Places follow at the end of a frame.
    pub(super) fn go_on(&mut self, span: Range<f64>, newborn: usize, step: &Step) -> Vec<Event> {
        self.heed(span.start, newborn, step);
        let wanted = Wanted::by(&self.description.child);
        let (count, end) = (self.swarm.len(), span.end as f32);
        let all = !wanted.trails.is_empty();
        let is_due = |i: &usize| {
            all || *i >= newborn || self.swarm.death[*i] <= end || self.swarm.course.until[*i] <= end
        };
        let due = parallel::gather(count, |range| range.filter(is_due).collect::<Vec<usize>>());
        let (mut events, mut dead) = (Vec::new(), Vec::new());
        for i in due.into_iter().flatten() {
            let from = if i >= newborn { self.swarm.birth[i] as f64 } else { span.start };
            if !self.live(i, from, span.end, i >= newborn, &wanted, &mut events, step.planar) {
                dead.push(i as u32);
            }
        }
        self.removed += dead.len() as u64;
        self.swarm.take_out_in_order(&dead);
        events
    }

    /// Where gravity or the planes have changed, those that fly begin a new piece; those that are born begin their first.
    fn heed(&mut self, time: f64, newborn: usize, step: &Step) {
        if self.description.trajectory != Trajectory::Ballistic {
            return;
        }
        let collision = self.description.collision;
        let meets = collision.objects != Encounter::Pass;
        let gravity = (self.description.gravity * step.gravity).as_dvec3();
        let law = Law::new(gravity, step.colliders, meets.then_some(collision.radius));
        if law != self.law {
            for i in 0..newborn {
                let (at, velocity) = self.place(i, time, step.planar);
                self.begin(i, time, Piece { start: at, go: velocity, on: super::ballistic::FLIES });
            }
            self.law = law;
            (0..newborn).for_each(|i| self.look_ahead(i));
        }
        (newborn..self.swarm.len()).for_each(|i| self.look_ahead(i));
    }

    /// One of them goes through a span of time. Returns whether it lives on.
    #[allow(clippy::too_many_arguments)]
    fn live(
        &mut self,
        i: usize,
        from: f64,
        to: f64,
        is_new: bool,
        wanted: &Wanted,
        events: &mut Vec<Event>,
        planar: bool,
    ) -> bool {
        let mut note = |effect: &Self, what, child, time: f64| {
            let (at, velocity) = effect.place(i, time, planar);
            events.push(Event { what, child, time, at: at.as_vec3(), velocity: velocity.as_vec3() });
        };
        if is_new && wanted.birth {
            note(self, ChildEvent::Birth, 0, from);
        }
        let (birth, death, mut from) = (self.swarm.birth[i] as f64, self.swarm.death[i] as f64, from);
        loop {
            let until = self.swarm.course.until[i] as f64;
            let end = to.min(until).min(death);
            for (time, child) in wanted.trail(birth, from, end) {
                note(self, ChildEvent::Trail, child, time);
            }
            from = end;
            if death <= to && death <= until {
                if wanted.death {
                    note(self, ChildEvent::Death, 0, death);
                }
                return false;
            }
            if until > to {
                return true;
            }
            let collision = self.description.collision;
            self.bounce(i, collision);
            if wanted.impact {
                note(self, ChildEvent::Impact, 0, until);
            }
            if collision.objects == Encounter::Die {
                if wanted.death {
                    note(self, ChildEvent::Death, 0, until);
                }
                return false;
            }
        }
    }

    /// The piece that one is on.
    fn piece(&self, i: usize) -> Piece {
        let course = &self.swarm.course;
        Piece { start: course.start.get(i).as_dvec3(), go: course.go.get(i).as_dvec3(), on: course.on[i] }
    }

    fn begin(&mut self, i: usize, time: f64, piece: Piece) {
        let course = &mut self.swarm.course;
        course.start.set(i, piece.start.as_vec3());
        course.go.set(i, piece.go.as_vec3());
        (course.since[i], course.on[i]) = (time as f32, piece.on);
    }

    /// Finds when its piece ends.
    fn look_ahead(&mut self, i: usize) {
        let since = self.swarm.course.since[i] as f64;
        let impact = self.law.impact(&self.piece(i));
        // An instant that f32 cannot tell from the last would come again and again.
        let until = impact.map_or(f32::INFINITY, |(t, _)| ((since + t) as f32).max((since as f32).next_up()));
        self.swarm.course.until[i] = until;
    }

    /// Its piece ends at the impact that was foreseen, and the next begins.
    fn bounce(&mut self, i: usize, collision: EffectCollision) {
        let (piece, until) = (self.piece(i), self.swarm.course.until[i]);
        let Some((t, plane)) = self.law.impact(&piece) else {
            self.swarm.course.until[i] = f32::INFINITY;
            return;
        };
        let bounce = Bounce {
            restitution: collision.restitution as f64,
            friction: collision.friction as f64,
            sticks: collision.objects == Encounter::Stick,
        };
        self.begin(i, until as f64, self.law.bounced(&piece, t, plane, bounce));
        self.look_ahead(i);
    }

    /// Where one is at a time [s], and how fast.
    fn place(&self, i: usize, time: f64, planar: bool) -> (DVec3, DVec3) {
        let swarm = &self.swarm;
        let (piece, since) = (self.piece(i), swarm.course.since[i] as f64);
        let age = (time - since).max(0.0);
        if self.description.trajectory == Trajectory::Ballistic {
            return self.law.at(&piece, age);
        }
        let path = Path {
            path: &self.description.path,
            start: piece.start,
            go: piece.go,
            life: (swarm.death[i] as f64 - since).max(f64::MIN_POSITIVE),
            words: [self.seed, self.number, swarm.id[i]],
            planar,
        };
        path.at(age)
    }

    /// Puts all where they are at a time [s].
    pub(super) fn put(&mut self, time: f64, planar: bool) {
        let places = parallel::gather(self.swarm.len(), |range| {
            let place = |i| {
                let (at, velocity) = self.place(i, time, planar);
                (at.as_vec3(), velocity.as_vec3())
            };
            range.map(place).collect::<Vec<(Vec3, Vec3)>>()
        });
        for (i, (at, velocity)) in places.into_iter().flatten().enumerate() {
            self.swarm.position.set(i, at);
            self.swarm.velocity.set(i, velocity);
        }
    }
}
