//! Liquids at rest: pools, puddles, floating things, layers.

use super::*;
use ondine::scene::Motion;

/// A still pool after 5 s: rms and fastest over √(2gD), on the average of a second, for single particles hop; and its volume.
fn pool(
    name: &str,
    material: Preset,
    size: [f32; 3],
    spacing: f32,
    dimension: u32,
) -> Result<Vec<Row>, Failure> {
    let pool = liquid(material, spacing, vec![block(size, [0.0, 0.5 * size[1], 0.0])]);
    let tank = tank([size[0], size[1] + 0.4, size[2]]);
    let mut world = world(Scene { dimension, liquid: vec![pool], object: vec![tank], ..Scene::default() });
    watch(&mut world, 5.0, |_, _| ())?;
    let fall = (2.0 * 9.81 * size[1] as f64).sqrt();
    let (mut speeds, mut fastest) = (Vec::new(), Vec::new());
    watch(&mut world, 1.0, |world, _| {
        let ledger = world.ledger();
        speeds.push(rms(&ledger, 0));
        fastest.push(ledger.systems[0].max_speed);
    })?;
    let ledger = world.ledger();
    let percent = |values: &[f64]| 100.0 * values.iter().sum::<f64>() / (values.len() as f64 * fall);
    Ok(vec![
        Row::none(format!("{name}, still: rms speed after 5 s [% of √2gD]"), percent(&speeds), 0.1),
        Row::none(format!("{name}: fastest [% of √2gD]"), percent(&fastest), 1.0),
        Row::law(
            format!("{name}: height of its centre [m]"),
            0.5 * size[1] as f64,
            ledger.systems[0].center[1],
            0.03,
        ),
    ])
}

/// Still pools in space.
pub fn pools() -> Result<Vec<Row>, Failure> {
    let mut rows = pool("water, 0.6×0.4×0.4 m, 2 cm", Preset::Water, [0.6, 0.4, 0.4], 0.02, 3)?;
    rows.extend(pool("water, 0.3×0.1×0.3 m, 1 cm", Preset::Water, [0.3, 0.1, 0.3], 0.01, 3)?);
    rows.extend(pool("honey, 0.6×0.4×0.4 m, 4 cm", Preset::Honey, [0.6, 0.4, 0.4], 0.04, 3)?);
    Ok(rows)
}

/// Still pools in the plane.
pub fn planar_pools() -> Result<Vec<Row>, Failure> {
    let mut rows = pool("plane, water, 0.6×0.4 m, 2 cm", Preset::Water, [0.6, 0.4, 0.1], 0.02, 2)?;
    rows.extend(pool("plane, water, 2×4 m, 4 cm", Preset::Water, [2.0, 4.0, 0.1], 0.04, 2)?);
    rows.extend(pool("plane, honey, 0.6×0.4 m, 1 cm", Preset::Honey, [0.6, 0.4, 0.1], 0.01, 2)?);
    Ok(rows)
}

/// Honey on a level gripping floor, jelly on a slippery one: they stay.
pub fn creep() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (material, friction, name) in
        [(Preset::Honey, 1.0, "honey on a gripping floor"), (Preset::Jelly, 0.0, "jelly on a slippery floor")]
    {
        let body = liquid(material, 0.01, vec![block([0.2, 0.06, 0.2], [0.0, 0.03, 0.0])]);
        let mut world =
            world(Scene { liquid: vec![body], object: vec![floor(friction)], ..Scene::default() });
        watch(&mut world, 3.0, |_, _| ())?;
        let ledger = world.ledger();
        let [x, _, z] = ledger.systems[0].center;
        rows.push(Row::none(format!("{name}: drift in 3 s [mm]"), 1000.0 * x.hypot(z), 0.2));
        let spin = ledger.systems[0].angular_momentum[1] / (ledger.systems[0].mass * 0.1 * 0.1);
        rows.push(Row::none(format!("{name}: spin after 3 s [rad/s]"), spin, 0.005));
    }
    Ok(rows)
}

/// What floats in a tank of water: how much of it is below the level that its displacement gives, and how much it still moves.
struct Floated {
    share: f64,
    /// How far it was off a straight way over the last second, up and down, in spacings: a light cube may still be turning over.
    shake: f64,
}

