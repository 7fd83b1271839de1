//! Double density relaxation (thesis 000 chapter 4), seen from outside.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Relaxation, Thesis};

/// Two particles at 0 and 0.5, k = 8, k_near = 3, ρ0 = 0.2, dt = 0.1, one step of Algorithm 3. The first sees ρ = 0.25 and
/// moves both by 0.0029375; the second sees what the first did and moves both by 0.0026293. Were both to act on what they
/// saw at the start, the separation would be 0.51175.
#[test]
fn one_step_of_a_pair_is_algorithm_3_taken_in_sequence() {
    let thesis = Thesis { k: 8.0, k_near: 3.0, rho0: 0.2, ..Thesis::default() };
    let mut pair = raw_liquid(0.5, thesis);
    pair.fill = particles(0.5, &[([0.0; 3], [0.0; 3]), ([0.5, 0.0, 0.0], [0.0; 3])]);
    for dimension in [2, 3] {
        let world = after(&Scene { fps: 10.0, ..weightless(dimension, pair.clone()) }, 1);
        let x = positions(&world);
        assert!((x[0][0] as f64 - -0.005_566_826_744_286_137).abs() < 1e-8, "{x:?}");
        assert!((x[1][0] as f64 - 0.505_566_826_744_286_2).abs() < 6e-8, "{x:?}");
        assert_eq!((x[0][1], x[0][2], x[1][1], x[1][2]), (0.0, 0.0, 0.0, 0.0));
        // The frame's density is that of the sum ρ, for which ρ0 is the rest density: 1000 kg/m³ × 0.25/0.2.
        assert!((world.frame().particles[0].density[0] - 1250.0).abs() < 1e-3);
    }
}

/// All pairs of n particles at rest at equal distances: u² = (−k + √(k² + 4 k k_near ρ0/z)) / (2 k_near) with u = 1 − r/h
/// and z = n − 1 neighbours makes P (1−q) + P_near (1−q)² vanish.
fn rest_length(thesis: &Thesis, z: f64) -> f64 {
    let (k, near, rho0) = (thesis.k as f64, thesis.k_near as f64, thesis.rho0 as f64);
    let square = (-k + (k * k + 4.0 * k * near * rho0 / z).sqrt()) / (2.0 * near);
    thesis.h as f64 * (1.0 - square.sqrt())
}

/// Thesis 000 equations 4.2 to 4.6 at equilibrium: set A's triangle has sides 0.225403, its tetrahedron 0.319320.
#[test]
fn pairs_triangles_and_tetrahedra_come_to_rest_at_the_length_where_pressures_cancel() {
    let corners = [[0.0, 0.0, 0.0], [0.5, 0.05, 0.0], [0.2, 0.45, 0.0], [0.25, 0.2, 0.4]];
    let thesis = Thesis::default();
    assert!((rest_length(&thesis, 2.0) - 0.225_403).abs() < 1e-6);
    assert!((rest_length(&thesis, 3.0) - 0.319_320).abs() < 1e-6);
    for n in 2..=4 {
        let mut figure = raw_liquid(0.3, thesis);
        figure.fill = particles(0.3, &corners.map(|c| (c, [0.0; 3]))[..n]);
        let world = after(&weightless(3, figure), 900);
        let x = positions(&world);
        let wanted = rest_length(&thesis, (n - 1) as f64);
        for i in 0..n {
            for j in 0..i {
                let r = distance(&x[i], &x[j]) as f64;
                assert!((r - wanted).abs() < 2e-5, "{n} particles: {r} for {wanted}");
            }
        }
    }
}

/// 256 particles of set A with σ = 2, strewn at random over the plane and left alone for 900 steps.
fn gathered(relaxation: Relaxation) -> ondine::World {
    let mut blob = raw_liquid(0.45, Thesis { sigma: 2.0, ..Thesis::default() });
    blob.relaxation = relaxation;
    blob.fill = particles(0.45, &strewn(256, 9.0));
    after(&weightless(2, blob), 900)
}

