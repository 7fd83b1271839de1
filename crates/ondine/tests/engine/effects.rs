//! Particle effects through scenes: closed forms, counts, events that come once, and time that can be sought.

use glam::{DVec3, Vec3};
use ondine::scene::{
    Burst, ChildEvent, CurlNoise, Effect, EffectChild, EffectCollision, EffectEmitter, EffectPath,
    EffectPreset, Encounter, Motion, Object, ParticleDrag, Shape, Trajectory, Vortex, Wave,
};
use ondine::{Scene, Severity, World};

fn floor() -> Object {
    Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3])
}

/// One particle at the start, from a place, along a direction.
fn one(at: [f32; 3], direction: [f32; 3], speed: f32) -> Effect {
    Effect {
        emitter: EffectEmitter {
            at,
            direction,
            speed,
            burst: vec![Burst { at: 0.0, times: 1 }],
            ..EffectEmitter::default()
        },
        life: 100.0,
        ..Effect::new("one", EffectPreset::Plain)
    }
}

fn child(of: &str, on: ChildEvent, count: u32) -> EffectChild {
    EffectChild { effect: of.into(), on, count, rate: 30.0 }
}

/// Where what comes of others stays.
fn marks(name: &str) -> Effect {
    Effect { life: 1000.0, trajectory: Trajectory::Path, ..Effect::new(name, EffectPreset::Plain) }
}

fn scene(effect: Vec<Effect>, object: Vec<Object>, fps: f32) -> Scene {
    Scene { effect, object, fps, ..Scene::default() }
}

fn run(scene: &Scene, frames: u32) -> World {
    let mut world = World::new(scene).unwrap_or_else(|faults| panic!("{faults:?}"));
    (0..frames).for_each(|_| world.advance().expect("a healthy frame"));
    world
}

fn positions(world: &World, name: &str) -> Vec<DVec3> {
    let frame = world.frame();
    let particles = frame.particles.iter().find(|p| p.name == name).expect("it is there");
    particles.position.iter().map(|p| Vec3::from(*p).as_dvec3()).collect()
}

fn emitted(world: &World, n: usize) -> u64 {
    world.ledger().systems[n].emitted
}

/// As many are born as the rate says, at any rate of frames, and they live as long as they should.
#[test]
fn counts_do_not_depend_on_frames() {
    for trajectory in [Trajectory::Ballistic, Trajectory::Forces, Trajectory::Path] {
        for fps in [7.0, 30.0, 61.0, 240.0] {
            let effect = Effect {
                emitter: EffectEmitter { rate: 123.4, start: 0.1, ..EffectEmitter::default() },
                life: 0.5,
                trajectory,
                ..Effect::new("a", EffectPreset::Plain)
            };
            let world = run(&scene(vec![effect], vec![], fps), 2 * fps as u32);
            let ledger = &world.ledger().systems[0];
            assert!(
                (ledger.emitted as f64 - 123.4 * 1.9).abs() <= 1.0,
                "{trajectory:?} {fps}: {}",
                ledger.emitted
            );
            assert!(
                (ledger.particles as f64 - 123.4 * 0.5).abs() <= 1.0,
                "{trajectory:?} {fps}: {}",
                ledger.particles
            );
            assert_eq!(ledger.emitted - ledger.removed, ledger.particles);
        }
    }
}

