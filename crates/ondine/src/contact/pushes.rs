//! What particles do to free objects.
//!
//! Source: thesis 000 §6.2, Algorithm 7 lines 1 to 9: objects are moved ahead, all particles that touch them announce
//! their impulses, nothing else moves, and the sum changes the objects' velocities. So no particle is dealt with before
//! the others, and their order does not matter.
//!
//! Where it differs: the thesis gives an object the impulses that particles would need if it did not give way. Many
//! particles then throw a light object about. Here the object's velocity U is the one with which the impulses of all
//! particles, each computed against U itself, are consistent:
//!
//! (M + Σ m JᵀPJ) U = M U₀ + Σ m JᵀP v,   P = (1+e) n nᵀ + μ (1 − n nᵀ)
//!
//! where J takes U to the velocity of the point that a particle touches. That is one system of six equations an object;
//! which particles touch depends on U, so it is solved a few times over. Any ratio of masses is stable.
//! What particles afterwards take beyond what they announced (objects also meet each other, and particles are put
//! out) is owed to the object and paid later: what the liquid loses, the objects gain.

use super::broad::{GROUP, Group};
use super::objects::{self, RUB};
use super::points::Points;
use super::sweep::Touch;
use crate::objects::{Bodies, Body, Solid};
use crate::parallel;
use crate::step::Step;
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Sub};

/// An impulse [kg·m/s] and an angular impulse about a centre of mass [kg·m²/s].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// Impulse [kg·m/s].
    pub impulse: DVec3,
    /// Angular impulse [kg·m²/s].
    pub torque: DVec3,
}

impl Push {
    /// The push of an impulse that acts at `arm` from the centre.
    pub fn at(impulse: DVec3, arm: DVec3) -> Self {
        Self { impulse, torque: arm.cross(impulse) }
    }

    /// Whether it is a number.
    pub fn is_finite(&self) -> bool {
        self.impulse.is_finite() && self.torque.is_finite()
    }

    /// So many times as much.
    pub fn scaled(self, s: f64) -> Self {
        Self { impulse: s * self.impulse, torque: s * self.torque }
    }
}

impl Add for Push {
    type Output = Push;
    fn add(self, o: Push) -> Push {
        Push { impulse: self.impulse + o.impulse, torque: self.torque + o.torque }
    }
}

impl AddAssign for Push {
    fn add_assign(&mut self, o: Push) {
        *self = *self + o;
    }
}

impl Sub for Push {
    type Output = Push;
    fn sub(self, o: Push) -> Push {
        self + o.scaled(-1.0)
    }
}

/// What a free object gets as a wall in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsWall {
    /// The opposite of what it gives the liquid.
    pub push: Push,
    /// Mass of the liquid that leans on it [kg].
    pub crowd: f64,
    /// Momentum of that liquid [kg·m/s].
    pub momentum: DVec3,
    /// Which way it is pressed on another solid and cannot give way, or 0.
    pub held: DVec3,
}

impl AddAssign for AsWall {
    fn add_assign(&mut self, o: AsWall) {
        self.push += o.push;
        self.crowd += o.crowd;
        self.momentum += o.momentum;
        self.held += o.held;
    }
}

impl AsWall {
    /// What an object takes of it, when gravity gives it an impulse of `weight` besides; and by how much the velocity of the liquid that
    /// leans on it changes for the rest [m/s]. Liquid that outweighs an object would throw it farther in a step than it was pushed, and
    /// it would bounce: the two move together instead, with the inertia of both.
    pub fn shared(self, laden: &Laden, weight: DVec3) -> (Push, DVec3) {
        let mass = laden.mass;
        if self.crowd <= mass {
            return (self.push, DVec3::ZERO);
        }
        let share = mass / self.crowd;
        if self.held != DVec3::ZERO {
            // What leans on it cannot take it along: what it lies on answers that. All else would throw it about.
            let down = self.held.normalize();
            let pressed = (1.0 - share) * self.push.impulse.dot(down) * down;
            let Push { impulse, torque } = self.push.scaled(share);
            return (Push { impulse: impulse + pressed, torque }, DVec3::ZERO);
        }
        let weight = Push { impulse: weight, torque: DVec3::ZERO };
        let left = (1.0 - share) * (self.push + weight).impulse;
        let joined = self.joined(laden);
        let push = self.push.scaled(share) - weight.scaled(1.0 - share);
        (push + Push { impulse: joined, torque: DVec3::ZERO }, (left - joined) / self.crowd)
    }

