//! Previews: drawn without following light, in a fraction of a second.
//!
//! | step | file |
//! |---|---|
//! | find what each sample of the picture sees: particles as splats, objects along rays | `visibility`, `splats`, `objects`, `sphere_tracing` |
//! | do the same from the light, for the shadows | `shadow_map` |
//! | shade what is seen, darker where it is enclosed | `shading`, `ambient_occlusion` |
//! | draw the edges of containers over it | `wireframe` |
//! | average down: all is drawn twice as wide and high as asked, which smooths the edges | `picture` |

mod ambient_occlusion;
mod objects;
mod shading;
mod shadow_map;
mod sphere_tracing;
mod splats;
mod visibility;
mod wireframe;

use crate::Picture;
use crate::camera::Framing;
use crate::ground::checker_size;
use crate::picture::clamped;
use ambient_occlusion::AmbientOcclusion;
use objects::DrawnObject;
use ondine::{Frame, Scene};
use shading::Shading;
use shadow_map::{ShadowMap, towards_key_light};
use visibility::VisibilityBuffer;

/// Samples of a pixel along each axis.
const SAMPLES: u32 = 2;

/// A scene made ready for previews.
#[derive(Clone, Debug)]
pub struct Preview {
    objects: Vec<DrawnObject>,
    planar: bool,
}

impl Preview {
    /// Of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        Self { objects: objects::of_scene(scene), planar: scene.planar() }
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
        Picture::average(&light, (width, height), SAMPLES)
    }
}
