//! Joints in the plane and in space: what they hold, and that they neither feed nor tire what hangs on them.

use crate::rigid_bodies::{G, angle, cube, held, joint, objects, point};
use crate::scenes::*;
use glam::{DQuat, DVec3};
use ondine::scene::{Joint, JointKind, Object, Shape};
use ondine::{ObjectLedger, Scene, World};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A beam as in the books: length and thickness [m].
const LONG: f32 = 0.4;
const THICK: f32 = 0.05;

/// A beam that hangs from the origin by its end, turned by `turn` from straight down [rad].
fn beam(turn: f32) -> Object {
    let at = [0.5 * LONG * turn.sin(), -0.5 * LONG * turn.cos(), 0.0];
    let size = [LONG, THICK, THICK];
    Object { rotate: [0.0, 0.0, turn.to_degrees() - 90.0], ..free("beam", Shape::Box { size }, at) }
}

/// All energy of what can move [J].
fn energy(world: &World) -> f64 {
    world.ledger().objects.iter().map(|o| o.kinetic_energy + o.potential_energy).sum()
}

/// Agreement of the arithmetic and the geometric mean of 1 and `x`.
fn mean(x: f64) -> f64 {
    let (mut a, mut g) = (1.0, x);
    for _ in 0..8 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    a
}

/// T = 2π √(I / mgd) / agm(1, cos θ/2), with I / m = (L² + t²)/12 + d² and d = L/2: also for large swings.
fn period(turn: f64) -> f64 {
    let (l, t) = (LONG as f64, THICK as f64);
    let d = 0.5 * l;
    let gyration = (l * l + t * t) / 12.0 + d * d;
    std::f64::consts::TAU * (gyration / (G * d)).sqrt() / mean((0.5 * turn).cos())
}

/// What is seen of a swing of some seconds.
struct Swing {
    /// Time between passages through straight down, twice [s].
    period: f64,
    /// Least and greatest change of energy over that of the swing.
    change: (f64, f64),
    /// Farthest that the end was from the pivot [m].
    apart: f64,
}

fn swing(scene: &Scene, turn: f32) -> Swing {
    let mut world = world(scene);
    let start = energy(&world);
    let depth = body(&world, "beam").mass * G * 0.5 * LONG as f64 * (1.0 - (turn as f64).cos());
    let (mut before, mut crossings) = (turn as f64, Vec::new());
    let (mut change, mut apart) = ((0f64, 0f64), 0f64);
    for frame in 1..=(4.0 * scene.fps) as u32 {
        advance(&mut world, 1);
        let now = body(&world, "beam");
        let x = now.at[0];
        if before * x < 0.0 {
            crossings.push((frame as f64 - x / (x - before)) / scene.fps as f64);
        }
        before = x;
        apart = apart.max(point(&now, [-0.5 * LONG as f64, 0.0, 0.0]).length());
        let so_far = (energy(&world) - start) / depth;
        change = (change.0.min(so_far), change.1.max(so_far));
    }
    let halves = crossings.len() - 1;
    Swing { period: 2.0 * (crossings[halves] - crossings[0]) / halves as f64, change, apart }
}

/// Hinges and balls let a beam swing with its period, small and large, and with its energy.
#[test]
fn beams_swing_as_they_should() {
    for (dimension, kind) in [2, 3].into_iter().flat_map(|d| [(d, JointKind::Hinge), (d, JointKind::Ball)]) {
        for turn in [0.1f32, 1.0, 2.0] {
            let scene = held(vec![beam(turn)], joint(kind, "beam", [0.0; 3]));
            let Swing { period: found, change, apart } =
                swing(&Scene { dimension, fps: 120.0, ..scene }, turn);
            let ratio = found / period(turn as f64);
            println!(
                "{dimension}D {kind:?} {turn} rad: period {ratio:.4}, energy {change:.4?}, {apart:.1e} m"
            );
            assert!((ratio - 1.0).abs() < 0.01, "{dimension}D {kind:?} {turn} rad: {ratio}");
            assert!(change.0 > -0.03 && change.1 < 0.005, "{dimension}D {kind:?} {turn} rad: {change:?}");
            assert!(apart < 1e-5, "{dimension}D {kind:?} {turn} rad: {apart} m");
        }
    }
}

