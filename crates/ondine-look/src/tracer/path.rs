//! A path of light, followed backwards from the camera, and what is found along it.

use super::ray::Ray;
use super::render_scene::Hit;
use super::sampling::Sampler;
use glam::Vec3A;

/// Light that came over a mirror or a scattering is not brighter than this: single sparks of chance are no light.
const BRIGHTEST: f32 = 5.0;
/// Light seen at once is not brighter than this.
const BRIGHTEST_SEEN: f32 = 20.0;
/// Throughput below which a path is followed by chance, and counts for more then: the mean is the same, at less work.
const FAINT: f32 = 0.1;

/// What a sample sees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Light of the first surface that scatters, seen directly, through clear things or in a mirror.
    pub scattered: Vec3A,
    /// The part of it that only some samples ask for, each for several.
    pub soft: Vec3A,
    /// All other light.
    pub other: Vec3A,
    /// Colour of that surface as it comes to the camera: what is absorbed and mirrored on the way is left out.
    pub albedo: Vec3A,
    /// The surface that is met first.
    pub first: Feature,
    /// The surface that scatters first.
    pub matte: Feature,
}

/// A surface as a sample meets it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Feature {
    /// Its direction towards the ray; 0 for the sky.
    pub normal: Vec3A,
    /// Where it is [m].
    pub position: Vec3A,
}

/// A path as far as it has been followed.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Its next segment.
    pub ray: Ray,
    /// What the camera gets of the light that comes along the ray.
    pub throughput: Vec3A,
    /// Number of the clear material that it is in.
    pub medium: Option<u16>,
    /// Times that it was mirrored or let through.
    pub specular_bounces: u32,
    /// Times that it was scattered.
    pub diffuse_bounces: u32,
    /// Whether it would see the sun and lamps if it met them; if not they have been sampled already.
    pub sees_lights: bool,
    /// Whether it is not a branch and came over no rough mirror: what is at its end is the same for neighbouring pixels then.
    pub main: bool,
    /// Whether its light was scattered by the first surface that scatters.
    pub scattered: bool,
    /// Whether it stands for those of other samples as well.
    pub subsampled: bool,
}

impl Path {
    /// One that starts at the camera.
    pub fn from_camera(ray: Ray) -> Self {
        Self {
            ray,
            throughput: Vec3A::ONE,
            medium: None,
            specular_bounces: 0,
            diffuse_bounces: 0,
            sees_lights: true,
            main: true,
            scattered: false,
            subsampled: false,
        }
    }

    /// Whether it comes straight from the camera.
    pub fn is_direct(&self) -> bool {
        self.specular_bounces + self.diffuse_bounces == 0
    }

    /// The surface that it meets.
    pub fn feature(&self, hit: &Hit) -> Feature {
        let normal = hit.shading_normal * -self.ray.direction.dot(hit.geometric_normal).signum();
        Feature { normal, position: self.ray.at(hit.distance) }
    }

    /// Russian roulette: whether it goes on, as often as told; it stands for those that do not.
    pub fn survives(&mut self, chance: f32, sampler: &mut Sampler) -> bool {
        let chance = chance.min(1.0);
        self.throughput /= chance.max(1e-6);
        chance > 0.0 && sampler.next_1d() < chance
    }

    /// Whether to follow it: a faint one only by chance.
    pub fn is_followed(&mut self, sampler: &mut Sampler) -> bool {
        let peak = self.throughput.max_element();
        peak >= FAINT || self.survives(peak / FAINT, sampler)
    }

    /// Adds light that comes along it to what the camera sees.
    pub fn add_light(&self, light: Vec3A, sample: &mut Sample) {
        let light = self.throughput * light;
        let most = if self.is_direct() { BRIGHTEST_SEEN } else { BRIGHTEST };
        let peak = light.max_element();
        let light = if peak > most { light * (most / peak) } else { light };
        // Not a number is no light.
        if peak >= 0.0 {
            *(if self.scattered { &mut sample.scattered } else { &mut sample.other }) += light;
            if self.scattered && self.subsampled {
                sample.soft += light;
            }
        }
    }
}
