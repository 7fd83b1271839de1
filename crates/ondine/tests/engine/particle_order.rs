//! The order of particles is nobody's business: what they do to an object does not depend on it (thesis 000 §6.2).

use crate::scenes::*;
use ondine::scene::{Fill, Preset, Shape};
use ondine::{ObjectLedger, Scene};

const SPACING: f32 = 0.04;

/// A pool filled in columns, given in some order, and a ball that falls into it: the ball after 0.1 s.
fn ball_after(order: impl Fn(&mut Vec<Fill>)) -> Vec<ObjectLedger> {
    let column = |n: usize| block([SPACING, 0.4, 0.6], [SPACING * (n as f32 + 0.5), 0.2, 0.0]);
    let mut water = liquid("water", Preset::Water, SPACING);
    water.fill = (0..20).map(column).collect();
    order(&mut water.fill);
    let mut ball = free("ball", Shape::Sphere { radius: 0.15 }, [0.42, 0.58, 0.03]);
    ball.velocity = [0.5, -2.0, 0.0];
    ball.friction = 0.3;
    let scene = Scene { liquid: vec![water], object: vec![tank([0.8, 2.0, 0.6]), ball], ..Scene::default() };
    let mut world = world(&scene);
    (0..3)
        .map(|_| {
            advance(&mut world, 1);
            assert_eq!(measure(&world, 0).particles, 20 * 10 * 15);
            body(&world, "ball")
        })
        .collect()
}

/// The path of the ball over 0.1 s stays within a hundredth of h: relaxation goes from particle to particle, and what
/// that leaves grows later, as in any splash.
#[test]
fn the_order_of_particles_does_not_move_objects() {
    let forth = ball_after(|_| ());
    let back = ball_after(|fills| fills.reverse());
    let shuffled = ball_after(|fills| fills.sort_by_key(|f| ((f.at[0] / SPACING) as u32 * 7) % 20));
    let h = 2.0 * SPACING as f64;
    for other in [back, shuffled] {
        for (a, b) in forth.iter().zip(&other) {
            let apart = (0..3).map(|c| (a.at[c] - b.at[c]).powi(2)).sum::<f64>().sqrt() / h;
            println!("{apart:e} h apart");
            assert!(apart < 0.01, "{apart} h apart");
        }
    }
    assert!(forth[2].velocity[1] > forth[0].velocity[1] + 0.2, "the water slows it: {:?}", forth[2].velocity);
}
