//! The light that each sample sends to the camera.

use super::SAMPLES;
use super::ambient_occlusion::AmbientOcclusion;
use super::objects::Instance;
use super::shadow_map::ShadowMap;
use super::splats::Splat;
use super::visibility::{Primitive, VisibilityBuffer};
use crate::camera::{View, ViewRay};
use crate::ground::checker_plane;
use crate::sprites::Incident;
use glam::Vec3;
use rayon::prelude::*;

/// Light of the sky at the top of the picture, at the horizon, and from below, all linear.
const ZENITH: Vec3 = Vec3::new(0.62, 0.74, 0.90);
const HORIZON: Vec3 = Vec3::new(0.93, 0.95, 0.97);
const FROM_BELOW: Vec3 = Vec3::new(0.42, 0.40, 0.38);

/// The key light: a low warm sun.
const KEY: Vec3 = Vec3::new(1.02, 0.97, 0.88);

/// How much of the light of the sky and of the key light a white wall sends out.
const SKY_STRENGTH: f32 = 0.55;
const KEY_STRENGTH: f32 = 0.95;

/// How much darker the darker squares of the ground's checker are.
const CHECKER_SHADE: f32 = 0.08;

/// Squares of the checker from the camera at which the ground has half gone into the horizon.
const HAZE_SQUARES: f32 = 45.0;

/// Neighbouring samples of an object that are this much deeper lie behind a fold of it [samples].
const FOLD: f32 = 6.0;

/// Everything that a picture is shaded from.
pub struct Shading<'a> {
    pub view: &'a View,
    pub buffer: &'a VisibilityBuffer,
    pub splats: &'a [Splat],
    pub instances: &'a [Instance<'a>],
    /// None in planar scenes.
    pub shadow_map: Option<&'a ShadowMap>,
    pub occlusion: AmbientOcclusion,
    /// Direction of the key light.
    pub towards_key: Vec3,
    /// Side of a square of the ground's checker [m].
    pub checker_size: f32,
}

/// A point of a surface, with what is needed to shade it.
struct ShadingPoint {
    position: Vec3,
    normal: Vec3,
    color: Vec3,
    /// Strength of the highlight.
    specular: f32,
}

