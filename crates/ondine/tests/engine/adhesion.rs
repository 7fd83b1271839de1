//! Liquids stick to objects (thesis 000 §6.3): they hang where the pull carries them and fall where it does not.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Adhesion, Blend, Fill, Object, Part, Preset, Shape};

const SPACING: f32 = 0.04;

fn sticky(object: Object, pull: f32) -> Object {
    let adhesion = Adhesion { pull, range: Some(SPACING) };
    Object { adhesion: [("water".into(), adhesion)].into(), ..object }
}

/// Share of the particles that are within a spacing of touching an object after a second.
fn kept(dimension: u32, object: Object, fill: Fill) -> f64 {
    let mut water = liquid("water", Preset::Water, SPACING);
    water.fill = vec![fill];
    let scene = Scene { dimension, liquid: vec![water], object: vec![object], ..Scene::default() };
    let collider = ondine::objects::Collider::of(&scene.object[0].shape, scene.object[0].placement(), &scene);
    let world = after(&scene, 30);
    assert_eq!(measure(&world, 0).leaks, 0);
    let all = positions(&world);
    let near = all.iter().filter(|p| collider.distance((**p).into()) < 1.5 * SPACING).count();
    near as f64 / all.len() as f64
}

/// A drop one layer thick under a ceiling.
#[test]
fn a_drop_hangs_where_the_pull_carries_it() {
    for dimension in [2, 3] {
        let hangs = |pull: f32| {
            let ceiling = Object::new("ceiling", Shape::HalfSpace { normal: [0.0, -1.0, 0.0] }, [0.0; 3]);
            let drop = block([5.0 * SPACING, SPACING, 5.0 * SPACING], [0.0, -0.6 * SPACING, 0.0]);
            kept(dimension, sticky(ceiling, pull), drop)
        };
        let [strong, weak, none] = [hangs(40.0), hangs(5.0), hangs(0.0)];
        println!("{dimension}D: {strong} hang at 40 m/s², {weak} at 5 m/s², {none} at 0");
        assert_eq!((strong, weak, none), (1.0, 0.0, 0.0), "{dimension}D");
    }
}

/// A film around a rough ball: it stays where the pull is some times gravity, also underneath. (Around a smooth one it
/// would slide down all the same, gather below and drip.)
#[test]
fn a_film_stays_on_a_ball() {
    let stays = |pull: f32| {
        let ball = |radius: f32| Part::new(Shape::Sphere { radius }, [0.0; 3]);
        let shell = Shape::Difference(Blend { of: vec![ball(0.2 + SPACING), ball(0.2)], smooth: 0.0 });
        let fill = Fill { shape: shell, ..block([1.0; 3], [0.0; 3]) };
        let ball = Object::new("ball", Shape::Sphere { radius: 0.2 }, [0.0; 3]);
        kept(3, sticky(Object { friction: 1.0, ..ball }, pull), fill)
    };
    let (strong, none) = (stays(80.0), stays(0.0));
    println!("{strong} of a film stay with a pull, {none} without");
    assert!(strong > 0.9, "{strong}");
    assert!(none < 0.7, "{none}");
}
