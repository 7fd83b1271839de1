//! The path tracer proper: the light that comes to the camera along a ray.
//!
//! A path is followed backwards from the camera. Where it ends on something that scatters, the sun and a lamp are sampled
//! at once, and one more ray asks for the rest of the sky. At the first clear surface the path branches, and both the mirrored
//! and the refracted one are followed; at later ones chance decides. What light does after the last scattering that is followed
//! is guessed from the sky, in the same way for every quality. Rays towards lights go straight through clear things: there are
//! no caustics.

use super::area_lights::AreaLight;
use super::material::Bsdf;
use super::microfacet::MIRROR_ALPHA;
use super::optics::{fresnel, metal_fresnel, reflected, refracted, transmittance};
use super::path::{Path, Sample};
use super::ray::{Ray, from_local};
use super::render_scene::{Hit, RenderScene};
use super::sampling::{Sampler, Subsampling, cosine_hemisphere};
use super::shading_point::{ShadingPoint, above, facet};
use super::sky::Sky;
use glam::Vec3A;
use std::f32::consts::PI;

/// Reflectance below which a reflection of the sky is taken from it at once, whatever may stand before it.
const FAINT_SKY: f32 = 0.06;
/// Surfaces that a ray passes without being mirrored or scattered, at most: a bound where meshes are broken.
const MOST_STEPS: usize = 48;
/// Fraction of the sky's light that reaches the inside of things, where nothing is followed any more.
const INSIDE: f32 = 0.6;
/// Times that light is mirrored or let through on its way, at most. This and the next are the same for every quality: few
/// samples make a picture grainy, never darker.
const SPECULAR_BOUNCES: u32 = 16;
/// Times that it is scattered on its way, at most.
const DIFFUSE_BOUNCES: u32 = 4;

/// What a ray can meet, and what lights it.
#[derive(Clone, Copy, Debug)]
pub struct Integrator<'a> {
    /// Everything that a ray can meet.
    pub scene: &'a RenderScene,
    /// Daylight.
    pub sky: &'a Sky,
    /// Lamps.
    pub lights: &'a [AreaLight],
}

/// A sample in the making.
struct Estimate {
    sampler: Sampler,
    sample: Sample,
    /// The path that was left aside where the first one branched.
    branch: Option<Path>,
}

