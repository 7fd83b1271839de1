//! The folder of a bake: what lies where, who may write there, and what may be removed.

use super::error::BakeError;
use crate::checkpoint::{self, CheckpointError};
use crate::meshes;
use ondine::{SystemKind, World};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder with a bake, or for one: as long as the value lives nobody else bakes there.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held, never read. The system lets go of it when the process ends, however it ends. None where nobody can write.
    _lock: Option<File>,
}

impl Folder {
    /// Makes the folder if need be, and locks it against everyone else: the way to bake.
    pub fn claim(path: &Path) -> Result<Self, BakeError> {
        fs::create_dir_all(path).map_err(|source| BakeError::Unwritable { path: path.into(), source })?;
        let lock = File::create(lock_in(path))
            .map_err(|source| BakeError::Unwritable { path: lock_in(path), source })?;
        Self::locked(path, lock, File::try_lock)
    }

    /// A folder that is there, locked against bakes. Others may work on it, too.
    pub fn share(path: &Path) -> Result<Self, BakeError> {
        if !scene_in(path).is_file() {
            return Err(BakeError::NoBake { folder: path.into() });
        }
        match File::open(lock_in(path)).or_else(|_| File::create(lock_in(path))) {
            Ok(lock) => Self::locked(path, lock, File::try_lock_shared),
            // Where nothing can be written nobody bakes.
            Err(e) if matches!(e.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                Ok(Self { path: path.into(), _lock: None })
            }
            Err(source) => Err(BakeError::Unwritable { path: lock_in(path), source }),
        }
    }

