//! Objects, what holds them together and what sticks to them.

use super::*;

fn stick(scene: &mut Scene, liquid: &str, pull: f32, range: Option<f32>) {
    scene.object[1].adhesion.insert(liquid.into(), Adhesion { pull, range });
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
        (|s| stick(s, "water", 1.0, None), "object.ball.adhesion.water", "add a [[liquid]]"),
        (
            |s| s.object.iter_mut().for_each(|o| o.motion = Motion::Fixed),
            "",
            "nothing in the scene that moves",
        ),
    ];
    assert_found(rigid(), cases, Severity::Error);
}

/// As [`rigid`], with a spring from the ball to the gate and one to a place.
fn sprung() -> Scene {
    let to_gate =
        Spring { to: Some("gate".into()), to_at: None, ..Spring::new("tie", "ball", [0.0; 3], 10.0) };
    Scene { spring: vec![to_gate, Spring::new("coil", "ball", [0.0, 1.0, 0.0], 10.0)], ..rigid() }
}

#[test]
fn springs_and_forces_that_cannot_be_are_errors() {
    let cases: &[Case] = &[
        (|s| s.spring[0].object = "bal".into(), "spring.tie.object", "did you mean \"ball\"?"),
        (|s| s.spring[0].object = "floor".into(), "spring.tie.object", "not free"),
        (|s| s.spring[0].to = Some("gaet".into()), "spring.tie.to", "did you mean \"gate\"?"),
        (|s| s.spring[0].to = Some("ball".into()), "spring.tie.to", "itself"),
        (|s| s.spring[1].to_at = None, "spring.coil.to_at", "to_at = [x, y, z]"),
        (|s| s.spring[1].name = "tie".into(), "spring.1.name", "another spring"),
        (|s| s.spring[0].stiffness = -1.0, "spring.tie.stiffness", "N/m"),
        (|s| s.spring[0].damping = f32::NAN, "spring.tie.damping", "finite"),
        (|s| s.object[1].force[0] = f32::INFINITY, "object.ball.force.0", "finite"),
        (|s| s.object[1].static_grip = Some(-0.1), "object.ball.static_grip", "from 0 to 10"),
        (|s| s.object[1].drag.linear = -1.0, "object.ball.drag.linear", "N·s/m"),
        (|s| s.wind[1] = 2000.0, "wind.1", "m/s"),
        (
            |s| s.event = vec![event("object.floor.force.x", Value::Number(1.0))],
            "event.0.set.object.floor.force.x",
            "motion = \"free\"",
        ),
    ];
    assert_found(sprung(), cases, Severity::Error);
}

#[test]
fn springs_and_forces_that_do_nothing_are_warned_of() {
    let cases: &[Case] = &[
        (|s| s.object[0].force[0] = 1.0, "object.floor.force", "not free"),
        (|s| s.object[0].torque[0] = 1.0, "object.floor.torque", "not free"),
        (|s| s.object[0].drag.linear = 1.0, "object.floor.drag", "not free"),
        (|s| s.object[1].force_at = Some([0.0; 3]), "object.ball.force_at", "write a force"),
        (|s| s.object[1].static_grip = Some(0.3), "object.ball.static_grip", "at least 0.5"),
        (|s| s.spring[0].stiffness = 0.0, "spring.tie", "neither stiffness nor damping"),
        (|s| s.wind[0] = 1.0, "wind", "drag.coefficient"),
    ];
    assert_found(sprung(), cases, Severity::Warning);
    assert_eq!(sprung().faults(), []);
}

#[test]
fn adhesion_names_a_liquid() {
    let cases: &[Case] = &[
        (|s| stick(s, "watr", 1.0, None), "object.post.adhesion.watr", "did you mean \"water\"?"),
        (|s| stick(s, "oil", 1.0, None), "object.post.adhesion.oil", "write the name of one: water"),
        (|s| stick(s, "water", -1.0, None), "object.post.adhesion.water.pull", "m/s²"),
    ];
    assert_found(good(), cases, Severity::Error);
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
fn free_objects_too_small_for_the_liquid_are_warned_of() {
    fn float(scene: &mut Scene, side: f32) {
        let cube = Object::new("bit", Shape::Box { size: [side; 3] }, [0.0, 5.0, 0.0]);
        scene.object.push(Object { motion: Motion::Free, ..cube });
    }
    let spacing = good().liquid[0].spacing;
    let cases = &[(|s: &mut Scene| float(s, 1.2 * s.liquid[0].spacing), "object.bit", "make it larger")];
    assert_found(good(), cases, Severity::Warning);
    let mut scene = good();
    float(&mut scene, 2.1 * spacing);
    assert_eq!(scene.faults(), []);
}

#[test]
fn balls_too_small_for_the_liquid_are_warned_of() {
    fn float(scene: &mut Scene, radius: f32) {
        let balls = Balls { name: "peas".into(), radius, spread: 0.2, ..Balls::default() };
        scene.balls.push(balls);
    }
    let cases = &[(|s: &mut Scene| float(s, s.liquid[0].spacing), "balls.peas", "make it larger")];
    assert_found(good(), cases, Severity::Warning);
    let mut scene = good();
    float(&mut scene, 1.7 * good().liquid[0].spacing);
    assert_eq!(scene.faults(), []);
    scene = Scene { liquid: Vec::new(), ..good() };
    float(&mut scene, 1e-3);
    assert_eq!(scene.faults(), []);
}

#[test]
fn adhesion_that_reaches_too_far_is_warned_of() {
    let cases: &[Case] =
        &[(|s| stick(s, "water", 20.0, Some(0.05)), "object.post.adhesion.water.range", "jump")];
    assert_found(good(), cases, Severity::Warning);
    let mut scene = good();
    stick(&mut scene, "water", 20.0, Some(0.02));
    assert_eq!(scene.faults(), []);
}
