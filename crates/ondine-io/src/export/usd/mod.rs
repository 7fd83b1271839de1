//! An animation as USD text, for Blender, Houdini, Maya, Omniverse and their kin.
//!
//! | | layout | when |
//! |---|---|---|
//! | [`Animation`] | one file with time samples | small animations: one thing to hand over |
//! | [`Clips`] | a root file, a manifest, and one file a frame (value clips) | long ones: programs load what they show |
//!
//! Both take frames one after another and hold one of them in memory. The stage is in metres with y up, and a time code
//! is a frame's number:
//!
//! ```text
//! /Ondine/Surfaces/NAME    Mesh, its topology different in every frame
//! /Ondine/Particles/NAME   Points; or PointInstancer of a ball, if wanted
//! /Ondine/Objects/NAME     Mesh (Xform where there is none) that is moved, turned, shown and hidden
//! /Ondine/Materials/NAME   Material of a liquid or an object, bound to it
//! /Ondine/Lights/NAME      Sun, sky and lamps
//! /Ondine/Camera           Camera
//! ```
//!
//! `NAME` is the name in the scene with letters, digits and underscores of ASCII only; a name that is taken gets a
//! number. Colours are linear, as USD wants them.

mod animation;
mod attributes;
mod clips;
mod layer;
mod prims;
mod samples;
mod setting;
mod value;

pub use animation::Animation;
pub use clips::Clips;
pub use setting::Setting;

use super::validate::invalid;
use super::{ExportFrame, ObjectMesh, validate};
use prims::Prim;
use std::io;

/// What both layouts keep of the frames that they were given.
struct Seen {
    fps: f64,
    object_meshes: Vec<ObjectMesh>,
    setting: Setting,
    /// Whether particles are instances of balls.
    balls: bool,
    prims: Vec<Prim>,
    frames: Vec<u32>,
}

impl Seen {
    fn new(fps: f64, object_meshes: &[ObjectMesh]) -> Self {
        Self {
            fps,
            object_meshes: object_meshes.to_vec(),
            setting: Setting::default(),
            balls: false,
            prims: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// The first frame says what there is; later ones must have the same.
    fn see(&mut self, frame: &ExportFrame) -> io::Result<()> {
        validate::frame(frame, Some(&self.object_meshes))?;
        let index = frame.frame.index;
        match self.frames.last() {
            None => self.prims = prims::prims(frame, &self.object_meshes, &self.setting, self.balls)?,
            Some(&last) if index <= last => {
                return Err(invalid(format!("frame {index} comes after frame {last}")));
            }
            Some(_) if !prims::same(&self.prims, frame) => {
                return Err(invalid(format!("frame {index} has other systems or objects than the first")));
            }
            Some(_) => (),
        }
        self.frames.push(index);
        Ok(())
    }

    fn setting_text(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.setting.write(&mut text, &self.frames, self.fps)?;
        Ok(text)
    }

    /// First and last time code.
    fn range(&self) -> io::Result<(u32, u32)> {
        match (self.frames.first(), self.frames.last()) {
            (Some(&first), Some(&last)) => Ok((first, last)),
            _ => Err(invalid("no frames to write")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{frame, object_meshes};

    fn begun() -> (tempfile::TempDir, Animation) {
        let folder = tempfile::tempdir().unwrap();
        let animation = Animation::new(&folder.path().join("f.usda"), 30.0, &object_meshes()).unwrap();
        (folder, animation)
    }

    #[test]
    fn frames_must_come_in_order_and_be_alike() {
        let (folder, mut animation) = begun();
        animation.push(&frame(1)).unwrap();
        assert!(animation.push(&frame(1)).unwrap_err().to_string().contains("frame 1 comes after frame 1"));
        let mut other = frame(2);
        other.surfaces.pop();
        assert!(animation.push(&other).unwrap_err().to_string().contains("other systems"));
        drop(animation);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    }

    #[test]
    fn no_frames_are_no_animation() {
        let (_folder, animation) = begun();
        assert_eq!(animation.finish().unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
