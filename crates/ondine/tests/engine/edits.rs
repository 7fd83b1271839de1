//! Changes from outside: what they do, what is refused, and what can be asked of a world between frames.

use crate::scenes::*;
use ondine::scene::{
    Ball, BallFill, Balls, Edit, Fill, Joint, JointKind, Motion, Object, Preset, Recorded, Shape, Value,
};
use ondine::{Scene, World};
use proptest::prelude::*;

const BALL: Shape = Shape::Sphere { radius: 0.1 };

/// A pool, a ball above it, a gate that goes up and down, and a hailstone.
fn pool(dimension: u32) -> Scene {
    let mut water = liquid("water", Preset::Water, if dimension == 2 { 0.03 } else { 0.06 });
    water.fill = vec![block([0.96, 0.24, 0.48], [0.48, 0.12, 0.0])];
    let gate = moving("gate", Shape::Box { size: [0.05, 0.3, 0.2] }, [0.8, 0.8, 0.0]);
    let object = vec![tank([0.96, 1.2, 0.48]), free("ball", BALL, [0.3, 0.6, 0.0]), gate];
    let stone = Ball { at: [0.6, 1.0, 0.0], ..Ball::default() };
    let hail = Balls { name: "hail".into(), radius: 0.03, ball: vec![stone], ..Balls::default() };
    Scene { dimension, max_substeps: 4, liquid: vec![water], balls: vec![hail], object, ..Scene::default() }
}

fn weightless_ball() -> World {
    world(&Scene { gravity: [0.0; 3], object: vec![free("ball", BALL, [0.0; 3])], ..Scene::default() })
}

#[test]
fn a_push_gives_its_momentum() {
    let mut world = weightless_ball();
    world.push("ball", [0.3, 0.0, 0.0], Some([0.0, 0.1, 0.0])).expect("a push");
    advance(&mut world, 1);
    let ball = world.object("ball").expect("a ball");
    assert!((ball.momentum[0] - 0.3).abs() < 1e-6, "{ball:?}");
    // At the top, forwards: it turns about −z, by r × J.
    let turned = ball.spin[2] * 0.4 * ball.mass * 0.1 * 0.1;
    assert!((turned + 0.03).abs() < 1e-4, "{turned} {ball:?}");
    assert_eq!(ball.force, [0.0; 3], "no particles pushed it");
}

#[test]
fn what_is_held_follows_and_what_is_let_go_falls() {
    for dimension in [2, 3] {
        let mut world =
            world(&Scene { dimension, object: vec![free("ball", BALL, [0.0; 3])], ..Scene::default() });
        world.grab("ball", [0.0, 0.1, 0.0]).expect("a grab");
        world.drag("ball", [1.0, 0.6, 0.0]).expect("a drag");
        advance(&mut world, 90);
        let ball = world.object("ball").expect("a ball");
        // It hangs by its top, which its weight keeps a little below the hand.
        let (x, y) = (ball.at[0] - 1.0, ball.at[1] - 0.5);
        assert!(x.abs() < 0.01 && (-0.02..0.0).contains(&y), "{dimension}D: {x} {y}");
        world.release("ball").expect("a release");
        advance(&mut world, 30);
        assert!(world.object("ball").expect("a ball").at[1] < -4.0);
    }
}

/// However far it is dragged at once, nothing tears and nothing fails.
#[test]
fn a_wild_hand_does_no_harm() {
    let mut scene = pool(3);
    scene.joint = vec![Joint {
        name: "rope".into(),
        kind: JointKind::Ball,
        object: "ball".into(),
        to: None,
        at: [0.3, 0.9, 0.0],
        axis: [0.0, 0.0, 1.0],
        limits: None,
        speed: None,
    }];
    let mut world = world(&scene);
    world.grab("ball", [0.35, 0.65, 0.05]).expect("a grab");
    for n in 0..20 {
        world.drag("ball", [1e3 * (n % 3 - 1) as f32, 500.0, 1e3 * (n % 2) as f32]).expect("a drag");
        advance(&mut world, 1);
    }
}