    /// The impulse on an object by liquid that has come to lean on it since the last step and from now on shares its velocity: as when
    /// two things stick together, so that no energy comes of the inertia that is lent.
    fn joined(self, laden: &Laden) -> DVec3 {
        let fresh = (self.crowd - laden.crowd.max(laden.mass)).max(0.0) / self.crowd;
        laden.mass * fresh * (self.momentum / self.crowd - laden.velocity)
    }
}

/// A free object in a liquid.
#[derive(Clone, Copy, Debug)]
pub struct Laden {
    /// Its mass [kg].
    pub mass: f64,
    /// Its velocity [m/s].
    pub velocity: DVec3,
    /// Mass of the liquid that leaned on it in the last step [kg].
    pub crowd: f64,
}

/// A particle near a free object.
#[derive(Clone, Copy, Debug)]
struct Contact {
    normal: DVec3,
    arm: DVec3,
    velocity: DVec3,
    mass: f64,
    /// Distance from touching when the object is where it went ahead to [m]; negative inside.
    gap: f64,
    /// Velocity at which it may come nearer [m/s]: what was not touching yet touches at the end of the step.
    closing: f64,
    /// Distance from touching within which it rubs [m].
    rub: f64,
    /// Share of the sliding velocity that rubbing takes in this step.
    friction: f64,
    restitution: f64,
    /// Velocity that adhesion gives the particle towards the object [m/s].
    pull: f64,
}

/// What the particles announce.
#[derive(Clone, Copy, Debug, Default)]
pub struct Announced {
    /// By contact: friction, adhesion and the stopping of what comes in.
    pub contact: Push,
    /// As a wall: pressure and drag, which act throughout the step.
    pub walls: Push,
}

/// Lines 5 to 9 for one free object that has gone ahead. `walls` is what it got as a wall during relaxation.
pub fn announce(
    body: &mut Body,
    solid: &Solid,
    points: &[Points],
    groups: &[Vec<Group>],
    walls: Push,
    step: &Step,
) -> Announced {
    let (planar, dt) = (step.planar, step.dt);
    let all = points.iter().zip(groups).enumerate();
    let contacts: Vec<Contact> =
        all.flat_map(|(n, (points, groups))| near(solid, n, points, groups, dt)).collect();
    let Some(inertia) = body.inertia else { return Announced::default() };
    body.crowd = contacts.iter().map(|c| c.mass).sum();
    let system = System { mass: inertia.volume, tensor: body.world_tensor(), planar };
    let ahead = Motion { velocity: body.velocity.as_dvec3(), spin: body.spin.as_dvec3() };
    let contact = system.solve(ahead, walls, &contacts, dt as f64);
    Announced { contact, walls }
}

/// Those of points number `number` that are near a solid, in order.
fn near(solid: &Solid, number: usize, points: &Points, groups: &[Group], dt: f32) -> Vec<Contact> {
    let (friction, pull) = (objects::friction(solid.friction, dt) as f64, solid.pull_on(number));
    let reach = objects::reach(solid, pull, points.radius.most() as f32);
    let contact = |i: usize| {
        let (start, end) = (points.previous.get(i), points.position.get(i));
        let (radius, mass) = (points.radius.of(i) as f32, points.mass.of(i));
        let touch = Touch::of(solid, reach.felt, start, end, radius)?;
        let gap = touch.near.distance - radius;
        Some(Contact {
            normal: solid.placement.to_world_direction(touch.near.normal).as_dvec3(),
            arm: (end - solid.centre).as_dvec3(),
            velocity: ((end - start) / dt).as_dvec3(),
            mass,
            gap: if touch.hit { f64::NEG_INFINITY } else { gap as f64 },
            closing: if solid.restitution > 0.0 {
                0.0
            } else {
                (touch.gap_before(radius).max(0.0) / dt) as f64
            },
            rub: (RUB * radius) as f64,
            friction,
            restitution: solid.restitution as f64,
            pull: (dt * touch.pull(pull, radius)) as f64,
        })
    };
    let near: Vec<usize> = (0..groups.len()).filter(|&g| reach.may_touch(&groups[g])).collect();
    let of_group = |&g: &usize| Group::places(g, points.len()).filter_map(contact).collect::<Vec<_>>();
    parallel::map(&near, near.len() * GROUP, of_group).into_iter().flatten().collect()
}

#[derive(Clone, Copy, Debug)]
struct Motion {
    velocity: DVec3,
    spin: DVec3,
}

impl Motion {
    fn at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }
}

/// One object's six equations.
struct System {
    mass: f64,
    tensor: DMat3,
    planar: bool,
}

/// Rounds of finding which particles touch.
const ROUNDS: usize = 8;

