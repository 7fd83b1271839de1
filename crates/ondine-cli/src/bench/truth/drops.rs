//! Drops and threads: surface tension.

use super::*;
use ondine::scene::{Blend, Drain, Emitter, Part};

/// Root mean squares of the distances of a liquid's particles from its centre, along x, y and z [m].
fn extents(world: &World) -> [f64; 3] {
    let frame = world.frame();
    let (p, centre) = (&frame.particles[0].position, world.ledger().systems[0].center);
    std::array::from_fn(|c| {
        (p.iter().map(|x| (x[c] as f64 - centre[c]).powi(2)).sum::<f64>() / p.len() as f64).sqrt()
    })
}

/// Rayleigh's drop, T = 2π √(ρR³/8γ), started as a rod.
pub fn oscillation() -> Result<Vec<Row>, Failure> {
    const GAMMA: f64 = 0.5;
    let mut rows = Vec::new();
    for spacings in [12.0f32, 16.0] {
        let radius = 0.05f32;
        // A rod of the ball's volume, 1.3 times as long as it is wide.
        let across = radius * (2.0f32 / 3.0 / 1.3).cbrt();
        let rod = Shape::Cylinder { radius: across, height: 2.6 * across };
        let drop = Liquid {
            surface_tension: GAMMA as f32,
            ..liquid(Preset::Water, radius / spacings, vec![fill(rod, [0.0; 3])])
        };
        let mut world =
            world(Scene { gravity: [0.0; 3], fps: 100.0, liquid: vec![drop], ..Scene::default() });
        let volume = world.ledger().systems[0].mass / 1000.0;
        let cube = volume / (4.0 / 3.0 * std::f64::consts::PI);
        let period = std::f64::consts::TAU * (1000.0 * cube / (8.0 * GAMMA)).sqrt();
        let mut track = Vec::new();
        watch(&mut world, 2.6 * period, |world, time| {
            let [x, y, z] = extents(world);
            track.push((time, y / (x * z).sqrt() - 1.0));
        })?;
        let crossings = crossings(&track);
        let measured = crossings.get(2).map_or(f64::NAN, |third| third - crossings[0]);
        let near = |time: f64| (0.75 * period..1.25 * period).contains(&time);
        let peak = track.iter().filter(|(time, _)| near(*time)).map(|(_, x)| *x).fold(f64::MIN, f64::max);
        let name = format!("weightless drop, R = {spacings} spacings");
        rows.push(Row::law(format!("{name}: period [s]"), period, measured, 0.05));
        rows.push(Row::at_least(format!("{name}: amplitude left after a period"), 0.5, peak / track[0].1));
    }
    Ok(rows)
}

/// Two drops that touch become one ball.
pub fn merging() -> Result<Vec<Row>, Failure> {
    let ball = |x: f32| fill(Shape::Sphere { radius: 0.03 }, [x, 0.0, 0.0]);
    let drops = liquid(Preset::Oil, 0.005, vec![ball(-0.0295), ball(0.0295)]);
    let mut world = world(Scene { gravity: [0.0; 3], liquid: vec![drops], ..Scene::default() });
    watch(&mut world, 6.0, |_, _| ())?;
    let mut axes = extents(&world);
    axes.sort_by(f64::total_cmp);
    let name = "two drops of oil that touch, 6 s later: shortest over longest axis";
    Ok(vec![Row::law(name, 1.0, axes[0] / axes[2], 0.05)])
}

/// Thick liquids from a nozzle of 3.2 cm, 30 cm above a floor: one connected thread.
pub fn threads() -> Result<Vec<Row>, Failure> {
    const SPACING: f32 = 0.004;
    let mut rows = Vec::new();
    for (material, name) in [(Preset::Honey, "honey"), (Preset::Syrup, "syrup"), (Preset::Paint, "paint")] {
        let nozzle =
            Emitter { radius: 0.016, at: [0.0, 0.35, 0.0], velocity: [0.0, -0.3, 0.0], ..Emitter::default() };
        let thread = Liquid { emitter: vec![nozzle], ..liquid(material, SPACING, Vec::new()) };
        let mut world = world(Scene { liquid: vec![thread], object: vec![floor(1.0)], ..Scene::default() });
        watch(&mut world, 1.6, |_, _| ())?;
        let frame = world.frame();
        let heights = frame.particles[0].position.iter().map(|x| x[1]);
        let mut heights: Vec<f32> = heights.filter(|y| (0.05..0.34).contains(y)).collect();
        heights.sort_by(f32::total_cmp);
        let gap = heights.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max);
        let name = format!("thread of {name}, 4 mm, 30 cm long: widest gap [spacings]");
        rows.push(Row::none(name, (gap / SPACING) as f64, 1.2));
    }
    Ok(rows)
}

