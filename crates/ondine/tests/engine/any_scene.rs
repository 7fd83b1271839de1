//! No scene whatever makes the engine panic, and one without errors stays finite.

use ondine::objects::Sdf;
use ondine::scene::*;
use ondine::{Scene, Severity, World};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

/// Numbers that break things.
fn wild() -> impl Strategy<Value = f32> {
    prop_oneof![
        prop::num::f32::ANY,
        prop::sample::select(vec![
            0.0,
            -0.0,
            -1.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            1e-40,
            1e-6,
            1e6,
            1e4,
        ]),
    ]
}

/// How often, in a thousand, a number is wild.
type Wildness = u32;

/// A number mostly from `usual`, sometimes from anywhere between `least` and `most`, ends included, seldom wild.
fn number(usual: std::ops::Range<f32>, least: f32, most: f32, w: Wildness) -> BoxedStrategy<f32> {
    let ends = prop::sample::select(vec![least, most]);
    prop_oneof![
        700 => usual,
        100 => (0f32..1.0).prop_map(move |u| least + (most - least) * u * u * u),
        60 => ends,
        w.max(1) => wild().prop_map(move |x| if w == 0 { least } else { x }),
    ]
    .boxed()
}

fn point(reach: f32, most: f32, w: Wildness) -> impl Strategy<Value = [f32; 3]> {
    let axis = || number(-reach..reach, -most, most, w);
    prop_oneof![Just([0.0; 3]), [axis(), axis(), prop_oneof![Just(0.0), axis()].boxed()]]
}

fn turn(w: Wildness) -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![2 => Just([0.0; 3]), 1 => (-180f32..180.0).prop_map(|z| [0.0, 0.0, z]), 1 => point(180.0, 1e6, w)]
}

fn simple_shape(s: f32, w: Wildness) -> impl Strategy<Value = Shape> {
    let models = [Model::Rabbit, Model::Figure, Model::Stool, Model::Cup, Model::Teapot];
    let length = move || number(0.5 * s..8.0 * s, s, 20.0 * s, w);
    prop_oneof![
        1 => point(1.0, 1e6, w).prop_map(|normal| Shape::HalfSpace { normal }),
        2 => [length(), length(), length()].prop_map(|size| Shape::Box { size }),
        2 => ([length(), length(), length()], any::<bool>())
            .prop_map(|(size, open)| Shape::Container { size, open }),
        2 => length().prop_map(|radius| Shape::Sphere { radius }),
        1 => (length(), length()).prop_map(|(radius, height)| Shape::Capsule { radius, height }),
        1 => (length(), length()).prop_map(|(radius, height)| Shape::Cylinder { radius, height }),
        1 => (length(), length()).prop_map(|(radius, height)| Shape::Cone { radius, height }),
        1 => (length(), length()).prop_map(|(radius, tube)| Shape::Torus { radius, tube }),
        1 => (length(), length(), any::<bool>())
            .prop_map(|(radius, height, open)| Shape::RoundContainer { radius, height, open }),
        1 => (prop::sample::select(models.to_vec()), length())
            .prop_map(|(of, height)| Shape::Model { of, height }),
    ]
}

/// Shapes, some made of others.
fn shape(s: f32, w: Wildness) -> impl Strategy<Value = Shape> {
    simple_shape(s, w).prop_recursive(3, 8, 3, move |inner| {
        let scale = number(0.5..2.0, 0.1, 10.0, w);
        let part = (inner.clone(), point(2.0 * s, 10.0 * s, w), turn(w), scale)
            .prop_map(|(shape, at, rotate, scale)| Part { shape, at, rotate, scale });
        let smooth = prop_oneof![Just(0.0), number(0.0..s, 0.0, 10.0 * s, w)];
        let blend = (vec(part, 0..4), smooth, 0usize..3);
        prop_oneof![
            3 => blend.prop_map(|(of, smooth, by)| {
                let blend = Blend { of, smooth };
                [Shape::Union, Shape::Difference, Shape::Intersection][by](blend)
            }),
            1 => inner.prop_map(|of| Shape::Mould { of: Box::new(of) }),
        ]
    })
}

fn fill(s: f32, w: Wildness) -> impl Strategy<Value = Fill> {
    let arrangement = prop::sample::select(vec![Arrangement::Lattice, Arrangement::Relaxed]);
    (shape(s, w), point(10.0 * s, 1e5 * s, w), turn(w), point(1.0, 1e4, w), arrangement).prop_map(
        |(shape, at, rotate, velocity, arrangement)| Fill { shape, at, rotate, velocity, arrangement },
    )
}

