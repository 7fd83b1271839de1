//! All impostors of a picture, as one layer over it.

use super::footprint::Footprint;
use super::paint::Bearings;
use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

/// Rows that are drawn together.
const BAND: usize = 16;

/// Depths of a pixel that shows nothing else [m].
pub const NOTHING_BEFORE: Vec4 = Vec4::INFINITY;

/// What impostors do to a picture: the light that they add to each pixel, and how much shines through of what is behind.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Red, green, blue, and the fraction that shines through.
    pixels: Vec<Vec4>,
}

impl Layer {
    /// Draws impostors, the farthest first, into a picture of a width [pixels]. `before` has four depths of what else each pixel shows [m]: where
    /// this is nearer, they are hidden.
    pub fn draw(mut all: Vec<Footprint>, width: usize, bearings: &Bearings, before: &[Vec4]) -> Self {
        // A stable order: those at the same depth stay as the frame has them.
        all.par_sort_by(|a, b| b.depth().total_cmp(&a.depth()));
        let size = (width, before.len() / width.max(1));
        let mut in_band: Vec<Vec<u32>> = vec![Vec::new(); size.1.div_ceil(BAND)];
        for (i, footprint) in all.iter().enumerate() {
            let (_, rows) = footprint.window(size);
            for band in &mut in_band[rows.start / BAND..rows.end.div_ceil(BAND)] {
                band.push(i as u32);
            }
        }
        let mut pixels = vec![Vec4::W; before.len()];
        let bands = pixels.par_chunks_mut(width * BAND).zip(before.par_chunks(width * BAND));
        bands.zip(&in_band).enumerate().for_each(|(band, ((pixels, before), touched))| {
            let top = band * BAND;
            for footprint in touched.iter().map(|i| &all[*i as usize]) {
                let (_, rows) = footprint.window(size);
                for y in rows.start.max(top)..rows.end.min(top + BAND) {
                    let row = (y - top) * width..(y - top + 1) * width;
                    footprint.draw(y, bearings, &before[row.clone()], &mut pixels[row]);
                }
            }
        });
        Self { pixels }
    }

    /// Puts it over the light of a picture.
    pub fn cover(&self, light: &mut [Vec3]) {
        light
            .par_iter_mut()
            .zip(&self.pixels)
            .for_each(|(light, pixel)| *light = *light * pixel.w + pixel.xyz());
    }

    /// Red, green, blue and what shines through of each pixel.
    #[cfg(test)]
    pub fn pixels(&self) -> &[Vec4] {
        &self.pixels
    }
}
