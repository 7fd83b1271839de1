//! Particles meet objects.
//!
//! Source: thesis 000 §6.2 and §6.3, Algorithm 7 lines 12 to 15, equations 6.1 to 6.4. Relative to the object, the velocity
//! of a particle that touches it loses its normal part, and the share μ of its tangential part: v' = v − v_n − μ v_t (the
//! printed equation 6.3 has the sign of the last term wrong; its prose, "removes a part", rules). Within reach of adhesion
//! it is drawn towards the surface. A particle still inside is put out.
//!
//! Where it differs: the path of the step is swept, in the frame of the object, so that neither the particle's nor the
//! object's speed carries one through the other; μ is the share lost in the thesis's step of 1/30 s, and shorter steps take
//! their part of it, so that friction does not depend on their number; a particle rubs a wall while it is within a quarter
//! of its spacing of touching; restitution gives back a part of the normal velocity where an object asks for it.

use super::broad::{ASIDE, GROUP, Group, Reach};
use super::impulse::{self, Impulse, reaction};
use super::points::Points;
use super::sweep::{DIP, Path, Touch};
use crate::objects::{Collider, Nearest, Pull};
use crate::parallel::{self, Shared};
use crate::particles::Axes;
use crate::power::Power;
use crate::step::Step;
use glam::Vec3;

/// How close to touching a particle rubs, in radii.
pub const RUB: f32 = 0.5;
/// Rounds of pushing out: corners need one a face.
const ROUNDS: usize = 4;
/// Times that a path may be turned aside by one object in a step before it ends where it is.
const TURNS: usize = 3;
/// Pieces of a way out from between two objects.
const WAYS_ASIDE: usize = 64;
/// What is nearer to a surface than this is put out, in radii: rounding alone moves nobody.
pub const INSIDE: f32 = 0.995;
/// How far a particle may be put out without another look, in radii.
const A_LITTLE: f32 = 0.25;
/// The thesis's step [s], for which μ is given.
const THESIS_STEP: f32 = 1.0 / 30.0;

/// Ends the step of each of points number `number` outside all colliders. Returns what free objects get for it.
pub fn resolve(
    points: &mut Points,
    number: usize,
    groups: &[Group],
    colliders: &[Collider],
    step: &Step,
) -> Vec<Impulse> {
    let Step { planar, dt, free, .. } = *step;
    if colliders.is_empty() {
        return vec![Impulse::default(); free];
    }
    let count = points.len();
    let Points { position, previous, radius, mass, .. } = points;
    let all: Vec<Obstacle> =
        colliders.iter().map(|collider| Obstacle::new(collider, number, *radius, dt)).collect();
    let (previous, grain) = (*previous, Grain { radius: *radius, mass: *mass });
    let (x, y, z) =
        (Shared::new(&mut position.x), Shared::new(&mut position.y), Shared::new(&mut position.z));
    let parts = parallel::gather(count, |range| {
        // SAFETY: ranges do not overlap.
        let [x, y, z] = [&x, &y, &z].map(|axis| unsafe { axis.slice(range.start, range.len()) });
        let mut impulses = vec![Impulse::default(); free];
        let mut near = Vec::new();
        for first in (0..range.len()).step_by(GROUP) {
            let group = &groups[(range.start + first) / GROUP];
            near.clear();
            near.extend(all.iter().filter(|met| met.reach.may_touch(group)));
            for i in (first..range.len().min(first + GROUP)).filter(|_| !near.is_empty()) {
                let (start, end) = (previous.get(range.start + i), Vec3::new(x[i], y[i], z[i]));
                let mut point = PointStep {
                    all: &all,
                    near: &near,
                    grain,
                    planar,
                    dt,
                    start,
                    end,
                    impulses: &mut impulses,
                };
                if point.find() {
                    (x[i], y[i], z[i]) = point.end.into();
                }
            }
        }
        impulses
    });
    impulse::sum(parts, free)
}

/// One point, to contact.
#[derive(Clone, Copy, Debug)]
struct Grain {
    /// Its radius [m].
    radius: f32,
    /// Its mass [kg].
    mass: f64,
}

