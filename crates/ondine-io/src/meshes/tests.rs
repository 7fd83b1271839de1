//! Meshes found, missing and malformed; fields from the cache; copies beside a bake.

use super::*;
use crate::scene_text::{Override, Source, parse, write};
use ondine::Severity;
use std::fs;
use std::path::PathBuf;

/// A tetrahedron in centimetres.
const TETRAHEDRON: &str = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

const SCENE: &str = r#"[[liquid]]
name = "water"
fill = { shape = { mould = { of = { mesh = { file = "stool.obj", scale = 0.05 } } } }, at = [3, 0, 0] }
[[object]]
name = "stool"
[[object.shape.union.of]]
shape.sphere.radius = 0.1
[[object.shape.union.of]]
shape.mesh = { file = "stool.obj", scale = 0.05 }
[[drain]]
name = "sink"
at = [0, 5, 0]
shape.mesh = { file = "stool.obj", scale = 0.1, thickness = 0.01, cell = 0.01 }
"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn with(mesh: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("stool.obj"), mesh).unwrap();
        Self { folder }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache/fields")
    }

    fn source(&self, text: &str) -> Source {
        let folder = self.folder.path().to_path_buf();
        Source { folder, cache: Some(self.cache()), ..Source::new("scene.toml", text) }
    }

    fn scene(&self, text: &str) -> Scene {
        parse(&self.source(text), &[]).unwrap().0
    }

    /// Every fault as "line: path: reason (remedy)".
    fn faults(&self, text: &str) -> Vec<String> {
        let (Ok((_, faults)) | Err(faults)) = parse(&self.source(text), &[]);
        faults.iter().map(|l| format!("{}: {}", l.line.unwrap_or(0), l.fault)).collect()
    }

    fn kept(&self) -> Vec<PathBuf> {
        let mut kept: Vec<_> = fs::read_dir(self.cache()).unwrap().map(|e| e.unwrap().path()).collect();
        kept.sort();
        kept
    }
}

#[test]
fn every_shape_gets_its_mesh() {
    let place = Place::with(TETRAHEDRON);
    let scene = place.scene(SCENE);
    let files = named(&scene);
    assert_eq!(files.len(), 3);
    for (path, file) in &files {
        let mesh = scene.meshes.get(file).unwrap_or_else(|| panic!("{path}"));
        let (low, high) = mesh.triangles.bounds().unwrap();
        assert_eq!((low, high), (Vec3::ZERO, Vec3::splat(10.0 * file.scale)));
    }
    let (_, file) = &files[0];
    let field = &scene.meshes.get(file).unwrap().field;
    assert!(field.nearest(Vec3::splat(0.1)).distance < -0.03);
    assert!((field.nearest(Vec3::new(0.1, 0.1, -0.2)).distance - 0.2).abs() < 0.01);
}

#[test]
fn faults_stand_at_the_file_that_is_named() {
    let place = Place::with("f 1 2 3\n");
    let text = "[[object]]\nname = \"a\"\nmotion = \"free\"\nshape.mesh.file = \"stol.obj\"\n";
    let faults = place.faults(text);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    assert!(faults[0].starts_with("4: object.a.shape.mesh.file: "), "{faults:#?}");
    assert!(faults[0].contains("stol.obj") && faults[0].contains("(check the name"), "{faults:#?}");

    let malformed = place.faults(&text.replace("stol", "stool"));
    assert_eq!(malformed.len(), 1, "{malformed:#?}");
    assert!(malformed[0].starts_with("4: object.a.shape.mesh.file: "), "{malformed:#?}");
    assert!(malformed[0].contains("stool.obj") && malformed[0].contains("line 1"), "{malformed:#?}");
}

#[test]
fn a_field_that_cannot_be_is_told_where_it_is_asked_for() {
    let place = Place::with(TETRAHEDRON);
    let faults = place.faults(&SCENE.replace("cell = 0.01", "cell = 1e-5"));
    assert_eq!(faults.len(), 1, "{faults:#?}");
    assert!(faults[0].starts_with("13: drain.sink.shape.mesh.file: cells of"), "{faults:#?}");
    assert!(faults[0].contains("(make them"), "{faults:#?}");
}

#[test]
fn holes_and_repairs_are_told() {
    let open = TETRAHEDRON.replace("f 3 1 4\n", "f 1 1 2\n");
    let place = Place::with(&open);
    let text = "[[object]]\nname = \"a\"\nmotion = \"moving\"\nshape.mesh = { file = \"stool.obj\" }\n";
    let (_, warnings) = parse(&place.source(text), &[]).unwrap();
    let told: Vec<_> = warnings.iter().map(|w| (w.line, w.fault.reason.as_str())).collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].0 == Some(4) && told[0].1.contains("without area"), "{told:#?}");
    assert!(told[1].1.contains("has holes"), "{told:#?}");
    assert!(warnings.iter().all(|w| w.fault.severity == Severity::Warning));
}

#[test]
fn harmless_repairs_are_notes() {
    let place = Place::with(&format!(
        "v 9 9 9\n{}",
        TETRAHEDRON.replace("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4", "f 2 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5")
    ));
    let mut scene = Scene::default();
    let file = MeshFile { file: "stool.obj".into(), scale: 1.0, thickness: None, cell: None };
    scene.object.push(ondine::scene::Object::new("a", Shape::Mesh(file), [0.0; 3]));
    let (faults, notes) = bring(&mut scene, place.folder.path(), None);
    assert_eq!(faults, []);
    assert_eq!(notes, ["stool.obj: 1 point that no triangle uses dropped."]);
}

