//! Objects among themselves: falling, resting, bouncing, and held by joints.

use crate::scenes::*;
use glam::{DQuat, DVec3};
use ondine::scene::{Event, Joint, JointKind, Object, Shape, Value};
use ondine::{ObjectLedger, Scene, World};
use std::collections::BTreeMap;

pub const G: f64 = 9.81;

pub fn cube(name: &str, side: f32, at: [f32; 3]) -> Object {
    free(name, Shape::Box { size: [side; 3] }, at)
}

pub fn joint(kind: JointKind, object: &str, at: [f32; 3]) -> Joint {
    Joint {
        name: format!("{kind:?}").to_lowercase(),
        kind,
        object: object.into(),
        to: None,
        at,
        axis: [0.0, 0.0, 1.0],
        limits: None,
        speed: None,
    }
}

pub fn objects(object: Vec<Object>) -> Scene {
    Scene { object, ..Scene::default() }
}

pub fn held(object: Vec<Object>, joint: Joint) -> Scene {
    Scene { object, joint: vec![joint], ..Scene::default() }
}

/// Where a point of the object's own frame is.
pub fn point(object: &ObjectLedger, p: [f64; 3]) -> DVec3 {
    DVec3::from(object.at) + DQuat::from_array(object.rotation) * DVec3::from(p)
}

/// Angle about z [rad].
pub fn angle(object: &ObjectLedger) -> f64 {
    let x = DQuat::from_array(object.rotation) * DVec3::X;
    x.y.atan2(x.x)
}

/// y = v t − g t²/2, but for what steps add: at most half of g t dt.
#[test]
fn a_thrown_body_falls_as_it_should() {
    for dimension in [2, 3] {
        let mut ball = free("ball", Shape::Sphere { radius: 0.1 }, [0.0; 3]);
        ball.velocity = [2.0, 3.0, 0.0];
        ball.spin = [0.0, 0.0, 90.0];
        let world = after(&Scene { dimension, ..objects(vec![ball]) }, 30);
        let ball = body(&world, "ball");
        assert!((ball.velocity[1] - (3.0 - G)).abs() < 1e-4, "{:?}", ball.velocity);
        assert!((ball.at[0] - 2.0).abs() < 1e-4);
        let step = 1.0 / (30.0 * world.ledger().substeps as f64);
        let y = 3.0 - 0.5 * G;
        assert!((ball.at[1] - y).abs() < 1.01 * 0.5 * G * step, "{} for {y}", ball.at[1]);
        assert!(step < 0.01, "a step of {step} s");
        assert!((angle(&ball) - 0.5 * std::f64::consts::PI).abs() < 1e-3, "{}", angle(&ball));
    }
}

/// A cone's centre of mass is a quarter of its height above its base, not at its origin: gravity does not turn it, and
/// spinning it turns about that centre, which falls straight.
#[test]
fn a_body_turns_about_its_centre_of_mass() {
    let mut cone = free("cone", Shape::Cone { radius: 0.2, height: 0.8 }, [0.0; 3]);
    cone.rotate = [30.0, 0.0, 50.0];
    let still = body(&after(&objects(vec![cone.clone()]), 30), "cone");
    assert!(length(still.spin) < 1e-6, "{:?}", still.spin);
    cone.spin = [0.0, 0.0, 180.0];
    let mut world = world(&Scene { gravity: [0.0; 3], ..objects(vec![cone]) });
    let centre = |world: &World| point(&body(world, "cone"), [0.0, -0.2, 0.0]);
    let (start, velocity) = (centre(&world), DVec3::from(body(&world, "cone").velocity));
    let mut strayed = 0f64;
    for _ in 0..30 {
        advance(&mut world, 1);
        let wanted = start + world.time() * velocity;
        assert!(centre(&world).distance(wanted) < 2e-3, "{} for {wanted}", centre(&world));
        let origin = DVec3::from(body(&world, "cone").at);
        strayed = strayed
            .max((origin - wanted).distance(point(&still, [0.0; 3]) - point(&still, [0.0, -0.2, 0.0])));
    }
    assert!(strayed > 0.1, "the origin goes round it: {strayed}");
}

