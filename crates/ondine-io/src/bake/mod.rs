//! The folder of a bake: its scene, its ledger, its checkpoint and its frames, read and written.
//!
//! | file | what | by |
//! |---|---|---|
//! | `scene.toml`, `meshes/` | the scene, every default written out, and copies of its meshes | [`scene_text`], [`meshes`](crate::meshes) |
//! | `ledger.jsonl` | what was measured, a line a frame | [`LedgerLine`] |
//! | `checkpoint.ondine` | a world to go on from | [`checkpoint`](crate::checkpoint) |
//! | `particles/NAME.0001.ply` | the particles of one system in a frame | [`ply`](crate::ply) |
//! | `manifest/0001.json` | the systems of a frame, by kind and name, and the poses of its objects: written last, it says that the frame is there | [`manifest`] |
//!
//! ```
//! use ondine::World;
//! use ondine_io::bake::{Bake, BakeWriter, Folder, Keep, LedgerLine};
//! use ondine_io::scene_text::{Source, parse};
//!
//! let text = r#"
//! [[liquid]]
//! name = "water"
//! spacing = 0.1
//! fill = { shape = { box = { size = [0.3, 0.3, 0.3] } } }
//! "#;
//! let (scene, _) = parse(&Source::new("drop.toml", text), &[]).expect("a sound scene");
//! let mut world = World::new(&scene).expect("a sound scene");
//!
//! # let place = tempfile::tempdir()?;
//! # let path = place.path();
//! let mut writer = BakeWriter::create(Folder::claim(path)?, &scene, Keep::Frames)?;
//! for _ in 0..3 {
//!     writer.write(&world, &LedgerLine { measured: world.measured()?, ms: 0.0 })?;
//!     world.advance()?;
//! }
//! drop(writer);
//!
//! let bake = Bake::open(path)?;
//! assert_eq!((bake.scene(), bake.frame_count()), (&scene, 3));
//! assert_eq!(bake.frame(2)?.time, bake.ledger()?[2].measured.time);
//! for frame in bake.frames() {
//!     for system in frame?.particles {
//!         println!("{} {}: {} particles", system.kind, system.name, system.position.len());
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod folder;
mod frames;
mod ledger;
pub mod manifest;
mod writer;

pub use error::BakeError;
pub use folder::{Folder, file_names, scene_in};
pub use ledger::LedgerLine;
pub use manifest::Manifest;
pub use writer::{BakeWriter, Keep};

use crate::scene_text::{self, Source};
use ondine::{Frame, Scene, World};
use std::path::Path;

/// A bake that is there. As long as the value lives nobody else bakes into its folder.
#[derive(Debug)]
pub struct Bake {
    folder: Folder,
    scene: Scene,
    count: u32,
}

impl Bake {
    /// Opens the bake in a folder. Others may read it, too.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BakeError> {
        let folder = Folder::share(path.as_ref())?;
        let path = folder.scene();
        let text = std::fs::read_to_string(&path)
            .map_err(|source| BakeError::Unreadable { path: path.clone(), source })?;
        let source = Source { folder: folder.path().into(), ..Source::new(path.display().to_string(), text) };
        match scene_text::parse(&source, &[]) {
            Ok((scene, _)) => Ok(Self::of(folder, scene)),
            Err(faults) => Err(BakeError::Faulty { path, faults }),
        }
    }

    /// The bake in a folder whose scene is known.
    pub fn of(folder: Folder, scene: Scene) -> Self {
        Self { count: folder.frame_count(), folder, scene }
    }

    /// The same without the frames after one, where the folder may hold some of a longer bake.
    pub fn until(self, last: u32) -> Self {
        Self { count: self.count.min(last.saturating_add(1)), ..self }
    }

    /// Where it is.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// What was baked.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// How many frames it has kept, numbered from 0.
    pub fn frame_count(&self) -> u32 {
        self.count
    }

    /// The number of the last frame. An error that says why there is none, if there is none.
    pub fn last_frame(&self) -> Result<u32, BakeError> {
        self.count.checked_sub(1).ok_or_else(|| self.folder.without_frames())
    }

    /// A frame as it was simulated.
    pub fn frame(&self, index: u32) -> Result<Frame, BakeError> {
        self.check(index)?;
        frames::read(&self.folder, &self.scene, index)
    }

    /// All frames from the first, each read when it is asked for.
    pub fn frames(&self) -> impl Iterator<Item = Result<Frame, BakeError>> + '_ {
        (0..self.count).map(|index| self.frame(index))
    }

    /// What a frame is made of, without its particles.
    pub fn manifest(&self, index: u32) -> Result<Manifest, BakeError> {
        self.check(index)?;
        frames::read_manifest(&self.folder, index)
    }

    /// The ledger, a line a frame. It has all frames that were simulated, whether they were kept or not.
    pub fn ledger(&self) -> Result<Vec<LedgerLine>, BakeError> {
        ledger::read(&self.folder.ledger())
    }

    /// The world of the last checkpoint, if there is one.
    pub fn checkpoint(&self) -> Result<Option<World>, BakeError> {
        self.folder.load_checkpoint()
    }

    fn check(&self, index: u32) -> Result<(), BakeError> {
        match self.last_frame()? {
            last if index <= last => Ok(()),
            _ => Err(BakeError::NoSuchFrame {
                folder: self.folder.path().into(),
                frame: index,
                count: self.count,
            }),
        }
    }
}