/// A chain let go where it is level: its links stay together, and it does not gain.
#[test]
fn chains_hold_together() {
    let link = 0.2f32;
    for (dimension, count) in [2, 3].into_iter().flat_map(|d| [(d, 2), (d, 5)]) {
        let rod = |n: usize| {
            free(
                &format!("{n}"),
                Shape::Box { size: [link, 0.03, 0.03] },
                [(n as f32 + 0.5) * link, 0.0, 0.0],
            )
        };
        let hinge = |n: usize| Joint {
            name: format!("hinge {n}"),
            to: n.checked_sub(1).map(|before| before.to_string()),
            ..joint(JointKind::Hinge, &n.to_string(), [n as f32 * link, 0.0, 0.0])
        };
        let joint = (0..count).map(hinge).collect();
        let mut world = world(&Scene { dimension, joint, ..objects((0..count).map(rod).collect()) });
        let depth: f64 = world.ledger().objects.iter().map(|o| o.mass * G * o.at[0]).sum();
        for _ in 0..90 {
            advance(&mut world, 1);
            let change = energy(&world) / depth;
            assert!(change > -0.1 && change < 1e-3, "{dimension}D, {count} links: {change}");
            let mut end = DVec3::ZERO;
            for rod in world.ledger().objects {
                let gap = point(&rod, [-0.5 * link as f64, 0.0, 0.0]).distance(end);
                assert!(gap < 0.005 * link as f64, "{dimension}D, {count} links: {gap} m");
                end = point(&rod, [0.5 * link as f64, 0.0, 0.0]);
            }
        }
    }
}

/// s = g sin α t²/2 along the axis, but for what steps add: at most half of g sin α t dt. Nothing turns.
#[test]
fn sliders_run_down_as_they_should() {
    for (dimension, axis) in [2, 3].into_iter().flat_map(|d| [(d, [3.0, -4.0, 0.0]), (d, [-3.0, 4.0, 0.0])]) {
        let sled = cube("sled", 0.2, [0.1, 0.0, 0.0]);
        let slider = Joint { axis, ..joint(JointKind::Slider, "sled", [0.0; 3]) };
        let world = after(&Scene { dimension, ..held(vec![sled], slider) }, 30);
        let sled = body(&world, "sled");
        let way = DVec3::from(sled.at) - DVec3::X * 0.1f32 as f64;
        let wanted = 0.5 * 0.8 * G * DVec3::new(0.6, -0.8, 0.0);
        assert!(way.distance(wanted) < 0.01 * wanted.length(), "{dimension}D {axis:?}: {way}");
        assert!(angle(&sled).abs() < 1e-4, "{dimension}D {axis:?}: {}", angle(&sled));
    }
}

/// Two boxes welded into one, thrown with a spin: they turn on at ω = L / I and fly straight on.
#[test]
fn welded_bodies_turn_as_one() {
    for dimension in [2, 3] {
        let mut pair = vec![cube("left", 0.2, [-0.15, 0.0, 0.0]), cube("right", 0.2, [0.15, 0.0, 0.0])];
        for (object, side) in pair.iter_mut().zip([-1.0f32, 1.0]) {
            object.spin = [0.0, 0.0, 180.0];
            object.velocity = [1.0, side * 0.15 * std::f32::consts::PI, 0.0];
        }
        let weld = Joint { to: Some("left".into()), ..joint(JointKind::Weld, "right", [0.0; 3]) };
        let mut world = world(&Scene { dimension, gravity: [0.0; 3], ..held(pair, weld) });
        let start = energy(&world);
        for frame in 1..=30 {
            advance(&mut world, 1);
            let (left, right) = (body(&world, "left"), body(&world, "right"));
            let turned = std::f64::consts::PI * frame as f64 / 30.0;
            let wanted = 0.3 * DVec3::new(turned.cos(), turned.sin(), 0.0);
            let apart = DVec3::from(right.at) - DVec3::from(left.at);
            assert!(apart.distance(wanted) < 0.01, "{dimension}D frame {frame}: {apart} for {wanted}");
            let middle = 0.5 * (DVec3::from(right.at) + DVec3::from(left.at));
            assert!(middle.distance(DVec3::X * world.time()) < 1e-3, "{dimension}D frame {frame}: {middle}");
        }
        let change = energy(&world) / start - 1.0;
        assert!(change.abs() < 0.01, "{dimension}D: {change}");
    }
}