#[test]
fn the_cache_gives_the_same_field_and_mends_itself() {
    let place = Place::with(TETRAHEDRON);
    let first = place.scene(SCENE);
    let kept = place.kept();
    assert_eq!(kept.len(), 2, "one for each size");
    assert_eq!(place.scene(SCENE), first);

    let whole = fs::read(&kept[0]).unwrap();
    let other = fs::read(&kept[1]).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for damaged in [&flipped[..], &whole[..20], &whole[..whole.len() - 1], b"", b"something else", &other] {
        fs::write(&kept[0], damaged).unwrap();
        assert_eq!(place.scene(SCENE), first);
        assert_eq!(fs::read(&kept[0]).unwrap(), whole);
    }
}

#[test]
fn what_lies_in_the_cache_is_used() {
    let place = Place::with(TETRAHEDRON);
    let mesh = mesh_in::read(&place.folder.path().join("stool.obj")).unwrap().mesh;
    let options = FieldOptions { cell: Some(1.0), thickness: None };
    let coarse = DistanceField::build(&mesh, FieldOptions { cell: Some(2.0), thickness: None }).unwrap();
    cache::Kept::of(&mesh, options, &place.cache()).save(&coarse);
    assert_eq!(field(&mesh, options, Some(&place.cache())).unwrap(), coarse);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_fault() {
    let place = Place::with(TETRAHEDRON);
    let source = Source { cache: Some(place.folder.path().join("stool.obj/cache")), ..place.source(SCENE) };
    assert!(parse(&source, &[]).is_ok());
}

#[test]
fn scenes_with_meshes_come_back() {
    let place = Place::with(TETRAHEDRON);
    let scene = place.scene(SCENE);
    let text = write(&scene);
    assert!(!text.contains("meshes"), "{text}");
    assert_eq!(place.scene(&text), scene);
}

#[test]
fn the_file_may_be_set() {
    let place = Place::with(TETRAHEDRON);
    fs::rename(place.folder.path().join("stool.obj"), place.folder.path().join("chair.obj")).unwrap();
    let text = "[object]\nname = \"a\"\nmotion = \"moving\"\nshape.mesh.file = \"stool.obj\"";
    let set: Override = "object.a.shape.mesh.file=chair.obj".parse().unwrap();
    assert!(parse(&place.source(text), std::slice::from_ref(&set)).is_ok());
    let wrong: Override = "object.a.shape.mesh.file=bench.obj".parse().unwrap();
    let faults = parse(&place.source(text), &[wrong]).unwrap_err();
    assert!(
        faults[0].fault.reason.contains("(from --set object.a.shape.mesh.file=bench.obj)"),
        "{faults:#?}"
    );
}

#[test]
fn a_folder_of_copies_stands_alone() {
    let place = Place::with(TETRAHEDRON);
    let mut scene = place.scene(SCENE);
    name_copies(&mut scene);
    let bake = tempfile::tempdir().unwrap();
    let copies = write_copies(&scene, bake.path()).unwrap();
    assert_eq!(copies.len(), 2, "one for each size");
    assert!(copies.iter().all(|path| is_copy(path.file_name().unwrap().to_str().unwrap())));

    let source = Source { folder: bake.path().into(), ..Source::new("scene.toml", write(&scene)) };
    let (mut back, _) = parse(&source, &[]).unwrap();
    assert_eq!(back, scene);
    // Copies of copies have the same names; nothing need be written again.
    let before = back.clone();
    name_copies(&mut back);
    assert_eq!(back, before);
}

#[test]
fn another_mesh_has_another_copy() {
    let copy = |mesh: &str| {
        let mut scene = Place::with(mesh).scene(SCENE);
        name_copies(&mut scene);
        named(&scene).remove(0).1.file
    };
    let name = copy(TETRAHEDRON);
    assert!(name.starts_with("meshes/stool-") && name.ends_with(".ply"), "{name}");
    assert_ne!(copy(&TETRAHEDRON.replace("10 0 0", "11 0 0")), name);
}

#[test]
fn only_copies_are_taken_for_copies() {
    assert!(is_copy("stool-0123456789abcdef.ply"));
    assert!(
        !is_copy("stool.ply") && !is_copy("stool-0123456789abcdeg.ply") && !is_copy("a-0123456789abcdef.obj")
    );
}

/// A bake's own copy of a mesh has its places in a texture, to the bit, and another name than one without.
#[test]
fn copies_keep_places_in_a_texture() {
    let faces = "vt 0.1 0.7\nvt 0.3 0.3\nf 1/1 3/2 2/1\nf 1/1 2/1 4/2\nf 2 3 4\nf 3 1 4\n";
    let points = &TETRAHEDRON[..TETRAHEDRON.find('f').unwrap()];
    let name = |mesh: &str| {
        let place = Place::with(mesh);
        let mut scene = place.scene(SCENE);
        name_copies(&mut scene);
        let copies = write_copies(&scene, place.folder.path()).unwrap();
        let (_, file) = named(&scene).swap_remove(0);
        let brought = mesh_in::read(&place.folder.path().join(&file.file)).unwrap();
        let mesh = scene.meshes.get(&file).unwrap();
        assert_eq!((&brought.uv, &brought.mesh), (&*mesh.uv, &*mesh.triangles));
        (copies.len(), brought.uv.len(), file.file)
    };
    let (with, without) = (name(&format!("{points}{faces}")), name(TETRAHEDRON));
    assert_eq!((with.1, without.1), (4, 0));
    assert_ne!(with.2, without.2);
}
