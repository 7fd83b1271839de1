//! Pictures of a scene, drawn or traced, in the quality that is asked for.

use crate::camera::Framing;
use crate::coils::Coils;
use crate::preview::Preview;
use crate::tracer::{Tracer, default_sun};
use crate::{Coloring, Picture, Progressive, Quality};
use ondine::{Frame, Scene, Surface};

/// A scene made ready for pictures: the shapes of its objects, its materials, lights and camera. It serves all frames.
#[derive(Clone, Debug)]
pub struct Renderer {
    framing: Framing,
    planar: bool,
    preview: Preview,
    tracer: Tracer,
    coils: Coils,
}

impl Renderer {
    /// The renderer of a scene as it was written. The camera is the scene's own or, without one, one that holds its fills,
    /// emitters and objects.
    pub fn of(scene: &Scene) -> Self {
        let framing = Framing::of(scene);
        let tracer = Tracer::of(scene, &framing);
        let (preview, coils) = (Preview::of(scene), Coils::of(scene));
        Self { framing, planar: scene.planar(), preview, tracer, coils }
    }

    /// The same with liquids coloured in another way.
    pub fn colored(mut self, coloring: Coloring) -> Self {
        self.tracer.set_coloring(coloring);
        self
    }

    /// The picture of a frame: its objects, the given surfaces of its liquids, and the particles of those without one.
    /// Planar scenes are drawn as previews, and previews show particles.
    pub fn picture(
        &self,
        frame: &Frame,
        surfaces: &[Surface],
        size: (u32, u32),
        quality: Quality,
    ) -> Picture {
        if self.planar || quality == Quality::Preview {
            return self.preview.picture(&self.coils.with(frame), &self.framing, size);
        }
        let mut picture = self.progressive(frame, surfaces, size, quality);
        while picture.refine() {}
        picture.picture()
    }

    /// A picture that is made in passes, to be looked at after each. Planar scenes are traced as if they had depth.
    pub fn progressive(
        &self,
        frame: &Frame,
        surfaces: &[Surface],
        size: (u32, u32),
        quality: Quality,
    ) -> Progressive {
        let frame = &self.coils.with(frame);
        self.tracer.progressive(frame, surfaces, &self.framing, size, quality.effort())
    }
}

/// The scene with the camera and the sun that its pictures are made with, where it has none of its own.
pub fn with_camera_and_sun(scene: &Scene) -> Scene {
    let framing = Framing::of(scene);
    let mut scene = scene.clone();
    scene.light.sun.get_or_insert(default_sun(&framing).into());
    scene.camera.get_or_insert(framing.automatic_camera());
    scene
}
