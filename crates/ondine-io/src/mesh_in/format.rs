//! Which format a file is in: by its name, and by its content.

use super::fault::{Fault, Problem};
use super::text::{Lines, words};
use super::{ply_header, stl};
use std::fmt;
use std::path::Path;

/// How far into a text its first points are looked for [bytes].
const BEGINNING: usize = 1 << 16;

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// Polygon file format, in text or binary.
    Ply,
    /// Stereolithography, in text or binary.
    Stl,
    /// glTF 2.0 as JSON, its buffers within or beside it.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Obj, Format::Ply, Format::Stl, Format::Gltf, Format::Glb];

    /// The format that a file's extension names.
    pub fn of_name(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|f| f.extension() == extension)
    }

    /// The format that the content shows. The surest signs are looked for first.
    pub fn of_content(bytes: &[u8]) -> Option<Format> {
        let surest_first = [Format::Ply, Format::Glb, Format::Stl, Format::Gltf, Format::Obj];
        surest_first.into_iter().find(|f| f.fits(bytes))
    }

    fn extension(self) -> &'static str {
        match self {
            Format::Obj => "obj",
            Format::Ply => "ply",
            Format::Stl => "stl",
            Format::Gltf => "gltf",
            Format::Glb => "glb",
        }
    }

    /// Whether the content begins like this format.
    fn fits(self, bytes: &[u8]) -> bool {
        match self {
            Format::Obj => shows_points(bytes),
            Format::Ply => ply_header::begins(bytes),
            Format::Stl => stl::begins(bytes),
            Format::Gltf => without_mark(bytes).trim_ascii_start().starts_with(b"{"),
            Format::Glb => bytes.starts_with(b"glTF"),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Format::Obj => "OBJ",
            Format::Ply => "PLY",
            Format::Stl => "STL",
            Format::Gltf => "glTF",
            Format::Glb => "GLB",
        })
    }
}

/// The name decides where the content allows it, or shows nothing else: the reader then says what is wrong.
pub(super) fn chosen(named: Option<Format>, bytes: &[u8]) -> Result<Format, Fault> {
    if bytes.is_empty() {
        return Err(Fault::of_file(Problem::Empty));
    }
    let fitting = named.filter(|f| f.fits(bytes)).or_else(|| Format::of_content(bytes));
    fitting.or(named).ok_or(Fault::of_file(Problem::Unrecognised))
}

/// Text without the byte order mark that some editors put before it.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Whether a line near the beginning is a point of an OBJ file.
fn shows_points(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    !beginning.contains(&0)
        && Lines::new(beginning).any(|(_, line)| {
            let mut words = words(line);
            words.next() == Some(b"v") && words.count() >= 3
        })
}