/// A thread of water breaks where a wave of 9 radii runs along it (Plateau and Rayleigh).
pub fn breaking() -> Result<Vec<Row>, Failure> {
    const PIECES: usize = 48;
    let (spacing, radius) = (0.0005f32, 0.002f32);
    let (wave, length) = (9.02 * radius, 18.04 * radius);
    let piece = |k: usize| {
        let x = ((k as f32 + 0.5) / PIECES as f32 - 0.5) * length;
        let here = radius * (1.0 + 0.1 * (std::f32::consts::TAU * x / wave).cos());
        let shape = Shape::Cylinder { radius: here, height: 1.01 * length / PIECES as f32 };
        Part { shape, at: [x, 0.0, 0.0], rotate: [0.0, 0.0, 90.0], scale: 1.0 }
    };
    let thread = Shape::Union(Blend { of: (0..PIECES).map(piece).collect(), smooth: 0.0 });
    let water =
        Liquid { contact_angle: 90.0, ..liquid(Preset::Water, spacing, vec![fill(thread, [0.0; 3])]) };
    let walls =
        Object::new("walls", Shape::Container { size: [length, 0.024, 0.024], open: false }, [0.0; 3]);
    let scene =
        Scene { gravity: [0.0; 3], fps: 50.0, liquid: vec![water], object: vec![walls], ..Scene::default() };
    let mut world = world(scene);
    watch(&mut world, 0.4, |_, _| ())?;
    let mut slices = [0usize; PIECES];
    for p in &world.frame().particles[0].position {
        slices[(((p[0] / length + 0.5) * PIECES as f32) as usize).min(PIECES - 1)] += 1;
    }
    let area = |count: usize| count as f32 * spacing.powi(3) / (length / PIECES as f32);
    let thinnest = slices.iter().map(|&count| (area(count) / std::f32::consts::PI).sqrt() / radius);
    let name = "thread of water, seeded with waves of 9 radii, after 0.4 s: thinnest place [radii]";
    Ok(vec![Row::none(name, thinnest.fold(f32::MAX, f32::min) as f64, 0.1)])
}

/// The factor of Harkins and Brown, by which less than 2πrγ/g falls, for x = r/∛V from 0.3 to 1.2: Lee, Chan and Pogaku's polynomial,
/// within 1.3 % of the table of 1919.
fn falling(x: f64) -> f64 {
    const TERMS: [f64; 8] = [1.0, -0.9121, -2.109, 13.38, -27.29, 27.53, -13.58, 2.593];
    TERMS.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// Water drips slowly from a nozzle of 2 mm: m = 2πrγ ψ(r/∛V)/g (Tate; Harkins and Brown).
pub fn dripping() -> Result<Vec<Row>, Failure> {
    const RADIUS: f32 = 0.002;
    const BELOW: f32 = -12.0 * RADIUS;
    let most = std::f64::consts::TAU * RADIUS as f64 * 0.072 / 9.81;
    let law = (0..50).fold(0.65 * most, |mass, _| most * falling(RADIUS as f64 / (mass / 1000.0).cbrt()));
    let mut rows = Vec::new();
    for spacings in [4.0f32, 6.0] {
        let nozzle = Emitter { radius: RADIUS, velocity: [0.0, -0.0024, 0.0], ..Emitter::default() };
        let water = Liquid { emitter: vec![nozzle], ..liquid(Preset::Water, RADIUS / spacings, Vec::new()) };
        let below = Shape::HalfSpace { normal: [0.0, 1.0, 0.0] };
        let drain = Drain {
            name: "below".into(),
            shape: below,
            at: [0.0, BELOW, 0.0],
            rotate: [0.0; 3],
            start: 0.0,
            stop: None,
        };
        let mut world =
            world(Scene { fps: 100.0, liquid: vec![water], drain: vec![drain], ..Scene::default() });
        let each = 1000.0 * (RADIUS / spacings).powi(3) as f64;
        let drop = first_drop(&mut world, 0.1 * law / each)?;
        let name =
            format!("drops of water that fall from a nozzle of {spacings} spacings (Tate): first [mg]");
        rows.push(Row::law(name, 1e6 * law, 1e6 * each * drop, 0.1));
    }
    Ok(rows)
}

/// The first drop that falls within four seconds, in particles: all that is drained until nothing has been for a while. What is no
/// more than `spray` is none.
fn first_drop(world: &mut World, spray: f64) -> Result<f64, Failure> {
    const WHILE: f64 = 0.08;
    let (mut drop, mut before) = (0.0, 0);
    while world.time() < 4.0 {
        watch(world, WHILE, |_, _| ())?;
        let removed = world.ledger().systems[0].removed;
        match (removed - before) as f64 {
            0.0 if drop > spray => return Ok(drop),
            0.0 => drop = 0.0,
            more => drop += more,
        }
        before = removed;
    }
    Ok(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falling_shares_are_those_of_harkins_and_brown() {
        for (x, share) in
            [(0.3, 0.7256), (0.4, 0.6828), (0.5, 0.6515), (0.6, 0.6250), (0.8, 0.6000), (1.0, 0.6098)]
        {
            let error = falling(x) / share - 1.0;
            assert!(error.abs() < 0.013, "{x}: {} for {share}", falling(x));
        }
    }
}
