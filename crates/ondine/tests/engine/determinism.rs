//! The same scene gives the same bits: for any number of threads, from the start or from a checkpoint.

use crate::scenes::*;
use glam::Vec3;
use ondine::objects::{DistanceField, FieldOptions, Mesh, TriangleMesh};
use ondine::scene::{Emitter, EmitterShape, Event, Joint, JointKind, Liquid, MeshFile, Preset, Shape, Value};
use ondine::{Scene, World};
use std::sync::Arc;

/// Two liquids, one with springs, an emitter, objects, a drain and an event: over 3000 particles, below which passes do not
/// share their work.
fn busy(dimension: u32) -> Scene {
    let spacing = if dimension == 2 { 0.0085 } else { 0.032 };
    let mut water = liquid("water", Preset::Water, spacing);
    water.fill = vec![relaxed_block([0.5, 0.56, 0.4], [0.27, 0.3, 0.0])];
    water.emitter = vec![Emitter {
        shape: EmitterShape::Rectangle,
        size: [0.1, 0.1],
        at: [0.5, 0.8, 0.0],
        velocity: [0.5, -2.0, 0.0],
        ..Emitter::default()
    }];
    let mut mud = Liquid {
        fill: vec![block([0.35, 0.4, 0.4], [0.78, 0.22, 0.0])],
        ..liquid("mud", Preset::Mud, spacing)
    };
    mud.lifetime = Some(0.3);
    Scene {
        dimension,
        liquid: vec![water, mud],
        object: vec![
            tank([1.0, 1.0, 0.41]),
            ondine::scene::Object::new("ball", Shape::Sphere { radius: 0.1 }, [0.55, 0.15, 0.0]),
        ],
        event: vec![Event {
            at: 0.1,
            set: [("liquid.water.springs.stiffness".to_string(), Value::Number(500.0))].into(),
        }],
        // Stiffness is not the matter here, and tests wait for it; fine liquid in too few steps gains energy, and is stopped for it.
        max_substeps: if dimension == 2 { 20 } else { 4 },
        ..Scene::default()
    }
}

fn hashes(world: &mut World, frames: u32) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..frames {
        advance(world, 1);
        all.push(world.ledger().hash);
    }
    all
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for dimension in [2, 3] {
        let scene = busy(dimension);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| hashes(&mut world(&scene), 6))
        };
        let alone = on(1);
        assert!(world(&scene).frame().particles.iter().all(|p| p.position.len() >= 1000));
        assert!(world(&scene).frame().particles[0].position.len() >= 3000, "enough to share");
        assert!(alone.windows(2).all(|w| w[0] != w[1]), "something happens");
        assert_eq!(alone, on(2), "{dimension}D, 2 threads");
        assert_eq!(alone, on(8), "{dimension}D, 8 threads");
    }
}

/// Written out in mid-run and read again, between the event and the deaths of the mud, a world goes on as if nothing had
/// happened.
#[test]
fn a_world_written_and_read_goes_on_with_the_same_bits() {
    for dimension in [2, 3] {
        let mut world = after(&busy(dimension), 5);
        assert!(measure(&world, 0).springs > 0 && measure(&world, 1).springs > 0);
        let bytes = postcard::to_stdvec(&world).expect("writes");
        let mut again: World = postcard::from_bytes(&bytes).expect("reads");
        assert_eq!(world.ledger(), again.ledger());
        assert_eq!(hashes(&mut world, 7), hashes(&mut again, 7), "{dimension}D");
        assert_eq!(measure(&world, 1).particles, 0, "the mud has died meanwhile");
        assert_eq!(world.frame(), again.frame());
    }
}

/// Water in which everything moves: two free balls that meet, a door on a hinge, a wheel and a moving mesh.
fn crowded() -> Scene {
    let mut water = liquid("water", Preset::Water, 0.04);
    water.fill = vec![relaxed_block([1.0, 0.44, 0.5], [0.5, 0.22, 0.0])];
    let file = MeshFile { file: "wedge".into(), scale: 1.0, thickness: None, cell: Some(0.02) };
    let corners = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]];
    let triangles = TriangleMesh {
        points: corners.map(Vec3::from).to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let options = FieldOptions { cell: file.cell, thickness: None };
    let field = DistanceField::build(&triangles, options).expect("a field");
    let mut wedge = moving("wedge", Shape::Mesh(file.clone()), [0.05, 0.3, -0.2]);
    wedge.spin = [0.0, 60.0, 0.0];
    let mut wheel = moving("wheel", Shape::Box { size: [0.3, 0.04, 0.3] }, [0.75, 0.3, 0.0]);
    (wheel.spin, wheel.friction) = ([0.0, 0.0, 200.0], 0.2);
    let balls = [("ball-1", 0.4, 0.6), ("ball-2", 0.42, 0.82)].map(|(name, x, y)| {
        let mut ball = free(name, Shape::Sphere { radius: 0.1 }, [x, y, 0.05]);
        (ball.velocity, ball.friction) = ([0.0, -2.0, 0.0], 0.4);
        ball
    });
    let door = free("door", Shape::Box { size: [0.04, 0.3, 0.3] }, [0.9, 0.6, 0.0]);
    let hinge = Joint {
        name: "hinge".into(),
        kind: JointKind::Hinge,
        object: "door".into(),
        to: None,
        at: [0.9, 0.75, 0.0],
        axis: [0.0, 0.0, 1.0],
        limits: None,
        speed: Some(90.0),
    };
    let mut scene = Scene {
        liquid: vec![water],
        object: [vec![tank([1.0, 1.5, 0.5]), wedge, wheel, door], balls.to_vec()].concat(),
        joint: vec![hinge],
        max_substeps: 6,
        ..Scene::default()
    };
    scene
        .meshes
        .insert(&file, Mesh { triangles: Arc::new(triangles), uv: Arc::default(), field: Arc::new(field) });
    scene
}

/// The hash, and besides it all that can be measured of the objects.
fn objects_too(world: &mut World, frames: u32) -> Vec<(String, String)> {
    let look = |w: &World| (w.ledger().hash, format!("{:?}", w.ledger().objects));
    (0..frames)
        .map(|_| {
            advance(world, 1);
            look(world)
        })
        .collect()
}

#[test]
fn objects_do_the_same_on_any_number_of_threads_and_through_checkpoints() {
    let scene = crowded();
    assert!(world(&scene).frame().particles[0].position.len() >= 3000, "enough to share");
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| objects_too(&mut world(&scene), 12))
    };
    let alone = on(1);
    assert_eq!(alone, on(2), "2 threads");
    assert_eq!(alone, on(8), "8 threads");
    let mut stored = world(&scene);
    let mut through = Vec::new();
    for _ in 0..6 {
        let bytes = postcard::to_stdvec(&stored).expect("writes");
        stored = postcard::from_bytes(&bytes).expect("reads");
        through.extend(objects_too(&mut stored, 2));
    }
    assert_eq!(alone, through, "written and read every other frame");
    let objects = stored.ledger().objects;
    let balls: Vec<f64> = objects.iter().filter(|o| o.name.starts_with("ball")).map(|o| o.at[1]).collect();
    assert!(balls.iter().all(|y| *y < 0.6), "the balls have fallen in: {balls:?}");
}