/// A box on a floor sinks in by less than a hundredth of its side, and goes to sleep: not a bit of it changes.
#[test]
fn a_box_rests_and_sleeps() {
    for (dimension, side) in [(2, 0.3), (3, 0.3), (3, 0.03)] {
        let scene = Scene { dimension, ..objects(vec![floor(), cube("box", side, [0.1, 0.55 * side, 0.0])]) };
        let mut world = after(&scene, 120);
        let rest = body(&world, "box");
        let side = side as f64;
        assert!((rest.at[1] - 0.5 * side).abs() < 0.01 * side, "{dimension}D {side}: {:?}", rest.at);
        let aside = (rest.at[0] - 0.1).abs();
        assert!(
            aside < 0.01 * side && angle(&rest).abs() < 0.01,
            "{dimension}D {side}: {aside} {}",
            angle(&rest)
        );
        advance(&mut world, 30);
        assert_eq!(body(&world, "box"), rest, "{dimension}D {side}: asleep");
    }
}

#[test]
fn a_stack_of_three_stays() {
    for dimension in [2, 3] {
        let side = 0.2f32;
        let boxes = (0..3).map(|n| cube(&format!("box {n}"), side, [0.0, (0.5 + n as f32) * side, 0.0]));
        let scene = Scene { dimension, ..objects(std::iter::once(floor()).chain(boxes).collect()) };
        let world = after(&scene, 150);
        for (n, b) in world.ledger().objects.iter().enumerate() {
            let y = (0.5 + n as f64) * side as f64;
            assert!((b.at[1] - y).abs() < 0.02 * side as f64, "{dimension}D: {} at {:?}", b.name, b.at);
            assert!(b.at[0].abs() < 0.01 * side as f64 && length(b.velocity) < 1e-3, "{dimension}D: {b:?}");
        }
    }
}

/// An event makes a dead floor throw a ball back.
#[test]
fn restitution_can_be_changed() {
    let ball = free("ball", Shape::Sphere { radius: 0.1 }, [0.0, 1.1, 0.0]);
    let set: BTreeMap<_, _> = [("object.floor.restitution".to_string(), Value::Number(0.8))].into();
    for (at, is_dead) in [(0.1, false), (10.0, true)] {
        let event = vec![Event { at, set: set.clone() }];
        let scene = Scene { object: vec![floor(), ball.clone()], event, fps: 100.0, ..Scene::default() };
        let mut world = world(&scene);
        // It falls for 0.45 s, and rises by 0.64 m in 0.36 s.
        advance(&mut world, 81);
        let height = world.ledger().objects[0].at[1];
        let expected = if is_dead { 0.1 } else { 0.74 };
        assert!((height - expected).abs() < 0.02, "{height} for {expected}");
    }
}

/// From 1 m a ball comes back to e² m.
#[test]
fn a_ball_bounces_as_it_should() {
    for e in [0.4f32, 0.5, 0.8, 1.0] {
        let mut ball = free("ball", Shape::Sphere { radius: 0.1 }, [0.0, 1.1, 0.0]);
        let mut ground = floor();
        (ball.restitution, ground.restitution) = (e, e);
        let mut world = world(&Scene { fps: 120.0, ..objects(vec![ground, ball]) });
        let (mut struck, mut highest) = (false, 0f64);
        for _ in 0..110 {
            advance(&mut world, 1);
            let ball = body(&world, "ball");
            struck |= ball.velocity[1] > 0.0;
            if struck {
                highest = highest.max(ball.at[1] - 0.1);
            }
        }
        let wanted = (e * e) as f64;
        assert!((highest / wanted - 1.0).abs() < 0.02, "e = {e}: {highest} for {wanted}");
    }
}

/// A ball thrown in a closed box, without friction: its energy stays, with and without gravity.
#[test]
fn an_elastic_ball_does_not_tire() {
    for (dimension, gravity) in [(2, 0.0), (2, -9.81), (3, 0.0), (3, -9.81f32)] {
        let mut ball = free("ball", Shape::Sphere { radius: 0.05 }, [0.3, 0.5, 0.0]);
        ball.velocity = [1.9, 0.7, if dimension == 3 { 1.3 } else { 0.0 }];
        let mut room = tank([1.2, 1.2, 0.4]);
        (ball.restitution, ball.grip, room.grip) = (1.0, 0.0, 0.0);
        let mut world =
            world(&Scene { dimension, gravity: [0.0, gravity, 0.0], ..objects(vec![room, ball]) });
        let energy = |world: &World| {
            let ball = body(world, "ball");
            ball.kinetic_energy + ball.potential_energy
        };
        let start = energy(&world);
        advance(&mut world, 60);
        let change = energy(&world) / start - 1.0;
        assert!(change.abs() < 0.01, "{dimension}D, gravity {gravity}: {change}");
    }
}