fn emitter(s: f32, w: Wildness) -> impl Strategy<Value = Emitter> {
    let shape = prop::sample::select(vec![EmitterShape::Disc, EmitterShape::Rectangle]);
    let length = move || number(s..4.0 * s, 0.1 * s, 6.0 * s, w);
    let time = || number(0.0..0.05, 0.0, 1.0, w);
    let velocity = point(10.0 * s, 100.0 * s, w);
    (shape, length(), [length(), length()], point(10.0 * s, 1e5 * s, w), velocity, time(), option::of(time()))
        .prop_map(|(shape, radius, size, at, velocity, start, stop)| Emitter {
            shape,
            radius,
            size,
            at,
            velocity,
            start,
            stop,
        })
}

fn thesis(s: f32, w: Wildness) -> impl Strategy<Value = Thesis> {
    let stiff = || number(0.0..10.0, 0.0, 1e9, w);
    let h = number(1.2 * s..3.0 * s, 0.5 * s, 8.0 * s, w);
    (
        h,
        [stiff(), stiff(), stiff(), stiff(), stiff()],
        number(0.0..5.0, 0.0, 1e6, w),
        number(0.0..0.3, 0.0, 0.9, w),
        0u32..9,
    )
        .prop_map(|(h, [k, k_near, sigma, beta, k_spring], rho0, gamma, substeps)| Thesis {
            h,
            k,
            k_near,
            rho0,
            sigma,
            beta,
            k_spring,
            alpha: rho0,
            gamma,
            substeps,
        })
}

fn liquid(s: f32, w: Wildness) -> impl Strategy<Value = Liquid> {
    let matter = (
        number(0.9 * s..1.1 * s, 0.5 * s, 2.0 * s, w),
        number(1.8..2.2, 1.5, 4.0, w),
        number(500.0..2000.0, 1e-3, 1e5, w),
        number(0.01..0.1, 0.001, 0.5, w),
    );
    let flow = (
        number(0.0..10.0, 0.0, 1e9, w),
        number(0.0..2.0, 0.0, 1e6, w),
        number(0.0..0.1, 0.0, 1e6, w),
        number(0.0..1000.0, 0.0, 1e12, w),
        number(0.0..10.0, 0.0, 1e6, w),
        number(0.0..0.2, 0.0, 0.9, w),
    );
    let maybe = |most: f32| option::weighted(0.2, number(0.1..10.0, 1e-6, most, w));
    let models = [LiquidModel::Viscoelastic, LiquidModel::Sph, LiquidModel::Dfsph];
    let model = prop::sample::select(models.to_vec());
    let way = option::weighted(0.3, thesis(s, w)).prop_flat_map(move |thesis| match thesis {
        Some(_) => (Just(thesis), Just(LiquidModel::Viscoelastic).boxed()),
        None => (Just(thesis), model.clone().boxed()),
    });
    let from = (vec(fill(s, w), 0..3), vec(emitter(s, w), 0..3), way, any::<bool>());
    (matter, flow, maybe(1e12), maybe(1e6), from).prop_map(|(matter, flow, stiffness, lifetime, from)| {
        let (fill, emitter, (thesis, model), single) = from;
        Liquid {
            model,
            spacing: matter.0,
            support: Some(matter.1),
            density: matter.2,
            compression: matter.3,
            stiffness,
            viscosity: Viscosity { linear: flow.0, quadratic: flow.1 },
            surface_tension: flow.2,
            springs: Springs { stiffness: flow.3, plasticity: flow.4, yield_ratio: flow.5 },
            relaxation: if single { Relaxation::Single } else { Relaxation::Double },
            thesis,
            fill,
            emitter,
            lifetime,
            ..Default::default()
        }
    })
}

