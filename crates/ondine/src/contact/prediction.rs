//! What particles do to free objects.
//!
//! Source: thesis 000 §6.2, Algorithm 7 lines 1 to 9: objects are moved ahead, all particles that touch them tell
//! their impulses in advance, nothing else moves, and the sum changes the objects' velocities. So no particle is dealt with before
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
//! What particles afterwards take beyond what was predicted (objects also meet each other, and particles are put
//! out) is deferred: the object gets it later: what the liquid loses, the objects gain.

use super::broad::{GROUP, Group};
use super::floater::Floater;
use super::impulse::Impulse;
use super::objects::{self, RUB};
use super::points::Points;
use super::sweep::Touch;
use crate::objects::Collider;
use crate::parallel;
use crate::step::Step;
use glam::{DMat3, DVec3};

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
pub struct Predicted {
    /// By contact: friction, adhesion and the stopping of what comes in.
    pub contact: Impulse,
    /// As a wall: pressure and drag, which act throughout the step.
    pub walls: Impulse,
}

/// Lines 5 to 9 for one free thing that has gone ahead. `walls` is what it got as a wall during relaxation.
pub fn predict(
    floater: &mut Floater,
    collider: &Collider,
    points: &[Points],
    groups: &[Vec<Group>],
    walls: Impulse,
    step: &Step,
) -> Predicted {
    let (planar, dt) = (step.planar, step.dt);
    let all = points.iter().zip(groups).enumerate();
    let contacts: Vec<Contact> =
        all.flat_map(|(n, (points, groups))| near(collider, n, points, groups, dt)).collect();
    floater.crowd = contacts.iter().map(|c| c.mass).sum();
    let Floater { mass, tensor, velocity, spin, .. } = *floater;
    let equations = SixEquations { mass, tensor, planar };
    let ahead = Twist { velocity, spin };
    let contact = equations.solve(ahead, walls, &contacts, dt as f64);
    Predicted { contact, walls }
}

/// Those of points number `number` that are near a collider, in order.
fn near(collider: &Collider, number: usize, points: &Points, groups: &[Group], dt: f32) -> Vec<Contact> {
    let (friction, pull) = (objects::friction(collider.friction, dt) as f64, collider.pull_on(number));
    let reach = objects::reach(collider, pull, points.radius);
    let contact = |i: usize| {
        let (start, end) = (points.previous.get(i), points.position.get(i));
        let (radius, mass) = (points.radius, points.mass);
        let touch = Touch::of(collider, reach.felt, start, end, radius)?;
        let gap = touch.near.distance - radius;
        Some(Contact {
            normal: collider.placement.to_world_direction(touch.near.normal).as_dvec3(),
            arm: (end - collider.centre).as_dvec3(),
            velocity: ((end - start) / dt).as_dvec3(),
            mass,
            gap: if touch.hit { f64::NEG_INFINITY } else { gap as f64 },
            closing: if collider.restitution > 0.0 {
                0.0
            } else {
                (touch.gap_before(radius).max(0.0) / dt) as f64
            },
            rub: (RUB * radius) as f64,
            friction,
            restitution: collider.restitution as f64,
            pull: (dt * touch.pull(pull, radius)) as f64,
        })
    };
    let near: Vec<usize> = (0..groups.len()).filter(|&g| reach.may_touch(&groups[g])).collect();
    let of_group = |&g: &usize| Group::places(g, points.len()).filter_map(contact).collect::<Vec<_>>();
    parallel::map(&near, near.len() * GROUP, of_group).into_iter().flatten().collect()
}

#[derive(Clone, Copy, Debug)]
struct Twist {
    velocity: DVec3,
    spin: DVec3,
}

impl Twist {
    fn at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }
}

/// One object's six equations.
struct SixEquations {
    mass: f64,
    tensor: DMat3,
    planar: bool,
}

/// Rounds of finding which particles touch.
const ROUNDS: usize = 8;

