//! The folder of a bake: what lies where, who may write there, and what may be removed.

use crate::stop::Stop;
use ondine_io::meshes;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that this bake alone writes to, as long as the value lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held, never read. The system lets go of it when the process ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Makes the folder if need be, and locks it against everyone else.
    pub fn claim(path: &Path) -> Result<Self, Stop> {
        fs::create_dir_all(path).map_err(|source| Stop::Unwritable { path: path.into(), source })?;
        Self::lock(path, File::try_lock)
    }

    /// A folder that is there, locked against bakes. Others may work on it, too.
    pub fn share(path: &Path) -> Result<Self, Stop> {
        if !scene_in(path).is_file() {
            return Err(Stop::NoBake { folder: path.into() });
        }
        Self::lock(path, File::try_lock_shared)
    }

    fn lock(path: &Path, lock_file: fn(&File) -> Result<(), TryLockError>) -> Result<Self, Stop> {
        let lock_path = path.join(".lock");
        let lock = File::create(&lock_path)
            .map_err(|source| Stop::Unwritable { path: lock_path.clone(), source })?;
        match lock_file(&lock) {
            Ok(()) => Ok(Self { path: path.into(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Stop::InUse { folder: path.into() }),
            Err(TryLockError::Error(source)) => Err(Stop::Unwritable { path: lock_path, source }),
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
        self.particles().join(format!("{}.{frame:04}.ply", file_name(system)))
    }

    /// The files of objects.
    pub fn objects(&self) -> PathBuf {
        self.path.join("objects")
    }

    /// Where the objects of a frame are.
    pub fn objects_of(&self, frame: u32) -> PathBuf {
        self.objects().join(format!("{frame:04}.json"))
    }

    /// The numbers of the frames that are here, as far as they follow each other from 0.
    pub fn frames(&self) -> u32 {
        (0..).find(|frame| !self.objects_of(*frame).is_file()).unwrap_or(u32::MAX)
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
    pub fn made(&self) -> Result<Vec<PathBuf>, Stop> {
        let mut made: Vec<PathBuf> = [self.scene(), self.ledger(), self.checkpoint(), self.film()]
            .into_iter()
            .filter(|path| path.exists())
            .collect();
        made.extend(list(&self.path, is_leftover)?);
        made.extend(list(&self.pictures(), |name| is_leftover(name) || is_numbered(name, ".png"))?);
        made.extend(list(&self.particles(), |name| is_leftover(name) || is_of_system(name, ".ply"))?);
        made.extend(list(&self.objects(), |name| is_leftover(name) || is_numbered(name, ".json"))?);
        for (part, is_ours) in PARTS {
            made.extend(list(&self.part(part), |name| is_leftover(name) || is_ours(name))?);
        }
        made.extend(self.mesh_files()?);
        made.sort();
        Ok(made)
    }

    fn mesh_files(&self) -> Result<Vec<PathBuf>, Stop> {
        list(&self.meshes(), |name| is_leftover(name) || meshes::is_copy(name))
    }

    /// Removes what a bake makes, and nothing else. The scene stays, to be replaced whole by the next bake's, and with
    /// it the meshes that it names.
    pub fn clear(&self) -> Result<(), Stop> {
        let mut made = self.made()?;
        made.retain(|path| *path != self.scene() && !path.starts_with(self.meshes()));
        // The checkpoint first: after a kill in between, the folder holds a bake that starts again from its scene.
        made.sort_by_key(|path| *path != self.checkpoint());
        self.remove(made)
    }

    /// Removes the copies of meshes that are not among these: those of a bake that was replaced.
    pub fn keep_meshes(&self, kept: &[PathBuf]) -> Result<(), Stop> {
        let mut files = self.mesh_files()?;
        files.retain(|path| !kept.contains(path));
        self.remove(files)
    }

    /// Removes what a killed bake was in the middle of writing.
    pub fn sweep(&self) -> Result<(), Stop> {
        let mut leftovers = self.made()?;
        leftovers.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_leftover));
        self.remove(leftovers)
    }

    fn remove(&self, files: Vec<PathBuf>) -> Result<(), Stop> {
        for path in files {
            fs::remove_file(&path).map_err(|source| Stop::Unwritable { path, source })?;
        }
        Ok(())
    }
}

/// Where a folder's bake keeps its scene.
pub fn scene_in(folder: &Path) -> PathBuf {
    folder.join("scene.toml")
}

/// The files of a folder, if it is there, whose names pass.
fn list(folder: &Path, passes: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, Stop> {
    let unreadable = |source: io::Error| Stop::Unreadable { path: folder.into(), source };
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

/// The folders of files for other programs, and which files in them are made by a bake.
const PARTS: [(&str, IsOurs); 7] = [
    ("mesh", |name| is_of_system(name, ".ply") || is_of_system(name, ".obj") || is_numbered(name, ".glb")),
    ("usd", |name| name == "scene.usda" || name == "clips.usda"),
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
