//! Numbers that follow a curve.

use super::*;
use ondine::scene::Interpolation;

#[test]
fn numbers_may_follow_a_curve() {
    let scene = scene(
        r#"
        gravity = [0, { keys = [[0, -9.81], [1, 0]] }, 0]
        [[track]]
        path = "liquid.a.density"
        keys = [[0, 1]]
        [[liquid]]
        name = "a"
        viscosity.linear = { keys = [[0, 1], [2, 5]], interpolation = "smooth" }
        lifetime = { keys = [[0, 3]] }
        [[liquid]]
        name = "b"
        emitter = { velocity = [0, 0, { keys = [[0, 1]] }] }
        "#,
    );
    assert_eq!(scene.gravity, [0.0, -9.81, 0.0]);
    assert_eq!(scene.liquid[0].viscosity.linear, 1.0);
    assert_eq!(scene.liquid[0].lifetime, Some(3.0));
    let paths: Vec<_> = scene.track.iter().map(|t| t.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "liquid.a.density",
            "gravity.1",
            "liquid.a.viscosity.linear",
            "liquid.a.lifetime",
            "liquid.b.emitter.0.velocity.2"
        ]
    );
    assert_eq!(scene.track[2].interpolation, Interpolation::Smooth);
    assert_eq!(scene.track[2].keys, [[0.0, 1.0], [2.0, 5.0]]);
    let mut live = scene.clone();
    assert!(scene.track.iter().all(|track| live.live(&track.path).is_some()));
}

#[test]
fn bad_keys_are_reported() {
    let with = |keys: &str| fault(&format!("fps = {{ keys = {keys} }}"));
    assert!(with("[]").contains("fps: there are no keys (write pairs"));
    assert!(with("[[0, 1], [2, 5], [1, 5]]").contains("time 1 is not after the key before it, at 2"));
    assert!(with("[[0, 1], [0, 2]]").contains("increasing order"));
    assert!(with("[[0, nan]]").contains("fps.keys.0.1: is not a finite number"));
    assert!(with("[[0, 1], [1, 0]]").contains("fps: must be at least 1 and at most 1000"));
    assert!(with("[[0, 1, 2]]").contains("needs 2 values, found 3"));
    assert!(with("[[0, 1]], interpolation = \"smoth\"").contains("did you mean `smooth`?"));
    assert!(with("[[0, 1]], interpolate = \"smooth\"").contains("there is no key `interpolate`"));
}

#[test]
fn only_numbers_can_be_keyframed() {
    assert!(fault("seed = { keys = [[0, 1]] }").contains("expected a whole number, found a table"));
}
