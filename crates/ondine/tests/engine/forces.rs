//! Classical forces on objects: friction, springs, dampers, drag and wind (text 004, "Mécanique classique").

use crate::rigid_bodies::{cube, objects};
use crate::scenes::*;
use glam::DVec3;
use ondine::scene::{Drag, Event, Interpolation, Object, Shape, Spring, Track, Value};
use ondine::{Scene, World};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Gravity of the text's example [m/s²].
const G: f64 = 9.8;

/// A block of 10 kg on a floor, both of the text's coefficients.
fn block_on_a_floor(force: f32) -> Scene {
    let block =
        Object { mass: Some(10.0), force: [force, 0.0, 0.0], ..free("block", slab(), [0.0, 0.1, 0.0]) };
    let scene = Scene { gravity: [0.0, -G as f32, 0.0], ..objects(vec![rough(floor()), rough(block)]) };
    Scene { duration: 2.0, ..scene }
}

fn slab() -> Shape {
    Shape::Box { size: [0.4, 0.2, 0.4] }
}

fn rough(object: Object) -> Object {
    Object { grip: 0.4, static_grip: Some(0.5), ..object }
}

/// PS-02: 20 N hold exactly, and so do 48.9 N; 49.1 N do not, and 120 N leave 80.8 N.
#[test]
fn the_block_of_the_text_holds_and_slides() {
    for dimension in [2, 3] {
        for (force, holds) in [(20.0, true), (48.9, true), (-48.9, true), (49.1, false), (120.0, false)] {
            let mut world =
                World::new(&Scene { dimension, ..block_on_a_floor(force) }).expect("a sound scene");
            (0..30).for_each(|_| world.advance().expect("a step"));
            let then = body(&world, "block");
            (0..30).for_each(|_| world.advance().expect("a step"));
            let now = body(&world, "block");
            if holds {
                assert!(now.at[0].abs() < 1e-4, "{force} N: moved by {} m", now.at[0]);
                assert!((now.at[0] - then.at[0]).abs() < 1e-6, "{force} N: {} m/s", now.velocity[0]);
            } else {
                let net = 10.0 * (now.velocity[0] - then.velocity[0]);
                let expected = force as f64 - 0.4 * 10.0 * G;
                assert!((net / expected - 1.0).abs() < 0.005, "{force} N leave {net} N, not {expected} N");
            }
        }
    }
}

/// A slope of so many degrees holds up to tan θ = s, then lets go with g (sin θ − k cos θ).
#[test]
fn the_slope_holds_up_to_its_angle() {
    for (degrees, holds) in [(20.0f64, true), (26.0, true), (27.0, false), (40.0, false)] {
        let turn = degrees.to_radians();
        let (sin, cos) = (turn.sin() as f32, turn.cos() as f32);
        let slope = Object::new("slope", Shape::HalfSpace { normal: [-sin, cos, 0.0] }, [0.0; 3]);
        let block = Object {
            mass: Some(10.0),
            rotate: [0.0, 0.0, degrees as f32],
            ..free("block", slab(), [-0.1 * sin, 0.1 * cos, 0.0])
        };
        let scene = objects(vec![rough(slope), rough(block)]);
        let mut world =
            World::new(&Scene { gravity: [0.0, -G as f32, 0.0], ..scene }).expect("a sound scene");
        (0..30).for_each(|_| world.advance().expect("a step"));
        let then = DVec3::from(body(&world, "block").velocity).length();
        (0..30).for_each(|_| world.advance().expect("a step"));
        let speed = DVec3::from(body(&world, "block").velocity).length();
        if holds {
            assert!(speed < 1e-5, "{degrees}°: it creeps at {speed} m/s");
        } else {
            let expected = G * (turn.sin() - 0.4 * turn.cos());
            assert!(((speed - then) / expected - 1.0).abs() < 0.01, "{degrees}°: {speed} for {expected}");
        }
    }
}

/// What slides stops by kinetic friction, and stays: v²/(2 k g) far.
#[test]
fn what_slides_comes_to_rest_and_is_held_again() {
    let mut scene = block_on_a_floor(0.0);
    scene.object[1].velocity = [2.0, 0.0, 0.0];
    let world = after(&scene, 60);
    let block = body(&world, "block");
    let way = 4.0 / (2.0 * 0.4 * G);
    assert!((block.at[0] - way).abs() < 0.02 * way, "{} m for {way} m", block.at[0]);
    assert!(block.velocity[0].abs() < 1e-6);
}

