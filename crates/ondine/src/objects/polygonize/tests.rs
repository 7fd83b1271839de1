use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::PI;

fn ball(p: Vec3, radius: f32) -> f32 {
    p.length() - radius
}

fn block(p: Vec3, half: Vec3) -> f32 {
    crate::objects::primitives::block(p, half).distance
}

fn torus(p: Vec3, major: f32, minor: f32) -> f32 {
    glam::Vec2::new(glam::Vec2::new(p.x, p.z).length() - major, p.y).length() - minor
}

fn around(distance: impl Fn(Vec3) -> f32 + Sync, reach: f32, cell: f32) -> TriangleMesh {
    polygonize(&distance, Vec3::splat(-reach), Vec3::splat(reach), cell)
}

fn volume(mesh: &TriangleMesh) -> f32 {
    mesh.corners().map(|[a, b, c]| f64::from(a.dot(b.cross(c)))).sum::<f64>() as f32 / 6.0
}

/// Points − edges + triangles: two for each ball, none for a ring.
fn euler(mesh: &TriangleMesh) -> i64 {
    mesh.points.len() as i64 - mesh.triangles.len() as i64 / 2
}

fn assert_near(value: f32, expected: f32, share: f32) {
    assert!((value / expected - 1.0).abs() < share, "{value} instead of {expected}");
}

/// Every directed edge once, its reverse once; around every point one fan; every triangle has an area.
fn assert_sound(mesh: &TriangleMesh) {
    let mut edges = BTreeSet::new();
    let mut next: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); mesh.points.len()];
    for t in &mesh.triangles {
        for i in 0..3 {
            let [a, b, c] = [t[i], t[(i + 1) % 3], t[(i + 2) % 3]];
            assert!(edges.insert((a, b)), "edge {a} {b} twice");
            next[a as usize].insert(b, c);
        }
    }
    assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "an open edge");
    for fan in &next {
        let (&start, _) = fan.first_key_value().expect("a point without triangles");
        let (mut at, mut steps) = (fan[&start], 1);
        while at != start {
            (at, steps) = (fan[&at], steps + 1);
        }
        assert_eq!(steps, fan.len(), "two fans at one point");
    }
    assert!(mesh.points.iter().all(|p| p.is_finite()));
    for [a, b, c] in mesh.corners() {
        assert!(a != b && b != c && c != a && (b - a).cross(c - a) != Vec3::ZERO, "{a} {b} {c}");
    }
}

/// Every triangle faces where the distance grows. For smooth shapes.
fn assert_outward(mesh: &TriangleMesh, distance: impl Fn(Vec3) -> f32 + Sync) {
    let field = Clipped::new(&distance, Vec3::splat(-10.0), Vec3::splat(10.0)).expect("a box");
    for [a, b, c] in mesh.corners() {
        let facing = (b - a).cross(c - a).normalize();
        let out = field.gradient((a + b + c) / 3.0, 1e-3);
        assert!(facing.dot(out) > 0.5, "{a} {b} {c}");
    }
}

#[test]
fn a_sphere() {
    for cell in [0.05, 0.1, 0.31, 0.999] {
        let mesh = around(|p| ball(p, 1.0), 1.0, cell);
        assert_sound(&mesh);
        assert_eq!(euler(&mesh), 2);
        assert!(mesh.points.iter().all(|p| ball(*p, 1.0).abs() < 1e-3 * cell), "on the surface");
    }
    let mesh = around(|p| ball(p - 0.013, 1.0), 1.1, 0.05);
    assert_near(volume(&mesh), 4.0 / 3.0 * PI, 0.003);
    assert_outward(&mesh, |p| ball(p - 0.013, 1.0));
}

#[test]
fn a_box_in_any_position() {
    let half = Vec3::new(0.5, 0.3, 0.8);
    for turn in [glam::Quat::IDENTITY, glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 0.9, 0.2)] {
        let mesh = around(|p| block(turn * p, half), 1.1, 0.025);
        assert_sound(&mesh);
        assert_eq!(euler(&mesh), 2);
        assert_near(volume(&mesh), 8.0 * half.element_product(), 0.01);
    }
}

