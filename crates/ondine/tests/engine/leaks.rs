//! Nothing gets into an object or through it, however thin the one or fast the other.

use crate::scenes::*;
use glam::Vec3;
use ondine::objects::{Collider, DistanceField, FieldOptions, Mesh, TriangleMesh};
use ondine::scene::{Blend, Event, MeshFile, Model, Object, Part, Preset, Shape, Track, Value};
use ondine::{Scene, World};
use std::sync::Arc;

const SPACING: f32 = 0.05;

fn difference(of: Vec<Part>) -> Shape {
    Shape::Difference(Blend { of, smooth: 0.0 })
}

/// Advances, and looks in every frame: no leaks, every particle there and in its place.
fn watch(world: &mut World, frames: u32, what: &str) {
    for _ in 0..frames {
        if let Err(failure) = world.advance() {
            panic!("{what}: {failure}");
        }
        let now = measure(world, 0);
        assert_eq!(now.leaks, 0, "{what}: leaks at {} s", world.time());
        assert_eq!(now.particles, now.emitted - now.removed, "{what}");
        let frame = world.frame();
        for (object, pose) in world.scene().object.iter().zip(&frame.objects) {
            let collider = Collider::of(&object.shape, pose.placement, world.scene());
            let inside =
                |p: &[f32; 3]| collider.at_least((*p).into()) <= 0.0 && collider.distance((*p).into()) < 0.0;
            let count = frame.particles[0].position.iter().filter(|p| inside(p)).count();
            assert_eq!(count, 0, "{what}: in {} at {} s", object.name, world.time());
        }
    }
}

/// Tracks that shake and turn an object violently for ten seconds: 0.8 m to and fro, 400°/s.
fn shaken(name: &str, seconds: u32) -> Vec<Track> {
    let track = |path: &str, size: f32, every: f32| Track {
        path: format!("object.{name}.{path}"),
        keys: (0..=(seconds as f32 / every) as u32)
            .map(|n| [n as f32 * every, size * [0.0, 1.0, -0.3, 0.6, -1.0, 0.2][n as usize % 6]])
            .collect(),
        interpolation: Default::default(),
    };
    vec![
        track("at.x", 0.5, 0.2),
        track("at.y", 0.4, 0.15),
        track("rotate.z", 150.0, 0.4),
        track("rotate.x", 100.0, 0.55),
    ]
}

/// All particles in the room of an object, given by its half-lengths in its own frame.
fn assert_inside(world: &World, object: &str, half: Vec3) {
    let frame = world.frame();
    let pose = frame.objects.iter().find(|o| o.name == object).expect("an object");
    for p in &frame.particles[0].position {
        let local = pose.placement.to_local((*p).into());
        assert!(local.abs().cmple(half).all(), "{object}: {local} at {} s", world.time());
    }
}

/// A closed box with walls one spacing thick, shaken for ten seconds.
#[test]
fn a_shaken_closed_cup_keeps_its_liquid() {
    for dimension in [2, 3] {
        let room = if dimension == 2 { [0.8, 0.6, 0.4] } else { [0.4, 0.3, 0.4] };
        let walls = room.map(|side| side + 2.0 * SPACING);
        let part = |size| Part::new(Shape::Box { size }, [0.0; 3]);
        let cup = moving("cup", difference(vec![part(walls), part(room)]), [0.0; 3]);
        let mut water = liquid("water", Preset::Water, SPACING);
        let filled = room.map(|side| side - SPACING);
        water.fill = vec![block([filled[0], 0.5 * filled[1], filled[2]], [0.0, -0.25 * filled[1], 0.0])];
        let scene = Scene {
            dimension,
            max_substeps: 10,
            liquid: vec![water],
            object: vec![cup],
            track: shaken("cup", 10)
                .into_iter()
                .filter(|t| dimension == 3 || !t.path.ends_with("rotate.x"))
                .collect(),
            ..Scene::default()
        };
        let mut world = world(&scene);
        let count = measure(&world, 0).particles;
        let mut fastest = 0f64;
        for _ in 0..30 {
            watch(&mut world, 10, "cup");
            assert_inside(&world, "cup", 0.5 * Vec3::from(room));
            fastest = fastest.max(measure(&world, 0).max_speed);
        }
        println!("{dimension}D: {count} particles, up to {fastest} m/s");
        assert_eq!(measure(&world, 0).particles, count);
        assert!(fastest > 3.0, "shaken violently: {fastest} m/s");
    }
}

