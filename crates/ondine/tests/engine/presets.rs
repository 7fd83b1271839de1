//! Every preset stands the source's long step.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::Preset;

/// Thesis 000 §3: one step of 1/30 s a frame. A shallow pool, as deep as such a step can hold, must come to rest.
#[test]
fn every_preset_is_stable_at_rest_with_one_step_a_frame() {
    for preset in Preset::ALL {
        for dimension in [2, 3] {
            let spacing = 0.05;
            let mut stuff = liquid("stuff", preset, spacing);
            stuff.fill = vec![block([0.5, 0.2, 0.5], [0.25, 0.1, 0.0])];
            let object = vec![tank([0.5, 1.0, 0.5])];
            let gravity = [0.0, -9.81, 0.0];
            let scene = Scene { gravity, object, max_substeps: 1, ..weightless(dimension, stuff) };
            let mut world = world(&scene);
            let count = measure(&world, 0).particles;
            advance(&mut world, 150);
            let now = measure(&world, 0);
            let speed = (2.0 * now.kinetic_energy / now.mass).sqrt();
            println!("{preset:?} in {dimension}D: {speed:.3} m/s, centre {:.3} m", now.center[1]);
            assert_eq!((now.particles, now.leaks), (count, 0), "{preset:?}");
            assert!(speed < 0.5, "{preset:?} in {dimension}D simmers at {speed} m/s");
            assert!(
                now.center[1] > 0.02 && now.center[1] < 0.15,
                "{preset:?}: centre at {} m",
                now.center[1]
            );
        }
    }
}

/// Every preset with as many steps as it asks for: at rest it keeps its volume.
#[test]
fn every_preset_keeps_its_volume_at_rest() {
    for preset in Preset::ALL {
        let mut stuff = liquid("stuff", preset, 0.04);
        stuff.fill = vec![block([0.4, 0.2, 0.4], [0.2, 0.1, 0.0])];
        let scene =
            Scene { gravity: [0.0, -9.81, 0.0], object: vec![tank([0.4, 1.0, 0.4])], ..weightless(3, stuff) };
        let mut world = world(&scene);
        advance(&mut world, 30);
        let height = 2.0 * measure(&world, 0).center[1];
        println!("{preset:?}: {height:.4} m");
        assert!((height / 0.2 - 1.0).abs() < 0.05, "{preset:?} stands {height} m high, not 0.2 m");
    }
}
