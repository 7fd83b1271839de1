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
    1e-3f32..1.0
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

/// A shape that has an end, and is as it stands.
fn simple_body() -> impl Strategy<Value = Shape> {
    let size = || prop::array::uniform3(length());
    let models = vec![Model::Rabbit, Model::Figure, Model::Stool, Model::Cup, Model::Teapot];
    prop_oneof![
        size().prop_map(|size| Shape::Box { size }),
        length().prop_map(|radius| Shape::Sphere { radius }),
        (length(), length()).prop_map(|(radius, height)| Shape::Capsule { radius, height }),
        (length(), length()).prop_map(|(radius, height)| Shape::Cylinder { radius, height }),
        (length(), length()).prop_map(|(radius, height)| Shape::Cone { radius, height }),
        (length(), 0.1f32..=1.0).prop_map(|(radius, u)| Shape::Torus { radius, tube: u * radius }),
        (prop::sample::select(models), length()).prop_map(|(of, height)| Shape::Model { of, height }),
    ]
}

/// A shape with an end and a volume, some made of others.
fn solid() -> impl Strategy<Value = Shape> {
    simple_body().prop_recursive(3, 6, 2, |inner| {
        let part = |inner: BoxedStrategy<Shape>| {
            (inner, point(), turn(), 0.1f32..=1.0)
                .prop_map(|(shape, at, rotate, scale)| Part { shape, at: at.map(|x| 1e-5 * x), rotate, scale })
        };
        let blend = || (vec(part(inner.clone()), 1..3), prop_oneof![Just(0.0), length()]);
        let holed = (part(simple_body().boxed()), part(inner.clone()), length()).prop_map(|(whole, mut hole, smooth)| {
            // Far enough away to leave some of the whole.
            hole.at[0] += 1e3;
            Shape::Difference(Blend { of: vec![whole, hole], smooth })
        });
        let shared = (inner.clone(), length()).prop_map(|(shape, smooth)| {
            Shape::Intersection(Blend { of: vec![Part::new(shape, [0.0; 3])], smooth })
        });
        prop_oneof![2 => blend().prop_map(|(of, smooth)| Shape::Union(Blend { of, smooth })), 1 => holed, 1 => shared]
    })
}

