//! What events and tracks cannot change, or not so.

use super::*;

/// No event may set these paths to these values; a word of the reason or remedy stands beside each.
#[track_caller]
fn assert_cannot_be_set(good: Scene, cases: &[(&str, Value, &str)]) {
    let cases = cases.iter().map(|&(path, value, word)| {
        let change = move |s: &mut Scene| s.event = vec![event(path, value)];
        (change, format!("event.0.set.{path}"), word)
    });
    assert_found(good, &cases.collect::<Vec<_>>(), Severity::Error);
}

#[test]
fn objects_are_moved_by_tracks_and_never_by_events() {
    let mut scene = rigid();
    scene.object[1].motion = Motion::Moving;
    let cases = [
        ("object.ball.at", Value::Vector([1.0; 3]), "let a track move it"),
        ("object.ball.at.y", Value::Number(1.0), "let a track move it"),
        ("object.ball.rotate.2", Value::Number(1.0), "let a track move it"),
    ];
    assert_cannot_be_set(scene.clone(), &cases);
    scene.track = vec![track("object.ball.at.y", &[[0.0, 0.1], [1.0, 1.0]])];
    scene.event = vec![event("object.gate.visible", Value::Switch(false))];
    assert_eq!(scene.faults(), []);
    scene.track.clear();
    scene.event = vec![event("object.ball.velocity", Value::Vector([1.0, 0.0, 0.0]))];
    assert_eq!(scene.faults(), []);
}

#[test]
fn values_that_cannot_be_set_are_errors() {
    let cases = [
        ("liquid.watr.density", Value::Number(1.0), "did you mean `liquid.water.density`?"),
        ("liquid.water.spacing", Value::Number(0.1), "cannot change"),
        ("object.post.at.y", Value::Number(0.1), "motion = \"moving\""),
        ("object.post.at", Value::Vector([0.1; 3]), "cannot change"),
        ("fps", Value::Number(24.0), "cannot change"),
        ("object.post.enabled", Value::Number(1.0), "true or false"),
        ("gravity.y", Value::Switch(true), "one number"),
        ("gravity", Value::Number(1.0), "vector"),
        ("liquid.water.density", Value::Number(-1.0), "kg/m³"),
        ("gravity", Value::Vector([f32::NAN; 3]), "finite"),
    ];
    assert_cannot_be_set(good(), &cases);
}

#[test]
fn changes_that_cannot_be_made_are_errors() {
    fn keys(scene: &mut Scene, keys: &[[f32; 2]]) {
        scene.track[0].keys = keys.to_vec();
    }
    let cases: &[Case] = &[
        (|s| s.event[0].at = -1.0, "event.0.at", "out of range"),
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
