//! Random valid scenes.

use ondine::Scene;
use ondine::scene::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Any number that the engine takes for a velocity or an acceleration, with all its bits.
fn moderate() -> impl Strategy<Value = f32> {
    prop_oneof![-1e4f32..1e4, prop::num::f32::SUBNORMAL | prop::num::f32::ZERO]
}

fn positive() -> impl Strategy<Value = f32> {
    1e-6f32..1e6
}

/// A length that liquid can fill at any of the spacings below.
fn length() -> impl Strategy<Value = f32> {
    1e-3f32..3.0
}

fn point() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![Just([0.0; 3]), (-1e4f32..1e4, -1e4f32..1e4).prop_map(|(x, y)| [x, y, 0.0])]
}

/// About z alone, as suits both dimensions.
fn turn() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![Just([0.0; 3]), moderate().prop_map(|z| [0.0, 0.0, z])]
}

fn color() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(0f32..=1.0)
}

/// A shape that has an end.
fn body() -> impl Strategy<Value = Shape> {
    let size = || prop::array::uniform3(length());
    prop_oneof![
        size().prop_map(|size| Shape::Box { size }),
        (size(), any::<bool>()).prop_map(|(size, open)| Shape::Container { size, open }),
        length().prop_map(|radius| Shape::Sphere { radius }),
        (length(), length()).prop_map(|(radius, height)| Shape::Capsule { radius, height }),
        (length(), length()).prop_map(|(radius, height)| Shape::Cylinder { radius, height }),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let half_space = [-1f32..1.0, 0.1f32..1.0].prop_map(|[x, y]| Shape::HalfSpace { normal: [x, y, 0.0] });
    prop_oneof![1 => half_space, 5 => body()]
}

fn fill() -> impl Strategy<Value = Fill> {
    let arrangement = prop::sample::select(vec![Arrangement::Lattice, Arrangement::Relaxed]);
    (body(), point(), turn(), point(), arrangement).prop_map(|(shape, at, rotate, velocity, arrangement)| {
        Fill { shape, at, rotate, velocity, arrangement }
    })
}

fn emitter() -> impl Strategy<Value = Emitter> {
    let shape = prop::sample::select(vec![EmitterShape::Disc, EmitterShape::Rectangle]);
    let size = [length(), length()];
    let velocity = [-1f32..1.0, 0.1f32..2.0].prop_map(|[x, y]| [x, y, 0.0]);
    (shape, length(), size, point(), velocity, 0f32..2.0, option::of(2f32..9.0)).prop_map(
        |(shape, radius, size, at, velocity, start, stop)| Emitter {
            shape,
            radius,
            size,
            at,
            velocity,
            start,
            stop,
        },
    )
}

fn thesis() -> impl Strategy<Value = Thesis> {
    (1e-3f32..0.15, prop::array::uniform7(positive()), 0f32..=0.9, 1u32..=10000).prop_map(
        |(h, [k, k_near, rho0, sigma, beta, k_spring, alpha], gamma, substeps)| Thesis {
            h,
            k,
            k_near,
            rho0,
            sigma,
            beta,
            k_spring,
            alpha,
            gamma,
            substeps,
        },
    )
}

fn liquid() -> impl Strategy<Value = Liquid> {
    let material = prop::sample::select(Preset::ALL.to_vec());
    let matter = (0.02f32..0.1, 1.5f32..=4.0, 0.1f32..=100_000.0, 0.001f32..=0.5);
    let flow = (prop::array::uniform5(positive()), 0f32..=0.9);
    let optional = (option::of(positive()), option::of(positive()), option::of(thesis()));
    let where_from = (vec(fill(), 0..3), vec(emitter(), 0..3));
    let relaxation = prop::sample::select(vec![Relaxation::Double, Relaxation::Single]);
    (material, matter, flow, optional, where_from, color(), relaxation).prop_map(
        |(material, matter, flow, (stiffness, lifetime, thesis), (fill, emitter), color, relaxation)| {
            let (spacing, support, density, compression) = matter;
            let ([linear, quadratic, surface_tension, elastic, plasticity], yield_ratio) = flow;
            Liquid {
                name: String::new(),
                material,
                spacing,
                support,
                density,
                compression,
                stiffness,
                viscosity: Viscosity { linear, quadratic },
                surface_tension,
                springs: Springs { stiffness: elastic, plasticity, yield_ratio },
                relaxation,
                thesis,
                fill,
                emitter,
                lifetime,
                color,
            }
        },
    )
}

fn object() -> impl Strategy<Value = Object> {
    (shape(), point(), turn(), 0f32..=1.0, any::<bool>(), color()).prop_map(
        |(shape, at, rotate, friction, enabled, color)| Object {
            name: String::new(),
            shape,
            at,
            rotate,
            friction,
            enabled,
            color,
        },
    )
}

fn drain() -> impl Strategy<Value = Drain> {
    (shape(), point(), turn(), 0f32..2.0, option::of(2f32..9.0)).prop_map(
        |(shape, at, rotate, start, stop)| Drain { name: String::new(), shape, at, rotate, start, stop },
    )
}

fn gravity() -> impl Strategy<Value = [f32; 3]> {
    [moderate(), moderate()].prop_map(|[x, y]| [x, y, 0.0])
}

fn event() -> impl Strategy<Value = Event> {
    (0f32..9.0, moderate(), gravity()).prop_map(|(at, x, vector)| Event {
        at,
        set: [("gravity.x".to_string(), Value::Number(x)), ("gravity".to_string(), Value::Vector(vector))]
            .into(),
    })
}

fn track() -> impl Strategy<Value = Track> {
    let path = prop::sample::select(vec!["gravity.0", "gravity.x", "gravity.y"]);
    let interpolation =
        prop::sample::select(vec![Interpolation::Linear, Interpolation::Smooth, Interpolation::Step]);
    (path, vec(moderate(), 1..5), interpolation).prop_map(|(path, values, interpolation)| Track {
        path: path.into(),
        keys: values.into_iter().enumerate().map(|(i, x)| [i as f32 * 0.1, x]).collect(),
        interpolation,
    })
}

/// Any scene without errors.
pub fn scene() -> impl Strategy<Value = Scene> {
    let times = (0.1f32..86400.0, 1f32..=1000.0, 2u32..=3, any::<u32>(), 1u32..=10000);
    let things = (vec(liquid(), 1..3), vec(object(), 0..3), vec(drain(), 0..2));
    let changes = (vec(event(), 0..3), vec(track(), 0..3));
    let camera = option::of((point(), point(), 1f32..=150.0));
    let bounds = option::of((positive(), positive()));
    // Names may be anything that TOML can quote and paths can use, but must differ: they are numbered.
    (any::<String>(), times, gravity(), things, changes, camera, bounds, "[a-zé\"'=#-][a-z é\"'\n\t=#-]{0,5}").prop_map(
        |(title, times, gravity, (mut liquid, mut object, mut drain), (event, track), camera, bounds, name)| {
            let (duration, fps, dimension, seed, max_substeps) = times;
            let named = |kind: &str, i: usize| format!("{name}{kind}{i}");
            liquid.iter_mut().enumerate().for_each(|(i, l)| l.name = named("liquid", i));
            object.iter_mut().enumerate().for_each(|(i, o)| o.name = named("object", i));
            drain.iter_mut().enumerate().for_each(|(i, d)| d.name = named("drain", i));
            let kill_box = bounds.map(|(low, high)| Bounds { min: [-low; 3], max: [high; 3] });
            let camera = camera.map(|(at, look_at, angle)| Camera { at, look_at, angle });
            #[rustfmt::skip]
            let scene = Scene {
                title, duration, fps, dimension, gravity, seed, max_substeps, kill_box, liquid, object, drain, event, track,
                camera,
            };
            scene
        },
    )
}
