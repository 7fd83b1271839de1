//! Contact angles: puddles and menisci.

use super::*;

/// The height of a wide puddle, 2 √(γ/ρg) sin(θ/2).
pub fn puddles() -> Result<Vec<Row>, Failure> {
    const SPACING: f32 = 0.0005;
    let mut rows = Vec::new();
    for angle in [60.0f32, 90.0, 120.0] {
        let water = Liquid {
            contact_angle: angle,
            ..liquid(Preset::Water, SPACING, vec![block([0.04, 0.004, 0.1], [0.0, 0.002, 0.0])])
        };
        let scene = Scene { dimension: 2, liquid: vec![water], object: vec![floor(0.0)], ..Scene::default() };
        let mut world = world(scene);
        watch(&mut world, 2.0, |_, _| ())?;
        let expected = 2.0 * (0.072f64 / 9810.0).sqrt() * (0.5 * angle as f64).to_radians().sin();
        let measured = column(&world, -0.005, 0.005, SPACING, 0.0);
        let name = format!("plane, puddle of water, contact angle {angle}°: height [mm]");
        rows.push(Row::law(name, 1000.0 * expected, 1000.0 * measured, 0.1));
    }
    Ok(rows)
}

/// The rise between two plates, 2γ cosθ/(ρ g w) (Jurin).
pub fn plates() -> Result<Vec<Row>, Failure> {
    const SPACING: f32 = 0.001;
    let (gap, thick) = (0.01f32, 0.004f32);
    let mut rows = Vec::new();
    for angle in [60.0f32, 120.0] {
        let plate = |name: &str, side: f32| Object {
            contact_angle: [("liquid".to_string(), angle)].into(),
            ..Object::new(
                name,
                Shape::Box { size: [thick, 0.052, 1.0] },
                [side * 0.5 * (gap + thick), 0.036, 0.0],
            )
        };
        let water = Liquid {
            surface_tension: 0.5,
            contact_angle: 90.0,
            ..liquid(Preset::Water, SPACING, vec![block([0.08, 0.024, 0.1], [0.0, 0.012, 0.0])])
        };
        let object = vec![tank([0.08, 0.1, 0.1]), plate("left", -1.0), plate("right", 1.0)];
        let scene = Scene { dimension: 2, liquid: vec![water], object, ..Scene::default() };
        let (mut world, mut rises) = (world(scene), Vec::new());
        watch(&mut world, 3.0, |world, time| {
            if time > 2.0 {
                let inside = column(world, -0.5 * gap, 0.5 * gap, SPACING, 0.012);
                rises.push(inside - column(world, 0.025, 0.038, SPACING, 0.012));
            }
        })?;
        let measured = rises.iter().sum::<f64>() / rises.len() as f64;
        let expected = 2.0 * 0.5 * (angle as f64).to_radians().cos() / (9810.0 * gap as f64);
        let name = format!("plane, rise between plates 1 cm apart, contact angle {angle}° (Jurin) [mm]");
        rows.push(Row::law(name, 1000.0 * expected, 1000.0 * measured, 0.1));
    }
    Ok(rows)
}

/// How high liquid stands above a height between two places, on the average [m].
fn column(world: &World, from: f32, to: f32, spacing: f32, above: f32) -> f64 {
    let frame = world.frame();
    let is_there = |p: &&[f32; 3]| (from..to).contains(&p[0]) && p[1] > above;
    let count = frame.particles[0].position.iter().filter(is_there).count();
    (count as f32 * spacing * spacing / (to - from)) as f64
}
