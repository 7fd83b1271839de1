//! Liquids in motion: waves, jets, films, what sinks.

use super::*;
use ondine::scene::Motion;

/// ω² = g k tanh(kD), and how long a wave lasts.
pub fn sloshing() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for spacing in [0.02f32, 0.01] {
        let (length, depth, tilt) = (0.6f32, 0.3f32, 0.04f32);
        // Steps of one spacing make the slope.
        let column = |i: i32| {
            let x = (i as f32 + 0.5) * spacing - 0.5 * length;
            let height = ((depth + 2.0 * tilt * x / length) / spacing).round() * spacing;
            block([spacing, height, 0.1], [x, 0.5 * height, 0.0])
        };
        let water =
            liquid(Preset::Water, spacing, (0..(length / spacing).round() as i32).map(column).collect());
        let tank = tank([length, 1.0, 0.1]);
        let scene =
            Scene { dimension: 2, fps: 100.0, liquid: vec![water], object: vec![tank], ..Scene::default() };
        let (mut world, mut track) = (world(scene), Vec::new());
        watch(&mut world, 10.0, |world, time| track.push((time, world.ledger().systems[0].center[0])))?;
        let k = std::f64::consts::PI / length as f64;
        let period = std::f64::consts::TAU / (9.81 * k * (k * depth as f64).tanh()).sqrt();
        let crossings = crossings(&track);
        let measured = crossings.get(8).map_or(f64::NAN, |last| (last - crossings[0]) / 4.0);
        let is_left = |(_, x): &&(f64, f64)| x.abs() > 0.1 * track[0].1.abs();
        let lasts = track.iter().filter(is_left).map(|(time, _)| time / period).fold(0.0, f64::max);
        let name = format!("plane, water sloshing in 0.6 m, {} cm", 100.0 * spacing);
        rows.push(Row::law(format!("{name}: period [s]"), period, measured, 0.04));
        rows.push(Row::at_least(format!("{name}: periods until a tenth is left"), 8.0, lasts));
    }
    Ok(rows)
}

/// √(2gh) through a slit of six spacings in the floor.
pub fn torricelli() -> Result<Vec<Row>, Failure> {
    const SPACING: f32 = 0.01;
    let (width, depth, slit) = (0.6f32, 0.4f32, 6.0 * SPACING);
    let plate = 0.5 * (width - slit);
    let block_of = |name: &str, size: [f32; 3], at: [f32; 3]| Object::new(name, Shape::Box { size }, at);
    let (from, aside) = (0.5 * (slit + plate), 0.5 * (width + 0.2));
    let scene = Scene {
        dimension: 2,
        fps: 60.0,
        liquid: vec![liquid(
            Preset::Water,
            SPACING,
            vec![block([width, depth, 0.1], [0.0, 0.5 * depth, 0.0])],
        )],
        object: vec![
            block_of("left", [plate, 0.1, 1.0], [-from, -0.05, 0.0]),
            block_of("right", [plate, 0.1, 1.0], [from, -0.05, 0.0]),
            block_of("west", [0.2, 2.0, 1.0], [-aside, 0.9, 0.0]),
            block_of("east", [0.2, 2.0, 1.0], [aside, 0.9, 0.0]),
        ],
        ..Scene::default()
    };
    let (mut world, mut ratios) = (world(scene), Vec::new());
    watch(&mut world, 1.2, |world, time| {
        let frame = world.frame();
        let p = &frame.particles[0];
        let is_aside = |x: &&[f32; 3]| (0.15..0.25).contains(&x[0].abs());
        let mut heights: Vec<f32> = p.position.iter().filter(is_aside).map(|x| x[1]).collect();
        heights.sort_by(f32::total_cmp);
        let level = heights[heights.len() * 995 / 1000] as f64 + 0.5 * SPACING as f64;
        let jet =
            p.position.iter().zip(&p.velocity).filter(|(x, _)| (-0.24..-0.16).contains(&x[1]) && time > 0.5);
        ratios.extend(jet.map(|(x, v)| -v[1] as f64 / (2.0 * 9.81 * (level - x[1] as f64)).sqrt()));
    })?;
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    Ok(vec![Row::law("plane, jet from a slit of 6 spacings of 1 cm: speed over √(2gh)", 1.0, mean, 0.05)])
}

/// Films on a gripping slope, ρ g sinθ H²/(2μ) at the surface, told as effective viscosity over the given one.
pub fn falling_films() -> Result<Vec<Row>, Failure> {
    let honey = |spacing, dimension, support| (Preset::Honey, "honey", spacing, 0.02f32, dimension, support);
    let cases = [
        honey(0.002, 2, 2.0),
        honey(0.002, 2, 2.2),
        honey(0.001, 2, 2.2),
        honey(0.002, 2, 3.0),
        (Preset::Paint, "paint", 0.0005, 0.005, 2, 2.2),
        honey(0.002, 3, 2.2),
        honey(0.002, 3, 3.0),
    ];
    let mut rows = Vec::new();
    for (material, name, spacing, depth, dimension, support) in cases {
        let ratio = falling_film(material, spacing, depth, dimension, support)?;
        let name = format!(
            "{dimension}D, {name} film of {} mm, spacing {} mm, support {support}",
            1000.0 * depth,
            1000.0 * spacing
        );
        rows.push(Row::law(format!("{name}: viscosity over the given"), 1.0, ratio, 0.1));
    }
    Ok(rows)
}