impl Integrator<'_> {
    /// The light that comes along a ray to its start.
    pub fn sample(&self, ray: Ray, sampler: Sampler) -> Sample {
        let mut estimate = Estimate { sampler, sample: Sample::default(), branch: None };
        self.follow(Path::from_camera(ray), &mut estimate);
        if let Some(branch) = estimate.branch.take() {
            estimate.sampler = sampler.branch();
            self.follow(branch, &mut estimate);
        }
        estimate.sample
    }

    fn follow(&self, mut path: Path, estimate: &mut Estimate) {
        for _ in 0..MOST_STEPS {
            if !path.is_followed(&mut estimate.sampler) {
                return;
            }
            let hit = self.scene.closest_hit(&path.ray, path.is_direct());
            let distance = hit.map_or(f32::INFINITY, |hit| hit.distance);
            if path.is_direct() {
                self.look_through_panes(&mut path, distance, estimate);
            }
            if path.sees_lights
                && let Some(light) = self.lamp_before(&path.ray, distance)
            {
                return estimate.add(&path, light);
            }
            let Some(hit) = hit else {
                let direction = path.ray.direction;
                let light = match path.sees_lights {
                    true => self.sky.light_and_sun(direction),
                    false => self.sky.light(direction),
                };
                return estimate.add(&path, light);
            };
            self.arrive(&mut path, &hit, estimate);
            let goes_on = match self.scene.material(hit.material).bsdf {
                Bsdf::Clear { .. } => self.cross(&mut path, &hit, estimate),
                Bsdf::Metal { .. } => self.reflect(&mut path, &hit, estimate),
                _ => self.scatter(&mut path, &hit, estimate),
            };
            if !goes_on {
                return;
            }
            if path.specular_bounces > SPECULAR_BOUNCES {
                return estimate.add(&path, INSIDE * self.sky.ambient(Vec3A::Y));
            }
        }
    }

    fn look_through_panes(&self, path: &mut Path, distance: f32, estimate: &mut Estimate) {
        for panes in self.scene.panes() {
            let (through, added) = panes.veil(&path.ray, distance, self.sky);
            estimate.add(path, added);
            path.throughput *= through;
        }
    }

    fn lamp_before(&self, ray: &Ray, distance: f32) -> Option<Vec3A> {
        let hits = self.lights.iter().filter_map(|lamp| lamp.intersect(ray)).filter(|(d, _)| *d < distance);
        hits.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, light)| light)
    }

    /// What happens on the way to a surface, and what it gives off itself.
    fn arrive(&self, path: &mut Path, hit: &Hit, estimate: &mut Estimate) {
        if let Some(Bsdf::Clear { absorption, .. }) = path.medium.map(|m| self.scene.material(m).bsdf) {
            path.throughput *= transmittance(absorption, hit.distance);
        }
        if path.is_direct() {
            estimate.sample.first = path.feature(hit);
        }
        if hit.haze > 0.0 {
            estimate.add(path, hit.haze * self.sky.distant(path.ray.direction));
            path.throughput *= 1.0 - hit.haze;
        }
        let emission = self.scene.material(hit.material).emission;
        if emission != Vec3A::ZERO {
            estimate.add(path, emission);
        }
    }

    /// At a clear surface. Always goes on.
    fn cross(&self, path: &mut Path, hit: &Hit, estimate: &mut Estimate) -> bool {
        let Bsdf::Clear { alpha, index, absorption, contact } = self.scene.material(hit.material).bsdf else {
            return false;
        };
        if self.passes_unseen(path, hit, contact) {
            return true;
        }
        let direction = path.ray.direction;
        let entering = direction.dot(hit.geometric_normal) < 0.0;
        let point = path.ray.at(hit.distance);
        if !entering && path.medium.is_none() {
            // The camera was inside from the start.
            path.throughput *= transmittance(absorption, hit.distance);
        }
        let side = if entering { 1.0 } else { -1.0 };
        let geometric_normal = hit.geometric_normal * side;
        let smooth = self.flat_against_panes(point, hit.shading_normal, contact) * side;
        let smooth = if direction.dot(smooth) < 0.0 { smooth } else { geometric_normal };
        let normal = facet(smooth, -direction, alpha, &mut estimate.sampler);
        let around = path.medium.filter(|m| *m != hit.material).map_or(1.0, |m| self.index(m));
        let ratio = if entering { index / around } else { 1.0 / index };
        let offset = geometric_normal * self.scene.ray_offset(point, hit.distance);
        let mirrored = Path {
            ray: Ray {
                origin: point + offset,
                direction: above(reflected(direction, normal), geometric_normal),
            },
            specular_bounces: path.specular_bounces + 1,
            main: path.main && alpha < MIRROR_ALPHA,
            ..*path
        };
        let bent = refracted(direction, normal, ratio).map(|direction| Path {
            ray: Ray { origin: point - offset, direction },
            medium: entering.then_some(hit.material),
            ..mirrored
        });
        let reflectance = fresnel(-direction.dot(normal), ratio);
        *path = match bent {
            None => mirrored,
            Some(bent) if path.is_direct() && estimate.branch.is_none() => {
                let branch = Path { throughput: path.throughput * reflectance, main: false, ..mirrored };
                estimate.branch = self.worth_following(branch, reflectance, &mut estimate.sample);
                Path { throughput: path.throughput * (1.0 - reflectance), ..bent }
            }
            Some(bent) => match estimate.sampler.next_1d() < reflectance {
                true => mirrored,
                false => bent,
            },
        };
        true
    }

    /// Goes on straight where a clear surface is none: drops within the mass that they belong to have no surface, and
    /// liquid has none against what it wets.
    fn passes_unseen(&self, path: &mut Path, hit: &Hit, contact: f32) -> bool {
        let direction = path.ray.direction;
        let cos = direction.dot(hit.geometric_normal);
        let point = path.ray.at(hit.distance);
        let origin = point + direction * self.scene.ray_offset(point, hit.distance);
        let ahead = Ray { origin, direction };
        let unseen = match cos < 0.0 {
            true => path.medium == Some(hit.material),
            false => contact > 0.0 && self.scene.is_occluded(&ahead, contact / cos.abs().max(0.2)),
        };
        if unseen {
            path.medium = Some(hit.material);
            path.ray = ahead;
        }
        unseen
    }

    /// A mirrored path, unless it is a faint reflection of the sky, which is brought to the camera at once.
    fn worth_following(&self, mirrored: Path, reflectance: f32, sample: &mut Sample) -> Option<Path> {
        if reflectance < FAINT_SKY && mirrored.ray.direction.y > 0.0 {
            mirrored.add_light(self.sky.light_and_sun(mirrored.ray.direction), sample);
            return None;
        }
        Some(mirrored)
    }

    fn index(&self, material: u16) -> f32 {
        match self.scene.material(material).bsdf {
            Bsdf::Clear { index, .. } => index,
            _ => 1.0,
        }
    }

    /// Liquid is as flat as the pane that it lies against, whatever its mesh says.
    fn flat_against_panes(&self, point: Vec3A, shading_normal: Vec3A, contact: f32) -> Vec3A {
        let near =
            self.scene.panes().iter().filter_map(|panes| panes.pane_near(point, shading_normal, contact));
        near.fold(shading_normal, |_, pane| pane)
    }

    /// At a metal. Whether it goes on.
    fn reflect(&self, path: &mut Path, hit: &Hit, estimate: &mut Estimate) -> bool {
        let point = self.shading_point(path, hit);
        let Bsdf::Metal { alpha } = point.bsdf else { return false };
        let (_, reflection) = self.direct_light(&point, &mut estimate.sampler);
        estimate.add(path, reflection);
        let facet = facet(point.normal, point.outgoing, alpha, &mut estimate.sampler);
        let direction = reflected(-point.outgoing, facet);
        let weight =
            point.facet_weight(direction, alpha) * metal_fresnel(point.outgoing.dot(facet), point.color);
        mirror(path, &point, direction, weight, alpha);
        true
    }

    /// At a surface that scatters. Whether it goes on.
    fn scatter(&self, path: &mut Path, hit: &Hit, estimate: &mut Estimate) -> bool {
        let point = self.shading_point(path, hit);
        let mut under = 1.0;
        let (scattered, reflection) = self.direct_light(&point, &mut estimate.sampler);
        estimate.add(path, reflection);
        if let Bsdf::Coated { alpha, index } | Bsdf::Skin { alpha, index } = point.bsdf {
            under = 1.0 - fresnel(point.outgoing.dot(point.normal), index);
            if path.is_direct() && estimate.branch.is_none() {
                let facet = facet(point.normal, point.outgoing, alpha, &mut estimate.sampler);
                let direction = reflected(-point.outgoing, facet);
                let weight = point.facet_weight(direction, alpha) * fresnel(point.outgoing.dot(facet), index);
                let mut branch = Path { main: false, ..*path };
                mirror(&mut branch, &point, direction, Vec3A::splat(weight), alpha);
                estimate.branch = Some(branch);
            }
        }
        if path.main && path.diffuse_bounces == 0 {
            estimate.sample.albedo = path.throughput * point.color;
            estimate.sample.matte = path.feature(hit);
            path.scattered = true;
        }
        estimate.add(path, scattered);
        path.throughput *= point.color * under;
        if path.diffuse_bounces >= DIFFUSE_BOUNCES {
            estimate.add(path, INSIDE * self.sky.ambient(point.normal));
            return false;
        }
        if !asks_for_indirect_light(path, hit, point.color * under, &mut estimate.sampler) {
            return false;
        }
        let direction = from_local(point.normal, cosine_hemisphere(estimate.sampler.next_2d()));
        path.ray = Ray { origin: point.position, direction: above(direction, point.geometric_normal) };
        path.diffuse_bounces += 1;
        path.medium = None;
        path.sees_lights = false;
        true
    }

    fn shading_point(&self, path: &Path, hit: &Hit) -> ShadingPoint {
        let direction = path.ray.direction;
        let side = -direction.dot(hit.geometric_normal).signum();
        let geometric_normal = hit.geometric_normal * side;
        let smooth = hit.shading_normal * side;
        let normal = if smooth.dot(direction) < 0.0 { smooth } else { geometric_normal };
        let place = path.ray.at(hit.distance);
        let position = place + geometric_normal * self.scene.ray_offset(place, hit.distance);
        let bsdf = self.scene.material(hit.material).bsdf;
        ShadingPoint { position, normal, geometric_normal, outgoing: -direction, color: hit.color, bsdf }
    }

    /// Light of the sun and a lamp that a surface sends to the camera: scattered, and reflected.
    fn direct_light(&self, point: &ShadingPoint, sampler: &mut Sampler) -> (Vec3A, Vec3A) {
        let (mut scattered, mut reflection) = (Vec3A::ZERO, Vec3A::ZERO);
        let mut take = |ray: Ray, distance: f32, light: Vec3A| {
            let (s, r) = point.evaluate(ray.direction);
            if s.max_element() + r.max_element() > 0.0 {
                let arrived = self.scene.transmittance(&point.shadow_ray(ray), distance) * light;
                scattered += s * arrived;
                reflection += r * arrived;
            }
        };
        if let Some(sun) = self.sky.sun() {
            take(sun.ray(point.position, sampler.next_2d()), f32::INFINITY, PI * sun.strength());
        }
        if !self.lights.is_empty() {
            let count = self.lights.len();
            let lamp = &self.lights[((sampler.next_1d() * count as f32) as usize).min(count - 1)];
            if let Some(sample) = lamp.sample(point.position, sampler.next_2d()) {
                take(sample.ray, sample.distance * 0.999, sample.light * count as f32);
            }
        }
        (scattered, reflection)
    }
}