impl System {
    /// The push of all contacts together on an object that goes `ahead`, and is given more besides.
    fn solve(&self, ahead: Motion, given: Push, contacts: &[Contact], dt: f64) -> Push {
        let adhesion =
            contacts.iter().fold(Push::default(), |sum, c| sum + Push::at(c.mass * c.pull * c.normal, c.arm));
        let base = self.pushed(ahead, given + adhesion);
        let mut motion = base;
        let mut before = Vec::new();
        for _ in 0..ROUNDS {
            let touching: Vec<(bool, bool)> = contacts.iter().map(|c| c.touches(ahead, motion, dt)).collect();
            if touching == before {
                break;
            }
            motion = self.consistent(base, contacts, &touching);
            before = touching;
        }
        let (dv, dw) = (motion.velocity - base.velocity, motion.spin - base.spin);
        adhesion + Push { impulse: self.mass * dv, torque: self.tensor * dw }
    }

    fn pushed(&self, motion: Motion, push: Push) -> Motion {
        let spin = motion.spin + self.turned(push.torque);
        Motion { velocity: motion.velocity + self.kept(push.impulse) / self.mass, spin }
    }

    /// In the plane nothing moves across it, and nothing turns but about z.
    fn kept(&self, v: DVec3) -> DVec3 {
        if self.planar { v.with_z(0.0) } else { v }
    }

    fn turned(&self, torque: DVec3) -> DVec3 {
        match self.planar {
            true => DVec3::Z * (torque.z / self.tensor.z_axis.z),
            false => self.tensor.inverse() * torque,
        }
    }

    /// The motion with which the impulses of all touching particles are consistent.
    fn consistent(&self, base: Motion, contacts: &[Contact], touching: &[(bool, bool)]) -> Motion {
        let mut a = [[0.0; 7]; 6];
        for (c, &(stops, rubs)) in contacts.iter().zip(touching) {
            c.add_to(&mut a, base, stops, rubs);
        }
        for r in 0..3 {
            a[r][r] += self.mass;
            for c in 0..3 {
                a[3 + r][3 + c] += self.tensor.col(c)[r];
            }
        }
        if self.planar {
            for fixed in [2, 3, 4] {
                a.iter_mut().for_each(|row| row[fixed] = 0.0);
                a[fixed] = [0.0; 7];
                a[fixed][fixed] = 1.0;
            }
        }
        let change = eliminate(a);
        Motion {
            velocity: base.velocity + DVec3::new(change[0], change[1], change[2]),
            spin: base.spin + DVec3::new(change[3], change[4], change[5]),
        }
    }
}

impl Contact {
    /// Whether it is stopped and whether it rubs, if the object moves so.
    fn touches(&self, ahead: Motion, motion: Motion, dt: f64) -> (bool, bool) {
        let point = motion.at(self.arm);
        let gap = self.gap - dt * (point - ahead.at(self.arm)).dot(self.normal);
        let approach = (self.velocity - point).dot(self.normal);
        (gap < 0.0 && approach < -self.closing, gap < self.rub && self.friction > 0.0)
    }

    /// Adds m JᵀPJ to the matrix and m JᵀP (v − U) to the right side.
    fn add_to(&self, a: &mut [[f64; 7]; 6], base: Motion, stops: bool, rubs: bool) {
        if !stops && !rubs {
            return;
        }
        let along = if stops { 1.0 + self.restitution } else { 0.0 };
        let across = if rubs { self.friction } else { 0.0 };
        let n = self.normal;
        let p = |v: DVec3| along * v.dot(n) * n + across * (v - v.dot(n) * n);
        let six = |v: DVec3| {
            let t = self.arm.cross(v);
            [v.x, v.y, v.z, t.x, t.y, t.z]
        };
        // Column c of PJ: what P leaves of the velocity that a unit of U's component c gives the point.
        for c in 0..6 {
            let unit = DVec3::AXES[c % 3];
            let velocity = if c < 3 { unit } else { unit.cross(self.arm) };
            let column = six(p(velocity));
            for (row, x) in a.iter_mut().zip(column) {
                row[c] += self.mass * x;
            }
        }
        let right = six(p(self.velocity - base.at(self.arm) + self.closing * n));
        for (row, x) in a.iter_mut().zip(right) {
            row[6] += self.mass * x;
        }
    }
}

