//! Balls against laws of mechanics.

use super::ball::{Ball, per_inertia};
use super::contact::ContactCoefficients;
use super::pile::Pile;
use crate::objects::Collider;
use crate::scene::{Placement, Scene, Shape};
use crate::step::Step;
use glam::{DVec3, Quat, Vec3};

const DT: f32 = 1.0 / 120.0;
const G: f32 = 9.81;

fn ball(id: u32, radius: f32, mass: f32, at: [f32; 3], velocity: [f32; 3]) -> Ball {
    Ball {
        at: at.into(),
        radius,
        velocity: velocity.into(),
        per_mass: 1.0 / mass,
        spin: Vec3::ZERO,
        per_inertia: per_inertia(radius, 1.0 / mass, false),
        set: 0,
        turn: Quat::IDENTITY,
        id,
        birth: 0.0,
    }
}

fn surface(friction: f32, restitution: f32) -> ContactCoefficients {
    ContactCoefficients { friction, restitution, rolling: 0.0 }
}

fn floor(friction: f32) -> Collider {
    let mut floor =
        Collider::of(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, Placement::ORIGIN, &Scene::default());
    floor.grip = friction;
    floor
}

struct Run {
    pile: Pile,
    surface: ContactCoefficients,
    colliders: Vec<Collider>,
    gravity: Vec3,
    dt: f32,
    planar: bool,
}

impl Run {
    fn new(balls: Vec<Ball>, surface: ContactCoefficients, colliders: Vec<Collider>) -> Self {
        let pile = Pile::of(balls);
        assert_eq!(pile.unfit(1), None);
        Self { pile, surface, colliders, gravity: Vec3::NEG_Y * G, dt: DT, planar: false }
    }

    fn weightless(balls: Vec<Ball>, surface: ContactCoefficients) -> Self {
        Self { gravity: Vec3::ZERO, ..Self::new(balls, surface, Vec::new()) }
    }

    fn step(&mut self) {
        let step =
            Step { colliders: &self.colliders, gravity: self.gravity, ..Step::alone(self.dt, self.planar) };
        self.pile.advance(&[self.surface], &mut [], &[], &step);
    }

    fn go(&mut self, seconds: f32) {
        (0..(seconds / self.dt).round() as u32).for_each(|_| self.step());
    }

    fn by_id(&self) -> Vec<Ball> {
        let mut all = self.pile.balls.clone();
        all.sort_by_key(|b| b.id);
        all
    }

    fn energy(&self) -> f64 {
        let all = self.pile.balls.iter();
        all.map(|b| b.energy() - b.mass() * self.gravity.as_dvec3().dot(b.at.as_dvec3())).sum()
    }

    fn momentum(&self) -> DVec3 {
        self.pile.balls.iter().map(|b| b.mass() * b.velocity.as_dvec3()).sum()
    }
}

/// PS-04: elastic impulses between unequal masses (004, ruling on its sign).
#[test]
fn unequal_masses_exchange_what_the_text_says() {
    let balls =
        vec![ball(0, 0.1, 1.0, [-0.3, 0.0, 0.0], [1.0, 0.0, 0.0]), ball(1, 0.1, 3.0, [0.0; 3], [0.0; 3])];
    let mut run = Run::weightless(balls, surface(0.0, 1.0));
    run.go(0.5);
    let all = run.by_id();
    assert!((all[0].velocity.x + 0.5).abs() < 1e-5 && (all[1].velocity.x - 0.5).abs() < 1e-5, "{all:?}");
    // It went 0.1 m at 1 m/s, then back at half of it, as if the step did not matter.
    assert!((all[0].at.x - (-0.2 - 0.5 * 0.4)).abs() < 1e-4, "{}", all[0].at.x);
    assert!((all[1].at.x - 0.5 * 0.4).abs() < 1e-4, "{}", all[1].at.x);
}

/// PS-05: a cradle of five hands the impact on.
#[test]
fn a_cradle_hands_the_impact_on() {
    let r = 0.05;
    let x = |i: u32| if i == 0 { -1.0 } else { 2.0 * r * (1.0 + 0.5e-3) * i as f32 };
    let balls = (0..5).map(|i| ball(i, r, 1.0, [x(i), 0.0, 0.0], [if i == 0 { 1.0 } else { 0.0 }, 0.0, 0.0]));
    let mut run = Run::weightless(balls.collect(), surface(0.0, 1.0));
    run.go(2.0);
    let speeds: Vec<f32> = run.by_id().iter().map(|b| b.velocity.x).collect();
    assert!(speeds[..4].iter().all(|v| v.abs() < 1e-4) && (speeds[4] - 1.0).abs() < 1e-4, "{speeds:?}");
}

