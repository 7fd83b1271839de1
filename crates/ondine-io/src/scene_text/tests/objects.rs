//! Objects: shapes of shapes, adhesion, joints.

use super::*;
use ondine::scene::{Adhesion, JointKind, Model, Motion, Part};

const WHEEL: &str = r#"
[[liquid]]
name = "honey"
material = "honey"
fill = { shape = { mould = { of = { model = { of = "rabbit", height = 0.3 } } } }, at = [3, 0, 0] }
[[object]]
name = "wheel"
motion = "free"
mass = 2
adhesion.honey = { pull = 20 }
[object.shape.union]
smooth = 0.01
[[object.shape.union.of]]
shape = { cylinder = { radius = 0.1, height = 0.1 } }
rotate = [90, 0, 0]
[[object.shape.union.of]]
shape.difference.of = [{ shape.sphere.radius = 0.1 }, { shape.sphere.radius = 0.1, at = [0.1, 0, 0], scale = 2 }]
[[object]]
name = "gate"
shape.box.size = [0.1, 1, 1]
motion = "moving"
at = [2, { keys = [[0, 1], [2, 3]] }, 0]
[joint]
name = "pin"
kind = "hinge"
object = "wheel"
at = [0, 0, 0]
"#;

#[test]
fn shapes_of_shapes_are_read() {
    let scene = scene(WHEEL);
    let Shape::Union(blend) = &scene.object[0].shape else { panic!() };
    assert_eq!((blend.of.len(), blend.smooth, blend.of[0].rotate), (2, 0.01, [90.0, 0.0, 0.0]));
    let Shape::Difference(inner) = &blend.of[1].shape else { panic!() };
    let bite = Part { scale: 2.0, ..Part::new(Shape::Sphere { radius: 0.1 }, [0.1, 0.0, 0.0]) };
    assert_eq!(inner.of[1], bite);
    let Shape::Mould { of } = &scene.liquid[0].fill[0].shape else { panic!() };
    assert_eq!(**of, Shape::Model { of: Model::Rabbit, height: 0.3 });
    assert_eq!(scene.object[0].adhesion["honey"], Adhesion { pull: 20.0, range: None });
    assert_eq!((scene.object[0].motion, scene.object[0].mass), (Motion::Free, Some(2.0)));
    assert_eq!((scene.joint[0].kind, scene.joint[0].axis), (JointKind::Hinge, [0.0, 0.0, 1.0]));
    assert!(parse(&source(WHEEL), &[]).is_ok());
    assert_eq!(super::scene(&write(&scene)), scene);
}

#[test]
fn a_moving_object_may_be_keyframed_in_place() {
    let scene = scene(WHEEL);
    assert_eq!((scene.object[1].at, scene.track[0].path.as_str()), ([2.0, 1.0, 0.0], "object.gate.at.1"));
    let fixed = WHEEL.replace("motion = \"moving\"\n", "");
    assert!(fault(&fixed).contains("cannot change during a run (write motion = \"moving\" in the object"));
    let whole = WHEEL.replace("at = [2, { keys = [[0, 1], [2, 3]] }, 0]", "at = { keys = [[0, 1]] }");
    assert!(fault(&whole).contains("give keyframes to each component that changes"));
}

#[test]
fn faults_deep_in_a_shape_are_found() {
    let wrong = WHEEL.replace("scale = 2", "scale = 0");
    let path = "object.wheel.shape.union.of.1.shape.difference.of.1.scale";
    assert!(fault(&wrong).contains(&format!("{path}: must be at least 1e-6")));
    let torus = WHEEL.replace("shape.sphere.radius = 0.1, at", "shape.torus = { radius = 1, tube = 2 }, at");
    let told = fault(&torus);
    assert!(
        told.starts_with("17: object.wheel.shape.union.of.1.shape.difference.of.1.shape.torus.tube"),
        "{told}"
    );
}

#[test]
fn one_part_may_stand_alone() {
    let one = "[object]\nname = \"a\"\nshape.union.of = { shape.sphere.radius = 1 }";
    let many = "[object]\nname = \"a\"\nshape.union.of = [{ shape.sphere.radius = 1 }]";
    assert_eq!(scene(one), scene(many));
}

#[test]
fn adhesion_is_by_the_name_of_a_liquid() {
    let with = |adhesion: &str| fault(&WHEEL.replace("adhesion.honey = { pull = 20 }", adhesion));
    assert!(
        with("adhesion = 3")
            .contains("expected a table, found a whole number (write for example { NAME = { pull = 20 } })")
    );
    assert!(with("adhesion.honey = 3").contains("write for example { pull = 20 }"));
    assert!(with("adhesion.honey = {}").contains("`pull` is missing (add `pull = 20`)"));
    assert!(with("adhesion.honey = { pul = 3, pull = 3 }").contains("did you mean `pull`?"));
    assert!(with("adhesion.hony = { pull = 3 }").contains("object.wheel.adhesion.hony: there is no liquid"));
}

#[test]
fn overrides_reach_into_shapes_and_adhesion() {
    let scene = scene_with(
        WHEEL,
        &[
            "object.wheel.adhesion.honey.pull=5",
            "object.wheel.shape.union.of.0.shape.cylinder.radius=0.3",
            "object.wheel.shape.union.of.1.shape.difference.of.1.at.y=4",
            "object.wheel.motion=fixed",
            "joint.pin.limits=[-1, 1]",
            "liquid.honey.fill.0.shape.mould.of.model.of=stool",
        ],
    );
    assert_eq!(scene.object[0].adhesion["honey"].pull, 5.0);
    assert_eq!((scene.object[0].motion, scene.joint[0].limits), (Motion::Fixed, Some([-1.0, 1.0])));
    let text = write(&scene);
    assert!(text.contains("radius = 0.3") && text.contains("\"stool\""), "{text}");
    let nearest = |path: &str| faults_with(WHEEL, &[&format!("{path}=1")]).remove(0);
    assert!(
        nearest("object.wheel.adhesion.honey.pul").contains("nearest is `object.wheel.adhesion.honey.pull`")
    );
    assert!(
        nearest("object.wheel.shape.union.of.0.shape.cylinder.radios")
            .contains("nearest is `object.wheel.shape.union.of.0.shape.cylinder.radius`")
    );
}