fn object(s: f32, w: Wildness) -> impl Strategy<Value = Object> {
    let motion = prop::sample::select(vec![Motion::Fixed, Motion::Moving, Motion::Free]);
    let share = || number(0.0..1.0, 0.0, 1.0, w);
    let place = (point(20.0 * s, 1e5 * s, w), turn(w), point(10.0 * s, 1e4, w), turn(w));
    let mass = option::weighted(0.2, number(0.1..10.0, 1e-9, 1e12, w));
    let matter =
        (number(100.0..5000.0, 1e-3, 1e5, w), mass, share(), share(), number(0.0..1.0, 0.0, 10.0, w));
    let range = option::weighted(0.3, number(0.1 * s..s, 1e-3 * s, 10.0 * s, w));
    let adhesion = ("a[01]", number(0.0..50.0, 0.0, 1e6, w), range);
    (shape(4.0 * s, w), motion, place, matter, option::weighted(0.3, adhesion), any::<[bool; 2]>()).prop_map(
        |(shape, motion, (at, rotate, velocity, spin), matter, adhesion, [enabled, visible])| {
            let (density, mass, friction, restitution, grip) = matter;
            let adhesion = adhesion.into_iter().map(|(name, pull, range)| (name, Adhesion { pull, range }));
            Object {
                rotate,
                motion,
                velocity,
                spin,
                density,
                mass,
                friction,
                restitution,
                grip,
                adhesion: adhesion.collect(),
                enabled,
                visible,
                ..Object::new("", shape, at)
            }
        },
    )
}

fn joint(s: f32, w: Wildness) -> impl Strategy<Value = Joint> {
    let kinds = vec![JointKind::Hinge, JointKind::Ball, JointKind::Slider, JointKind::Weld];
    let limits = option::weighted(0.3, [number(-90.0..0.0, -1e6, 1e6, w), number(0.0..90.0, -1e6, 1e6, w)]);
    let speed = option::weighted(0.3, number(-90.0..90.0, -1e5, 1e5, w));
    let ends = ("a[01]", option::of("a[01]"));
    (prop::sample::select(kinds), ends, point(20.0 * s, 1e5 * s, w), point(1.0, 1e6, w), limits, speed)
        .prop_map(|(kind, (object, to), at, axis, limits, speed)| Joint {
            name: String::new(),
            kind,
            object,
            to,
            at,
            axis,
            limits,
            speed,
        })
}

fn drain(s: f32, w: Wildness) -> impl Strategy<Value = Drain> {
    let time = || number(0.0..0.05, 0.0, 1.0, w);
    (shape(s, w), point(20.0 * s, 1e5 * s, w), turn(w), time(), option::of(time())).prop_map(
        |(shape, at, rotate, start, stop)| Drain { name: String::new(), shape, at, rotate, start, stop },
    )
}

fn path() -> impl Strategy<Value = String> {
    let known = vec![
        "gravity.y",
        "gravity.x",
        "liquid.a0.density",
        "liquid.a0.viscosity.linear",
        "liquid.a0.springs.stiffness",
        "liquid.a0.stiffness",
        "liquid.a0.thesis.k",
        "liquid.a0.emitter.0.velocity.y",
        "liquid.a0.lifetime",
        "object.a0.friction",
        "object.a0.enabled",
        "object.a0.visible",
        "object.a0.at.x",
        "object.a0.rotate.z",
        "object.a0.velocity.y",
        "object.a0.adhesion.a0.pull",
    ];
    prop_oneof![
        9 => prop::sample::select(known).prop_map(String::from),
        1 => "[a-z.0-9]{0,12}",
    ]
}

fn event(w: Wildness) -> impl Strategy<Value = Event> {
    let value = prop_oneof![
        8 => number(0.0..1.0, 0.0, 1e4, w).prop_map(Value::Number),
        1 => any::<bool>().prop_map(Value::Switch),
        1 => point(1.0, 1e4, w).prop_map(Value::Vector),
    ];
    (number(0.0..0.05, 0.0, 1.0, w), path(), value)
        .prop_map(|(at, path, value)| Event { at, set: [(path, value)].into() })
}

fn track(w: Wildness) -> impl Strategy<Value = Track> {
    (path(), vec(number(0.0..1.0, 0.0, 1e4, w), 0..4), number(0.01..0.1, 0.01, 1.0, w)).prop_map(
        |(path, values, step)| Track {
            path,
            keys: values.into_iter().enumerate().map(|(i, x)| [i as f32 * step, x]).collect(),
            interpolation: Interpolation::Smooth,
        },
    )
}