/// Nor do 25 of them among each other, also where one meets two at once.
#[test]
fn elastic_balls_do_not_tire_one_another() {
    for (dimension, gravity) in [(2, 0.0), (2, -9.81), (3, 0.0), (3, -9.81f32)] {
        let ball = |n: usize| {
            let at = [0.2 + 0.2 * (n % 5) as f32, 0.2 + 0.2 * (n / 5) as f32, 0.0];
            let share = |by: usize, of: usize| (n * by % of) as f32 / of as f32 - 0.5;
            let (x, y) = (share(7919, 101), share(104_729, 97));
            Object {
                velocity: [4.0 * x, 4.0 * y, if dimension == 3 { 2.0 * x * y } else { 0.0 }],
                restitution: 1.0,
                grip: 0.0,
                ..free(&format!("{n}"), Shape::Sphere { radius: 0.05 }, at)
            }
        };
        let room = Object { grip: 0.0, ..tank([1.2, 1.2, 0.4]) };
        let all = std::iter::once(room).chain((0..25).map(ball)).collect();
        let mut world = world(&Scene { dimension, gravity: [0.0, gravity, 0.0], ..objects(all) });
        let energy = |world: &World| -> f64 {
            world.ledger().objects.iter().map(|o| o.kinetic_energy + o.potential_energy).sum()
        };
        let start = energy(&world);
        advance(&mut world, 60);
        let change = energy(&world) / start - 1.0;
        assert!(change.abs() < 0.01, "{dimension}D, gravity {gravity}: {change}");
    }
}

/// T = 2π √((L² + 2r²/5) / gL).
#[test]
fn a_pendulum_has_its_period() {
    let (l, r, turn) = (0.5f32, 0.1f32, 0.08f32);
    let bob = free("bob", Shape::Sphere { radius: r }, [l * turn.sin(), -l * turn.cos(), 0.0]);
    let fps = 120.0;
    let mut world = world(&Scene { fps, ..held(vec![bob], joint(JointKind::Hinge, "bob", [0.0; 3])) });
    let mut crossings = Vec::new();
    let mut before = l * turn.sin();
    for frame in 1..=600 {
        advance(&mut world, 1);
        let bob = body(&world, "bob");
        let x = bob.at[0] as f32;
        if before > 0.0 && x <= 0.0 {
            crossings.push((frame as f32 - x / (x - before)) / fps);
        }
        let arm = DVec3::from(bob.at).length() as f32;
        assert!((arm / l - 1.0).abs() < 0.01, "{arm}");
        before = x;
    }
    let periods = crossings.len() - 1;
    let period = (crossings[periods] - crossings[0]) / periods as f32;
    let wanted = std::f32::consts::TAU * ((l * l + 0.4 * r * r) / (9.81 * l)).sqrt();
    assert!(periods >= 2 && (period / wanted - 1.0).abs() < 0.03, "{period} s for {wanted}");
}

/// Two boxes welded at a corner are one: what they fall on turns both alike. One end falls on a kerb; on the flat floor both
/// would land flat, for their centre of mass is above the beam.
#[test]
fn a_weld_does_not_give() {
    let beam = free("beam", Shape::Box { size: [0.6, 0.1, 0.2] }, [0.0, 0.6, 0.0]);
    let post = cube("post", 0.2, [0.3, 0.75, 0.0]);
    let weld = Joint { to: Some("beam".into()), ..joint(JointKind::Weld, "post", [0.3, 0.65, 0.0]) };
    let kerb = Object::new("kerb", Shape::Box { size: [0.2, 0.2, 0.4] }, [-0.3, 0.1, 0.0]);
    let mut world = world(&held(vec![floor(), kerb, beam, post], weld));
    let mut turned = 0f64;
    for _ in 0..60 {
        advance(&mut world, 1);
        let (beam, post) = (body(&world, "beam"), body(&world, "post"));
        let gap = point(&beam, [0.3, 0.15, 0.0]).distance(point(&post, [0.0; 3]));
        assert!(gap < 0.01, "{gap} m at {} s", world.time());
        let apart = DQuat::from_array(beam.rotation).angle_between(DQuat::from_array(post.rotation));
        assert!(apart < 0.05, "{apart} rad");
        turned = turned.max(angle(&beam).abs());
    }
    assert!(turned > 0.1, "the heavy end goes down: {turned}");
}

