//! Liquids in motion: waves, jets, films.

use super::*;

/// ω² = g k tanh(kD), and how long a wave lasts.
pub fn slosh() -> Vec<Row> {
    let mut rows = Vec::new();
    for (spacing, least) in [(0.02f32, 8.0), (0.01, 8.0)] {
        let (length, depth, tilt) = (0.6f32, 0.3f32, 0.04f32);
        // Steps of one spacing make the slope.
        let columns = (length / spacing).round() as i32;
        let fills = (0..columns).map(|i| {
            let x = (i as f32 + 0.5) * spacing;
            let height = ((depth + tilt * (2.0 * x / length - 1.0)) / spacing).round() * spacing;
            block([spacing, height, 0.1], [x, 0.5 * height, 0.0])
        });
        let water = liquid(Preset::Water, spacing, fills.collect());
        let tank = Object::new("tank", Shape::Container { size: [length, 1.0, 0.1], open: true }, [0.5 * length, 0.5, 0.0]);
        let mut world = world(Scene { dimension: 2, fps: 100.0, liquid: vec![water], object: vec![tank], ..Scene::default() });
        let mut track = Vec::new();
        run(&mut world, 10.0, |world, t| track.push((t, world.ledger().systems[0].center[0] - 0.5 * length as f64)));
        let (k, g) = (std::f64::consts::PI / length as f64, 9.81);
        let period = std::f64::consts::TAU / (g * k * (k * depth as f64).tanh()).sqrt();
        let crossings: Vec<f64> = track.windows(2).filter(|w| w[0].1 * w[1].1 < 0.0).map(|w| w[0].0 + (w[1].0 - w[0].0) * w[0].1 / (w[0].1 - w[1].1)).collect();
        let measured = 2.0 * (crossings[8] - crossings[0]) / 8.0;
        let first = track[0].1.abs();
        let lasts = track.iter().filter(|(_, x)| x.abs() > 0.1 * first).map(|(t, _)| t / period).fold(0.0, f64::max);
        rows.push(Row::new(format!("plane, sloshing in 0.6 m, spacing {} cm: period [s]", 100.0 * spacing), period, measured, 0.04));
        rows.push(Row::new(format!("plane, the same: periods until a tenth is left (at least {least})"), least, lasts.min(least), 0.0));
        rows.push(Row::new("plane, the same: share of the amplitude after 4 periods (for information)", 1.0, track.iter().filter(|(t, _)| *t > 3.5 * period && *t < 4.5 * period).map(|(_, x)| x.abs()).fold(0.0, f64::max) / first, 1.0));
    }
    rows
}

/// √(2gh) through a hole of six spacings in the floor.
pub fn torricelli() -> Vec<Row> {
    let mut rows = Vec::new();
    for spacing in [0.01f32] {
        let (width, depth, hole) = (0.6f32, 0.4f32, 6.0 * spacing);
        let plate = 0.5 * (width - hole);
        let water = liquid(Preset::Water, spacing, vec![block([width, depth, 0.1], [0.0, 0.5 * depth, 0.0])]);
        let side = |name: &str, x: f32| Object::new(name, Shape::Box { size: [plate, 0.1, 1.0] }, [x, -0.05, 0.0]);
        let wall = |name: &str, x: f32| Object::new(name, Shape::Box { size: [0.2, 2.0, 1.0] }, [x, 0.9, 0.0]);
        let shift = 0.5 * (width + 0.2);
        let scene = Scene {
            dimension: 2,
            fps: 60.0,
            liquid: vec![water],
            object: vec![side("left", -0.5 * (hole + plate)), side("right", 0.5 * (hole + plate)), wall("west", -shift), wall("east", shift)],
            ..Scene::default()
        };
        let mut world = world(scene);
        let (mut ratio, mut n) = (0.0, 0.0);
        run(&mut world, 1.2, |world, t| {
            if t < 0.5 {
                return;
            }
            let frame = world.frame();
            let p = &frame.particles[0];
            let level = {
                let mut tops: Vec<f32> = p.position.iter().filter(|x| x[0].abs() > 0.15 && x[0].abs() < 0.25).map(|x| x[1]).collect();
                tops.sort_by(f32::total_cmp);
                tops[tops.len() * 995 / 1000] as f64 + 0.5 * spacing as f64
            };
            // The jet below the plate, on its way down from the vena contracta.
            for (x, v) in p.position.iter().zip(&p.velocity) {
                if x[1] < -0.16 && x[1] > -0.24 {
                    ratio += -(v[1] as f64) / (2.0 * 9.81 * (level - x[1] as f64)).sqrt();
                    n += 1.0;
                }
            }
        });
        rows.push(Row::new(format!("plane, jet from a hole of 6 spacings of {} cm, speed over Torricelli's", 100.0 * spacing), 1.0, ratio / n, 0.05));
    }
    rows
}

