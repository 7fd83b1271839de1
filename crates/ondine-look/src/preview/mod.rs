//! Previews: drawn without following light, in a fraction of a second.
//!
//! | step | file |
//! |---|---|
//! | find what each sample of the picture sees: particles as splats, objects along rays | `visibility`, `splats`, `objects`, `sphere_tracing` |
//! | do the same from the light, for the shadows | `shadow_map` |
//! | shade what is seen, darker where it is enclosed | `shading`, `ambient_occlusion` |
//! | draw the edges of containers over it | `wireframe` |
//! | draw effects over all | `effects` |
//! | average down: all is drawn twice as wide and high as asked, which smooths the edges | `picture` |

mod ambient_occlusion;
mod effects;
mod objects;
mod shading;
mod shadow_map;
mod sphere_tracing;
mod splats;
mod visibility;
mod wireframe;

use crate::Picture;
use crate::camera::{Framing, View};
use crate::ground::checker_size;
use crate::picture::{clamped, mean_light};
use crate::sprites::Sprites;
use ambient_occlusion::AmbientOcclusion;
use glam::Vec3;
use objects::DrawnObject;
use ondine::{Frame, Scene};
use rayon::prelude::*;
use shading::Shading;
use shadow_map::{ShadowMap, towards_key_light};
use visibility::VisibilityBuffer;

/// Samples of a pixel along each axis.
const SAMPLES: u32 = 2;

/// A scene made ready for previews.
#[derive(Clone, Debug)]
pub struct Preview {
    objects: Vec<DrawnObject>,
    sprites: Sprites,
    planar: bool,
}

impl Preview {
    /// Of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        Self { objects: objects::of_scene(scene), sprites: Sprites::of(scene), planar: scene.planar() }
    }

    /// The picture of a frame: its particles, and the scene's objects where the frame has them.
    pub fn picture(&self, frame: &Frame, framing: &Framing, size: (u32, u32)) -> Picture {
        let (width, height) = clamped(size);
        let view = framing.view(framing.camera_at(frame.time), (width * SAMPLES, height * SAMPLES));
        let splats = splats::of_frame(frame, self.planar, framing.characteristic_speed());
        let instances = objects::of_frame(&self.objects, frame);

        let mut buffer = VisibilityBuffer::new(view.size());
        match self.planar {
            true => objects::draw_cut(&instances, &view, &mut buffer),
            false => objects::draw(instances.iter().enumerate(), &view, &mut buffer),
        }
        splats::draw(&splats, &view, &mut buffer);

        let shadow_map = (!self.planar).then(|| ShadowMap::cast(framing, &view, &splats, &instances));
        let shading = Shading {
            view: &view,
            buffer: &buffer,
            splats: &splats,
            instances: &instances,
            shadow_map: shadow_map.as_ref(),
            occlusion: AmbientOcclusion::new(view.size().1),
            towards_key: towards_key_light(&view),
            checker_size: checker_size(framing.reach()),
        };
        let mut light = shading.shade();
        wireframe::draw(instances.iter().flat_map(|instance| instance.edges()), &view, &buffer, &mut light);
        if self.sprites.is_empty() {
            return Picture::average(&light, (width, height), SAMPLES);
        }
        let view = framing.view(framing.camera_at(frame.time), (width, height));
        let light = self.with_effects(&light, frame, &shading, &view);
        Picture::average(&light, (width, height), 1)
    }

    /// The light of each pixel, with the effects of a frame over it.
    fn with_effects(&self, light: &[Vec3], frame: &Frame, shading: &Shading, view: &View) -> Vec<Vec3> {
        let daylight = if self.sprites.glow() { effects::DUSK } else { 1.0 };
        let (width, height) = view.size();
        let mean = |i: usize| daylight * mean_light(light, width as u32, SAMPLES, (i % width, i / width));
        let mut light: Vec<Vec3> = (0..width * height).into_par_iter().map(mean).collect();
        effects::layer(&self.sprites.in_frame(frame), shading, view, daylight).cover(&mut light);
        light.par_iter_mut().for_each(|light| *light = effects::without_glare(*light));
        light
    }
}
