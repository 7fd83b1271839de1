//! The light that each sample sends to the eye.

use crate::SAMPLES;
use crate::beads::Bead;
use crate::occlusion::Surroundings;
use crate::seen::{Seen, Thing};
use crate::shadows::Shadows;
use crate::solids::Solid;
use crate::view::{Ray, View};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Light of the sky at the top of the picture, at the horizon, and from below, all linear.
const ZENITH: Vec3 = Vec3::new(0.62, 0.74, 0.90);
const HORIZON: Vec3 = Vec3::new(0.93, 0.95, 0.97);
const FROM_BELOW: Vec3 = Vec3::new(0.42, 0.40, 0.38);

/// The key light: a low warm sun.
const KEY: Vec3 = Vec3::new(1.02, 0.97, 0.88);

/// How much darker the darker tiles of the ground are.
const TILE_SHADE: f32 = 0.08;

/// Tiles from the eye at which the ground has half gone into the horizon.
const HAZE_TILES: f32 = 45.0;

/// Neighbouring samples of a solid that are this much deeper lie behind a fold of it [samples].
const FOLD: f32 = 6.0;

/// Everything that a picture is shaded from.
pub struct Stage<'a> {
    pub view: &'a View,
    pub seen: &'a Seen,
    pub beads: &'a [Bead],
    pub solids: &'a [Solid<'a>],
    pub shadows: Option<&'a Shadows>,
    pub surroundings: Surroundings,
    /// Direction of the key light.
    pub towards_key: Vec3,
    /// Side of a tile of the ground [m].
    pub tile: f32,
}

/// What is needed of a surface to shade it.
struct Surface {
    position: Vec3,
    normal: Vec3,
    color: Vec3,
    /// Strength of the highlight.
    gloss: f32,
}

/// Colours of scenes and presets are as screens show them; light adds up in linear values.
pub fn linear(color: [f32; 3]) -> Vec3 {
    Vec3::from(color.map(|c| c.clamp(0.0, 1.0).powf(2.2)))
}

impl Stage<'_> {
    /// Linear light of every sample, row by row.
    pub fn shade(&self) -> Vec<Vec3> {
        let (width, height) = self.seen.size();
        let block = SAMPLES as usize;
        let mut light = vec![Vec3::ZERO; width * height];
        light.par_chunks_mut(width * block).enumerate().for_each(|(row, samples)| {
            for column in 0..width / block {
                self.shade_pixel((column * block, row * block), samples);
            }
        });
        light
    }

    /// Samples of a pixel that see the same place of a thing share its light: edges are smooth, insides cost one.
    fn shade_pixel(&self, (left, top): (usize, usize), samples: &mut [Vec3]) {
        let (width, block) = (self.seen.size().0, SAMPLES as usize);
        let place = |i: usize| (left + i % block, top + i / block);
        let cell = |i: usize| (i / block) * width + left + i % block;
        let thing = |i: usize| self.seen.thing(place(i).0, place(i).1);
        let depth = |i: usize| self.seen.depth(place(i).0, place(i).1);
        for i in 0..block * block {
            let same_place = |j: &usize| {
                let apart = (depth(i) - depth(*j)).abs() * self.view.scale_at(depth(i));
                thing(*j) == thing(i) && (apart < FOLD || !matches!(thing(i), Some(Thing::Solid(_))))
            };
            let twin = (0..i).find(same_place);
            samples[cell(i)] = twin.map_or_else(|| self.sample(place(i)), |j| samples[cell(j)]);
        }
    }

    fn sample(&self, (x, y): (usize, usize)) -> Vec3 {
        let height = self.seen.size().1;
        let background = HORIZON.lerp(ZENITH, (1.0 - y as f32 / height as f32).powi(2));
        let Some(thing) = self.seen.thing(x, y) else { return background };
        let ray = self.view.ray(x as f32 + 0.5, y as f32 + 0.5);
        let depth = self.seen.depth(x, y);
        let surface = match thing {
            Thing::Bead(i) => bead_surface(&self.beads[i], ray.at(depth)),
            Thing::Solid(i) => self.solid_surface(&self.solids[i], &ray, depth),
        };
        let light = self.lit(&surface, &ray, self.surroundings.openness(self.seen, self.view, (x, y)));
        match thing {
            Thing::Solid(i) if self.solids[i].is_endless() && self.shadows.is_some() => {
                let far = depth / (HAZE_TILES * self.tile);
                light.lerp(background, far * far / (1.0 + far * far))
            }
            _ => light,
        }
    }

    fn solid_surface(&self, solid: &Solid, ray: &Ray, depth: f32) -> Surface {
        let position = ray.at(depth);
        if self.shadows.is_none() {
            // A cut through a planar scene has no relief; a shade darker, it stands off the sky.
            let normal = self.towards_key;
            return Surface { position, normal, color: 0.7 * solid.color(), gloss: 0.0 };
        }
        // A sample's width before it: on the surface itself distances have no direction, and edges are smoother so.
        let normal = solid.normal(ray.at(depth - self.view.scale_at(depth).recip()));
        // Samples that a tile covers at this depth and slant.
        let samples = self.tile * self.view.scale_at(depth) * normal.dot(ray.direction).abs();
        let shade = if solid.is_tiled() { TILE_SHADE * self.checker(position, normal, samples) } else { 0.0 };
        let color = solid.color() * (1.0 - shade);
        Surface { position, normal, color, gloss: 0.04 }
    }

    /// A checker in the two axes that a plane runs along most, 0 to 1. Its edges are a few samples soft, so that
    /// they are smooth near by and the whole fades where tiles are too small to see.
    fn checker(&self, p: Vec3, normal: Vec3, samples: f32) -> f32 {
        let n = normal.abs();
        let flat = if n.y >= n.max_element() {
            Vec2::new(p.x, p.z)
        } else if n.x >= n.z {
            Vec2::new(p.z, p.y)
        } else {
            Vec2::new(p.x, p.y)
        };
        // A wave that climbs from -1 to 1 and back over two tiles, steepened into steps.
        let wave = |x: f32| 1.0 - 4.0 * ((0.5 * x).rem_euclid(1.0) - 0.5).abs();
        let step = |x: f32| (wave(x) * 0.2 * samples).clamp(-1.0, 1.0);
        0.5 + 0.5 * step(flat.x / self.tile) * step(flat.y / self.tile)
    }

    fn lit(&self, surface: &Surface, ray: &Ray, openness: f32) -> Vec3 {
        let towards_eye = -ray.direction.normalize();
        let reached = self.shadows.map_or(1.0, |shadows| shadows.lit(surface.position));
        let n = surface.normal;

        let sky = FROM_BELOW.lerp(ZENITH, 0.5 + 0.5 * n.y) * openness;
        let key = KEY * n.dot(self.towards_key).max(0.0) * reached * (0.5 + 0.5 * openness);
        let half_way = (self.towards_key + towards_eye).normalize_or_zero();
        let highlight = KEY * n.dot(half_way).max(0.0).powi(48) * reached * surface.gloss;
        let rim =
            HORIZON * (1.0 - n.dot(towards_eye).clamp(0.0, 1.0)).powi(4) * surface.gloss * openness.powi(3);
        surface.color * (0.55 * sky + 0.95 * key) + highlight + rim
    }
}

fn bead_surface(bead: &Bead, position: Vec3) -> Surface {
    let normal = (position - bead.center).try_normalize().unwrap_or(Vec3::Y);
    Surface { position, normal, color: bead.color, gloss: 0.35 }
}