/// Where nothing else is said, both coefficients are one: no object slides otherwise than before.
#[test]
fn without_static_friction_there_is_one_coefficient() {
    let plain = |o: Object| Object { grip: 0.4, static_grip: None, ..o };
    let same = |o: Object| Object { grip: 0.4, static_grip: Some(0.4), ..o };
    let run = |like: &dyn Fn(Object) -> Object| {
        let mut scene = block_on_a_floor(45.0);
        scene.object = scene.object.into_iter().map(like).collect();
        body(&after(&scene, 30), "block").at
    };
    assert_eq!(run(&plain), run(&same));
    assert!(run(&plain)[0] > 0.2);
}

/// A force that a track brings up lets go at the moment when it passes s N, and a torque turns by T/I.
#[test]
fn forces_follow_tracks_and_torques_turn() {
    let mut scene = block_on_a_floor(0.0);
    let path = "object.block.force.x".to_string();
    let keys = vec![[0.0, 0.0], [2.0, 98.0]];
    scene.track = vec![Track { path, keys, interpolation: Interpolation::Linear }];
    assert!(body(&after(&scene, 29), "block").at[0].abs() < 1e-4);
    assert!(body(&after(&scene, 45), "block").at[0] > 0.05);

    let wheel = Object { torque: [0.0, 0.0, 2.0], mass: Some(3.0), ..cube("wheel", 0.2, [0.0; 3]) };
    let world = after(&Scene { gravity: [0.0; 3], ..objects(vec![wheel.clone()]) }, 30);
    let inertia = 3.0 * 0.04 / 6.0;
    assert!((body(&world, "wheel").spin[2] * inertia / 2.0 - 1.0).abs() < 1e-3);

    let off = Object { torque: [0.0; 3], force: [0.0, 1.0, 0.0], force_at: Some([0.1, 0.0, 0.0]), ..wheel };
    let world = after(&Scene { gravity: [0.0; 3], ..objects(vec![off]) }, 3);
    let wheel = body(&world, "wheel");
    assert!((wheel.spin[2] * inertia / (0.1 * 0.1) - 1.0).abs() < 0.01, "{}", wheel.spin[2]);
    assert!((wheel.velocity[1] * 3.0 / 0.1 - 1.0).abs() < 1e-3);
}

/// A mass on a spring that ends above it, stretched or not, without gravity.
fn on_a_spring(mass: f32, stiffness: f32, damping: f32, rest: f32) -> Scene {
    let body = Object { mass: Some(mass), ..cube("mass", 0.1, [0.0; 3]) };
    let spring = Spring {
        damping,
        rest_length: Some(rest),
        ..Spring::new("coil", "mass", [0.0, 1.0, 0.0], stiffness)
    };
    Scene { gravity: [0.0; 3], spring: vec![spring], ..objects(vec![body]) }
}

/// Where the mass is in each frame, from its place at rest [m].
fn swing(scene: &Scene, frames: usize) -> Vec<f64> {
    let mut world = World::new(scene).expect("a sound scene");
    let rest = 1.0 - scene.spring[0].rest_length.expect("a length") as f64;
    let mut heights = vec![body(&world, "mass").at[1] - rest];
    for _ in 0..frames {
        world.advance().expect("a step");
        heights.push(body(&world, "mass").at[1] - rest);
    }
    heights
}

/// T = 2π √(m/k), and a swing that nothing damps lasts.
#[test]
fn a_spring_swings_in_its_period() {
    for (mass, stiffness, fps) in [(2.0, 50.0, 60.0), (0.5, 200.0, 60.0), (1.0, 40_000.0, 1000.0)] {
        for dimension in [2, 3] {
            let scene = Scene { fps, dimension, ..on_a_spring(mass, stiffness, 0.0, 0.9) };
            let omega = (stiffness as f64 / mass as f64).sqrt();
            let frames = (5.0 * TAU / omega * fps as f64) as usize;
            let path = swing(&scene, frames);
            for (n, x) in path.iter().enumerate() {
                let expected = -0.1 * (omega * n as f64 / fps as f64).cos();
                assert!((x - expected).abs() < 0.004, "ω = {omega}, frame {n}: {x} for {expected}");
            }
        }
    }
}

