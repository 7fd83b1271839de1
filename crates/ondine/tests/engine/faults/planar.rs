//! What leaves the plane of a planar scene.

use super::*;

#[test]
fn what_joints_cannot_do_in_the_plane_is_an_error() {
    let cases: &[Case] = &[
        (|s| s.joint[0].axis = [0.0, 1.0, 0.0], "joint.pin.axis", "only turn about z"),
        (|s| s.joint[0].kind = JointKind::Slider, "joint.pin.axis", "[1, 0, 0]"),
        (|s| s.joint[0].at[2] = 1.0, "joint.pin.at", "across the plane"),
        (|s| s.object[1].velocity[2] = 1.0, "object.ball.velocity", "across the plane"),
        (|s| s.object[1].spin[0] = 1.0, "object.ball.spin", "only spin about z"),
        (|s| s.object[1].force[2] = 1.0, "object.ball.force", "across the plane"),
        (|s| s.object[1].torque[0] = 1.0, "object.ball.torque", "only turn about z"),
        (|s| s.wind[2] = 1.0, "wind", "across the plane"),
        (
            |s| s.spring = vec![Spring::new("coil", "ball", [0.0, 1.0, 1.0], 1.0)],
            "spring.coil.to_at",
            "across the plane",
        ),
        (
            |s| s.event = vec![event("object.ball.torque.x", Value::Number(1.0))],
            "event.0.set.object.ball.torque.x",
            "`object.ball.torque.z`",
        ),
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
    assert_found(Scene { dimension: 2, ..good() }, cases, Severity::Error);
}
