//! What is wrong with scenes, and that nothing worse gets past.

use ondine::scene::*;
use ondine::{Scene, Severity, World};
use std::time::Instant;

fn fill(shape: Shape, at: [f32; 3]) -> Fill {
    Fill { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Arrangement::Lattice }
}

/// A scene with one of everything, and nothing wrong with it.
fn good() -> Scene {
    let liquid = Liquid {
        name: "water".into(),
        spacing: 0.02,
        fill: vec![fill(Shape::Box { size: [0.2; 3] }, [0.0, 0.1, 0.0])],
        emitter: vec![Emitter { at: [0.0, 0.4, 0.0], stop: Some(1.0), ..Default::default() }],
        ..Default::default()
    };
    let drain = Drain {
        name: "sink".into(),
        shape: Shape::Sphere { radius: 0.1 },
        at: [1.0, 0.0, 0.0],
        rotate: [0.0; 3],
        start: 0.5,
        stop: None,
    };
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let post = Object::new("post", Shape::Capsule { radius: 0.05, height: 0.3 }, [0.5, 0.2, 0.0]);
    Scene {
        liquid: vec![liquid],
        object: vec![floor, post],
        drain: vec![drain],
        kill_box: Some(Bounds { min: [-2.0, -1.0, -2.0], max: [2.0; 3] }),
        camera: Some(Camera::default()),
        event: vec![event("object.post.enabled", Value::Switch(false))],
        track: vec![Track {
            path: "gravity.x".into(),
            keys: vec![[0.0, 0.0], [1.0, 2.0]],
            interpolation: Default::default(),
        }],
        ..Default::default()
    }
}

fn planar() -> Scene {
    Scene { dimension: 2, ..good() }
}

fn mould(of: Shape) -> Shape {
    Shape::Mould { of: Box::new(of) }
}

fn union(only: Shape) -> Shape {
    Shape::Union(Blend { of: vec![Part::new(only, [0.0; 3])], smooth: 0.0 })
}

fn mesh(file: &str) -> Shape {
    Shape::Mesh(MeshFile { file: file.into(), scale: 1.0, thickness: None, cell: None })
}

/// Shapes in one another, so many deep.
fn deep(depth: usize) -> Shape {
    (1..depth).fold(Shape::Sphere { radius: 0.1 }, |inner, _| mould(inner))
}

/// A shape of so many parts.
fn wide(parts: usize) -> Shape {
    let part = |i| Part::new(Shape::Sphere { radius: 0.01 }, [0.5, 0.001 * i as f32, 0.0]);
    Shape::Union(Blend { of: (0..parts).map(part).collect(), smooth: 0.0 })
}

fn event(path: &str, value: Value) -> Event {
    Event { at: 1.0, set: [(path.to_string(), value)].into() }
}

/// A change that makes a good scene bad, the path of the fault and a word of its reason or remedy.
type Case = (fn(&mut Scene), &'static str, &'static str);

#[track_caller]
fn assert_found(good: Scene, cases: &[Case], severity: Severity) {
    assert_eq!(good.faults(), []);
    for (i, (change, path, word)) in cases.iter().enumerate() {
        let mut scene = good.clone();
        change(&mut scene);
        let faults = scene.faults();
        let told = |f: &ondine::Fault| format!("{} {}", f.reason, f.remedy).contains(word);
        let found = faults.iter().any(|f| f.severity == severity && f.path == *path && told(f));
        assert!(found, "case {i}, {path}: no {severity:?} with \"{word}\" in {faults:#?}");
        assert_eq!(World::new(&scene).is_err(), severity == Severity::Error, "case {i}, {path}");
        assert!(faults.iter().all(|f| !f.reason.is_empty() && !f.remedy.is_empty()));
    }
}

