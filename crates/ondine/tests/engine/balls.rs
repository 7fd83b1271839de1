//! Rigid balls among each other, objects and liquids, through scenes.

use glam::DVec3;
use ondine::scene::{
    Ball, BallArrangement, BallEmitter, BallFill, Balls, Drain, DropsFrom, Fill, Liquid, Motion, Object,
    Pairwise, Preset, Shape,
};
use ondine::{Ledger, Scene, World};

fn floor() -> Object {
    Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3])
}

fn tank(size: [f32; 3]) -> Object {
    Object::new("tank", Shape::Container { size, open: true }, [0.0, 0.5 * size[1], 0.0])
}

fn balls(name: &str, radius: f32, places: &[[f32; 3]]) -> Balls {
    let ball = places.iter().map(|&at| Ball { at, ..Ball::default() }).collect();
    Balls { name: name.into(), radius, ball, ..Balls::default() }
}

fn scene(balls: Vec<Balls>, object: Vec<Object>) -> Scene {
    Scene { balls, object, ..Scene::default() }
}

fn run(scene: &Scene, frames: u32) -> World {
    let mut world = World::new(scene).unwrap_or_else(|faults| panic!("{faults:?}"));
    (0..frames).for_each(|_| world.advance().expect("a healthy frame"));
    world
}

/// Momentum and angular momentum of all that is there.
fn momenta(ledger: &Ledger) -> [DVec3; 2] {
    let systems = ledger.systems.iter().map(|s| (s.momentum, s.angular_momentum));
    let objects = ledger.objects.iter().map(|o| (o.momentum, o.angular_momentum));
    let sum = |a: [DVec3; 2], (p, l): ([f64; 3], [f64; 3])| [a[0] + DVec3::from(p), a[1] + DVec3::from(l)];
    systems.chain(objects).fold([DVec3::ZERO; 2], sum)
}

/// A slab laid on four balls stays there, and they carry its weight.
#[test]
fn balls_carry_what_lies_on_them() {
    let corners = [[-0.2, 0.05, -0.2], [0.2, 0.05, -0.2], [-0.2, 0.05, 0.2], [0.2, 0.05, 0.2]];
    let rollers = Balls { rolling: 0.01, restitution: 0.0, ..balls("rollers", 0.05, &corners) };
    let slab = Object {
        motion: Motion::Free,
        ..Object::new("slab", Shape::Box { size: [0.6, 0.1, 0.6] }, [0.0, 0.2, 0.0])
    };
    let scene = Scene { sleep: false, ..scene(vec![rollers], vec![slab, floor()]) };
    let world = run(&scene, 120);
    let ledger = world.ledger();
    let slab = &ledger.objects[0];
    let weight = slab.mass * 9.81;
    assert!((slab.at[1] - 0.15).abs() < 0.002, "{slab:?}");
    assert!((slab.force[1] / weight - 1.0).abs() < 0.02, "{slab:?}");
    assert!(slab.kinetic_energy < 1e-4 && ledger.systems[0].max_speed < 0.01, "{ledger:?}");
}

/// Nothing is lost between balls and free objects, weightless.
#[test]
fn balls_and_objects_keep_their_momentum() {
    let mut flying = balls("flying", 0.1, &[[-1.0, 0.1, 0.05], [-1.4, -0.1, 0.0]]);
    flying.ball[0].velocity = [3.0, 0.0, 0.0];
    flying.ball[1].velocity = [5.0, 0.2, 0.0];
    flying.ball[1].spin = [0.0, 0.0, 300.0];
    let cube =
        Object { motion: Motion::Free, ..Object::new("cube", Shape::Box { size: [0.4; 3] }, [0.0; 3]) };
    let scene = Scene { gravity: [0.0; 3], ..scene(vec![flying], vec![cube]) };
    let world = World::new(&scene).expect("a sound scene");
    let before = momenta(&world.ledger());
    let after = run(&scene, 45).ledger();
    let moved = DVec3::from(after.objects[0].momentum).length();
    assert!(moved > 0.2 * before[0].length(), "they met: {moved}");
    // Momentum to round-off; angular momentum as far as impacts within a step act where things are at its end.
    for ((before, after), share) in before.iter().zip(momenta(&after)).zip([1e-5, 0.01]) {
        assert!((*before - after).length() < share * before.length(), "{before} {after}");
    }
}

fn water(spacing: f32, size: [f32; 3]) -> Liquid {
    let shape = Shape::Box { size };
    let (at, rotate, velocity) = ([0.0, 0.5 * size[1], 0.0], [0.0; 3], [0.0; 3]);
    let fill = Fill { shape, at, rotate, velocity, arrangement: Default::default() };
    Liquid { name: "water".into(), spacing, fill: vec![fill], ..Preset::Water.liquid() }
}

