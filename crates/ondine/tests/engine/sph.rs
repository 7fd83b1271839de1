//! The model of text 002, by the numbers that its formulas give.

use crate::scenes::*;
use ondine::scene::{Edit, Liquid, LiquidModel, Object, Preset, Recorded, Shape, Sph, SphWalls};
use ondine::{Scene, World};

/// Water of the source's model, its numbers all given: h = 0.05 m, m = 0.5 kg, ρ0 = 1000 kg/m³.
fn printed(sph: Sph) -> Liquid {
    let given = Sph { h: Some(0.05), m: Some(0.5), rho0: Some(1000.0), ..sph };
    Liquid { model: LiquidModel::Sph, sph: given, ..liquid("water", Preset::Water, 0.02) }
}

/// Nothing that pushes and nothing that drags, but what is given.
const INERT: Sph = Sph {
    k: Some(1e-6),
    mu: Some(0.0),
    rho0: None,
    h: None,
    m: None,
    suction: true,
    walls: SphWalls::Mirrors,
    density_error: 0.001,
};

/// The world after one step of a millisecond from particles at exact places of the plane, with velocities.
fn stepped(water: Liquid, particles: &[([f32; 3], [f32; 3])]) -> World {
    let add = |&(at, velocity): &([f32; 3], [f32; 3])| Recorded {
        frame: 0,
        change: Edit::Points { system: "liquid.water".into(), at: vec![at], velocity },
    };
    let edit = particles.iter().map(add).collect();
    let mut world = world(&Scene { fps: 1000.0, max_substeps: 1, edit, ..weightless(2, water) });
    advance(&mut world, 1);
    assert_eq!((world.ledger().substeps, measure(&world, 0).particles), (1, particles.len() as u64));
    world
}

/// At rest on the x axis.
fn row(at: &[f32]) -> Vec<([f32; 3], [f32; 3])> {
    at.iter().map(|&x| ([x, 0.0, 0.0], [0.0; 3])).collect()
}

/// Densities in order of birth [kg/m³].
fn densities(world: &World) -> Vec<f32> {
    let particles = &world.frame().particles[0];
    let mut all: Vec<_> = particles.id.iter().zip(&particles.density).collect();
    all.sort_by_key(|(id, _)| **id);
    all.into_iter().map(|(_, d)| *d).collect()
}

fn assert_near(found: f32, wanted: f32, part: f32) {
    assert!((found / wanted - 1.0).abs() < part, "{found} for {wanted}");
}

/// SP-01.
#[test]
fn a_pair_has_its_density() {
    let world = stepped(printed(INERT), &row(&[0.0, 0.02]));
    densities(&world).iter().for_each(|&d| assert_near(d, 405.578_74, 1e-5));
    let alone = stepped(printed(INERT), &row(&[0.0]));
    assert_near(densities(&alone)[0], 254.6479, 1e-6);
}

/// SP-02: in the millisecond of the step, accelerations of −49691.0113 m/s² along r_ij and of −0.3715360725 m/s² against v_ij.
#[test]
fn a_pair_has_its_acceleration() {
    let pushed = stepped(printed(Sph { k: Some(1000.0), ..INERT }), &row(&[0.0, 0.02]));
    let v = velocities(&pushed);
    assert_near(v[1][0], -49.691_01, 1e-5);
    assert_near(v[0][0], 49.691_01, 1e-5);
    // Across, so that the distance stays.
    let slowed = stepped(
        printed(Sph { mu: Some(0.1), ..INERT }),
        &[([0.0; 3], [0.0; 3]), ([0.02, 0.0, 0.0], [0.0, 100.0, 0.0])],
    );
    let v = velocities(&slowed);
    assert_near(v[0][1], 100.0 * 0.371_536_07e-3, 1e-4);
    assert_near(100.0 - v[1][1], 100.0 * 0.371_536_07e-3, 2e-3);
}

