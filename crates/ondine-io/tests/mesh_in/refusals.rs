//! What is refused, and how the user is told.

use crate::{cube, refusal};
use ondine_io::mesh_in::{Format, MeshError, Place, Problem, parse, read};
use std::path::Path;

#[track_caller]
fn assert_refused(bytes: impl AsRef<[u8]>, format: Format, expected: &str) {
    let found = refusal(&bytes, format);
    assert!(found.contains(expected), "{:?} gave: {found}", String::from_utf8_lossy(bytes.as_ref()));
}

/// Each text, and the refusal that it must get.
#[track_caller]
fn check(format: Format, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_refused(text, format, expected);
    }
}

/// The text with one thing in it, which must be there, replaced.
fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

/// The bytes with some of them written over.
fn overwritten(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn obj_files() {
    let square = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let with = |more: &str| format!("{square}{more}");
    check(
        Format::Obj,
        &[
            ("v 0 0\n", "mesh, line 1: a point has fewer than three coordinates; correct it there"),
            ("v 0 0 1,5\n", "line 1: `1,5` is not a number"),
            ("once upon a time\n", "mesh: no line of this OBJ file is a point (v) or a face (f)"),
            (&with(""), "mesh: no triangles: 3 points and no faces; export a mesh with faces"),
            (&with("f 1 2\n"), "line 4: a face has 2 corners, and needs three"),
            (&with("f\n"), "line 4: a face has no corners"),
            (&with("f 1 2 4\n"), "line 4: a face names point 4, and there are 3 points"),
            (&with("\nf 0 1 2\n"), "line 5: the corner `0` names point 0, and points are counted from 1"),
            (&with("f -4 1 2\n"), "line 4: the corner `-4` counts back beyond the first point"),
            (&with("f 1 2 99999999999999\n"), "line 4: the corner `99999999999999` names a point far beyond"),
            (&with("f 1 2 -9223372036854775808\n"), "counts back beyond"),
            (&with("f 1 2 x/3\n"), "line 4: the corner `x/3` does not begin with the number of a point"),
            (
                "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                "line 1: a point has a coordinate that is not a number",
            ),
            ("v 0 0 0\nv 1 -inf 0\nv 0 1 0\nf 1 2 3\n", "line 2: a point has a coordinate"),
            ("v 0 0 0\nv 1 0 0\nv 0 1e39 0\nf 1 2 3\n", "line 3: a point has a coordinate"),
        ],
    );
}

#[test]
fn ply_files() {
    let plain = cube::ply_text();
    let but = |old: &str, new: &str| replaced(&plain, old, new);
    check(
        Format::Ply,
        &[
            ("plywood\n", "line 1: a PLY file begins with a line `ply`"),
            ("ply\nformat ascii 1.0\n", "mesh: the header has no end_header; the file is cut short"),
            ("ply\nend_header\n", "line 2: the header names no format"),
            (&but("ascii", "utf8"), "line 2: the PLY format `utf8` cannot be read; export it as ascii"),
            (&but("float x", "half x"), "line 5: `half` is no type of a property"),
            (&but("float x", "float w"), "line 4: a vertex has no property `x`"),
            (&but("vertex_indices", "colours"), "line 8: a face has no list property `vertex_indices`"),
            (&but("list uchar int", "int"), "line 8: a face has no list property"),
            (&but("comment a cube", "property float x"), "line 3: a property comes before any element"),
            (&but("vertex 8", "vertex many"), "line 4: `many` is no number of records"),
            (&but("comment", "remark"), "line 3: `remark a cube` is no line of a PLY header"),
            (&but("property float y", "property float"), "line 6: a property needs a type and a name"),
            (
                &but("vertex 8", "vertex 4000000000"),
                "line 4: 4000000000 of `vertex` announced, which take at least 23999999999 bytes",
            ),
            (&but("face 6", "face 18446744073709551615"), "line 8: 18446744073709551615 of `face` announced"),
            (
                &but("face 6", "face 7"),
                "line 25: the file ends before the last record that its header announces",
            ),
            (&but("4 0 2 3 1", "4 0 2 3 8"), "line 19: a face names point 8, and there are 8 points"),
            (&but("4 0 2 3 1", "4 0 2 3 -1"), "line 19: -1 is no point"),
            (&but("4 0 2 3 1", "2 0 2 3 1"), "line 19: a face has 2 corners"),
            (&but("4 0 2 3 1", "1e9 0 2 3 1"), "the file ends before the last record"),
            (&but("4 0 2 3 1", "4 0 2 3 one"), "line 19: `one` is not a number"),
            (&but("1 1 1\n", "1 1 nan\n"), "line 18: a point has a coordinate that is not a number"),
            (&but("face 6", "face 0"), "no triangles: 8 points and no faces"),
        ],
    );
    let bytes = cube::ply_binary(false);
    let header = cube::ply_header("binary_little_endian").len();
    assert_refused(&bytes[..bytes.len() - 1], Format::Ply, "the file ends before the last record");
    let short = "8 of `vertex` announced, which take at least 96 bytes, but 90 are left";
    assert_refused(&bytes[..header + 90], Format::Ply, short);
    let infinite = overwritten(&bytes, header + 12, &f32::INFINITY.to_le_bytes());
    let place = format!("byte {}: a point has a coordinate", header + 12);
    assert_refused(infinite, Format::Ply, &place);
}

#[test]
fn stl_files() {
    let plain = cube::stl_text();
    let but = |old: &str, new: &str| replaced(&plain, old, new);
    let cut = &plain[..plain.len() / 2];
    let cut = &cut[..cut.rfind('\n').unwrap()];
    check(
        Format::Stl,
        &[
            ("not a mesh", "mesh: 10 bytes are neither a text nor a binary STL file"),
            (cut, "line 1: the solid that begins here has no endsolid; the file is cut short"),
            ("solid\nendsolid\n", "no triangles: 0 points and no faces"),
            (&but("vertex 0 0 0", "vertex 0 0"), "line 4: a vertex has fewer than three coordinates"),
            (&but("vertex 0 0 0", "vertex 0 0 o"), "line 4: `o` is not a number"),
            (&but("vertex 0 0 0", "vertex 0 0 inf"), "line 4: a point has a coordinate that is not a number"),
            (&but("vertex 0 0 0\n", "\n"), "line 7: a face has 2 corners"),
            (&but("outer loop", ""), "line 4: a vertex stands outside of an outer loop"),
            (&but("facet normal", "triangle"), "line 2: `triangle` is no word of an STL file"),
        ],
    );
    let bytes = cube::stl_binary();
    let short = &bytes[..bytes.len() - 1];
    let short = [b"BINARY", &short[6..]].concat();
    let told = "byte 80: 12 triangles announced, which take 684 bytes, but 683 found";
    assert_refused(&short, Format::Stl, told);
    let absurd = overwritten(&short, 80, &u32::MAX.to_le_bytes());
    assert_refused(absurd, Format::Stl, "4294967295 triangles announced");
    let nan = overwritten(&bytes, 84 + 12, &f32::NAN.to_le_bytes());
    assert_refused(nan, Format::Stl, "byte 96: a point has a coordinate");
}

#[test]
fn gltf_files() {
    let plain = cube::gltf();
    let but = |old: &str, new: &str| replaced(&plain, old, new);
    check(
        Format::Gltf,
        &[
            ("[1, 2, 3]", "mesh: this is not a glTF document ("),
            ("{\"asset\":", "this is not a glTF document (EOF while parsing"),
            (&but("2.0", "1.0"), "mesh: glTF version `1.0` cannot be read; export the mesh as glTF 2.0"),
            (&but("\"scene\":0", "\"scene\":7"), "scene 7 does not exist"),
            (&but("{\"nodes\":[0]}", "{\"nodes\":[5]}"), "node 5 does not exist"),
            (&but("\"mesh\":0", "\"mesh\":3"), "mesh 3 does not exist"),
            (&but("\"mesh\":0", "\"mesh\":0,\"children\":[0]"), "node 0 has two parents, or is its own"),
            (&but("\"children\":[1]", "\"children\":[1,1]"), "node 1 has two parents, or is its own"),
            (&but("\"POSITION\":0", "\"POSITION\":9"), "mesh 0, primitive 0: accessor 9 does not exist"),
            (&but("\"POSITION\":0", "\"NORMAL\":0"), "no triangles: 0 points and no faces"),
            (&but("\"indices\":1", "\"indices\":0"), "accessor 0 should be of type SCALAR"),
            (&but("VEC3", "VEC2"), "accessor 0 should be of type VEC3"),
            (&but("5126", "5127"), "accessor 0 has an unknown component type"),
            (&but("\"bufferView\":0,", ""), "accessor 0 has no buffer view, or is compressed"),
            (&but("\"bufferView\":0", "\"bufferView\":4"), "buffer view 4 does not exist"),
            (&but("\"buffer\":0", "\"buffer\":4"), "buffer view 0 names buffer 4, which does not exist"),
            (
                &but("\"count\":8", "\"count\":4000000000"),
                "4000000000 rows from byte 0 do not fit buffer view 0 of 96 bytes; the file is cut short",
            ),
            (&but("\"count\":8", "\"count\":18446744073709551615"), "do not fit buffer view 0"),
            (
                &but("\"count\":8", "\"count\":7"),
                "mesh 0, primitive 0: a face names point 7, and there are 7 points",
            ),
            (&but("\"count\":36", "\"count\":35"), "35 corners do not make up triangles"),
            (
                &but("\"byteLength\":96", "\"byteLength\":96,\"byteStride\":4"),
                "buffer view 0 has a stride of 4 bytes for rows of 12",
            ),
            (
                &but("\"byteOffset\":96", "\"byteOffset\":18446744073709551615"),
                "buffer view 1 reaches to byte",
            ),
            (&but("\"byteLength\":168", "\"byteLength\":169"), "buffer 0 announces 169 bytes and has 168"),
            (&but("base64,", "base64,*"), "its base64 is damaged"),
            (&but(";base64,", ","), "its data are not in base64"),
            (
                &but("data:", "file:"),
                "no folder is known to look for it; put it beside the file, or export the mesh as GLB",
            ),
            (
                &but("\"scene\":0", "\"scene\":0,\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]"),
                "the glTF extension `KHR_draco_mesh_compression` cannot be read; export the mesh without compression",
            ),
            (&but("[1,2,3]", "[1e39,0,0]"), "number out of range at line 2"),
            (
                &but("[1,2,3]", "[0,0,0],\"scale\":[3e38,3e38,3e38]"),
                "mesh 0, primitive 0: a point has a coordinate",
            ),
        ],
    );
}

#[test]
fn glb_files() {
    let plain = cube::glb();
    let cases: &[(usize, &[u8], &str)] = &[
        (0, b"GLTF", "byte 0: a GLB file begins with the letters glTF"),
        (4, &[1], "version 1 of GLB cannot be read"),
        (8, &[0, 0, 0, 0], "byte 12: no JSON chunk"),
        (8, &[0, 0, 0, 0x80], "byte 8: 2147483648 bytes announced"),
        (12, &[0xff; 4], "byte 12: the JSON chunk announces 4294967295 bytes and has"),
        (16, b"NOSJ", "byte 12: a JSON chunk should begin here"),
    ];
    for (at, new, expected) in cases {
        assert_refused(overwritten(&plain, *at, new), Format::Glb, expected);
    }
    assert_refused(&plain[..6], Format::Glb, "the file ends inside of the GLB header");
    assert_refused(&plain[..plain.len() - 1], Format::Glb, "bytes announced, but");
    let no_chunk = cube::glb_of(&cube::gltf_around(""), &[]);
    assert_refused(no_chunk, Format::Glb, "buffer 0 announces 168 bytes and has 0");
    let told = "buffer `0`: it should be in a binary chunk, and there is none";
    assert_refused(cube::gltf_around(""), Format::Gltf, told);
}

#[test]
fn empty_files() {
    for format in Format::ALL {
        assert_eq!(refusal("", format), "mesh: the file is empty; export the mesh again");
    }
}

#[test]
fn files_that_are_no_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        read(&path).unwrap_err().to_string()
    };
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0";
    assert!(
        written("picture", picture).ends_with("this is not a mesh; give an OBJ, PLY, STL, glTF or GLB file")
    );
    assert!(written("picture.png", picture).contains("this is not a mesh"));
    assert!(written("picture.obj", picture).contains("no line of this OBJ file is a point"));
    assert!(written("picture.stl", picture).contains("neither a text nor a binary STL"));
    assert!(written("picture.glb", picture).contains("begins with the letters glTF"));
    assert!(written("empty.stl", b"").contains("empty.stl: the file is empty"));
    assert!(written("empty", b"").contains("the file is empty"));
    let error = read(folder.path()).unwrap_err();
    assert!(
        matches!(error, MeshError::Folder { .. })
            && error.to_string().contains("is a folder; name a mesh file inside it")
    );
    let error = read(Path::new("no/such.obj")).unwrap_err().to_string();
    assert!(error.starts_with("no/such.obj: ") && error.contains("check the name"), "{error}");
    #[cfg(unix)]
    assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("a device or a pipe"));
}