/// Under-, critically and over-damped, as books have it.
#[test]
fn dampers_damp_as_they_should() {
    let (mass, stiffness) = (2.0f64, 50.0f64);
    let omega = (stiffness / mass).sqrt();
    for ratio in [0.1, 0.5, 1.0, 2.0] {
        let damping = 2.0 * ratio * mass * omega;
        let path = swing(&on_a_spring(mass as f32, stiffness as f32, damping as f32, 0.9), 60);
        for (n, x) in path.iter().enumerate() {
            let expected = -0.1 * damped(omega, ratio, n as f64 / 30.0);
            assert!((x - expected).abs() < 5e-4, "ζ = {ratio}, frame {n}: {x} for {expected}");
        }
    }
}

/// What is let go at rest at 1, after a time.
fn damped(omega: f64, ratio: f64, t: f64) -> f64 {
    let decay = ratio * omega;
    if ratio < 1.0 {
        let turn = omega * (1.0 - ratio * ratio).sqrt();
        (-decay * t).exp() * ((turn * t).cos() + decay / turn * (turn * t).sin())
    } else if ratio == 1.0 {
        (1.0 + omega * t) * (-omega * t).exp()
    } else {
        let root = omega * (ratio * ratio - 1.0).sqrt();
        let (slow, fast) = (decay - root, decay + root);
        (fast * (-slow * t).exp() - slow * (-fast * t).exp()) / (fast - slow)
    }
}

/// What hangs on a spring hangs m g/k lower, however stiff that is; and the ledger tells its length, its tension and its energy.
#[test]
fn what_hangs_stretches_its_spring() {
    for stiffness in [100.0f32, 1e4, 1e7] {
        let mut scene = on_a_spring(2.0, stiffness, 40.0, 1.0);
        scene.gravity = [0.0, -G as f32, 0.0];
        let world = after(&scene, 90);
        let (low, weight) = (-body(&world, "mass").at[1], 2.0 * G);
        let expected = weight / stiffness as f64;
        assert!((low - expected).abs() < 0.01 * expected + 1e-6, "{low} m for {expected} m");
        let spring = &world.ledger().springs[0];
        assert_eq!(spring.name, "coil");
        assert!((spring.length - 1.0 - low).abs() < 1e-5);
        if stiffness < 1e5 {
            assert!((spring.tension / weight - 1.0).abs() < 0.02, "{}", spring.tension);
            assert!((spring.energy / (0.5 * weight * low) - 1.0).abs() < 0.03, "{}", spring.energy);
        }
    }
}

/// Two bodies on one spring: their momentum and the place of their centre stay, and they swing in 2π √(μ/k).
#[test]
fn two_on_one_spring_keep_their_momentum() {
    let left = Object { mass: Some(1.0), velocity: [0.3, 0.2, 0.0], ..cube("left", 0.1, [-0.5, 0.0, 0.0]) };
    let right = Object { mass: Some(3.0), ..cube("right", 0.1, [0.5, 0.0, 0.0]) };
    let spring = Spring {
        to: Some("right".into()),
        to_at: None,
        rest_length: Some(0.8),
        ..Spring::new("tie", "left", [0.0; 3], 30.0)
    };
    let scene = Scene { gravity: [0.0; 3], spring: vec![spring], ..objects(vec![left, right]) };
    let mut world = World::new(&scene).expect("a sound scene");
    let total = |world: &World, of: fn(&ondine::ObjectLedger) -> [f64; 3]| -> DVec3 {
        world.ledger().objects.iter().map(|o| DVec3::from(of(o))).sum()
    };
    let (linear, angular) = (total(&world, |o| o.momentum), total(&world, |o| o.angular_momentum));
    let energy = energy_of(&world);
    for _ in 0..120 {
        world.advance().expect("a step");
        assert!(total(&world, |o| o.momentum).distance(linear) < 1e-5);
        assert!(total(&world, |o| o.angular_momentum).distance(angular) < 1e-3);
        assert!((energy_of(&world) / energy - 1.0).abs() < 0.01, "{} J of {energy} J", energy_of(&world));
    }
    let [a, b] = [body(&world, "left"), body(&world, "right")];
    let centre = (DVec3::from(a.at) + 3.0 * DVec3::from(b.at)) / 4.0;
    let start = (DVec3::new(-0.5, 0.0, 0.0) + 3.0 * DVec3::new(0.5, 0.0, 0.0)) / 4.0;
    assert!(centre.distance(start + 4.0 * linear / 4.0) < 1e-3);
}