/// A ball floats as Archimedes has it, ±5 % of its volume at eight spacings across; a heavier one sinks, where a free object does.
#[test]
fn light_balls_float_and_heavy_ones_sink() {
    let radius = 0.08;
    for density in [250.0, 800.0] {
        let cork = Balls { density, ..balls("cork", radius, &[[0.0, 0.42, 0.0]]) };
        let scene = Scene {
            liquid: vec![water(0.02, [0.5, 0.4, 0.5])],
            ..scene(vec![cork], vec![tank([0.5, 1.2, 0.5])])
        };
        let world = run(&scene, 75);
        let under = submerged(&world, radius as f64);
        assert!((under - density as f64 / 1000.0).abs() < 0.05, "{density}: {under} under water");
    }
    let stone = Balls { density: 2500.0, ..balls("stone", radius, &[[0.0, 0.3, 0.0]]) };
    let scene = Scene {
        liquid: vec![water(0.02, [0.5, 0.4, 0.5])],
        ..scene(vec![stone], vec![tank([0.5, 1.2, 0.5])])
    };
    assert!(run(&scene, 60).ledger().systems[1].center[1] < 1.3 * radius as f64);
}

/// How much of a ball in a pool of 0.5 m × 0.5 m is below the waterline, which is where it must be for the water's mass.
fn submerged(world: &World, r: f64) -> f64 {
    let ledger = world.ledger();
    let (mass, y) = (ledger.systems[0].mass, ledger.systems[1].center[1]);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let mut under = 0.5;
    for _ in 0..60 {
        let level = (mass / 1000.0 + under * volume) / 0.25;
        let depth = ((level - y) / r).clamp(-1.0, 1.0);
        under = 0.25 * (depth + 1.0).powi(2) * (2.0 - depth);
    }
    under
}

/// What a ball gives a drop that it flies into, it loses.
#[test]
fn balls_and_liquids_keep_their_momentum() {
    let shape = Shape::Sphere { radius: 0.1 };
    let (at, rotate, velocity) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let fill = Fill { shape, at, rotate, velocity, arrangement: Default::default() };
    let drop = Liquid { name: "drop".into(), spacing: 0.02, fill: vec![fill], ..Preset::Honey.liquid() };
    let mut bullet = Balls { density: 3000.0, ..balls("bullet", 0.04, &[[-0.25, 0.02, 0.0]]) };
    bullet.ball[0].velocity = [1.0, 0.0, 0.0];
    let scene = Scene { gravity: [0.0; 3], liquid: vec![drop], ..scene(vec![bullet], Vec::new()) };
    let before = momenta(&World::new(&scene).expect("a sound scene").ledger())[0];
    let after = run(&scene, 20).ledger();
    let drop = DVec3::from(after.systems[0].momentum).length();
    assert!(drop > 0.2 * before.length(), "they met: {drop} of {before}");
    let lost = (momenta(&after)[0] - before).length();
    assert!(lost < 0.01 * before.length(), "{lost} of {before}");
}

/// Rolling resistance μ: a rolling ball is slowed by 5/7 μ g.
#[test]
fn rolling_resistance_slows_what_rolls() {
    let (mu, radius, v) = (0.02f32, 0.1f32, 1.0f32);
    let mut ball = Balls { rolling: mu, restitution: 0.0, ..balls("ball", radius, &[[0.0, radius, 0.0]]) };
    ball.ball[0].velocity = [v, 0.0, 0.0];
    ball.ball[0].spin = [0.0, 0.0, -(v / radius).to_degrees()];
    let speed = run(&scene(vec![ball], vec![floor()]), 60).ledger().systems[0].max_speed;
    let law = (v - 5.0 / 7.0 * mu * 9.81 * 2.0) as f64;
    assert!((speed / law - 1.0).abs() < 0.03, "{speed} for {law}");
}