fn float(shape: Shape, size: f32, density: f32, support: f32) -> Result<Floated, Failure> {
    const SPACING: f32 = 0.02;
    let (side, depth) = (2.75 * size, 1.5 * size);
    let is_ball = matches!(shape, Shape::Sphere { .. });
    let water = liquid(Preset::Water, SPACING, vec![block([side, depth, side], [0.0, 0.5 * depth, 0.0])]);
    let body = Object {
        motion: Motion::Free,
        density,
        ..Object::new("body", shape, [0.0, depth + 0.25 * size, 0.0])
    };
    let scene = Scene {
        liquid: vec![Liquid { support: Some(support), ..water }],
        object: vec![tank([side, 4.0 * size, side]), body],
        ..Scene::default()
    };
    let mut world = world(scene);
    let mut heights = Vec::new();
    watch(&mut world, 6.0, |world, time| {
        if time > 5.0 {
            heights.push(world.ledger().objects[0].at[1]);
        }
    })?;
    let (low, high) = off_straight(&heights);
    // The heights of points spread evenly over the body as it lies: light cubes float askew.
    let placement = world.frame().objects[1].placement;
    let heights: Vec<f64> =
        grains(is_ball).map(|p| placement.to_world(size * glam::Vec3::from(p)).y as f64).collect();
    // Each point stands for a slice as high as points are apart: else a cube that lies level would be told by whole layers of them.
    let slice = size as f64 / GRAINS as f64;
    let below = |y: &f64, level: f64| ((level - y) / slice + 0.5).clamp(0.0, 1.0);
    let share = |level: f64| heights.iter().map(|y| below(y, level)).sum::<f64>() / heights.len() as f64;
    // The water and what is submerged fill the tank to the level.
    let volume = (size as f64).powi(3) * if is_ball { std::f64::consts::PI / 6.0 } else { 1.0 };
    let water = world.ledger().systems[0].mass / 1000.0;
    let (mut below, mut above) = (0.0, 4.0 * size as f64);
    for _ in 0..60 {
        let level = 0.5 * (below + above);
        let is_short = level * (side * side) as f64 - volume * share(level) < water;
        *(if is_short { &mut below } else { &mut above }) = level;
    }
    Ok(Floated { share: share(below), shake: (high - low) / SPACING as f64 })
}

/// Points along a side of a cube.
const GRAINS: usize = 40;

/// Lowest and highest of some heights, as they are off the straight line from the first to the last.
fn off_straight(heights: &[f64]) -> (f64, f64) {
    let (first, last) = (heights[0], heights[heights.len() - 1]);
    let slope = (last - first) / (heights.len() - 1) as f64;
    let off = heights.iter().enumerate().map(|(k, y)| y - first - slope * k as f64);
    off.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)))
}

/// Points spread evenly over a cube of side 1, or the ball in it.
fn grains(is_ball: bool) -> impl Iterator<Item = [f32; 3]> {
    const N: usize = GRAINS;
    let at = |i: usize| (i as f32 + 0.5) / N as f32 - 0.5;
    (0..N * N * N)
        .map(move |i| [at(i % N), at(i / N % N), at(i / N / N)])
        .filter(move |p| !is_ball || p.iter().map(|x| x * x).sum::<f32>() < 0.25)
}

/// Archimedes: the submerged share is the ratio of densities.
pub fn cubes() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for support in [2.2, 3.0] {
        for density in [250.0f32, 500.0, 900.0] {
            let Floated { share, shake } = float(Shape::Box { size: [0.16; 3] }, 0.16, density, support)?;
            let name = format!("cube of {density} kg/m³, 8 spacings, support {support}");
            rows.push(Row::law(format!("{name}: submerged share"), density as f64 / 1000.0, share, 0.05));
            rows.push(Row::none(format!("{name}: vibration 5 s after its fall [spacings]"), shake, 0.1));
        }
    }
    Ok(rows)
}

/// The same for balls.
pub fn balls() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for density in [250.0f32, 500.0, 900.0] {
        let Floated { share, .. } = float(Shape::Sphere { radius: 0.08 }, 0.16, density, 2.2)?;
        let name = format!("ball of {density} kg/m³, 8 spacings: submerged share");
        rows.push(Row::law(name, density as f64 / 1000.0, share, 0.05));
    }
    Ok(rows)
}