/// A collider as particles meet it in a step.
#[derive(Clone, Copy)]
struct Obstacle<'a> {
    collider: &'a Collider,
    /// What they feel of its adhesion.
    pull: Pull,
    /// Share of the sliding velocity that rubbing leaves.
    kept: f32,
    reach: Reach<'a>,
}

impl<'a> Obstacle<'a> {
    /// For points number `number`, of at most a radius.
    fn new(collider: &'a Collider, number: usize, radius: f32, dt: f32) -> Self {
        let (pull, kept) = (collider.pull_on(number), 1.0 - friction(collider.friction, dt));
        Self { collider, pull, kept, reach: reach(collider, pull, radius) }
    }
}

/// The end of one particle's step.
struct PointStep<'a> {
    all: &'a [Obstacle<'a>],
    /// Those of them that it may touch, if it is not moved far.
    near: &'a [Obstacle<'a>],
    grain: Grain,
    planar: bool,
    dt: f32,
    start: Vec3,
    end: Vec3,
    impulses: &'a mut [Impulse],
}

impl PointStep<'_> {
    /// Lines 12 to 15. Whether anything changed.
    fn find(&mut self) -> bool {
        let (wanted, mut touched, mut outside) = (self.end, false, true);
        for met in self.near {
            if let Some(met_at) = meet(met, self.start, self.end, self.grain, self.dt) {
                self.move_to(met_at.end, met.collider);
                touched = true;
                outside &= met_at.outside;
            }
        }
        // What touched nothing, or was moved a little and not nearer than it may be, is outside everything.
        if !outside || touched && self.end.distance_squared(wanted) > (RUB * self.grain.radius).power(2) {
            let mut clear = self.push_out();
            if self.end.distance(wanted) > ASIDE * self.grain.radius {
                self.near = self.all;
                clear &= self.push_out();
            }
            if !clear {
                self.stay_on_this_side();
            }
        }
        touched
    }

    /// Moves the end; a free object gets the reaction.
    fn move_to(&mut self, end: Vec3, collider: &Collider) {
        let end = if self.planar { end.with_z(0.0) } else { end };
        if let Some(free) = collider.free {
            let arm = end - collider.centre;
            self.impulses[free as usize] += reaction(self.grain.mass, end - self.end, self.dt, arm);
        }
        self.end = end;
    }

    /// Line 15: a particle that is still inside is moved to the surface. Whether its way there surely passed nothing.
    fn push_out(&mut self) -> bool {
        for _ in 0..ROUNDS {
            let (before, mut least) = (self.end, f32::INFINITY);
            for met in self.near {
                least = least.min(self.push_out_of(met.collider));
            }
            // What was moved a little came no nearer to anything than that.
            let moved = self.end.distance(before);
            if moved <= A_LITTLE * self.grain.radius && least - moved >= DIP * self.grain.radius {
                return true;
            }
            if moved == 0.0 {
                return false;
            }
        }
        false
    }

    /// Moves the particle out of one collider. Returns how near to it the way there may have come.
    fn push_out_of(&mut self, collider: &Collider) -> f32 {
        let radius = self.grain.radius;
        let length = Path::length_past(collider, self.start, self.end);
        let far = (2.0 * DIP * radius + length).max(radius);
        let Some(near) = collider.nearest_within(self.end, far) else { return far - length };
        if near.distance < INSIDE * radius {
            self.move_to(self.end + (radius - near.distance) * near.normal, collider);
        }
        match collider.sdf().is_outside_in() {
            true => f32::INFINITY,
            false => near.distance - length,
        }
    }

    /// What one object turned aside or put out may have gone through another: then it ends before that one. Between two
    /// objects closer than a particle is wide it may touch both, but its centre stays outside.
    fn stay_on_this_side(&mut self) {
        for Obstacle { collider, .. } in self.all {
            let way = Path::of(collider, self.start, self.end);
            let radius = self.grain.radius;
            // Along what bulges, the straight way from touch to touch is a little too deep.
            if way.hit(collider.sdf(), 0.5 * radius).is_some()
                && let Some((point, _)) = way.hit(collider.sdf(), radius)
            {
                self.move_to(collider.placement.to_world(point), collider);
            }
        }
        for Obstacle { collider, .. } in self.all {
            if collider.at_least(self.end) <= 0.0 && collider.distance(self.end) < 0.0 {
                let carried = collider.placement.to_world(collider.before.to_local(self.start));
                self.move_to(carried, collider);
            }
        }
        self.give_way();
    }

    /// Where objects close on each other, as under a weight that comes to lie on a floor, a particle gives way sideways: out
    /// of both at once, until its centre is in none.
    fn give_way(&mut self) {
        let all = self.all;
        let margin = 0.02 * self.grain.radius;
        for _ in 0..WAYS_ASIDE {
            let mut near: Vec<(&Collider, Nearest)> = all
                .iter()
                .map(|met| met.collider)
                .filter(|s| s.at_least(self.end) < margin)
                .map(|s| (s, s.nearest(self.end)))
                .filter(|(_, near)| near.distance < margin)
                .collect();
            if near.iter().all(|(_, near)| near.distance >= 0.0) {
                break;
            }
            near.sort_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance));
            let moves = out_of_both(&near, margin);
            let far = moves.iter().sum::<Vec3>().length();
            // Short enough to meet whatever is on the way.
            let scale = (0.5 * self.grain.radius / far).min(1.0);
            for ((collider, _), way) in near.iter().zip(moves) {
                self.move_to(self.end + scale * way, collider);
            }
        }
    }
}

