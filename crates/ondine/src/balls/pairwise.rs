//! The source's own scheme: whatever overlaps is dealt with pair by pair, in order.
//!
//! Source: 004 "Animation rigide de sphères": semi-implicit Euler, v' = α v∥ − β v⊥ at planes, J = j u with
//! j = 2 m₁m₂/(m₁+m₂) (v₂−v₁)·u between two balls (its signs as ruled: v₁' = v₁ + J/m₁, v₂' = v₂ − J/m₂),
//! v' = α v ± β J/m above a relative speed of ε and v' = γ v below, positions corrected by ± d/2 u, several passes.
//!
//! `swept` is its "CCD": what meets in the step does so at its own instant and goes on from there with its new velocity. Between two
//! balls that instant is the root of a quadratic; at objects it is found by walking along the path.
//!
//! One thread, in order of ids: in this scheme the order is part of the result.

use super::ball::Ball;
use crate::contact::sweep::Touch;
use crate::objects::Collider;
use crate::scene::Pairwise;
use crate::step::Step;
use glam::Vec3;

/// Advances all balls by a step. `lifts` are accelerations of some besides gravity, by place [m/s²].
pub fn advance(balls: &mut [Ball], scheme: &Pairwise, lifts: &[(usize, Vec3)], step: &Step) {
    for &(place, lift) in lifts {
        balls[place].velocity += step.dt * lift;
    }
    balls.sort_unstable_by_key(|ball| ball.id);
    let start: Vec<Vec3> = balls.iter().map(|ball| ball.at).collect();
    for ball in balls.iter_mut() {
        ball.velocity += step.dt * step.gravity;
        ball.at += step.dt * ball.velocity;
        ball.turn_on(step.dt);
    }
    let meeting = Meeting { scheme, start, dt: step.dt };
    for pass in 0..scheme.passes {
        let pairs = meeting.pairs(balls);
        // Only the first pass looks back: after that all are where the step leaves them.
        let swept = scheme.swept && pass == 0;
        pairs.into_iter().for_each(|(i, j)| meeting.pair(balls, i, j, swept));
        for i in 0..balls.len() {
            step.colliders.iter().for_each(|collider| meeting.wall(balls, i, collider, swept));
        }
    }
}

struct Meeting<'a> {
    scheme: &'a Pairwise,
    /// Where balls were at the start of the step [m].
    start: Vec<Vec3>,
    dt: f32,
}

impl Meeting<'_> {
    /// The pairs whose ways may cross, by sorting them along x.
    fn pairs(&self, balls: &[Ball]) -> Vec<(usize, usize)> {
        let ends = |i: usize| {
            let (a, b, r) = (self.start[i].x, balls[i].at.x, balls[i].radius);
            (a.min(b) - r, a.max(b) + r)
        };
        let mut order: Vec<usize> = (0..balls.len()).collect();
        order.sort_by(|&i, &j| ends(i).0.total_cmp(&ends(j).0));
        let mut pairs = Vec::new();
        for (k, &i) in order.iter().enumerate() {
            let last = ends(i).1;
            let near = order[k + 1..].iter().take_while(|&&j| ends(j).0 <= last);
            pairs.extend(near.map(|&j| (i.min(j), i.max(j))));
        }
        pairs.sort_unstable();
        pairs
    }

    /// Two balls, if they touch.
    fn pair(&self, balls: &mut [Ball], i: usize, j: usize, swept: bool) {
        let [mut a, mut b] = [balls[i], balls[j]];
        if swept && let Some(time) = self.meets(&a, &b, i, j) {
            let left = self.dt - time;
            (a.at, b.at) = (a.at - left * a.velocity, b.at - left * b.velocity);
            self.exchange(&mut a, &mut b);
            (a.at, b.at) = (a.at + left * a.velocity, b.at + left * b.velocity);
        } else if a.at.distance(b.at) < a.radius + b.radius {
            self.exchange(&mut a, &mut b);
            let apart = a.at - b.at;
            let d = a.radius + b.radius - apart.length();
            let u = apart.try_normalize().unwrap_or(Vec3::Y);
            (a.at, b.at) = (a.at + 0.5 * d * u, b.at - 0.5 * d * u);
        }
        (balls[i], balls[j]) = (a, b);
    }

    /// When two balls that were apart at the start of the step first touch in it [s], if they do.
    fn meets(&self, a: &Ball, b: &Ball, i: usize, j: usize) -> Option<f32> {
        let (apart, radii) = (self.start[i] - self.start[j], a.radius + b.radius);
        let v = (a.at - self.start[i] - b.at + self.start[j]) / self.dt;
        let (square, along, c) = (v.length_squared(), apart.dot(v), apart.length_squared() - radii * radii);
        let root = along * along - square * c;
        if c <= 0.0 || along >= 0.0 || root < 0.0 {
            return None;
        }
        let time = (-along - root.sqrt()) / square;
        (time <= self.dt).then_some(time)
    }

    /// The change of two velocities.
    fn exchange(&self, a: &mut Ball, b: &mut Ball) {
        let Pairwise { friction, impact, resting, threshold, .. } = *self.scheme;
        let u = (a.at - b.at).try_normalize().unwrap_or(Vec3::Y);
        let approach = (b.velocity - a.velocity).dot(u);
        if approach > threshold {
            let j = 2.0 / (a.per_mass + b.per_mass) * approach;
            a.velocity = friction * a.velocity + impact * j * a.per_mass * u;
            b.velocity = friction * b.velocity - impact * j * b.per_mass * u;
        } else if approach > 0.0 {
            (a.velocity, b.velocity) = (resting * a.velocity, resting * b.velocity);
        }
    }

    /// A ball and an object, if they touch.
    fn wall(&self, balls: &mut [Ball], i: usize, collider: &Collider, swept: bool) {
        let ball = &mut balls[i];
        let passes = |ball: &Ball| Touch::of(collider, ball.radius, self.start[i], ball.at, ball.radius);
        if swept && let Some(touch) = passes(ball).filter(|touch| touch.hit) {
            let normal = collider.placement.to_world_direction(touch.near.normal);
            let met = collider.placement.to_world(touch.point);
            let way = ball.velocity.length().max(f32::MIN_POSITIVE);
            let left = (ball.at.distance(met) / way).min(self.dt);
            ball.at = met;
            self.bounce(ball, normal, collider, met);
            ball.at += left * ball.velocity;
        }
        collider.walls(ball.at, ball.radius, |wall| {
            let (normal, d) = (wall.near.normal, ball.radius - wall.near.distance);
            if d > 0.0 {
                let at = ball.at;
                self.bounce(ball, normal, collider, at);
                ball.at += d * normal;
            }
        });
    }

    /// v' = α v∥ − β v⊥, against a surface that may move.
    fn bounce(&self, ball: &mut Ball, normal: Vec3, collider: &Collider, at: Vec3) {
        let Pairwise { friction, impact, resting, threshold, .. } = *self.scheme;
        let own = collider.velocity_at(at, Vec3::ZERO, self.dt);
        let v = ball.velocity - own;
        let along = v.dot(normal);
        if along < -threshold {
            ball.velocity = own + friction * (v - along * normal) - impact * along * normal;
        } else if along < 0.0 {
            ball.velocity = own + resting * (v - along * normal);
        }
    }
}