/// A box of half the density of water that is laid flat on the floor rises and floats.
pub fn lifted() -> Result<Vec<Row>, Failure> {
    let (size, side, depth) = (0.16f32, 0.4f32, 0.4f32);
    let mut rows = Vec::new();
    for dimension in [3, 2] {
        let water = liquid(Preset::Water, 0.02, vec![block([side, depth, side], [0.0, 0.5 * depth, 0.0])]);
        let body = Object {
            motion: Motion::Free,
            density: 500.0,
            ..Object::new("body", Shape::Box { size: [size; 3] }, [0.0, 0.5 * size, 0.0])
        };
        let object = vec![tank([side, 0.8, side]), body];
        let mut world = world(Scene { dimension, liquid: vec![water], object, ..Scene::default() });
        watch(&mut world, 6.0, |_, _| ())?;
        // Half of it is below the level, whichever way it lies.
        let base = if dimension == 2 { side } else { side * side };
        let below = 0.5 * size.powi(dimension as i32);
        let water = world.ledger().systems[0].mass as f32 / 1000.0;
        let name =
            format!("{dimension}D, box of 500 kg/m³ laid on the floor, 6 s later: height of its centre [m]");
        rows.push(Row::law(name, ((water + below) / base) as f64, world.ledger().objects[0].at[1], 0.03));
    }
    Ok(rows)
}

/// Lighter above heavier.
pub fn layers() -> Result<Vec<Row>, Failure> {
    let layer = |material, density, spacing| Layer { material, density, spacing };
    let (heavy, water) = (layer(Preset::Water, 1100.0, 0.02), layer(Preset::Water, 1000.0, 0.02));
    let mut rows = layered("1100 kg/m³ laid under water, 8 s", &heavy, &water, 8.0)?;
    rows.extend(layered("oil laid under water, 20 s", &layer(Preset::Oil, 915.0, 0.02), &water, 20.0)?);
    let coarse = Layer { spacing: 0.03, ..heavy };
    rows.extend(layered("1100 kg/m³ of 3 cm under water of 2 cm, 8 s", &coarse, &water, 8.0)?);
    let fine = Layer { spacing: 0.015, ..heavy };
    let wide = Layer { spacing: 0.03, ..water };
    rows.extend(layered("1100 kg/m³ of 1.5 cm under water of 3 cm, 8 s", &fine, &wide, 8.0)?);
    Ok(rows)
}

#[derive(Clone, Copy)]
struct Layer {
    material: Preset,
    density: f32,
    spacing: f32,
}

/// Two layers of 12 cm: how much of the heavier is in the upper half in the end, and where the level is. Where they are not equally
/// fine, the coarser particles stand in both halves: the half begins half of one higher.
fn layered(name: &str, below: &Layer, above: &Layer, seconds: f64) -> Result<Vec<Row>, Failure> {
    const SIDE: f32 = 0.3;
    let lay = |name: &str, layer: &Layer, low: f32| Liquid {
        name: name.into(),
        density: layer.density,
        ..liquid(layer.material, layer.spacing, vec![block([SIDE, 0.12, SIDE], [0.0, low + 0.06, 0.0])])
    };
    let scene = Scene {
        liquid: vec![lay("below", below, 0.0), lay("above", above, 0.12)],
        object: vec![tank([SIDE, 0.6, SIDE])],
        ..Scene::default()
    };
    let mut world = world(scene);
    watch(&mut world, seconds, |_, _| ())?;
    let (frame, ledger) = (world.frame(), world.ledger());
    let heavy = &frame.particles[usize::from(below.density < above.density)].position;
    let coarser = if below.spacing == above.spacing { 0.0 } else { below.spacing.max(above.spacing) };
    let high = heavy.iter().filter(|p| p[1] > 0.12 + 0.5 * coarser).count() as f64 / heavy.len() as f64;
    let level = ledger.systems[0].center[1] + ledger.systems[1].center[1];
    Ok(vec![
        Row::none(format!("{name}: heavier liquid in the upper half [%]"), 100.0 * high, 1.0),
        Row::law(format!("{name}: level [m]"), 0.24, level, 0.02),
    ])
}
