//! What each format allows.

use crate::cube::{self, assert_is_cube};
use crate::{brought, refusal};
use glam::{Vec2, Vec3};
use ondine_io::mesh_in::{Brought, Format, Repair, parse, read};

#[test]
fn the_cube_is_the_same_from_every_format() {
    for (format, bytes) in cube::all() {
        let brought = brought(&bytes, format);
        assert_is_cube(&brought.mesh, &format.to_string());
        let expected = if format == Format::Stl { vec![Repair::Welded(28)] } else { vec![] };
        assert_eq!(brought.repairs, expected, "{format}");
    }
}

#[test]
fn files_are_read_by_name_and_by_content() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (format, bytes)) in cube::all().into_iter().enumerate() {
        let extension = format.to_string();
        for name in [format!("{i}.{extension}"), format!("{i}"), format!("{i}.mesh")] {
            let path = folder.path().join(name);
            std::fs::write(&path, &bytes).unwrap();
            let brought = read(&path).unwrap();
            assert_is_cube(&brought.mesh, &path.display().to_string());
            assert!(!brought.repairs.iter().any(|r| matches!(r, Repair::Renamed { .. })));
        }
        // Under another's name the content decides, and the user is told.
        let said = if format == Format::Obj { Format::Ply } else { Format::Obj };
        let path = folder.path().join(format!("wrong{i}.{said}"));
        std::fs::write(&path, &bytes).unwrap();
        let brought = read(&path).unwrap();
        assert_is_cube(&brought.mesh, &path.display().to_string());
        assert_eq!(brought.repairs[0], Repair::Renamed { said, found: format });
    }
}

#[test]
fn obj_in_all_its_forms() {
    let plain = cube::obj();
    let windows = plain.replace('\n', "\r\n");
    let old_mac = plain.replace('\n', "\r");
    let marked = format!("\u{feff}{plain}");
    let continued = plain.replace("f 1 3 4 2", "f 1 \\\n 3 4\\\n\\\n 2 # here");
    let colours = plain.replace("v 0 0 0\n", "v\t0 0 0 0.5 0.5 0.5\n").replace("v 1 1 1\n", "v 1 1 1 1.0\n");
    let corners = plain.replace("f 1 3 4 2", "f 1/1/1 3//7 4/2 2/");
    let backwards = plain.replace("f 1 3 4 2", "f -8 -6 -5 -7");
    let other =
        format!("mtllib x.mtl\ng a b\ns off\nvn 0 0 1\nvt 0 0\nusemtl m\nl 1 2\np 1\n\u{e4}\n{plain}");
    let faces_first = {
        let (points, faces) = plain.split_at(plain.find('f').unwrap());
        format!("{faces}{points}")
    };
    let old = plain.replace("f 1 3 4 2", "fo 1 3 4 2");
    let forms = [windows, old_mac, marked, continued, colours, corners, backwards, other, faces_first, old];
    for form in forms {
        assert_is_cube(&brought(form.as_bytes(), Format::Obj).mesh, &form);
    }
    let latin = [b"o caf\xe9\n# \xff\\\n", cube::obj().as_bytes()].concat();
    assert_is_cube(&brought(&latin, Format::Obj).mesh, "names in another encoding");
}

