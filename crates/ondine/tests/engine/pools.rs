//! Liquids in containers: they settle, keep their volume at any fineness, and lie over each other by weight.

use crate::scenes::*;
use ondine::Scene;
use ondine::scene::{Blend, Object, Part, Preset, Shape, Thesis};

/// Thesis 000 §5.1, "a ball of inviscid liquid falls in a pool", at the source's own 30 steps a second for 5000 steps.
#[test]
fn a_drop_falls_in_a_pool_and_all_comes_to_rest() {
    let thesis = Thesis { k: 10.0, k_near: 20.0, beta: 0.3, ..Thesis::default() };
    let mut water = raw_liquid(0.4, thesis);
    water.fill = vec![block([8.0, 2.0, 1.0], [4.0, 1.2, 0.0]), block([1.0, 1.0, 1.0], [4.0, 4.5, 0.0])];
    water.fill[1].shape = Shape::Sphere { radius: 0.8 };
    let gravity = [0.0, -9.81, 0.0];
    let scene = Scene { gravity, object: vec![tank([8.0, 40.0, 1.0])], ..weightless(2, water) };
    let mut world = world(&scene);
    let count = measure(&world, 0).particles;
    let limit = 2.0 * (2.0 * 9.81 * 5.3f64).sqrt();
    let mut fastest = 0f64;
    for _ in 0..5000 {
        advance(&mut world, 1);
        let now = measure(&world, 0);
        fastest = fastest.max(now.max_speed);
        assert!(now.max_speed <= limit, "{} m/s in frame {}", now.max_speed, world.frame_index());
        assert_eq!((now.particles, now.leaks), (count, 0));
    }
    let now = measure(&world, 0);
    assert!(positions(&world).iter().flatten().all(|x| x.is_finite()));
    let per_particle = (2.0 * now.kinetic_energy / now.mass).sqrt();
    println!("{count} particles, fastest {fastest} of {limit} m/s, at the end {per_particle}");
    assert!(per_particle < 0.05, "{per_particle} m/s at the end");
}

/// Depth, from its centre, of the pool that a column of very thick water makes when it has fallen over: 0.2 m.
fn height(dimension: u32, spacing: f32) -> f64 {
    let mut water = liquid("water", Preset::Water, spacing);
    let (tank_size, column) = match dimension {
        2 => ([0.8, 1.0, 0.2], [0.4, 0.4, 0.2]),
        _ => ([0.4, 1.0, 0.2], [0.2, 0.4, 0.2]),
    };
    // Thick enough not to slosh for long.
    water.viscosity.linear = 50.0;
    water.fill = vec![block(column, [0.5 * column[0], 0.5 * column[1], 0.0])];
    let scene = Scene { dimension, liquid: vec![water], object: vec![tank(tank_size)], ..Scene::default() };
    let world = after(&scene, 150);
    let now = measure(&world, 0);
    println!(
        "{dimension}D at {spacing}: height {}, {} steps a frame, speed {}",
        2.0 * now.center[1],
        world.ledger().substeps,
        now.max_speed
    );
    assert_eq!(now.leaks, 0);
    2.0 * now.center[1]
}

/// A dam break in the plane settles to the same depth, 0.2 m, at a spacing and at half of it.
#[test]
fn a_dam_break_settles_to_its_volume_at_any_fineness() {
    let (coarse, fine) = (height(2, 0.04), height(2, 0.02));
    assert!((coarse / fine - 1.0).abs() < 0.03, "{coarse} and {fine}");
    assert!(
        (fine / 0.2 - 1.0).abs() < 0.03 && (coarse / 0.2 - 1.0).abs() < 0.03,
        "{coarse} and {fine} for 0.2"
    );
}

/// The same in space.
#[test]
fn a_dam_break_in_space_settles_to_its_volume_at_any_fineness() {
    let (coarse, fine) = (height(3, 0.04), height(3, 0.02));
    assert!((coarse / fine - 1.0).abs() < 0.04, "{coarse} and {fine}");
    assert!(
        (fine / 0.2 - 1.0).abs() < 0.03 && (coarse / 0.2 - 1.0).abs() < 0.03,
        "{coarse} and {fine} for 0.2"
    );
}

/// Half the width of a heap of honey that spreads on a floor, √3 times its root mean square, at two times.
fn honey_width(spacing: f32, friction: f32) -> [f64; 2] {
    let mut honey = liquid("honey", Preset::Honey, spacing);
    honey.fill = vec![block([0.2, 0.2, 1.0], [0.0, 0.1, 0.0])];
    let mut ground = floor();
    ground.friction = friction;
    let scene = Scene { dimension: 2, liquid: vec![honey], object: vec![ground], ..Scene::default() };
    let mut world = world(&scene);
    [6, 6].map(|frames| {
        advance(&mut world, frames);
        let x = positions(&world);
        (3.0 * x.iter().map(|p| (p[0] as f64).powi(2)).sum::<f64>() / x.len() as f64).sqrt()
    })
}

