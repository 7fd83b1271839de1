use super::*;
use crate::objects::Nearest;
use crate::objects::primitives::{ball, block, cylinder};
use glam::Vec2;

fn assert_near(found: MassProperties, expected: MassProperties, share: f64) {
    let length = expected.mass.abs().cbrt();
    assert!((found.mass / expected.mass - 1.0).abs() < share, "{found:?} {expected:?}");
    assert!((found.centre - expected.centre).length() < share * length, "{found:?} {expected:?}");
    let [x, y, z] = [0, 1, 2].map(|i| expected.tensor.col(i)[i]);
    let smallest = x.min(y).min(z);
    for (a, b) in found.tensor.to_cols_array().into_iter().zip(expected.tensor.to_cols_array()) {
        assert!((a - b).abs() < share * smallest, "{found:?} {expected:?}");
    }
}

fn cone(p: Vec3, radius: f32, height: f32) -> f32 {
    let q = Vec2::new(Vec2::new(p.x, p.z).length(), p.y);
    let slope = Vec2::new(height, radius).normalize();
    let side = (q - Vec2::new(0.0, 0.5 * height)).dot(slope);
    // Inside exact; outside a lower bound, which is all it takes.
    side.max(-0.5 * height - p.y)
}

type Shape = (&'static str, MassProperties, Box<dyn Fn(Vec3) -> f32 + Sync>, Vec3);

fn shapes() -> Vec<Shape> {
    let d = |near: Nearest| near.distance;
    let size = Vec3::new(1.0, 0.6, 0.4);
    vec![
        ("sphere", MassProperties::sphere(0.7), Box::new(move |p| d(ball(p, 0.7))), Vec3::splat(0.7)),
        ("box", MassProperties::cuboid(size), Box::new(move |p| d(block(p, 0.5 * size))), 0.5 * size),
        (
            "capsule",
            MassProperties::capsule(0.3, 1.0),
            Box::new(move |p| d(ball(p - Vec3::Y * p.y.clamp(-0.5, 0.5), 0.3))),
            Vec3::new(0.3, 0.8, 0.3),
        ),
        (
            "cylinder",
            MassProperties::cylinder(0.4, 0.9),
            Box::new(move |p| d(cylinder(p, 0.4, 0.45))),
            Vec3::new(0.4, 0.45, 0.4),
        ),
        ("cone", MassProperties::cone(0.5, 1.2), Box::new(|p| cone(p, 0.5, 1.2)), Vec3::new(0.5, 0.6, 0.5)),
        (
            "torus",
            MassProperties::torus(0.7, 0.25),
            Box::new(|p| Vec2::new(Vec2::new(p.x, p.z).length() - 0.7, p.y).length() - 0.25),
            Vec3::new(0.95, 0.25, 0.95),
        ),
    ]
}

#[test]
fn closed_forms_agree_with_sums_over_cells() {
    for (name, closed, distance, half) in shapes() {
        println!("{name}");
        assert_near(MassProperties::of_distance(&distance, -half, half, 64), closed, 0.002);
        assert_near(MassProperties::of_distance(&distance, -half, half, 128), closed, 0.0005);
    }
}

#[test]
fn turned_and_moved_shapes_agree_with_sums_over_cells() {
    let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, 0.9, 0.2);
    let at = Vec3::new(0.5, -1.0, 2.0);
    for (name, closed, distance, half) in shapes() {
        println!("{name}");
        let reach = Vec3::splat(half.length());
        let moved = |p: Vec3| distance(turn.inverse() * (p - at));
        let found = MassProperties::of_distance(&moved, at + reach, at - reach, 64);
        assert_near(found, closed.placed(at, turn), 0.003);
    }
}

#[test]
fn known_numbers() {
    let ball = MassProperties::sphere(1.0).scaled(1000.0);
    assert!((ball.mass - 4188.79).abs() < 0.01);
    assert!((ball.tensor.x_axis.x - 1675.516).abs() < 0.01);
    // A capsule without a straight part is a ball, one that is nearly all straight a rod.
    assert_near(MassProperties::capsule(1.0, 0.0), MassProperties::sphere(1.0), 1e-12);
    let (wire, rod) = (MassProperties::capsule(0.001, 10.0), MassProperties::cylinder(0.001, 10.0));
    assert!((wire.tensor.x_axis.x / rod.tensor.x_axis.x - 1.0).abs() < 1e-3);
    assert_eq!(MassProperties::cone(1.0, 2.0).centre, DVec3::new(0.0, -0.5, 0.0));
}

