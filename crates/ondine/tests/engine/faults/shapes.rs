//! Shapes without sense, and shapes made of too many others.

use super::*;

fn mesh(file: &str) -> Shape {
    Shape::Mesh(MeshFile { file: file.into(), scale: 1.0, thickness: None, cell: None })
}

/// Shapes in one another, so many deep.
fn deep(depth: usize) -> Shape {
    (1..depth).fold(Shape::Sphere { radius: 0.1 }, |inner, _| mould(inner))
}

/// A shape of so many parts.
fn wide(parts: usize) -> Shape {
    let part = |i| Part::new(Shape::Sphere { radius: 0.01 }, [0.5, 0.001 * i as f32, 0.0]);
    Shape::Union(Blend { of: (0..parts).map(part).collect(), smooth: 0.0 })
}

#[test]
fn shapes_without_sense_are_errors() {
    let cases: &[Case] = &[
        (
            |s| s.object[0].shape = Shape::HalfSpace { normal: [0.0; 3] },
            "object.floor.shape.half_space.normal",
            "no direction",
        ),
        (
            |s| s.liquid[0].fill[0].shape = s.object[0].shape.clone(),
            "liquid.water.fill.0.shape",
            "half-space has no end",
        ),
        (
            |s| s.liquid[0].fill[0].shape = mould(mould(Shape::Sphere { radius: 0.1 })),
            "liquid.water.fill.0.shape",
            "this shape has no end",
        ),
        (
            |s| s.object[1].shape = Shape::Union(Blend { of: vec![], smooth: 0.0 }),
            "object.post.shape",
            "no shapes in it",
        ),
        (
            |s| s.drain[0].shape = mould(Shape::Intersection(Blend { of: vec![], smooth: 0.0 })),
            "drain.sink.shape.mould.of",
            "no shapes in it",
        ),
        (
            |s| s.object[1].shape = union(Shape::HalfSpace { normal: [0.0; 3] }),
            "object.post.shape.union.of.0.shape.half_space.normal",
            "no direction",
        ),
        (
            |s| s.object[1].shape = union(Shape::Box { size: [1.0, 0.0, 1.0] }),
            "object.post.shape.union.of.0.shape.box.size.1",
            "out of range",
        ),
        (
            |s| s.object[1].shape = Shape::Torus { radius: 0.1, tube: 0.2 },
            "object.post.shape.torus.tube",
            "cross itself",
        ),
        (|s| s.object[1].shape = wide(1001), "object.post.shape", "more than 1000 shapes"),
        (
            |s| s.liquid[0].fill[0].shape = union(mesh("stool.obj")),
            "liquid.water.fill.0.shape.union.of.0.shape.mesh.file",
            "\"stool.obj\" has not been read",
        ),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn shapes_too_deep_are_errors() {
    let path = format!("object.post.shape{}", ".mould.of".repeat(15));
    let cases =
        [17, 3000].map(|depth| (move |s: &mut Scene| s.object[1].shape = deep(depth), &path, "16 deep"));
    assert_found(good(), &cases, Severity::Error);
}

#[test]
fn shapes_as_deep_and_as_wide_as_may_be_are_no_errors() {
    for shape in [deep(16), wide(1000)] {
        let mut scene = good();
        scene.object[1].shape = shape;
        // It may well leave no room for the liquid.
        assert!(
            scene.faults().iter().all(|f| f.severity != Severity::Error || f.path == "liquid.water.fill.0")
        );
    }
}
