//! The step of one liquid: the prediction–relaxation scheme (thesis 000 chapter 3) and elastic bodies (chapter 5).
//! A spring between two particles moves each by dt² k (L−r)(1−L/h), so that x = r − L obeys the scheme's equations for a
//! force −Kx on a unit mass with K = 2 k (1−L/h).

use super::coefficients::Coefficients;
use super::*;
use crate::particles::strewn;

/// One step of 1/30 s, weightless.
fn step(liquid: &mut Liquid, c: &Coefficients, dt: f32, planar: bool) {
    liquid.predict(c, &Step::alone(dt, planar));
    liquid.finish(dt);
}

fn steps(liquid: &mut Liquid, c: &Coefficients, count: u32) {
    (0..count).for_each(|_| step(liquid, c, DT, true));
}

const DT: f32 = 1.0 / 30.0;

/// A liquid of particles at rest.
fn body(points: &[Vec3]) -> Liquid {
    let mut liquid = Liquid::new(&scene::Liquid::default(), &Scene::default(), &[]);
    points.iter().for_each(|&p| liquid.add(p, Vec3::ZERO, 0.0));
    liquid
}

/// Puts the particles, named in order, elsewhere, at rest.
fn place(liquid: &mut Liquid, points: &[Vec3]) {
    let ParticleArrays { position, velocity, id, .. } = &mut liquid.particles;
    for (i, &id) in id.iter().enumerate() {
        position.set(i, points[id as usize]);
        velocity.set(i, Vec3::ZERO);
    }
}

fn points(liquid: &Liquid) -> Vec<Vec3> {
    liquid.particles.by_name(&liquid.particles.position)
}

/// Half the interaction radius: where the factor 1 − L/h of a spring is one half, and K = k.
const REST: f32 = 20.0;

/// The oscillator x = r − L from x = 5 at rest: x and its velocity after each of some steps.
fn oscillator(stiffness: f32, dt: f32, count: usize) -> Vec<[f32; 2]> {
    let mut pair = body(&[Vec3::ZERO, REST * Vec3::X]);
    let c = Coefficients { k_spring: stiffness, ..Coefficients::inert(2.0 * REST) };
    // The first step bonds the pair at its present length.
    step(&mut pair, &c, dt, false);
    assert_eq!(pair.springs.rest_lengths(), [REST]);
    place(&mut pair, &[Vec3::ZERO, (REST + 5.0) * Vec3::X]);
    (0..count)
        .map(|_| {
            step(&mut pair, &c, dt, false);
            let (x, v) = (points(&pair), pair.particles.by_name(&pair.particles.velocity));
            [x[1].x - x[0].x - REST, v[1].x - v[0].x]
        })
        .collect()
}

/// Thesis 000 §3.2, Figure 3.3: the constraint x = 0 from x = 5 is met in one step and holds from the second on.
#[test]
fn a_constraint_as_stiff_as_the_step_is_met_at_once_and_then_holds() {
    assert_eq!(oscillator(1.0, 1.0, 3), [[0.0, -5.0], [0.0, 0.0], [0.0, 0.0]]);
}

/// Thesis 000 equations 3.3 to 3.6 with k = 300, dt = 1/30.
#[test]
fn a_spring_oscillates_as_prediction_and_relaxation_say() {
    let wanted =
        [3.333_333_333, 1.111_111_111, -0.740_740_741, -1.728_395_062, -1.810_699_588, -1.262_002_743];
    for (now, wanted) in oscillator(300.0, DT, 6).iter().zip(wanted) {
        assert!((now[0] as f64 - wanted).abs() < 2e-5, "{} for {wanted}", now[0]);
    }
}

/// Equation 3.6: with a = k dt²/m a step multiplies (x, v) by a matrix of determinant 1 − a, so that amplitudes shrink by
/// √(1−a) a step, and the area between two successive states by 1 − a.
#[test]
fn each_step_damps_a_spring_by_its_stiffness() {
    for a in [0.01f32, 0.1, 0.3, 0.7, 0.95] {
        let states = oscillator(a / (DT * DT), DT, 5);
        let area = |n: usize| states[n][0] * states[n + 1][1] - states[n][1] * states[n + 1][0];
        for n in 0..3 {
            let ratio = area(n + 1) / area(n);
            assert!((ratio - (1.0 - a)).abs() < 0.01, "a = {a}: {ratio}");
        }
    }
}

