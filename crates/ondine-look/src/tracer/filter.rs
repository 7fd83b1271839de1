//! Smoothing of what chance has left in a picture, along surfaces and never across their edges.
//!
//! À-trous wavelets (Dammertz and others 2010): rounds of a small blur, each of twice the width of the one before, in
//! which neighbours count as far as they lie on the same surface and have about the same light. Scattered light is
//! smoothed without the colour of the surface it came from, which comes back sharp.

use super::eye::Eye;
use super::film::{Film, Pixel};
use glam::Vec3;
use rayon::prelude::*;

/// How much light of neighbours may differ, as a share, once the finest noise is gone.
const ALIKE: f32 = 0.1;
/// How much more where they are noisy, in deviations of a pixel.
const NOISY: f32 = 2.5;
/// Footprints of a pixel by which neighbours may lie off each other's plane.
const OFF_PLANE: f32 = 1.5;
/// Rounds for light that was not scattered: reflections and what is seen through.
const CLEAR_ROUNDS: u32 = 2;

/// What a neighbour is judged by.
#[derive(Clone, Copy, Debug, Default)]
struct Guide {
    normal: Vec3,
    place: Vec3,
    /// Width of a pixel there [m]; 0 where there is nothing.
    footprint: f32,
    /// Colour of the surface as far as the pixel shows it.
    albedo: Vec3,
}

/// Linear light of each pixel after so many rounds.
pub fn smoothed(film: &Film, eye: &Eye, rounds: u32) -> Vec<Vec3> {
    if rounds == 0 {
        return film.pixels.par_iter().map(Pixel::light).collect();
    }
    let guides: Vec<Guide> = film.pixels.par_iter().map(|pixel| Guide::new(pixel, eye)).collect();
    let pixels = || film.pixels.par_iter().zip(&guides);
    let bare = pixels().map(|(p, g)| {
        let albedo = g.albedo.max(Vec3::splat(1e-3));
        let noise = p.variance()[0].sqrt() / (albedo.element_sum() / 3.0);
        Grain { light: p.scattered / p.samples.max(1) as f32 / albedo, noise }
    });
    let other = pixels()
        .map(|(p, _)| Grain { light: p.other / p.samples.max(1) as f32, noise: p.variance()[1].sqrt() });
    let bare = Layer { guides: &guides, size: film.size, sharpness: 5, keeps_detail: false }
        .smooth(bare.collect(), rounds);
    let clear = Layer { guides: &guides, size: film.size, sharpness: 7, keeps_detail: true };
    let other = clear.smooth(other.collect(), rounds.min(CLEAR_ROUNDS));
    let lit = bare.into_par_iter().zip(other).zip(&guides);
    lit.map(|((bare, other), guide)| bare.light * guide.albedo.max(Vec3::ZERO) + other.light).collect()
}

/// Light of a pixel and how uncertain it is.
#[derive(Clone, Copy, Debug, Default)]
struct Grain {
    light: Vec3,
    noise: f32,
}

impl Guide {
    fn new(pixel: &Pixel, eye: &Eye) -> Self {
        let albedo = pixel.albedo / pixel.samples.max(1) as f32;
        if pixel.met == 0 {
            return Self { albedo, ..Self::default() };
        }
        let place = pixel.place / pixel.met as f32;
        Self { normal: pixel.normal.normalize_or_zero(), place, footprint: eye.footprint(place), albedo }
    }
}

/// One kind of light of a picture.
struct Layer<'a> {
    guides: &'a [Guide],
    size: (usize, usize),
    /// How alike normals must be, as a power of two.
    sharpness: u32,
    /// Whether what is not noisy is left as it is from the start.
    keeps_detail: bool,
}

impl Layer<'_> {
    fn smooth(&self, mut light: Vec<Grain>, rounds: u32) -> Vec<Grain> {
        let mut known = self.keeps_detail.then(|| self.with_noise_around(&light));
        for round in 0..rounds {
            light = self.round(&light, 1 << round, known.as_deref());
            // After a round that took all on the same surface, noise is low enough to tell shadows by.
            known = known.or_else(|| Some(light.clone()));
        }
        light
    }

    /// The same light, its noise that of the neighbourhood: a few samples may agree by chance.
    fn with_noise_around(&self, light: &[Grain]) -> Vec<Grain> {
        let (width, height) = self.size;
        let around = |(i, grain): (usize, &Grain)| {
            let (x, y) = (i % width, i / width);
            let columns = || x.saturating_sub(1)..(x + 2).min(width);
            let rows = y.saturating_sub(1)..(y + 2).min(height);
            let sum: f32 = rows.flat_map(|y| columns().map(move |x| light[y * width + x].noise)).sum();
            Grain { noise: sum / 9.0, ..*grain }
        };
        light.par_iter().enumerate().map(around).collect()
    }

    fn round(&self, light: &[Grain], step: usize, known: Option<&[Grain]>) -> Vec<Grain> {
        let width = self.size.0;
        let mut smooth = vec![Grain::default(); light.len()];
        smooth.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                let i = y * width + x;
                let chance = self.guides[i].footprint > 0.0 && known.is_none_or(|k| k[i].noise > 0.0);
                *out = if chance { self.mean((x, y), light, step, known) } else { light[i] };
            }
        });
        smooth
    }

    /// The mean of a pixel and its neighbours, as far as they are alike.
    fn mean(&self, (x, y): (usize, usize), light: &[Grain], step: usize, known: Option<&[Grain]>) -> Grain {
        let (width, height) = self.size;
        let i = y * width + x;
        let (mut sum, mut noise, mut weights) = (light[i].light, light[i].noise, 1.0);
        for (dx, dy) in NEIGHBOURS {
            let at = (x as isize + dx * step as isize, y as isize + dy * step as isize);
            if at.0 < 0 || at.1 < 0 || at.0 >= width as isize || at.1 >= height as isize {
                continue;
            }
            let j = at.1 as usize * width + at.0 as usize;
            let corner = if dx * dy != 0 { 0.25 } else { 0.5 };
            let weight = corner * self.alike(i, j, step) * known.map_or(1.0, |k| close(&k[i], &k[j]));
            sum += light[j].light * weight;
            noise += light[j].noise * weight;
            weights += weight;
        }
        Grain { light: sum / weights, noise: noise / weights }
    }

    /// How far two pixels show the same surface, from 0 to 1.
    fn alike(&self, i: usize, j: usize, step: usize) -> f32 {
        let (a, b) = (&self.guides[i], &self.guides[j]);
        if b.footprint == 0.0 {
            return 0.0;
        }
        let mut turned = a.normal.dot(b.normal).max(0.0);
        for _ in 0..self.sharpness {
            turned *= turned;
        }
        let off = (b.place - a.place).dot(a.normal).abs() / (OFF_PLANE * a.footprint * step as f32);
        turned * (1.0 - off).max(0.0)
    }
}

const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// How near two lights are, from 0 to 1: noisy ones may be further apart.
fn close(a: &Grain, b: &Grain) -> f32 {
    let [x, y] = [a, b].map(|grain| grain.light.element_sum() / 3.0);
    let apart = (x - y) / (ALIKE * (0.5 * (x + y) + 0.02) + NOISY * a.noise);
    (1.0 - apart * apart).max(0.0)
}