/// A hinge about −z counts the other way, in the plane as in space.
#[test]
fn hinges_turn_about_their_axis() {
    for (dimension, z) in [2, 3].into_iter().flat_map(|d| [(d, 1.0), (d, -1.0)]) {
        let wheel = free("wheel", Shape::Box { size: [0.4, 0.1, 0.1] }, [0.0; 3]);
        let hinge = Joint {
            axis: [0.0, 0.0, z],
            limits: Some([-90.0, 30.0]),
            speed: Some(60.0),
            ..joint(JointKind::Hinge, "wheel", [0.0; 3])
        };
        let mut world = world(&Scene { dimension, ..held(vec![wheel], hinge) });
        advance(&mut world, 10);
        let early = angle(&body(&world, "wheel")).to_degrees() * z as f64;
        assert!((early - 20.0).abs() < 1.0, "{dimension}D about {z}: {early}°");
        advance(&mut world, 20);
        let late = angle(&body(&world, "wheel")).to_degrees() * z as f64;
        assert!((late - 30.0).abs() < 1.0, "{dimension}D about {z}: {late}°");
    }
}

/// A body on a joint.
fn hung() -> impl Strategy<Value = (Object, Joint)> {
    let side = || 0.15f32..0.3;
    let shape = prop_oneof![
        [side(), side(), side()].prop_map(|size| Shape::Box { size }),
        side().prop_map(|side| Shape::Sphere { radius: 0.5 * side }),
        (side(), side()).prop_map(|(radius, height)| Shape::Capsule { radius: 0.5 * radius, height }),
    ];
    let kinds = vec![JointKind::Hinge, JointKind::Ball, JointKind::Slider, JointKind::Weld];
    let three = |most: f32| prop::array::uniform3(-most..most);
    let limits = prop::option::weighted(0.3, (-1f32..0.0, 0f32..1.0));
    let speed = prop::option::weighted(0.2, -1f32..1.0);
    let how = (prop::sample::select(kinds), three(0.3), three(1.0), limits, speed);
    (shape, 500f32..2000.0, -180f32..180.0, three(1.0), three(90.0), how).prop_map(
        |(shape, density, turn, velocity, spin, (kind, at, axis, limits, speed))| {
            let object =
                Object { density, velocity, spin, rotate: [0.0, 0.0, turn], ..free("", shape, [0.0; 3]) };
            let (units, moves) = match kind {
                JointKind::Hinge => (90.0, true),
                JointKind::Slider => (0.5, true),
                JointKind::Ball | JointKind::Weld => (1.0, false),
            };
            // Without an end, a slider's lever grows and grows.
            let ends = matches!(kind, JointKind::Slider) || (kind == JointKind::Hinge && speed.is_some());
            let limits = limits.or(ends.then_some((-1.0, 1.0))).filter(|_| moves);
            let limits = limits.map(|(back, forth)| [units * back, units * forth]);
            let speed = speed.filter(|_| moves).map(|speed| units * speed);
            (object, Joint { axis, limits, speed, ..joint(kind, "", at) })
        },
    )
}

