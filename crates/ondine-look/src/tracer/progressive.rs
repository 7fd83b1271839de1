//! A picture that gets better pass by pass.

use super::area_lights::AreaLight;
use super::buffer_pool::BufferPool;
use super::camera_rays::CameraRays;
use super::denoise::denoised;
use super::framebuffer::{Framebuffer, SURE};
use super::integrator::Integrator;
use super::render_scene::RenderScene;
use super::sky::Sky;
use super::tone_mapping::tone_mapped;
use crate::Picture;
use crate::quality::Effort;
use crate::sprites::Layer;
use rayon::prelude::*;

/// A picture in the making. After each pass it can be looked at; passes continue one sequence of samples, so that many
/// passes give the picture that one long one would have given.
#[derive(Clone, Debug)]
pub struct Progressive {
    pub(super) scene: RenderScene,
    pub(super) sky: Sky,
    pub(super) lights: Vec<AreaLight>,
    pub(super) camera: CameraRays,
    pub(super) effects: Option<Layer>,
    pub(super) exposure: f32,
    pub(super) effort: Effort,
    pub(super) framebuffer: Framebuffer,
    pub(super) pool: BufferPool,
    /// Samples taken so far of each pixel that needed them.
    pub(super) done: u32,
}

impl Progressive {
    /// Samples taken so far of each pixel that needed them.
    pub fn samples(&self) -> u32 {
        self.done
    }

    /// Samples that are wanted of each pixel that needs them.
    pub fn wanted(&self) -> u32 {
        self.effort.max_samples
    }

    /// Takes one more pass, as many samples as were taken before but not more than 16. Whether there is more to do.
    pub fn refine(&mut self) -> bool {
        let Effort { samples, max_samples, .. } = self.effort;
        if self.done >= max_samples {
            return false;
        }
        // The first passes are of every pixel, the rest of those that need it.
        let of_all = self.done < samples;
        let next = self.done + self.done.clamp(1, 16);
        let next = next.min(if of_all { samples } else { max_samples });
        let chosen = (!of_all).then(|| self.framebuffer.unconverged(self.done));
        let integrator = Integrator { scene: &self.scene, sky: &self.sky, lights: &self.lights };
        self.framebuffer.accumulate(&integrator, &self.camera, self.done..next, chosen.as_deref());
        self.done = next;
        self.done < max_samples
    }

    /// The picture as it is now.
    pub fn picture(&self) -> Picture {
        let (width, height) = self.camera.size();
        let sure = self.done >= SURE;
        let passes = self.effort.denoiser_passes;
        let mut light = denoised(&self.framebuffer, &self.camera, passes, sure, &self.pool);
        if let Some(effects) = &self.effects {
            effects.cover(&mut light);
        }
        let shown: Vec<_> = light.into_par_iter().map(|light| tone_mapped(light, self.exposure)).collect();
        Picture::average(&shown, (width as u32, height as u32), 1)
    }
}

impl Drop for Progressive {
    fn drop(&mut self) {
        self.pool.give_pixels(std::mem::take(&mut self.framebuffer.pixels));
    }
}
