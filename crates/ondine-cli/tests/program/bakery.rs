//! A folder to bake in, and what comes out of it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// What a test gives back.
pub type Outcome = Result<(), Box<dyn Error>>;

/// A few hundred particles in the plane that fall, are stirred by a track, met by a jet and changed by an event, so
/// that whatever a checkpoint forgets shows in the hashes.
pub const SCENE: &str = r#"
title = "Tiny"
duration = 0.4
fps = 30
dimension = 2

[[liquid]]
name = "water"
spacing = 0.02

[[liquid.fill]]
shape = { box = { size = [0.3, 0.3, 1.0] } }
at = [-0.2, 0.2, 0]
arrangement = "relaxed"

[[liquid.emitter]]
radius = 0.04
at = [0.2, 0.6, 0]
velocity = [0, -1, 0]

[[object]]
name = "tank"
shape = { container = { size = [0.8, 0.8, 1.0], open = true } }
at = [0, 0.4, 0]

[[event]]
at = 0.15
set = { "liquid.water.viscosity.linear" = 0.5 }

[[track]]
path = "gravity.x"
keys = [[0.0, 0.0], [0.4, 4.0]]
"#;

/// Frames of [`SCENE`].
pub const FRAMES: usize = 12;

/// A temporary folder with [`SCENE`] in `tiny.toml`.
pub struct Bakery {
    folder: TempDir,
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub answer: String,
    pub aside: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { status: output.status.code(), answer: text(&output.stdout), aside: text(&output.stderr) }
    }
}

impl Ended {
    /// Asserts the exit status, showing what was said.
    #[track_caller]
    pub fn with(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// Asserts that all these texts were said, on either stream.
    #[track_caller]
    pub fn saying(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.answer.contains(text) || self.aside.contains(text), "{text:?} is not in {self:#?}");
        }
        self
    }
}

impl Bakery {
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("tiny.toml"), SCENE)?;
        Ok(Self { folder })
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, to be run in the folder, with arguments split at blanks.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ondine"));
        command.args(arguments.split_whitespace()).current_dir(self.folder.path()).stdin(Stdio::null());
        // What is kept between runs goes with the folder.
        command.env("ONDINE_CACHE", self.path("cache"));
        command
    }

    /// Runs the program to its end.
    pub fn ondine(&self, arguments: &str) -> Ended {
        self.command(arguments).output().expect("the program starts").into()
    }

    /// The hashes of a bake's frames. Frames must be numbered from 0 without a gap.
    pub fn hashes(&self, out: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let ledger = fs::read_to_string(self.path(out).join("ledger.jsonl"))?;
        let mut hashes = Vec::new();
        for (number, line) in ledger.lines().enumerate() {
            let line: serde_json::Value = serde_json::from_str(line)?;
            assert_eq!(line["frame"], number, "frames are in order");
            assert!(line["ms"].is_number(), "every line has its time");
            hashes.push(line["hash"].as_str().ok_or("a hash is a text")?.to_string());
        }
        Ok(hashes)
    }

    /// The bytes of all particle files and pictures of a bake.
    pub fn exports(&self, out: &str) -> Result<BTreeMap<PathBuf, Vec<u8>>, Box<dyn Error>> {
        let mut files = BTreeMap::new();
        for part in ["particles", "frames"] {
            for path in files_in(&self.path(out).join(part))? {
                files.insert(path.strip_prefix(self.path(out))?.to_path_buf(), fs::read(&path)?);
            }
        }
        Ok(files)
    }

    /// Asserts that two bakes left the same frames.
    #[track_caller]
    pub fn assert_same(&self, a: &str, b: &str) -> Outcome {
        assert_eq!(self.hashes(a)?, self.hashes(b)?);
        let (a, b) = (self.exports(a)?, self.exports(b)?);
        assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
        for (path, bytes) in &a {
            assert!(b[path] == *bytes, "{} differs", path.display());
        }
        Ok(())
    }
}

/// The files of a folder; none when it is not there.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let paths: Result<Vec<PathBuf>, _> = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect();
    Ok(paths?)
}