/// A jet of 20 m/s on a wall one spacing thick that parts a closed tank in two: all stays on this side.
#[test]
fn a_fast_jet_does_not_pass_a_thin_wall() {
    for dimension in [2, 3] {
        let mut water = liquid("water", Preset::Water, SPACING);
        let mut nozzle = disc(0.1, [0.15, 0.5, 0.0], [20.0, 0.0, 0.0]);
        nozzle.stop = Some(0.3);
        water.emitter = vec![nozzle];
        let wall = Object::new("wall", Shape::Box { size: [SPACING, 1.2, 1.2] }, [1.0, 0.5, 0.0]);
        let scene = Scene {
            dimension,
            // So few that the jet goes 0.08 m in one, through the wall if it were not swept.
            max_substeps: 8,
            liquid: vec![water],
            object: vec![tank([2.0, 1.0, 1.0]), wall],
            ..Scene::default()
        };
        let mut world = world(&scene);
        watch(&mut world, 20, "wall");
        assert!(measure(&world, 0).particles > 200, "{}", measure(&world, 0).particles);
        assert!(positions(&world).iter().all(|p| p[0] < 1.0 - 0.5 * SPACING), "{dimension}D");
        assert!(positions(&world).iter().any(|p| p[0] > 0.9), "{dimension}D: the jet reached the wall");
    }
}

/// Thin paddles that turn once or twice a second in a closed tank half full, and turn back halfway.
#[test]
fn a_paddle_wheel_does_not_leak() {
    for dimension in [2, 3] {
        let blade = |turn: f32| Part {
            rotate: [0.0, 0.0, turn],
            ..Part::new(Shape::Box { size: [0.8, SPACING, 0.3] }, [0.0; 3])
        };
        let mut wheel = moving(
            "wheel",
            Shape::Union(Blend { of: vec![blade(0.0), blade(60.0), blade(120.0)], smooth: 0.0 }),
            [0.6, 0.6, 0.0],
        );
        (wheel.spin, wheel.friction) = ([0.0, 0.0, 500.0], 0.3);
        let mut water = liquid("water", Preset::Water, SPACING);
        water.fill = vec![block([1.2, 0.5, 0.4], [0.6, 0.25, 0.0])];
        let back = Event { at: 1.0, set: [("object.wheel.spin.z".into(), Value::Number(-700.0))].into() };
        let scene = Scene {
            dimension,
            max_substeps: 20,
            liquid: vec![water],
            object: vec![tank([1.2, 1.2, 0.4]), wheel],
            event: vec![back],
            ..Scene::default()
        };
        let mut world = world(&scene);
        let count = measure(&world, 0).particles;
        watch(&mut world, 60, "wheel");
        assert_eq!(measure(&world, 0).particles, count);
    }
}