/// SP-03.
#[test]
fn three_have_their_densities_and_no_momentum() {
    let world = stepped(printed(Sph { k: Some(1000.0), mu: Some(0.1), ..INERT }), &row(&[0.0, 0.02, 0.045]));
    for (found, wanted) in densities(&world).into_iter().zip([407.3254, 513.0083, 363.8241]) {
        assert_near(found, wanted, 1e-5);
    }
    let v = velocities(&world);
    assert!(v[0][0] > 10.0, "they move: {v:?}");
    assert!((v[0][0] + v[1][0] + v[2][0]).abs() < 1e-5 * v[0][0], "{v:?}");
}

/// SP-08: the normal velocity of a particle that meets a wall turns, by the share that the wall gives back, and nobody is outside. Whether
/// walls are mirrors or not: images of what has room around it do not pull.
#[test]
fn particles_bounce_off_the_walls_of_their_box() {
    for walls in [SphWalls::Bounce, SphWalls::Mirrors] {
        for restitution in [1.0, 0.5] {
            let mut water = liquid("water", Preset::Water, 0.02);
            (water.model, water.sph.walls) = (LiquidModel::Sph, walls);
            water.fill = particles(0.02, &[([0.5, 0.5, 0.0], [1.5, -2.0, 0.0])]);
            let mut walls = tank([1.0; 3]);
            walls.restitution = restitution;
            let scene = Scene { object: vec![walls], ..weightless(2, water) };
            let mut world = world(&scene);
            let mut turned = [0; 2];
            let mut before = velocities(&world)[0];
            for _ in 0..60 {
                advance(&mut world, 1);
                let (v, p) = (velocities(&world)[0], positions(&world)[0]);
                assert!(p.iter().take(2).all(|x| (0.0..=1.0).contains(x)), "{p:?}");
                for axis in 0..2 {
                    if v[axis] * before[axis] < 0.0 {
                        turned[axis] += 1;
                        assert_near(v[axis], -restitution * before[axis], 0.01);
                    } else {
                        assert_near(v[axis], before[axis], 1e-3);
                    }
                }
                before = v;
            }
            assert!(turned.iter().all(|n| *n > 0), "{turned:?} bounces");
            assert_eq!(measure(&world, 0).leaks, 0);
        }
    }
}

/// SP-09: no walls, no gravity: momentum stays at round-off, in the plane and in space, whatever is near what.
#[test]
fn momentum_is_kept() {
    for dimension in [2, 3] {
        let mut water = liquid("water", Preset::Water, 0.05);
        water.model = LiquidModel::Sph;
        water.fill = vec![relaxed_block([0.6, 0.5, 0.4], [0.0; 3]), block([0.2, 0.2, 0.2], [0.6, 0.1, 0.0])];
        water.fill[1].velocity = [-2.0, 0.5, 0.0];
        let mut world = world(&weightless(dimension, water));
        let start = measure(&world, 0);
        let most = start.mass * start.max_speed;
        advance(&mut world, 30);
        let now = measure(&world, 0);
        let lost: f64 = (0..3).map(|c| (now.momentum[c] - start.momentum[c]).abs()).sum();
        println!(
            "{dimension}D: {lost} of {most} kg m/s, energy {} of {}",
            now.kinetic_energy, start.kinetic_energy
        );
        assert!(lost < 1e-5 * most, "{dimension}D: {lost} of {most}");
    }
}

/// The models, and how fast a pool of depth D may still be after five seconds, as a root mean square over √(2gD), in the plane and in space. The
/// source's rings: nothing but viscosity takes its sound away.
const MODELS: [(LiquidModel, [f64; 2]); 2] =
    [(LiquidModel::Sph, [0.015, 0.015]), (LiquidModel::Dfsph, [0.003, 0.001])];

