//! The frames that a bake keeps: written as they are simulated, read by every stage after that.

use crate::args::FrameRange;
use crate::folder::Folder;
use crate::scene_choice;
use crate::stop::Stop;
use ondine::{Frame, Particles, Scene};
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
        let in_file = |path: &Path, what: String| bad(format!("{}: {what}", path.display()));
        if let Some(what) = unfit_objects(&frame, &self.scene) {
            return Err(in_file(&self.folder.objects_of(index), what));
        }
        for liquid in &self.scene.liquid {
            let path = self.folder.particles_of(&liquid.name, index);
            let particles = ply::read(&path).map_err(|e| bad(e.to_string()))?;
            if let Some(what) = unfit_particles(&particles) {
                return Err(in_file(&path, what));
            }
            frame.particles.push(particles);
        }
        Ok(frame)
    }
}

/// Farthest that anything can be seen, and fastest [m, m/s].
const FARTHEST: f32 = 1e9;

/// What of some particles cannot be: no surface, and no picture, is made of what is nowhere.
fn unfit_particles(particles: &Particles) -> Option<String> {
    let sound = |v: &[f32; 3]| v.iter().all(|x| x.abs() <= FARTHEST);
    let all = particles.position.iter().zip(&particles.velocity).zip(&particles.density);
    let mut wild = all.enumerate().filter(|(_, ((p, v), d))| !(sound(p) && sound(v) && d.is_finite()));
    if !(particles.radius > 0.0 && particles.radius <= FARTHEST) {
        return Some(format!("a radius of {} m is none", particles.radius));
    }
    wild.next().map(|(i, ((p, v), _))| {
        format!("it is damaged: particle {} is at {p:?} m and goes at {v:?} m/s", particles.id[i])
    })
}

/// The same of objects, which must be those of the scene.
fn unfit_objects(frame: &Frame, scene: &Scene) -> Option<String> {
    let names = |frame: &Frame| frame.objects.iter().map(|o| o.name.clone()).collect::<Vec<_>>();
    if names(frame) != scene.object.iter().map(|o| o.name.clone()).collect::<Vec<_>>() {
        return Some("its objects are not those of the scene".into());
    }
    let turned = |pose: &ondine::Pose| (pose.placement.rotation.length() - 1.0).abs() < 1e-2;
    let near = |pose: &ondine::Pose| pose.placement.at.abs().max_element() <= FARTHEST;
    let wild = frame.objects.iter().find(|pose| !(near(pose) && turned(pose)));
    wild.map(|pose| format!("it is damaged: object.{} is nowhere that an object can be", pose.name))
}