#[test]
fn ply_in_all_its_forms() {
    let plain = cube::ply_text();
    let one_line = {
        let body = plain.find("end_header\n").unwrap() + 11;
        format!("{}{}", &plain[..body], plain[body..].replace('\n', " "))
    };
    let forms = [
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        one_line,
        plain
            .replace("float x", "float64 x")
            .replace("uchar int vertex_indices", "uint8 uint32 vertex_index"),
        plain.replace("element vertex", "obj_info made by hand\nelement vertex"),
        plain.replace("end_header", "element edge 1\nproperty int a\nproperty list uchar int b\nend_header")
            + "7 2 8 9\n",
        plain.replace("end_header", "element nothing 4000000000\nend_header"),
    ];
    for form in forms {
        let brought = brought(form.as_bytes(), Format::Ply);
        assert_is_cube(&brought.mesh, &form);
        assert!(brought.repairs.is_empty(), "{form}: {:?}", brought.repairs);
    }
    let more = "property uchar red\nproperty list uchar short more\nelement face";
    let header = cube::ply_header("binary_little_endian").replace("element face", more);
    let mut bytes = header.into_bytes();
    for point in cube::POINTS {
        bytes.extend(point.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([255, 1, 3, 4]);
    }
    cube::QUADS
        .iter()
        .for_each(|q| bytes.extend([4u8].into_iter().chain(q.iter().flat_map(|i| i.to_le_bytes()))));
    assert_is_cube(&brought(&bytes, Format::Ply).mesh, "properties of no interest");
}

#[test]
fn stl_in_all_its_forms() {
    let plain = cube::stl_text();
    let half = plain.find("  facet").unwrap()
        + plain[plain.find("  facet").unwrap() + 1..].find("  facet").unwrap()
        + 1;
    let two_solids = format!("{}endsolid\nsolid b\n{}", &plain[..half], &plain[half..]);
    for form in [plain.replace('\n', "\r\n"), plain.to_uppercase(), format!("\n {plain}"), two_solids] {
        assert_is_cube(&brought(form.as_bytes(), Format::Stl).mesh, &form);
    }
    let mut longer = cube::stl_binary();
    longer.extend([1, 2, 3]);
    longer[0] = b'S';
    longer[1] = b'?';
    let brought = brought(&longer, Format::Stl);
    assert_is_cube(&brought.mesh, "trailing bytes");
    assert_eq!(brought.repairs, [Repair::Trailing(3), Repair::Welded(28)]);
}

#[test]
fn gltf_scenes_without_a_default() {
    let plain = cube::gltf();
    let first_scene = plain.replace(r#""scene":0,"#, "");
    let no_scene = first_scene.replace(r#""scenes":[{"nodes":[0]}],"#, "");
    for form in [first_scene, no_scene] {
        assert_is_cube(&brought(form.as_bytes(), Format::Gltf).mesh, &form);
    }
    let nodes = plain.find(r#""nodes":[{"ch"#).unwrap()..plain.find(r#""meshes""#).unwrap();
    let mut no_nodes = plain.clone();
    no_nodes.replace_range(nodes, "");
    let no_nodes = no_nodes.replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "");
    assert_is_cube(&brought(no_nodes.as_bytes(), Format::Gltf).mesh, &no_nodes);
}

#[test]
fn gltf_instances_are_placed_scaled_and_mirrored() {
    let plain = cube::gltf();
    let two = plain
        .replace(r#""nodes":[0]"#, r#""nodes":[0,2]"#)
        .replace(r#""meshes""#, r#""x":0,"meshes""#)
        .replace(
            "0.70710678]}],\n\"x\"",
            "0.70710678]},{\"mesh\":0,\"translation\":[10,0,0],\"scale\":[-2,1,1]}],\n\"x\"",
        );
    let mesh = brought(two.as_bytes(), Format::Gltf).mesh;
    assert_eq!((mesh.points.len(), mesh.triangles.len()), (16, 24));
    assert!((cube::volume(&mesh) - 3.0).abs() < 1e-4);
    let (low, high) = mesh.bounds().unwrap();
    assert!((low.x.abs() < 1e-6) && (high.x - 10.0).abs() < 1e-6, "{low} {high}");
    let turned = r#""rotation":[0,0,0.70710678,0.70710678]"#;
    let moved = r#""translation":[1,2,3],"#;
    let matrix = r#""matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1]"#;
    let matrix = plain.replace(&format!("{moved}{turned}"), matrix);
    assert_ne!(matrix, plain);
    assert_is_cube(&brought(matrix.as_bytes(), Format::Gltf).mesh, "matrix");
}

/// A document of one primitive over a buffer of its own.
fn gltf_of(primitive: &str, accessors: &str, views: &str, buffer: &[u8]) -> Vec<u8> {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{primitive}}}]}}],
"accessors":[{accessors}],"bufferViews":[{views}],"buffers":[{{"byteLength":{}}}]}}"#,
        buffer.len()
    );
    cube::glb_of(&json, buffer)
}