impl SixEquations {
    /// The push of all contacts together on an object that goes `ahead`, and is given more besides.
    fn solve(&self, ahead: Twist, given: Impulse, contacts: &[Contact], dt: f64) -> Impulse {
        let adhesion = contacts
            .iter()
            .fold(Impulse::default(), |sum, c| sum + Impulse::at(c.mass * c.pull * c.normal, c.arm));
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
        adhesion + Impulse { linear: self.mass * dv, angular: self.tensor * dw }
    }

    fn pushed(&self, motion: Twist, push: Impulse) -> Twist {
        let spin = motion.spin + self.turned(push.angular);
        Twist { velocity: motion.velocity + self.kept(push.linear) / self.mass, spin }
    }

    /// In the plane nothing moves across it, and nothing turns but about z.
    fn kept(&self, v: DVec3) -> DVec3 {
        if self.planar { v.with_z(0.0) } else { v }
    }

    fn turned(&self, angular: DVec3) -> DVec3 {
        match self.planar {
            true => DVec3::Z * (angular.z / self.tensor.z_axis.z),
            false => self.tensor.inverse() * angular,
        }
    }

    /// The motion with which the impulses of all touching particles are consistent.
    fn consistent(&self, base: Twist, contacts: &[Contact], touching: &[(bool, bool)]) -> Twist {
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
        Twist {
            velocity: base.velocity + DVec3::new(change[0], change[1], change[2]),
            spin: base.spin + DVec3::new(change[3], change[4], change[5]),
        }
    }
}

impl Contact {
    /// Whether it is stopped and whether it rubs, if the object moves so.
    fn touches(&self, ahead: Twist, motion: Twist, dt: f64) -> (bool, bool) {
        let point = motion.at(self.arm);
        let gap = self.gap - dt * (point - ahead.at(self.arm)).dot(self.normal);
        let approach = (self.velocity - point).dot(self.normal);
        (gap < 0.0 && approach < -self.closing, gap < self.rub && self.friction > 0.0)
    }

    /// Adds m JᵀPJ to the matrix and m JᵀP (v − U) to the right side.
    fn add_to(&self, a: &mut [[f64; 7]; 6], base: Twist, stops: bool, rubs: bool) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Bodies;
    use crate::particles::ParticleArrays;
    use crate::scene::{Motion, Object, Scene, Shape};
    use glam::Vec3;

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
        let predicted = |order: &dyn Fn(u32) -> u32| {
            let steps: Vec<_> = (0..200).map(|n| step(order(n))).collect();
            let mut particles = ParticleArrays::of(steps.iter().map(|s| (s.0, Vec3::ZERO)));
            steps.iter().enumerate().for_each(|(i, s)| particles.position.set(i, s.1));
            let mut bodies = Bodies::new(&scene);
            bodies.go_ahead(&Step { gravity: scene.gravity.into(), scene: &scene, ..Step::alone(dt, false) });
            let colliders = bodies.colliders(&[]);
            let ParticleArrays { position, previous, .. } = &mut particles;
            let groups = Group::all(position, previous);
            let (radius, mass, reach) = (0.05, 1.0, 0.0);
            let points = Points { position, previous, radius, mass, family: 0, reach };
            let step = Step::alone(dt, false);
            let mut floaters = bodies.floaters();
            predict(&mut floaters[0], &colliders[0], &[points], &[groups], Impulse::default(), &step).contact
        };
        let forth = predicted(&|n| n);
        assert!(forth.linear.length() > 1.0 && forth.angular.length() > 0.1, "{forth:?}");
        for other in [predicted(&|n| 199 - n), predicted(&|n| (n * 77) % 200)] {
            assert!(
                (forth.linear - other.linear).length() < 1e-9 * forth.linear.length(),
                "{forth:?} {other:?}"
            );
            assert!(
                (forth.angular - other.angular).length() < 1e-9 * forth.angular.length(),
                "{forth:?} {other:?}"
            );
        }
    }
}
