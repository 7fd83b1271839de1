//! The meshes that a scene's shapes name: from files to triangles in metres, each with its distance field.
//!
//! | step | file |
//! |---|---|
//! | files that shapes name, read and given a field | here |
//! | fields kept between runs | `cache` |
//! | copies beside a bake, so that its folder stands alone | `copies` |

mod cache;
mod copies;
#[cfg(test)]
mod tests;

pub use copies::{COPIES, is_copy, name_copies, write_copies};

use crate::mesh_in::{self, Brought, Repair};
use glam::Vec3;
use ondine::objects::{DistanceField, FieldOptions, Mesh, TriangleMesh, Uv};
use ondine::scene::{MeshFile, Shape};
use ondine::{Fault, Scene};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Brings in every mesh that a shape of the scene names and the scene does not have yet. Files are looked for from
/// `folder`; fields are taken from the folder `cache` if they are there, and left there if they can be.
///
/// Gives what is wrong with the files, each fault at the `file` that names one, and notes on what was mended without
/// any harm.
pub fn bring(scene: &mut Scene, folder: &Path, cache: Option<&Path>) -> (Vec<Fault>, Vec<String>) {
    let mut bringing =
        Bringing { folder, cache, read: BTreeMap::new(), faults: Vec::new(), notes: Vec::new() };
    for (path, file) in named(scene) {
        if scene.meshes.get(&file).is_some() {
            continue;
        }
        match bringing.mesh(&path, &file) {
            Ok(mesh) => scene.meshes.insert(&file, mesh),
            Err(refusal) => bringing.faults.push(refusal.at(&path)),
        }
    }
    (bringing.faults, bringing.notes)
}

/// Every mesh that a shape names, with the path of its `file`.
fn named(scene: &Scene) -> Vec<(String, MeshFile)> {
    let mesh = |(path, shape): (String, &Shape)| match shape {
        Shape::Mesh(file) => Some((format!("{path}.mesh.file"), file.clone())),
        _ => None,
    };
    scene.shapes().into_iter().filter_map(mesh).collect()
}

/// Why there is no mesh, and what to do.
#[derive(Clone, Debug)]
struct Refusal {
    reason: String,
    remedy: String,
}

impl Refusal {
    /// From an error that ends in what to do: "reason; remedy".
    fn of(error: &dyn std::error::Error) -> Self {
        let text = error.to_string();
        let (reason, remedy) =
            text.rsplit_once("; ").unwrap_or((&text, "export the mesh again, or name another file"));
        Self { reason: reason.into(), remedy: remedy.into() }
    }

    fn at(self, path: &str) -> Fault {
        Fault::error(path, self.reason, self.remedy)
    }
}

/// The triangles of a file, and their places in a texture.
type Given = (Arc<TriangleMesh>, Arc<Uv>);

struct Bringing<'a> {
    folder: &'a Path,
    cache: Option<&'a Path>,
    /// What each file brought: one may be named often, in many sizes.
    read: BTreeMap<String, Result<Given, Refusal>>,
    faults: Vec<Fault>,
    notes: Vec<String>,
}

impl Bringing<'_> {
    fn mesh(&mut self, path: &str, file: &MeshFile) -> Result<Mesh, Refusal> {
        let (triangles, uv) = self.triangles(path, &file.file)?;
        let triangles = scaled(&triangles, file.scale);
        let options = FieldOptions { cell: file.cell, thickness: file.thickness };
        let field = field(&triangles, options, self.cache)?;
        if let Some(thickness) = field.given_thickness() {
            let reason = format!(
                "the surface of {} has holes: it was given a thickness of {thickness} m, and is hollow",
                file.file
            );
            let remedy = format!("close the holes, or write thickness = {thickness}");
            self.faults.push(Fault::warning(path, reason, remedy));
        }
        Ok(Mesh { triangles: Arc::new(triangles), uv, field: Arc::new(field) })
    }

    fn triangles(&mut self, path: &str, file: &str) -> Result<Given, Refusal> {
        if let Some(before) = self.read.get(file) {
            return before.clone();
        }
        let read = mesh_in::read(&self.folder.join(file)).map_err(|error| Refusal::of(&error));
        let triangles = read.map(|Brought { mesh, uv, repairs }| {
            repairs.iter().for_each(|repair| self.tell(path, file, repair));
            (Arc::new(mesh), Arc::new(uv))
        });
        self.read.insert(file.into(), triangles.clone());
        triangles
    }

    fn tell(&mut self, path: &str, file: &str, repair: &Repair) {
        match repair {
            // Every STL file needs the one, and neither changes the mesh.
            Repair::Welded(_) | Repair::Unused(_) => self.notes.push(format!("{file}: {repair}")),
            _ => {
                let remedy =
                    "look whether the mesh is as you meant it, or repair it in the program that made it";
                self.faults.push(Fault::warning(path, format!("{file} was repaired: {repair}"), remedy));
            }
        }
    }
}

fn scaled(mesh: &TriangleMesh, scale: f32) -> TriangleMesh {
    let points: Vec<Vec3> = mesh.points.iter().map(|p| scale * *p).collect();
    TriangleMesh { points, triangles: mesh.triangles.clone() }
}

/// The field of a mesh in metres, from the cache or built anew.
fn field(mesh: &TriangleMesh, options: FieldOptions, cache: Option<&Path>) -> Result<DistanceField, Refusal> {
    let kept = cache.map(|folder| cache::Kept::of(mesh, options, folder));
    if let Some(field) = kept.as_ref().and_then(cache::Kept::load) {
        return Ok(field);
    }
    let field = DistanceField::build(mesh, options).map_err(|fault| Refusal::of(&fault))?;
    kept.iter().for_each(|kept| kept.save(&field));
    Ok(field)
}
