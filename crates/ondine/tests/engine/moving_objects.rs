//! Objects that nothing resists: where they go, and what they take along.

use crate::scenes::*;
use glam::{EulerRot, Quat, Vec3};
use ondine::scene::{Event, Interpolation, Object, Preset, Shape, Track, Value};
use ondine::{Pose, Scene, World};

fn track(path: &str, keys: &[[f32; 2]], interpolation: Interpolation) -> Track {
    Track { path: path.into(), keys: keys.to_vec(), interpolation }
}

fn pose(world: &World, name: &str) -> Pose {
    world.frame().objects.into_iter().find(|o| o.name == name).expect("an object")
}

/// Largest distance between the corners of a unit cube in two places.
fn apart(pose: &Pose, at: Vec3, rotation: Quat) -> f32 {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    corners.map(|c| (pose.placement.to_world(c)).distance(at + rotation * c)).into_iter().fold(0.0, f32::max)
}

/// At every frame an object is where its tracks say, whatever the number of steps.
#[test]
fn tracks_put_objects_where_they_say() {
    let thing = Object {
        rotate: [0.0, 20.0, 0.0],
        ..moving("thing", Shape::Box { size: [0.1; 3] }, [5.0, 0.3, 5.0])
    };
    let mut drop = liquid("water", Preset::Water, 0.05);
    drop.fill = vec![block([0.2; 3], [3.0, 0.0, 0.0])];
    let scene = Scene {
        liquid: vec![drop],
        object: vec![thing],
        track: vec![
            track("object.thing.at.x", &[[0.0, 0.0], [0.5, 1.0], [1.0, -1.0]], Interpolation::Linear),
            track("object.thing.at.z", &[[0.2, 0.5], [0.8, 1.5]], Interpolation::Smooth),
            track("object.thing.rotate.x", &[[0.0, 0.0], [1.0, 300.0]], Interpolation::Linear),
            track("object.thing.rotate.z", &[[0.0, 10.0], [0.5, 100.0]], Interpolation::Linear),
        ],
        ..Scene::default()
    };
    let mut world = world(&scene);
    for frame in 1..=36 {
        advance(&mut world, 1);
        let t = frame as f32 / 30.0;
        let x = if t < 0.5 { 2.0 * t } else { (1.0 - 4.0 * (t - 0.5)).max(-1.0) };
        let u = ((t - 0.2) / 0.6).clamp(0.0, 1.0);
        let z = 0.5 + u * u * (3.0 - 2.0 * u);
        let (turn_x, turn_z) = (300.0 * t.min(1.0), 10.0 + 180.0 * t.min(0.5));
        let wanted =
            Quat::from_euler(EulerRot::ZYX, turn_z.to_radians(), 20f32.to_radians(), turn_x.to_radians());
        let off = apart(&pose(&world, "thing"), Vec3::new(x, 0.3, z), wanted);
        assert!(off < 2e-5, "{off} m at {t} s");
    }
}

/// Velocity and spin go on for ever; an event changes them.
#[test]
fn velocity_and_spin_move_objects_until_an_event_changes_them() {
    let mut wheel = moving("wheel", Shape::Box { size: [0.2, 0.1, 0.1] }, [1.0, 0.0, 0.0]);
    (wheel.velocity, wheel.spin) = ([0.5, 0.0, -1.0], [0.0, 0.0, 90.0]);
    let event = Event {
        at: 1.0,
        set: [
            ("object.wheel.spin.z".to_string(), Value::Number(-45.0)),
            ("object.wheel.velocity".to_string(), Value::Vector([0.0, 2.0, 0.0])),
        ]
        .into(),
    };
    let scene = Scene { object: vec![wheel], event: vec![event], ..Scene::default() };
    let mut world = after(&scene, 30);
    let turn = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let off = apart(&pose(&world, "wheel"), Vec3::new(1.5, 0.0, -1.0), turn(90.0));
    assert!(off < 1e-4, "{off} m");
    advance(&mut world, 30);
    let wheel = pose(&world, "wheel");
    let off = apart(&wheel, Vec3::new(1.5, 2.0, -1.0), turn(45.0));
    assert!(off < 1e-4, "{off} m: {wheel:?}");
    assert!(
        (wheel.spin[2] + std::f32::consts::FRAC_PI_4).abs() < 1e-3 && (wheel.velocity[1] - 2.0).abs() < 1e-3
    );
}

/// Mean velocity along x of honey that lies on a plate after a second, over that of the plate.
fn carried(dimension: u32, friction: f32) -> f64 {
    let mut honey = liquid("honey", Preset::Honey, 0.04);
    honey.fill = vec![block([0.4, 0.12, 0.4], [0.0, 0.06, 0.0])];
    let mut plate = moving("plate", Shape::Box { size: [4.0, 0.2, 2.0] }, [0.0, -0.1, 0.0]);
    (plate.velocity, plate.friction) = ([0.5, 0.0, 0.0], friction);
    let scene = Scene { dimension, liquid: vec![honey], object: vec![plate], ..Scene::default() };
    let now = measure(&after(&scene, 30), 0);
    assert_eq!(now.leaks, 0);
    now.momentum[0] / now.mass / 0.5
}

/// A plate that holds takes along what lies on it; one that slips slides away under it.
#[test]
fn a_rough_plate_carries_liquid_along() {
    for dimension in [2, 3] {
        let (rough, smooth) = (carried(dimension, 1.0), carried(dimension, 0.0));
        println!("{dimension}D: carried {rough} by a rough plate, {smooth} by a smooth one");
        assert!((rough - 1.0).abs() < 0.05, "{rough}");
        assert!(smooth.abs() < 0.02, "{smooth}");
    }
}

/// Mean of the velocity around a cylinder that turns in a round vessel of honey, over that of its surface.
fn dragged(friction: f32) -> f64 {
    let (radius, spin) = (0.15f32, 360f32);
    let mut honey = liquid("honey", Preset::Honey, 0.03);
    honey.fill = vec![block([0.5, 0.5, 0.1], [0.0; 3])];
    let mut roller = moving("roller", Shape::Sphere { radius }, [0.0; 3]);
    (roller.spin, roller.friction) = ([0.0, 0.0, spin], friction);
    let vessel = Object::new("vessel", Shape::Container { size: [0.56, 0.56, 0.1], open: false }, [0.0; 3]);
    let scene = Scene { object: vec![roller, vessel], ..weightless(2, honey) };
    let world = after(&scene, 15);
    let around = |(x, v): (&[f32; 3], &[f32; 3])| ((x[0] * v[1] - x[1] * v[0]) / x[0].hypot(x[1])) as f64;
    let (x, v) = (positions(&world), velocities(&world));
    assert_eq!(measure(&world, 0).leaks, 0);
    x.iter().zip(&v).map(around).sum::<f64>() / x.len() as f64 / (radius * spin.to_radians()) as f64
}

#[test]
fn a_rough_roller_drags_liquid_round() {
    let (rough, smooth) = (dragged(1.0), dragged(0.0));
    println!("dragged {rough} by a rough roller, {smooth} by a smooth one");
    assert!(rough > 0.05 && rough < 1.0, "{rough}");
    assert!(smooth.abs() < 0.01, "{smooth}");
}