/// Sends a path on by reflection.
fn mirror(path: &mut Path, point: &ShadingPoint, direction: Vec3A, weight: Vec3A, alpha: f32) {
    path.ray = Ray { origin: point.position, direction: above(direction, point.geometric_normal) };
    path.throughput *= weight;
    path.specular_bounces += 1;
    path.sees_lights = alpha < MIRROR_ALPHA;
    path.main &= alpha < MIRROR_ALPHA;
}

/// Whether to ask for light that comes to a surface from others and the sky. It is soft, and smoothed along the surface
/// well where that is flat: there every other sample is enough and counts twice. The same goes for what is behind clear
/// things, where paths are long, and for what is flat there every fourth is enough. What comes over several surfaces is
/// little, and followed as often as much of it is left.
fn asks_for_indirect_light(path: &mut Path, hit: &Hit, color: Vec3A, sampler: &mut Sampler) -> bool {
    if path.diffuse_bounces > 0 {
        return path.survives(color.max_element(), sampler);
    }
    let (flat, behind) = (hit.geometric_normal == hit.shading_normal, path.specular_bounces > 0);
    if !path.scattered || !(flat || behind) {
        return true;
    }
    let of = if flat && behind { Subsampling::Four } else { Subsampling::Two };
    path.throughput *= of.count();
    path.subsampled = true;
    sampler.is_taken(of)
}

impl Estimate {
    fn add(&mut self, path: &Path, light: Vec3A) {
        path.add_light(light, &mut self.sample);
    }
}