fn falling_film(
    material: Preset,
    spacing: f32,
    depth: f32,
    dimension: u32,
    support: f32,
) -> Result<f64, Failure> {
    const SLOPE: f32 = 0.2;
    // Wide enough that its sides do not matter, beside which there is less to hold on to.
    let wide = 32.0 * spacing;
    // So long that its middle does not feel its ends.
    let fills = vec![block([12.0 * depth, depth, wide], [0.0, 0.5 * depth, 0.0])];
    let liquid = Liquid { support: Some(support), ..liquid(material, spacing, fills) };
    let (nu, h) = ((liquid.viscosity.linear / liquid.density) as f64, depth as f64);
    let mut object = vec![floor(1.0)];
    if dimension == 3 {
        // Slippery sides, a hair's breadth above the floor.
        let size = [600.0 * depth, 10.0 * depth, wide];
        object.push(Object { friction: 0.0, at: [0.0, 4.999 * depth, 0.0], ..tank(size) });
    }
    let gravity = [9.81 * SLOPE, -9.81 * (1.0 - SLOPE * SLOPE).sqrt(), 0.0];
    let mut world =
        world(Scene { dimension, fps: 300.0, gravity, liquid: vec![liquid], object, ..Scene::default() });
    let (time, mut speeds) = (2.0 * h * h / nu, Vec::new());
    watch(&mut world, time, |world, now| {
        if now > 0.8 * time {
            speeds.push(surface_speed(world, h));
        }
    })?;
    let measured = speeds.iter().sum::<f64>() / speeds.len() as f64;
    let grown = 1.0 - (-std::f64::consts::PI.powi(2) / 4.0 * nu * 0.9 * time / (h * h)).exp();
    Ok(9.81 * SLOPE as f64 * h * h / (2.0 * nu) * grown / measured)
}

/// V of the profile v = V (2η − η²) that fits the middle of a film best.
fn surface_speed(world: &World, depth: f64) -> f64 {
    let frame = world.frame();
    let p = &frame.particles[0];
    let middle = world.ledger().systems[0].center[0];
    let (mut product, mut square) = (0.0, 0.0);
    for (x, v) in p.position.iter().zip(&p.velocity) {
        if (x[0] as f64 - middle).abs() < 0.8 * depth {
            let eta = x[1] as f64 / depth;
            let shape = 2.0 * eta - eta * eta;
            product += shape * v[0] as f64;
            square += shape * shape;
        }
    }
    product / square
}

/// A puddle of honey on a gripping floor against Huppert, R = 0.894 (g V³/3ν)^⅛ t^⅛.
pub fn puddle() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for spacing in [0.006f32, 0.004] {
        let rod = Shape::Cylinder { radius: 0.05, height: 0.05 };
        let honey = liquid(Preset::Honey, spacing, vec![fill(rod, [0.0, 0.025, 0.0])]);
        let (nu, density) = ((honey.viscosity.linear / honey.density) as f64, honey.density as f64);
        let mut world = world(Scene { liquid: vec![honey], object: vec![floor(1.0)], ..Scene::default() });
        watch(&mut world, 3.0, |_, _| ())?;
        let frame = world.frame();
        let away = |p: &[f32; 3]| (p[0] as f64).hypot(p[2] as f64);
        let mut radii: Vec<f64> = frame.particles[0].position.iter().map(away).collect();
        radii.sort_by(f64::total_cmp);
        let measured = radii[radii.len() * 995 / 1000] + 0.5 * spacing as f64;
        let volume = world.ledger().systems[0].mass / density;
        let expected = 0.894 * (9.81 * volume.powi(3) / (3.0 * nu) * 3.0).powf(0.125);
        let name = format!("honey puddle after 3 s, {} mm: radius (Huppert) [mm]", 1000.0 * spacing);
        rows.push(Row::law(name, 1000.0 * expected, 1000.0 * measured, 0.05));
    }
    Ok(rows)
}

/// A ball of steel sinks in a jar of honey twice as wide (Stokes, with the drag of a tube that Haberman and Sayre found).
pub fn sinking() -> Result<Vec<Row>, Failure> {
    const RADIUS: f32 = 0.02;
    const STEEL: f32 = 7800.0;
    /// How many times the drag on a ball is larger in a tube twice as wide: their exact solution, of which their formula is 1.7 % short.
    const IN_TUBE: f64 = 5.970;
    let (jar, depth) = (2.0 * RADIUS, 10.0 * RADIUS);
    let mut rows = Vec::new();
    for spacings in [4.0f32, 6.0] {
        let room = Shape::Cylinder { radius: jar, height: depth };
        let honey = liquid(Preset::Honey, RADIUS / spacings, vec![fill(room, [0.0, 0.5 * depth, 0.0])]);
        let wall = Shape::RoundContainer { radius: jar, height: 1.5 * depth, open: true };
        let ball = Object {
            motion: Motion::Free,
            density: STEEL,
            friction: 1.0,
            ..Object::new("ball", Shape::Sphere { radius: RADIUS }, [0.0, depth - 2.5 * RADIUS, 0.0])
        };
        let wall = Object { friction: 1.0, ..Object::new("jar", wall, [0.0, 0.75 * depth, 0.0]) };
        let (heavier, viscosity) = ((STEEL - honey.density) as f64, honey.viscosity.linear as f64);
        let object = vec![wall, ball];
        let mut world = world(Scene { fps: 50.0, liquid: vec![honey], object, ..Scene::default() });
        let mut heights = Vec::new();
        // It first bounces on the liquid, which is squashy.
        watch(&mut world, 0.7, |world, time| {
            if time > 0.399 {
                heights.push(world.ledger().objects[0].at[1]);
            }
        })?;
        let measured = (heights[0] - heights[heights.len() - 1]) / 0.3;
        let alone = 2.0 / 9.0 * heavier * 9.81 * (RADIUS as f64).powi(2) / viscosity;
        let name = format!("steel ball in a jar of honey, R = {spacings} spacings: speed (Haberman) [m/s]");
        rows.push(Row::law(name, alone / IN_TUBE, measured, 0.1));
    }
    Ok(rows)
}
