//! The frames that a bake keeps: written as they are simulated, read by every stage after that.

use crate::args::FrameRange;
use crate::folder::Folder;
use crate::scene_choice;
use crate::stop::Stop;
use ondine::{Frame, Scene};
use ondine_io::scene_text::Override;
use ondine_io::{ply, poses};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Makes the folders that frames go to.
pub fn make_room(folder: &Folder) -> Result<(), Stop> {
    for path in [folder.particles(), folder.objects()] {
        std::fs::create_dir_all(&path).map_err(|source| Stop::Unwritable { path, source })?;
    }
    Ok(())
}

/// Keeps a frame: its particles, then the file that says it is there. On failure, tells which file.
pub fn keep(folder: &Folder, frame: &Frame) -> Result<(), (PathBuf, io::Error)> {
    for particles in &frame.particles {
        let path = folder.particles_of(&particles.name, frame.index);
        ply::write(&path, particles).map_err(|source| (path, source))?;
    }
    let path = folder.objects_of(frame.index);
    poses::write(&path, frame).map_err(|source| (path, source))
}

/// A bake with its frames.
#[derive(Debug)]
pub struct Baked {
    /// Where it is.
    pub folder: Folder,
    /// What was baked.
    pub scene: Scene,
    /// Its last frame.
    pub last: u32,
}

impl Baked {
    /// Looks into a folder, which others may work on, too, as long as they do not bake.
    pub fn open(path: &Path) -> Result<Self, Stop> {
        Self::seen_otherwise(path, &[])
    }

    /// The same with other values of what only pictures ask for.
    pub fn seen_otherwise(path: &Path, values: &[Override]) -> Result<Self, Stop> {
        let folder = Folder::share(path)?;
        let (scene, _) = scene_choice::parse(&scene_choice::read(&folder.scene())?, values)?;
        Self::of(folder, scene)
    }

    /// The frames in a folder whose scene is known.
    pub fn of(folder: Folder, scene: Scene) -> Result<Self, Stop> {
        match folder.frames().checked_sub(1) {
            Some(last) => Ok(Self { folder, scene, last }),
            None => Err(Stop::NoFrames { folder: folder.path().into() }),
        }
    }

    /// The frames that are asked for.
    pub fn range(&self, asked: Option<FrameRange>) -> Result<RangeInclusive<u32>, Stop> {
        let Some(asked) = asked else { return Ok(0..=self.last) };
        let none = Stop::NoSuchFrames { folder: self.folder.path().into(), asked, last: self.last };
        asked.within(self.last).ok_or(none)
    }

    /// A frame as it was simulated.
    pub fn frame(&self, index: u32) -> Result<Frame, Stop> {
        let bad = |reason: String| Stop::BadFrame { reason, frame: index };
        let mut frame = poses::read(&self.folder.objects_of(index)).map_err(|e| bad(e.to_string()))?;
        if frame.index != index {
            return Err(bad(format!(
                "{} is of frame {}",
                self.folder.objects_of(index).display(),
                frame.index
            )));
        }
        for liquid in &self.scene.liquid {
            let path = self.folder.particles_of(&liquid.name, index);
            frame.particles.push(ply::read(&path).map_err(|e| bad(e.to_string()))?);
        }
        Ok(frame)
    }
}