/// Thesis 000 §4.3, Figures 4.6 and 4.9: density alone gathers particles in clusters, near density spaces them evenly.
/// A reference simulation: double, median 0.377 h and variation 0.08; single, median 0.09 h and variation 0.9.
#[test]
fn near_density_spaces_particles_evenly_and_density_alone_clusters_them() {
    let double = nearest(&positions(&gathered(Relaxation::Double)));
    let single = nearest(&positions(&gathered(Relaxation::Single)));
    assert_eq!((double.len(), single.len()), (256, 256));
    let closest = double.iter().fold(f32::INFINITY, |a, b| a.min(*b));
    println!("double: median {} cv {} min {closest}", median(&double), spread(&double).1);
    println!("single: median {} cv {}", median(&single), spread(&single).1);
    assert!((median(&double) - 0.377).abs() < 0.02, "median {}", median(&double));
    assert!(spread(&double).1 < 0.2 && closest > 0.2, "{:?}, closest {closest}", spread(&double));
    assert!(median(&single) < 0.12, "median {}", median(&single));
    assert!(spread(&single).1 > 0.5, "{:?}", spread(&single));
}

/// Thesis 000 §4.3: near repulsion spreads particles beyond what ρ0 asks for. Set A in the plane: 2.05 inside, for ρ0 = 3.
#[test]
fn the_bulk_rests_below_the_rest_density() {
    let frame = gathered(Relaxation::Double).frame();
    let blob = &frame.particles[0];
    let centre = [0, 1, 2].map(|c| blob.position.iter().map(|p| p[c]).sum::<f32>() / 256.0);
    let inside: Vec<f32> = (blob.position.iter().zip(&blob.density))
        .filter(|(p, _)| distance(p, &centre) < 1.5)
        .map(|(_, d)| d * 3.0 / 1000.0)
        .collect();
    println!("{} inside, mean density {}", inside.len(), spread(&inside).0);
    assert!(inside.len() > 30);
    assert!((spread(&inside).0 / 2.05 - 1.0).abs() < 0.08, "{:?}", spread(&inside));
}

/// Variation, over directions, of how far a body reaches.
fn roundness(points: &[[f32; 3]], directions: &[[f32; 3]]) -> f64 {
    let n = points.len() as f32;
    let centre: [f32; 3] = [0, 1, 2].map(|c| points.iter().map(|p| p[c]).sum::<f32>() / n);
    let reach = |d: &[f32; 3]| {
        let along = |p: &[f32; 3]| (0..3).map(|c| (p[c] - centre[c]) * d[c]).sum::<f32>();
        points.iter().map(along).fold(0.0, f32::max)
    };
    spread(&directions.iter().map(reach).collect::<Vec<_>>()).1
}

/// Thesis 000 §4.5: drops become spheres. The reach of a square varies by 0.098 over directions; that of a disc by nothing.
#[test]
fn a_square_becomes_a_disc() {
    let directions: Vec<[f32; 3]> = (0..64)
        .map(|i| (i as f32 / 64.0 * std::f32::consts::TAU).sin_cos())
        .map(|(s, c)| [c, s, 0.0])
        .collect();
    let mut square = raw_liquid(0.4, Thesis::default());
    square.fill = vec![block([4.8, 4.8, 1.0], [0.0; 3])];
    let mut world = world(&weightless(2, square));
    let before = roundness(&positions(&world), &directions);
    advance(&mut world, 600);
    let now = roundness(&positions(&world), &directions);
    println!("square {before} → {now}");
    assert!((before - 0.098).abs() < 0.01, "{before}");
    assert!(now < 0.05, "{before} → {now}");
}

/// The same in space, for a cube, whose reach varies by more than 0.1.
#[test]
fn a_cube_becomes_a_ball() {
    // Points of a spiral from pole to pole, evenly spread.
    let directions: Vec<[f32; 3]> = (0..200)
        .map(|i| {
            let z: f32 = 1.0 - (i as f32 + 0.5) / 100.0;
            let (s, c) = (i as f32 * 2.399_963).sin_cos();
            let r = (1.0 - z * z).sqrt();
            [r * c, r * s, z]
        })
        .collect();
    let mut cube = raw_liquid(0.45, Thesis::default());
    cube.fill = vec![block([3.6; 3], [0.0; 3])];
    let mut world = world(&weightless(3, cube));
    let before = roundness(&positions(&world), &directions);
    advance(&mut world, 300);
    let now = roundness(&positions(&world), &directions);
    println!("cube {before} → {now}");
    assert!(before > 0.1, "{before}");
    assert!(now < 0.05, "{before} → {now}");
}
