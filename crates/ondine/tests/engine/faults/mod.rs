//! What is wrong with scenes, and that nothing worse gets past.

mod amounts;
mod changes;
mod objects;
mod places;
mod planar;
mod shapes;
mod values;

use ondine::scene::*;
use ondine::{Fault, Scene, Severity, World};
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
        track: vec![track("gravity.x", &[[0.0, 0.0], [1.0, 2.0]])],
        ..Default::default()
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

fn mould(of: Shape) -> Shape {
    Shape::Mould { of: Box::new(of) }
}

fn union(only: Shape) -> Shape {
    Shape::Union(Blend { of: vec![Part::new(only, [0.0; 3])], smooth: 0.0 })
}

fn event(path: &str, value: Value) -> Event {
    Event { at: 1.0, set: [(path.to_string(), value)].into() }
}

fn track(path: &str, keys: &[[f32; 2]]) -> Track {
    Track { path: path.into(), keys: keys.to_vec(), interpolation: Default::default() }
}

/// A change that makes a good scene bad, the path of the fault and a word of its reason or remedy.
type Case = (fn(&mut Scene), &'static str, &'static str);

/// Takes any closure for a change and any text for a path, for cases that are made in a loop.
#[track_caller]
fn assert_found<C, P>(good: Scene, cases: &[(C, P, &str)], severity: Severity)
where
    C: Fn(&mut Scene),
    P: AsRef<str>,
{
    assert_eq!(good.faults(), []);
    for (i, (change, path, word)) in cases.iter().enumerate() {
        let path = path.as_ref();
        let mut scene = good.clone();
        change(&mut scene);
        let faults = scene.faults();
        let told = |f: &Fault| format!("{} {}", f.reason, f.remedy).contains(word);
        let found = faults.iter().any(|f| f.severity == severity && f.path == path && told(f));
        assert!(found, "case {i}, {path}: no {severity:?} with \"{word}\" in {faults:#?}");
        assert_eq!(World::new(&scene).is_err(), severity == Severity::Error, "case {i}, {path}");
        assert!(faults.iter().all(|f| !f.reason.is_empty() && !f.remedy.is_empty()));
    }
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
