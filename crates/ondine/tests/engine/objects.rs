//! Liquids meet objects (thesis 000 §6.2): nothing gets in, nothing sticks that should slide.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Object, Preset, Shape, Thesis};

/// A jet of 12 m/s on thin things, in few steps: nobody may be inside one, nor (for the plate) behind it.
#[test]
fn fast_jets_do_not_leak_into_thin_objects() {
    let shapes = [
        Shape::Box { size: [1.0, 0.01, 1.0] },
        Shape::Sphere { radius: 0.04 },
        Shape::Capsule { radius: 0.02, height: 0.2 },
        Shape::Cylinder { radius: 0.1, height: 0.015 },
    ];
    for shape in shapes {
        for (dimension, max_substeps) in [(2, 400), (3, 400), (3, 1)] {
            let mut water = liquid("water", Preset::Water, 0.03);
            water.emitter = vec![disc(0.06, [0.0, 0.5, 0.0], [0.0, -12.0, 0.0])];
            let scene = Scene {
                dimension,
                max_substeps,
                liquid: vec![water],
                object: vec![Object::new("thing", shape.clone(), [0.0; 3])],
                ..Scene::default()
            };
            let mut world = world(&scene);
            for _ in 0..8 {
                if world.advance().is_err() {
                    // One step a frame is not enough for physics, and said so; until then nothing leaked.
                    assert_eq!(max_substeps, 1);
                    break;
                }
                assert_eq!(measure(&world, 0).leaks, 0, "{shape:?} {dimension}D {max_substeps}");
            }
            assert!(world.frame_index() >= 1);
            if let Shape::Box { .. } = shape {
                let behind = |p: &[f32; 3]| p[1] < 0.0 && p[0].abs() < 0.3 && p[2].abs() < 0.3;
                assert!(!positions(&world).iter().any(behind), "{dimension}D {max_substeps}");
            }
        }
    }
}

/// One particle slides on a floor: each step of 1/30 s leaves it 1 − μ of its speed, and none across the floor.
#[test]
fn friction_takes_its_share_of_the_sliding_velocity_each_step() {
    for (mu, steps) in [(0.0f32, 4u32), (0.25, 4), (1.0, 1)] {
        let mut drop = raw_liquid(0.2, Thesis::default());
        drop.fill = particles(0.2, &[([0.0, 0.1, 0.0], [3.0, -2.0, 1.0])]);
        let mut ground = floor();
        ground.friction = mu;
        let scene = Scene { object: vec![ground], ..weightless(3, drop) };
        let v = velocities(&after(&scene, steps))[0];
        let kept = (1.0 - mu).powi(steps as i32);
        for (now, wanted) in v.into_iter().zip([3.0 * kept, 0.0, kept]) {
            assert!((now - wanted).abs() < 2e-5, "μ = {mu}: {v:?}");
        }
    }
}
