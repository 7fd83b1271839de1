//! A session with live edits, written down as a scene, does the same again, bit for bit: from the start, and from a checkpoint.
#![allow(clippy::disallowed_methods)]

use ondine::scene::{Fill, Liquid, Motion, Object, Preset, Shape};
use ondine::{Scene, World};
use ondine_io::checkpoint;
use ondine_io::scene_text::{Source, parse, write};

fn free(name: &str, shape: Shape, at: [f32; 3]) -> Object {
    Object { motion: Motion::Free, ..Object::new(name, shape, at) }
}

/// A pool in a tank, and a mill that turns.
fn pool(dimension: u32) -> Scene {
    let mut water = Liquid::new("water", Preset::Water);
    water.spacing = if dimension == 2 { 0.03 } else { 0.06 };
    water.fill.push(Fill::new(Shape::Box { size: [0.96, 0.24, 0.48] }, [0.0, 0.12, 0.0]));
    let tank = Object::new("tank", Shape::Container { size: [0.96, 1.2, 0.48], open: true }, [0.0, 0.6, 0.0]);
    let mut mill = Object::new("mill", Shape::Box { size: [0.2, 0.05, 0.2] }, [-0.3, 0.7, 0.0]);
    (mill.motion, mill.spin) = (Motion::Moving, [0.0, 0.0, 90.0]);
    Scene {
        dimension,
        duration: 0.2,
        max_substeps: 8,
        liquid: vec![water],
        object: vec![tank, mill],
        ..Scene::default()
    }
}

/// What somebody does before frame number `n` of a session.
fn meddle(world: &mut World, n: u32) {
    let done = match n {
        1 => world.set("liquid.water.viscosity.linear", 0.5),
        2 => world.add_object(free("cube", Shape::Box { size: [0.15; 3] }, [0.1, 0.5, 0.0])),
        3 => world.push("cube", [0.1, 0.4, 0.0], Some([0.12, 0.5, 0.0])),
        5 => world.grab("cube", [0.1, 0.55, 0.0]).and_then(|()| world.drag("cube", [0.2, 0.6, 0.0])),
        6..=9 => world.drag("cube", [0.2 - 0.05 * n as f32, 0.7, 0.0]),
        10 => world.release("cube").and_then(|()| world.set("object.cube.restitution", 0.4)),
        11 => world.add_fill("liquid.water", Fill::new(Shape::Sphere { radius: 0.13 }, [0.3, 0.7, 0.0])),
        12 => world.add_object(free("ball", Shape::Sphere { radius: 0.05 }, [-0.1, 0.15, 0.0])),
        13 => {
            let ids = world.system("liquid.water").unwrap().id;
            let some = ids.iter().copied().filter(|id| id % 7 == 0).collect();
            world.remove("liquid.water", some)
        }
        14 => world.enable_object("mill", false).and_then(|()| world.set("gravity", [1.0, -9.0, 0.0])),
        15 => world.add_points("liquid.water", vec![[0.0, 0.9, 0.0], [0.0, 0.9, 0.0]], [0.0, -3.0, 0.0]),
        17 => world.set("object.mill.enabled", true),
        _ => Ok(()),
    };
    done.unwrap_or_else(|faults| panic!("{n}: {faults:?}"));
}

const FRAMES: u32 = 22;

#[test]
fn a_recorded_session_does_the_same_again() {
    for dimension in [2, 3] {
        let mut live = World::new(&pool(dimension)).unwrap();
        let mut hashes = Vec::new();
        for n in 0..FRAMES {
            meddle(&mut live, n);
            live.advance().unwrap();
            hashes.push(live.hash());
        }
        assert!(live.object("ball").is_some() && live.edits().len() == 18, "{:?}", live.edits().len());
        let recorded = live.recorded_scene();
        assert_eq!(recorded.frames(), FRAMES);
        let (read, warnings) = parse(&Source::new("recorded.toml", write(&recorded)), &[]).unwrap();
        assert_eq!(read, recorded, "{warnings:?}");

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.ondine");
        let (mut straight, mut resumed) = (World::new(&read).unwrap(), World::new(&read).unwrap());
        for n in 0..FRAMES {
            straight.advance().unwrap();
            assert_eq!(straight.hash(), hashes[n as usize], "{dimension}D, frame {n}");
            checkpoint::save(&path, &resumed).unwrap();
            resumed = checkpoint::load(&path).unwrap();
            resumed.advance().unwrap();
            assert_eq!(resumed.hash(), hashes[n as usize], "{dimension}D, frame {n}, resumed");
            assert_eq!(resumed.frame().objects.len(), read.all_objects().count());
        }
        assert_eq!(straight.frame(), live.frame());
        assert_eq!(straight.recorded_scene(), recorded);
    }
}

/// Somebody else meddles with a session that is being replayed: what was recorded goes on after it.
#[test]
fn a_replay_can_be_edited() {
    let mut live = World::new(&pool(2)).unwrap();
    (0..8).for_each(|n| {
        meddle(&mut live, n);
        live.advance().unwrap();
    });
    let mut replay = World::new(&live.recorded_scene()).unwrap();
    let taken = replay.add_object(free("cube", Shape::Sphere { radius: 0.1 }, [0.0, 0.5, 0.0])).unwrap_err();
    assert!(taken.iter().any(|f| f.path == "edit.2.change.object.name"), "{taken:?}");
    replay.set("gravity.y", -5.0).unwrap();
    (0..8).for_each(|_| replay.advance().unwrap());
    assert_eq!(replay.edits().len(), live.edits().len() + 1);
    assert_ne!(replay.hash(), live.hash());
}
