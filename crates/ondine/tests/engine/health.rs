//! What goes wrong is told, and what is right is left alone.

use crate::rigid_bodies::{cube, joint};
use crate::scenes::*;
use ondine::Scene;
use ondine::objects::Collider;
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

/// A still pool in an open tank.
fn pool(spacing: f32) -> Scene {
    let fill = vec![block([0.96, 0.4, 0.48], [0.5, 0.2, 0.0])];
    let water = Liquid { fill, ..liquid("water", Preset::Water, spacing) };
    let walls = Shape::Container { size: [1.0, 2.0, 0.5], open: true };
    let tank = Object::new("tank", walls, [0.5, 1.0, 0.0]);
    Scene { liquid: vec![water], object: vec![tank], ..Scene::default() }
}

/// What an event brings back in the middle of a pool grows there: nobody is caught in it, none is thrown out.
#[test]
fn what_appears_in_liquid_grows() {
    let rocks = [
        Object::new("rock", Shape::Sphere { radius: 0.15 }, [0.5, 0.2, 0.0]),
        Object::new("rock", Shape::Box { size: [0.3, 0.2, 0.3] }, [0.5, 0.2, 0.0]),
        Object { density: 2000.0, ..free("rock", Shape::Sphere { radius: 0.15 }, [0.5, 0.2, 0.0]) },
    ];
    for rock in rocks {
        let mut scene = pool(0.05);
        scene.object.push(Object { enabled: false, ..rock.clone() });
        let set = [("object.rock.enabled".to_string(), Value::Switch(true))].into();
        scene.event.push(Event { at: 0.5, set });
        let mut world = world(&scene);
        let fastest = (0..45).map(|_| {
            advance(&mut world, 1);
            let now = measure(&world, 0);
            assert_eq!(now.leaks, 0, "{rock:?}");
            now.max_speed
        });
        let fastest = fastest.fold(0.0, f64::max);
        assert!(fastest < 3.0, "{fastest} m/s around {rock:?}");
        // In the end all of it is there.
        let collider = Collider::of(&rock.shape, world.frame().objects[1].placement, &scene);
        let nearest =
            positions(&world).into_iter().map(|p| collider.distance(p.into())).fold(f32::MAX, f32::min);
        assert!(nearest > 0.0, "{nearest}");
    }
}

/// Two plates that close on a pool, in an open tank and in a closed one: the run stops, and says who closes.
#[test]
fn what_closes_on_liquid_is_told() {
    for open in [true, false] {
        let mut scene = pool(0.05);
        let height = if open { 2.0 } else { 0.42 };
        scene.object[0] = Object::new(
            "tank",
            Shape::Container { size: [3.0, height, 0.5], open },
            [0.5, 0.5 * height, 0.0],
        );
        scene.liquid[0].fill = vec![block([0.6, 0.4, 0.48], [0.5, 0.2, 0.0])];
        let plate = |name: &str, x: f32, speed: f32| Object {
            velocity: [speed, 0.0, 0.0],
            ..moving(name, Shape::Box { size: [0.2, 0.6, 0.7] }, [x, 0.2, 0.0])
        };
        scene.object.extend([plate("left", 0.05, 0.4), plate("right", 0.95, -0.4)]);
        let mut world = world(&scene);
        let failure = (0..60).find_map(|_| world.advance().err()).expect("it must stop");
        assert_eq!(failure.system, "liquid.water", "{failure}");
        for part in ["object.left", "object.right", "stop what moves"] {
            assert!(failure.cause.contains(part), "{failure}");
        }
    }
}
