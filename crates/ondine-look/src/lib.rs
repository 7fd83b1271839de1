//! How a frame looks: preview pictures, drawn without a graphics card.
//!
//! | step | file |
//! |---|---|
//! | choose the point of view, from the scene alone | `framing`, `view` |
//! | find what each sample of the picture sees: particles as balls, objects by casting rays | `beads`, `solids`, `seen` |
//! | do the same from the light, for the shadows | `shadows` |
//! | shade what is seen, darker where it is enclosed | `shading`, `occlusion` |
//! | draw the edges of containers over it | `lines` |
//! | average down: all is drawn twice as wide and high as asked, which smooths the edges | `picture` |
//!
//! Pictures depend on nothing but their arguments: the same frame gives the same bytes.

#![forbid(unsafe_code)]

mod beads;
mod framing;
mod lines;
mod occlusion;
mod picture;
mod seen;
mod shading;
mod shadows;
mod solids;
mod view;

pub use framing::Viewpoint;
pub use picture::Picture;

use ondine::{Frame, Scene};

/// Samples of a pixel along each axis.
const SAMPLES: u32 = 2;

/// The largest width or height of a picture: what a PNG reader can be trusted with, and a bound on memory.
const LARGEST: u32 = 8192;

/// The picture of a frame, from the scene's camera, or else from a point that holds the whole scene.
///
/// Events may change a scene during a run. To keep the camera still from frame to frame, make one [`Viewpoint`] from
/// the scene as it was written and call [`Viewpoint::picture`] for each frame.
pub fn picture(frame: &Frame, scene: &Scene, size: (u32, u32)) -> Picture {
    Viewpoint::of(scene).picture(frame, scene, size)
}

impl Viewpoint {
    /// The picture of a frame from here. `scene` tells which objects stand where now.
    pub fn picture(&self, frame: &Frame, scene: &Scene, size: (u32, u32)) -> Picture {
        let (width, height) = (size.0.clamp(1, LARGEST), size.1.clamp(1, LARGEST));
        let view = self.view((width * SAMPLES, height * SAMPLES));
        let beads = beads::of_frame(frame, scene.planar(), self.lively_speed());
        let solids = solids::of_scene(scene);

        let mut seen = seen::Seen::nothing(view.size());
        solids::draw(&solids, &view, scene.planar(), &mut seen);
        beads::draw(&beads, &view, &mut seen);

        let shadows = (!scene.planar()).then(|| shadows::Shadows::cast(self, &view, &beads, &solids));
        let stage = shading::Stage {
            view: &view,
            seen: &seen,
            beads: &beads,
            solids: &solids,
            shadows: shadows.as_ref(),
            surroundings: occlusion::Surroundings::new(view.size().1),
            towards_key: shadows::towards_light(&view),
            tile: self.tile(),
        };
        let mut light = stage.shade();
        lines::draw(&lines::container_edges(scene), &view, &seen, &mut light);
        Picture::average(&light, (width, height), SAMPLES)
    }
}
