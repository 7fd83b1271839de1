//! A bake that is being written.

use super::error::BakeError;
use super::folder::Folder;
use super::frames;
use super::ledger::{LedgerFile, LedgerLine};
use crate::checkpoint::{self, CheckpointError};
use crate::{atomic, meshes, scene_text};
use ondine::{Scene, World};
use std::io;

/// What a bake keeps of each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The frame itself and its line of the ledger.
    Frames,
    /// Its line of the ledger alone.
    Ledger,
}

/// A bake under way: [`write`](BakeWriter::write) every frame from the first, and now and then a
/// [`checkpoint`](BakeWriter::checkpoint). A stop at any instant leaves a bake that can be gone on with from its last checkpoint.
#[derive(Debug)]
pub struct BakeWriter {
    folder: Folder,
    ledger: LedgerFile,
    keep: Keep,
}

impl BakeWriter {
    /// Begins the bake of a scene. What an earlier bake has left in the folder is removed, and nothing else.
    ///
    /// The folder gets copies of the meshes that the scene names, and its own scene names those. For a world that is to be gone on with by
    /// the program, call [`meshes::name_copies`] on the scene before the world is made of it.
    pub fn create(folder: Folder, scene: &Scene, keep: Keep) -> Result<Self, BakeError> {
        let mut scene = scene.clone();
        meshes::name_copies(&mut scene);
        folder.clear()?;
        make_room(&folder, keep)?;
        let copies = meshes::write_copies(&scene, folder.path())
            .map_err(|(path, source)| BakeError::Unwritable { path, source })?;
        let text = scene_text::write(&scene);
        atomic::write(&folder.scene(), |out| out.write_all(text.as_bytes()))
            .map_err(|source| BakeError::Unwritable { path: folder.scene(), source })?;
        folder.keep_meshes(&copies)?;
        let ledger = LedgerFile::create(folder.ledger())?;
        Ok(Self { folder, ledger, keep })
    }

    /// Goes on with a bake whose checkpoint holds this world ([`Folder::load_checkpoint`]). Returns the lines of the ledger so far, too;
    /// what was written after the checkpoint is to be written again.
    pub fn resume(folder: Folder, world: &World, keep: Keep) -> Result<(Self, Vec<LedgerLine>), BakeError> {
        if keep == Keep::Frames && folder.frame_count() <= world.frame_index() {
            return Err(folder.without_frames());
        }
        let hash = format!("{:016x}", world.hash());
        let (ledger, lines) = LedgerFile::reopen(folder.ledger(), world.frame_index(), &hash)?;
        make_room(&folder, keep)?;
        Ok((Self { folder, ledger, keep }, lines))
    }

    /// Where it is.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The folder, when all is written.
    pub fn finish(self) -> Folder {
        self.folder
    }

    /// Writes everything about the present frame of a world: its files first, then the line that says it is there.
    pub fn write(&mut self, world: &World, line: &LedgerLine) -> Result<(), BakeError> {
        if self.keep == Keep::Frames {
            frames::write(&self.folder, &world.frame())?;
        }
        self.ledger.write(line)
    }

    /// Writes a world that a stopped bake can go on from: that of the frame that was written last.
    pub fn checkpoint(&mut self, world: &World) -> Result<(), BakeError> {
        self.ledger.sync()?;
        let path = self.folder.checkpoint();
        checkpoint::save(&path, world).map_err(|error| match error {
            CheckpointError::Io { path, source } => BakeError::Unwritable { path, source },
            other => BakeError::Unwritable { path, source: io::Error::other(other) },
        })
    }
}

fn make_room(folder: &Folder, keep: Keep) -> Result<(), BakeError> {
    if keep == Keep::Frames { frames::make_room(folder) } else { Ok(()) }
}