/// How far the two nearest of some colliders push a point, each along its normal, to leave it `margin` outside both.
fn out_of_both(near: &[(&Collider, Nearest)], margin: f32) -> Vec<Vec3> {
    let wanted = |n: &Nearest| margin - n.distance;
    match near {
        [] => Vec::new(),
        [(_, a)] => vec![wanted(a) * a.normal],
        [(_, a), (_, b), ..] => {
            let cos = a.normal.dot(b.normal);
            // Almost face to face, the way out is long; it is taken in pieces.
            let det = (1.0 - cos * cos).max(1e-4);
            let push = |p: f32, q: f32| ((p - cos * q) / det).max(0.0);
            vec![push(wanted(a), wanted(b)) * a.normal, push(wanted(b), wanted(a)) * b.normal]
        }
    }
}

/// Where a particle ends its step because of one object.
struct MetAt {
    end: Vec3,
    /// Whether it surely ends outside of it.
    outside: bool,
}

/// Where a particle that goes from `start` to `end` in a step ends because of one object, if it touches it.
fn meet(met: &Obstacle, start: Vec3, end: Vec3, grain: Grain, dt: f32) -> Option<MetAt> {
    let (&Obstacle { collider, pull, kept, reach }, radius) = (met, grain.radius);
    let mut touch = Touch::of(collider, reach.felt, start, end, radius)?;
    // All as ways gone in the step, not velocities.
    let pull = dt * dt * touch.pull(pull, radius);
    let mut turned = false;
    for _ in 0..TURNS {
        let v = touch.way.end - touch.way.start;
        let n = touch.near.normal;
        let along = v.dot(n);
        let stops = along < 0.0 && (touch.hit || touch.near.distance < radius);
        let rubs = kept < 1.0 && !turned && touch.near.distance < (1.0 + RUB) * radius;
        if !stops && !rubs && pull == 0.0 {
            break;
        }
        let v_t = v - along * n;
        let normal =
            if stops { -collider.restitution * along } else { along } - if turned { 0.0 } else { pull };
        let v = normal * n + if rubs { kept * v_t } else { v_t };
        touch.way.end = touch.way.start + v;
        turned = true;
        // The new way may lead through another side of the same object.
        touch.sweep(collider.sdf(), radius);
        if !touch.hit {
            let outside = touch.ends_outside(radius);
            return Some(MetAt { end: collider.placement.to_world(touch.way.end), outside });
        }
    }
    if !turned {
        return (touch.near.distance < INSIDE * radius).then_some(MetAt { end, outside: false });
    }
    Some(MetAt { end: collider.placement.to_world(touch.point), outside: false })
}