/// Surface speed of a film on a gripping slope, ρ g sinθ H²/(2μ), told as effective viscosity over the given one.
pub fn film() -> Vec<Row> {
    let mut rows = Vec::new();
    for (material, name, spacing, layers, slope, dimension, support) in [
        (Preset::Honey, "honey", 0.002f32, 10.0f32, 0.2f32, 2, 2.2),
        (Preset::Honey, "honey", 0.002, 10.0, 0.02, 2, 2.2),
        (Preset::Honey, "honey", 0.001, 20.0, 0.2, 2, 2.2),
        (Preset::Honey, "honey", 0.002, 10.0, 0.2, 2, 3.0),
        (Preset::Paint, "paint", 0.0005, 10.0, 0.1, 2, 2.2),
        (Preset::Oil, "oil", 0.0005, 10.0, 0.01, 2, 2.2),
        (Preset::Honey, "honey", 0.002, 10.0, 0.2, 3, 2.2),
        (Preset::Honey, "honey", 0.002, 10.0, 0.2, 3, 3.0),
        (Preset::Honey, "honey", 0.002, 10.0, 0.02, 3, 2.2),
    ] {
        let h = layers * spacing;
        let (long, wide) = (6.0 * h, 8.0 * spacing);
        let mut film = liquid(material, spacing, vec![block([long, h, wide], [0.0, 0.5 * h, 0.0])]);
        film.support = support;
        let mut floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        floor.friction = 1.0;
        let sides = Object::new("sides", Shape::Container { size: [long * 100.0, 10.0 * h, wide], open: true }, [0.0, 5.0 * h - 0.001 * h, 0.0]);
        let nu = (film.viscosity.linear / film.density) as f64;
        let g = 9.81;
        let mut scene = Scene { dimension, fps: 300.0, liquid: vec![film], object: vec![floor], ..Scene::default() };
        if dimension == 3 {
            scene.object.push(sides);
        }
        scene.gravity = [g * slope, -g * (1.0 - slope * slope).sqrt(), 0.0];
        let expected = (g * slope) as f64 * (h as f64).powi(2) / (2.0 * nu);
        let settle = 2.0 * (h as f64).powi(2) / nu;
        let mut world = world(scene);
        let (mut sum, mut n) = (0.0, 0.0);
        let time = settle;
        run(&mut world, time, |world, t| {
            if t > 0.8 * time {
                let frame = world.frame();
                let p = &frame.particles[0];
                let middle = p.position.iter().map(|x| x[0] as f64).sum::<f64>() / p.position.len() as f64;
                // The profile of the middle of the film, fitted at all heights: v = V (2η − η²).
                let (mut a, mut b) = (0.0, 0.0);
                for (x, v) in p.position.iter().zip(&p.velocity) {
                    if (x[0] as f64 - middle).abs() < 0.8 * h as f64 {
                        let eta = (x[1] / h) as f64;
                        let shape = 2.0 * eta - eta * eta;
                        a += shape * v[0] as f64;
                        b += shape * shape;
                    }
                }
                sum += a / b;
                n += 1.0;
            }
        });
        let grown = 1.0 - (-std::f64::consts::PI.powi(2) / 4.0 * nu * 0.9 * time / (h as f64).powi(2)).exp();
        rows.push(Row::new(
            format!("{name}, {dimension}D, support {support}, 10 layers of {} mm, slope {slope}: viscosity over the given", 1000.0 * spacing, ),
            1.0,
            expected * grown / (sum / n),
            0.1,
        ));
    }
    rows
}

/// A shear wave decays as exp(−ν k² t): between two slippery walls, v_x = cos(ky).
pub fn shear() -> Vec<Row> {
    Vec::new()
}

/// A puddle of honey on a gripping floor against Huppert, R = 0.894 (g V³/3ν)^⅛ t^⅛.
pub fn huppert() -> Vec<Row> {
    let mut rows = Vec::new();
    for spacing in [0.006f32] {
        let (radius, height) = (0.05f32, 0.05f32);
        let honey = liquid(Preset::Honey, spacing, vec![fill(Shape::Cylinder { radius, height }, [0.0, 0.5 * height, 0.0])]);
        let nu = (honey.viscosity.linear / honey.density) as f64;
        let mut floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        floor.friction = 1.0;
        let mut world = world(Scene { liquid: vec![honey], object: vec![floor], ..Scene::default() });
        let volume = world.ledger().systems[0].mass / 1420.0;
        run(&mut world, 3.0, |_, _| ());
        let frame = world.frame();
        let mut r: Vec<f64> = frame.particles[0].position.iter().map(|p| (p[0] as f64).hypot(p[2] as f64)).collect();
        r.sort_by(f64::total_cmp);
        let measured = r[r.len() * 995 / 1000] + 0.5 * spacing as f64;
        let expected = 0.894 * (9.81 * volume.powi(3) / (3.0 * nu)).powf(0.125) * 3f64.powf(0.125);
        rows.push(Row::new(format!("honey puddle after 3 s, spacing {} mm: radius [mm]", 1000.0 * spacing), 1000.0 * expected, 1000.0 * measured, 0.05));
    }
    rows
}