/// The ball of the text, from a metre, keeping 0.8 of its speed: three impacts by 1.8 s, each of which is told once, whatever the steps.
#[test]
fn impacts_are_told_once_and_at_their_instants() {
    for trajectory in [Trajectory::Ballistic, Trajectory::Forces] {
        for fps in [10.0, 30.0, 240.0] {
            let collision = EffectCollision {
                radius: 0.001,
                restitution: 0.8,
                objects: Encounter::Bounce,
                friction: 0.0,
                ..EffectCollision::default()
            };
            let ball = Effect {
                collision,
                trajectory,
                child: vec![child("marks", ChildEvent::Impact, 2)],
                ..one([0.0, 1.001, 0.0], [1.0, 0.0, 0.0], 2.0)
            };
            // The instant of a mark shows in how far it has gone since.
            let gone = EffectEmitter { direction: [0.0, 0.0, 1.0], speed: 1.0, ..EffectEmitter::default() };
            let scene = scene(vec![ball, Effect { emitter: gone, ..marks("marks") }], vec![floor()], fps);
            let world = run(&scene, (1.8 * fps) as u32);
            let marks = positions(&world, "marks");
            assert_eq!((marks.len(), emitted(&world, 1)), (6, 6), "{trajectory:?} {fps}");
            let close = if trajectory == Trajectory::Ballistic { 3e-6 } else { 4.0 / (fps as f64).powi(2) };
            for (pair, known) in marks.chunks(2).zip([0.4515236, 1.1739615, 1.7519117]) {
                assert_eq!(pair[0], pair[1]);
                let (time, along) = (1.8 - pair[0].z, pair[0].x / 2.0);
                assert!(
                    (time - known).abs() < close && (along - known).abs() < close,
                    "{trajectory:?} {fps}: {time} {along}"
                );
            }
        }
    }
}

/// x(t) = u t + (v0 − u)(1 − e^(−kt))/k, however long the frames, of what is there at the start and what is born on the way.
#[test]
fn linear_drag_is_exact() {
    let effect = Effect {
        trajectory: Trajectory::Forces,
        wind: [1.0, 0.0, -2.0],
        drag: ParticleDrag { linear: 0.8, quadratic: 0.0 },
        ..one([0.0; 3], [0.6, 0.8, 0.0], 7.0)
    };
    let mut late = effect.clone();
    (late.name, late.emitter.burst[0].at) = ("late".into(), 0.3333);
    let world = run(&scene(vec![effect, late], vec![], 10.0), 20);
    for (name, t) in [("one", 2.0), ("late", 2.0 - 0.3333)] {
        let (k, v0) = (0.8f32 as f64, DVec3::new(4.2, 5.6, 0.0));
        let u = DVec3::new(1.0, -9.81 / k, -2.0);
        let known = u * t + (v0 - u) * (1.0 - (-k * t).exp()) / k;
        let at = positions(&world, name)[0];
        assert!(at.distance(known) < 2e-5, "{name}: {at} {known}");
    }
}

/// A fall by v_t²/g ln cosh(g t/v_t).
#[test]
fn quadratic_drag_has_its_fall() {
    let effect = Effect {
        trajectory: Trajectory::Forces,
        drag: ParticleDrag { linear: 0.0, quadratic: 0.2 },
        ..one([0.0; 3], [0.0, 1.0, 0.0], 0.0)
    };
    let world = run(&scene(vec![effect], vec![], 30.0), 45);
    let terminal = (9.81f64 / 0.2).sqrt();
    let known = -terminal * terminal / 9.81 * (9.81 * 1.5 / terminal).cosh().ln();
    let at = positions(&world, "one")[0].y;
    assert!((at / known - 1.0).abs() < 1e-3, "{at} {known}");
}

