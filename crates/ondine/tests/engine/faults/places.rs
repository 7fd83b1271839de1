//! Where liquid comes from and goes, and when: what makes no sense, and what has no room.

use super::*;

#[test]
fn sources_and_times_without_sense_are_errors() {
    let cases: &[Case] = &[
        (|s| s.liquid.clear(), "", "nothing in the scene that moves"),
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
fn an_emitter_may_start_from_rest_if_something_moves_it() {
    let mut scene = good();
    scene.liquid[0].emitter[0].velocity = [0.0; 3];
    scene.event.push(event("liquid.water.emitter.0.velocity", Value::Vector([0.0, -1.0, 0.0])));
    assert_eq!(scene.faults(), []);
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
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn a_fill_that_its_spacing_does_not_divide_is_not_warned_of() {
    let mut scene = good();
    scene.liquid[0].fill[0].shape = Shape::Box { size: [0.2, 0.189, 0.2] };
    scene.liquid[0].fill[0].at[1] = 0.0945;
    assert_eq!(scene.faults(), []);
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
fn nozzles_without_room_are_warned_of() {
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
