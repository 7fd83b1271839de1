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
use wide::f32x8;

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

/// Pixels that are worked on at once.
const LANES: usize = 8;

/// Linear light of each pixel after so many rounds. `sure` tells that there are samples enough to tell noise from light.
pub fn smoothed(film: &Film, eye: &Eye, rounds: u32, sure: bool) -> Vec<Vec3> {
    if rounds == 0 {
        return film.pixels.par_iter().map(Pixel::light).collect();
    }
    let frame = Frame::new(film.size, rounds);
    let bare = frame.filled(film, |p| {
        let albedo = albedo(p).max(Vec3::splat(DARK));
        let light = p.scattered / p.samples.max(1) as f32 / albedo;
        grain(light, p.variance()[0].sqrt() / (albedo.element_sum() / 3.0))
    });
    let other = frame.filled(film, |p| grain(p.other / p.samples.max(1) as f32, p.variance()[1].sqrt()));
    let guides = |of: fn(&Pixel) -> &Spots| frame.filled(film, |pixel| guide(of(pixel), eye));
    let (first, behind) = (guides(|p| &p.first), guides(|p| &p.matte));
    let matte = Layer { guides: &behind, frame, sharpness: 5, keeps_detail: sure };
    let clear = Layer { guides: &first, frame, sharpness: 7, keeps_detail: true };
    let bare = matte.smooth(bare, rounds);
    let other = clear.smooth(other, rounds.min(CLEAR_ROUNDS));
    let lit = |(i, pixel): (usize, &Pixel)| {
        let light = |of: &[f32]| Vec3::from(frame.at::<LIGHT>(of, i).first_chunk().map_or([0.0; 3], |c| *c));
        light(&bare) * albedo(pixel).max(Vec3::splat(DARK)) + light(&other)
    };
    film.pixels.par_iter().enumerate().map(lit).collect()
}

/// Colour of what scatters in a pixel, as far as the pixel shows it.
fn albedo(pixel: &Pixel) -> Vec3 {
    pixel.albedo / pixel.samples.max(1) as f32
}

/// Numbers of a pixel's light: red, green, blue, and how uncertain it is.
const LIGHT: usize = 4;
const NOISE: usize = 3;

fn grain(light: Vec3, noise: f32) -> [f32; LIGHT] {
    [light.x, light.y, light.z, noise]
}

/// Numbers that a neighbour is judged by: its normal, its place and 1 over the width of a pixel there [1/m]; all 0 where
/// there is nothing.
const GUIDE: usize = 7;
const PLACE: usize = 3;
const FINENESS: usize = 6;

fn guide(spots: &Spots, eye: &Eye) -> [f32; GUIDE] {
    if spots.count == 0 {
        return [0.0; GUIDE];
    }
    let (n, p) = (spots.normal.normalize_or_zero(), spots.place / spots.count as f32);
    [n.x, n.y, n.z, p.x, p.y, p.z, 1.0 / eye.footprint(p)]
}

/// How the numbers of pixels lie: row by row, in each row all numbers of a kind side by side, with room around the picture
/// for neighbours that are not there.
#[derive(Clone, Copy, Debug)]
struct Frame {
    width: usize,
    height: usize,
    /// Pixels around the picture.
    room: usize,
    /// Pixels from one kind of number to the next.
    stride: usize,
}

impl Frame {
    fn new((width, height): (usize, usize), rounds: u32) -> Self {
        let room = (1usize << rounds.saturating_sub(1)).max(1);
        Self { width, height, room, stride: width.next_multiple_of(LANES) + 2 * room }
    }

    /// Room for so many numbers of each pixel.
    fn empty<const K: usize>(&self) -> Vec<f32> {
        vec![0.0; K * self.stride * (self.height + 2 * self.room)]
    }

    /// So many numbers of each pixel of a film.
    fn filled<const K: usize>(&self, film: &Film, of: impl Fn(&Pixel) -> [f32; K] + Sync) -> Vec<f32> {
        let mut numbers = self.empty::<K>();
        let rows = numbers.par_chunks_exact_mut(K * self.stride).skip(self.room);
        rows.zip(film.pixels.par_chunks_exact(self.width)).for_each(|(row, pixels)| {
            for (x, pixel) in pixels.iter().enumerate() {
                for (kind, number) in of(pixel).into_iter().enumerate() {
                    row[kind * self.stride + self.room + x] = number;
                }
            }
        });
        numbers
    }

    /// The numbers of a pixel.
    fn at<const K: usize>(&self, numbers: &[f32], pixel: usize) -> [f32; K] {
        let (x, y) = (pixel % self.width, pixel / self.width);
        let start = (y + self.room) * K * self.stride + self.room + x;
        std::array::from_fn(|kind| numbers[start + kind * self.stride])
    }

    /// Where a row of some neighbours starts: those so many rows below and columns to the right of row `y`.
    fn start<const K: usize>(&self, y: usize, (dx, dy): (isize, isize)) -> usize {
        let row = (y + self.room).wrapping_add_signed(dy);
        (row * K * self.stride + self.room).wrapping_add_signed(dx)
    }
}

/// One kind of light of a picture.
struct Layer<'a> {
    guides: &'a [f32],
    frame: Frame,
    /// How alike normals must be, as a power of two.
    sharpness: u32,
    /// Whether what is not noisy is left as it is from the start.
    keeps_detail: bool,
}