/// PS-01: bounces at 0.4515236, 1.1739615, 1.7519117 s, at rest by 4.0637 s (and what the last, resting bounces take).
#[test]
fn a_ball_bounces_when_it_should() {
    let mut run =
        Run::new(vec![ball(0, 0.1, 1.0, [0.0, 1.1, 0.0], [0.0; 3])], surface(0.0, 0.8), vec![floor(0.0)]);
    let (mut turns, mut before, mut time) = (Vec::new(), 0.0f32, 0.0f32);
    for _ in 0..600 {
        run.step();
        time += DT;
        let now = run.pile.balls[0].velocity.y;
        if before < -0.1 && now > 0.1 {
            // It turned in this step: when, from the speed at its end.
            turns.push(time);
        }
        before = now;
    }
    for (turn, exact) in turns.iter().zip([0.4515236, 1.1739615, 1.7519117]) {
        assert!(*turn >= exact && *turn < exact + 1.1 * DT, "{turns:?}");
    }
    let last = run.pile.balls[0];
    assert!(last.velocity.length() < 1e-3 && (last.at.y - 0.1).abs() < 1e-3, "{last:?}");
}

/// PS-07: 100 m/s at a wall 1 cm thick.
#[test]
fn fast_balls_do_not_pass_walls() {
    let wall = Shape::Box { size: [0.01, 2.0, 2.0] };
    let mut wall = Collider::of(&wall, Placement::ORIGIN, &Scene::default());
    wall.grip = 0.0;
    let mut run =
        Run::new(vec![ball(0, 0.1, 1.0, [-1.0, 0.0, 0.0], [100.0, 0.0, 0.0])], surface(0.0, 1.0), vec![wall]);
    (run.gravity, run.dt) = (Vec3::ZERO, 1.0 / 60.0);
    run.step();
    let b = run.pile.balls[0];
    // It touches at x = −0.105, after 0.895 m, 0.00895 s.
    assert!((b.velocity.x + 100.0).abs() < 1e-2, "{b:?}");
    assert!((b.at.x - (-0.105 - 100.0 * (1.0 / 60.0 - 0.00895))).abs() < 0.02, "{b:?}");
}

/// PS-08: stacks of five and ten stand.
#[test]
fn stacks_stand() {
    for count in [5, 10] {
        let r = 0.1;
        let balls =
            (0..count).map(|i| ball(i, r, 1.0, [0.0, r + 2.0 * r * i as f32, 0.0], [0.0; 3])).collect();
        let mut run = Run::new(balls, surface(0.5, 0.0), vec![floor(0.5)]);
        run.go(10.0);
        let all = run.by_id();
        for (i, b) in all.iter().enumerate() {
            let below = if i == 0 { b.at.y - r } else { b.at.distance(all[i - 1].at) - 2.0 * r };
            assert!(below > -0.02 * r && b.velocity.length() < 1e-2, "{count}: {i} {below} {b:?}");
            assert!(b.at.x.hypot(b.at.z) < 0.1 * r, "{b:?}");
        }
    }
}

/// A ball set sliding rolls at 5/7 of its speed after 2 v/(7 μ g).
#[test]
fn what_slides_begins_to_roll() {
    let (v, mu, r) = (2.0, 0.3, 0.1);
    let mut run =
        Run::new(vec![ball(0, r, 1.0, [0.0, r, 0.0], [v, 0.0, 0.0])], surface(mu, 0.0), vec![floor(mu)]);
    let time = 2.0 * v / (7.0 * mu * G);
    run.go(0.5 * time);
    let half = run.pile.balls[0].velocity.x;
    assert!((half - (v - 0.5 * mu * G * time)).abs() < 0.02, "{half}");
    run.go(time);
    let b = run.pile.balls[0];
    assert!(
        (b.velocity.x - 5.0 / 7.0 * v).abs() < 0.01 && (b.spin.z + b.velocity.x / r).abs() < 0.1,
        "{b:?}"
    );
}

/// Rolling down a slope: 5/7 g sin θ, while tan θ < 3.5 μ; beyond, g (sin θ − μ cos θ).
#[test]
fn balls_roll_down_slopes() {
    for (degrees, mu) in [(20.0f32, 0.5f32), (50.0, 0.2)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut run =
            Run::new(vec![ball(0, 0.1, 1.0, [0.0, 0.1, 0.0], [0.0; 3])], surface(mu, 0.0), vec![floor(mu)]);
        run.gravity = G * Vec3::new(sin, -cos, 0.0);
        run.go(1.0);
        let law = if sin / cos < 3.5 * mu { 5.0 / 7.0 * G * sin } else { G * (sin - mu * cos) };
        let v = run.pile.balls[0].velocity.x;
        assert!((v - law).abs() < 0.01 * law, "{degrees}: {v} for {law}");
    }
}