/// What can be filled: solids, and the room in containers and moulds.
fn body() -> impl Strategy<Value = Shape> {
    let size = prop::array::uniform3(length());
    prop_oneof![
        4 => solid(),
        1 => (size, any::<bool>()).prop_map(|(size, open)| Shape::Container { size, open }),
        1 => (length(), length(), any::<bool>())
            .prop_map(|(radius, height, open)| Shape::RoundContainer { radius, height, open }),
        1 => solid().prop_map(|of| Shape::Mould { of: Box::new(of) }),
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

fn drops() -> impl Strategy<Value = Drops> {
    let from = prop::sample::select(vec![DropsFrom::Volume, DropsFrom::Surface]);
    let motion = (point(), -1f32..1.0, 0f32..1.0);
    let hours = (0f32..2.0, option::of(2f32..9.0));
    (body(), point(), turn(), from, (0f32..50.0, option::of(0.001f32..0.3)), motion, hours).prop_map(
        |(shape, at, rotate, from, (rate, radius), (velocity, outward, scatter), (start, stop))| Drops {
            shape,
            at,
            rotate,
            from,
            rate,
            radius,
            velocity,
            outward,
            scatter,
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

fn look() -> impl Strategy<Value = Look> {
    let finishes = vec![LiquidFinish::Clear, LiquidFinish::Plastic, LiquidFinish::Metal, LiquidFinish::Matte];
    let matter = (1f32..=4.0, positive(), 0f32..=1.0, 0f32..=1000.0);
    (prop::sample::select(finishes), matter).prop_map(|(finish, (index, depth, roughness, glow))| Look {
        finish,
        index,
        depth,
        roughness,
        glow,
    })
}

fn light() -> impl Strategy<Value = Light> {
    let sun = option::of([-1f32..1.0, 0.1f32..1.0, -1f32..1.0]);
    (sun, [0f32..=1000.0, 0f32..=90.0, 0f32..=1000.0, -20f32..=20.0]).prop_map(
        |(sun, [sun_strength, sun_size, sky_strength, exposure])| Light {
            sun,
            sun_strength,
            sun_size,
            sky_strength,
            exposure,
        },
    )
}

fn lamp() -> impl Strategy<Value = Lamp> {
    let shape = prop::sample::select(vec![LampShape::Rectangle, LampShape::Disc]);
    let towards = [-1f32..1.0, 0.1f32..1.0, -1f32..1.0];
    (shape, [length(), length()], length(), point(), towards, color(), 0f32..=1e6).prop_map(
        |(shape, size, radius, at, towards, color, strength)| Lamp {
            shape,
            size,
            radius,
            at,
            towards,
            color,
            strength,
        },
    )
}

fn liquid() -> impl Strategy<Value = Liquid> {
    let material = prop::sample::select(Preset::ALL.to_vec());
    let matter = (0.05f32..0.1, 1.5f32..=4.0, 0.1f32..=100_000.0, 0.001f32..=0.5);
    let flow = (prop::array::uniform5(positive()), 0f32..=0.9, 0f32..=180.0);
    let models = vec![LiquidModel::Viscoelastic, LiquidModel::Sph, LiquidModel::Dfsph];
    // A liquid keeps its volume by one method only.
    let way = prop_oneof![
        thesis().prop_map(|thesis| (Some(thesis), LiquidModel::Viscoelastic)),
        prop::sample::select(models).prop_map(|model| (None, model)),
    ];
    let optional = (option::of(positive()), option::of(positive()), way, sph());
    let where_from = (vec(fill(), 0..3), vec(emitter(), 0..3), vec(drops(), 0..2));
    let relaxation = prop::sample::select(vec![Relaxation::Double, Relaxation::Single]);
    (material, matter, flow, optional, where_from, (color(), look()), relaxation).prop_map(
        |(
            material,
            matter,
            flow,
            (stiffness, lifetime, (thesis, model), sph),
            (fill, emitter, drops),
            (color, look),
            relaxation,
        )| {
            let (spacing, support, density, compression) = matter;
            let ([linear, quadratic, surface_tension, elastic, plasticity], yield_ratio, contact_angle) =
                flow;
            Liquid {
                name: String::new(),
                material,
                spacing,
                support: Some(support),
                density,
                compression,
                stiffness,
                viscosity: Viscosity { linear, quadratic },
                surface_tension,
                contact_angle,
                springs: Springs { stiffness: elastic, plasticity, yield_ratio },
                model,
                sph,
                relaxation,
                thesis,
                fill,
                emitter,
                drops,
                lifetime,
                color,
                look,
            }
        },
    )
}

fn sph() -> impl Strategy<Value = Sph> {
    let number = || option::of(0.1f32..=1000.0);
    let walls = prop::sample::select(vec![SphWalls::Mirrors, SphWalls::Bounce]);
    let own = (number(), number(), number(), option::of(0.15f32..=0.3), number());
    (own, any::<bool>(), walls, 1e-5f32..=0.1).prop_map(
        |((k, mu, rho0, h, m), suction, walls, density_error)| Sph {
            k,
            mu,
            rho0,
            h,
            m,
            suction,
            walls,
            density_error,
        },
    )
}

/// An object that is free if its shape can be.
fn object() -> impl Strategy<Value = Object> {
    let motion = prop::sample::select(vec![Motion::Fixed, Motion::Moving]);
    let shaped = prop_oneof![(shape(), motion), (solid(), Just(Motion::Free))];
    let place = (point(), turn(), point(), turn());
    let mass = option::of(1e-3f32..1e6);
    let matter = (0.1f32..=100_000.0, mass, 0f32..=1.0, 0f32..=1.0, 0f32..=10.0);
    let adhesion = option::of((0f32..1e5, option::of(1e-6f32..1.0)));
    let finishes = vec![Finish::Matte, Finish::Plastic, Finish::Metal, Finish::Skin, Finish::Glass];
    let coat = (color(), prop::sample::select(finishes), 0f32..=1.0);
    (shaped, place, matter, adhesion, any::<[bool; 2]>(), coat).prop_map(
        |((shape, motion), (at, rotate, velocity, spin), matter, adhesion, [enabled, visible], coat)| {
            let (color, finish, roughness) = coat;
            let (density, mass, friction, restitution, grip) = matter;
            // By the name of a liquid, once it has one.
            let adhesion = adhesion.map(|(pull, range)| (String::new(), Adhesion { pull, range }));
            Object {
                name: String::new(),
                shape,
                at,
                rotate,
                motion,
                velocity,
                spin,
                density,
                mass,
                force: velocity,
                force_at: enabled.then_some([0.1, 0.2, 0.0]),
                torque: [0.0, 0.0, roughness],
                drag: Drag { linear: grip, coefficient: roughness, area: mass },
                friction,
                restitution,
                grip,
                static_grip: visible.then_some(grip),
                adhesion: adhesion.into_iter().collect(),
                contact_angle: Default::default(),
                enabled,
                visible,
                color,
                finish,
                roughness,
            }
        },
    )
}

/// A joint of the free object of this number.
fn joint(
    scene: &Scene,
    number: usize,
    kind: JointKind,
    limits: Option<[f32; 2]>,
    speed: Option<f32>,
) -> Joint {
    let object = &scene.object[number];
    let mut others = scene.object.iter().map(|o| &o.name).filter(|name| **name != object.name);
    let ranged = matches!(kind, JointKind::Hinge | JointKind::Slider);
    Joint {
        name: format!("{}-joint", object.name),
        kind,
        object: object.name.clone(),
        to: others.next().cloned(),
        at: object.at,
        axis: if kind == JointKind::Slider { [1.0, 0.5, 0.0] } else { [0.0, 0.0, 2.0] },
        limits: limits.filter(|_| ranged),
        speed: speed.filter(|_| ranged),
    }
}

/// A spring that pulls an object to a place.
fn spring(object: &Object, limits: Option<[f32; 2]>, length: Option<f32>) -> Spring {
    Spring {
        at: limits.map(|_| object.at),
        damping: object.grip,
        rest_length: length.map(f32::abs),
        ..Spring::new(format!("{}-spring", object.name), object.name.clone(), [0.5, 1.0, 0.0], object.density)
    }
}

/// The same scene with its free objects held.
fn jointed(scene: Scene) -> impl Strategy<Value = Scene> {
    let kinds = vec![JointKind::Hinge, JointKind::Ball, JointKind::Slider, JointKind::Weld];
    let limits = option::of([-90f32..0.0, 0f32..90.0]);
    (prop::sample::select(kinds), limits, option::of(moderate())).prop_map(move |(kind, limits, speed)| {
        let mut scene = scene.clone();
        let free = |i: &usize| scene.object[*i].motion == Motion::Free;
        let held: Vec<usize> = (0..scene.object.len()).filter(free).collect();
        scene.joint = held.iter().map(|&i| joint(&scene, i, kind, limits, speed)).collect();
        scene.spring = held.into_iter().map(|i| spring(&scene.object[i], limits, speed)).collect();
        scene
    })
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

fn balls() -> impl Strategy<Value = Balls> {
    let shares = (0f32..=0.9, 1e-3f32..1e4, 0f32..=10.0, 0f32..=1.0, 0f32..=1.0, 0f32..=1.0);
    let single = (vec(-100f32..100.0, 3), option::of(1f32..10.0), option::of(positive()));
    let single = single.prop_map(|(at, radius, mass)| Ball {
        at: [at[0], at[1], 0.0],
        radius: radius.map(|r| 1e-3 * r),
        mass,
        ..Ball::default()
    });
    let pairwise = option::of((0f32..=1.0, 1u32..=10, any::<bool>()));
    let pairwise = pairwise.prop_map(|given| {
        given.map(|(friction, passes, swept)| Pairwise { friction, passes, swept, ..Pairwise::default() })
    });
    let fill = option::of((solid(), point(), turn(), option::of(1u32..100)));
    let fill = fill.prop_map(|fill| {
        let filled = |(shape, at, rotate, count)| BallFill { rotate, count, ..BallFill::new(shape, at) };
        fill.map(filled).into_iter().collect::<Vec<_>>()
    });
    (shares, single, fill, pairwise).prop_map(
        |((spread, density, friction, restitution, rolling, drag), ball, fill, pairwise)| Balls {
            radius: 0.005,
            spread,
            density,
            friction,
            restitution,
            rolling,
            drag,
            ball: vec![ball],
            fill,
            pairwise,
            ..Balls::default()
        },
    )
}

fn effect() -> impl Strategy<Value = Effect> {
    let preset = prop::sample::select(EffectPreset::ALL.to_vec());
    let emitter =
        (option::of(solid()), 0f32..1000.0, 1u32..20, 0f32..=180.0, 0f32..100.0, option::of(1f32..9.0));
    let emitter = emitter.prop_map(|(shape, rate, count, angle, speed, stop)| EffectEmitter {
        shape,
        rate,
        count,
        angle,
        speed,
        stop,
        burst: vec![Burst { at: 0.5, times: count }],
        ..EffectEmitter::default()
    });
    let fields =
        (option::of((0f32..1.0, 0f32..=1.0)), vec((-9f32..9.0, 0.1f32..3.0), 0..2), option::of(1u32..9));
    (preset, emitter, fields).prop_map(|(preset, emitter, (collision, fields, substeps))| Effect {
        emitter,
        substeps,
        vortex: fields
            .iter()
            .map(|(circulation, core)| Vortex { circulation: *circulation, core: *core, ..Vortex::default() })
            .collect(),
        attractor: fields
            .iter()
            .map(|(strength, core)| Attractor { strength: *strength, core: *core, ..Attractor::default() })
            .collect(),
        path: EffectPath {
            wave: vec![Wave { frequency: 0.7, ..Wave::default() }],
            through: vec![[0.5, 1.5, 0.0]],
            walk: 0.3,
        },
        collision: collision.map_or(preset.effect().collision, |(restitution, friction)| EffectCollision {
            restitution,
            friction,
            ..EffectCollision::default()
        }),
        ..preset.effect()
    })
}

/// Any scene without errors.
pub fn scene() -> impl Strategy<Value = Scene> {
    let times = (0.1f32..86400.0, 1f32..=1000.0, 2u32..=3, any::<u32>(), 1u32..=10000);
    let things = (
        vec(liquid(), 1..3),
        vec(object(), 0..3),
        vec(drain(), 0..2),
        vec(balls(), 0..2),
        vec(effect(), 0..2),
    );
    let changes = (vec(event(), 0..3), vec(track(), 0..3));
    let camera = option::of((point(), point(), 1f32..=150.0, 0f32..=1000.0));
    let light = (light(), vec(lamp(), 0..3));
    let bounds = option::of((positive(), positive()));
    // Names may be anything that TOML can quote and paths can use, but must differ: they are numbered.
    (any::<String>(), times, gravity(), things, changes, (camera, light), bounds, "[a-zé\"'=#-][a-z é\"'=#-]{0,5}").prop_map(
        |(title, times, gravity, (mut liquid, mut object, mut drain, mut balls, mut effect), (event, track), (camera, (light, lamp)), bounds, name)| {
            let (duration, fps, dimension, seed, max_substeps) = times;
            let named = |kind: &str, i: usize| format!("{name}{kind}{i}");
            liquid.iter_mut().enumerate().for_each(|(i, l)| l.name = named("liquid", i));
            for (i, o) in object.iter_mut().enumerate() {
                o.name = named("object", i);
                let stuck = std::mem::take(&mut o.adhesion);
                o.adhesion = stuck.into_values().map(|a| (named("liquid", 0), a)).collect();
            }
            balls.iter_mut().enumerate().for_each(|(i, b)| b.name = named("balls", i));
            effect.iter_mut().enumerate().for_each(|(i, e)| e.name = named("effect", i));
            drain.iter_mut().enumerate().for_each(|(i, d)| d.name = named("drain", i));
            let kill_box = bounds.map(|(low, high)| Bounds { min: [-low; 3], max: [high; 3] });
            let camera = camera.map(|(at, look_at, angle, aperture)| Camera { at, look_at, angle, aperture });
            #[rustfmt::skip]
            let scene = Scene {
                title, duration, fps, dimension, gravity, seed, max_substeps, sleep: seed % 2 == 0, kill_box, liquid, balls, effect, object, drain, event, track,
                camera, light, lamp, joint: Vec::new(), spring: Vec::new(), wind: gravity.map(|g| g.clamp(-1e3, 1e3)), air_density: fps,
                edit: Vec::new(), meshes: Default::default(),
            };
            scene
        },
    ).prop_flat_map(jointed).prop_filter("fills have room", |scene| {
        let has_none = |f: &ondine::Fault| f.severity == ondine::Severity::Error && f.path.contains(".fill.");
        !scene.faults().iter().any(has_none)
    })
}
