//! Viscosity (thesis 000 §5.1), seen from outside.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::Thesis;

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