/// A rod on a ball joint swings out of any plane, but its end stays.
#[test]
fn a_ball_joint_holds_a_point() {
    let mut rod = free("rod", Shape::Capsule { radius: 0.03, height: 0.4 }, [0.2, 1.0, 0.0]);
    rod.rotate = [0.0, 0.0, 90.0];
    rod.velocity = [0.0, 0.0, 1.0];
    let mut world = world(&held(vec![rod], joint(JointKind::Ball, "rod", [0.0, 1.0, 0.0])));
    let (mut low, mut aside) = (0f64, 0f64);
    for _ in 0..90 {
        advance(&mut world, 1);
        let rod = body(&world, "rod");
        // Turned by 90° about z, its own +y is the world's −x: the joint is at its upper end.
        let end = point(&rod, [0.0, 0.2, 0.0]);
        assert!(end.distance(DVec3::Y) < 0.005, "{end}");
        (low, aside) = (low.max(1.0 - rod.at[1]), aside.max(rod.at[2].abs()));
    }
    assert!(low > 0.1 && aside > 0.05, "it swings: {low} {aside}");
}

/// A slider lets a box down along its axis, without turning, to its limit.
#[test]
fn a_slider_slides_to_its_limit() {
    let slider = Joint {
        axis: [1.0, -1.0, 0.0],
        limits: Some([-0.1, 0.3]),
        ..joint(JointKind::Slider, "box", [0.1, 0.0, 0.0])
    };
    for dimension in [2, 3] {
        let scene = held(vec![cube("box", 0.2, [0.0; 3])], slider.clone());
        let mut world = world(&Scene { dimension, ..scene });
        for _ in 0..60 {
            advance(&mut world, 1);
            let b = body(&world, "box");
            assert!((b.at[0] + b.at[1]).abs() < 2e-3 && b.at[2].abs() < 2e-3, "{dimension}D: {:?}", b.at);
            assert!(DQuat::from_array(b.rotation).angle_between(DQuat::IDENTITY) < 0.01);
            assert!(length(b.at) < 0.31, "{dimension}D: {:?}", b.at);
        }
        let gone = length(body(&world, "box").at);
        assert!((gone - 0.3).abs() < 0.005, "{dimension}D: {gone}");
    }
}

/// A door that falls open stops at its limit.
#[test]
fn a_hinge_keeps_its_limits() {
    let door = free("door", Shape::Box { size: [0.4, 0.05, 0.3] }, [0.2, 0.0, 0.0]);
    let hinge = Joint { limits: Some([-40.0, 20.0]), ..joint(JointKind::Hinge, "door", [0.0; 3]) };
    for dimension in [2, 3] {
        let mut world = world(&Scene { dimension, ..held(vec![door.clone()], hinge.clone()) });
        for _ in 0..60 {
            advance(&mut world, 1);
            let turn = angle(&body(&world, "door")).to_degrees();
            assert!(turn > -42.0 && turn < 1.0, "{dimension}D: {turn}°");
        }
        let turn = angle(&body(&world, "door")).to_degrees();
        assert!((turn + 40.0).abs() < 1.5, "{dimension}D: {turn}°");
    }
}

#[test]
fn motors_reach_their_speed() {
    for dimension in [2, 3] {
        let hinge = Joint { speed: Some(180.0), ..joint(JointKind::Hinge, "wheel", [0.0; 3]) };
        let wheel = free("wheel", Shape::Box { size: [0.4, 0.1, 0.1] }, [0.0; 3]);
        let wheel = body(&after(&Scene { dimension, ..held(vec![wheel], hinge) }, 30), "wheel");
        assert!((wheel.spin[2] / std::f64::consts::PI - 1.0).abs() < 0.02, "{dimension}D: {:?}", wheel.spin);
        let slider =
            Joint { speed: Some(0.5), axis: [1.0, 0.0, 0.0], ..joint(JointKind::Slider, "sled", [0.0; 3]) };
        let scene = held(vec![cube("sled", 0.2, [0.0; 3])], slider);
        let sled = body(&after(&Scene { dimension, ..scene }, 30), "sled");
        assert!((sled.velocity[0] / 0.5 - 1.0).abs() < 0.02, "{dimension}D: {:?}", sled.velocity);
        assert!((sled.at[0] / 0.5 - 1.0).abs() < 0.05, "{dimension}D: {:?}", sled.at);
    }
}