#[test]
fn particles_come_where_there_is_room_and_go() {
    let mut world = world(&pool(3));
    let count = |world: &World| world.system("liquid.water").expect("water").id.len();
    let before = count(&world);
    world.add_fill("liquid.water", block([0.96, 0.24, 0.48], [0.48, 0.12, 0.0])).expect("a fill");
    world.add_points("liquid.water", vec![[0.6, 0.7, 0.0]; 3], [0.0; 3]).expect("points");
    world.add_points("liquid.water", vec![[0.3, 0.6, 0.0]], [0.0; 3]).expect("points, inside the ball");
    advance(&mut world, 1);
    assert_eq!(count(&world), before + 1, "all else is taken");
    let gone: Vec<u32> = world.system("liquid.water").expect("water").id[..10].to_vec();
    world.remove("liquid.water", [gone.clone(), gone, vec![u32::MAX]].concat()).expect("a removal");
    world.add_fill("liquid.water", Fill::new(BALL, [0.6, 0.5, 0.0])).expect("a fill");
    advance(&mut world, 1);
    let (volume, drop) = (4.0 / 3.0 * std::f32::consts::PI * 1e-3, 0.06f32.powi(3));
    let expected = (before - 9) as f32 + volume / drop;
    assert!((count(&world) as f32 - expected).abs() < 1.5, "{} for {expected}", count(&world));
    assert_eq!(measure(&world, 0).leaks, 0);
}

/// Balls are added where there is room, kicked and taken away; what can be borrowed of them is what is seen, at once after a change, too.
#[test]
fn balls_come_are_kicked_and_go() {
    let mut world = world(&Scene { gravity: [0.0; 3], liquid: Vec::new(), ..pool(3) });
    let view = |world: &World| {
        let view = world.system("balls.hail").expect("hail");
        assert_eq!((view.position.x.len(), view.velocity.z.len()), (view.id.len(), view.id.len()));
        let all = view.id.iter().copied().zip(view.position.iter()).zip(view.velocity.iter());
        all.map(|((id, p), v)| (id, p, v)).collect::<Vec<_>>()
    };
    assert_eq!(view(&world), [(0, [0.6, 1.0, 0.0], [0.0; 3])]);
    let slow = [0.0, 0.01, 0.0];
    world.add_points("balls.hail", vec![[0.6, 1.05, 0.0], [0.1, 0.3, 0.0]], slow).expect("points");
    let box_of = BallFill::new(Shape::Box { size: [0.26, 0.07, 0.07] }, [0.5, 0.2, 0.0]);
    world.add_balls("balls.hail", BallFill { velocity: slow, ..box_of.clone() }).expect("a fill");
    world.add_balls("balls.hail", box_of).expect("a fill where there are balls");
    advance(&mut world, 1);
    assert_eq!(view(&world).len(), 1 + 1 + 4, "what is taken stays so: {:?}", view(&world));
    world.kick("balls.hail", vec![1, 7, 0], [0.0, 0.5, 0.0]).expect("a kick");
    world.remove("balls.hail", vec![2, 3, 99]).expect("a removal");
    let before = measure(&world, 0).momentum[1];
    advance(&mut world, 1);
    let (mut all, after) = (view(&world), measure(&world, 0));
    all.sort_by_key(|ball| ball.0);
    assert_eq!(all.iter().map(|ball| ball.0).collect::<Vec<_>>(), [0, 1, 4, 5]);
    let seen = &world.frame().particles[0];
    for (i, (id, p, v)) in all.iter().enumerate() {
        assert_eq!((*id, *p, *v), (seen.id[i], seen.position[i], seen.velocity[i]));
    }
    let mass = after.mass / 4.0;
    let expected = before + mass * (2.0 * 0.5 - 2.0 * 0.01);
    assert!((after.momentum[1] - expected).abs() < 1e-4 * expected, "{} {expected}", after.momentum[1]);
}

/// An object that comes down in the middle of a pool pushes it aside, and floats.
#[test]
fn an_object_is_added_in_the_middle_of_a_liquid() {
    let mut scene = pool(3);
    scene.object.truncate(1);
    let mut world = world(&scene);
    advance(&mut world, 5);
    world.add_object(free("cork", Shape::Box { size: [0.2; 3] }, [0.5, 0.15, 0.0])).expect("an object");
    advance(&mut world, 45);
    assert_eq!(measure(&world, 0).leaks, 0);
    let cork = world.object("cork").expect("a cork");
    assert!(cork.at[1] > 0.15 && cork.force[1] > 0.0, "{cork:?}");
    world.enable_object("cork", false).expect("a switch");
    advance(&mut world, 1);
    assert!(world.frame().objects.iter().any(|o| o.name == "cork" && !o.enabled));
    assert_eq!(world.nearest_object([0.5, 0.6, 0.0]).expect("a wall").object, "tank");
}

