//! Drops, threads and films: surface tension.

use super::*;

/// Two axes and the longest of a drop: rms extents of its particles along x, y and z.
fn extents(world: &World) -> [f64; 3] {
    let frame = world.frame();
    let p = &frame.particles[0].position;
    let n = p.len() as f64;
    std::array::from_fn(|c| {
        let mean = p.iter().map(|x| x[c] as f64).sum::<f64>() / n;
        (p.iter().map(|x| (x[c] as f64 - mean).powi(2)).sum::<f64>() / n).sqrt()
    })
}

fn drop_of(radius: f32, spacing: f32, gamma: f32, stretch: f32) -> World {
    // A rod: mostly the mode of an ellipsoid, and laid out in one piece.
    let across = radius * (4.0 / 3.0 / stretch).cbrt() * 0.5f32.cbrt();
    let rod = Shape::Cylinder { radius: across, height: 2.0 * across * stretch };
    let mut drop = liquid(Preset::Water, spacing, vec![fill(rod, [0.0; 3])]);
    drop.surface_tension = gamma; if let Ok(v) = std::env::var("QV") { drop.viscosity.quadratic = v.parse().unwrap(); } if let Ok(v) = std::env::var("CO") { drop.compression = v.parse().unwrap(); } if let Ok(v) = std::env::var("SUP") { drop.support = v.parse().unwrap(); }
    world(Scene { gravity: [0.0; 3], fps: 100.0, liquid: vec![drop], ..Scene::default() })
}

/// Rayleigh's drop: T = 2π √(ρR³/8γ).
pub fn oscillation() -> Vec<Row> {
    let mut rows = Vec::new();
    for layers in [12.0f32] {
        let radius = 0.05f32;
        let (spacing, gamma) = (radius / layers, 0.5f32);
        let mut world = drop_of(radius, spacing, gamma, 1.3);
        let volume = world.ledger().systems[0].mass / 1000.0;
        let r3 = volume / (4.0 / 3.0 * std::f64::consts::PI);
        let period = std::f64::consts::TAU * (1000.0 * r3 / (8.0 * gamma as f64)).sqrt();
        let mut track = Vec::new();
        run(&mut world, 2.6 * period, |world, t| {
            let [y, x, z] = extents(world);
            track.push((t, x / (y * z).sqrt() - 1.0)); if std::env::var("V").is_ok() { eprintln!("{t:.3} {:.4} rms {:.4} max {:.3} n {}", x / (y * z).sqrt() - 1.0, rms(&world.ledger(), 0), world.ledger().systems[0].max_speed, world.ledger().substeps); }
        });
        let first = track[0].1;
        let crossings: Vec<f64> = track.windows(2).filter(|w| w[0].1 * w[1].1 < 0.0).map(|w| w[0].0 + (w[1].0 - w[0].0) * w[0].1 / (w[0].1 - w[1].1)).collect();
        let measured = if crossings.len() > 2 { crossings[2] - crossings[0] } else { f64::NAN };
        let left = track.iter().filter(|(t, _)| *t > 0.75 * period && *t < 1.25 * period).map(|(_, x)| *x).fold(f64::MIN, f64::max) / first;
        rows.push(Row::new(format!("drop of R = {layers} spacings: period [s]"), period, measured, 0.05));
        rows.push(Row::new(format!("drop of R = {layers} spacings: amplitude after a period (at least 0.5)"), 0.5, left.min(0.5), 0.0));
        let rest = rms(&world.ledger(), 0);
        rows.push(Row::new(format!("drop of R = {layers} spacings: amplitude {left:.2}, rms speed now [m/s]"), 0.0, rest, 1.0));
    }
    rows
}

/// A dumbbell of two drops that touch becomes one ball.
pub fn merge() -> Vec<Row> {
    let (radius, spacing) = (0.03f32, 0.005f32);
    let ball = |x: f32| fill(Shape::Sphere { radius }, [x, 0.0, 0.0]);
    let mut drop = liquid(Preset::Water, spacing, vec![ball(-0.98 * radius), ball(0.98 * radius)]);
    drop.viscosity.linear = 0.05;
    let mut world = world(Scene { gravity: [0.0; 3], liquid: vec![drop], ..Scene::default() });
    run(&mut world, 6.0, |_, _| ());
    let mut e = extents(&world);
    e.sort_by(f64::total_cmp);
    vec![Row::new("two drops that touch, after 6 s: shortest over longest axis", 1.0, e[0] / e[2], 0.05)]
}

pub fn posts() -> Vec<Row> {
    Vec::new()
}

/// Honey from a nozzle: one connected thread.
pub fn thread() -> Vec<Row> {
    let mut rows = Vec::new();
    for spacing in [0.004f32] {
        for (material, name) in [(Preset::Honey, "honey"), (Preset::Syrup, "syrup"), (Preset::Paint, "paint")] {
            let mut honey = liquid(material, spacing, vec![]);
            honey.emitter = vec![ondine::scene::Emitter { radius: 0.016, at: [0.0, 0.35, 0.0], velocity: [0.0, -0.3, 0.0], ..Default::default() }];
            let mut floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
            floor.friction = 1.0;
            let mut world = world(Scene { liquid: vec![honey], object: vec![floor], ..Scene::default() });
            run(&mut world, 1.6, |_, _| ());
            let frame = world.frame();
            let p = &frame.particles[0].position;
            // Widest gap in height between 3 cm above the floor and the nozzle, and how wide the thread is in its middle.
            let mut heights: Vec<f32> = p.iter().map(|x| x[1]).filter(|y| *y > 0.05 && *y < 0.34).collect();
            heights.sort_by(f32::total_cmp);
            if std::env::var("V").is_ok() { for k in 0..30 { let (a, b) = (k as f32 * 0.012, (k + 1) as f32 * 0.012); let inside: Vec<_> = p.iter().filter(|x| x[1] >= a && x[1] < b).collect(); let r = inside.iter().map(|x| x[0].hypot(x[2])).fold(0.0, f32::max); let cx = inside.iter().map(|x| x[0]).sum::<f32>() / inside.len() as f32; eprintln!("{a:.3} n {} r {r:.4} cx {cx:.4}", inside.len()); } }
            let gap = heights.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max);
            rows.push(Row::new(format!("{name} thread: widest gap in height [spacings]"), 0.0, (gap / spacing) as f64, 1.2));
            let off = p.iter().filter(|x| x[1] > 0.05 && x[0].hypot(x[2]) > 0.03).count();
            rows.push(Row::new(format!("{name} thread: particles off the thread"), 0.0, off as f64, 2.0));
        }
    }
    rows
}