/// v = g t, whatever else falls: a bead does not hold back a ball.
#[test]
fn bodies_of_all_sizes_fall_alike() {
    for dimension in [2, 3] {
        let sizes = [0.005f32, 0.01, 0.3, 1.0];
        let fall = |(n, radius): (usize, f32)| {
            free(&format!("{n}"), Shape::Sphere { radius }, [4.0 * n as f32, 0.0, 0.0])
        };
        let falling = sizes.into_iter().enumerate().map(fall).collect();
        let world = after(&Scene { dimension, ..objects(falling) }, 60);
        for o in world.ledger().objects {
            assert!(
                (o.velocity[1] / (-2.0 * G) - 1.0).abs() < 1e-4,
                "{dimension}D {}: {:?}",
                o.name,
                o.velocity
            );
        }
    }
}

/// A ball or a plate, and a thin wall: fixed, moving, free, or both on their way, at any speed, neither gets through the other.
#[test]
fn nothing_flies_through_a_thin_wall() {
    let wall = |thick: f32| Shape::Box { size: [thick, 1.0, 1.0] };
    let at = [1.0, 0.0, 0.0];
    for (dimension, speed, thick) in [2, 3]
        .into_iter()
        .flat_map(|d| [(d, 20f32), (d, 100.0)])
        .flat_map(|(d, speed)| [(d, speed, 0.01f32), (d, speed, 0.002)])
    {
        let ball = Shape::Sphere { radius: 0.1 };
        let plate = Shape::Box { size: [thick, 0.2, 0.2] };
        let cases = [
            (ball.clone(), 1.0, Object::new("wall", wall(thick), at), 0.0),
            (ball.clone(), 1.0, moving("wall", wall(thick), at), -0.5),
            (ball.clone(), 0.0, moving("wall", wall(thick), at), -1.0),
            (ball.clone(), 1.0, free("wall", wall(thick), at), 0.0),
            (ball, 1.0, free("wall", wall(thick), at), -1.0),
            (plate, 1.0, free("wall", wall(thick), at), 0.0),
        ];
        for (n, (shape, forth, mut wall, back)) in cases.into_iter().enumerate() {
            let mut thrown = free("thrown", shape, [0.0; 3]);
            (thrown.velocity[0], wall.velocity[0]) = (forth * speed, back * speed);
            let mut world = world(&Scene { dimension, gravity: [0.0; 3], ..objects(vec![thrown, wall]) });
            for _ in 0..15 {
                advance(&mut world, 1);
                let at = |n: usize| world.frame().objects[n].placement.at.x;
                assert!(at(0) < at(1), "{dimension}D {speed} m/s, {thick} m, case {n}: {} {}", at(0), at(1));
            }
        }
    }
}

/// Bodies of a planar scene collide every way but out of the plane.
#[test]
fn planar_bodies_stay_in_the_plane() {
    let shapes = [
        Shape::Box { size: [0.2, 0.3, 0.25] },
        Shape::Sphere { radius: 0.1 },
        Shape::Capsule { radius: 0.06, height: 0.2 },
        Shape::Cone { radius: 0.12, height: 0.3 },
        Shape::Cylinder { radius: 0.1, height: 0.2 },
    ];
    let fall = shapes.into_iter().enumerate().map(|(n, shape)| {
        let mut o = free(&format!("{n}"), shape, [0.7 + 0.06 * n as f32, 0.3 + 0.5 * n as f32, 0.0]);
        o.rotate = [0.0, 0.0, 25.0 * n as f32];
        o
    });
    let scene =
        Scene { dimension: 2, ..objects(std::iter::once(tank([1.5, 4.0, 0.3])).chain(fall).collect()) };
    let mut world = world(&scene);
    for _ in 0..90 {
        advance(&mut world, 1);
        for o in world.ledger().objects {
            assert_eq!((o.at[2], o.velocity[2], o.spin[0], o.spin[1]), (0.0, 0.0, 0.0, 0.0), "{o:?}");
            assert_eq!((o.rotation[0], o.rotation[1]), (0.0, 0.0), "{o:?}");
            assert!(o.at[0] > 0.0 && o.at[0] < 1.5 && o.at[1] > 0.0, "{o:?}");
        }
    }
    assert!(world.ledger().objects.iter().any(|o| angle(o).abs() > 0.2), "they tumble");
}
