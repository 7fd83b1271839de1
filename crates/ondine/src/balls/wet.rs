//! Balls among the points of other systems: to those each of them is a collider that gives way, as a free object is.

use super::Balls;
use super::ball::Ball;
use crate::contact::floater::Floater;
use crate::contact::impulse::Impulse;
use crate::contact::prediction::Predicted;
use crate::objects::{Cling, Collider, Sdf, moved};
use crate::scene::{Fill, Placement, Scene, Shape};
use crate::step::Step;
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How far from a box of points a ball may be to count as among them, over its radius: points come nearer while it goes ahead.
const NEAR: f32 = 1.0;

/// What is kept of a ball among points from step to step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wet {
    /// Its id.
    pub id: u32,
    /// Mass of the liquid that leaned on it in the last step [kg].
    leaning: f64,
    /// Mass of the points near it then [kg].
    crowd: f64,
    /// What points took from it beyond what was predicted.
    deferred: Impulse,
    /// How it goes on in the step.
    #[serde(skip)]
    ahead: Option<Ahead>,
}

/// A ball that has gone ahead.
#[derive(Clone, Debug)]
struct Ahead {
    /// Where it was at the start of the step.
    before: Placement,
    /// Where it is by the end of it.
    after: Placement,
    /// Its place in the pile.
    place: usize,
    /// Its shape.
    sdf: Arc<Sdf>,
}

impl Wet {
    fn new(id: u32) -> Self {
        Self { id, leaning: 0.0, crowd: 0.0, deferred: Impulse::default(), ahead: None }
    }

    /// Whether its numbers can be right.
    pub fn is_sound(&self) -> bool {
        let mass = |m: f64| m.is_finite() && m >= 0.0;
        mass(self.leaning) && mass(self.crowd) && self.deferred.is_finite()
    }
}

fn sphere(radius: f32, planar: bool) -> Arc<Sdf> {
    Arc::new(Sdf::new(&Shape::Sphere { radius }, &Default::default(), planar))
}

fn placement(ball: &Ball) -> Placement {
    Placement { at: ball.at, rotation: ball.turn }
}

impl Balls {
    /// Finds the balls that are among points, within some boxes, and lets them go ahead.
    pub(super) fn find_wet(&mut self, step: &Step, among: &[(Vec3, Vec3)]) {
        let before = std::mem::take(&mut self.wet);
        let is_near = |ball: &Ball| {
            let reach = (1.0 + NEAR) * ball.radius + step.dt * ball.velocity.length();
            let within = |(low, high): &(Vec3, Vec3)| ball.at.distance(ball.at.clamp(*low, *high)) < reach;
            among.iter().any(within)
        };
        let balls = self.pile.balls.iter().enumerate().filter(|(_, ball)| is_near(ball));
        let mut near: Vec<(u32, usize)> = balls.map(|(place, ball)| (ball.id, place)).collect();
        near.sort_unstable();
        let mut old = before.into_iter().peekable();
        for (id, place) in near {
            // What is no longer among points gets all that it is due.
            while let Some(dry) = old.next_if(|wet| wet.id < id) {
                self.pay(&dry.deferred, dry.id);
            }
            let mut wet = old.next_if(|wet| wet.id == id).unwrap_or_else(|| Wet::new(id));
            let ball = &mut self.pile.balls[place];
            let paid = wet.deferred.scaled(ball.mass() / (ball.mass() + wet.crowd));
            wet.deferred = wet.deferred - paid;
            give(ball, paid, step.planar);
            let before = placement(ball);
            let after = moved(&before, ball.velocity + step.dt * step.gravity, ball.spin, step.dt);
            let sdf = wet.ahead.map_or_else(|| sphere(ball.radius, step.planar), |ahead| ahead.sdf);
            wet.ahead = Some(Ahead { before, after, place, sdf });
            self.wet.push(wet);
        }
        old.for_each(|dry| self.pay(&dry.deferred, dry.id));
    }

