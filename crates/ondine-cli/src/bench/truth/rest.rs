//! Liquids at rest: pools, puddles, floating things, layers.

use super::*;
use ondine::scene::Motion;

fn still(material: Preset, size: [f32; 3], spacing: f32, dimension: u32) -> (World, f64) {
    let pool = liquid(material, spacing, vec![block(size, [0.0, 0.5 * size[1], 0.0])]);
    let tank = Object::new("tank", Shape::Container { size: [size[0], size[1] + 0.4, size[2]], open: true }, [0.0, 0.5 * size[1] + 0.2, 0.0]);
    let scene = Scene { dimension, liquid: vec![pool], object: vec![tank], ..Scene::default() };
    (world(scene), (2.0 * 9.81 * size[1] as f64).sqrt())
}

/// A still pool after 5 s: rms and fastest over √(2gD).
fn pool_of(name: &str, material: Preset, size: [f32; 3], spacing: f32, dimension: u32) -> Vec<Row> {
    let (mut world, fall) = still(material, size, spacing, dimension);
    run(&mut world, 5.0, |w, t| if std::env::var("V").is_ok() && (t * 30.0).round() as i32 % 15 == 0 { let f = w.frame(); let p = &f.particles[0]; let m = p.velocity.iter().map(|v| v[0]*v[0]+v[1]*v[1]+v[2]*v[2]).enumerate().fold((0,0f32), |a, b| if b.1 > a.1 { b } else { a }); eprintln!("{t:.2} rms {:.3} % fastest {:.3} % at {:?} v {:?} rho {}", 100.0 * rms(&w.ledger(), 0) / fall, 100.0 * w.ledger().systems[0].max_speed / fall, p.position[m.0], p.velocity[m.0], p.density[m.0]); });
    let ledger = world.ledger();
    vec![
        Row::new(format!("{name}: rms speed after 5 s over √(2gD) [%]"), 0.0, 100.0 * rms(&ledger, 0) / fall, 0.1),
        Row::new(format!("{name}: fastest [%]"), 0.0, 100.0 * ledger.systems[0].max_speed / fall, 1.0),
        Row::new(
            format!("{name}: height of its centre [mm]"),
            500.0 * size[1] as f64,
            1000.0 * ledger.systems[0].center[1],
            0.03,
        ),
    ]
}

pub fn pool() -> Vec<Row> {
    let mut rows = pool_of("water 0.6×0.4×0.4 m, 2 cm", Preset::Water, [0.6, 0.4, 0.4], 0.02, 3);
    if std::env::var("ONE").is_ok() { return rows; }
    rows.extend(pool_of("water 0.3×0.1×0.3 m, 1 cm", Preset::Water, [0.3, 0.1, 0.3], 0.01, 3));
    rows.extend(pool_of("honey 0.6×0.4×0.4 m, 4 cm", Preset::Honey, [0.6, 0.4, 0.4], 0.04, 3));
    rows
}

pub fn pool_plane() -> Vec<Row> {
    let mut rows = pool_of("plane, water 0.6×0.4 m, 2 cm", Preset::Water, [0.6, 0.4, 0.1], 0.02, 2);
    if std::env::var("ONE").is_ok() { return rows; }
    rows.extend(pool_of("plane, water 2×4 m, 4 cm", Preset::Water, [2.0, 4.0, 0.1], 0.04, 2));
    rows.extend(pool_of("plane, honey 0.6×0.4 m, 1 cm", Preset::Honey, [0.6, 0.4, 0.1], 0.01, 2));
    rows
}

/// Honey on a level gripping floor, jelly on a slippery one: they stay.
pub fn creep() -> Vec<Row> {
    let mut rows = Vec::new();
    for (material, friction, name) in [(Preset::Honey, 1.0, "honey on a gripping floor"), (Preset::Jelly, 0.0, "jelly on a slippery floor")] {
        let mut floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        floor.friction = friction;
        let body = liquid(material, 0.01, vec![block([0.2, 0.06, 0.2], [0.0, 0.03, 0.0])]);
        let mut world = world(Scene { liquid: vec![body], object: vec![floor], ..Scene::default() });
        run(&mut world, 3.0, |_, _| ());
        let l = &world.ledger().systems[0];
        let (x, z) = (l.center[0], l.center[2]);
        rows.push(Row::new(format!("{name}: drift in 3 s [mm]"), 0.0, 1000.0 * x.hypot(z), 0.2));
        let frame = world.frame();
        let p = &frame.particles[0];
        let turn: f64 = p.position.iter().zip(&p.id).filter_map(|(x, _)| {
            let r2 = (x[0] * x[0] + x[2] * x[2]) as f64;
            (r2 > 0.0).then_some(0.0 * r2)
        }).sum();
        let _ = turn;
        rows.push(Row::new(format!("{name}: spin left, angular momentum over mass × size² [1/s]"), 0.0, l.angular_momentum[1] / l.mass / 0.01, 0.005));
    }
    rows
}