/// The scheme itself is stable up to a = 4/3 only. Springs stop short of that: one displacement takes back a stretch at most
/// (`MOST_OF_ONE`), so that any stiffer spring is as if a were 1.
#[test]
fn no_stiffness_makes_a_spring_explode() {
    for a in [1.1, 1.4, 10.0, 1e6] {
        let states = oscillator(a / (DT * DT), DT, 100);
        assert!(states.iter().all(|[x, _]| x.abs() < 1e-4), "a = {a}");
    }
}

/// A square lattice of a body, some of it shaken so that nothing is special about it.
fn lattice() -> Vec<Vec3> {
    let shaken = strewn(100, true, 11);
    (0..100).map(|i| 0.45 * Vec3::new((i % 10) as f32, (i / 10) as f32, 0.0) + 0.03 * shaken[i]).collect()
}

/// Root mean square distance of two shapes of a planar body, put over each other as well as a move and a turn can.
fn shape_error(a: &[Vec3], b: &[Vec3]) -> f64 {
    let n = a.len() as f64;
    let centre = |p: &[Vec3]| p.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / n;
    let (ca, cb) = (centre(a), centre(b));
    let pairs = || a.iter().zip(b).map(|(a, b)| (a.as_dvec3() - ca, b.as_dvec3() - cb));
    let (sine, cosine) = pairs().fold((0.0, 0.0), |(s, c), (a, b)| (s + a.cross(b).z, c + a.dot(b)));
    let turn = glam::DQuat::from_rotation_z(sine.atan2(cosine));
    (pairs().map(|(a, b)| (turn * a - b).length_squared()).sum::<f64>() / n).sqrt()
}

fn strained(points: &[Vec3], x: f32, y: f32) -> Vec<Vec3> {
    points.iter().map(|p| Vec3::new(x * p.x, y * p.y, 0.0)).collect()
}

/// Thesis 000 §5.2, Figure 5.3: without plasticity a body squashed by 30 % comes back to its shape, density relaxation and
/// all, and its springs have forgotten nothing.
#[test]
fn an_elastic_body_comes_back_from_a_squash() {
    let c = Coefficients { k: 4.0, k_near: 10.0, rho0: 3.0, k_spring: 100.0, ..Coefficients::inert(1.0) };
    let mut body = body(&lattice());
    steps(&mut body, &c, 1500);
    let (rest, lengths) = (points(&body), sorted_bits(&body));
    place(&mut body, &strained(&rest, 1.0, 0.7));
    steps(&mut body, &c, 1500);
    let error = shape_error(&rest, &points(&body));
    println!("shape error {error}, {} springs", lengths.len());
    assert!(lengths.len() > 500);
    assert!(error < 0.01, "{error}");
    assert_eq!(sorted_bits(&body), lengths);
}

/// Bits of the rest lengths, whatever the order of the springs.
fn sorted_bits(body: &Liquid) -> Vec<u32> {
    let mut bits: Vec<u32> = body.springs.rest_lengths().iter().map(|l| l.to_bits()).collect();
    bits.sort_unstable();
    bits
}

/// A bonded body held at a strain for a second, then let go: what is left of the strain.
fn left_of(strain: f32) -> (f64, bool) {
    let c = Coefficients { k_spring: 100.0, alpha: 3.0, gamma: 0.1, ..Coefficients::inert(1.0) };
    let rest = lattice();
    let mut body = body(&rest);
    steps(&mut body, &c, 1);
    let bonds = sorted_bits(&body);
    let held = strained(&rest, 1.0 + strain, 1.0 - strain);
    for _ in 0..30 {
        place(&mut body, &held);
        steps(&mut body, &c, 1);
    }
    place(&mut body, &held);
    steps(&mut body, &c, 1500);
    // Pairs that come nearer than h meanwhile get springs of length h, which do nothing.
    let lengths: Vec<u32> = sorted_bits(&body).into_iter().filter(|&l| f32::from_bits(l) < c.h).collect();
    (shape_error(&rest, &points(&body)) / shape_error(&rest, &held), lengths == bonds)
}

/// Thesis 000 §5.3, equation 5.2 with γ = 0.1: a body forgets a strain of 5 %, and keeps much of one of 25 %.
#[test]
fn small_strains_leave_nothing_and_large_ones_stay() {
    let (small, same) = left_of(0.05);
    assert!(small < 0.01, "{small} of the strain is left");
    assert!(same, "rest lengths are bit-identical");
    let (large, same) = left_of(0.25);
    println!("left of 5 %: {small}, of 25 %: {large}");
    assert!(large > 0.3, "{large} of the strain is left");
    assert!(!same);
}
