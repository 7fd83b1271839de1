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
const ALIKE: f32 = 0.18;
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
    let bare = film
        .pixels
        .par_iter()
        .zip(&guides)
        .map(|(p, g)| p.scattered / p.samples.max(1) as f32 / g.albedo.max(Vec3::splat(1e-3)));
    let other = film.pixels.par_iter().map(|p| p.other / p.samples.max(1) as f32);
    let bare = Layer { guides: &guides, size: film.size, sharpness: 5 }.smooth(bare.collect(), rounds);
    let clear = Layer { guides: &guides, size: film.size, sharpness: 7 };
    let other = clear.smooth(other.collect(), rounds.min(CLEAR_ROUNDS));
    let lit = bare.into_par_iter().zip(other).zip(&guides);
    lit.map(|((bare, other), guide)| bare * guide.albedo.max(Vec3::ZERO) + other).collect()
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
}

impl Layer<'_> {
    fn smooth(&self, mut light: Vec<Vec3>, rounds: u32) -> Vec<Vec3> {
        // After the first round, which takes all on the same surface, noise is low enough to tell shadows by.
        let mut known: Option<Vec<f32>> = None;
        for round in 0..rounds {
            light = self.round(&light, 1 << round, known.as_deref());
            known = known.or_else(|| Some(light.iter().map(|l| l.element_sum() / 3.0).collect()));
        }
        light
    }

    fn round(&self, light: &[Vec3], step: usize, known: Option<&[f32]>) -> Vec<Vec3> {
        let (width, height) = self.size;
        let mut smooth = vec![Vec3::ZERO; light.len()];
        smooth.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, out) in row.iter_mut().enumerate() {
                let i = y * width + x;
                let mut sum = (light[i], 1.0);
                if self.guides[i].footprint > 0.0 {
                    for (dx, dy) in NEIGHBOURS {
                        let at = (x as isize + dx * step as isize, y as isize + dy * step as isize);
                        if at.0 < 0 || at.1 < 0 || at.0 >= width as isize || at.1 >= height as isize {
                            continue;
                        }
                        let j = at.1 as usize * width + at.0 as usize;
                        let corner = if dx * dy != 0 { 0.25 } else { 0.5 };
                        let weight =
                            corner * self.alike(i, j, step) * known.map_or(1.0, |k| close(k[i], k[j]));
                        sum = (sum.0 + light[j] * weight, sum.1 + weight);
                    }
                }
                *out = sum.0 / sum.1;
            }
        });
        smooth
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

/// How near two lights are, from 0 to 1.
fn close(a: f32, b: f32) -> f32 {
    let apart = (a - b) / (ALIKE * (0.5 * (a + b) + 0.02));
    (1.0 - apart * apart).max(0.0)
}