/// Elastic balls in a box keep their energy; without walls they keep their momentum, too.
#[test]
fn a_gas_of_elastic_balls_keeps_its_energy() {
    let mut balls = Vec::new();
    for i in 0..125u32 {
        let at = [i % 5, i / 5 % 5, i / 25].map(|k| 0.2 * k as f32 - 0.4);
        let v = [7, 11, 13].map(|p| ((i * p) % 17) as f32 / 8.0 - 1.0);
        balls.push(ball(i, 0.04 + 0.01 * (i % 4) as f32, 0.5 + (i % 3) as f32, at, v));
    }
    let tank = Shape::Container { size: [1.2; 3], open: false };
    let tank = Collider::of(&tank, Placement::ORIGIN, &Scene::default());
    for walls in [vec![], vec![tank]] {
        let mut run = Run::new(balls.clone(), surface(0.0, 1.0), walls);
        run.gravity = Vec3::ZERO;
        let (energy, momentum) = (run.energy(), run.momentum());
        run.go(3.0);
        assert!((run.energy() / energy - 1.0).abs() < 0.01, "{} of {energy}", run.energy());
        if run.colliders.is_empty() {
            assert!((run.momentum() - momentum).length() < 1e-3, "{momentum} {}", run.momentum());
        }
    }
}

/// Three balls that touch, and one on them, stand if μ among them is at least √3 − √2 = .318 and μ to the floor .0795.
#[test]
fn a_pyramid_stands_if_it_is_rough_enough() {
    let r = 0.1;
    let stands = |among: f32, under: f32| {
        let corner = |k: u32| {
            let (sin, cos) = (k as f32 * std::f32::consts::TAU / 3.0).sin_cos();
            let out = 2.0 * r / 3f32.sqrt();
            ball(k, r, 1.0, [out * cos, r, out * sin], [0.0; 3])
        };
        let top = ball(3, r, 1.0, [0.0, r + 2.0 * r * (2f32 / 3.0).sqrt(), 0.0], [0.0; 3]);
        let balls = (0..3).map(corner).chain([top]).collect();
        // The mean of a ball's and the floor's is that between them.
        let mut run = Run::new(balls, surface(among, 0.0), vec![floor(2.0 * under - among)]);
        run.go(3.0);
        run.by_id()[3].at.y > r + 1.5 * r
    };
    assert!(stands(0.36, 0.3), "rough among each other");
    assert!(!stands(0.28, 0.3), "slippery among each other");
    assert!(stands(0.5, 0.27) && !stands(0.5, 0.06), "on the floor");
}

/// A ball of a thousand times the mass on light ones does not sink into them.
#[test]
fn heavy_balls_stand_on_light_ones() {
    let r = 0.1;
    let light =
        (0..9).map(|i| ball(i, r, 1.0, [2.0 * r * (i % 3) as f32, r, 2.0 * r * (i / 3) as f32], [0.0; 3]));
    let heavy = ball(9, 2.0 * r, 1000.0, [2.0 * r, 4.0 * r, 2.0 * r], [0.0; 3]);
    let tank = Shape::Container { size: [6.0 * r, 4.0, 6.0 * r], open: true };
    let tank = Collider::of(&tank, Placement::new([2.0 * r, 2.0, 2.0 * r], [0.0; 3]), &Scene::default());
    let mut run = Run::new(light.chain([heavy]).collect(), surface(0.5, 0.0), vec![tank]);
    run.go(5.0);
    let all = run.by_id();
    for b in &all[..9] {
        let gap = b.at.distance(all[9].at) - 3.0 * r;
        assert!(gap > -0.1 * r, "{gap} {b:?}");
    }
    assert!(all[9].velocity.length() < 0.01, "{:?}", all[9]);
}

/// A thousand balls poured into a box: they come to rest, nobody outside, nobody deep in another, and as dense as random balls lie.
#[test]
fn a_thousand_balls_come_to_rest() {
    let r = 0.05;
    let balls = (0..1000).map(|i: u32| {
        let at = [i % 8, i / 64, i / 8 % 8].map(|k| k as f32);
        let stray = |p: u32| 0.01 * ((i * p % 13) as f32 / 13.0 - 0.5);
        let place = [0.12 * at[0] - 0.42 + stray(5), 0.06 + 0.12 * at[1], 0.12 * at[2] - 0.42 + stray(7)];
        ball(i, r, 1.0, place, [0.0; 3])
    });
    let tank = Shape::Container { size: [1.0, 4.0, 1.0], open: true };
    let tank = Collider::of(&tank, Placement::new([0.0, 2.0, 0.0], [0.0; 3]), &Scene::default());
    let mut run = Run::new(balls.collect(), surface(0.3, 0.3), vec![tank]);
    run.go(6.0);
    let all = run.by_id();
    let fastest = all.iter().map(|b| b.velocity.length()).fold(0.0, f32::max);
    assert!(fastest < 0.02, "{fastest} m/s");
    let deepest =
        all.iter().enumerate().flat_map(|(i, a)| all[..i].iter().map(move |b| 2.0 * r - a.at.distance(b.at)));
    let deepest = deepest.fold(0.0, f32::max);
    assert!(deepest < 0.02 * r, "{deepest} m");
    assert!(all.iter().all(|b| b.at.x.abs().max(b.at.z.abs()) < 0.5 && b.at.y > 0.0));
}