impl Layer<'_> {
    fn smooth(&self, mut light: Vec<f32>, rounds: u32) -> Vec<f32> {
        let mut known = self.keeps_detail.then(|| self.with_noise_around(&light));
        let mut next = self.frame.empty::<LIGHT>();
        for round in 0..rounds {
            self.round(&light, &mut next, 1 << round, known.as_deref());
            std::mem::swap(&mut light, &mut next);
            // After a round that took all on the same surface, noise is low enough to tell shadows by.
            known = known.or_else(|| Some(light.clone()));
        }
        light
    }

    /// The same light, its noise that of the neighbourhood: a few samples may agree by chance.
    fn with_noise_around(&self, light: &[f32]) -> Vec<f32> {
        let mut changed = light.to_vec();
        self.each(&mut changed, |y, x, row| {
            let around = [(0, 0)].into_iter().chain(NEIGHBOURS);
            let noise = |by| eight(light, self.frame.start::<LIGHT>(y, by) + NOISE * self.frame.stride + x);
            let sum = around.map(noise).fold(f32x8::ZERO, |sum, noise| sum + noise);
            self.put(row, NOISE, x, sum * (1.0 / 9.0));
        });
        changed
    }

    /// Changes light eight pixels at a time: `change` gets the number of the row, the column and the row.
    fn each(&self, light: &mut [f32], change: impl Fn(usize, usize, &mut [f32]) + Sync) {
        let rows = light.par_chunks_exact_mut(LIGHT * self.frame.stride).skip(self.frame.room);
        rows.take(self.frame.height).enumerate().for_each(|(y, row)| {
            (0..self.frame.width).step_by(LANES).for_each(|x| change(y, x, row));
        });
    }

    /// Eight numbers of a kind into a row. What lies beside the picture stays 0.
    fn put(&self, row: &mut [f32], kind: usize, x: usize, numbers: f32x8) {
        let start = kind * self.frame.stride + self.frame.room + x;
        let count = LANES.min(self.frame.width - x);
        match row.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
            Some(eight) if count == LANES => *eight = numbers.to_array(),
            _ => row[start..start + count].copy_from_slice(&numbers.to_array()[..count]),
        }
    }

    /// Puts into `next` all pixels after each has exchanged light with its neighbours, as far as they are alike.
    fn round(&self, light: &[f32], next: &mut [f32], step: isize, known: Option<&[f32]>) {
        let reach = 1.0 / (OFF_PLANE * step as f32);
        self.each(next, |y, x, row| {
            let lights = |by| self.several::<LIGHT>(light, y, x, by);
            let own = lights((0, 0));
            let guide = self.several::<GUIDE>(self.guides, y, x, (0, 0));
            let judged = known.map(|known| self.several::<LIGHT>(known, y, x, (0, 0)));
            let mut sum = own;
            // Most of a picture has no light of a kind to smooth: the sky scatters none, and what is certain stays.
            let certain = judged.is_some_and(|own| !own[NOISE].simd_gt(f32x8::ZERO).any());
            let bare = !guide[FINENESS].simd_gt(f32x8::ZERO).any();
            let around = if certain || bare { &[] } else { &NEIGHBOURS[..] };
            for &(dx, dy) in around {
                let by = (dx * step, dy * step);
                let share = if dx * dy != 0 { CORNER } else { SIDE };
                let mut weight = self.alike(&guide, &self.several(self.guides, y, x, by), reach) * share;
                if let Some((known, own)) = known.zip(judged.as_ref()) {
                    weight *= close(own, &self.several(known, y, x, by));
                }
                let theirs = lights(by);
                (0..LIGHT).for_each(|kind| sum[kind] += (theirs[kind] - own[kind]) * weight);
            }
            sum.into_iter().enumerate().for_each(|(kind, numbers)| self.put(row, kind, x, numbers));
        })
    }

    /// All numbers of eight pixels beside those at a place.
    #[inline(always)]
    fn several<const K: usize>(&self, numbers: &[f32], y: usize, x: usize, by: (isize, isize)) -> [f32x8; K] {
        let start = self.frame.start::<K>(y, by) + x;
        std::array::from_fn(|kind| eight(numbers, start + kind * self.frame.stride))
    }

    /// How far pixels show the same surface, from 0 to 1; the same for both of each two.
    #[inline(always)]
    fn alike(&self, a: &[f32x8; GUIDE], b: &[f32x8; GUIDE], reach: f32) -> f32x8 {
        let mut turned = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).fast_max(f32x8::ZERO);
        for _ in 0..self.sharpness {
            turned *= turned;
        }
        let way = [b[PLACE] - a[PLACE], b[PLACE + 1] - a[PLACE + 1], b[PLACE + 2] - a[PLACE + 2]];
        let off =
            |of: &[f32x8; GUIDE]| (way[0] * of[0] + way[1] * of[1] + way[2] * of[2]).abs() * of[FINENESS];
        turned * (1.0 - off(a).fast_max(off(b)) * reach).fast_max(f32x8::ZERO)
    }
}

const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Eight numbers from a place on.
#[inline(always)]
fn eight(numbers: &[f32], start: usize) -> f32x8 {
    numbers.get(start..).and_then(|rest| rest.first_chunk()).map_or(f32x8::ZERO, |chunk| f32x8::new(*chunk))
}

/// How near two lights are, from 0 to 1, the same for both: noisy ones may be further apart, certain ones stay as they are.
#[inline(always)]
fn close(a: &[f32x8; LIGHT], b: &[f32x8; LIGHT]) -> f32x8 {
    let third = 1.0 / 3.0;
    let [x, y] = [a, b].map(|light| (light[0] + light[1] + light[2]) * third);
    let width = (x + y) * (0.5 * ALIKE) + (0.02 * ALIKE) + a[NOISE].fast_max(b[NOISE]) * NOISY;
    let apart = (x - y) / width;
    let near = (1.0 - apart * apart).fast_max(f32x8::ZERO);
    near & a[NOISE].fast_min(b[NOISE]).simd_gt(f32x8::ZERO)
}