/// All faces of the box lie in lattice planes: every value there is zero.
#[test]
fn a_box_along_the_lattice() {
    let mesh = around(|p| block(p, Vec3::splat(0.5)), 1.0, 0.125);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 2);
    assert_eq!(mesh.bounds(), Some((Vec3::splat(-0.5), Vec3::splat(0.5))));
}

#[test]
fn a_torus() {
    let mesh = around(|p| torus(p, 0.7, 0.25), 1.0, 0.03);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 0);
    assert_near(volume(&mesh), 2.0 * PI * PI * 0.7 * 0.25 * 0.25, 0.01);
    assert_outward(&mesh, |p| torus(p, 0.7, 0.25));
}

#[test]
fn a_capsule() {
    let capsule = |p: Vec3| ball(p - Vec3::Y * p.y.clamp(-0.5, 0.5), 0.3);
    let mesh = around(capsule, 1.0, 0.03);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 2);
    assert_near(volume(&mesh), PI * 0.09 + 4.0 / 3.0 * PI * 0.027, 0.01);
    assert_outward(&mesh, capsule);
}

#[test]
fn two_spheres_apart() {
    let two = |p: Vec3| ball(p - 0.5 * Vec3::X, 0.4).min(ball(p + 0.5 * Vec3::X, 0.3));
    let mesh = around(two, 1.0, 0.04);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 4);
    assert_near(volume(&mesh), 4.0 / 3.0 * PI * (0.064 + 0.027), 0.01);
}

#[test]
fn a_box_with_a_ball_taken_out() {
    let hollow = |p: Vec3| block(p, Vec3::splat(0.8)).max(-ball(p, 0.6));
    let mesh = around(hollow, 1.0, 0.04);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 4, "the outside and the cave");
    assert_near(volume(&mesh), 1.6f32.powi(3) - 4.0 / 3.0 * PI * 0.216, 0.01);
    let pierced = around(|p| block(p, Vec3::splat(0.8)).max(-ball(p, 1.0)), 1.0, 0.04);
    assert_sound(&pierced);
    assert_eq!(euler(&pierced), -8, "six windows in a ball: five handles");
}

#[test]
fn plates_thinner_than_a_cell() {
    for tilt in [0.0, 0.01, 0.1, 0.6] {
        for half in [0.001, 0.01, 0.02, 0.04] {
            let turn = glam::Quat::from_rotation_x(tilt);
            let mesh = around(|p| block(turn * (p - 0.003), Vec3::new(0.8, half, 0.8)), 1.0, 0.05);
            assert_sound(&mesh);
        }
    }
}

#[test]
fn what_leaves_the_box_is_cut_off() {
    let mesh = around(|p| p.y - 0.25, 1.0, 0.05);
    assert_sound(&mesh);
    assert_eq!(euler(&mesh), 2);
    assert_near(volume(&mesh), 4.0 * 1.25, 0.01);
    assert_eq!(around(|_| -1.0, 1.0, 0.1).bounds(), Some((-Vec3::ONE, Vec3::ONE)));
}

#[test]
fn inverted_and_impossible_boxes() {
    let unit = |p: Vec3| ball(p, 1.0);
    let mesh = polygonize(&unit, Vec3::ONE, -Vec3::ONE, 0.1);
    assert_eq!(mesh, polygonize(&unit, -Vec3::ONE, Vec3::ONE, 0.1));
    let empty = TriangleMesh::default();
    for (low, high, cell) in [
        (Vec3::NAN, Vec3::ONE, 0.1),
        (Vec3::NEG_INFINITY, Vec3::INFINITY, 0.1),
        (-Vec3::MAX, Vec3::MAX, 0.1),
        (-Vec3::ONE, Vec3::ONE, 0.0),
        (-Vec3::ONE, Vec3::ONE, -1.0),
        (-Vec3::ONE, Vec3::ONE, f32::NAN),
        (Vec3::ZERO, Vec3::ZERO, 0.1),
        (-Vec3::ONE, Vec3::new(1.0, -1.0, 1.0), 0.1),
    ] {
        assert_eq!(polygonize(&unit, low, high, cell), empty, "{low} {high} {cell}");
    }
    for cell in [3.0, 1e30, f32::INFINITY] {
        assert_sound(&around(unit, 1.0, cell));
    }
}