#[test]
fn distances_and_rays_find_objects() {
    let world = world(&pool(3));
    let near = world.nearest_object([0.3, 0.75, 0.0]).expect("a ball");
    assert_eq!(near.object, "ball");
    assert!((near.distance - 0.05).abs() < 1e-5 && near.normal[1] > 0.999, "{near:?}");
    let hit = world.cast_ray([0.3, 1.1, 0.05], [0.0, -2.0, 0.0], 10.0).expect("a ball");
    assert_eq!(hit.object, "ball");
    assert!((hit.at[1] - (0.6 + 0.0075f32.sqrt())).abs() < 1e-4, "{hit:?}");
    assert!(world.cast_ray([0.3, 1.1, 0.05], [0.0, -2.0, 0.0], 0.3).is_none(), "out of reach");
    assert!(world.cast_ray([0.3, 1.1, 0.05], [0.0; 3], 9.0).is_none(), "no direction");
    assert_eq!(world.cast_ray([0.1, 0.5, 0.0], [-1.0, 0.0, 0.0], 9.0).expect("a wall").object, "tank");
}

/// A ball and a cube fall on a floor: each impact is told once, with its speed √(2gh); what lies still meets nobody.
#[test]
fn impacts_are_told_once() {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    for restitution in [0.0, 0.5] {
        let ball = Ball { at: [0.0, 1.1, 0.0], ..Ball::default() };
        let hail =
            Balls { name: "hail".into(), radius: 0.1, restitution, ball: vec![ball], ..Balls::default() };
        let cube = free("cube", Shape::Box { size: [0.2; 3] }, [1.0, 0.6, 0.0]);
        let object = vec![Object { restitution, ..cube }, floor.clone()];
        let mut world = world(&Scene { balls: vec![hail], object, sleep: false, ..Scene::default() });
        let mut told: Vec<(String, f32, f32)> = Vec::new();
        for _ in 0..90 {
            advance(&mut world, 1);
            for impact in world.impacts() {
                assert_eq!((impact.parties[1].name, impact.parties[1].id), ("floor", None));
                assert!(impact.at[1].abs() < 0.02 && impact.normal[1] > 0.99, "{impact:?}");
                told.push((impact.parties[0].name.into(), world.time() as f32, impact.speed));
            }
        }
        for (name, height) in [("hail", 1.0f32), ("cube", 0.5)] {
            let own: Vec<_> = told.iter().filter(|(who, ..)| who == name).collect();
            let (time, speed) = ((2.0 * height / 9.81).sqrt(), (2.0 * 9.81 * height).sqrt());
            assert!((own[0].1 - time).abs() < 1.0 / 30.0, "{name}: {own:?}");
            assert!((own[0].2 / speed - 1.0).abs() < 0.05, "{name}: {own:?} for {speed}");
            if restitution == 0.0 {
                assert_eq!(own.len(), 1, "{name}: {own:?}");
            } else {
                assert!((own[1].2 / own[0].2 - restitution).abs() < 0.05 && own.len() < 9, "{name}: {own:?}");
            }
        }
        assert_eq!(world.impacts(), []);
    }
}

#[test]
fn a_failure_leaves_the_last_good_state() {
    let mut world = weightless_ball();
    advance(&mut world, 1);
    world.push("ball", [1e12, 0.0, 0.0], None).expect("a push");
    let before = world.hash();
    let failure = world.advance_or_keep().expect_err("too fast");
    assert_eq!(failure.system, "object.ball");
    assert_eq!(world.hash(), before);
    world.withdraw_edits();
    world.advance_or_keep().expect("a healthy frame");
}

