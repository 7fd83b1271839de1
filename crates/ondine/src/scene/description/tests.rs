//! What a declaration gives: all of it, in the words of a system that there is not.

use super::*;
use std::collections::BTreeMap;

/// Only what rolls has a speed to change.
const ROLLING: Condition<Ball> = Condition {
    holds: |ball| ball.rolls,
    terms: Terms { word: "if rolling", remedy: "let it roll", jumps: true },
};

description! {
    /// A ball.
    pub struct Ball called name {
        /// What it is called.
        pub name: String = String::new(),
        /// Radius [m]. Default 0.5.
        pub radius: f32 [1e-3..=10, live] = 0.5,
        /// Mass [kg]. Default: by its size.
        pub mass: Option<f32> [0..=100, live] = None,
        /// Whether it rolls. Default true.
        pub rolls: bool = true,
        /// Velocity [m/s]. Default at rest.
        pub velocity: [f32; 3] [-9..=9, live if ROLLING] = [0.0; 3],
        /// How it sticks to others, by their names.
        pub grip: BTreeMap<String, f32> [0..=1] = BTreeMap::new(),
    }
}

description! {
    /// Many balls.
    pub struct Balls {
        /// The balls.
        pub ball: Vec<Ball> = vec![Ball { name: "red".into(), ..Ball::default() }],
    }
}

#[test]
fn a_declaration_gives_defaults_and_a_schema() {
    assert_eq!((Ball::default().radius, Ball::default().mass), (0.5, None));
    let schema = schemars::schema_for!(Balls).to_value();
    let properties = &schema["$defs"]["Ball"]["properties"];
    assert_eq!(
        (&properties["radius"]["minimum"], &properties["radius"]["maximum"]),
        (&0.001.into(), &10.into())
    );
    assert_eq!(properties["velocity"]["items"]["minimum"], -9);
    assert_eq!(properties["grip"]["additionalProperties"]["maximum"], 1);
    assert_eq!(properties["mass"]["description"], "Mass [kg]. Default: by its size.");
}

#[test]
fn a_declaration_is_listed() {
    let mut all = Vec::new();
    Balls::describe(&mut all);
    assert_eq!(all.iter().map(|d| d.name).collect::<Vec<_>>(), ["Balls", "Ball"]);
    let [_, radius, _, rolls, velocity, _] = all[1].values else { panic!("{all:?}") };
    assert_eq!((radius.key, radius.unit(), radius.range), ("radius", "m", Some(Range::new(1e-3, 10.0))));
    assert_eq!(
        (radius.live, rolls.live, velocity.live),
        (Live::Always, Live::Fixed, Live::If(ROLLING.terms))
    );
}

#[test]
fn paths_lead_to_values_and_all_values_are_shown() {
    let mut balls = Balls::default();
    let mut live = |rolls, path| {
        balls.ball[0].rolls = rolls;
        balls.find(Status::WHOLE, path).map(|found| found.status.live)
    };
    assert_eq!(live(true, "ball.red.velocity.y"), Some(true));
    assert_eq!(live(false, "ball.red.velocity.y"), Some(false));
    assert_eq!((live(true, "ball.red.mass"), live(true, "ball.red.name")), (Some(true), Some(false)));
    assert_eq!((live(true, "ball.blue.mass"), live(true, "ball.red.velocity.w")), (None, None));
    let mut seen = Vec::new();
    balls.show(
        Status::WHOLE,
        &mut Walk::new(&mut |shown| match shown {
            Shown::Value { path, number, .. } => seen.push((path.to_string(), *number)),
            Shown::Names { path, names } => assert_eq!((*path, &names[..]), ("ball", &["red"][..])),
        }),
    );
    assert_eq!(seen.iter().filter(|(path, _)| path == "ball.red.velocity").count(), 3);
    assert!(
        seen.contains(&("ball.red.radius".into(), Some(0.5)))
            && seen.contains(&("ball.red.mass".into(), None))
    );
}
