//! The unit cube in every format, and what must be true of it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ondine::objects::TriangleMesh;
use ondine_io::mesh_in::Format;

/// Corners by the bits of their numbers: x is the lowest.
pub const POINTS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];

/// Sides, against the clock from outside.
pub const QUADS: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// The sides as fans.
pub fn triangles() -> Vec<[u32; 3]> {
    QUADS.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

/// Volume within a closed mesh, by signed tetrahedra.
pub fn volume(mesh: &TriangleMesh) -> f32 {
    mesh.corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// The triangles by their corners, each from its lowest, in order: equal for equal meshes however they are numbered.
pub fn canonical(mesh: &TriangleMesh) -> Vec<[[i64; 3]; 3]> {
    let micrometres = |p: f32| (f64::from(p) * 1e6).round() as i64;
    let mut all: Vec<_> = mesh
        .corners()
        .map(|corners| {
            let mut corners = corners.map(|p| p.to_array().map(micrometres));
            let lowest = (0..3).min_by_key(|&i| corners[i]).unwrap();
            corners.rotate_left(lowest);
            corners
        })
        .collect();
    all.sort();
    all
}

pub fn assert_is_cube(mesh: &TriangleMesh, what: &str) {
    assert_eq!((mesh.points.len(), mesh.triangles.len()), (8, 12), "{what}");
    assert!((volume(mesh) - 1.0).abs() < 1e-5, "{what}: {}", volume(mesh));
    let points = POINTS.map(glam::Vec3::from_array).to_vec();
    let expected = TriangleMesh { points, triangles: triangles() };
    assert_eq!(canonical(mesh), canonical(&expected), "{what}");
}

pub fn obj() -> String {
    let points: String = POINTS.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let faces: String =
        QUADS.map(|q| q.map(|i| i + 1)).iter().map(|[a, b, c, d]| format!("f {a} {b} {c} {d}\n")).collect();
    format!("# a cube\no cube\n{points}{faces}")
}

pub fn ply_header(format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty float y\n\
         property float z\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

pub fn ply_text() -> String {
    let points: String = POINTS.iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let faces: String = QUADS.iter().map(|[a, b, c, d]| format!("4 {a} {b} {c} {d}\n")).collect();
    ply_header("ascii") + &points + &faces
}

pub fn ply_binary(big: bool) -> Vec<u8> {
    let float = |x: f32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
    let int = |x: u32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
    let header = ply_header(if big { "binary_big_endian" } else { "binary_little_endian" });
    let mut bytes = header.into_bytes();
    bytes.extend(POINTS.as_flattened().iter().flat_map(|&x| float(x)));
    for quad in QUADS {
        bytes.push(4);
        bytes.extend(quad.iter().flat_map(|&i| int(i)));
    }
    bytes
}

pub fn stl_text() -> String {
    let corner = |i: u32| {
        let [x, y, z] = POINTS[i as usize];
        format!("      vertex {x} {y} {z}\n")
    };
    let facet = |t: [u32; 3]| {
        let corners = t.map(corner).concat();
        format!("  facet normal 0 0 0\n    outer loop\n{corners}    endloop\n  endfacet\n")
    };
    let facets: String = triangles().into_iter().map(facet).collect();
    format!("solid the cube\n{facets}endsolid the cube\n")
}

pub fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid, says the title of a binary file".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(12u32.to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|&i| POINTS[i as usize]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

/// Points, then corners as two bytes each: 96 and 72 bytes.
pub fn buffer() -> Vec<u8> {
    let points = POINTS.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    let corners = triangles().into_iter().flatten().flat_map(|i| (i as u16).to_le_bytes());
    points.chain(corners).collect()
}

/// A document around a buffer as [`buffer`] gives it. One node moves and turns the cube, the other back.
pub fn gltf_around(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"children":[1],"translation":[1,2,3],"rotation":[0,0,0.70710678,0.70710678]}},
{{"mesh":0,"translation":[-2,1,-3],"rotation":[0,0,-0.70710678,0.70710678]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
{{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}}],
"buffers":[{{"byteLength":168{buffer}}}]}}"#
    )
}

/// With the buffer inside the document.
pub fn gltf() -> String {
    let data = STANDARD.encode(buffer());
    gltf_around(&format!(r#","uri":"data:application/octet-stream;base64,{data}""#))
}

pub fn glb() -> Vec<u8> {
    glb_of(&gltf_around(""), &buffer())
}

pub fn glb_of(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |n: usize| (n as u32).to_le_bytes();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    [
        &b"glTF"[..],
        &word(2),
        &word(length),
        &word(json.len()),
        b"JSON",
        &json,
        &word(binary.len()),
        b"BIN\0",
        binary,
    ]
    .concat()
}

/// The cube in every form.
pub fn all() -> Vec<(Format, Vec<u8>)> {
    vec![
        (Format::Obj, obj().into()),
        (Format::Ply, ply_text().into()),
        (Format::Ply, ply_binary(false)),
        (Format::Ply, ply_binary(true)),
        (Format::Stl, stl_text().into()),
        (Format::Stl, stl_binary()),
        (Format::Gltf, gltf().into()),
        (Format::Glb, glb()),
    ]
}
