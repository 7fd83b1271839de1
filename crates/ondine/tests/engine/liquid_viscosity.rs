//! Viscosity (thesis 000 §5.1), seen from outside.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Liquid, Object, Preset, Thesis};

/// Half the width, at a fixed time, of a column that falls over on a floor.
fn width(sigma: f32) -> f64 {
    let mut column = raw_liquid(0.4, Thesis { k: 30.0, k_near: 60.0, sigma, ..Thesis::default() });
    column.fill = vec![relaxed_block([2.4, 4.8, 1.0], [0.0, 2.4, 0.0])];
    let scene = Scene { gravity: [0.0, -9.81, 0.0], object: vec![floor()], ..weightless(2, column) };
    let x = positions(&after(&scene, 30));
    (x.iter().map(|p| (p[0] as f64).powi(2)).sum::<f64>() / x.len() as f64).sqrt()
}

/// The thicker, the less it has spread after a second.
#[test]
fn spreading_falls_with_viscosity() {
    let widths = [0.0, 1.0, 3.0, 10.0].map(width);
    println!("{widths:?}");
    assert!(widths.windows(2).all(|w| w[1] < w[0]), "{widths:?}");
    assert!(widths[3] < 0.95 * widths[0], "{widths:?}");
}

/// Viscosity over the given one of a film of honey on a gripping slope, by the speed of its surface, ρ g sinθ H²/2μ. A squashy film is
/// lower, and as heavy.
fn falling_film(compression: f32) -> f64 {
    const DEPTH: f32 = 0.02;
    const SPACING: f32 = 0.002;
    const SLOPE: f32 = 0.2;
    let fill = vec![block([12.0 * DEPTH, DEPTH, 1.0], [0.0, 0.5 * DEPTH, 0.0])];
    let honey = Liquid { fill, compression, ..liquid("honey", Preset::Honey, SPACING) };
    let per_mu = (honey.density / honey.viscosity.linear) as f64;
    let floor = Object { friction: 1.0, ..floor() };
    let gravity = [9.81 * SLOPE, -9.81, 0.0];
    let scene = Scene {
        dimension: 2,
        gravity,
        fps: 300.0,
        liquid: vec![honey],
        object: vec![floor],
        ..Scene::default()
    };
    // 2H²/ν, when 99 % of the speed is there.
    let world = after(&scene, 34);
    let middle = measure(&world, 0).center[0];
    let (x, v) = (positions(&world), velocities(&world));
    let is_inside = |x: &[f32; 3]| (x[0] as f64 - middle).abs() < 0.8 * DEPTH as f64;
    let top = x.iter().filter(|x| is_inside(x)).fold(0.0, |top: f32, x| top.max(x[1])) + 0.5 * SPACING;
    let (mut product, mut square) = (0.0, 0.0);
    for (x, v) in x.iter().zip(&v).filter(|(x, _)| is_inside(x)) {
        let y = (x[1] / top) as f64;
        let shape = 2.0 * y - y * y;
        (product, square) = (product + shape * v[0] as f64, square + shape * shape);
    }
    0.99 * 9.81 * (SLOPE * DEPTH * top) as f64 / 2.0 * per_mu * square / product
}

/// What is squeezed has more pairs to carry momentum, and is no thicker for it.
#[test]
fn viscosity_does_not_know_how_squashy_a_liquid_is() {
    for compression in [0.01, 0.02, 0.08] {
        let ratio = falling_film(compression);
        println!("compression {compression}: {ratio} times the given viscosity");
        assert!((ratio - 1.0).abs() < 0.08, "compression {compression}: {ratio}");
    }
}