/// Live or written, what is wrong with an edit is told at its place, with a word that helps; and nothing changes.
#[test]
fn edits_are_checked_like_scene_text() {
    let push = |object: &str, x: f32| Edit::Push { object: object.into(), impulse: [x, 0.0, 0.0], at: None };
    let set = |path: &str, value| Edit::Set { path: path.into(), value };
    let fill = |system: &str, fill| Edit::Fill { system: system.into(), fill };
    let ball_fill =
        |system: &str, shape| Edit::BallFill { system: system.into(), fill: BallFill::new(shape, [0.0; 3]) };
    let cube = |name: &str, shape| Edit::Object(Box::new(free(name, shape, [0.0, 0.9, 0.0])));
    let points = |at| Edit::Points { system: "liquid.water".into(), at: vec![at], velocity: [0.0; 3] };
    let cases = [
        (set("gravity.w", Value::Number(1.0)), "set.path", "did you mean"),
        (set("gravity.z", Value::Number(1.0)), "set.path", "planar"),
        (set("liquid.water.density", Value::Number(-1.0)), "set.path", "out of range"),
        (set("liquid.water.spacing", Value::Number(0.1)), "set.path", "cannot change"),
        (push("bal", 1.0), "push.object", "did you mean \"ball\""),
        (push("gate", 1.0), "push.object", "not free"),
        (push("ball", f32::NAN), "push.impulse.0", "not a finite number"),
        (fill("water", block([0.1; 3], [0.5; 3])), "fill.system", "liquid.water"),
        (fill("liquid.water", block([0.1; 3], [0.0, 0.5, 0.1])), "fill.fill.at", "planar"),
        (fill("liquid.water", block([1e9; 3], [0.0; 3])), "fill.fill.shape.box.size.0", "out of range"),
        (fill("liquid.water", block([1e4; 3], [0.0; 3])), "fill.fill.shape", "fill less"),
        (fill("balls.hail", block([0.1; 3], [0.5; 3])), "fill.system", "ball_fill"),
        (ball_fill("balls.hial", BALL), "ball_fill.system", "did you mean \"balls.hail\""),
        (ball_fill("liquid.water", BALL), "ball_fill.system", "write fill"),
        (ball_fill("balls.hail", Shape::Box { size: [0.01; 3] }), "ball_fill.fill", "no room"),
        (
            ball_fill("balls.hail", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }),
            "ball_fill.fill.shape",
            "no end",
        ),
        (
            Edit::Kick { system: "balls.hail".into(), ids: vec![0], velocity: [0.0, 0.0, 1.0] },
            "kick.velocity",
            "planar",
        ),
        (points([f32::INFINITY, 0.0, 0.0]), "points.at.0", "finite"),
        (points([1e9, 0.0, 0.0]), "points.at.0", "too far"),
        (cube("Ball", BALL), "object.name", "already"),
        (cube("a.b", BALL), "object.name", "dot"),
        (cube("plane", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }), "object.shape", "no end"),
        (Edit::Grab { object: "tank".into(), at: [0.0; 3] }, "grab.object", "not free"),
        (Edit::Drag { object: "ball".into(), to: [0.0; 3] }, "drag.object", "grab it first"),
        (Edit::Release { object: "ball".into() }, "release.object", "grab it first"),
        (Edit::Remove { system: "solid.water".into(), ids: vec![] }, "remove.system", "liquid.water"),
    ];
    let mut world = world(&pool(2));
    world.set("gravity.x", 0.5).expect("a live value");
    advance(&mut world, 1);
    let before = world.hash();
    for (n, (edit, path, word)) in cases.into_iter().enumerate() {
        let written = Scene { edit: vec![Recorded { frame: 0, change: edit.clone() }], ..pool(2) };
        let live = world.edit(edit).expect_err("it is refused");
        for (faults, number) in [(live, 1), (written.faults(), 0)] {
            let path = format!("edit.{number}.change.{path}");
            let told = |f: &ondine::Fault| format!("{} {}", f.reason, f.remedy).contains(word);
            assert!(faults.iter().any(|f| f.path == path && told(f)), "{n}, {path}, {word}: {faults:#?}");
        }
    }
    assert_eq!((world.edits().len(), world.hash()), (1, before));
    let late = |frame| Recorded { frame, change: push("ball", 1.0) };
    let scene = Scene { edit: vec![late(2), late(1)], ..pool(2) };
    assert!(scene.faults().iter().any(|f| f.path == "edit.1.frame"), "{:?}", scene.faults());
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -1f32..1.0,
        1 => prop::num::f32::ANY,
        1 => prop::sample::select(vec![0.0, f32::NAN, f32::INFINITY, 1e-40, 1e6, -1e12, 1e4]),
    ]
}