/// Solves six equations by elimination with pivots; a row without a pivot leaves its unknown at 0.
fn eliminate(mut a: [[f64; 7]; 6]) -> [f64; 6] {
    for c in 0..6 {
        let pivot = (c..6).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).unwrap_or(c);
        a.swap(c, pivot);
        if a[c][c] == 0.0 {
            continue;
        }
        let (above, below) = a.split_at_mut(c + 1);
        let row = &above[c];
        for lower in below {
            let factor = lower[c] / row[c];
            lower.iter_mut().zip(row).skip(c).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut x = [0.0; 6];
    for r in (0..6).rev() {
        let known: f64 = (r + 1..6).map(|c| a[r][c] * x[c]).sum();
        x[r] = if a[r][r] != 0.0 { (a[r][6] - known) / a[r][r] } else { 0.0 };
    }
    x
}

/// What each free object takes of what it gets as a wall, and by how much the velocity of the liquid on it changes for the rest.
pub fn share(walls: &[AsWall], bodies: &mut Bodies, step: &Step) -> (Vec<Push>, Vec<DVec3>) {
    let shared = |(wall, body): (&AsWall, &mut Body)| {
        let Some(laden) = body.laden(wall.crowd) else { return (wall.push, DVec3::ZERO) };
        wall.shared(&laden, laden.mass * step.dt as f64 * step.gravity.as_dvec3())
    };
    walls.iter().zip(bodies.free_mut()).map(shared).unzip()
}

/// Sums what free objects are given part by part, in order.
pub fn sum<T: Copy + Default + AddAssign>(parts: impl IntoIterator<Item = Vec<T>>, free: usize) -> Vec<T> {
    let mut total = vec![T::default(); free];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, push)| *total += push);
    }
    total
}

/// The push on an object that gives a particle of mass `m` the displacement `d` in a step.
pub fn reaction(m: f64, d: Vec3, dt: f32, arm: Vec3) -> Push {
    Push::at(-m * d.as_dvec3() / dt as f64, arm.as_dvec3())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::points::Each;
    use crate::particles::Particles;
    use crate::scene::{Motion, Object, Scene, Shape};

    /// CL-28: all particles announce their impulses before anything moves, so that their order does not matter.
    #[test]
    fn the_order_of_particles_does_not_matter() {
        let ball = Object {
            motion: Motion::Free,
            friction: 0.3,
            restitution: 0.2,
            velocity: [0.5, -1.0, 0.0],
            ..Object::new("ball", Shape::Sphere { radius: 0.5 }, [0.0; 3])
        };
        let scene = Scene { object: vec![ball], ..Scene::default() };
        let dt = 1.0 / 120.0;
        // All around the ball, some outside and some inside its reach, on their way in or out.
        let step = |n: u32| {
            let (angle, height) = (2.4 * n as f32, 1.0 - 2.0 * (n as f32 + 0.5) / 200.0);
            let across = (1.0 - height * height).sqrt();
            let out = Vec3::new(across * angle.cos(), height, across * angle.sin());
            let start = (0.54 + 0.02 * (n % 5) as f32) * out;
            (start, start + dt * Vec3::new(1.0, 2.0 - 0.01 * n as f32, (n % 7) as f32 - 3.0))
        };
        let announced = |order: &dyn Fn(u32) -> u32| {
            let steps: Vec<_> = (0..200).map(|n| step(order(n))).collect();
            let mut particles = Particles::of(steps.iter().map(|s| (s.0, Vec3::ZERO)));
            steps.iter().enumerate().for_each(|(i, s)| particles.position.set(i, s.1));
            let mut bodies = Bodies::new(&scene);
            bodies.go_ahead(&Step { gravity: scene.gravity.into(), scene: &scene, ..Step::alone(dt, false) });
            let solids = bodies.solids(&[]);
            let Particles { position, previous, .. } = &mut particles;
            let groups = Group::all(position, previous);
            let (radius, mass, reach) = (Each::One(0.05), Each::One(1.0), Each::One(0.0));
            let points = Points { position, previous, radius, mass, family: 0, reach };
            let step = Step::alone(dt, false);
            let body = bodies.free_mut().next().expect("a free body");
            announce(body, &solids[0], &[points], &[groups], Push::default(), &step).contact
        };
        let forth = announced(&|n| n);
        assert!(forth.impulse.length() > 1.0 && forth.torque.length() > 0.1, "{forth:?}");
        for other in [announced(&|n| 199 - n), announced(&|n| (n * 77) % 200)] {
            assert!(
                (forth.impulse - other.impulse).length() < 1e-9 * forth.impulse.length(),
                "{forth:?} {other:?}"
            );
            assert!(
                (forth.torque - other.torque).length() < 1e-9 * forth.torque.length(),
                "{forth:?} {other:?}"
            );
        }
    }
}