    fn locked(
        path: &Path,
        lock: File,
        lock_file: fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, BakeError> {
        match lock_file(&lock) {
            Ok(()) => Ok(Self { path: path.into(), _lock: Some(lock) }),
            Err(TryLockError::WouldBlock) => Err(BakeError::InUse { folder: path.into() }),
            Err(TryLockError::Error(source)) => Err(BakeError::Unwritable { path: lock_in(path), source }),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The scene as it was understood.
    pub fn scene(&self) -> PathBuf {
        scene_in(&self.path)
    }

    /// The measures, a line a frame.
    pub fn ledger(&self) -> PathBuf {
        self.path.join("ledger.jsonl")
    }

    /// What a resumed bake goes on from.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.ondine")
    }

    /// The pictures.
    pub fn pictures(&self) -> PathBuf {
        self.path.join("frames")
    }

    /// The picture of a frame.
    pub fn picture(&self, frame: u32) -> PathBuf {
        self.pictures().join(format!("{frame:04}.png"))
    }

    /// The particle files.
    pub fn particles(&self) -> PathBuf {
        self.path.join("particles")
    }

    /// The particles of one system in a frame.
    pub fn particles_of(&self, system: &str, frame: u32) -> PathBuf {
        self.part_of("particles", system, frame, "ply")
    }

    /// The manifests of frames.
    pub fn manifests(&self) -> PathBuf {
        self.path.join("manifest")
    }

    /// What a frame is made of.
    pub fn manifest(&self, frame: u32) -> PathBuf {
        self.part_whole("manifest", frame, "json")
    }

    /// How many frames are here, as far as they follow each other from 0.
    pub fn frame_count(&self) -> u32 {
        (0..).find(|frame| !self.manifest(*frame).is_file()).unwrap_or(u32::MAX)
    }

    /// Why frames that should be here are not.
    pub(super) fn without_frames(&self) -> BakeError {
        let folder = self.path.clone();
        match self.part_whole(OLD_MANIFESTS, 0, "json").is_file() && !self.manifest(0).is_file() {
            true => BakeError::OldFrames { folder },
            false => BakeError::NoFrames { folder },
        }
    }

    /// The world of the checkpoint, if there is one: going on from it gives the same bits as if the run had never stopped.
    pub fn load_checkpoint(&self) -> Result<Option<World>, BakeError> {
        match checkpoint::load(&self.checkpoint()) {
            Ok(world) => Ok(Some(world)),
            Err(CheckpointError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The film.
    pub fn film(&self) -> PathBuf {
        self.path.join("film.mp4")
    }

    /// A folder of files for other programs.
    pub fn part(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file of a system in a frame there.
    pub fn part_of(&self, part: &str, system: &str, frame: u32, ending: &str) -> PathBuf {
        self.part(part).join(format!("{}.{frame:04}.{ending}", file_name(system)))
    }

    /// A file of a whole frame there.
    pub fn part_whole(&self, part: &str, frame: u32, ending: &str) -> PathBuf {
        self.part(part).join(format!("{frame:04}.{ending}"))
    }

    /// The copies of the scene's meshes.
    pub fn meshes(&self) -> PathBuf {
        self.path.join(meshes::COPIES)
    }

    /// Every file here that a bake makes, in order of name.
    pub fn made(&self) -> Result<Vec<PathBuf>, BakeError> {
        let mut made: Vec<PathBuf> = [self.scene(), self.ledger(), self.checkpoint(), self.film()]
            .into_iter()
            .filter(|path| path.exists())
            .collect();
        made.extend(list(&self.path, is_leftover)?);
        made.extend(list(&self.pictures(), |name| is_leftover(name) || is_numbered(name, ".png"))?);
        for (part, is_ours) in PARTS {
            made.extend(list(&self.part(part), |name| is_leftover(name) || is_ours(name))?);
        }
        made.extend(self.mesh_files()?);
        made.sort();
        Ok(made)
    }

    fn mesh_files(&self) -> Result<Vec<PathBuf>, BakeError> {
        list(&self.meshes(), |name| is_leftover(name) || meshes::is_copy(name))
    }

    /// Removes what a bake makes, and nothing else. The scene stays, to be replaced whole by the next bake's, and with
    /// it the meshes that it names.
    pub fn clear(&self) -> Result<(), BakeError> {
        let mut made = self.made()?;
        made.retain(|path| *path != self.scene() && !path.starts_with(self.meshes()));
        // The checkpoint first: after a kill in between, the folder holds a bake that starts again from its scene.
        made.sort_by_key(|path| *path != self.checkpoint());
        self.remove(made)
    }

    /// Removes the copies of meshes that are not among these: those of a bake that was replaced.
    pub fn keep_meshes(&self, kept: &[PathBuf]) -> Result<(), BakeError> {
        let mut files = self.mesh_files()?;
        files.retain(|path| !kept.contains(path));
        self.remove(files)
    }

    /// Removes what a killed bake was in the middle of writing.
    pub fn sweep(&self) -> Result<(), BakeError> {
        let mut leftovers = self.made()?;
        leftovers.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_leftover));
        self.remove(leftovers)
    }

    fn remove(&self, files: Vec<PathBuf>) -> Result<(), BakeError> {
        for path in files {
            fs::remove_file(&path).map_err(|source| BakeError::Unwritable { path, source })?;
        }
        Ok(())
    }
}

/// Where a folder's bake keeps its scene.
pub fn scene_in(folder: &Path) -> PathBuf {
    folder.join("scene.toml")
}

fn lock_in(folder: &Path) -> PathBuf {
    folder.join(".lock")
}

/// What systems are called where their files lie, so that no two of a frame have one file: by their names and, where an earlier one of
/// another kind has the same, or the same but for capital letters, by their kinds as well.
pub fn file_names<'a>(systems: impl IntoIterator<Item = (SystemKind, &'a str)>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let named = |(kind, name): (SystemKind, &str)| match taken.insert(name.to_lowercase()) {
        true => name.to_string(),
        // No name has a dot.
        false => format!("{kind}.{name}"),
    };
    systems.into_iter().map(named).collect()
}

/// The files of a folder, if it is there, whose names pass.
fn list(folder: &Path, passes: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, BakeError> {
    let unreadable = |source: io::Error| BakeError::Unreadable { path: folder.into(), source };
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.file_name().to_str().is_some_and(&passes) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The temporary of a file that was not finished.
fn is_leftover(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".partial")
}

/// `0001.png`
fn is_numbered(name: &str, ending: &str) -> bool {
    name.strip_suffix(ending)
        .is_some_and(|digits| digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// `water.0001.ply`
fn is_of_system(name: &str, ending: &str) -> bool {
    name.split_once('.').is_some_and(|(system, rest)| !system.is_empty() && is_numbered(rest, ending))
}

type IsOurs = fn(&str) -> bool;

/// Where bakes kept the poses of objects before frames had manifests.
const OLD_MANIFESTS: &str = "objects";

/// The folders of frames and of files for other programs, and which files in them are made by a bake.
const PARTS: [(&str, IsOurs); 11] = [
    ("particles", |name| is_of_system(name, ".ply")),
    ("manifest", |name| is_numbered(name, ".json")),
    (OLD_MANIFESTS, |name| is_numbered(name, ".json")),
    ("mesh", |name| is_of_system(name, ".ply") || is_of_system(name, ".obj") || is_numbered(name, ".glb")),
    ("mesh/objects", |name| is_of_system(name, ".obj")),
    ("usd", |name| matches!(name, "scene.usda" | "balls.usda" | "clips.usda")),
    ("usd/clips_clips", |name| name == "manifest.usda" || is_of_system(name, ".usda")),
    ("vtk", |name| name == "scene.pvd" || is_of_system(name, ".vtp")),
    ("vtk/surfaces", |name| is_of_system(name, ".vtp")),
    ("vtk/objects", |name| is_of_system(name, ".vtp")),
    ("npz", |name| is_numbered(name, ".npz")),
];

/// A system's name as part of a file's. Letters, digits, `-` and `_` stand for themselves; the bytes of everything
/// else, such as the slash that would lead out of the folder, are written `%2F`, so different names stay different.
fn file_name(system: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut name = String::new();
    for c in system.chars() {
        if plain(c) {
            name.push(c);
        } else {
            name.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_systems_stay_in_the_folder_and_apart() {
        assert_eq!(file_name("honey_2"), "honey_2");
        assert_eq!(file_name("crème"), "crème");
        assert_eq!(file_name("../a b"), "%2E%2E%2Fa%20b");
    }

    #[test]
    fn systems_of_one_name_have_files_of_their_own() {
        use SystemKind::{Balls, Liquid};
        let names = file_names([(Liquid, "a"), (Liquid, "b"), (Balls, "A"), (Balls, "c")]);
        assert_eq!(names, ["a", "b", "balls.A", "c"]);
    }

    #[test]
    fn what_is_shared_is_not_baked_to() -> Result<(), Box<dyn std::error::Error>> {
        let place = tempfile::tempdir()?;
        assert!(matches!(Folder::share(place.path()), Err(BakeError::NoBake { .. })));
        let folder = Folder::claim(place.path())?;
        fs::write(folder.scene(), "")?;
        assert!(matches!(Folder::share(place.path()), Err(BakeError::InUse { .. })));
        drop(folder);
        let shared = [Folder::share(place.path())?, Folder::share(place.path())?];
        assert!(matches!(Folder::claim(place.path()), Err(BakeError::InUse { .. })));
        drop(shared);
        Folder::claim(place.path())?;
        Ok(())
    }

    #[test]
    fn only_what_a_bake_makes_is_taken_for_it() {
        assert!(is_numbered("0001.png", ".png") && is_numbered("12345.png", ".png"));
        assert!(!is_numbered("1.png", ".png") && !is_numbered("cat.png", ".png"));
        assert!(is_of_system("honey.0001.ply", ".ply"));
        assert!(!is_of_system("bunny.ply", ".ply") && !is_of_system(".0001.ply", ".ply"));
    }

    #[test]
    fn clearing_leaves_the_users_own_files() -> Result<(), Box<dyn std::error::Error>> {
        let place = tempfile::tempdir()?;
        let folder = Folder::claim(place.path())?;
        fs::create_dir(folder.pictures())?;
        fs::create_dir(folder.particles())?;
        fs::create_dir(folder.meshes())?;
        let mine = [
            place.path().join("notes.txt"),
            folder.pictures().join("cat.png"),
            folder.meshes().join("my-own.ply"),
        ];
        let copy = folder.meshes().join("stool-0123456789abcdef.ply");
        let made =
            [folder.checkpoint(), folder.ledger(), folder.picture(3), folder.particles_of("a", 3), copy];
        for path in mine.iter().chain(&made) {
            fs::write(path, "x")?;
        }
        folder.clear()?;
        folder.keep_meshes(&[])?;
        assert!(mine.iter().all(|path| path.exists()));
        assert!(made.iter().all(|path| !path.exists()));
        Ok(())
    }
}
