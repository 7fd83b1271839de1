//! Triangle meshes from files: OBJ, PLY, STL, glTF and GLB.
//!
//! [`read`] takes a file, [`parse`] takes bytes. Whatever the format, the result is one [`TriangleMesh`]:
//!
//! - Coordinates are taken as metres. All objects, groups and nodes of a file are joined to one mesh.
//! - Faces of more than three corners become fans around their first corner; a face that is not convex should be
//!   triangulated by the program that made it.
//! - Places in a texture are kept for those who look at it. Colours, normals, materials and animations are passed over.
//! - What can be repaired safely is, and each [`Repair`] is told; what cannot is a [`MeshError`] that says where.
//!
//! The readers of OBJ, PLY and STL are written here, because clear errors and bounded memory were wanted for any
//! input at all. The layout of a glTF document comes from `gltf-json`; its validation and the accessors of `gltf`
//! panic on numbers out of range, so that `gltf.rs` checks every number itself.

mod accessor;
mod buffers;
mod facing;
mod fault;
mod format;
mod gathered;
mod glb;
mod gltf;
mod obj;
mod ply;
mod ply_header;
mod repair;
mod stl;
mod text;

pub use fault::{MeshError, Place, Problem};
pub use format::Format;
pub use repair::Repair;

use fault::Fault;
use ondine::objects::{TriangleMesh, Uv};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Most triangles that a mesh may have.
pub const MOST_TRIANGLES: usize = 20_000_000;
/// Most points that a file may bring, before equal ones are joined.
pub const MOST_POINTS: usize = 3 * MOST_TRIANGLES;
/// Longest file that is read, and most bytes in all that a glTF file may draw from others [bytes].
pub const LONGEST_FILE: u64 = 4 << 30;

/// A mesh, and what was done to it on the way in.
#[derive(Clone, Debug, PartialEq)]
pub struct Brought {
    /// The mesh. Every point is finite, different from every other and part of a triangle; every triangle has area.
    pub mesh: TriangleMesh,
    /// Where it is in a texture, if the file says so; what it says nothing of is at the lower left corner.
    pub uv: Uv,
    /// What was repaired, to be told to the user.
    pub repairs: Vec<Repair>,
}

/// Reads a mesh file. The format is what the name's extension says, unless the content cannot be that format and is
/// clearly another one: then the content decides, and [`Repair::Renamed`] tells.
pub fn read(path: &Path) -> Result<Brought, MeshError> {
    let bytes = bytes_of(path)?;
    let named = Format::of_name(path);
    let refused = |fault: Fault| fault.in_file(path);
    let format = format::chosen(named, &bytes).map_err(refused)?;
    let mut brought = brought(&bytes, format, Some(folder_of(path))).map_err(refused)?;
    if let Some(said) = named.filter(|&said| said != format) {
        brought.repairs.insert(0, Repair::Renamed { said, found: format });
    }
    Ok(brought)
}

/// Reads a mesh from bytes in a known format. The folder is where a glTF file may draw its buffers from; without it
/// only buffers inside the bytes are read.
pub fn parse(bytes: &[u8], format: Format, folder: Option<&Path>) -> Result<Brought, MeshError> {
    brought(bytes, format, folder).map_err(Fault::in_memory)
}

fn brought(bytes: &[u8], format: Format, folder: Option<&Path>) -> Result<Brought, Fault> {
    if bytes.is_empty() {
        return Err(Fault::of_file(Problem::Empty));
    }
    let gathered = match format {
        Format::Obj => obj::gather(bytes),
        Format::Ply => ply::gather(bytes),
        Format::Stl => stl::gather(bytes),
        Format::Gltf => gltf::gather(bytes, None, folder),
        Format::Glb => glb::gather(bytes, folder),
    }?;
    repair::repaired(gathered)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, MeshError> {
    let io = |source| MeshError::Io { path: path.into(), source };
    // Asked before opening: to open a pipe would wait for someone to write into it.
    let kind = std::fs::metadata(path).map_err(io)?;
    if kind.is_dir() {
        return Err(MeshError::Folder { path: path.into() });
    }
    if !kind.is_file() {
        return Err(io(io::Error::other("this is a device or a pipe, not a file")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|f| f.take(LONGEST_FILE + 1).read_to_end(&mut bytes)).map_err(io)?;
    match bytes.len() as u64 > LONGEST_FILE {
        true => Err(Fault::of_file(Problem::TooLong).in_file(path)),
        false => Ok(bytes),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