#[test]
fn faults_are_typed_and_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.obj");
    std::fs::write(&path, "v 0 0 0\nf 1 2 3\n").unwrap();
    let expected = Problem::NoSuchPoint { number: 3, points: 1 };
    match read(&path).unwrap_err() {
        MeshError::Refused { path: Some(named), place: Place::Line(2), problem } => {
            assert_eq!((named, problem), (path, expected));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_limits_hold_before_memory_is_taken() {
    // A thousand instances of a mesh of twenty-four thousand triangles, in a file of a hundred thousand bytes.
    let corners: Vec<u8> = (0..72_000u32).map(|i| (i % 3) as u8).collect();
    let nodes = vec![r#"{"mesh":0}"#; 1000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5121,"count":3,"type":"VEC3"}},
{{"bufferView":0,"componentType":5121,"count":72000,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":72000}}],"buffers":[{{"byteLength":72000}}]}}"#
    );
    let refused = refusal(cube::glb_of(&json, &corners), Format::Glb);
    assert!(refused.contains("more than 20000000 triangles; simplify the mesh"), "{refused}");
}

#[test]
fn a_million_faces_take_seconds_at_most() {
    let start = std::time::Instant::now();
    let (w, h) = (1000, 500);
    let points: String = (0..=h).flat_map(|y| (0..=w).map(move |x| format!("v {x} {y} 0\n"))).collect();
    let row = w + 1;
    let faces: String = (0..h)
        .flat_map(|y| (0..w).map(move |x| y * row + x + 1))
        .map(|a| format!("f {a} {} {} {}\n", a + 1, a + 1 + row, a + row))
        .collect();
    let brought = parse((points + &faces).as_bytes(), Format::Obj, None).unwrap();
    assert_eq!(brought.mesh.triangles.len(), 1_000_000);
    assert!(brought.repairs.is_empty());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