#[test]
fn two_halves_make_a_whole() {
    let half = MassProperties::cuboid(Vec3::new(1.0, 2.0, 3.0));
    let two = half
        .placed(Vec3::new(-0.5, 0.0, 0.0), Quat::IDENTITY)
        .joined(half.placed(Vec3::new(0.5, 0.0, 0.0), Quat::from_rotation_x(std::f32::consts::PI)));
    assert_near(two, MassProperties::cuboid(Vec3::new(2.0, 2.0, 3.0)), 1e-6);
    let shell = MassProperties::sphere(1.0).joined(MassProperties::sphere(0.5).scaled(-1.0));
    let distance = |p: Vec3| (p.length() - 0.75).abs() - 0.25;
    assert_near(MassProperties::of_distance(&distance, -Vec3::ONE, Vec3::ONE, 128), shell, 0.003);
    assert_eq!(
        half.joined(half.scaled(-1.0)),
        MassProperties { centre: half.centre, ..MassProperties::NONE }
    );
}

#[test]
fn parallel_axes() {
    // A rod about its end: a third of the squared length.
    let rod = MassProperties::cuboid(Vec3::new(2.0, 1e-3, 1e-3)).placed(Vec3::X, Quat::IDENTITY);
    let end = rod.about(DVec3::ZERO).z_axis.z / rod.mass;
    assert!((end - 4.0 / 3.0).abs() < 1e-6);
    // About a point off the axes, against the sum over cells of a displaced twin that is balanced by a second one.
    let body = MassProperties::cuboid(Vec3::new(0.4, 0.2, 0.3));
    let at = Vec3::new(0.3, -0.2, 0.1);
    let pair = body.placed(at, Quat::IDENTITY).joined(body.placed(-at, Quat::IDENTITY));
    assert_eq!(pair.centre, DVec3::ZERO);
    assert_near(MassProperties { tensor: body.about(at.as_dvec3()) * 2.0, ..pair }, pair, 1e-12);
}

#[test]
fn slices() {
    let at = Vec3::new(0.3, -0.2, 0.0);
    let disc = |p: Vec3| (p - at).length() - 0.5;
    let found = MassProperties::of_slice(&disc, Vec3::splat(-1.0), Vec3::ONE, 64);
    assert_near(found, MassProperties::disc(0.5).placed(at, Quat::IDENTITY), 0.003);
    let polar = found.tensor.z_axis.z;
    assert!((polar / (std::f64::consts::PI * 0.5f64.powi(4) / 2.0) - 1.0).abs() < 0.003);

    let half = Vec3::new(0.6, 0.2, 1e9);
    let turn = Quat::from_rotation_z(0.5);
    let rectangle = |p: Vec3| block(turn.inverse() * (p - at), half).distance;
    let found = MassProperties::of_slice(&rectangle, Vec3::splat(-1.0), Vec3::ONE, 128);
    assert_near(found, MassProperties::rectangle(1.2, 0.4).placed(at, turn), 0.003);
    let polar = 1.2 * 0.4 * (1.2f64.powi(2) + 0.4f64.powi(2)) / 12.0;
    assert!((found.tensor.z_axis.z / polar - 1.0).abs() < 0.003);
}

#[test]
fn garbage_is_harmless() {
    for value in [f32::NAN, f32::INFINITY, 0.0, 1.0] {
        let found = MassProperties::of_distance(&|_| value, -Vec3::ONE, Vec3::ONE, 16);
        assert!(found.mass >= 0.0 && found.centre.is_finite());
    }
    let full = MassProperties::of_distance(&|_| f32::NEG_INFINITY, Vec3::ZERO, Vec3::ONE, 16);
    assert_near(full, MassProperties::cuboid(Vec3::ONE).placed(Vec3::splat(0.5), Quat::IDENTITY), 0.03);
    for (low, high) in [(Vec3::NAN, Vec3::ONE), (-Vec3::MAX, Vec3::MAX), (Vec3::ZERO, Vec3::ZERO)] {
        let found = MassProperties::of_distance(&|_| -1.0, low, high, u32::MAX);
        assert!(found.mass.abs() < 1e-9 && found.centre.is_finite());
        assert!(MassProperties::of_slice(&|_| -1.0, low, high, 0).centre.is_finite());
    }
}