impl Shading<'_> {
    /// Linear light of every sample, row by row.
    pub fn shade(&self) -> Vec<Vec3> {
        let (width, height) = self.buffer.size();
        let block = SAMPLES as usize;
        let mut light = vec![Vec3::ZERO; width * height];
        light.par_chunks_mut(width * block).enumerate().for_each(|(row, samples)| {
            for column in 0..width / block {
                self.shade_pixel((column * block, row * block), samples);
            }
        });
        light
    }

    /// Samples of a pixel that see the same place share its light: edges are smooth, insides cost one.
    fn shade_pixel(&self, (left, top): (usize, usize), samples: &mut [Vec3]) {
        let (width, block) = (self.buffer.size().0, SAMPLES as usize);
        let place = |i: usize| (left + i % block, top + i / block);
        let index = |i: usize| (i / block) * width + left + i % block;
        let primitive = |i: usize| self.buffer.primitive(place(i).0, place(i).1);
        let depth = |i: usize| self.buffer.depth(place(i).0, place(i).1);
        for i in 0..block * block {
            let same_place = |j: &usize| {
                let apart = (depth(i) - depth(*j)).abs() * self.view.scale_at(depth(i));
                primitive(*j) == primitive(i)
                    && (apart < FOLD || !matches!(primitive(i), Some(Primitive::Object(_))))
            };
            let twin = (0..i).find(same_place);
            samples[index(i)] = twin.map_or_else(|| self.sample(place(i)), |j| samples[index(j)]);
        }
    }

    fn sample(&self, (x, y): (usize, usize)) -> Vec3 {
        let height = self.buffer.size().1;
        let background = HORIZON.lerp(ZENITH, (1.0 - y as f32 / height as f32).powi(2));
        let Some(primitive) = self.buffer.primitive(x, y) else { return background };
        let ray = self.view.ray(x as f32 + 0.5, y as f32 + 0.5);
        let depth = self.buffer.depth(x, y);
        let point = match primitive {
            Primitive::Splat(i) => on_splat(&self.splats[i], ray.at(depth)),
            Primitive::Object(i) => self.on_object(&self.instances[i], &ray, depth),
        };
        let light = self.lit(&point, &ray, self.occlusion.openness(self.buffer, self.view, (x, y)));
        match primitive {
            Primitive::Object(i) if self.instances[i].is_endless() && self.shadow_map.is_some() => {
                let far = depth / (HAZE_SQUARES * self.checker_size);
                light.lerp(background, far * far / (1.0 + far * far))
            }
            _ => light,
        }
    }

    fn on_object(&self, instance: &Instance, ray: &ViewRay, depth: f32) -> ShadingPoint {
        let position = ray.at(depth);
        if self.shadow_map.is_none() {
            // A cut through a planar scene has no relief; a shade darker, it stands off the sky.
            let normal = self.towards_key;
            return ShadingPoint { position, normal, color: 0.7 * instance.color(), specular: 0.0 };
        }
        // A sample's width before it: on the surface itself distances have no direction, and edges are smoother so.
        let normal = instance.normal(ray.at(depth - self.view.scale_at(depth).recip()));
        // Samples that a square covers at this depth and slant.
        let samples = self.checker_size * self.view.scale_at(depth) * normal.dot(ray.direction).abs();
        let checker = || CHECKER_SHADE * self.checker(position, normal, samples);
        let shade = if instance.is_checkered() { checker() } else { 0.0 };
        let color = instance.color() * (1.0 - shade);
        ShadingPoint { position, normal, color, specular: 0.04 }
    }

    /// A checker in the two axes that a plane runs along most, 0 to 1. Its edges are a few samples soft, so that
    /// they are smooth near by and all of it fades where squares are too small to see.
    fn checker(&self, p: Vec3, normal: Vec3, samples: f32) -> f32 {
        let flat = checker_plane(p, normal);
        // A wave that climbs from -1 to 1 and back over two squares, steepened into steps.
        let wave = |x: f32| 1.0 - 4.0 * ((0.5 * x).rem_euclid(1.0) - 0.5).abs();
        let step = |x: f32| (wave(x) * 0.2 * samples).clamp(-1.0, 1.0);
        0.5 + 0.5 * step(flat.x / self.checker_size) * step(flat.y / self.checker_size)
    }

    /// The light that falls on a place in the open.
    pub fn incident(&self, place: Vec3) -> Incident {
        let reached = self.shadow_map.map_or(1.0, |map| map.lit(place));
        Incident {
            sun: KEY_STRENGTH * KEY * reached,
            above: SKY_STRENGTH * ZENITH,
            below: SKY_STRENGTH * FROM_BELOW,
            lamps: Vec3::ZERO,
        }
    }

    fn lit(&self, point: &ShadingPoint, ray: &ViewRay, openness: f32) -> Vec3 {
        let towards_camera = -ray.direction.normalize();
        let reached = self.shadow_map.map_or(1.0, |map| map.lit(point.position));
        let n = point.normal;

        let sky = FROM_BELOW.lerp(ZENITH, 0.5 + 0.5 * n.y) * openness;
        let key = KEY * n.dot(self.towards_key).max(0.0) * reached * (0.5 + 0.5 * openness);
        let half_way = (self.towards_key + towards_camera).normalize_or_zero();
        let highlight = KEY * n.dot(half_way).max(0.0).powi(48) * reached * point.specular;
        let rim = HORIZON
            * (1.0 - n.dot(towards_camera).clamp(0.0, 1.0)).powi(4)
            * point.specular
            * openness.powi(3);
        point.color * (SKY_STRENGTH * sky + KEY_STRENGTH * key) + highlight + rim
    }
}

fn on_splat(splat: &Splat, position: Vec3) -> ShadingPoint {
    let normal = (position - splat.center).try_normalize().unwrap_or(Vec3::Y);
    ShadingPoint { position, normal, color: splat.color, specular: 0.35 }
}
