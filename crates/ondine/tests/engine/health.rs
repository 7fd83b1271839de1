//! What goes wrong is told, and what is right is left alone.

use crate::rigid_bodies::{cube, joint};
use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Event, Joint, JointKind, Liquid, Object, Preset, Shape, Value};

fn tied(name: &str, to: Option<&str>) -> Joint {
    Joint { name: name.into(), to: to.map(Into::into), ..joint(JointKind::Ball, "cube", [0.0; 3]) }
}

/// A cube that one joint ties to the world and another to what drives away.
fn pulled_apart(speed: f32) -> Scene {
    let cart = Object {
        velocity: [speed, 0.0, 0.0],
        ..moving("cart", Shape::Box { size: [0.1; 3] }, [0.0, 1.0, 0.0])
    };
    let joint = vec![tied("anchor", None), tied("rope", Some("cart"))];
    Scene { object: vec![cube("cube", 0.2, [0.0; 3]), cart], joint, ..Scene::default() }
}

#[test]
fn a_torn_joint_stops_the_run() {
    let mut world = world(&pulled_apart(2.0));
    let failure = (0..120).find_map(|_| world.advance().err()).expect("it must stop");
    assert!(failure.system.starts_with("joint."), "{failure}");
    assert!(failure.what.contains("torn apart"), "{failure}");
    assert!(failure.cause.contains("room to move"), "{failure}");
}

/// A joint that strains a little, as it is pulled by a fifth of the size of what it holds, is left alone.
#[test]
fn a_strained_joint_goes_on() {
    after(&pulled_apart(0.01), 120);
}

/// Everything falls for long without ever meeting anything: fast, and right.
#[test]
fn a_long_fall_is_right() {
    let ball = free("ball", Shape::Sphere { radius: 0.1 }, [1.0, 0.0, 0.0]);
    let water = Liquid { fill: vec![block([0.2; 3], [0.0; 3])], ..liquid("water", Preset::Water, 0.05) };
    let world = after(&Scene { object: vec![ball], liquid: vec![water], ..Scene::default() }, 300);
    assert!(length(body(&world, "ball").velocity) > 95.0);
}

/// A still tank is hit by a plate that an event sends off at 30 m/s in the middle of a frame.
#[test]
fn a_sudden_blow_is_right() {
    let water = Liquid {
        fill: vec![block([0.9, 0.4, 0.4], [0.5, 0.2, 0.0])],
        ..liquid("water", Preset::Water, 0.05)
    };
    let plate = moving("plate", Shape::Box { size: [0.05, 0.3, 0.3] }, [0.5, 0.2, 0.0]);
    let set = [("object.plate.velocity".to_string(), Value::Vector([30.0, 0.0, 0.0]))].into();
    let scene = Scene {
        object: vec![floor(), plate],
        liquid: vec![water],
        event: vec![Event { at: 0.35, set }],
        ..Scene::default()
    };
    let world = after(&scene, 30);
    assert!(measure(&world, 0).max_speed > 10.0, "{}", measure(&world, 0).max_speed);
}