#[test]
fn garbage_gives_something_closed() {
    let noise = |p: Vec3| (p.x * 91.7 + p.y * 47.3 + p.z * 77.1).sin() * (p.x * p.y * 311.0).cos();
    let garbage: [&(dyn Fn(Vec3) -> f32 + Sync); 9] = [
        &|_| f32::NAN,
        &|_| f32::INFINITY,
        &|_| f32::NEG_INFINITY,
        &|_| 0.0,
        &|_| -1e-9,
        &|p| if p.x > 0.1 { f32::NAN } else { -1.0 },
        &|p| if p.x + p.y > 0.1 { f32::INFINITY } else { f32::NEG_INFINITY },
        &|p| (1e6 * (p.length() - 0.7)).sinh(),
        &noise,
    ];
    for distance in garbage {
        assert_sound(&polygonize(distance, -Vec3::ONE, Vec3::ONE, 0.09));
    }
}

#[test]
fn absurdly_fine_cells_become_coarser() {
    let field = |low, high| Clipped::new(&|_| 0.0, low, high).expect("a box");
    for (low, high) in [
        (-Vec3::ONE, Vec3::ONE),
        (Vec3::ZERO, Vec3::new(1e6, 1.0, 1.0)),
        (Vec3::splat(1e6), Vec3::splat(1e6 + 1.0)),
        (Vec3::splat(-1e9), Vec3::splat(1e9)),
        (Vec3::ZERO, Vec3::splat(1e-20)),
    ] {
        let lattice = lattice(&field(low, high), 1e-30);
        assert!(lattice.len() as u64 <= MOST_BLOCKS);
        assert!(lattice.corner(UVec3::ZERO).cmplt(lattice.corner(UVec3::ONE)).all());
        assert!(lattice.corner(SIDE * lattice.blocks).cmpgt(high).all());
    }
    let far = Vec3::splat(1000.0);
    assert_sound(&polygonize(&|p| ball(p - far, 1.0), far - 1.0, far + 1.0, 1e-9));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Balls and boxes joined and taken from each other, anywhere.
    #[test]
    fn random_shapes_are_sound(
        parts in prop::collection::vec(
            (prop::array::uniform3(-0.8f32..0.8), prop::array::uniform3(0.02f32..0.5), -3f32..3.0, 0..4u8), 1..8),
        cell in 0.04f32..0.2,
    ) {
        let distance = |p: Vec3| parts.iter().fold(f32::INFINITY, |d, &(at, size, turn, kind)| {
            let local = glam::Quat::from_rotation_z(turn) * (p - Vec3::from(at));
            let part = if kind % 2 == 0 { ball(local, size[0]) } else { block(local, size.into()) };
            if kind < 3 { d.min(part) } else { d.max(-part) }
        });
        assert_sound(&around(distance, 1.0, cell));
    }

    /// Values at random in every corner, so every case next to every other.
    #[test]
    fn random_corners_are_sound(seed in 0u32..10_000, quantum in 1u32..9) {
        let distance = |p: Vec3| {
            let c = (p * 8.0).round().as_ivec3();
            let mixed = [c.x, c.y, c.z].iter().fold(seed, |h, &v| {
                (h ^ v as u32).wrapping_mul(0x9E37_79B1).rotate_left(13).wrapping_mul(0x85EB_CA6B)
            });
            ((mixed >> 8) % (2 * quantum + 1)) as f32 / quantum as f32 - 1.0
        };
        assert_sound(&around(distance, 1.0, 0.125));
    }
}