/// Energy of all objects and springs [J].
fn energy_of(world: &World) -> f64 {
    let ledger = world.ledger();
    let objects: f64 = ledger.objects.iter().map(|o| o.kinetic_energy + o.potential_energy).sum();
    objects + ledger.springs.iter().map(|s| s.energy).sum::<f64>()
}

/// Terminal velocity: m g/b, and √(2 m g/(ρ C A)); in the wind, what is free goes with it.
#[test]
fn drag_ends_a_fall_and_wind_carries() {
    let ball = |drag: Drag| Object {
        mass: Some(0.5),
        drag,
        ..free("ball", Shape::Sphere { radius: 0.1 }, [0.0; 3])
    };
    let fall = |drag: Drag, wind: [f32; 3], seconds: u32| {
        let world = after(&Scene { wind, ..objects(vec![ball(drag)]) }, 30 * seconds);
        DVec3::from(body(&world, "ball").velocity)
    };
    let linear = Drag { linear: 1.5, ..Drag::default() };
    let speed = 0.5 * 9.81 / 1.5;
    assert!((fall(linear, [0.0; 3], 5).y / -speed - 1.0).abs() < 1e-3);
    // On the way there: v = v∞ (1 − exp(−b t/m)).
    let after_a_third = speed * (1.0 - (-1.0f64).exp());
    let third = after(&Scene { fps: 3.0, ..objects(vec![ball(linear)]) }, 1);
    assert!((body(&third, "ball").velocity[1] / -after_a_third - 1.0).abs() < 0.01);
    let quadratic = Drag { coefficient: 0.47, ..Drag::default() };
    let speed = (2.0 * 0.5 * 9.81 / (1.2 * 0.47 * PI * 0.01)).sqrt();
    assert!((fall(quadratic, [0.0; 3], 30).y / -speed - 1.0).abs() < 2e-3);
    let given = Drag { area: Some(0.04), ..quadratic };
    let speed = (2.0f64 * 0.5 * 9.81 / (1.2 * 0.47 * 0.04)).sqrt();
    assert!((fall(given, [0.0; 3], 30).y / -speed - 1.0).abs() < 2e-3);
    let carried = fall(linear, [3.0, 0.0, -1.0], 5);
    assert!((carried - DVec3::new(3.0, carried.y, -1.0)).length() < 1e-2, "{carried}");
}

/// A spring that an event cuts lets go, one that is made stiffer pulls, and one to a moving object follows it.
#[test]
fn springs_are_live() {
    let mut scene = on_a_spring(1.0, 100.0, 5.0, 1.0);
    scene.gravity = [0.0, -9.81, 0.0];
    let cut = |at: f32, path: &str, value: Value| Event {
        at,
        set: BTreeMap::from([(format!("spring.coil.{path}"), value)]),
    };
    scene.event = vec![cut(1.0, "enabled", Value::Switch(false))];
    let world = after(&scene, 60);
    assert!(body(&world, "mass").velocity[1] < -9.0);
    assert_eq!(world.ledger().springs[0].energy, 0.0);
    scene.event = vec![cut(1.0, "stiffness", Value::Number(1000.0))];
    let low = body(&after(&scene, 240), "mass").at[1];
    assert!((low + 9.81 / 1000.0).abs() < 1e-3, "{low}");

    let mut leader = Object::new("leader", Shape::Sphere { radius: 0.05 }, [0.0, 1.0, 0.0]);
    (leader.motion, leader.velocity) = (ondine::scene::Motion::Moving, [1.0, 0.0, 0.0]);
    scene.object.push(leader);
    scene.event.clear();
    (scene.spring[0].to, scene.spring[0].to_at) = (Some("leader".into()), None);
    let follower = body(&after(&scene, 240), "mass");
    assert!((follower.at[0] - 8.0).abs() < 1.0 && (follower.velocity[0] - 1.0).abs() < 1.0, "{follower:?}");
}