/// What a whirl carries comes back after 4π²r²/Γ, in the plane and in space.
#[test]
fn whirls_turn_in_their_period() {
    let (r, circulation) = (0.5f64, 2.0);
    let period = 4.0 * std::f64::consts::PI.powi(2) * r * r / circulation;
    let vortex =
        Vortex { circulation: circulation as f32, axis: [0.0, 0.0, 1.0], core: 0.01, ..Vortex::default() };
    for dimension in [2, 3] {
        let effect = Effect {
            trajectory: Trajectory::Forces,
            carried: true,
            vortex: vec![vortex],
            ..one([r as f32, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0)
        };
        let fps = (100.0 / period) as f32;
        let scene = Scene { dimension, ..scene(vec![effect], vec![], fps) };
        let half = positions(&run(&scene, 50), "one")[0];
        let whole = positions(&run(&scene, 100), "one")[0];
        assert!(
            half.distance(DVec3::NEG_X * r) < 0.01 && whole.distance(DVec3::X * r) < 0.01,
            "{half} {whole}"
        );
    }
}

/// All that can follow from the time alone: parabolas that bounce, waves, curves, walks, lives that differ.
fn timeless(fps: f32) -> Scene {
    let fountain = Effect {
        emitter: EffectEmitter {
            rate: 311.0,
            angle: 30.0,
            speed: 4.0,
            speed_spread: 0.5,
            at: [0.0, 0.2, 0.0],
            ..EffectEmitter::default()
        },
        life_spread: 0.6,
        collision: EffectCollision { objects: Encounter::Bounce, ..EffectCollision::default() },
        ..Effect::new("fountain", EffectPreset::Fountain)
    };
    let swarm = Effect {
        emitter: EffectEmitter {
            shape: Some(Shape::Sphere { radius: 0.5 }),
            rate: 50.0,
            count: 3,
            burst: vec![Burst { at: 0.7, times: 20 }],
            ..EffectEmitter::default()
        },
        trajectory: Trajectory::Path,
        path: EffectPath {
            wave: vec![Wave { spread: 1.0, ..Wave::default() }],
            through: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            walk: 0.1,
        },
        ..Effect::new("swarm", EffectPreset::Plain)
    };
    let wall = Object::new("wall", Shape::HalfSpace { normal: [-1.0, 0.2, 0.0] }, [0.8, 0.0, 0.0]);
    scene(vec![fountain, swarm], vec![floor(), wall], fps)
}

#[test]
fn seeking_finds_what_stepping_does() {
    let scene = timeless(30.0);
    let mut stepped = World::new(&scene).expect("a sound scene");
    for frame in 1..=150 {
        stepped.advance().expect("a healthy frame");
        if [2, 37, 90, 150].contains(&frame) {
            let mut sought = World::new(&scene).expect("a sound scene");
            sought.seek(frame).expect("a healthy frame");
            assert_eq!((sought.hash(), sought.frame_index()), (stepped.hash(), frame), "frame {frame}");
            assert_eq!(sought.frame(), stepped.frame());
        }
    }
    // From the middle, too.
    let mut sought = run(&scene, 20);
    sought.seek(150).expect("a healthy frame");
    assert_eq!(sought.hash(), stepped.hash());
}

/// Places follow from the time, not from the steps: at the same instants they are the same to the bit.
#[test]
fn closed_forms_do_not_depend_on_frames() {
    let coarse = run(&timeless(10.0), 20).frame();
    let fine = run(&timeless(60.0), 120).frame();
    for (a, b) in coarse.particles.iter().zip(&fine.particles) {
        assert_eq!(a.position.len(), b.position.len());
        assert_eq!((&a.position, &a.colors, &a.id), (&b.position, &b.colors, &b.id));
    }
}

/// What others come of in a scene that does not follow from the time: everything at once.
fn busy(dimension: u32) -> Scene {
    let turn = if dimension == 2 { 0.0 } else { 1.0 };
    let shells = Effect {
        emitter: EffectEmitter {
            rate: 40.0,
            count: 30,
            angle: 60.0,
            speed: 5.0,
            speed_spread: 0.4,
            at: [0.0, 0.3, 0.0],
            ..EffectEmitter::default()
        },
        life: 0.4,
        life_spread: 0.5,
        trajectory: Trajectory::Forces,
        noise: CurlNoise { speed: 1.0, scale: 0.4, rate: 2.0 },
        drag: ParticleDrag { linear: 1.0, quadratic: 0.1 },
        collision: EffectCollision { objects: Encounter::Bounce, ..EffectCollision::default() },
        child: vec![
            child("stars", ChildEvent::Death, 5),
            child("marks", ChildEvent::Trail, 1),
            child("marks", ChildEvent::Birth, 1),
        ],
        ..Effect::new("shells", EffectPreset::Plain)
    };
    let stars = Effect {
        emitter: EffectEmitter { angle: 180.0, speed: 3.0, inherit: 0.5, ..EffectEmitter::default() },
        life: 0.3,
        collision: EffectCollision { objects: Encounter::Stick, ..EffectCollision::default() },
        child: vec![child("marks", ChildEvent::Impact, 1)],
        ..Effect::new("stars", EffectPreset::Fireworks)
    };
    let paddle = Object {
        motion: Motion::Moving,
        spin: [0.0, 0.0, 200.0],
        velocity: [0.2, 0.0, 0.0],
        ..Object::new("paddle", Shape::Box { size: [1.0, 0.05, 1.0] }, [-0.2, 0.7, 0.0])
    };
    let tank = Object::new("tank", Shape::Container { size: [3.0, 2.0, 3.0], open: true }, [0.0, 1.0, 0.0]);
    let wedge = Object {
        rotate: [0.0, 0.0, 30.0 * turn],
        ..Object::new("wedge", Shape::Box { size: [0.4; 3] }, [0.7, 0.2, 0.0])
    };
    Scene { dimension, ..scene(vec![shells, stars, marks("marks")], vec![paddle, tank, wedge], 30.0) }
}

#[test]
fn any_number_of_threads_gives_the_same_effects() {
    for dimension in [2, 3] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| run(&busy(dimension), 30).hash())
        };
        assert_eq!(on(1), on(2));
        assert_eq!(on(1), on(8));
    }
}