fn floating(shape: Shape, volume: f64, size: f32, density: f32, spacing: f32, support: f32) -> (f64, f64) {
    let (side, depth) = (2.75 * size, 1.5 * size);
    let mut pool = liquid(Preset::Water, spacing, vec![block([side, depth, side], [0.5 * side, 0.5 * depth, 0.5 * side])]);
    pool.support = support;
    let mut body = Object::new("body", shape, [0.5 * side, depth + 0.25 * size, 0.5 * side]);
    body.motion = Motion::Free;
    body.density = density;
    let scene = Scene { liquid: vec![pool], object: vec![tank([side, 4.0 * size, side]), body], ..Scene::default() };
    let mut world = world(scene);
    // Where the body's centre is over the last second, and what the water's own centre of mass tells of the level.
    let (mut y, mut n, mut low, mut high) = (0.0, 0.0, f64::MAX, f64::MIN);
    run(&mut world, 6.0, |world, t| {
        if t > 5.0 {
            let at = world.ledger().objects[0].at[1];
            y += at;
            n += 1.0;
            (low, high) = (low.min(at), high.max(at));
        }
    });
    y /= n;
    let mass = world.ledger().systems[0].mass;
    let area = (side * side) as f64;
    // Water of volume mass/1000 and what is submerged fill the tank to the level: found by bisection for a cube or a sphere.
    let submerged = |level: f64| {
        let t = ((level - (y - 0.5 * size as f64)) / size as f64).clamp(0.0, 1.0);
        volume * if volume < 0.9 * (size as f64).powi(3) { t * t * (3.0 - 2.0 * t) } else { t }
    };
    let (mut a, mut b) = (0.0, 4.0 * size as f64);
    for _ in 0..60 {
        let level = 0.5 * (a + b);
        if level * area - submerged(level) < mass / 1000.0 { a = level } else { b = level }
    }
    (submerged(a) / volume, (high - low) / spacing as f64)
}

/// Archimedes: the submerged share is the ratio of densities.
pub fn float() -> Vec<Row> {
    let mut rows = Vec::new();
    let size = 0.16f32;
    for support in [2.0, 3.0] {
        for density in [250.0f32, 500.0, 900.0] {
            let cube = Shape::Box { size: [size; 3] };
            let (share, shake) = floating(cube, (size as f64).powi(3), size, density, 0.02, support);
            rows.push(Row::new(format!("cube of {density} kg/m³, support {support}: submerged share"), density as f64 / 1000.0, share, 0.05));
            rows.push(Row::new(format!("cube of {density} kg/m³, support {support}: vibration [spacings]"), 0.0, shake, 0.1));
        }
    }
    for density in [250.0f32, 500.0, 900.0] {
        let ball = Shape::Sphere { radius: 0.5 * size };
        let volume = std::f64::consts::PI / 6.0 * (size as f64).powi(3);
        let (share, _) = floating(ball, volume, size, density, 0.02, 2.0);
        rows.push(Row::new(format!("ball of {density} kg/m³: submerged share"), density as f64 / 1000.0, share, 0.05));
    }
    rows
}

/// A light cube that lies flat on the floor of a pool rises.
pub fn lift() -> Vec<Row> {
    let (size, side, depth) = (0.16f32, 0.44f32, 0.32f32);
    let pool = liquid(Preset::Water, 0.02, vec![block([side, depth, side], [0.5 * side, 0.5 * depth, 0.5 * side])]);
    let mut body = Object::new("body", Shape::Box { size: [size; 3] }, [0.5 * side, 0.5 * size, 0.5 * side]);
    body.motion = Motion::Free;
    body.density = 500.0;
    let mut world = world(Scene { liquid: vec![pool], object: vec![tank([side, 1.0, side]), body], ..Scene::default() });
    run(&mut world, 4.0, |_, _| ());
    let y = world.ledger().objects[0].at[1];
    let level = (0.32 * 0.1936 - 0.004096 + 0.002048) / 0.1936;
    vec![Row::new("cube of half the density, laid flat on the floor: height of its centre after 4 s [m]", level, y, 0.05)]
}

/// Lighter above heavier.
pub fn layers() -> Vec<Row> {
    let mut rows = Vec::new();
    let side = 0.3f32;
    let lay = |name: &str, material: Preset, density: f32, low: f32| {
        let mut l = liquid(material, 0.02, vec![block([side, 0.12, side], [0.5 * side, low + 0.06, 0.5 * side])]);
        (l.name, l.density) = (name.into(), density);
        if let Ok(v) = std::env::var("SUP") { l.support = v.parse().unwrap(); }
        if std::env::var("REL").is_ok() { l.fill[0].arrangement = Arrangement::Relaxed; }
        l
    };
    let wrong = |world: &World, below: usize| {
        let frame = world.frame();
        let count = frame.particles[below].position.iter().filter(|p| p[1] > 0.12).count();
        count as f64 / frame.particles[below].position.len() as f64
    };
    let level = |world: &World| {
        let l = world.ledger();
        2000.0 * (l.systems[0].center[1] + l.systems[1].center[1]) / 2.0
    };
    let scene = Scene {
        liquid: vec![lay("heavy", Preset::Water, 1100.0, 0.0), lay("water", Preset::Water, 1000.0, 0.12)],
        object: vec![tank([side, 0.6, side])],
        ..Scene::default()
    };
    let mut w = world(scene);
    run(&mut w, 8.0, |_, _| ());
    rows.push(Row::new("1100 kg/m³ laid under water, 8 s: above the middle [%]", 0.0, 100.0 * wrong(&w, 0), 1.0));
    rows.push(Row::new("the same: level [mm]", 240.0, level(&w), 0.02));
    let scene = Scene {
        liquid: vec![lay("water", Preset::Water, 1000.0, 0.12), lay("oil", Preset::Oil, 915.0, 0.0)],
        object: vec![tank([side, 0.6, side])],
        ..Scene::default()
    };
    let mut w = world(scene);
    run(&mut w, 20.0, |_, _| ());
    rows.push(Row::new("oil laid under water, 20 s: water above the middle [%]", 0.0, 100.0 * wrong(&w, 0), 1.0));
    rows.push(Row::new("the same: level [mm]", 240.0, level(&w), 0.02));
    rows
}
