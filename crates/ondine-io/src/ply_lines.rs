//! Header lines of the PLY files that Ondine writes. It reads back its own layouts only, line for line: other
//! programs' files are for `mesh_in`.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// Longest header line accepted. Ours are short but for the name, which the scene's author chooses.
const LONGEST_LINE: u64 = 1 << 16;
/// Longest part of a wrong line that is shown [characters].
const SHOWN: usize = 60;

/// Why a PLY file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PlyError {
    /// The file system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not a file as Ondine lays it out.
    #[error("{path}: {reason}; give a file that Ondine wrote, or bake again", path = path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
}

/// What went wrong, before the file's name is known.
#[derive(Debug)]
pub(crate) enum Wrong {
    Io(io::Error),
    Refused(String),
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Wrong::Io(error)
    }
}

impl Wrong {
    pub fn in_file(self, path: &Path) -> PlyError {
        let path = path.into();
        match self {
            Wrong::Io(source) => PlyError::Io { path, source },
            Wrong::Refused(reason) => PlyError::Refused { path, reason },
        }
    }
}

/// Passes over a header line that must say just this.
pub(crate) fn expect(file: &mut impl BufRead, wanted: &str) -> Result<(), Wrong> {
    let rest: String = after(file, wanted)?.chars().take(SHOWN).collect();
    if rest.is_empty() { Ok(()) } else { Err(Wrong::Refused(format!("`{rest}` after `{wanted}`"))) }
}

/// The rest of a header line that begins as wanted.
pub(crate) fn after(file: &mut impl BufRead, wanted: &str) -> Result<String, Wrong> {
    let mut line = Vec::new();
    file.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let found = line.trim_end_matches('\n');
    match found.strip_prefix(wanted) {
        Some(rest) => Ok(rest.into()),
        None => {
            let found: String = found.chars().take(SHOWN).collect();
            Err(Wrong::Refused(format!("its header should say `{}`, not `{found}`", wanted.trim_end())))
        }
    }
}