#[test]
fn a_checkpoint_goes_on_with_the_same_effects() {
    for scene in [busy(2), busy(3), timeless(30.0)] {
        let mut world = run(&scene, 17);
        let bytes = postcard::to_stdvec(&world).expect("writes");
        let mut again: World = postcard::from_bytes(&bytes).expect("reads");
        assert_eq!(again.hash(), world.hash());
        for _ in 0..10 {
            [&mut world, &mut again].into_iter().for_each(|world| world.advance().expect("a healthy frame"));
            assert_eq!(again.hash(), world.hash());
        }
    }
}

/// Nothing ends in an object, and everything that happens is told: births, deaths and marks add up.
#[test]
fn everything_is_told_once() {
    for dimension in [2, 3] {
        let world = run(&busy(dimension), 45);
        let [shells, stars, marks] = &world.ledger().systems[..] else { panic!("three effects") };
        assert!(shells.removed > 500 && stars.emitted == 5 * shells.removed, "{shells:?} {stars:?}");
        assert_eq!((shells.leaks, stars.leaks), (0, 0));
        assert!(marks.emitted > shells.emitted, "births, and trails, and impacts");
        assert!(shells.max_speed < 20.0, "{}", shells.max_speed);
    }
}

/// A trail of 30 a second leaves 30 a second, along the way, each where the particle was.
#[test]
fn trails_lie_along_the_way() {
    for fps in [10.0, 75.0] {
        let runner = Effect {
            gravity: 0.0,
            trajectory: Trajectory::Forces,
            child: vec![child("marks", ChildEvent::Trail, 1)],
            ..one([0.0; 3], [1.0, 0.0, 0.0], 3.0)
        };
        let world = run(&scene(vec![runner, marks("marks")], vec![], fps), 2 * fps as u32);
        let places = positions(&world, "marks");
        assert!((places.len() as i64 - 59).abs() <= 1, "{}", places.len());
        for (k, place) in places.iter().enumerate() {
            assert!((place.x - 3.0 * (k + 1) as f64 / 30.0).abs() < 1e-5, "{fps} {k}: {place}");
        }
    }
}

/// A hundred metres a second against a sheet of a centimetre, in sixtieths of a second.
#[test]
fn nothing_passes_a_thin_wall() {
    let jet = Effect {
        emitter: EffectEmitter {
            rate: 3000.0,
            direction: [1.0, 0.0, 0.0],
            angle: 10.0,
            speed: 100.0,
            speed_spread: 0.5,
            at: [-1.0, 0.0, 0.0],
            ..EffectEmitter::default()
        },
        life: 0.5,
        gravity: 0.0,
        trajectory: Trajectory::Forces,
        collision: EffectCollision {
            radius: 0.002,
            objects: Encounter::Bounce,
            ..EffectCollision::default()
        },
        ..Effect::new("jet", EffectPreset::Plain)
    };
    let sheet = Object::new("sheet", Shape::Box { size: [0.01, 40.0, 40.0] }, [0.0; 3]);
    let world = run(&scene(vec![jet], vec![sheet], 60.0), 60);
    let places = positions(&world, "jet");
    assert!(
        places.len() > 1000 && places.iter().all(|p| p.x < 0.0),
        "{:?}",
        places.iter().find(|p| p.x >= 0.0)
    );
}