/// Emitters let go as many as they say; drains, age and the kill box take them.
#[test]
fn balls_come_and_go() {
    let emitter = BallEmitter {
        shape: Shape::Box { size: [2.0, 0.1, 2.0] },
        at: [0.0, 3.0, 0.0],
        rotate: [0.0; 3],
        from: DropsFrom::Volume,
        rate: 60.0,
        velocity: [0.0, -1.0, 0.0],
        scatter: 0.2,
        start: 0.0,
        stop: Some(1.0),
    };
    let hail = Balls { emitter: vec![emitter], ..balls("hail", 0.02, &[]) };
    let rain = scene(vec![hail.clone()], vec![floor()]);
    let ledger = run(&rain, 60).ledger();
    let emitted = ledger.systems[0].emitted;
    assert!((58..=62).contains(&emitted), "{emitted}");
    assert_eq!(ledger.systems[0].particles, emitted);
    let old = Scene { balls: vec![Balls { lifetime: Some(0.5), ..hail.clone() }], ..rain.clone() };
    assert_eq!(run(&old, 60).ledger().systems[0].particles, 0);
    let drain = Drain {
        name: "hole".into(),
        shape: Shape::Box { size: [9.0, 0.5, 9.0] },
        at: [0.0, 1.0, 0.0],
        rotate: [0.0; 3],
        start: 0.0,
        stop: None,
    };
    let drained = Scene { drain: vec![drain], ..rain };
    let ledger = run(&drained, 60).ledger();
    assert_eq!((ledger.systems[0].particles, ledger.systems[0].removed), (0, ledger.systems[0].emitted));
}

/// A packed box is as full as balls lie at most, π/√18, but for its walls; a scattered one has nobody in another.
#[test]
fn fills_hold_what_they_should() {
    let side = 2.0;
    for (arrangement, least, most) in
        [(BallArrangement::Packed, 0.62, 0.7405), (BallArrangement::Scattered, 0.2, 0.31)]
    {
        let fill = BallFill { arrangement, ..BallFill::new(Shape::Box { size: [side; 3] }, [0.0, 2.0, 0.0]) };
        for spread in [0.0, 0.5] {
            let set = Balls { fill: vec![fill.clone()], spread, ..balls("set", 0.05, &[]) };
            let ledger = World::new(&scene(vec![set], vec![floor()])).expect("a sound scene").ledger();
            let share = ledger.systems[0].volume / (side as f64).powi(3);
            assert!(ledger.systems[0].overlap <= 1e-4, "{}", ledger.systems[0].overlap);
            if spread == 0.0 {
                assert!(share > least && share < most, "{arrangement:?}: {share}");
            }
        }
    }
}

/// The source's scheme gives the source's numbers: PS-04, and the swept contact PS-07.
#[test]
fn the_source_scheme_gives_the_source_numbers() {
    let pairwise = Some(Pairwise::default());
    let pair = |masses: [f32; 2], velocity: [f32; 3], to: [f32; 3]| {
        let mut set = Balls { pairwise, ..balls("pair", 0.1, &[[0.0; 3], to]) };
        set.ball[0].velocity = velocity;
        set.ball.iter_mut().zip(masses).for_each(|(ball, mass)| ball.mass = Some(mass));
        let scene = Scene { gravity: [0.0; 3], ..scene(vec![set], Vec::new()) };
        run(&scene, 15).frame().particles[0].velocity.clone()
    };
    let head_on = pair([1.0, 3.0], [1.0, 0.0, 0.0], [0.3, 0.0, 0.0]);
    assert!((head_on[0][0] + 0.5).abs() < 1e-5 && (head_on[1][0] - 0.5).abs() < 1e-5, "{head_on:?}");
    // u = (−1, −1)/√2 at the instant of touching: from (0, 0) the ball comes to (0.2, 0), the other is at (0.2, 0) + 0.2 (1, 1)/√2.
    let d = 0.2 / 2f32.sqrt();
    let aslant = pair([2.0, 1.0], [1.0, 0.0, 0.0], [0.2 + d, d, 0.0]);
    let expected = [[2.0 / 3.0, -1.0 / 3.0], [2.0 / 3.0, 2.0 / 3.0]];
    for (v, e) in aslant.iter().zip(expected) {
        assert!((v[0] - e[0]).abs() < 2e-3 && (v[1] - e[1]).abs() < 2e-3, "{aslant:?}");
    }
    for (swept, passes) in [(true, false), (false, true)] {
        let scheme = Pairwise { swept, substeps: 1, ..Pairwise::default() };
        let mut shot = Balls { pairwise: Some(scheme), ..balls("shot", 0.1, &[[-1.0, 0.0, 0.0]]) };
        shot.ball[0].velocity = [100.0, 0.0, 0.0];
        let wall = Object::new("wall", Shape::Box { size: [0.01, 2.0, 2.0] }, [0.0; 3]);
        let scene = Scene { gravity: [0.0; 3], fps: 60.0, ..scene(vec![shot], vec![wall]) };
        let x = run(&scene, 1).frame().particles[0].position[0][0];
        assert_eq!(x > 0.0, passes, "swept {swept}: {x}");
    }
}

