//! Balls as a system of the world.

use super::ball::Ball;
use super::partner::Partner;
use super::room::deepest;
use super::{Balls, Set, pairwise, sources};
use crate::contact::floater::Floater;
use crate::contact::impact::Impact;
use crate::contact::impulse::Impulse;
use crate::contact::points::Points;
use crate::contact::prediction::Predicted;
use crate::frame::{Particles, SystemLedger};
use crate::health::{Kinetics, Speeds, is_beyond};
use crate::objects::{Bodies, Cling, Collider};
use crate::scene::{Described, Pairwise, Scalar, Scene};
use crate::step::Step;
use crate::system::{Addition, Ahead, Ailment, Mark, System, SystemKind};
use crate::world::SystemView;
use glam::{DVec3, Vec3};

/// Longest step [s]; the same over the time √(r/g) in which a ball falls by half its radius; and the longest that is short enough for any.
const LONGEST: f32 = 1.0 / 60.0;
const PACE: f32 = 0.165;
const SHORT: f32 = 1.0 / 120.0;
/// Way that the fastest ball may go in a step, in radii of the smallest, before steps are shorter; and how many times shorter at most: all
/// is swept, and one fast ball must not slow down thousands.
const WAY: f32 = 2.0;
const SHORTER: f32 = 4.0;
/// Speed below which a ball may be at rest, over that of a fall by its radius; and how far it may stray then, over the radius.
const SLOW: f32 = 0.05;
const STRAY: f32 = 0.02;

impl Balls {
    fn pairwise(&self) -> Option<Pairwise> {
        self.sets.first().and_then(|set| set.description.pairwise)
    }

    fn fastest(&self) -> f32 {
        self.pile.balls.iter().map(|b| b.velocity.length()).fold(0.0, f32::max)
    }

    fn told(&self, ball: &Ball, what: String) -> Ailment {
        let set = &self.sets[ball.set as usize].description;
        let cause = "it began inside another or inside an object, is much lighter than what presses on it, or something that is driven \
                     closes on it; give it room, make masses more alike, or raise max_substeps";
        let system = format!("{}.{}", SystemKind::Balls, set.name);
        Ailment { system, particle: Some(ball.id), what, cause: cause.into() }
    }

    /// Free objects, by the numbers of their colliders.
    fn partners(bodies: &Bodies, step: &Step) -> Vec<Option<Partner>> {
        let free: Vec<_> = bodies.free().collect();
        let partner = |c: &Collider| {
            let body = c.free.and_then(|n| free.get(n as usize)).filter(|_| c.object.is_some())?;
            let gravity = if c.falls { step.gravity } else { Vec3::ZERO };
            Partner::of(body, gravity, step.dt)
        };
        step.colliders.iter().map(partner).collect()
    }
}

impl System for Balls {
    fn add(&mut self, name: &str, addition: Addition, step: &Step) -> f64 {
        self.put_in(name, addition, step)
    }

    fn remove(&mut self, name: &str, ids: &[u32]) {
        self.take_out(name, ids);
    }

    fn kick(&mut self, name: &str, ids: &[u32], velocity: Vec3, _: bool) -> f64 {
        self.strike(name, ids, velocity)
    }

