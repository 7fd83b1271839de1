//! What is repaired, and what the user is told.

use crate::cube::{self, assert_is_cube};
use crate::{brought, refusal};
use ondine_io::mesh_in::{Format, Repair};

fn obj(text: &str) -> ondine_io::mesh_in::Brought {
    brought(text.as_bytes(), Format::Obj)
}

#[test]
fn equal_points_are_joined_and_minus_zero_is_zero() {
    let text = cube::obj().replace("f 1 3 4 2", "v -0 0 -0.0\nf 9 3 4 2");
    let brought = obj(&text);
    assert_is_cube(&brought.mesh, "welded");
    assert_eq!(brought.repairs, [Repair::Welded(1)]);
    assert_eq!(brought.repairs[0].to_string(), "1 point joined with others in exactly the same place.");
}

#[test]
fn flat_triangles_and_unused_points_are_dropped() {
    let text = cube::obj() + "v 0.5 0 0\nv 9 9 9\nv nan 0 0\nf 1 1 2\nf 1 9 2\n";
    let brought = obj(&text);
    assert_is_cube(&brought.mesh, "dropped");
    assert_eq!(brought.repairs, [Repair::Flat(2), Repair::Unused(3)]);
    let told: Vec<_> = brought.repairs.iter().map(Repair::to_string).collect();
    assert_eq!(told, ["2 triangles without area dropped.", "3 points that no triangle uses dropped."]);
}

#[test]
fn tiny_and_huge_triangles_have_area() {
    for scale in ["1e-38", "1e38"] {
        let text = format!("v 0 0 0\nv {scale} 0 0\nv 0 {scale} 0\nf 1 2 3\n");
        assert!(obj(&text).repairs.is_empty());
    }
}

#[test]
fn inverted_triangles_are_turned_over() {
    let text = cube::obj().replace("f 1 3 4 2", "f 2 4 3 1");
    let brought = obj(&text);
    assert_eq!(brought.repairs, [Repair::Turned(2)]);
    assert!((cube::volume(&brought.mesh) - 1.0).abs() < 1e-6);
    assert_eq!(
        brought.repairs[0].to_string(),
        "2 triangles turned over to face the same way as the neighbours."
    );
}

#[test]
fn a_closed_surface_that_faces_inwards_is_turned_inside_out() {
    let mirrored = cube::obj().replace("v 1", "v -1");
    let brought = obj(&mirrored);
    assert_eq!(brought.repairs, [Repair::InsideOut]);
    assert!((cube::volume(&brought.mesh) - 1.0).abs() < 1e-6);
    // With part of it the right way already, the two repairs come together.
    let both = mirrored.replace("f 1 3 4 2", "f 2 4 3 1");
    assert_eq!(obj(&both).repairs, [Repair::Turned(2), Repair::InsideOut]);
}

#[test]
fn cavities_and_open_surfaces_keep_their_sides() {
    let inner: String =
        cube::POINTS.iter().map(|[x, y, z]| format!("v {} {} {}\n", 3.0 + x, 3.0 + y, 3.0 + z)).collect();
    let outer: String = cube::POINTS
        .iter()
        .map(|p| p.map(|x| 10.0 * x))
        .map(|[x, y, z]| format!("v {x} {y} {z}\n"))
        .collect();
    let faces = |offset: u32, back: bool| -> String {
        let all = cube::QUADS.iter().map(|q| q.map(|i| i + offset));
        all.map(
            |[a, b, c, d]| if back { format!("f {d} {c} {b} {a}\n") } else { format!("f {a} {b} {c} {d}\n") },
        )
        .collect()
    };
    let hollow = obj(&format!("{outer}{inner}{}{}", faces(1, false), faces(9, true)));
    assert!(hollow.repairs.is_empty(), "{:?}", hollow.repairs);
    assert!((cube::volume(&hollow.mesh) - 999.0).abs() < 1e-2);
    // A box without its lid, facing inwards.
    let open = cube::obj().replace("v 1", "v -1").replace("f 1 3 4 2\n", "");
    assert!(obj(&open).repairs.is_empty());
}

#[test]
fn a_moebius_strip_is_left_as_it_is() {
    // Five triangles in a ring: each shares a side with the next.
    let points: String = (0..5).map(|i| format!("v {} {} {}\n", i * i, i * i * i, i)).collect();
    let faces: String =
        (0..5).map(|i| format!("f {} {} {}\n", i % 5 + 1, (i + 1) % 5 + 1, (i + 2) % 5 + 1)).collect();
    let brought = obj(&(points + &faces));
    assert!(brought.repairs.is_empty(), "{:?}", brought.repairs);
    assert_eq!(brought.mesh.triangles[0], [0, 1, 2]);
}

#[test]
fn nothing_left_is_an_error() {
    let line = refusal("v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", Format::Obj);
    assert_eq!(line, "mesh: no triangles: none of its 1 has any area; export a mesh with faces");
}
