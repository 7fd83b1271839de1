//! What the tests of exporters share, and the meshes of its objects.

use super::{ExportFrame, ObjectMesh};
use glam::{Quat, Vec2, Vec3};
use ondine::objects::{Meshes, TriangleMesh};
use ondine::scene::{Object, Placement, Shape};
use ondine::{Frame, Particles, Pose, Scene, Surface, SystemKind};

/// A small closed surface. Its colours are whole bytes.
pub fn pyramid(name: &str) -> Surface {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, 0.5 * Vec3::Z];
    Surface {
        name: name.into(),
        mesh: TriangleMesh { points, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] },
        normal: vec![[-0.6, -0.8, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        velocity: vec![[0.0, -9.81, 0.0], [1.5, 0.0, 0.0], [1e-7, 0.0, 0.0], [0.1, 0.2, 0.3]],
        color: vec![[0.2, 0.4, 1.0]; 4],
    }
}

/// A pyramid whose points have two places in a texture each, but the first, which has one. Halves are exact however they are counted.
pub fn textured() -> ObjectMesh {
    let mesh = pyramid("").mesh;
    let place = |t: usize, i: u32| match i {
        0 => Vec2::new(0.5, 0.25),
        _ => Vec2::new(0.125 * i as f32, if t < 2 { 0.5 } else { 0.75 }),
    };
    let uv = mesh.triangles.iter().enumerate().map(|(t, corners)| corners.map(|i| place(t, i))).collect();
    ObjectMesh { mesh, uv, ..ObjectMesh::default() }
}

/// As many particles as asked for, in a row.
pub fn row(name: &str, count: u32) -> Particles {
    let along = |scale: f32| (0..count).map(|i| [scale * i as f32, 0.25, -0.5]).collect();
    Particles {
        name: name.into(),
        radius: 0.125,
        color: [0.5, 0.0, 1.0],
        position: along(0.5),
        velocity: along(-2.0),
        density: (0..count).map(|i| 1000.0 + i as f32).collect(),
        id: (0..count).map(|i| 7 * i).collect(),
        ..Particles::default()
    }
}

/// An object that is somewhere, turned by a right angle about y.
pub fn pose(name: &str) -> Pose {
    Pose {
        name: name.into(),
        enabled: true,
        visible: true,
        placement: Placement {
            at: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_xyzw(0.0, 0.5f32.sqrt(), 0.0, 0.5f32.sqrt()),
        },
        velocity: [0.0; 3],
        spin: [0.0; 3],
    }
}

/// A frame with a surface, two systems of strange names (the second without particles), an object with a mesh and one
/// without.
pub fn frame(index: u32) -> ExportFrame {
    let frame = Frame {
        index,
        time: f64::from(index) / 30.0,
        particles: vec![row("a b", 3 + index), row("a-b", 0)],
        objects: vec![pose("cup"), pose("floor")],
    };
    ExportFrame {
        frame,
        surfaces: vec![pyramid("a b"), Surface { name: "a-b".into(), ..Surface::default() }],
    }
}

/// The same with three balls of unlike radii that turn, and have no surface.
pub fn with_balls(index: u32) -> ExportFrame {
    let mut frame = frame(index);
    let orientation = vec![[0.6, 0.0, 0.0, 0.8], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let radii = vec![0.125, 0.25, 0.375];
    frame.frame.particles.push(Particles {
        kind: SystemKind::Balls,
        radius: 0.375,
        radii,
        orientation,
        ..row("marbles", 3)
    });
    frame
}

/// The same with two particles of an effect, of unlike colours.
pub fn with_effect(index: u32) -> ExportFrame {
    let mut frame = frame(index);
    frame.frame.particles.push(Particles {
        kind: SystemKind::Effect,
        radii: vec![0.125, 0.0625],
        colors: vec![[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.2, 0.25]],
        ..row("sparks", 2)
    });
    frame
}

/// The meshes of the objects of [`frame`].
pub fn object_meshes() -> Vec<ObjectMesh> {
    let color = [0.8, 0.8, 0.8];
    vec![
        ObjectMesh { mesh: pyramid("cup").mesh, color, ..ObjectMesh::default() },
        ObjectMesh { color, ..ObjectMesh::default() },
    ]
}

/// The volume that a mesh surrounds [m³]: negative if its outside is within.
fn volume(mesh: &TriangleMesh) -> f32 {
    mesh.corners().map(|[a, b, c]| a.dot(b.cross(c))).sum::<f32>() / 6.0
}

#[test]
fn objects_are_seen_from_outside() {
    let object = |shape| Object::new("o", shape, [0.0; 3]);
    let size = [1.0, 1.0, 1.0];
    let shapes = [
        Shape::Box { size },
        Shape::Container { size, open: false },
        Shape::HalfSpace { normal: [0.0, 1.0, 0.0] },
    ];
    let scene = Scene { object: shapes.map(object).into(), ..Scene::default() };
    let object_meshes = super::object_meshes(&scene, &Meshes::default());
    let volumes: Vec<f32> = object_meshes.iter().map(|object_mesh| volume(&object_mesh.mesh)).collect();
    assert!((volumes[0] - 1.0).abs() < 1e-6 && (volumes[1] + 1.0).abs() < 1e-6, "{volumes:?}");
    assert_eq!(object_meshes[2].mesh.triangles.len(), 2);
    assert_eq!(object_meshes[0].color, scene.object[0].color);
}
