//! Outlines and inertia of shapes do not depend on the number of threads.

use glam::Vec3;
use ondine::objects::{MassProperties, TriangleMesh, polygonize};

fn shape(p: Vec3) -> f32 {
    let ball = |at: f32, radius: f32| (p - Vec3::splat(at)).length() - radius;
    ball(0.0, 0.9).min(ball(0.5, 0.4)).max(-ball(0.4, 0.5))
}

fn both() -> (TriangleMesh, MassProperties) {
    let (low, high) = (-Vec3::ONE, Vec3::ONE);
    (polygonize(&shape, low, high, 0.02), MassProperties::of_distance(&shape, low, high, 100))
}

#[test]
fn objects_are_outlined_and_weighed_the_same_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(both)
    };
    let alone = on(1);
    assert!(alone.0.triangles.len() > 10_000);
    assert!(alone == on(2), "2 threads");
    assert!(alone == on(8), "8 threads");
}