/// Viscosity is in Pa·s: a heap of honey spreads alike at a spacing and at half of it, on a floor that slips and, the
/// layer that sticks being one particle thick, somewhat less so on one that holds.
#[test]
fn honey_spreads_alike_at_any_fineness() {
    for (friction, spacing) in [(0.0, 0.02), (1.0, 0.01)] {
        let (coarse, fine) = (honey_width(spacing, friction), honey_width(0.5 * spacing, friction));
        println!("honey, friction {friction}: {coarse:?} and {fine:?}");
        for (a, b) in coarse.iter().zip(fine) {
            assert!((a / b - 1.0).abs() < 0.1, "friction {friction}: {coarse:?} and {fine:?}");
        }
        assert!(fine[1] > 1.4 * fine[0], "it spreads: {fine:?}");
    }
}

/// Heights of the centres of oil and water after three seconds, 0.2 m of each in a glass, the oil from `bottom` on.
fn oil_and_water(bottom: f32, density: f32, support: f32) -> [f64; 2] {
    let mut liquids =
        [("oil", Preset::Oil, bottom), ("water", Preset::Water, 0.2 - bottom)].map(|(name, material, y)| {
            let mut liquid = liquid(name, material, 0.02);
            liquid.support = Some(support);
            liquid.fill = vec![block([0.3, 0.2, 1.0], [0.15, y + 0.1, 0.0])];
            liquid
        });
    liquids[0].density = density;
    let scene = Scene {
        dimension: 2,
        liquid: liquids.to_vec(),
        object: vec![tank([0.3, 0.6, 1.0])],
        ..Scene::default()
    };
    let world = after(&scene, 90);
    [0, 1].map(|n| {
        let now = measure(&world, n);
        assert_eq!((now.particles, now.leaks), (150, 0));
        println!("{} at {}", now.name, now.center[1]);
        now.center[1]
    })
}

/// Thesis 000 chapter 8: of two liquids the lighter stays above, and each keeps its room: 0.1 m and 0.3 m.
#[test]
fn oil_stays_on_water() {
    let [oil, water] = oil_and_water(0.2, 915.0, 2.0);
    assert!((water - 0.1).abs() < 0.01 && (oil - 0.3).abs() < 0.03, "oil {oil}, water {water}");
}

/// Under it, the lighter rises and the heavier sinks: here half as heavy, so that it takes seconds and not minutes.
#[test]
fn oil_rises_through_water() {
    let [oil, water] = oil_and_water(0.0, 500.0, 3.0);
    assert!(oil > water + 0.08, "oil {oil}, water {water}");
}

/// Speeds of water around a box that stands in it, and in a fill from which a box is cut, after two seconds: fastest and mean.
fn still_around(cut: bool) -> [f64; 2] {
    let mut water = liquid("water", Preset::Water, 0.02);
    let (size, at) = ([0.4, 0.24, 0.2], [0.2, 0.12, 0.0]);
    let part = |shape, at| Part { shape, at, rotate: [0.0; 3], scale: 1.0 };
    let cube = Shape::Box { size: [0.1; 3] };
    let whole = vec![part(Shape::Box { size }, [0.0; 3]), part(cube.clone(), [0.0, -0.07, 0.0])];
    water.fill = vec![block(size, at)];
    if cut {
        water.fill[0].shape = Shape::Difference(Blend { of: whole, smooth: 0.0 });
    }
    let object = vec![tank([0.4, 0.5, 0.2]), Object::new("cube", cube, [0.2, 0.05, 0.0])];
    let scene = Scene { liquid: vec![water], object, ..Scene::default() };
    let now = measure(&after(&scene, 60), 0);
    [now.max_speed, (2.0 * now.kinetic_energy / now.mass).sqrt()]
}

/// Edges of walls end images without feeding the liquid, and a fill stands as far from walls whatever it is made of: √(2gD) is
/// 2.2 m/s here, and nothing moves at more than a few hundredths of it.
#[test]
fn water_around_a_box_is_still() {
    for cut in [false, true] {
        let [fastest, mean] = still_around(cut);
        println!("cut {cut}: fastest {fastest}, mean {mean} m/s");
        assert!(fastest < 0.1 && mean < 0.008, "cut {cut}: fastest {fastest}, mean {mean} m/s");
    }
}

/// Tanks whose sides and depth are no whole numbers of spacings, filled to their walls: as still and as deep as any.
#[test]
fn pools_of_any_size_are_still_from_the_start() {
    for (dimension, size) in [(3, [0.15, 0.11, 0.13]), (3, [0.11, 0.11, 0.11]), (2, [0.31, 0.11, 0.2])] {
        let mut water = liquid("water", Preset::Water, 0.02);
        water.fill = vec![block(size, [0.5 * size[0], 0.5 * size[1], 0.0])];
        let walls = tank([size[0], 0.4, size[2]]);
        let scene = Scene { dimension, liquid: vec![water], object: vec![walls], ..Scene::default() };
        let mut world = world(&scene);
        let mut fastest = 0f64;
        for _ in 0..20 {
            advance(&mut world, 1);
            fastest = fastest.max(measure(&world, 0).max_speed);
        }
        let now = measure(&world, 0);
        println!("{dimension}D {size:?}: {fastest} m/s, centre {} m", now.center[1]);
        assert!(fastest < 0.2, "{dimension}D {size:?}: {fastest} m/s");
        let volume: f32 = size[..dimension as usize].iter().product();
        assert!(
            (now.mass / (1000.0 * volume as f64) - 1.0).abs() < 0.01,
            "{dimension}D {size:?}: {} kg",
            now.mass
        );
        assert!((now.center[1] / 0.055 - 1.0).abs() < 0.03, "{dimension}D {size:?}: {} m", now.center[1]);
    }
}