/// Sparks against a step on a floor, and in a tank: none ends in anything, whichever corner it slides into, frame by frame.
#[test]
fn nothing_slides_into_a_corner() {
    let step = Object {
        rotate: [0.0, 30.0, 0.0],
        ..Object::new("step", Shape::Box { size: [0.5, 0.16, 0.8] }, [1.1, 0.08, 0.0])
    };
    let ball = Object::new("ball", Shape::Sphere { radius: 0.2 }, [0.6, 0.15, 0.3]);
    let tank = Object::new("tank", Shape::Container { size: [3.0, 2.0, 1.2], open: true }, [0.0, 1.0, 0.0]);
    for objects in [vec![floor(), step.clone(), ball.clone()], vec![tank, step, ball]] {
        let mut effect = Effect::new("a", EffectPreset::Sparks);
        effect.emitter = EffectEmitter {
            at: [-0.45, 0.55, 0.0],
            direction: [1.0, 0.35, 0.0],
            rate: 900.0,
            speed: 6.0,
            ..effect.emitter
        };
        effect.life = 4.0;
        let mut world = run(&scene(vec![effect], objects, 30.0), 0);
        for frame in 0..120 {
            world.advance().expect("a healthy frame");
            assert_eq!(world.ledger().systems[0].leaks, 0, "frame {frame}");
        }
    }
}

/// What sticks goes with what it sticks to.
#[test]
fn flakes_ride_on_what_moves() {
    let flake = Effect {
        trajectory: Trajectory::Forces,
        collision: EffectCollision { objects: Encounter::Stick, ..EffectCollision::default() },
        ..one([0.0, 0.5, 0.0], [0.0, -1.0, 0.0], 1.0)
    };
    let sled = Object {
        motion: Motion::Moving,
        velocity: [0.5, 0.0, 0.0],
        ..Object::new("sled", Shape::Box { size: [2.0, 0.2, 1.0] }, [0.0; 3])
    };
    let scene = scene(vec![flake], vec![sled], 30.0);
    let (early, late) = (positions(&run(&scene, 30), "one")[0], positions(&run(&scene, 90), "one")[0]);
    assert!((early.y - 0.11).abs() < 1e-3 && early.x > 0.2, "{early}");
    assert!(late.distance(early + DVec3::X) < 1e-4, "{early} {late}");
}

/// An emitter on an object goes with it, and gives its velocity.
#[test]
fn emitters_ride_on_objects() {
    let smoke = Effect {
        emitter: EffectEmitter {
            on: Some("cart".into()),
            at: [0.0, 0.5, 0.0],
            rate: 90.0,
            inherit: 1.0,
            ..EffectEmitter::default()
        },
        gravity: 0.0,
        ..Effect::new("smoke", EffectPreset::Plain)
    };
    let cart = Object {
        motion: Motion::Moving,
        velocity: [2.0, 0.0, 0.0],
        ..Object::new("cart", Shape::Box { size: [0.5; 3] }, [0.0; 3])
    };
    let world = run(&scene(vec![smoke], vec![cart], 30.0), 30);
    for place in positions(&world, "smoke") {
        assert!(place.distance(DVec3::new(2.0, 0.5, 0.0)) < 1e-4, "{place}");
    }
}