#[test]
fn numbers_out_of_range_are_errors() {
    let cases: &[Case] = &[
        (|s| s.fps = f32::NAN, "fps", "finite"),
        (|s| s.gravity[1] = f32::NEG_INFINITY, "gravity.1", "finite"),
        (|s| s.liquid[0].fill[0].at[2] = f32::NAN, "liquid.water.fill.0.at.2", "finite"),
        (|s| s.duration = 0.0, "duration", "out of range"),
        (|s| s.fps = 2000.0, "fps", "from 1 to 1000"),
        (|s| s.dimension = 4, "dimension", "from 2 to 3"),
        (|s| s.max_substeps = 0, "max_substeps", "from 1 to 10000"),
        (|s| s.liquid[0].spacing = 0.0, "liquid.water.spacing", "out of range"),
        (|s| s.liquid[0].density = -1.0, "liquid.water.density", "kg/m³"),
        (|s| s.liquid[0].support = 5.0, "liquid.water.support", "from 1.5 to 4"),
        (|s| s.liquid[0].compression = 0.0, "liquid.water.compression", "from 0.001 to 0.5"),
        (|s| s.liquid[0].stiffness = Some(0.0), "liquid.water.stiffness", "Pa"),
        (|s| s.liquid[0].springs.yield_ratio = 1.0, "liquid.water.springs.yield_ratio", "0.9"),
        (|s| s.liquid[0].viscosity.linear = -1.0, "liquid.water.viscosity.linear", "Pa·s"),
        (|s| s.liquid[0].lifetime = Some(0.0), "liquid.water.lifetime", "out of range"),
        (|s| s.liquid[0].color[0] = 2.0, "liquid.water.color.0", "from 0 to 1"),
        (
            |s| s.liquid[0].thesis = Some(Thesis { gamma: 2.0, h: 0.04, ..Default::default() }),
            "liquid.water.thesis.gamma",
            "0.9",
        ),
        (|s| s.liquid[0].emitter[0].radius = -1.0, "liquid.water.emitter.0.radius", "out of range"),
        (|s| s.liquid[0].emitter[0].velocity[1] = -2e4, "liquid.water.emitter.0.velocity.1", "m/s"),
        (|s| s.object[0].friction = 1.5, "object.floor.friction", "from 0 to 1"),
        (|s| s.object[1].at[0] = 2e6, "object.post.at.0", "1000000 m"),
        (
            |s| s.object[1].shape = Shape::Box { size: [1.0, -1.0, 1.0] },
            "object.post.shape.box.size.1",
            "out of range",
        ),
        (
            |s| s.drain[0].shape = Shape::Sphere { radius: 0.0 },
            "drain.sink.shape.sphere.radius",
            "out of range",
        ),
        (|s| s.kill_box = Some(Bounds { min: [f32::NAN; 3], max: [1.0; 3] }), "kill_box.min.0", "finite"),
        (|s| s.camera = Some(Camera { angle: 0.0, ..Default::default() }), "camera.angle", "from 1 to 150"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn names_that_paths_cannot_use_are_errors() {
    let cases: &[Case] = &[
        (|s| s.liquid[0].name.clear(), "liquid.0.name", "no name"),
        (|s| s.liquid.push(s.liquid[0].clone()), "liquid.1.name", "another liquid"),
        (|s| s.object[1].name = "floor".into(), "object.1.name", "another object"),
        (|s| s.object[0].name = "the.floor".into(), "object.0.name", "dot"),
        (|s| s.drain[0].name = " sink".into(), "drain.0.name", "blank"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn shapes_and_times_without_sense_are_errors() {
    let cases: &[Case] = &[
        (|s| s.liquid.clear(), "", "no liquid in the scene and no object that moves"),
        (
            |s| s.object[0].shape = Shape::HalfSpace { normal: [0.0; 3] },
            "object.floor.shape.half_space.normal",
            "no direction",
        ),
        (
            |s| s.liquid[0].fill[0].shape = s.object[0].shape.clone(),
            "liquid.water.fill.0.shape",
            "half-space has no end",
        ),
        (
            |s| s.liquid[0].fill[0].shape = mould(mould(Shape::Sphere { radius: 0.1 })),
            "liquid.water.fill.0.shape",
            "this shape has no end",
        ),
        (
            |s| s.object[1].shape = Shape::Union(Blend { of: vec![], smooth: 0.0 }),
            "object.post.shape",
            "no shapes in it",
        ),
        (
            |s| s.drain[0].shape = mould(Shape::Intersection(Blend { of: vec![], smooth: 0.0 })),
            "drain.sink.shape.mould.of",
            "no shapes in it",
        ),
        (
            |s| s.object[1].shape = union(Shape::HalfSpace { normal: [0.0; 3] }),
            "object.post.shape.union.of.0.shape.half_space.normal",
            "no direction",
        ),
        (
            |s| s.object[1].shape = union(Shape::Box { size: [1.0, 0.0, 1.0] }),
            "object.post.shape.union.of.0.shape.box.size.1",
            "out of range",
        ),
        (
            |s| s.object[1].shape = Shape::Torus { radius: 0.1, tube: 0.2 },
            "object.post.shape.torus.tube",
            "cross itself",
        ),
        (
            |s| s.object[1].shape = deep(17),
            "object.post.shape.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of",
            "16 deep",
        ),
        (
            |s| s.object[1].shape = deep(3000),
            "object.post.shape.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of.mould.of",
            "16 deep",
        ),
        (|s| s.object[1].shape = wide(1001), "object.post.shape", "more than 1000 shapes"),
        (
            |s| s.liquid[0].fill[0].shape = union(mesh("stool.obj")),
            "liquid.water.fill.0.shape.union.of.0.shape.mesh.file",
            "\"stool.obj\" has not been read",
        ),
        (
            |s| s.liquid[0].emitter[0].velocity = [0.0; 3],
            "liquid.water.emitter.0.velocity",
            "nothing would come out",
        ),
        (|s| s.liquid[0].emitter[0].start = 2.0, "liquid.water.emitter.0.stop", "before it opens"),
        (|s| s.drain[0].stop = Some(0.1), "drain.sink.stop", "before it opens"),
        (|s| s.kill_box = Some(Bounds { min: [1.0; 3], max: [2.0, 1.0, 2.0] }), "kill_box", "along y"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn shapes_as_deep_and_as_wide_as_may_be_are_no_errors() {
    for shape in [deep(16), wide(1000)] {
        let mut scene = good();
        scene.object[1].shape = shape;
        assert!(scene.faults().iter().all(|f| f.severity != Severity::Error));
    }
}

/// A scene without liquid: a gate that turns, a ball on a floor, and what holds them.
fn rigid() -> Scene {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let free = |name, shape, at| Object { motion: Motion::Free, ..Object::new(name, shape, at) };
    let ball = free("ball", Shape::Sphere { radius: 0.1 }, [0.0, 0.1, 0.0]);
    let gate = free("gate", Shape::Box { size: [0.4, 0.2, 0.05] }, [1.0, 0.2, 0.0]);
    let hinge = Joint {
        name: "pin".into(),
        kind: JointKind::Hinge,
        object: "gate".into(),
        to: Some("floor".into()),
        at: [0.8, 0.2, 0.0],
        axis: [0.0, 0.0, 1.0],
        limits: Some([-30.0, 60.0]),
        speed: None,
    };
    Scene { object: vec![floor, ball, gate], joint: vec![hinge], ..Default::default() }
}

#[test]
fn joints_and_objects_that_cannot_be_are_errors() {
    fn shaped(scene: &mut Scene, shape: Shape) {
        scene.object[1].shape = shape;
    }
    fn apart() -> Shape {
        let ball = |x| Part::new(Shape::Sphere { radius: 0.1 }, [x, 0.0, 0.0]);
        Shape::Intersection(Blend { of: vec![ball(-1.0), ball(1.0)], smooth: 0.0 })
    }
    let cases: &[Case] = &[
        (|s| shaped(s, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }), "object.ball.shape", "no end"),
        (|s| shaped(s, Shape::Container { size: [1.0; 3], open: true }), "object.ball.shape", "no end"),
        (
            |s| shaped(s, Shape::RoundContainer { radius: 1.0, height: 1.0, open: false }),
            "object.ball.shape",
            "no end",
        ),
        (|s| shaped(s, mould(Shape::Sphere { radius: 0.1 })), "object.ball.shape", "no end"),
        (
            |s| shaped(s, union(Shape::HalfSpace { normal: [0.0, 1.0, 0.0] })),
            "object.ball.shape",
            "write motion",
        ),
        (|s| shaped(s, apart()), "object.ball.shape", "no mass"),
        (|s| s.joint[0].object = "gaet".into(), "joint.pin.object", "did you mean \"gate\"?"),
        (|s| s.joint[0].object = "floor".into(), "joint.pin.object", "not free"),
        (|s| s.joint[0].to = Some("flor".into()), "joint.pin.to", "did you mean \"floor\"?"),
        (|s| s.joint[0].to = Some("gate".into()), "joint.pin.to", "itself"),
        (|s| s.joint[0].axis = [0.0; 3], "joint.pin.axis", "no direction"),
        (|s| s.joint[0].axis[0] = f32::NAN, "joint.pin.axis.0", "finite"),
        (|s| s.joint[0].limits = Some([60.0, -30.0]), "joint.pin.limits", "[-30, 60]"),
        (|s| s.joint[0].kind = JointKind::Ball, "joint.pin.limits", "remove `limits`"),
        (
            |s| (s.joint[0].kind, s.joint[0].speed) = (JointKind::Ball, Some(1.0)),
            "joint.pin.speed",
            "remove `speed`",
        ),
        (|s| s.joint.push(s.joint[0].clone()), "joint.1.name", "another joint"),
        (|s| s.object[1].density = 0.0, "object.ball.density", "kg/m³"),
        (|s| s.object[1].mass = Some(-1.0), "object.ball.mass", "kg"),
        (|s| s.object[1].spin[2] = f32::INFINITY, "object.ball.spin.2", "finite"),
        (
            |s| {
                s.object[1].adhesion.insert("water".into(), Adhesion { pull: 1.0, range: None });
            },
            "object.ball.adhesion.water",
            "add a [[liquid]]",
        ),
        (|s| s.object.iter_mut().for_each(|o| o.motion = Motion::Fixed), "", "no object that moves"),
    ];
    assert_found(rigid(), cases, Severity::Error);
}

#[test]
fn adhesion_names_a_liquid() {
    fn sticky(scene: &mut Scene, name: &str, pull: f32) {
        scene.object[1].adhesion.insert(name.into(), Adhesion { pull, range: None });
    }
    let cases: &[Case] = &[
        (|s| sticky(s, "watr", 1.0), "object.post.adhesion.watr", "did you mean \"water\"?"),
        (|s| sticky(s, "oil", 1.0), "object.post.adhesion.oil", "write the name of one: water"),
        (|s| sticky(s, "water", -1.0), "object.post.adhesion.water.pull", "m/s²"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn what_joints_cannot_do_in_the_plane_is_an_error() {
    let cases: &[Case] = &[
        (|s| s.joint[0].axis = [0.0, 1.0, 0.0], "joint.pin.axis", "only turn about z"),
        (|s| s.joint[0].kind = JointKind::Slider, "joint.pin.axis", "[1, 0, 0]"),
        (|s| s.joint[0].at[2] = 1.0, "joint.pin.at", "across the plane"),
        (|s| s.object[1].velocity[2] = 1.0, "object.ball.velocity", "across the plane"),
        (|s| s.object[1].spin[0] = 1.0, "object.ball.spin", "only spin about z"),
        (
            |s| {
                s.object[1].motion = Motion::Moving;
                s.track = vec![track("object.ball.rotate.x", &[[0.0, 0.0], [1.0, 9.0]])];
            },
            "track.0.keys.1",
            "`object.ball.rotate.z`",
        ),
    ];
    assert_found(Scene { dimension: 2, ..rigid() }, cases, Severity::Error);
}

#[test]
fn objects_are_moved_by_tracks_and_never_by_events() {
    fn moving(scene: &mut Scene) {
        scene.object[1].motion = Motion::Moving;
    }
    fn set(scene: &mut Scene, path: &str, value: Value) {
        moving(scene);
        scene.event = vec![event(path, value)];
    }
    let cases: &[Case] = &[
        (
            |s| set(s, "object.ball.at", Value::Vector([1.0; 3])),
            "event.0.set.object.ball.at",
            "let a track move it",
        ),
        (
            |s| set(s, "object.ball.at.y", Value::Number(1.0)),
            "event.0.set.object.ball.at.y",
            "let a track move it",
        ),
        (
            |s| set(s, "object.ball.rotate.2", Value::Number(1.0)),
            "event.0.set.object.ball.rotate.2",
            "let a track move it",
        ),
    ];
    assert_found(rigid(), cases, Severity::Error);
    let mut scene = rigid();
    moving(&mut scene);
    scene.track = vec![track("object.ball.at.y", &[[0.0, 0.1], [1.0, 1.0]])];
    scene.event = vec![event("object.gate.visible", Value::Switch(false))];
    assert_eq!(scene.faults(), []);
    scene.track.clear();
    scene.event = vec![event("object.ball.velocity", Value::Vector([1.0, 0.0, 0.0]))];
    assert_eq!(scene.faults(), []);
}

fn track(path: &str, keys: &[[f32; 2]]) -> Track {
    Track { path: path.into(), keys: keys.to_vec(), interpolation: Default::default() }
}

#[test]
fn objects_that_will_not_do_what_is_hoped_are_warned_of() {
    let cases: &[Case] = &[
        (|s| s.object[0].velocity[0] = 1.0, "object.floor.velocity", "motion = \"moving\""),
        (|s| s.object[0].spin[0] = 1.0, "object.floor.spin", "fixed"),
        (
            |s| {
                (s.object[1].motion, s.object[1].velocity) = (Motion::Moving, [1.0, 0.0, 0.0]);
                s.track = vec![track("object.ball.at.y", &[[0.0, 0.1], [1.0, 1.0]])];
            },
            "object.ball.velocity",
            "tracks",
        ),
        (|s| s.object[1].at[1] = 0.05, "object.ball", "inside object.floor"),
        (|s| s.object[1].at = [1.0, 0.2, 0.0], "object.ball", "inside object.gate"),
        (|s| s.joint[0].limits = Some([10.0, 60.0]), "joint.pin.limits", "snap"),
    ];
    assert_found(rigid(), cases, Severity::Warning);
    // What a joint holds together may overlap.
    let mut scene = rigid();
    scene.object[2].at[1] = 0.0;
    assert_eq!(scene.faults(), []);
}

#[test]
fn adhesion_that_reaches_too_far_is_warned_of() {
    fn sticky(scene: &mut Scene, range: f32) {
        scene.object[1].adhesion.insert("water".into(), Adhesion { pull: 20.0, range: Some(range) });
    }
    let cases: &[Case] = &[(|s| sticky(s, 0.05), "object.post.adhesion.water.range", "jump")];
    assert_found(good(), cases, Severity::Warning);
    let mut scene = good();
    sticky(&mut scene, 0.02);
    assert_eq!(scene.faults(), []);
}

#[test]
fn an_emitter_may_start_from_rest_if_something_moves_it() {
    let mut scene = good();
    scene.liquid[0].emitter[0].velocity = [0.0; 3];
    scene.event.push(event("liquid.water.emitter.0.velocity", Value::Vector([0.0, -1.0, 0.0])));
    assert_eq!(scene.faults(), []);
}

#[test]
fn amounts_beyond_any_machine_are_errors() {
    let cases: &[Case] = &[
        (
            |s| s.liquid[0].fill[0].shape = Shape::Box { size: [20.0; 3] },
            "liquid.water.fill.0.shape",
            "particles",
        ),
        (
            |s| s.liquid[0].fill[0].shape = Shape::Cylinder { radius: 1e-3, height: 1e6 },
            "liquid.water.fill.0.shape",
            "particles",
        ),
        (|s| s.liquid[0].fill[0].at[0] = 1e5, "liquid.water.fill.0.at", "too far"),
        (|s| s.liquid[0].emitter[0].at[0] = 1e5, "liquid.water.emitter.0.at", "too far"),
        (|s| s.liquid[0].emitter[0].radius = 1e3, "liquid.water.emitter.0", "particles a second"),
        (
            |s| s.event.push(event("liquid.water.emitter.0.velocity.y", Value::Number(1e4))),
            "liquid.water.emitter.0",
            "particles a second",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis::default()), "liquid.water.thesis.h", "neighbours"),
        (
            |s| s.liquid.push(Liquid { name: "b".into(), spacing: 0.5, ..Default::default() }),
            "liquid.b.spacing",
            "finest",
        ),
    ];
    let mut scene = good();
    scene.liquid[0].emitter[0].radius = 0.2;
    scene.liquid[0].emitter[0].at[1] = 0.6;
    scene.object.truncate(1);
    scene.event.clear();
    assert_found(scene, cases, Severity::Error);
}

#[test]
fn changes_that_cannot_be_made_are_errors() {
    fn set(scene: &mut Scene, path: &str, value: Value) {
        scene.event[0] = event(path, value);
    }
    fn keys(scene: &mut Scene, keys: &[[f32; 2]]) {
        scene.track[0].keys = keys.to_vec();
    }
    let cases: &[Case] = &[
        (|s| s.event[0].at = -1.0, "event.0.at", "out of range"),
        (
            |s| set(s, "liquid.watr.density", Value::Number(1.0)),
            "event.0.set.liquid.watr.density",
            "did you mean `liquid.water.density`?",
        ),
        (
            |s| set(s, "liquid.water.spacing", Value::Number(0.1)),
            "event.0.set.liquid.water.spacing",
            "cannot change",
        ),
        (
            |s| set(s, "object.post.at.y", Value::Number(0.1)),
            "event.0.set.object.post.at.y",
            "motion = \"moving\"",
        ),
        (
            |s| set(s, "object.post.at", Value::Vector([0.1; 3])),
            "event.0.set.object.post.at",
            "cannot change",
        ),
        (|s| set(s, "fps", Value::Number(24.0)), "event.0.set.fps", "cannot change"),
        (
            |s| set(s, "object.post.enabled", Value::Number(1.0)),
            "event.0.set.object.post.enabled",
            "true or false",
        ),
        (|s| set(s, "gravity.y", Value::Switch(true)), "event.0.set.gravity.y", "one number"),
        (|s| set(s, "gravity", Value::Number(1.0)), "event.0.set.gravity", "vector"),
        (
            |s| set(s, "liquid.water.density", Value::Number(-1.0)),
            "event.0.set.liquid.water.density",
            "kg/m³",
        ),
        (|s| set(s, "gravity", Value::Vector([f32::NAN; 3])), "event.0.set.gravity", "finite"),
        (|s| s.track[0].path = "gravty.x".into(), "track.0.path", "did you mean `gravity.x`?"),
        (|s| s.track[0].path = "duration".into(), "track.0.path", "cannot change"),
        (|s| s.track[0].path = "gravity".into(), "track.0.path", "name one component"),
        (|s| keys(s, &[]), "track.0.keys", "no keys"),
        (|s| keys(s, &[[1.0, 0.0], [1.0, 0.0]]), "track.0.keys.1", "increasing order"),
        (|s| keys(s, &[[f32::NAN, 0.0]]), "track.0.keys.0", "seconds"),
        (|s| keys(s, &[[0.0, 1e5]]), "track.0.keys.0", "m/s²"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn what_leaves_the_plane_is_an_error() {
    let cases: &[Case] = &[
        (|s| s.gravity[2] = 1.0, "gravity", "across the plane"),
        (|s| s.liquid[0].fill[0].at[2] = 0.1, "liquid.water.fill.0.at", "across the plane"),
        (|s| s.liquid[0].fill[0].velocity[2] = 0.1, "liquid.water.fill.0.velocity", "across the plane"),
        (|s| s.liquid[0].fill[0].rotate[0] = 45.0, "liquid.water.fill.0.rotate", "only turn about z"),
        (|s| s.liquid[0].emitter[0].at[2] = 0.1, "liquid.water.emitter.0.at", "across the plane"),
        (|s| s.liquid[0].emitter[0].velocity[2] = 0.1, "liquid.water.emitter.0.velocity", "across the plane"),
        (|s| s.object[1].rotate[1] = 45.0, "object.post.rotate", "only turn about z"),
        (|s| s.object[1].at[2] = 1.0, "object.post.at", "off the plane"),
        (
            |s| s.object[0].shape = Shape::HalfSpace { normal: [0.0, 1.0, 1.0] },
            "object.floor.shape.half_space.normal",
            "across",
        ),
        (|s| s.drain[0].at[2] = 1.0, "drain.sink.at", "off the plane"),
        (|s| s.event[0] = event("gravity.z", Value::Number(1.0)), "event.0.set.gravity.z", "across"),
        (|s| s.track[0].path = "gravity.2".into(), "track.0.keys.1", "across"),
    ];
    assert_found(planar(), cases, Severity::Error);
}

#[test]
fn fills_without_room_are_warned_of() {
    let cases: &[Case] = &[
        (|s| s.liquid[0].fill[0].at[1] = 0.09, "liquid.water.fill.0", "object.floor"),
        (|s| s.object[1].at = [0.1, 0.1, 0.0], "liquid.water.fill.0", "object.post"),
        (
            |s| s.liquid[0].fill.push(fill(Shape::Sphere { radius: 0.08 }, [0.1, 0.12, 0.0])),
            "liquid.water.fill.1",
            "burst",
        ),
        (
            |s| {
                let water = s.liquid[0].clone();
                s.liquid.push(Liquid { name: "oil".into(), emitter: vec![], ..water });
            },
            "liquid.oil.fill.0",
            "place of its own",
        ),
        (
            |s| s.kill_box = Some(Bounds { min: [-0.05, -1.0, -2.0], max: [2.0; 3] }),
            "liquid.water.fill.0",
            "vanishes",
        ),
        (
            |s| s.liquid[0].fill[0].shape = Shape::Box { size: [0.2, 0.2, 0.04] },
            "liquid.water.fill.0.shape",
            "2 layers",
        ),
        (
            |s| s.liquid[0].fill[0].shape = Shape::Box { size: [0.2, 0.189, 0.2] },
            "liquid.water.fill.0.shape",
            "mass",
        ),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn fills_that_touch_are_not_warned_of() {
    let mut scene = good();
    scene.liquid[0].fill.push(fill(Shape::Box { size: [0.2; 3] }, [0.2, 0.1, 0.0]));
    scene.object[1].at[0] = 0.7;
    assert_eq!(scene.faults(), []);
}

#[test]
fn a_fill_in_its_own_mould_is_not_warned_of() {
    let cup = [
        Part::new(Shape::Cylinder { radius: 0.2, height: 0.4 }, [0.0; 3]),
        Part::new(Shape::Sphere { radius: 0.15 }, [0.1, 0.2, 0.0]),
    ];
    let shapes = [
        Shape::Sphere { radius: 0.15 },
        Shape::Box { size: [0.2; 3] },
        Shape::Cone { radius: 0.2, height: 0.4 },
        Shape::Torus { radius: 0.2, tube: 0.08 },
        Shape::Difference(Blend { of: cup.to_vec(), smooth: 0.02 }),
        Shape::Model { of: Model::Rabbit, height: 0.5 },
    ];
    for shape in shapes {
        let mut scene = good();
        scene.liquid[0].emitter.clear();
        scene.object.clear();
        scene.event.clear();
        let (at, rotate) = ([0.0, 0.3, 0.0], [0.0, 20.0, 30.0]);
        for filled in [shape.clone(), mould(shape.clone())] {
            scene.liquid[0].fill = vec![Fill { rotate, ..fill(filled, at) }];
            let cast = Object { rotate, ..Object::new("mould", mould(shape.clone()), at) };
            scene.object = vec![cast];
            assert_eq!(scene.faults(), [], "{shape:?}");
            scene.object[0].at[0] += 0.1;
            let told = scene.faults();
            assert!(told.iter().any(|f| f.reason.contains("inside object.mould")), "{shape:?} {told:#?}");
        }
    }
}

#[test]
fn mouths_without_room_are_warned_of() {
    let cases: &[Case] = &[
        (
            |s| s.liquid[0].emitter[0].at = [0.0, 0.1, 0.0],
            "liquid.water.emitter.0",
            "inside liquid.water.fill.0",
        ),
        (|s| s.liquid[0].emitter[0].at = [0.0, -0.1, 0.0], "liquid.water.emitter.0", "inside object.floor"),
        (|s| s.liquid[0].emitter[0].at = [1.0, 0.0, 0.0], "liquid.water.emitter.0", "drain.sink"),
        (|s| s.liquid[0].emitter[0].at = [5.0, 1.0, 0.0], "liquid.water.emitter.0", "kill box"),
        (|s| s.liquid[0].emitter[0].radius = 0.005, "liquid.water.emitter.0", "less than one spacing"),
        (
            |s| {
                let mut second = s.liquid[0].emitter[0].clone();
                second.at[0] = 0.03;
                s.liquid[0].emitter.push(second);
            },
            "liquid.water.emitter.1",
            "overlaps",
        ),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn what_has_no_effect_is_warned_of() {
    let cases: &[Case] = &[
        (
            |s| s.liquid.push(Liquid { name: "b".into(), ..Default::default() }),
            "liquid.b",
            "neither fill nor emitter",
        ),
        (
            |s| {
                (s.drain, s.kill_box, s.duration) = (vec![], None, 86_400.0);
                s.liquid[0].emitter[0].stop = None;
            },
            "liquid.water.emitter.0",
            "nothing takes them away",
        ),
        (|s| s.liquid[0].springs.plasticity = 1.0, "liquid.water.springs.plasticity", "no effect"),
        (|s| s.liquid[0].springs.yield_ratio = 0.1, "liquid.water.springs.yield_ratio", "no effect"),
        (|s| s.object[1].shape = Shape::Box { size: [1.0, 0.005, 1.0] }, "object.post.shape", "thin"),
        (|s| s.event[0].at = 9.0, "event.0.at", "ends at 4 s"),
        (
            |s| (s.liquid[0].emitter[0].start, s.liquid[0].emitter[0].stop) = (9.0, None),
            "liquid.water.emitter.0.start",
            "ends at 4 s",
        ),
        (|s| s.drain[0].start = 9.0, "drain.sink.start", "ends at 4 s"),
        (|s| s.camera = Some(Camera { at: [0.0; 3], ..Default::default() }), "camera.look_at", "very point"),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn physics_beyond_the_steps_is_warned_of() {
    fn thesis(scene: &mut Scene, thesis: Thesis) {
        scene.liquid[0].thesis = Some(Thesis { h: 0.04, k: 1.0, k_near: 1.0, ..thesis });
    }
    fn none() -> Thesis {
        Thesis::default()
    }
    let cases: &[Case] = &[
        (|s| s.liquid[0].stiffness = Some(1e9), "liquid.water.stiffness", "max_substeps"),
        (|s| s.liquid[0].stiffness = Some(100.0), "liquid.water.stiffness", "remove it"),
        (|s| s.max_substeps = 3, "max_substeps", "expect"),
        (|s| s.liquid[0].viscosity.linear = 1e5, "liquid.water.viscosity.linear", "passes"),
        (
            |s| s.liquid[0].thesis = Some(Thesis { h: 0.04, k: 100.0, ..none() }),
            "liquid.water.thesis.k",
            "at most 3.6",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis { h: 0.04, ..none() }), "liquid.water.thesis.k_near", "0.2"),
        (
            |s| thesis(s, Thesis { h: 0.01, k_spring: 1e4, ..none() }),
            "liquid.water.thesis.k_spring",
            "above 1",
        ),
        (|s| thesis(s, Thesis { sigma: 1e4, ..none() }), "liquid.water.thesis.sigma", "passes"),
        (|s| thesis(s, Thesis { beta: 1e4, ..none() }), "liquid.water.thesis.beta", "above 10"),
        (|s| thesis(s, Thesis { alpha: 1.0, ..none() }), "liquid.water.thesis.alpha", "no springs"),
        (
            |s| thesis(s, Thesis { substeps: 500, ..none() }),
            "liquid.water.thesis.substeps",
            "max_substeps = 500",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis { h: 0.01, ..none() }), "liquid.water.thesis.h", "not feel"),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn errors_hide_warnings_and_come_alone() {
    let mut scene = good();
    scene.event[0].at = 9.0;
    scene.fps = f32::NAN;
    assert!(scene.faults().iter().all(|f| f.severity == Severity::Error));
}

#[test]
fn a_large_scene_is_checked_at_once() {
    let mut scene = good();
    scene.liquid[0].fill[0] = fill(Shape::Box { size: [7.0, 7.0, 7.0] }, [0.0, 3.5, 0.0]);
    for i in 0..100 {
        let at = [4.0 + 0.3 * i as f32, 0.2, 0.0];
        scene.liquid[0].fill.push(fill(Shape::Sphere { radius: 0.1 }, at));
        scene.object.push(Object::new(format!("ball{i}"), Shape::Sphere { radius: 0.1 }, [0.0, 9.0, at[0]]));
    }
    let start = Instant::now();
    scene.faults();
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
}
