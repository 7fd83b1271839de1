//! The same scene gives the same bits: for any number of threads, from the start or from a checkpoint.

mod scenes;

use ondine::scene::{Emitter, EmitterShape, Event, Liquid, Preset, Shape, Value};
use ondine::{Scene, World};
use scenes::*;

/// Two liquids, one with springs, an emitter, objects, a drain and an event: over 3000 particles, below which passes do not
/// share their work.
fn busy(dimension: u32) -> Scene {
    let spacing = if dimension == 2 { 0.0085 } else { 0.032 };
    let mut water = liquid("water", Preset::Water, spacing);
    water.fill = vec![relaxed_block([0.5, 0.5, 0.4], [0.27, 0.27, 0.0])];
    water.emitter = vec![Emitter {
        shape: EmitterShape::Rectangle,
        size: [0.1, 0.1],
        at: [0.5, 0.8, 0.0],
        velocity: [0.5, -2.0, 0.0],
        ..Emitter::default()
    }];
    let mut mud = Liquid {
        fill: vec![block([0.35, 0.4, 0.4], [0.78, 0.22, 0.0])],
        ..liquid("mud", Preset::Mud, spacing)
    };
    mud.lifetime = Some(0.3);
    Scene {
        dimension,
        liquid: vec![water, mud],
        object: vec![
            tank([1.0, 1.0, 0.41]),
            ondine::scene::Object::new("ball", Shape::Sphere { radius: 0.1 }, [0.55, 0.15, 0.0]),
        ],
        event: vec![Event {
            at: 0.1,
            set: [("liquid.water.springs.stiffness".to_string(), Value::Number(500.0))].into(),
        }],
        // Stiffness is not the matter here, and tests wait for it.
        max_substeps: 4,
        ..Scene::default()
    }
}

fn hashes(world: &mut World, frames: u32) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..frames {
        advance(world, 1);
        all.push(world.ledger().hash);
    }
    all
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for dimension in [2, 3] {
        let scene = busy(dimension);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| hashes(&mut world(&scene), 6))
        };
        let alone = on(1);
        assert!(world(&scene).frame().particles.iter().all(|p| p.position.len() >= 1000));
        assert!(world(&scene).frame().particles[0].position.len() >= 3000, "enough to share");
        assert!(alone.windows(2).all(|w| w[0] != w[1]), "something happens");
        assert_eq!(alone, on(2), "{dimension}D, 2 threads");
        assert_eq!(alone, on(8), "{dimension}D, 8 threads");
    }
}

/// Written out in mid-run and read again, between the event and the deaths of the mud, a world goes on as if nothing had
/// happened.
#[test]
fn a_world_written_and_read_goes_on_with_the_same_bits() {
    for dimension in [2, 3] {
        let mut world = after(&busy(dimension), 5);
        assert!(measure(&world, 0).springs > 0 && measure(&world, 1).springs > 0);
        let bytes = postcard::to_stdvec(&world).expect("writes");
        let mut again: World = postcard::from_bytes(&bytes).expect("reads");
        assert_eq!(world.ledger(), again.ledger());
        assert_eq!(hashes(&mut world, 7), hashes(&mut again, 7), "{dimension}D");
        assert_eq!(measure(&world, 1).particles, 0, "the mud has died meanwhile");
        assert_eq!(world.frame(), again.frame());
    }
}