/// From where points of at most a radius may touch a collider that pulls so.
pub fn reach(collider: &Collider, pull: Pull, radius: f32) -> Reach<'_> {
    Reach::new(collider, radius + pull.range.max(RUB * radius), radius)
}

/// Share of the tangential velocity that a step of `dt` takes away.
pub fn friction(mu: f32, dt: f32) -> f32 {
    match mu {
        0.0 => 0.0,
        1.0 => 1.0,
        mu => 1.0 - libm::powf(1.0 - mu, dt / THESIS_STEP),
    }
}

/// Particles whose centre is inside an object.
pub fn leaks(position: &Axes, colliders: &[Collider]) -> u64 {
    let of_group = |(g, group): (usize, &Group)| {
        let near: Vec<&Collider> = colliders.iter().filter(|collider| group.is_near(collider)).collect();
        let inside = |p: Vec3| near.iter().any(|s| s.at_least(p) <= 0.0 && s.distance(p) < 0.0);
        Group::places(g, position.len()).filter(|&i| inside(position.get(i))).count() as u64
    };
    Group::all(position, position).iter().enumerate().map(of_group).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::ParticleArrays;
    use crate::scene::{Placement, Scene, Shape};

    const RADIUS: f32 = 0.1;

    /// Where a particle ends its step among colliders, and what free ones get.
    fn ends(colliders: &[Collider], start: Vec3, end: Vec3, dt: f32, free: usize) -> (Vec3, Vec<Impulse>) {
        let mut particles = ParticleArrays::of([(start, Vec3::ZERO)]);
        particles.position.set(0, end);
        let ParticleArrays { position, previous, .. } = &mut particles;
        let groups = Group::all(position, previous);
        let (radius, mass, reach) = (RADIUS, 1.0, 0.0);
        let mut points = Points { position, previous, radius, mass, family: 0, reach };
        let step = Step { free, ..Step::alone(dt, false) };
        let impulses = resolve(&mut points, 0, &groups, colliders, &step);
        (particles.position.get(0), impulses)
    }

    fn collider(shape: Shape, friction: f32) -> Collider {
        let mut collider = Collider::of(&shape, Placement::ORIGIN, &Scene::default());
        collider.friction = friction;
        collider
    }

    fn floor(friction: f32) -> Collider {
        collider(Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, friction)
    }

    /// Velocity after a step of a particle that touches the floor.
    fn after_contact(v: Vec3, friction: f32, dt: f32) -> Vec3 {
        let start = Vec3::new(0.0, RADIUS, 0.0);
        (ends(&[floor(friction)], start, start + dt * v, dt, 0).0 - start) / dt
    }

    /// Thesis 000 §6.2 with the sign of equation 6.3 put right: v' = v − v_n − μ v_t, in the thesis's step of 1/30 s.
    #[test]
    fn contact_takes_the_normal_velocity_and_the_share_mu_of_the_sliding_one() {
        for mu in [0.0, 0.1, 0.3, 0.5, 0.9, 1.0] {
            let v = after_contact(Vec3::new(2.0, -3.0, 1.0), mu, 1.0 / 30.0);
            let wanted = (1.0 - mu) * Vec3::new(2.0, 0.0, 1.0);
            assert!((v - wanted).length() < 2e-6, "μ = {mu}: {v} for {wanted}");
            assert!(v.length() <= 5f32.sqrt() + 1e-6, "sliding never grows");
        }
    }

    /// μ is what a thirtieth of a second takes: ten short steps take as much as a long one.
    #[test]
    fn friction_does_not_depend_on_the_number_of_steps() {
        for mu in [0.2f32, 0.7] {
            let mut v = Vec3::X;
            for _ in 0..10 {
                v = after_contact(v, mu, 1.0 / 300.0);
            }
            assert!((v.x - (1.0 - mu)).abs() < 1e-5, "{v}");
        }
    }

    /// A particle that leaves a wall is not held back: "the impulse cancels the velocity of penetration".
    #[test]
    fn contact_does_not_hold_what_leaves() {
        let v = after_contact(Vec3::new(0.5, 2.0, 0.0), 0.0, 1.0 / 30.0);
        assert!((v - Vec3::new(0.5, 2.0, 0.0)).length() < 1e-6, "{v}");
    }

    /// Thesis 000 §3.3: two identical constraints applied in sequence act once, in parallel twice. A particle 0.5 m deep
    /// in two floors that are one comes up to the surface, not 0.5 m above it.
    #[test]
    fn two_identical_floors_push_once() {
        let deep = Vec3::new(0.0, RADIUS - 0.5, 0.0);
        let (out, _) = ends(&[floor(0.0), floor(0.0)], deep, deep, 1.0 / 30.0, 0);
        assert!((out.y - RADIUS).abs() < 1e-7, "{out}");
    }

    /// A particle that one object turns aside is not led through another: a wall, then the floor that turns it towards the
    /// wall, in either order.
    #[test]
    fn no_object_leads_a_particle_through_another() {
        let wall = Shape::Box { size: [0.01, 1.0, 1.0] };
        let wall = Collider::of(&wall, Placement::new([0.5, 0.5, 0.0], [0.0; 3]), &Scene::default());
        for colliders in [[wall.clone(), floor(0.0)], [floor(0.0), wall]] {
            let (end, _) =
                ends(&colliders, Vec3::new(0.0, 0.3, 0.0), Vec3::new(1.0, -0.7, 0.0), 1.0 / 30.0, 0);
            assert!(end.x < 0.5 - 0.89 * RADIUS, "{end}");
            assert!(end.y > 0.99 * RADIUS, "{end}");
        }
    }

    /// Paths are swept: no speed carries a particle through an object, however thin.
    #[test]
    fn no_speed_carries_a_particle_through() {
        let shapes = [
            Shape::Box { size: [2.0, 0.01, 2.0] },
            Shape::Sphere { radius: 0.02 },
            Shape::Capsule { radius: 0.02, height: 0.3 },
            Shape::Cylinder { radius: 0.5, height: 0.02 },
            Shape::Cone { radius: 0.5, height: 0.02 },
            Shape::Mould { of: Box::new(Shape::Box { size: [10.0, 1.9, 10.0] }) },
            Shape::Container { size: [10.0, 1.9, 10.0], open: true },
            Shape::RoundContainer { radius: 5.0, height: 1.9, open: false },
        ];
        for shape in shapes {
            let collider = collider(shape.clone(), 0.0);
            for speed in [1.0, 30.0, 1000.0] {
                let start = Vec3::new(0.001, 0.9, 0.002);
                let end = start - speed * Vec3::Y;
                let (stopped, _) = ends(std::slice::from_ref(&collider), start, end, 1.0, 0);
                let room = collider.sdf().bounds().is_none();
                assert!(room || stopped.y > 0.0, "{shape:?} at {speed} m/s: {stopped}");
                assert!(collider.distance(stopped) > 0.99 * RADIUS, "{shape:?} at {speed} m/s: {stopped}");
            }
        }
    }

    /// The same for an object that moves: a thin plate goes through 30 particles' widths in a step and takes the particle along.
    #[test]
    fn no_object_is_carried_through_a_particle() {
        let mut plate = collider(Shape::Box { size: [2.0, 0.01, 2.0] }, 0.0);
        plate.before = Placement::new([0.0, -1.0, 0.0], [0.0; 3]);
        plate.placement = Placement::new([0.0, 5.0, 0.0], [0.0, 30.0, 0.0]);
        let rest = Vec3::new(0.2, 0.0, 0.3);
        let (end, _) = ends(&[plate.clone()], rest, rest, 1.0 / 30.0, 0);
        assert!(plate.placement.to_local(end).y > 0.99 * RADIUS, "{end}");
    }

    /// A particle between two plates that leave it less room than it needs touches both but is in neither.
    #[test]
    fn tight_places_do_not_leak() {
        let plate = |y: f32| {
            let shape = Shape::Box { size: [2.0, 0.1, 2.0] };
            Collider::of(&shape, Placement::new([0.0, y, 0.0], [0.0; 3]), &Scene::default())
        };
        let colliders = [plate(-0.13), plate(0.13)];
        let mut p = Vec3::new(0.1, 0.02, 0.0);
        for _ in 0..20 {
            (p, _) = ends(&colliders, p, p + Vec3::new(0.01, -0.05, 0.0), 1.0 / 30.0, 0);
            assert!(p.y.abs() < 0.08, "{p}");
        }
    }

    /// Restitution gives back its share of the approach.
    #[test]
    fn restitution_bounces() {
        let mut floor = floor(0.0);
        floor.restitution = 0.6;
        let (start, dt) = (Vec3::new(0.0, RADIUS, 0.0), 1.0 / 30.0);
        let (end, _) = ends(&[floor], start, start + dt * Vec3::new(1.0, -2.0, 0.0), dt, 0);
        assert!(((end - start) / dt - Vec3::new(1.0, 1.2, 0.0)).length() < 1e-5);
    }

    /// What the particle gains, the object loses, to round-off: normal part, friction, adhesion and being put out.
    #[test]
    fn objects_get_what_particles_lose() {
        let mut ball = collider(Shape::Sphere { radius: 0.5 }, 0.4);
        ball.free = Some(0);
        ball.adhesion = vec![Pull { k: 300.0, range: 0.1 }];
        ball.centre = Vec3::new(0.05, 0.0, 0.0);
        let dt = 1.0 / 60.0;
        for (start, end) in [
            (Vec3::new(0.0, 0.61, 0.0), Vec3::new(0.02, 0.5, 0.01)),
            (Vec3::new(0.3, 0.9, 0.0), Vec3::new(-0.3, -0.9, 0.1)),
            (Vec3::new(0.0, 0.64, 0.1), Vec3::new(0.0, 0.65, 0.12)),
            (Vec3::new(0.1, 0.2, 0.0), Vec3::new(0.1, 0.2, 0.0)),
        ] {
            let (out, impulses) = ends(std::slice::from_ref(&ball), start, end, dt, 1);
            let gained = (out - end).as_dvec3() / dt as f64;
            assert!(gained.length() > 0.0, "{start} touches");
            assert!(
                (gained + impulses[0].linear).length() < 1e-9 * gained.length(),
                "{gained} {:?}",
                impulses[0]
            );
        }
    }

    /// CL-21: one particle under a plate hangs if k ≥ 4g/d_adh, at d = d_adh/2 · (1 − √(1 − 4g/(k d_adh))).
    #[test]
    fn a_particle_hangs_under_a_plate_where_adhesion_carries_it() {
        let (range, g, dt) = (0.1, 9.81, 1.0 / 240.0);
        let hang = |k: f32, from: f32| {
            let mut plate = collider(Shape::HalfSpace { normal: [0.0, -1.0, 0.0] }, 0.0);
            plate.adhesion = vec![Pull { k, range }];
            let (mut p, mut v) = (Vec3::NEG_Y * (RADIUS + from), Vec3::ZERO);
            for _ in 0..2400 {
                v.y -= dt * g;
                let (end, _) = ends(std::slice::from_ref(&plate), p, p + dt * v, dt, 0);
                // What little drag there is in a liquid: without it, the particle swings for ever.
                v = 0.98 * (end - p) / dt;
                p = end;
            }
            -p.y - RADIUS
        };
        assert!((hang(400.0, 0.04) - 0.043108).abs() < 5e-4, "{}", hang(400.0, 0.04));
        assert!((hang(1000.0, 0.0) - 0.0110256).abs() < 2e-4, "{}", hang(1000.0, 0.0));
        assert!(hang(300.0, 0.0) > 1.0);
    }
}