fn place() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![
        8 => (0f32..1.0, 0f32..1.0).prop_map(|(x, y)| [x, y, 0.0]),
        1 => [number(), number(), number()],
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let object = || {
        prop::sample::select(vec!["ball", "ball", "gate", "new", "tank", "", "liquid"]).prop_map(String::from)
    };
    let system = || {
        let all = vec![
            "liquid.water",
            "liquid.water",
            "balls.hail",
            "balls.hail",
            "liquid.",
            "balls.a",
            "water",
            "",
        ];
        prop::sample::select(all).prop_map(String::from)
    };
    let path = prop::sample::select(vec![
        "gravity",
        "gravity.y",
        "liquid.water.springs.stiffness",
        "liquid.water.density",
        "liquid.water.viscosity.linear",
        "liquid.water.lifetime",
        "balls.hail.restitution",
        "balls.hail.lifetime",
        "object.ball.restitution",
        "object.new.restitution",
        "object.ball.enabled",
        "object.gate.velocity",
        "object.new.friction",
        "camera.angle",
        "edit.0.frame",
        "..",
    ]);
    let value = prop_oneof![
        number().prop_map(Value::Number),
        any::<bool>().prop_map(Value::Switch),
        place().prop_map(Value::Vector)
    ];
    let shape = prop_oneof![
        (0.02f32..0.2).prop_map(|radius| Shape::Sphere { radius }),
        [0.02f32..0.4, 0.02..0.4, 0.02..0.4].prop_map(|size| Shape::Box { size }),
        number().prop_map(|radius| Shape::Sphere { radius }),
        place().prop_map(|normal| Shape::HalfSpace { normal }),
    ];
    let ball_shape = shape.clone();
    let names = prop::sample::select(vec!["new", "newer", "ball"]);
    let motions = prop::sample::select(vec![Motion::Fixed, Motion::Free, Motion::Moving]);
    let thing =
        (names, shape.clone(), place(), place(), motions).prop_map(|(name, shape, at, velocity, motion)| {
            Object { velocity, motion, ..Object::new(name, shape, at) }
        });
    prop_oneof![
        2 => (path, value).prop_map(|(path, value)| Edit::Set { path: path.into(), value }),
        2 => (system(), shape, place(), place())
            .prop_map(|(system, shape, at, velocity)| Edit::Fill { system, fill: Fill { velocity, ..Fill::new(shape, at) } }),
        1 => (system(), prop::collection::vec(place(), 0..5), place())
            .prop_map(|(system, at, velocity)| Edit::Points { system, at, velocity }),
        1 => (system(), prop::collection::vec(0u32..300, 0..99)).prop_map(|(system, ids)| Edit::Remove { system, ids }),
        1 => (system(), prop::collection::vec(0u32..300, 0..99), place())
            .prop_map(|(system, ids, velocity)| Edit::Kick { system, ids, velocity }),
        1 => (system(), ball_shape, place(), place()).prop_map(|(system, shape, at, velocity)| Edit::BallFill {
            system,
            fill: BallFill { velocity, ..BallFill::new(shape, at) }
        }),
        2 => thing.prop_map(|object| Edit::Object(Box::new(object))),
        1 => (object(), place(), prop::option::of(place()))
            .prop_map(|(object, impulse, at)| Edit::Push { object, impulse, at }),
        2 => (object(), place()).prop_map(|(object, at)| Edit::Grab { object, at }),
        2 => (object(), place()).prop_map(|(object, to)| Edit::Drag { object, to }),
        1 => object().prop_map(|object| Edit::Release { object }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is asked for: a clear refusal, or a world that goes on or says why not; what was accepted is accepted as a scene, and a
    /// world that is written can be read.
    #[test]
    fn no_edit_does_harm(dimension in 2u32..4, edits in prop::collection::vec((edit(), any::<bool>()), 1..9)) {
        let mut world = world(&pool(dimension));
        for (edit, goes_on) in edits {
            let before = world.edits().len();
            match world.edit(edit) {
                Ok(()) => prop_assert_eq!(world.edits().len(), before + 1),
                Err(faults) => prop_assert!(!faults.is_empty() && world.edits().len() == before),
            }
            if goes_on && world.advance_or_keep().is_err() {
                world.withdraw_edits();
            }
        }
        let again = World::new(&world.recorded_scene());
        prop_assert!(again.is_ok(), "{:?}", again.err());
        prop_assert!(world.measured().is_ok());
    }
}