/// A box of triangles, without its top if it is open.
fn box_mesh(size: Vec3, open: bool) -> TriangleMesh {
    let corner =
        |n: u32| 0.5 * size * Vec3::from([0, 1, 2].map(|c| if n >> c & 1 == 1 { 1.0 } else { -1.0 }));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [2, 6, 7, 3]];
    let sides = faces.iter().take(if open { 5 } else { 6 });
    TriangleMesh {
        points: (0..8).map(corner).collect(),
        triangles: sides.flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

/// A shape of a mesh, brought into a scene.
fn bring(scene: &mut Scene, name: &str, mesh: TriangleMesh, thickness: Option<f32>) -> Shape {
    let file = MeshFile { file: name.into(), scale: 1.0, thickness, cell: Some(0.02) };
    let options = FieldOptions { cell: file.cell, thickness };
    let field = DistanceField::build(&mesh, options).expect("a field");
    scene
        .meshes
        .insert(&file, Mesh { triangles: Arc::new(mesh), uv: Arc::default(), field: Arc::new(field) });
    Shape::Mesh(file)
}

/// A closed box of triangles ploughs to and fro through a pool and turns.
#[test]
fn a_moving_mesh_does_not_leak() {
    let mut scene = Scene { max_substeps: 20, ..Scene::default() };
    let shape = bring(&mut scene, "plough", box_mesh(Vec3::new(0.3, 0.3, 0.2), false), None);
    let mut plough = moving("plough", shape, [0.3, 0.4, 0.0]);
    plough.spin = [0.0, 200.0, 90.0];
    plough.velocity = [1.5, -0.4, 0.0];
    let back = Event { at: 0.45, set: [("object.plough.velocity.x".into(), Value::Number(-1.5))].into() };
    let stop = Event { at: 0.3, set: [("object.plough.velocity.y".into(), Value::Number(0.0))].into() };
    let mut water = liquid("water", Preset::Water, SPACING);
    water.fill = vec![block([1.2, 0.4, 0.6], [0.6, 0.2, 0.0])];
    (scene.liquid, scene.object) = (vec![water], vec![tank([1.2, 1.2, 0.6]), plough]);
    scene.event = vec![stop, back];
    let mut world = world(&scene);
    let count = measure(&world, 0).particles;
    watch(&mut world, 27, "plough");
    assert_eq!(measure(&world, 0).particles, count);
}

/// An open box of triangles, given a thickness, carries liquid: fast, and around a bend.
#[test]
fn a_bucket_of_triangles_carries_liquid() {
    let mut scene = Scene { max_substeps: 20, ..Scene::default() };
    let shape = bring(&mut scene, "bucket", box_mesh(Vec3::new(0.5, 0.5, 0.4), true), Some(SPACING));
    let bucket = moving("bucket", shape, [0.0; 3]);
    let mut water = liquid("water", Preset::Water, SPACING);
    water.fill = vec![block([0.4, 0.25, 0.3], [0.0, -0.075, 0.0])];
    scene.track = [("at.x", 1.0), ("at.y", 0.5), ("rotate.z", 15.0)]
        .map(|(path, to)| Track {
            path: format!("object.bucket.{path}"),
            keys: vec![[0.1, 0.0], [1.2, to]],
            interpolation: ondine::scene::Interpolation::Smooth,
        })
        .to_vec();
    (scene.liquid, scene.object) = (vec![water], vec![bucket]);
    let mut world = world(&scene);
    let count = measure(&world, 0).particles;
    assert!(count > 150, "{count}");
    watch(&mut world, 42, "bucket");
    let frame = world.frame();
    let place = frame.objects[0].placement;
    // Up to a little over the brim it is inside; nothing is below, behind or beside.
    let local = |p: &[f32; 3]| place.to_local((*p).into());
    let carried =
        positions(&world).iter().filter(|p| local(p).abs().cmplt(Vec3::new(0.25, 0.35, 0.2)).all()).count();
    assert_eq!(carried as u64, count, "all carried");
}

/// Every shape that has an end, about half a metre high.
fn bounded() -> Vec<Shape> {
    let ball = |radius, at| Part::new(Shape::Sphere { radius }, at);
    let brick = |size, at| Part::new(Shape::Box { size }, at);
    let blend =
        |smooth| Blend { of: vec![brick([0.3, 0.3, 0.3], [0.0; 3]), ball(0.15, [0.12, 0.12, 0.0])], smooth };
    let mut all = vec![
        Shape::Box { size: [0.3, 0.2, 0.25] },
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { radius: 0.1, height: 0.3 },
        Shape::Cylinder { radius: 0.2, height: 0.2 },
        Shape::Cone { radius: 0.2, height: 0.4 },
        Shape::Torus { radius: 0.2, tube: 0.08 },
    ];
    for smooth in [0.0, 0.1] {
        all.extend([
            Shape::Union(blend(smooth)),
            Shape::Difference(blend(smooth)),
            Shape::Intersection(blend(smooth)),
        ]);
    }
    let models = [Model::Rabbit, Model::Figure, Model::Stool, Model::Cup, Model::Teapot];
    all.extend(models.map(|of| Shape::Model { of, height: 0.5 }));
    all
}

/// Every shape that has none, as a room for rain.
fn rooms() -> Vec<Shape> {
    vec![
        Shape::HalfSpace { normal: [0.2, 1.0, 0.1] },
        Shape::Container { size: [0.6, 0.8, 0.6], open: true },
        Shape::Container { size: [0.6, 1.4, 0.6], open: false },
        Shape::RoundContainer { radius: 0.3, height: 0.8, open: true },
        Shape::RoundContainer { radius: 0.3, height: 1.4, open: false },
        Shape::Mould { of: Box::new(Shape::Sphere { radius: 0.7 }) },
        Shape::Mould { of: Box::new(Shape::Cylinder { radius: 0.35, height: 1.4 }) },
    ]
}

/// Rain of 6 m/s on every shape, tilted.
#[test]
fn rain_gets_into_nothing() {
    let leaning = |shape: &Shape| match shape {
        Shape::HalfSpace { .. }
        | Shape::Container { .. }
        | Shape::RoundContainer { .. }
        | Shape::Mould { .. } => 0.0,
        _ => 15.0,
    };
    for shape in bounded().into_iter().chain(rooms()) {
        let mut water = liquid("water", Preset::Water, SPACING);
        let mut fall = relaxed_block([0.4, 0.3, 0.4], [0.01, 0.45, 0.02]);
        fall.velocity = [0.3, -6.0, 0.0];
        water.fill = vec![fall];
        let mut thing = Object::new("thing", shape.clone(), [0.0, -0.2, 0.0]);
        thing.rotate = [leaning(&shape), 0.0, leaning(&shape)];
        let scene = Scene { max_substeps: 20, liquid: vec![water], object: vec![thing], ..Scene::default() };
        let mut world = world(&scene);
        watch(&mut world, 12, &format!("{shape:?}"));
    }
}

/// Free objects of every bounded shape fall into a pool.
#[test]
fn no_free_object_takes_liquid_in() {
    for shape in bounded() {
        let mut water = liquid("water", Preset::Water, SPACING);
        water.fill = vec![block([0.8, 0.3, 0.8], [0.4, 0.15, 0.0])];
        let mut thing = free("thing", shape.clone(), [0.4, 0.62, 0.0]);
        (thing.velocity, thing.spin) = ([0.0, -2.0, 0.0], [50.0, 0.0, 90.0]);
        let scene = Scene {
            max_substeps: 20,
            liquid: vec![water],
            object: vec![tank([0.8, 2.0, 0.8]), thing],
            ..Scene::default()
        };
        let mut world = world(&scene);
        let count = measure(&world, 0).particles;
        watch(&mut world, 15, &format!("{shape:?}"));
        assert_eq!(measure(&world, 0).particles, count, "{shape:?}");
    }
}
