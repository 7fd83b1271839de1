//! What has come to rest stays, and costs nothing until something changes.

use crate::scenes::*;
use ondine::scene::{Event, Object, Preset, Shape, Track, Value};
use ondine::{Scene, World};

/// When everything is long at rest [s].
const LATE: f32 = 8.0;

/// A pool that comes to rest soon, for it is thick.
fn pool() -> Scene {
    let mut water = liquid("water", Preset::Water, 0.02);
    water.viscosity.linear = 20.0;
    water.fill = vec![block([0.3, 0.12, 0.1], [0.15, 0.06, 0.0])];
    Scene { dimension: 2, liquid: vec![water], object: vec![tank([0.3, 0.5, 0.1])], ..Scene::default() }
}

fn until(scene: &Scene, time: f32) -> World {
    after(scene, (time * scene.fps).round() as u32)
}

fn is_asleep(world: &World) -> bool {
    world.ledger().substeps == 0
}

#[test]
fn a_pool_comes_to_rest_and_stays_to_the_bit() {
    let mut world = until(&pool(), LATE);
    assert!(is_asleep(&world), "{} mm/s", 1000.0 * measure(&world, 0).max_speed);
    assert_eq!(measure(&world, 0).kinetic_energy, 0.0);
    let before = positions(&world);
    advance(&mut world, 60);
    assert!(is_asleep(&world));
    assert_eq!(before, positions(&world));
}

#[test]
fn nothing_sleeps_that_is_told_not_to() {
    assert!(!is_asleep(&until(&Scene { sleep: false, ..pool() }, LATE)));
}

/// A cube floats in a tank, all sleeps in the end, and the cube stands as deep as its weight asks.
#[test]
fn what_floats_comes_to_rest_too() {
    let mut water = liquid("water", Preset::Water, 0.03);
    water.fill = vec![block([0.36, 0.18, 0.36], [0.18, 0.09, 0.0])];
    let cube = free("cube", Shape::Box { size: [0.15; 3] }, [0.18, 0.2, 0.0]);
    let object = vec![tank([0.36, 0.6, 0.36]), Object { density: 500.0, ..cube }];
    let world = until(&Scene { liquid: vec![water], object, ..Scene::default() }, 30.0);
    assert!(is_asleep(&world), "{} mm/s", 1000.0 * measure(&world, 0).max_speed);
    let level = (measure(&world, 0).mass / 1000.0 + 0.5 * 0.15f64.powi(3)) / (0.36 * 0.36);
    let height = world.ledger().objects[0].at[1];
    assert!((height - level).abs() < 0.005, "{height} for {level}");
}

/// An event, a track, an emitter and an object that moves: each wakes what sleeps, and when it is over all sleeps again.
#[test]
fn changes_wake_what_sleeps() {
    let at = LATE + 0.5;
    let tilted = |scene: &mut Scene| {
        let set = [("gravity.x".to_string(), Value::Number(3.0))].into();
        scene.event.push(Event { at, set });
    };
    let tracked = |scene: &mut Scene| {
        let (path, keys) = ("gravity.x".to_string(), vec![[at, 0.0], [at + 0.3, 2.0]]);
        scene.track.push(Track { path, keys, interpolation: Default::default() });
    };
    let poured = |scene: &mut Scene| {
        let mut nozzle = disc(0.03, [0.15, 0.3, 0.0], [0.0, -1.0, 0.0]);
        (nozzle.start, nozzle.stop) = (at, Some(at + 0.2));
        scene.liquid[0].emitter.push(nozzle);
    };
    let stirred = |scene: &mut Scene| {
        scene.object.push(moving("rod", Shape::Sphere { radius: 0.05 }, [0.15, 0.3, 0.0]));
        let (path, keys) = ("object.rod.at.y".to_string(), vec![[at, 0.3], [at + 0.5, 0.1]]);
        scene.track.push(Track { path, keys, interpolation: Default::default() });
    };
    let changes: [&dyn Fn(&mut Scene); 4] = [&tilted, &tracked, &poured, &stirred];
    for (n, change) in changes.into_iter().enumerate() {
        let mut scene = pool();
        change(&mut scene);
        let mut world = until(&scene, LATE);
        assert!(is_asleep(&world), "change {n}");
        let before = positions(&world);
        advance(&mut world, 30);
        assert!(!is_asleep(&world), "change {n}");
        assert_ne!(before, positions(&world), "change {n}");
        advance(&mut world, 2 * (LATE * scene.fps) as u32);
        assert!(is_asleep(&world), "change {n}: {} mm/s", 1000.0 * measure(&world, 0).max_speed);
    }
}

/// A camera that moves is no reason to wake, and moves on.
#[test]
fn the_camera_moves_over_what_sleeps() {
    let mut scene = pool();
    scene.camera = Some(Default::default());
    scene.track.push(Track {
        path: "camera.at.x".into(),
        keys: vec![[0.0, 0.0], [20.0, 20.0]],
        interpolation: Default::default(),
    });
    let world = until(&scene, LATE);
    assert!(is_asleep(&world));
    let x = world.scene_now().camera.as_ref().map(|camera| camera.at[0]);
    assert!(x.is_some_and(|x| (x - LATE).abs() < 0.05), "{x:?}");
}

/// Honey that still spreads is slow, and awake.
#[test]
fn what_creeps_does_not_sleep() {
    let mut honey = liquid("honey", Preset::Honey, 0.01);
    honey.fill = vec![block([0.1, 0.1, 0.1], [0.0, 0.05, 0.0])];
    let mut ground = floor();
    ground.friction = 1.0;
    let scene = Scene { dimension: 2, liquid: vec![honey], object: vec![ground], ..Scene::default() };
    let mut world = world(&scene);
    for _ in 0..600 {
        advance(&mut world, 1);
        assert!(!is_asleep(&world), "asleep after {} s", world.time());
    }
}
