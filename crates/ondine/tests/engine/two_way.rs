//! Liquids and free objects push each other: what one loses, the other gains.

use crate::scenes::*;
use ondine::scene::{Adhesion, Model, Object, Preset, Shape};
use ondine::{Scene, World};

/// A block of water thrown down at a free object at the origin, without gravity, in space or in the plane.
fn thrown_at(object: Object, dimension: u32, aside: f32) -> Scene {
    let spacing = if dimension == 2 { 0.025 } else { 0.05 };
    let mut water = liquid("water", Preset::Water, spacing);
    let mut fill = block([0.4, 0.4, 0.4], [aside, 0.6, 0.0]);
    fill.velocity = [0.0, -3.0, 0.0];
    water.fill = vec![fill];
    weightless_with(dimension, water, object)
}

fn weightless_with(dimension: u32, water: ondine::scene::Liquid, object: Object) -> Scene {
    Scene { object: vec![object], ..weightless(dimension, water) }
}

/// Momentum of everything, what is still deferred included [kg·m/s].
fn momentum(world: &World) -> [f64; 3] {
    let ledger = world.ledger();
    [0, 1, 2].map(|c| {
        let liquids: f64 = ledger.systems.iter().map(|s| s.momentum[c]).sum();
        liquids + ledger.objects.iter().map(|o| o.momentum[c] + o.deferred[c]).sum::<f64>()
    })
}

/// Angular momentum of everything about the origin [kg·m²/s].
fn angular_momentum(world: &World) -> [f64; 3] {
    let ledger = world.ledger();
    [0, 1, 2].map(|c| {
        let liquids: f64 = ledger.systems.iter().map(|s| s.angular_momentum[c]).sum();
        liquids + ledger.objects.iter().map(|o| o.angular_momentum[c]).sum::<f64>()
    })
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|c| a[c] - b[c])
}

fn shapes() -> [Shape; 3] {
    [
        Shape::Sphere { radius: 0.2 },
        Shape::Box { size: [0.4, 0.2, 0.3] },
        Shape::Model { of: Model::Rabbit, height: 0.5 },
    ]
}

/// Slippery, rough, bouncing and sticky objects, light and heavy.
fn manners(shape: &Shape) -> Vec<Object> {
    let plain = || free("thing", shape.clone(), [0.0; 3]);
    let sticky = Adhesion { pull: 100.0, range: None };
    vec![
        Object { density: 1000.0, ..plain() },
        Object { density: 100.0, friction: 0.6, ..plain() },
        Object { density: 5000.0, friction: 0.2, restitution: 0.7, ..plain() },
        Object { density: 500.0, friction: 1.0, adhesion: [("water".into(), sticky)].into(), ..plain() },
    ]
}

/// Momentum of liquid and object together, with what is deferred, stays to round-off in every frame; the object takes a share
/// that shows that something happened.
#[test]
fn momentum_is_kept_to_round_off() {
    let mut worst = 0f64;
    for (n, shape) in shapes().iter().enumerate() {
        for (m, object) in manners(shape).into_iter().enumerate() {
            // Each manner with each shape, in the plane or in space in turn.
            let dimension = if (n + m) % 2 == 0 { 3 } else { 2 };
            let mut world = world(&thrown_at(object, dimension, 0.07));
            let before = momentum(&world);
            for _ in 0..12 {
                advance(&mut world, 1);
                let drift = length(minus(momentum(&world), before)) / length(before);
                worst = worst.max(drift);
                assert!(drift < 1e-5, "{shape:?}, manner {m}, {dimension}D: {drift:e} at {} s", world.time());
                assert_eq!(measure(&world, 0).leaks, 0, "{shape:?}, manner {m}");
            }
            let thing = body(&world, "thing");
            assert!(
                thing.momentum[1] < 0.02 * before[1],
                "{shape:?}, manner {m}: struck, {:?}",
                thing.momentum
            );
            assert!(
                length(thing.deferred) < 0.1 * length(before),
                "{shape:?}, manner {m}: deferred {:?}",
                thing.deferred
            );
        }
    }
    println!("momentum drifts by {worst:e} of itself at most");
}

/// A ball struck centrally goes straight on, be it smooth or rough. Struck beside its centre a rough one is made to turn,
/// and a smooth one is not: every push goes through its centre.
#[test]
fn a_push_through_the_centre_gives_no_spin() {
    for dimension in [2, 3] {
        let thrown = |friction: f32, aside: f32| {
            let ball = Object { friction, ..free("thing", Shape::Sphere { radius: 0.2 }, [0.0; 3]) };
            body(&after(&thrown_at(ball, dimension, aside), 12), "thing")
        };
        // Speed of its surface over its own.
        let turns = |friction: f32, aside: f32| {
            let thing = thrown(friction, aside);
            0.2 * length(thing.spin) / length(thing.velocity)
        };
        // A splash is never quite even: a little to both sides, it must be on the average.
        let central = [0.0, 1.0].map(|friction| {
            let spins = [-0.004, -0.002, 0.0, 0.002, 0.004].map(|aside| {
                let thing = thrown(friction, aside);
                [0, 1, 2].map(|c| 0.2 * thing.spin[c] / length(thing.velocity))
            });
            length([0, 1, 2].map(|c| spins.iter().map(|spin| spin[c]).sum::<f64>() / 5.0))
        });
        let [smooth, rough] = [0.0, 1.0].map(|friction| turns(friction, 0.15));
        println!("{dimension}D: turning {central:?} central, beside it {smooth} smooth, {rough} rough");
        assert!(central.iter().all(|&turn| turn < 0.04), "{dimension}D: central {central:?}");
        assert!(smooth < 0.04 && rough > 3.0 * smooth, "{dimension}D: smooth {smooth}, rough {rough}");
    }
}

/// Angular momentum is kept as far as the scheme goes, O(dt).
#[test]
fn angular_momentum_is_kept_to_first_order() {
    for dimension in [2, 3] {
        for shape in shapes() {
            let object = Object { friction: 0.3, ..free("thing", shape.clone(), [0.0; 3]) };
            let mut world = world(&thrown_at(object, dimension, 0.25));
            let before = angular_momentum(&world);
            let mut worst = 0f64;
            for _ in 0..12 {
                advance(&mut world, 1);
                worst = worst.max(length(minus(angular_momentum(&world), before)) / length(before));
            }
            println!("{dimension}D {shape:?}: angular momentum drifts by {worst}");
            assert!(length(body(&world, "thing").spin) > 0.1, "{dimension}D {shape:?}: it turns");
            assert!(worst < 0.03, "{dimension}D {shape:?}: {worst}");
        }
    }
}