/// A metre of water in a narrow tank, after five seconds: calm, as deep as it was, and with no more energy than it had.
#[test]
fn a_deep_column_comes_to_rest() {
    for ((model, calm), dimension) in MODELS.iter().flat_map(|model| [(*model, 2), (*model, 3)]) {
        let mut water = liquid("water", Preset::Water, 0.05);
        water.model = model;
        water.fill = vec![block([0.5, 1.0, 0.5], [0.25, 0.5, 0.0])];
        let scene =
            Scene { dimension, liquid: vec![water], object: vec![tank([0.5, 1.5, 0.5])], ..Scene::default() };
        let mut world = world(&scene);
        let energy = |w: &World| measure(w, 0).kinetic_energy + measure(w, 0).potential_energy;
        let start = energy(&world);
        for _ in 0..150 {
            advance(&mut world, 1);
            // A square lattice of the source's model starts squeezed by 1.5 % (SP-04), and comes undone.
            assert!(energy(&world) < 1.03 * start, "{model:?} {dimension}D: {} of {start} J", energy(&world));
        }
        let now = measure(&world, 0);
        let rms = (2.0 * now.kinetic_energy / now.mass).sqrt() / (2.0 * 9.81f64).sqrt();
        println!("{model:?} {dimension}D: rms {rms}, centre {}, squeezed {}", now.center[1], now.compression);
        assert!(rms < calm[dimension as usize - 2], "{model:?} {dimension}D: {rms}");
        assert!(
            (now.center[1] / 0.5 - 1.0).abs() < 0.025,
            "{model:?} {dimension}D: centre {}",
            now.center[1]
        );
        assert_eq!(now.leaks, 0);
    }
}

/// A dam breaks among posts: energy only falls, and nothing leaks.
#[test]
fn dams_break_without_gaining_energy() {
    for ((model, _), dimension) in MODELS.iter().flat_map(|model| [(*model, 2), (*model, 3)]) {
        let mut water = liquid("water", Preset::Water, if dimension == 2 { 0.02 } else { 0.05 });
        water.model = model;
        water.fill = vec![block([0.5, 0.8, 0.5], [0.25, 0.4, 0.0])];
        let post = Object::new("post", Shape::Cylinder { radius: 0.08, height: 0.6 }, [1.0, 0.3, 0.0]);
        let scene = Scene {
            dimension,
            liquid: vec![water],
            object: vec![tank([1.5, 1.5, 0.5]), post],
            ..Scene::default()
        };
        let mut world = world(&scene);
        let energy = |w: &World| measure(w, 0).kinetic_energy + measure(w, 0).potential_energy;
        let start = energy(&world);
        let mut least = start;
        for _ in 0..45 {
            advance(&mut world, 1);
            // What is squeezed gives a little back.
            assert!(
                energy(&world) < least + 0.03 * start,
                "{model:?} {dimension}D: {} of {least} J",
                energy(&world)
            );
            least = least.min(energy(&world));
        }
        let now = measure(&world, 0);
        println!("{model:?} {dimension}D: {least} of {start} J, centre {:?}", now.center);
        assert!(now.center[0] > 0.35 && now.leaks == 0, "{model:?} {dimension}D: {now:?}");
    }
}

/// Oil of these models lies on water of the default one: unlike liquids push apart.
#[test]
fn models_meet() {
    for (model, _) in MODELS {
        let mut below = liquid("below", Preset::Water, 0.04);
        below.fill = vec![block([0.6, 0.24, 0.4], [0.3, 0.12, 0.0])];
        let mut above = liquid("above", Preset::Oil, 0.04);
        above.model = model;
        above.fill = vec![block([0.6, 0.12, 0.4], [0.3, 0.34, 0.0])];
        let scene =
            Scene { liquid: vec![below, above], object: vec![tank([0.6, 1.0, 0.4])], ..Scene::default() };
        let world = after(&scene, 60);
        let [below, above] = [measure(&world, 0), measure(&world, 1)];
        assert_eq!((below.leaks, above.leaks), (0, 0));
        let heights = [below.center[1], above.center[1]];
        assert!(heights[0] < 0.16 && heights[1] > 0.24, "{model:?}: {heights:?}");
    }
}