/// Any scene: with wildness 0 all numbers keep to their ranges, though what they describe may still be absurd.
fn scene(w: Wildness) -> impl Strategy<Value = Scene> {
    let spacing = prop_oneof![Just(0.05f32), Just(1.0), Just(1e-6), Just(400.0)];
    spacing.prop_flat_map(move |s| {
        let things = (
            vec(liquid(s, w), 1..3),
            vec(object(s, w), 0..3),
            vec(drain(s, w), 0..2),
            vec(joint(s, w), 0..2),
        );
        let changes = (vec(event(w), 0..2), vec(track(w), 0..2));
        let times =
            (number(0.05..1.0, 0.01, 100.0, w), number(24.0..60.0, 1.0, 1000.0, w), 2u32..=3, 1u32..12);
        let bounds = option::weighted(0.2, (point(9.0, 1e6, w), point(9.0, 1e6, w)));
        (things, changes, times, point(10.0, 1e4, w), bounds).prop_map(
            |(things, changes, times, gravity, bounds)| {
                let (mut liquid, mut object, mut drain, mut joint) = things;
                liquid.iter_mut().enumerate().for_each(|(i, l)| l.name = format!("a{i}"));
                object.iter_mut().enumerate().for_each(|(i, o)| o.name = format!("a{i}"));
                drain.iter_mut().enumerate().for_each(|(i, d)| d.name = format!("a{i}"));
                joint.iter_mut().enumerate().for_each(|(i, j)| j.name = format!("a{i}"));
                let (duration, fps, dimension, max_substeps) = times;
                Scene {
                    duration,
                    fps,
                    dimension,
                    max_substeps,
                    gravity,
                    kill_box: bounds.map(|(min, max)| Bounds { min, max }),
                    liquid,
                    object,
                    joint,
                    drain,
                    event: changes.0,
                    track: changes.1,
                    ..Default::default()
                }
            },
        )
    })
}

/// The scene without what contradicts itself, so that more than a few have no errors.
fn mended(mut scene: Scene) -> Scene {
    let planar = scene.planar();
    let flat = |v: &mut [f32; 3]| v[2] = if planar { 0.0 } else { v[2] };
    let turn = |v: &mut [f32; 3]| *v = if planar { [0.0, 0.0, v[2]] } else { *v };
    flat(&mut scene.gravity);
    for l in &mut scene.liquid {
        l.fill.iter_mut().for_each(|f| mend_shape(&mut f.shape, planar));
        l.fill.retain(|f| has_room(&f.shape, planar));
        for f in &mut l.fill {
            flat(&mut f.at);
            flat(&mut f.velocity);
            turn(&mut f.rotate);
        }
        for e in &mut l.emitter {
            flat(&mut e.at);
            flat(&mut e.velocity);
            e.velocity[1] += 0.1 * l.spacing;
            e.stop = e.stop.map(|stop| stop + e.start);
        }
    }
    let liquids: Vec<String> = scene.liquid.iter().map(|l| l.name.clone()).collect();
    for o in &mut scene.object {
        flat(&mut o.at);
        flat(&mut o.velocity);
        turn(&mut o.rotate);
        turn(&mut o.spin);
        o.adhesion.retain(|name, _| liquids.contains(name));
        mend_shape(&mut o.shape, planar);
        let sdf = Sdf::new(&o.shape, &Default::default(), planar);
        if sdf.bounds().is_none() || sdf.volume(planar).is_nan() || sdf.volume(planar) <= 0.0 {
            o.motion = Motion::Fixed;
        }
    }
    mend_joints(&mut scene);
    for d in &mut scene.drain {
        flat(&mut d.at);
        turn(&mut d.rotate);
        mend_shape(&mut d.shape, planar);
        d.stop = d.stop.map(|stop| stop + d.start);
    }
    scene.kill_box = scene.kill_box.filter(|b| (0..3).all(|c| b.min[c] < b.max[c]));
    let mut trial = scene.clone();
    let jumps =
        |path: &str| path.starts_with("object.") && (path.contains(".at") || path.contains(".rotate"));
    scene.event.retain(|e| e.set.iter().all(|(path, value)| trial.set_live(path, *value) && !jumps(path)));
    scene.track.retain(|t| !t.keys.is_empty() && trial.live(&t.path).is_some());
    scene
}

/// A shape whose parts make sense.
fn mend_shape(shape: &mut Shape, planar: bool) {
    match shape {
        Shape::HalfSpace { normal } => {
            normal[2] = if planar { 0.0 } else { normal[2] };
            normal[1] += 0.01;
        }
        Shape::Torus { radius, tube } => *tube = tube.min(*radius),
        Shape::Union(blend) | Shape::Difference(blend) | Shape::Intersection(blend)
            if blend.of.is_empty() =>
        {
            blend.of.push(Part::new(Shape::Sphere { radius: 1.0 }, [0.0; 3]));
        }
        _ => (),
    }
    shape.inner_mut().into_iter().for_each(|inner| mend_shape(inner, planar));
}

fn has_room(shape: &Shape, planar: bool) -> bool {
    Sdf::new(shape, &Default::default(), planar).room().bounds().is_some()
}