/// Nothing passes a wall at 100 m/s, nor another ball that comes as fast.
#[test]
fn nothing_passes_at_a_hundred_metres_a_second() {
    let mut shot = Balls {
        restitution: 1.0,
        friction: 0.0,
        ..balls("shot", 0.1, &[[-1.0, 0.0, 0.0], [-3.0, 0.02, 0.0]])
    };
    shot.ball[0].velocity = [100.0, 0.0, 0.0];
    shot.ball[1].velocity = [100.0, 0.0, 0.0];
    let wall = Object::new("wall", Shape::Box { size: [0.01, 2.0, 2.0] }, [0.0; 3]);
    let scene = Scene { gravity: [0.0; 3], ..scene(vec![shot], vec![wall]) };
    let world = run(&scene, 3);
    let frame = world.frame();
    assert!(frame.particles[0].position.iter().all(|p| p[0] < 0.0), "{:?}", frame.particles[0].position);
    let mut pair = Balls { restitution: 1.0, ..balls("pair", 0.05, &[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]) };
    (pair.ball[0].velocity, pair.ball[1].velocity) = ([100.0, 0.0, 0.0], [-100.0, 0.0, 0.0]);
    let scene = Scene { gravity: [0.0; 3], balls: vec![pair], object: Vec::new(), ..scene };
    let frame = run(&scene, 2).frame();
    let [a, b] = [frame.particles[0].position[0][0], frame.particles[0].position[1][0]];
    assert!(a < -0.05 && b > 0.05, "{a} {b}");
}

/// In the plane balls are discs and stay there; a heap of them comes to rest.
#[test]
fn planar_balls_stay_in_their_plane() {
    let fill = BallFill {
        arrangement: BallArrangement::Scattered,
        ..BallFill::new(Shape::Box { size: [0.9, 1.0, 1.0] }, [0.0, 0.8, 0.0])
    };
    let discs = Balls { fill: vec![fill], spread: 0.4, ..balls("discs", 0.04, &[]) };
    let scene = Scene { dimension: 2, ..scene(vec![discs], vec![tank([1.0, 2.0, 1.0])]) };
    let world = run(&scene, 120);
    let (frame, ledger) = (world.frame(), world.ledger());
    assert!(frame.particles[0].position.len() > 40);
    assert!(frame.particles[0].position.iter().all(|p| p[2] == 0.0 && p[1] > 0.0 && p[0].abs() < 0.5));
    let measure = &ledger.systems[0];
    assert!(measure.max_speed < 0.03 && measure.overlap < 0.05 && measure.leaks == 0, "{measure:?}");
}

/// Bad scenes are told with their places.
#[test]
fn bad_balls_are_told() {
    let told = |set: Vec<Balls>| {
        let faults = World::new(&scene(set, vec![floor()])).expect_err("a bad scene");
        faults.into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("\n")
    };
    assert!(
        told(vec![balls("a", 0.1, &[[0.0, 1.0, 0.0], [0.05, 1.0, 0.0]])]).contains("inside another ball")
    );
    let literal = Balls { pairwise: Some(Pairwise::default()), ..balls("b", 0.1, &[[0.0, 3.0, 0.0]]) };
    assert!(told(vec![balls("a", 0.1, &[[0.0, 1.0, 0.0]]), literal]).contains("balls.b.pairwise"));
    let tiny = balls("b", 0.001, &[[0.0, 3.0, 0.0]]);
    assert!(told(vec![balls("a", 0.1, &[[0.0, 1.0, 0.0]]), tiny]).contains("100 times"));
    let endless = BallFill::new(Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    assert!(told(vec![Balls { fill: vec![endless], ..balls("a", 0.1, &[]) }]).contains("has no end"));
}

/// A ball falls into a tube that was cut from a cylinder, and rests on the floor there; one that is too wide stays on its rim.
#[test]
fn a_ball_falls_into_a_tube() {
    let part = |radius, height| ondine::scene::Part::new(Shape::Cylinder { radius, height }, [0.0; 3]);
    let cut = ondine::scene::Blend { of: vec![part(0.08, 0.6), part(0.065, 0.7)], smooth: 0.0 };
    let tube = Object::new("tube", Shape::Difference(cut), [0.0, 0.3, 0.0]);
    let on_rim = 0.6 + (0.1f32 * 0.1 - 0.065 * 0.065).sqrt();
    for (radius, from, rests) in [(0.06f32, 0.9, 0.06f32), (0.1, on_rim + 0.004, on_rim)] {
        let set = Balls { restitution: 0.0, ..balls("ball", radius, &[[0.002, from, 0.001]]) };
        let world = run(&scene(vec![set], vec![floor(), tube.clone()]), 90);
        let y = world.frame().particles[0].position[0][1];
        assert!((y - rests).abs() < 0.02 * radius, "{radius}: {y} for {rests}");
    }
}