    fn views(&self) -> Vec<SystemView<'_>> {
        self.sets.iter().map(Set::view).collect()
    }

    fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (name, key) = path.split_once('.')?;
        self.sets.iter_mut().find(|set| set.description.name == name)?.description.live(key)
    }

    fn clings(&self) -> Vec<Cling> {
        Vec::new()
    }

    fn plan(&mut self, ahead: &Ahead) -> u32 {
        if let Some(pairwise) = self.pairwise() {
            return pairwise.substeps;
        }
        if self.pile.balls.is_empty() && self.sets.iter().all(|set| set.description.emitter.is_empty()) {
            return 1;
        }
        let smallest = self.pile.balls.iter().map(|b| b.radius).fold(f32::INFINITY, f32::min);
        let pace = PACE * (smallest / ahead.gravity.length().max(f32::MIN_POSITIVE)).sqrt();
        let steps = (ahead.dt / pace.clamp(SHORT, LONGEST) - 1e-3).ceil().max(1.0);
        let fast = self.fastest() + ahead.dt * ahead.gravity.length();
        let way = fast * ahead.dt / steps / (WAY * smallest);
        (steps * way.clamp(1.0, SHORTER)).ceil() as u32
    }

    fn begin_frame(&mut self, _: &Ahead, _: u32) {
        self.pile.impacts.clear();
    }

    fn impacts(&self) -> &[Impact] {
        &self.pile.impacts
    }

    fn speeds(&self, _: &Bodies, _: f32) -> Speeds {
        let emitters = self.sets.iter().flat_map(|set| &set.description.emitter);
        Speeds { made: emitters.map(|e| e.fastest()).fold(self.fastest(), f32::max), inner: 0.0 }
    }

    fn depth_in(&self, collider: &Collider) -> f32 {
        let depth = |ball: &Ball| 1.01 * ball.radius - collider.distance(ball.at);
        self.pile.balls.iter().map(depth).fold(0.0, f32::max)
    }

    fn emit_and_drain(&mut self, step: &Step) -> f64 {
        (0..self.sets.len()).map(|n| self.emit(n, step)).sum()
    }

    fn predict(&mut self, step: &Step, _: &mut [Floater]) -> Vec<Impulse> {
        vec![Impulse::default(); step.free]
    }

    fn points(&mut self, _: bool) -> Vec<Points<'_>> {
        Vec::new()
    }

    fn finish(&mut self, step: &Step, limit: f32) -> Result<Vec<Kinetics>, Ailment> {
        let beyond = |ball: &&Ball| is_beyond(ball.velocity.length(), limit) || !ball.at.is_finite();
        match self.pile.balls.iter().filter(beyond).min_by_key(|ball| ball.id) {
            Some(ball) if ball.velocity.is_finite() && ball.at.is_finite() => {
                Err(self.told(ball, format!("it ran away at {:.0} m/s", ball.velocity.length())))
            }
            Some(ball) => Err(self.told(ball, "its position is no longer a number".into())),
            None => Ok(self.kinetics(step.planar)),
        }
    }

    fn end_frame(&mut self, _: &Step, _: u32) -> Result<(), Ailment> {
        self.lay_out();
        Ok(())
    }

    fn go_ahead(&mut self, step: &Step, among: &[(Vec3, Vec3)]) {
        // Before anybody numbers them.
        self.drain(step);
        self.find_wet(step, among);
        self.gone_ahead = step.dt * step.gravity;
    }

    fn colliders(&self, clings: &[Cling], first: u32) -> Vec<Collider> {
        self.wet_colliders(clings, first)
    }

    fn floaters(&self, _: bool) -> Vec<Floater> {
        self.wet_floaters()
    }

    fn advance(&mut self, pushed: &[(Floater, Predicted)], bodies: &Bodies, step: &Step) -> Vec<Impulse> {
        let lifts = self.push_wet(pushed, step);
        let objects = step.colliders.iter().take_while(|c| c.object.is_some()).count();
        let step = Step { colliders: &step.colliders[..objects], ..*step };
        let mut partners = Self::partners(bodies, &step);
        match self.pairwise() {
            Some(scheme) => pairwise::advance(&mut self.pile.balls, &scheme, &lifts, &step),
            None => self.pile.advance(&self.surfaces(), &mut partners, &lifts, &step),
        }
        self.follow_wet();
        let mut given = vec![Impulse::default(); step.free];
        for (collider, partner) in step.colliders.iter().zip(&partners) {
            if let Some((free, partner)) = collider.free.zip(partner.as_ref()) {
                given[free as usize] += partner.given;
            }
        }
        given
    }

    fn defer(&mut self, more: &[Impulse]) {
        self.defer_wet(more);
    }

    fn kinetics(&self, _: bool) -> Vec<Kinetics> {
        let mut all = vec![Kinetics::default(); self.sets.len()];
        for ball in &self.pile.balls {
            let own = &mut all[ball.set as usize];
            own.mass += ball.mass();
            own.fastest = own.fastest.max(ball.velocity.length());
            own.momentum += ball.mass() * ball.velocity.as_dvec3();
            own.energy += ball.energy();
        }
        all
    }

    fn blame(&self, member: usize, _: f32, _: &Step) -> Ailment {
        let own = self.pile.balls.iter().filter(|ball| ball.set as usize == member);
        let worst = own.max_by(|a, b| a.velocity.length().total_cmp(&b.velocity.length()));
        match worst {
            Some(ball) => self.told(ball, format!("it moves at {:.0} m/s", ball.velocity.length())),
            None => Ailment {
                system: format!("{}.{}", SystemKind::Balls, self.sets[member].description.name),
                particle: None,
                what: "it has no balls".into(),
                cause: "nothing of it moves".into(),
            },
        }
    }

    fn broken(&self) -> Option<usize> {
        self.pile.balls.iter().find(|ball| !ball.is_sound()).map(|ball| ball.set as usize)
    }

    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let boxes = self.pile.balls.iter().map(|b| (b.at - b.radius, b.at + b.radius));
        boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    fn marks(&self) -> Option<Vec<Mark>> {
        if self.sets.iter().any(|set| set.description.lifetime.is_some()) || self.pairwise().is_some() {
            return None;
        }
        let mut all: Vec<&Ball> = self.pile.balls.iter().collect();
        all.sort_unstable_by_key(|ball| ball.id);
        let is_slow = |ball: &Ball| ball.velocity.length() < SLOW * (9.81 * ball.radius).sqrt();
        let mark = |ball: &&Ball| Mark { at: ball.at.as_dvec3(), stray: (STRAY * ball.radius) as f64 };
        all.iter().all(|ball| is_slow(ball)).then(|| all.iter().map(mark).collect())
    }

    fn is_fed(&self, from: f32, to: f32) -> bool {
        let emitters = self.sets.iter().flat_map(|set| &set.description.emitter);
        let is_open = |e: &crate::scene::BallEmitter| {
            e.rate > 0.0 && e.start < to && e.stop.is_none_or(|stop| stop > from)
        };
        emitters.into_iter().any(is_open)
    }

    fn halt(&mut self) {
        self.pile.balls.iter_mut().for_each(|ball| (ball.velocity, ball.spin) = (Vec3::ZERO, Vec3::ZERO));
        self.lay_out();
    }

    fn frame(&self, planar: bool) -> Vec<Particles> {
        let of_set = |(n, set): (usize, &Set)| {
            let own = self.of_set(n);
            let radius = own.iter().map(|b| b.radius).fold(0.0, f32::max).max(set.description.radius * 1e-3);
            let alike = own.iter().all(|b| b.radius == radius);
            Particles {
                kind: SystemKind::Balls,
                name: set.description.name.clone(),
                radius: if own.is_empty() { set.description.radius } else { radius },
                radii: if alike { Vec::new() } else { own.iter().map(|b| b.radius).collect() },
                color: set.description.color,
                position: own.iter().map(|b| b.at.into()).collect(),
                velocity: own.iter().map(|b| b.velocity.into()).collect(),
                density: own.iter().map(|b| b.mass() as f32 / sources::volume(b.radius, planar)).collect(),
                orientation: own.iter().map(|b| b.turn.into()).collect(),
                colors: Vec::new(),
                id: own.iter().map(|b| b.id).collect(),
            }
        };
        self.sets.iter().enumerate().map(of_set).collect()
    }

    fn ledger(&self, gravity: Vec3, planar: bool, colliders: &[Collider]) -> Vec<SystemLedger> {
        let overlap = deepest(&self.pile.balls);
        let of_set = |(n, set): (usize, &Set)| {
            let own = self.of_set(n);
            let (mut l, mut centre, mut volume, mut leaks) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0);
            for ball in &own {
                let (x, m) = (ball.at.as_dvec3(), ball.mass());
                let turning = ball.spin.as_dvec3() / ball.per_inertia as f64;
                l += m * x.cross(ball.velocity.as_dvec3()) + turning;
                centre += m * x;
                volume += sources::volume(ball.radius, planar) as f64;
                leaks +=
                    colliders.iter().any(|c| c.at_least(ball.at) < 0.0 && c.distance(ball.at) < 0.0) as u64;
            }
            let moves = self.kinetics(planar)[n];
            SystemLedger {
                kind: SystemKind::Balls,
                name: set.description.name.clone(),
                particles: own.len() as u64,
                mass: moves.mass,
                volume,
                momentum: moves.momentum.into(),
                angular_momentum: l.into(),
                kinetic_energy: moves.energy,
                potential_energy: -gravity.as_dvec3().dot(centre),
                max_speed: moves.fastest as f64,
                leaks,
                center: (centre / moves.mass.max(f64::MIN_POSITIVE)).into(),
                overlap,
                emitted: set.emitted,
                removed: set.removed,
                ..SystemLedger::default()
            }
        };
        self.sets.iter().enumerate().map(of_set).collect()
    }

    fn describe(&self, scene: &mut Scene) {
        scene.balls = self.sets.iter().map(|set| set.description.clone()).collect();
    }

    fn wake(&mut self) {
        self.lay_out();
    }

    fn unfit(&self, scene: &Scene) -> Option<String> {
        let sets = &self.sets;
        if sets.len() != scene.balls.len() {
            return Some(format!(
                "it has {} kinds of balls for {} in its scene",
                sets.len(),
                scene.balls.len()
            ));
        }
        let whole = |set: &Set| {
            set.let_go.len() == set.description.emitter.len()
                && set.let_go.iter().all(|n| n.is_finite() && *n >= 0.0)
        };
        let ids = self.pile.balls.iter().all(|ball| ball.id < self.next_id)
            && self.wet.windows(2).all(|pair| pair[0].id < pair[1].id);
        if !sets.iter().all(whole) || !ids || !self.wet.iter().all(|wet| wet.is_sound()) {
            return Some("its balls are not those of its scene".into());
        }
        self.pile.unfit(sets.len()).map(|what| format!("balls: {what}"))
    }
}
