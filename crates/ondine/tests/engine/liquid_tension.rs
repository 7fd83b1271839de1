//! Surface tension in SI units, and springs of what is emitted.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Emitter, Fill, Preset, Shape};

/// Rayleigh: a drop of radius R rings with ω² = 8γ/(ρR³). A long drop first becomes round after a quarter of the period.
#[test]
fn a_drop_rings_at_the_pitch_of_its_surface_tension() {
    let (radius, height) = (0.0052f64, 0.003f64);
    let volume = std::f64::consts::PI * radius * radius * (height + 4.0 / 3.0 * radius);
    let cube = volume * 0.75 / std::f64::consts::PI;
    for tension in [0.036f64, 0.14] {
        let mut water = liquid("water", Preset::Water, 0.0007);
        (water.support, water.surface_tension) = (Some(3.0), tension as f32);
        let shape = Shape::Capsule { radius: radius as f32, height: height as f32 };
        water.fill = vec![Fill { shape, ..relaxed_block([1.0; 3], [0.0; 3]) }];
        let quarter = 0.5 * std::f64::consts::PI / (8.0 * tension / (1000.0 * cube)).sqrt();
        // Twenty frames to the quarter.
        let fps = (20.0 / quarter) as f32;
        let mut world = world(&Scene { fps, ..weightless(3, water) });
        let mut frames = 0;
        while longer_than_wide(&world) && frames < 40 {
            advance(&mut world, 1);
            frames += 1;
        }
        println!("tension {tension}: round after {frames} of 20 frames");
        assert!((14..=28).contains(&frames), "{tension} N/m: round after {frames} of 20 frames");
    }
}

fn longer_than_wide(world: &ondine::World) -> bool {
    let sums =
        positions(world).iter().fold([0f64; 3], |s, p| std::array::from_fn(|c| s[c] + (p[c] as f64).powi(2)));
    sums[1] > 0.5 * (sums[0] + sums[2])
}

/// A stream of jelly sets as it comes out: every particle is bonded, though nothing flows (α = 0).
#[test]
fn emitted_jelly_sets() {
    let mut jelly = liquid("jelly", Preset::Jelly, 0.02);
    jelly.emitter = vec![Emitter { radius: 0.05, velocity: [0.0, -1.0, 0.0], ..Emitter::default() }];
    let mut world = world(&weightless(3, jelly));
    advance(&mut world, 10);
    let now = measure(&world, 0);
    assert!(now.particles > 200, "{} particles", now.particles);
    // A particle inside a lattice with h = 2 spacings has 26 neighbours, each spring counted once; at a surface fewer.
    assert!(now.springs as f64 > 6.0 * now.particles as f64, "{} springs for {}", now.springs, now.particles);
}