/// A pool sleeps beside an effect that is over, not beside one that goes on.
#[test]
fn an_effect_that_emits_keeps_the_world_awake() {
    let effect = |stop| Effect {
        emitter: EffectEmitter { rate: 5.0, stop, ..EffectEmitter::default() },
        life: 0.2,
        ..Effect::new("a", EffectPreset::Plain)
    };
    let ball = ondine::scene::Balls {
        name: "ball".into(),
        ball: vec![ondine::scene::Ball { at: [1.0, 0.05, 0.0], ..Default::default() }],
        ..Default::default()
    };
    let sleeps = |stop| {
        let scene = Scene { balls: vec![ball.clone()], ..scene(vec![effect(stop)], vec![floor()], 30.0) };
        run(&scene, 120).ledger().substeps == 0
    };
    assert!(sleeps(Some(0.5)) && !sleeps(None));
}

#[test]
fn what_makes_no_sense_is_told() {
    let told = |change: fn(&mut Vec<Effect>)| {
        let mut effects = vec![one([0.0; 3], [0.0, 1.0, 0.0], 1.0), marks("marks")];
        change(&mut effects);
        let faults = scene(effects, vec![floor()], 30.0).faults();
        let errors: Vec<String> =
            faults.iter().filter(|f| f.severity == Severity::Error).map(|f| f.to_string()).collect();
        errors.join("\n")
    };
    assert_eq!(told(|_| ()), "");
    assert!(
        told(|e| e[0].child = vec![child("mark", ChildEvent::Death, 1)]).contains("did you mean `marks`?")
    );
    assert!(told(|e| e[0].emitter.on = Some("flor".into())).contains("did you mean `floor`?"));
    let circle = told(|e| {
        e[0].child = vec![child("marks", ChildEvent::Death, 1)];
        e[1].child = vec![child("one", ChildEvent::Birth, 1)];
    });
    assert!(circle.contains("effect.one.child") && circle.contains("effect.marks.child"), "{circle}");
    assert!(told(|e| e[0].size = vec![]).contains("at least one key"));
    assert!(told(|e| e[0].opacity = vec![[0.5, 1.0], [0.2, 0.0]]).contains("go up from 0 to 1"));
    assert!(told(|e| e[0].color = vec![[0.0, 1.0, 2.0, 0.0]]).contains("not from 0 to 1"));
    assert!(told(|e| e[0].tint = vec![[f32::NAN; 3]]).contains("effect.one.tint"));
    assert!(told(|e| e[0].path.through = vec![[f32::INFINITY; 3]]).contains("path.through"));
    assert!(told(|e| e[0].emitter.rate = 1e8).contains("could live at once"));
    assert!(
        told(|e| e[0].collision =
            EffectCollision { systems: Encounter::Stick, ..EffectCollision::default() })
        .contains("cannot stick")
    );
    assert!(
        told(|e| e[0].emitter.burst = vec![Burst { at: 2.0, times: 1 }, Burst { at: 1.0, times: 1 }])
            .contains("order of time")
    );
}

/// Every preset lives for ten seconds on a floor beside a ball, at its own numbers, in space and in the plane.
#[test]
fn presets_live() {
    for preset in EffectPreset::ALL {
        for dimension in [2, 3] {
            let mut effect = Effect::new("a", preset);
            if effect.emitter.rate == 0.0 {
                effect.emitter.rate = 100.0;
            }
            let ball = Object::new("ball", Shape::Sphere { radius: 0.3 }, [0.2, 0.5, 0.0]);
            let world = run(&Scene { dimension, ..scene(vec![effect], vec![floor(), ball], 30.0) }, 300);
            let ledger = &world.ledger().systems[0];
            assert!(
                ledger.particles > 10 && ledger.leaks == 0 && ledger.max_speed < 40.0,
                "{preset:?} {ledger:?}"
            );
            let frame = world.frame();
            let shown = &frame.particles[0];
            assert!(dimension == 3 || shown.position.iter().all(|p| p[2] == 0.0), "{preset:?}");
            assert_eq!((shown.colors.len(), shown.radii.len()), (shown.position.len(), shown.position.len()));
            assert!(shown.colors.iter().flatten().all(|x| (0.0..=1.0).contains(x)), "{preset:?}");
        }
    }
}
