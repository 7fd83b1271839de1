//! What can be wrong with a mesh file, and where.

use super::{LONGEST_FILE, MOST_POINTS, MOST_TRIANGLES};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a mesh could not be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file system refused.
    #[error("{path}: {source}; check the name, and that you may read the file", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder was named.
    #[error("{path} is a folder; name a mesh file inside it", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The content is not a mesh that can be used.
    #[error("{name}{place}: {problem}", name = shown(path))]
    Refused {
        /// The file, where there is one.
        path: Option<PathBuf>,
        /// Where in the file.
        place: Place,
        /// What is wrong there.
        problem: Problem,
    },
}

fn shown(path: &Option<PathBuf>) -> String {
    path.as_ref().map_or("mesh".into(), |p| p.display().to_string())
}

/// Where in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the file as a whole.
    Whole,
    /// In a line, counted from 1.
    Line(usize),
    /// At a byte, counted from 0.
    Byte(usize),
    /// In a part of a glTF mesh, both counted from 0.
    Primitive {
        /// Number of the mesh.
        mesh: usize,
        /// Number of the part within the mesh.
        primitive: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Byte(byte) => write!(f, ", byte {byte}"),
            Place::Primitive { mesh, primitive } => write!(f, ", mesh {mesh}, primitive {primitive}"),
        }
    }
}

/// What is wrong with the content of a mesh file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing in it.
    #[error("the file is empty; export the mesh again")]
    Empty,
    /// Some other kind of file.
    #[error("this is not a mesh; give an OBJ, PLY, STL, glTF or GLB file")]
    Unrecognised,
    /// More bytes than are read.
    #[error("the file is longer than {} GiB; simplify the mesh, or save it as binary PLY", LONGEST_FILE >> 30)]
    TooLong,
    /// Against the rules of its format.
    #[error("{0}; correct it there, or export the mesh again")]
    Malformed(String),
    /// Less than it announces.
    #[error("{0}; the file is cut short or damaged, copy or export it again")]
    CutShort(String),
    /// A face names a point that does not exist.
    #[error(
        "a face names point {number}, and there are {points} points; correct the face, or export the mesh again"
    )]
    NoSuchPoint {
        /// The point as the file numbers it.
        number: i64,
        /// How many there are.
        points: usize,
    },
    /// A point in use is not a place in space.
    #[error(
        "a point has a coordinate that is not a number, infinite or beyond 3e38, and faces use it; move the point, or \
         remove it with its faces"
    )]
    NotFinite,
    /// More than the limit.
    #[error("more than {MOST_TRIANGLES} triangles; simplify the mesh, or split it into several")]
    TooManyTriangles,
    /// More than the limit.
    #[error("more than {MOST_POINTS} points; simplify the mesh, or split it into several")]
    TooManyPoints,
    /// No surface.
    #[error("no triangles: {0}; export a mesh with faces")]
    NoTriangles(String),
    /// Allowed by its format, but not read.
    #[error("{what} cannot be read; {remedy}")]
    Unsupported {
        /// What was found.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A buffer of a glTF file is not to be had.
    #[error("buffer `{name}`: {reason}; put it beside the file, or export the mesh as GLB")]
    Buffer {
        /// How the file names it.
        name: String,
        /// Why not.
        reason: String,
    },
}

/// A problem in its place, before the file's name is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub place: Place,
    pub problem: Problem,
}

impl Fault {
    pub fn of_file(problem: Problem) -> Self {
        Fault { place: Place::Whole, problem }
    }

    pub fn malformed(place: Place, reason: impl Into<String>) -> Self {
        Fault { place, problem: Problem::Malformed(reason.into()) }
    }

    pub fn cut_short(place: Place, reason: impl Into<String>) -> Self {
        Fault { place, problem: Problem::CutShort(reason.into()) }
    }

    pub fn in_file(self, path: &Path) -> MeshError {
        MeshError::Refused { path: Some(path.into()), place: self.place, problem: self.problem }
    }

    pub fn in_memory(self) -> MeshError {
        MeshError::Refused { path: None, place: self.place, problem: self.problem }
    }
}
