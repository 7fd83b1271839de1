//! What a bake writes for each frame besides the ledger.

use crate::args::Export;
use crate::folder::Folder;
use crate::stop::Stop;
use ondine::{Frame, Scene, World};
use ondine_io::{ply, whole};
use ondine_look::Viewpoint;
use std::io;
use std::path::PathBuf;

/// Size of the pictures [pixels].
const PICTURE: (u32, u32) = (800, 450);

/// The files to write for each frame.
#[derive(Debug)]
pub struct Exports {
    wanted: Vec<Export>,
    viewpoint: Viewpoint,
}

impl Exports {
    /// `scene` as it was written: its changes during the run must not move the camera.
    pub fn new(wanted: &[Export], scene: &Scene) -> Self {
        Self { wanted: wanted.to_vec(), viewpoint: Viewpoint::of(scene) }
    }

    /// Whether pictures are among them.
    pub fn pictures(&self) -> bool {
        self.wanted.contains(&Export::Png)
    }

    /// Whether particle files are among them.
    pub fn particles(&self) -> bool {
        self.wanted.contains(&Export::Ply)
    }

    /// Makes the folders that they go to.
    pub fn make_room(&self, folder: &Folder) -> Result<(), Stop> {
        let wanted = [(self.pictures(), folder.pictures()), (self.particles(), folder.particles())];
        for (_, path) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
            std::fs::create_dir_all(&path).map_err(|source| Stop::Unwritable { path, source })?;
        }
        Ok(())
    }

    /// Writes the present frame's files. On failure, tells which file.
    pub fn write(&self, folder: &Folder, world: &World) -> Result<(), (PathBuf, io::Error)> {
        if !self.pictures() && !self.particles() {
            return Ok(());
        }
        let frame = world.frame();
        if self.particles() {
            write_particles(folder, &frame)?;
        }
        if self.pictures() {
            let path = folder.picture(frame.index);
            let picture = self.viewpoint.picture(&frame, PICTURE);
            whole::write(&path, |out| picture.encode_png(out, "")).map_err(|source| (path, source))?;
        }
        Ok(())
    }
}

fn write_particles(folder: &Folder, frame: &Frame) -> Result<(), (PathBuf, io::Error)> {
    for particles in &frame.particles {
        let path = folder.particles_of(&particles.name, frame.index);
        ply::write(&path, particles).map_err(|source| (path, source))?;
    }
    Ok(())
}