fn mend_joints(scene: &mut Scene) {
    let (planar, objects) = (scene.planar(), scene.object.clone());
    let find = |name: &str| objects.iter().find(|o| o.name == name);
    scene.joint.retain(|j| find(&j.object).is_some_and(|o| o.motion == Motion::Free));
    for j in &mut scene.joint {
        j.to = j.to.take().filter(|to| *to != j.object && find(to).is_some());
        if matches!(j.kind, JointKind::Ball | JointKind::Weld) {
            (j.limits, j.speed) = (None, None);
        }
        j.axis = match j.kind {
            _ if !planar => j.axis,
            JointKind::Slider => [1.0, j.axis[1], 0.0],
            _ => [0.0, 0.0, 1.0],
        };
        j.axis[0] += if planar { 0.0 } else { 0.01 };
        j.at[2] = if planar { 0.0 } else { j.at[2] };
        j.limits = j.limits.map(|[a, b]| [a.min(b), a.max(b)]);
    }
}

/// Scenes of which many have no errors.
fn sound_scene() -> impl Strategy<Value = Scene> {
    prop_oneof![scene(0), scene(3)].prop_map(mended)
}

fn has_errors(scene: &Scene) -> bool {
    scene.faults().iter().any(|f| f.severity == Severity::Error)
}

/// More particles than these take too long for a test.
const MOST: usize = 1500;

/// Whether a scene without errors is small enough to run here.
fn is_small(scene: &Scene) -> bool {
    let particles = |l: &Liquid| {
        let fills = l.fill.iter().map(|f| {
            let room = Sdf::new(&f.shape, &scene.meshes, scene.planar()).room();
            let (low, high) = room.bounds().unwrap_or_default();
            let sides = (high - low).to_array();
            let sides = if scene.planar() { [sides[0], sides[1], 0.0] } else { sides };
            sides.iter().map(|x| (x / l.spacing + 1.0) as f64).product::<f64>()
        });
        // Events and tracks may set any velocity.
        let changed = 1e4 * (scene.track.len() + scene.event.len()) as f64;
        let speed = |v: [f32; 3]| v.iter().map(|x| x.abs() as f64).sum::<f64>();
        let emitters = l.emitter.iter().map(|e| {
            let across = (e.radius.max(e.size[0]).max(e.size[1]) / l.spacing) as f64 * 2.0 + 1.0;
            across * across * (speed(e.velocity).max(changed) / scene.fps as f64 / l.spacing as f64)
        });
        fills.sum::<f64>() + emitters.sum::<f64>()
    };
    scene.liquid.iter().map(particles).sum::<f64>() < MOST as f64
}

fn assert_finite(world: &World) {
    for p in world.frame().particles {
        let vectors = p.position.iter().chain(&p.velocity).flatten();
        assert!(vectors.chain(&p.density).all(|x| x.is_finite()), "{p:?}");
    }
    for pose in world.frame().objects {
        let Placement { at, rotation } = pose.placement;
        assert!(at.is_finite() && rotation.is_finite(), "{pose:?}");
    }
    for s in world.ledger().systems {
        assert!(s.mass.is_finite() && s.kinetic_energy.is_finite() && s.volume.is_finite(), "{s:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..Default::default() })]

    #[test]
    fn no_scene_panics(scene in scene(400)) {
        for fault in scene.faults() {
            prop_assert!(!fault.reason.is_empty() && !fault.remedy.is_empty());
        }
        prop_assert_eq!(World::new(&Scene { liquid: vec![], object: vec![], ..scene }).is_err(), true);
    }

    #[test]
    fn a_scene_without_errors_runs(scene in sound_scene()) {
        if !has_errors(&scene) && is_small(&scene) {
            let mut world = World::new(&scene).expect("no errors");
            assert_finite(&world);
            for _ in 0..2 {
                // A run may stop with a failure; it must not stop otherwise, nor go on with nonsense.
                if world.advance().is_err() {
                    break;
                }
                assert_finite(&world);
            }
        }
    }
}

/// The property above would hold if it never ran anything.
#[test]
fn enough_scenes_run() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = sound_scene();
    let (mut sound, mut run) = (0, 0);
    for _ in 0..400 {
        let scene = strategy.new_tree(&mut runner).expect("a scene").current();
        sound += !has_errors(&scene) as u32;
        run += (!has_errors(&scene) && is_small(&scene)) as u32;
    }
    assert!(run >= 40, "{sound} of 400 have no errors, {run} of them are small");
}
