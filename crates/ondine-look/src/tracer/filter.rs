//! Smoothing of what chance has left in a picture, along surfaces and never across their edges.
//!
//! À-trous wavelets (Dammertz and others 2010): rounds of a small blur, each of twice the width of the one before, in
//! which neighbours count as far as they lie on the same surface and have about the same light. Scattered light is
//! smoothed without the colour of the surface it came from, which comes back sharp.
//!
//! Two pixels exchange light, each as much as the other, so that none is lost: were each to take the mean of those it likes,
//! dark ones would refuse the light of bright ones, and what few samples leave uneven would come out dark.

use super::eye::Eye;
use super::film::{Film, Pixel, Spots};
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

/// The darkest colour that light is freed of.
const DARK: f32 = 1e-3;
/// What a pixel exchanges with the neighbours beside it and at its corners; a quarter is left of its own.
const SIDE: f32 = 0.125;
const CORNER: f32 = 0.0625;

/// What a neighbour is judged by.
#[derive(Clone, Copy, Debug, Default)]
struct Guide {
    normal: Vec3,
    place: Vec3,
    /// Width of a pixel there [m]; 0 where there is nothing.
    footprint: f32,
}

/// Linear light of each pixel after so many rounds. `sure` tells that there are samples enough to tell noise from light.
pub fn smoothed(film: &Film, eye: &Eye, rounds: u32, sure: bool) -> Vec<Vec3> {
    if rounds == 0 {
        return film.pixels.par_iter().map(Pixel::light).collect();
    }
    let guides = |of: fn(&Pixel) -> &Spots| -> Vec<Guide> {
        film.pixels.par_iter().map(|pixel| Guide::new(of(pixel), eye)).collect()
    };
    let bare = film.pixels.par_iter().map(|p| {
        let albedo = albedo(p).max(Vec3::splat(DARK));
        let noise = p.variance()[0].sqrt() / (albedo.element_sum() / 3.0);
        Grain { light: p.scattered / p.samples.max(1) as f32 / albedo, noise }
    });
    let other = film.pixels.par_iter();
    let other =
        other.map(|p| Grain { light: p.other / p.samples.max(1) as f32, noise: p.variance()[1].sqrt() });
    let layer = |guides, sharpness, keeps_detail| Layer { guides, size: film.size, sharpness, keeps_detail };
    let (first, behind) = (guides(|p| &p.first), guides(|p| &p.matte));
    let matte = layer(&behind, 5, sure);
    let clear = layer(&first, 7, true);
    let bare = matte.smooth(bare.collect(), rounds);
    let other = clear.smooth(other.collect(), rounds.min(CLEAR_ROUNDS));
    let lit = bare.into_par_iter().zip(other).zip(&film.pixels);
    lit.map(|((bare, other), pixel)| bare.light * albedo(pixel).max(Vec3::splat(DARK)) + other.light)
        .collect()
}

/// Colour of what scatters in a pixel, as far as the pixel shows it.
fn albedo(pixel: &Pixel) -> Vec3 {
    pixel.albedo / pixel.samples.max(1) as f32
}

/// Light of a pixel and how uncertain it is.
#[derive(Clone, Copy, Debug, Default)]
struct Grain {
    light: Vec3,
    noise: f32,
}

impl Guide {
    fn new(spots: &Spots, eye: &Eye) -> Self {
        if spots.count == 0 {
            return Self::default();
        }
        let place = spots.place / spots.count as f32;
        Self { normal: spots.normal.normalize_or_zero(), place, footprint: eye.footprint(place) }
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
                *out = self.exchanged((x, y), light, step, known);
            }
        });
        smooth
    }

    /// A pixel after it has exchanged light with its neighbours, as far as they are alike.
    fn exchanged(
        &self,
        (x, y): (usize, usize),
        light: &[Grain],
        step: usize,
        known: Option<&[Grain]>,
    ) -> Grain {
        let (width, height) = self.size;
        let i = y * width + x;
        let Grain { light: mut sum, mut noise } = light[i];
        for (dx, dy) in NEIGHBOURS {
            let at = (x as isize + dx * step as isize, y as isize + dy * step as isize);
            if at.0 < 0 || at.1 < 0 || at.0 >= width as isize || at.1 >= height as isize {
                continue;
            }
            let j = at.1 as usize * width + at.0 as usize;
            let share = if dx * dy != 0 { CORNER } else { SIDE };
            let weight = share * self.alike(i, j, step) * known.map_or(1.0, |k| close(&k[i], &k[j]));
            sum += (light[j].light - light[i].light) * weight;
            noise += (light[j].noise - light[i].noise) * weight;
        }
        Grain { light: sum, noise }
    }

    /// How far two pixels show the same surface, from 0 to 1; the same for both.
    fn alike(&self, i: usize, j: usize, step: usize) -> f32 {
        let (a, b) = (&self.guides[i], &self.guides[j]);
        if a.footprint == 0.0 || b.footprint == 0.0 {
            return 0.0;
        }
        let mut turned = a.normal.dot(b.normal).max(0.0);
        for _ in 0..self.sharpness {
            turned *= turned;
        }
        let off = |of: &Guide| (b.place - a.place).dot(of.normal).abs() / of.footprint;
        turned * (1.0 - off(a).max(off(b)) / (OFF_PLANE * step as f32)).max(0.0)
    }
}

const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// How near two lights are, from 0 to 1, the same for both: noisy ones may be further apart, certain ones stay as they are.
fn close(a: &Grain, b: &Grain) -> f32 {
    if a.noise.min(b.noise) <= 0.0 {
        return 0.0;
    }
    let [x, y] = [a, b].map(|grain| grain.light.element_sum() / 3.0);
    let apart = (x - y) / (ALIKE * (0.5 * (x + y) + 0.02) + NOISY * a.noise.max(b.noise));
    (1.0 - apart * apart).max(0.0)
}