/// The same bits for any number of threads, and for a world that is written and read on the way.
#[test]
fn the_same_bits_on_threads_and_through_checkpoints() {
    for ((model, _), dimension) in MODELS.iter().flat_map(|model| [(*model, 2), (*model, 3)]) {
        let mut water = liquid("water", Preset::Water, if dimension == 2 { 0.009 } else { 0.03 });
        (water.model, water.lifetime) = (model, Some(2.0));
        water.fill = vec![relaxed_block([0.5, 0.6, 0.4], [0.27, 0.32, 0.0])];
        water.emitter = vec![disc(0.06, [0.7, 0.8, 0.0], [0.3, -1.5, 0.0])];
        let mut ball = free("ball", Shape::Sphere { radius: 0.1 }, [0.7, 0.3, 0.0]);
        ball.friction = 0.3;
        let object = vec![tank([1.0, 1.0, 0.41]), ball];
        let scene = Scene { dimension, liquid: vec![water], object, ..Scene::default() };
        let hashes = |world: &mut World, frames: u32| -> Vec<String> {
            let next = |_| {
                advance(world, 1);
                world.ledger().hash
            };
            (0..frames).map(next).collect()
        };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| hashes(&mut world(&scene), 4))
        };
        let alone = on(1);
        assert!(world(&scene).frame().particles[0].position.len() >= 3000, "enough to share");
        assert!(alone.windows(2).all(|w| w[0] != w[1]), "something happens");
        assert_eq!(alone, on(3), "{model:?} {dimension}D");
        let mut stored = after(&scene, 2);
        let bytes = postcard::to_stdvec(&stored).expect("writes");
        stored = postcard::from_bytes(&bytes).expect("reads");
        assert_eq!(alone[2..], hashes(&mut stored, 2), "{model:?} {dimension}D");
    }
}

/// One particle in the air, and two at one point of the plane, are no reason to divide by nothing.
#[test]
fn lone_particles_fall() {
    for (model, _) in MODELS {
        let mut water = liquid("water", Preset::Water, 0.05);
        water.model = model;
        water.fill = particles(0.05, &[([0.0, 1.0, 0.0], [0.0; 3]), ([1.0, 1.0, 0.0], [0.0; 3])]);
        water.fill.push(water.fill[1].clone());
        let scene = Scene { dimension: 2, liquid: vec![water], ..Scene::default() };
        let world = after(&scene, 15);
        let fallen = positions(&world).iter().map(|p| p[1]).collect::<Vec<f32>>();
        // Half a second: 1.23 m.
        assert!(fallen.iter().all(|y| (-0.4..0.1).contains(y)), "{model:?}: {fallen:?}");
    }
}

/// The mean excess of density of a dam that breaks stays below what is asked for.
#[test]
fn the_density_error_is_bounded() {
    for (error, dimension) in [(0.001, 2), (0.001, 3), (0.005, 3)] {
        let mut water = liquid("water", Preset::Water, if dimension == 2 { 0.02 } else { 0.05 });
        (water.model, water.sph.density_error) = (LiquidModel::Dfsph, error);
        water.fill = vec![block([0.5, 0.8, 0.5], [0.25, 0.4, 0.0])];
        let object = vec![tank([1.2, 1.5, 0.5])];
        let mut world = world(&Scene { dimension, liquid: vec![water], object, ..Scene::default() });
        let (mut worst, mut sum) = (0f64, 0.0);
        for _ in 0..40 {
            advance(&mut world, 1);
            let now = measure(&world, 0).compression;
            (worst, sum) = (worst.max(now), sum + now);
        }
        println!("{dimension}D, {error}: {} and at worst {worst}", sum / 40.0);
        // At the instant of an impact, what a step does not foresee.
        assert!(worst < 2.0 * error as f64 && sum / 40.0 < error as f64, "{dimension}D: {worst} for {error}");
    }
}