/// Chains of bodies: each hangs on the one before, or on a base that moves evenly and level. Light bodies that carry heavy ones,
/// a hundred to one or by long levers, are left out: the solver lets them give way.
fn jointed() -> impl Strategy<Value = Scene> {
    let count = 1usize..6;
    let hung = prop::collection::vec((hung(), prop::bool::weighted(0.3)), count);
    (hung, 2u32..=3, -2f32..2.0, any::<bool>()).prop_map(|(hung, dimension, speed, motors)| {
        let mut base = moving("base", Shape::Box { size: [0.1; 3] }, [0.0, 0.5, 0.0]);
        base.velocity = [speed, 0.0, 0.0];
        let mut scene = Scene { dimension, ..objects(vec![base]) };
        for (n, ((mut object, mut joint), on_base)) in hung.into_iter().enumerate() {
            object.name = format!("{n}");
            object.at = [0.6 * (n as f32 + 1.0), 0.0, 0.0];
            object.velocity[0] += speed;
            (joint.name, joint.object) = (format!("{n}"), format!("{n}"));
            let on = if on_base { 0 } else { n };
            joint.to = Some(scene.object[on].name.clone());
            joint.at = std::array::from_fn(|c| joint.at[c] + object.at[c]);
            joint.speed = joint.speed.filter(|_| motors);
            if dimension == 2 {
                (object.velocity[2], joint.at[2]) = (0.0, 0.0);
                object.spin = [0.0, 0.0, object.spin[2]];
                let [x, y, z] = joint.axis;
                joint.axis = match joint.kind {
                    JointKind::Slider => [x, y + 1.5, 0.0],
                    _ => [0.0, 0.0, if z < 0.0 { -1.0 } else { 1.0 }],
                };
            } else {
                joint.axis[1] += 1.5;
            }
            scene.object.push(object);
            scene.joint.push(joint);
        }
        scene
    })
}

/// Energy of what is free as the base sees it [J]; that of its motion along with the base would come and go.
fn energy_on_base(world: &World) -> f64 {
    let all = world.ledger().objects;
    let base = DVec3::from(all[0].velocity);
    let change = |o: &ObjectLedger| {
        o.mass * (0.5 * base.length_squared() - base.dot(DVec3::from(o.velocity))) + o.kinetic_energy
    };
    all[1..].iter().map(|o| change(o) + o.potential_energy).sum()
}

/// How far apart the two halves of a joint are [m], but along a slider's axis.
fn gap(world: &World, start: &[ObjectLedger], joint: &Joint) -> f64 {
    let all = world.ledger().objects;
    let at = |name: &str| {
        let n = start.iter().position(|o| o.name == name).expect("an object that can move");
        let turn = DQuat::from_array(all[n].rotation) * DQuat::from_array(start[n].rotation).inverse();
        let arm = DVec3::from(joint.at.map(f64::from)) - DVec3::from(start[n].at);
        (DVec3::from(all[n].at) + turn * arm, turn)
    };
    let (own, _) = at(&joint.object);
    let (other, turn) = at(joint.to.as_deref().expect("a name"));
    let apart = own - other;
    match joint.kind {
        JointKind::Slider => apart.reject_from(turn * DVec3::from(joint.axis.map(f64::from))).length(),
        _ => apart.length(),
    }
}

/// Whatever hangs on whatever: joints hold, and nothing gains energy but from motors. What has lost some at its limits gets none
/// of it back.
fn holds(scene: &Scene) -> Result<(), TestCaseError> {
    let mut world = world(scene);
    let start = world.ledger().objects;
    let first = energy_on_base(&world);
    let mut least = first;
    // What swinging right through could set free, and what is there.
    let weight: f64 = start.iter().map(|o| o.mass * G * 3.0 + o.kinetic_energy).sum();
    let driven = scene.joint.iter().any(|j| j.speed.is_some());
    for _ in 0..30 {
        prop_assert!(world.advance().is_ok());
        let now = energy_on_base(&world);
        let gain = (now - first) / weight;
        prop_assert!(driven || gain < 0.01, "{gain} at {} s: {scene:?}", world.time());
        let back = (now - least) / weight;
        prop_assert!(driven || back < 0.03, "{back} back at {} s: {scene:?}", world.time());
        least = least.min(now);
        for joint in &scene.joint {
            let gap = gap(&world, &start, joint);
            prop_assert!(gap < 0.03, "{gap} m at {} s: {joint:?} {scene:?}", world.time());
        }
    }
    Ok(())
}

/// How many scenes are tried, unless PROPTEST_CASES says otherwise. A thousand hold as well; of thousands more about one in a thousand gets
/// back more than this. Those looked at dip for one frame as a chain meets a limit, as if seen before the jolt had spread.
const CASES: u32 = 60;

#[test]
fn joints_neither_part_nor_feed() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let mut runner = TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    runner.run(&jointed(), |scene| holds(&scene)).expect("every scene holds");
}
