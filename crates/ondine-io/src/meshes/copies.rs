//! Copies of a scene's meshes, so that a bake's folder needs no other.
//!
//! A copy is a PLY file of the triangles as the engine has them: in metres, repaired, all buffers and nodes of a glTF
//! file in one, with their places in a texture. Its name holds a hash of all that. So two scenes that name the same copy have the same mesh, and a file
//! that was changed since gets another name.

use super::cache::hash_mesh;
use crate::atomic;
use ondine::Scene;
use ondine::objects::{Mesh, Meshes};
use ondine::scene::{MeshFile, Shape};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The folder of copies, in that of the scene.
pub const COPIES: &str = "meshes";

/// Makes the scene name the copies that [`write_copies`] makes, which are in metres: `scale` becomes 1. A scene that
/// already names them stays as it is.
pub fn name_copies(scene: &mut Scene) {
    let brought = std::mem::take(&mut scene.meshes);
    let mut copies = Meshes::default();
    let mut waiting = scene.shapes_mut();
    while let Some(shape) = waiting.pop() {
        if let Shape::Mesh(file) = shape {
            let Some(mesh) = brought.get(file) else { continue };
            *file = MeshFile { file: copy_name(&file.file, mesh), scale: 1.0, ..file.clone() };
            copies.insert(file, mesh.clone());
        } else {
            waiting.extend(shape.inner_mut());
        }
    }
    scene.meshes = copies;
}

/// `meshes/stool-0123456789abcdef.ply`
fn copy_name(file: &str, mesh: &Mesh) -> String {
    let mut hash = Xxh3::new();
    hash_mesh(&mesh.triangles, &mut hash);
    for place in mesh.uv.as_flattened() {
        hash.update(&place.x.to_bits().to_le_bytes());
        hash.update(&place.y.to_bits().to_le_bytes());
    }
    let ending = format!("-{:016x}", hash.digest());
    let stem = Path::new(file).file_stem().and_then(|s| s.to_str()).unwrap_or("mesh");
    // A copy of a copy has the same name.
    let stem = stem.strip_suffix(&ending).unwrap_or(stem);
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    format!("{COPIES}/{}{ending}.ply", stem.chars().map(plain).collect::<String>())
}

/// Whether a name is that of a copy, without its folder.
pub fn is_copy(name: &str) -> bool {
    let hash = name.strip_suffix(".ply").and_then(|stem| stem.rsplit_once('-')).map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Writes the copies that a scene names into the folder `meshes` of a folder, where they are not there yet, and gives
/// their paths. On an error, the path that it is about.
pub fn write_copies(scene: &Scene, folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut written = Vec::new();
    for (_, file) in super::named(scene) {
        let path = folder.join(&file.file);
        let Some(mesh) = scene.meshes.get(&file) else { continue };
        if written.contains(&path) {
            continue;
        }
        let at = |error| (path.clone(), error);
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(at)?;
        if !path.is_file() {
            atomic::write(&path, |out| write_ply(mesh, out)).map_err(at)?;
        }
        written.push(path);
    }
    Ok(written)
}

fn write_ply(Mesh { triangles: mesh, uv, .. }: &Mesh, out: &mut dyn Write) -> io::Result<()> {
    let texture = if uv.is_empty() { "" } else { "property list uchar float texcoord\n" };
    let header = [
        "ply",
        "format binary_little_endian 1.0",
        "comment a mesh of Ondine, in metres",
        &format!("element vertex {}", mesh.points.len()),
        "property float x",
        "property float y",
        "property float z",
        &format!("element face {}", mesh.triangles.len()),
        "property list uchar int vertex_indices",
        &format!("{texture}end_header"),
    ];
    writeln!(out, "{}", header.join("\n"))?;
    for x in mesh.points.iter().flat_map(|p| p.to_array()) {
        out.write_all(&x.to_le_bytes())?;
    }
    let mut places = uv.iter();
    for triangle in &mesh.triangles {
        out.write_all(&[3])?;
        for i in triangle {
            out.write_all(&i.to_le_bytes())?;
        }
        if let Some(corners) = places.next() {
            out.write_all(&[6])?;
            for x in corners.iter().flat_map(|place| place.to_array()) {
                out.write_all(&x.to_le_bytes())?;
            }
        }
    }
    Ok(())
}