/// What is pressed to a floor by a spring weighs more: friction holds against k x, not against the weight alone.
#[test]
fn a_spring_presses_what_lies() {
    for (force, holds) in [(95.0, true), (102.0, false)] {
        let mut scene = block_on_a_floor(force);
        let spring =
            Spring { rest_length: Some(1.0), ..Spring::new("press", "block", [0.0, 1.0, 0.0], 1000.0) };
        scene.spring = vec![spring];
        // 0.9 m are left for it: it presses with 100 N, and tilts as the block slides.
        let moved = body(&after(&scene, 15), "block").at[0];
        assert_eq!(moved < 1e-3, holds, "{force} N: {moved} m");
    }
}

/// A world that is cloned in the middle of everything goes on with the same bits, and so does one whose values were set live.
#[test]
fn forces_and_springs_go_on_as_they_were() {
    let mut scene = block_on_a_floor(45.0);
    scene.spring = vec![Spring { damping: 3.0, ..Spring::new("coil", "block", [1.0, 0.6, 0.2], 80.0) }];
    scene.wind = [2.0, 0.0, 1.0];
    scene.object[1].drag = Drag { linear: 0.5, coefficient: 1.0, area: None };
    let mut world = World::new(&scene).expect("a sound scene");
    (0..10).for_each(|_| world.advance().expect("a step"));
    world.set("object.block.force.x", 90.0).expect("a live value");
    world.set("spring.coil.stiffness", 200.0).expect("a live value");
    world.set("wind.x", -3.0).expect("a live value");
    let mut twin = world.clone();
    for _ in 0..20 {
        world.advance().expect("a step");
        twin.advance().expect("a step");
        assert_eq!(world.hash(), twin.hash());
    }
    let mut replay = World::new(&world.recorded_scene()).expect("a sound scene");
    (0..30).for_each(|_| replay.advance().expect("a step"));
    assert_eq!(world.hash(), replay.hash());
    assert_eq!(world.scene_now().spring[0].stiffness, 200.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Energy of what hangs together by springs never grows, however stiff they are and whatever the bodies weigh.
    #[test]
    fn springs_never_feed(
        bodies in prop::collection::vec((-2f32..1.5, prop::array::uniform3(-0.5f32..0.5)), 2..6),
        springs in prop::collection::vec((0usize..6, 0usize..6, 0f32..7.0, 0f32..1.0, 0f32..3.0), 1..8),
        damping in prop::sample::select(vec![0.0f32, 0.0, 0.5, 100.0]),
    ) {
        let spread = |n: usize| [0.5 * n as f32, 0.1 * (n % 3) as f32, 0.0];
        let object: Vec<Object> = bodies.iter().enumerate().map(|(n, (mass, velocity))| Object {
            mass: Some(10f32.powf(*mass)),
            velocity: *velocity,
            ..free(&format!("body-{n}"), Shape::Sphere { radius: 0.05 }, spread(n))
        }).collect();
        let name = |n: usize| format!("body-{}", n % bodies.len());
        let spring = springs.iter().enumerate().map(|(n, &(a, b, stiffness, at, rest))| {
            let own = a % bodies.len();
            let same = name(a) == name(b);
            let on = [spread(own)[0], spread(own)[1] + 0.05 * at, 0.0];
            Spring {
                at: Some(on),
                to: (!same).then(|| name(b)),
                to_at: same.then_some([0.0, 2.0, 0.3]),
                damping,
                rest_length: (rest > 0.5).then_some(rest - 0.5),
                ..Spring::new(format!("spring-{n}"), name(a), [0.0; 3], 10f32.powf(stiffness))
            }
        }).collect();
        let scene = Scene { gravity: [0.0; 3], spring, ..objects(object) };
        let mut world = World::new(&scene).expect("a sound scene");
        let start = energy_of(&world);
        for frame in 0..40 {
            world.advance().expect("a step");
            let now = energy_of(&world);
            prop_assert!(now <= 1.01 * start + 1e-4, "{start} J became {now} J in frame {frame}");
        }
    }
}