fn floats(all: &[[f32; 3]]) -> Vec<u8> {
    all.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect()
}

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];

#[test]
fn gltf_strips_and_fans_become_triangles() {
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}"#;
    let views = r#"{"buffer":0,"byteLength":48}"#;
    let strip = gltf_of(r#","mode":5"#, accessors, views, &floats(&SQUARE));
    let mesh = brought(&strip, Format::Glb).mesh;
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
    let round = [SQUARE[0], SQUARE[1], SQUARE[3], SQUARE[2]];
    let fan = gltf_of(r#","mode":6"#, accessors, views, &floats(&round));
    assert_eq!(brought(&fan, Format::Glb).mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    let lines = gltf_of(r#","mode":1"#, accessors, views, &floats(&SQUARE));
    assert!(refusal(lines, Format::Glb).contains("no triangles"));
}

#[test]
fn gltf_sparse_strided_and_quantised_positions() {
    // The square with its third point replaced.
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,
        "indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}}"#;
    let views = r#"{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":1},
        {"buffer":0,"byteOffset":52,"byteLength":12}"#;
    let buffer = [floats(&SQUARE), vec![2, 0, 0, 0], floats(&[[0.0, 7.0, 0.0]])].concat();
    let mesh = brought(&gltf_of(r#","mode":5"#, accessors, views, &buffer), Format::Glb).mesh;
    assert_eq!(mesh.points[2].to_array(), [0.0, 7.0, 0.0]);
    // Three shorts in each eight bytes.
    let accessors = r#"{"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"}"#;
    let views = r#"{"buffer":0,"byteLength":24,"byteStride":8}"#;
    let shorts = [0i16, 0, 0, 9, 32767, 0, 0, 9, 0, -32768, 0, 9];
    let buffer: Vec<u8> = shorts.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mesh = brought(&gltf_of("", accessors, views, &buffer), Format::Glb).mesh;
    assert_eq!(
        mesh.points.iter().map(|p| p.to_array()).collect::<Vec<_>>(),
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    );
}

#[test]
fn gltf_buffers_come_from_the_folder_and_only_from_there() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("inner");
    std::fs::create_dir_all(folder.join("data")).unwrap();
    std::fs::write(folder.join("data/the cube.bin"), cube::buffer()).unwrap();
    std::fs::write(parent.path().join("outside.bin"), cube::buffer()).unwrap();
    let attempt = |uri: &str| {
        let json = cube::gltf_around(&format!(r#","uri":"{uri}""#));
        parse(json.as_bytes(), Format::Gltf, Some(&folder))
    };
    assert_is_cube(&attempt("data/the%20cube.bin").unwrap().mesh, "beside");
    let outside = parent.path().join("outside.bin").display().to_string();
    for uri in ["../outside.bin", "data/../../outside.bin", "%2e%2e/outside.bin", "http://x/y.bin", &outside]
    {
        let refusal = attempt(uri).unwrap_err().to_string();
        assert!(refusal.contains("outside of the file's folder"), "{refusal}");
    }
    assert!(attempt("none.bin").unwrap_err().to_string().contains("buffer `none.bin`: "));
    assert!(attempt("data").unwrap_err().to_string().contains("it is not a file"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(parent.path().join("outside.bin"), folder.join("link.bin")).unwrap();
        assert!(attempt("link.bin").unwrap_err().to_string().contains("outside of the file's folder"));
    }
    let path = folder.join("cube.gltf");
    std::fs::write(&path, cube::gltf_around(r#","uri":"data/the%20cube.bin""#)).unwrap();
    assert_is_cube(&read(&path).unwrap().mesh, "file");
}

/// What a texture says of a corner follows the corner, whatever is done to its triangle.
fn places(text: &str, format: Format) -> Vec<(Vec3, Vec2)> {
    let Brought { mesh, uv, .. } = brought(text.as_bytes(), format);
    let corners = mesh.triangles.as_flattened().iter().map(|&i| mesh.points[i as usize]);
    let mut places: Vec<_> = corners.zip(uv.as_flattened().iter().copied()).collect();
    places.sort_by_key(|(p, uv)| [p.x, p.y, p.z, uv.x, uv.y].map(|x| (8.0 * x) as i32));
    places
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

#[test]
fn places_in_a_texture_follow_their_corners() {
    let texture = "vt 0 0\nvt 0.5 0\nvt 0 0.75\nvt 1 1\n";
    let obj = |faces: &str| places(&format!("{TETRAHEDRON}{texture}{faces}"), Format::Obj);
    let right = obj("f 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 2/2 3/3 4/4\nf 3/3 1/1 4/4\n");
    assert_eq!(right.len(), 12);
    assert_eq!(right[0], (Vec3::ZERO, Vec2::ZERO));
    assert_eq!(right[11], (Vec3::X, Vec2::new(0.5, 0.0)));
    assert_eq!(right[3], (Vec3::Z, Vec2::ONE));
    // Counted back, with normals, with a triangle turned over, inside out, with a flat triangle before the others.
    for faces in [
        "f 1/-4 3/-2 2/-3\nf 1/-4/9 2/2/9 4/4/9\nf 2/2 3/3 4/4\nf 3/3 1/1 4/4\n",
        "f 1/1 2/2 3/3\nf 1/1 2/2 4/4\nf 2/2 3/3 4/4\nf 3/3 1/1 4/4\n",
        "f 1/1 2/2 3/3\nf 1/1 4/4 2/2\nf 2/2 4/4 3/3\nf 3/3 4/4 1/1\n",
        "f 1/4 1/3 2/2\nf 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 2/2 3/3 4/4\nf 3/3 1/1 4/4\n",
    ] {
        assert_eq!(obj(faces), right, "{faces}");
    }
    for [s, t] in [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]] {
        let ply = format!(
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float {t}\nproperty float y\n\
             property float z\nproperty double {s}\nelement face 4\nproperty list uchar int vertex_indices\n\
             end_header\n0 0 0 0 0\n1 0 0 0 0.5\n0 0.75 1 0 0\n0 1 0 1 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"
        );
        assert_eq!(places(&ply, Format::Ply), right, "{s}, {t}");
    }
}

/// No fault of a texture keeps a surface from being read.
#[test]
fn what_has_no_place_in_a_texture_is_in_its_corner() {
    let uv = |lines: &str| brought(format!("{TETRAHEDRON}{lines}").as_bytes(), Format::Obj).uv;
    let faces = "f 1 2 4\nf 2 3 4\nf 3 1 4\n";
    assert!(uv(&format!("vt 1 1\nf 1 3 2\n{faces}")).is_empty());
    let half = Vec2::splat(0.5);
    let some = uv(&format!("vt 0.5 0.5\n{faces}f 1/1 3/1 2/1\n"));
    assert_eq!(some, [[Vec2::ZERO; 3], [Vec2::ZERO; 3], [Vec2::ZERO; 3], [half; 3]]);
    let wrong = uv(&format!("vt x 1\nvt nan 0\nvt 0.5 0.5\nf 1/1 3/2 2/3\nf 1/9 2/-9 4/0\n{}", &faces[8..]));
    assert_eq!(wrong[..2], [[Vec2::ZERO, Vec2::ZERO, half], [Vec2::ZERO; 3]]);
}