    /// Those in fills of liquids as colliders, before anything moves: the fills leave room for them.
    pub fn in_fills<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = Collider> + 'a {
        let planar = scene.planar();
        let fills = scene.liquid.iter().flat_map(|liquid| &liquid.fill);
        let room = |fill: &Fill| Sdf::new(&fill.shape, &scene.meshes, planar).room().bounds();
        let boxes: Vec<_> =
            fills.filter_map(|f| room(f).map(|(low, high)| f.placement().box_around(low, high))).collect();
        let meets = move |ball: &&Ball| {
            boxes.iter().any(|(low, high)| ball.at.distance(ball.at.clamp(*low, *high)) < 2.0 * ball.radius)
        };
        let collider = move |ball: &Ball| Collider::new(sphere(ball.radius, planar), placement(ball));
        self.pile.balls.iter().filter(meets).map(collider)
    }

    /// Gives a ball what it is due, if it is still there.
    fn pay(&mut self, deferred: &Impulse, id: u32) {
        if *deferred != Impulse::default()
            && let Some(ball) = self.pile.balls.iter_mut().find(|ball| ball.id == id)
        {
            give(ball, *deferred, false);
        }
    }

    /// The balls among points, as colliders.
    pub(super) fn wet_colliders(&self, clings: &[Cling], first: u32) -> Vec<Collider> {
        let collider = |(n, ahead): (usize, &Ahead)| {
            let ball = &self.pile.balls[ahead.place];
            let given = &self.sets[ball.set as usize].description;
            Collider {
                before: ahead.before,
                friction: given.drag,
                grip: given.friction,
                wetting: clings.iter().map(Cling::cosine).collect(),
                free: Some(first + n as u32),
                falls: true,
                mass: ball.mass(),
                centre: ahead.after.at,
                ..Collider::new(ahead.sdf.clone(), ahead.after)
            }
        };
        self.ahead().enumerate().map(collider).collect()
    }

    /// Those that have gone ahead.
    fn ahead(&self) -> impl Iterator<Item = &Ahead> {
        self.wet.iter().filter_map(|wet| wet.ahead.as_ref())
    }

    /// The same as points push them.
    pub(super) fn wet_floaters(&self) -> Vec<Floater> {
        let floater = |wet: &Wet| {
            let ball = &self.pile.balls[wet.ahead.as_ref()?.place];
            Some(Floater {
                mass: ball.mass(),
                tensor: DMat3::from_diagonal(DVec3::splat(1.0 / ball.per_inertia as f64)),
                velocity: (ball.velocity + self.gone_ahead).as_dvec3(),
                spin: ball.spin.as_dvec3(),
                leaning: wet.leaning,
                crowd: wet.crowd,
            })
        };
        self.wet.iter().filter_map(floater).collect()
    }

    /// Gives balls what points give them. Returns the accelerations of those that act throughout the step, by place [m/s²].
    pub(super) fn push_wet(&mut self, pushed: &[(Floater, Predicted)], step: &Step) -> Vec<(usize, Vec3)> {
        let mut lifts = Vec::with_capacity(pushed.len());
        for (wet, (floater, Predicted { contact, walls })) in self.wet.iter_mut().zip(pushed) {
            (wet.leaning, wet.crowd) = (floater.leaning, floater.crowd);
            let Some(place) = wet.ahead.as_ref().map(|ahead| ahead.place) else { continue };
            let ball = &mut self.pile.balls[place];
            give(ball, *contact, step.planar);
            give(ball, Impulse { linear: DVec3::ZERO, ..*walls }, step.planar);
            let lift = (walls.linear / (ball.mass() * step.dt as f64)).as_vec3();
            lifts.push((place, if step.planar { lift.with_z(0.0) } else { lift }));
        }
        lifts
    }

    /// Finds them again after they have moved.
    pub(super) fn follow_wet(&mut self) {
        let mut places: Vec<(u32, usize)> = Vec::with_capacity(self.wet.len());
        for (place, ball) in self.pile.balls.iter().enumerate() {
            if self.wet.binary_search_by_key(&ball.id, |wet| wet.id).is_ok() {
                places.push((ball.id, place));
            }
        }
        places.sort_unstable();
        for (wet, (_, place)) in self.wet.iter_mut().zip(places) {
            let after = placement(&self.pile.balls[place]);
            wet.ahead.iter_mut().for_each(|ahead| (ahead.place, ahead.after) = (place, after));
        }
    }

    /// Keeps for later what points took beyond what was predicted.
    pub(super) fn defer_wet(&mut self, more: &[Impulse]) {
        self.wet.iter_mut().zip(more).for_each(|(wet, more)| wet.deferred += *more);
    }
}

/// Changes a ball's velocity and spin.
fn give(ball: &mut Ball, impulse: Impulse, planar: bool) {
    ball.velocity += (impulse.linear / ball.mass()).as_vec3();
    ball.spin += ball.per_inertia * impulse.angular.as_vec3();
    if planar {
        (ball.velocity.z, ball.spin) = (0.0, Vec3::Z * ball.spin.z);
    }
}
