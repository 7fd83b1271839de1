//! How a frame looks: pictures made without a graphics card.
//!
//! A [`Studio`] makes the pictures of a scene, in the quality that is asked for. The better ones are traced
//! (`tracer`, with a table of its own); a preview is drawn:
//!
//! | step | file |
//! |---|---|
//! | choose the point of view, from the scene alone | `framing`, `extent`, `moves`, `view` |
//! | find what each sample of the picture sees: particles as balls, objects along rays | `beads`, `solids`, `trace`, `seen` |
//! | do the same from the light, for the shadows | `shadows` |
//! | shade what is seen, darker where it is enclosed | `shading`, `occlusion` |
//! | draw the edges of containers over it | `lines` |
//! | average down: all is drawn twice as wide and high as asked, which smooths the edges | `picture` |
//!
//! Pictures depend on nothing but their arguments: the same frame gives the same bytes.

#![forbid(unsafe_code)]

mod beads;
mod extent;
mod film;
mod framing;
mod lanes;
mod lines;
mod moves;
mod occlusion;
mod picture;
mod seen;
mod shading;
mod shadows;
mod solids;
mod surface;
mod trace;
mod tracer;
mod view;

pub use film::{FilmError, Gif, Mp4};
pub use picture::Picture;
pub use surface::{SurfaceOptions, Surfaces, surface, surface_mesh};
pub use tracer::{Coloring, NotAQuality, Progressive, Quality, Studio, shown};

use framing::Framing;
use moves::Moves;
use ondine::{Frame, Scene};
use solids::Prop;

/// Samples of a pixel along each axis.
const SAMPLES: u32 = 2;

/// The largest width or height of a picture: what a PNG reader can be trusted with, and a bound on memory.
const LARGEST: u32 = 8192;

/// Where pictures of a scene are taken from, and the shapes that stand in it. Made from the scene as it was written, it
/// serves all its frames.
#[derive(Clone, Debug)]
pub struct Viewpoint {
    framing: Framing,
    moves: Moves,
    props: Vec<Prop>,
    planar: bool,
}

/// The picture of a frame, from the scene's camera, or else from a point that holds the whole scene. For more than one,
/// make a [`Viewpoint`].
pub fn picture(frame: &Frame, scene: &Scene, size: (u32, u32)) -> Picture {
    Viewpoint::of(scene).picture(frame, size)
}

impl Viewpoint {
    /// The scene's own camera or, without one, a point that holds its fills, emitters and objects.
    pub fn of(scene: &Scene) -> Self {
        Self {
            framing: Framing::of(scene),
            moves: Moves::of(scene),
            props: solids::of_scene(scene),
            planar: scene.planar(),
        }
    }

    /// The picture of a frame from here: its particles, and the scene's objects where the frame has them.
    pub fn picture(&self, frame: &Frame, size: (u32, u32)) -> Picture {
        let (width, height) = (size.0.clamp(1, LARGEST), size.1.clamp(1, LARGEST));
        let view =
            self.framing.with_camera(self.moves.camera_at(frame)).view((width * SAMPLES, height * SAMPLES));
        let beads = beads::of_frame(frame, self.planar, self.framing.lively_speed());
        let solids = solids::of_frame(&self.props, frame);

        let mut seen = seen::Seen::nothing(view.size());
        match self.planar {
            true => solids::draw_cut(&solids, &view, &mut seen),
            false => solids::draw(solids.iter().enumerate(), &view, &mut seen),
        }
        beads::draw(&beads, &view, &mut seen);

        let shadows = (!self.planar).then(|| shadows::Shadows::cast(&self.framing, &view, &beads, &solids));
        let stage = shading::Stage {
            view: &view,
            seen: &seen,
            beads: &beads,
            solids: &solids,
            shadows: shadows.as_ref(),
            surroundings: occlusion::Surroundings::new(view.size().1),
            towards_key: shadows::towards_light(&view),
            tile: self.framing.tile(),
        };
        let mut light = stage.shade();
        lines::draw(solids.iter().flat_map(|solid| solid.edges()), &view, &seen, &mut light);
        Picture::average(&light, (width, height), SAMPLES)
    }
}
