//! Half-spaces for programs in which everything has an end: a square, wide enough to look like the ground of pictures.

use super::ObjectMesh;
use glam::{Quat, Vec3};
use ondine::Scene;
use ondine::objects::{TriangleMesh, faces_of};
use ondine::scene::Shape;

/// Half the side of the square, over how far away from the half-space's place anything is: as wide as a camera near the scene sees.
const WIDE: f32 = 10.0;

/// Gives every half-space of a scene its square.
pub fn lay(scene: &Scene, object_meshes: &mut [ObjectMesh]) {
    if !scene.all_objects().any(|o| matches!(o.shape, Shape::HalfSpace { .. })) {
        return;
    }
    let things = things(scene, object_meshes);
    for (object, object_mesh) in scene.all_objects().zip(object_meshes) {
        if let Shape::HalfSpace { normal } = object.shape {
            let away = things.iter().map(|p| p.distance(object.at.into())).fold(0.0, f32::max);
            let reach = if away > 0.0 && away.is_finite() { away } else { 1.0 };
            object_mesh.mesh = square(normal.into(), WIDE * reach);
        }
    }
}

/// Points of everything that has an end, where it is at the start [m].
fn things(scene: &Scene, object_meshes: &[ObjectMesh]) -> Vec<Vec3> {
    let mut things = Vec::new();
    for (object, object_mesh) in scene.all_objects().zip(object_meshes) {
        let place = object.placement();
        things.extend(object_mesh.mesh.points.iter().map(|p| place.to_world(*p)));
    }
    for liquid in &scene.liquid {
        for fill in &liquid.fill {
            let place = fill.placement();
            things
                .extend(faces_of(&fill.shape, &scene.meshes).mesh.points.iter().map(|p| place.to_world(*p)));
        }
        things.extend(liquid.emitter.iter().map(|emitter| Vec3::from(emitter.at)));
    }
    things.retain(|p| p.is_finite());
    things
}

/// A square of two triangles, seen from where its normal points.
fn square(normal: Vec3, half: f32) -> TriangleMesh {
    let turn = Quat::from_rotation_arc(Vec3::Y, normal.normalize_or(Vec3::Y));
    let corner = |x: f32, z: f32| turn * Vec3::new(half * x, 0.0, half * z);
    let points = vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    TriangleMesh { points, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

#[cfg(test)]
mod tests {
    use super::super::object_meshes;
    use super::*;
    use ondine::objects::Meshes;
    use ondine::scene::Object;

    #[test]
    fn a_half_space_is_a_wide_square_that_looks_up() {
        let floor = |normal| Object::new("floor", Shape::HalfSpace { normal }, [0.0; 3]);
        let cube = Object::new("cube", Shape::Box { size: [2.0; 3] }, [3.0, 1.0, 0.0]);
        for normal in [[0.0, 1.0, 0.0], [0.0, -2.0, 0.0], [1.0, 1.0, 0.3]] {
            let scene = Scene { object: vec![floor(normal), cube.clone()], ..Scene::default() };
            let square = object_meshes(&scene, &Meshes::default()).swap_remove(0).mesh;
            let up = Vec3::from(normal).normalize();
            for [a, b, c] in square.corners() {
                assert!((b - a).cross(c - a).normalize().distance(up) < 1e-5, "{normal:?}");
            }
            let reach = Vec3::new(4.0, 2.0, 1.0).length();
            for p in &square.points {
                assert!(p.dot(up).abs() < 1e-3 * WIDE * reach, "{p}");
                assert!((p.length() - 2f32.sqrt() * WIDE * reach).abs() < 1e-3 * WIDE * reach, "{p}");
            }
        }
    }

    #[test]
    fn alone_it_has_an_end_too() {
        let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        let scene = Scene { object: vec![floor], ..Scene::default() };
        let points = object_meshes(&scene, &Meshes::default()).swap_remove(0).mesh.points;
        assert!(points.len() == 4 && points.iter().all(|p| p.abs().max_element() == WIDE));
    }
}
