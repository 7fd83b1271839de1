//! Casting: a mould is filled, the liquid sets, the mould is taken away.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Event, Fill, Model, Object, Preset, Shape, Value};

/// Mean distance by which particles have left the shape they were cast in, a second after the mould is gone, in
/// spacings.
fn deviation(shape: &Shape, at: [f32; 3], spacing: f32, stiffness: f32) -> f32 {
    let mut wax = liquid("wax", Preset::Paint, spacing);
    wax.fill = vec![Fill { shape: shape.clone(), ..block([1.0; 3], at) }];
    let mould = Object::new("mould", Shape::Mould { of: Box::new(shape.clone()) }, at);
    let event = |time: f32, path: &str, value| Event { at: time, set: [(path.to_string(), value)].into() };
    let scene = Scene {
        gravity: [0.0, -2.0, 0.0],
        liquid: vec![wax],
        object: vec![floor(), mould],
        event: vec![
            event(0.2, "liquid.wax.springs.stiffness", Value::Number(stiffness)),
            event(0.3, "object.mould.enabled", Value::Switch(false)),
        ],
        ..Scene::default()
    };
    let collider = ondine::objects::Collider::of(shape, scene.object[1].placement(), &scene);
    let mut world = world(&scene);
    let count = measure(&world, 0).particles;
    assert!(count > 200, "{count} particles");
    for _ in 0..9 {
        advance(&mut world, 1);
        assert_eq!((measure(&world, 0).leaks, measure(&world, 0).particles), (0, count));
    }
    assert!(positions(&world).iter().all(|p| collider.distance((*p).into()) < 0.0), "all in the mould");
    advance(&mut world, 30);
    let out: Vec<f32> =
        positions(&world).iter().map(|p| collider.distance((*p).into()).max(0.0) / spacing).collect();
    out.iter().sum::<f32>() / out.len() as f32
}

#[test]
fn a_cast_keeps_its_form_and_a_liquid_does_not() {
    let ball = (Shape::Sphere { radius: 0.2 }, [0.0, 0.201, 0.0], 0.04);
    let rabbit = (Shape::Model { of: Model::Rabbit, height: 0.6 }, [0.0, 0.301, 0.0], 0.03);
    for (shape, at, spacing) in [ball, rabbit] {
        let (set, liquid) = (deviation(&shape, at, spacing, 50_000.0), deviation(&shape, at, spacing, 0.0));
        println!("{shape:?}: {set:?} spacings set, {liquid:?} liquid");
        assert!(set < 0.5, "{shape:?}: {set:?}");
        assert!(liquid > 2.0, "{shape:?}: {liquid:?}");
    }
}
