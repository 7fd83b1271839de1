//! What all samples of a picture saw.

use super::eye::Eye;
use super::path::{Met, Sample, Tracer};
use super::sampling::Sampler;
use glam::{Vec2, Vec3, Vec3A};
use rayon::prelude::*;
use std::ops::Range;

/// Rows and columns of a tile. Neighbouring rays meet the same things, so they are traced one after the other.
const TILE: usize = 8;

/// How different the light of neighbours must be, as a share, to look at a pixel again.
const UNEVEN: f32 = 0.08;

/// Noise of a pixel, as a share of its light, at which to look again.
const NOISY: f32 = 0.12;

/// The same where the samples are enough to be sure of it, and smoothing does the rest.
const SURELY_NOISY: f32 = 0.08;

/// Samples that tell how uncertain a pixel is.
pub const SURE: u32 = 8;

/// Noise of a single sample, as a share of its light, as the sky has it.
const GUESS: f32 = 0.3;

/// Difference of neighbours over their sum that a shadow makes.
const SHADOW: f32 = 0.3;

/// Sums over the samples of a pixel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pixel {
    /// Light that the first surface that scatters sent.
    pub scattered: Vec3,
    /// All other light.
    pub other: Vec3,
    /// Colours of first surfaces that scatter.
    pub albedo: Vec3,
    /// Surfaces that were met first.
    pub first: Spots,
    /// Surfaces that scattered first.
    pub matte: Spots,
    /// Brightness of the part of the scattered light that is soft.
    pub soft: f32,
    /// Squares of the brightness of scattered light but for what is soft, of other light, and of what is soft.
    pub squares: [f32; 3],
    /// Samples.
    pub samples: u32,
}

/// Sums over places of surfaces that samples met.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spots {
    /// Normals.
    pub normal: Vec3,
    /// Places [m].
    pub place: Vec3,
    /// How many samples met one.
    pub count: u32,
}

/// The pixels of a picture, row by row.
#[derive(Clone, Debug)]
pub struct Film {
    /// Width and height [pixels].
    pub size: (usize, usize),
    /// The pixels.
    pub pixels: Vec<Pixel>,
}

impl Film {
    /// A film that has seen nothing.
    pub fn new(size: (usize, usize)) -> Self {
        Self { size, pixels: vec![Pixel::default(); size.0 * size.1] }
    }

    /// Takes samples of these numbers, of all pixels or of those chosen. What a pixel sees depends on its place and the
    /// numbers of its samples alone.
    pub fn expose(&mut self, tracer: &Tracer, eye: &Eye, numbers: Range<u32>, chosen: Option<&[bool]>) {
        let width = self.size.0;
        self.pixels.par_chunks_mut(width * TILE).enumerate().for_each(|(band, pixels)| {
            let rows = pixels.len() / width;
            for left in (0..width).step_by(TILE) {
                for (row, x) in
                    (0..rows).flat_map(|row| (left..(left + TILE).min(width)).map(move |x| (row, x)))
                {
                    let (i, y) = (row * width + x, band * TILE + row);
                    if chosen.is_none_or(|chosen| chosen[y * width + x]) {
                        numbers.clone().for_each(|number| pixels[i].add(&see(tracer, eye, (x, y), number)));
                    }
                }
            }
        });
    }

    /// The pixels whose neighbourhood is not even: edges, and what is seen through clear things.
    pub fn uneven(&self) -> Vec<bool> {
        let (width, height) = self.size;
        let pixel = |x: usize, y: usize| &self.pixels[y * width + x];
        let rows = (0..height).into_par_iter().flat_map_iter(|y| {
            (0..width).map(move |x| {
                let right = pixel((x + 1).min(width - 1), y);
                let below = pixel(x, (y + 1).min(height - 1));
                let left = pixel(x.saturating_sub(1), y);
                let above = pixel(x, y.saturating_sub(1));
                needs_more(pixel(x, y), &[right, below, left, above])
            })
        });
        rows.collect()
    }
}

/// Whether a pixel among others needs more samples. Of its own it is asked what it shows, never how bright it was: were
/// bright ones looked at again and dark ones left, the mean would be darker than the light.
fn needs_more(pixel: &Pixel, around: &[&Pixel; 4]) -> bool {
    let [right, below, left, above] = around;
    if around.iter().all(|other| other.samples >= SURE) {
        return around.iter().any(|other| other.is_noisy(SURELY_NOISY));
    }
    around.iter().any(|other| other.is_noisy(NOISY) || pixel.is_apart(other))
        || [(right, below), (left, above)].iter().any(|(a, b)| a.differs(b))
}

/// One sample of a pixel.
fn see(tracer: &Tracer, eye: &Eye, (x, y): (usize, usize), number: u32) -> Sample {
    let mut sampler = Sampler::new((x as u32, y as u32), number);
    let place = Vec2::new(x as f32, y as f32) + sampler.pair();
    let ray = eye.ray(place, sampler.pair());
    tracer.sample(ray, &mut sampler)
}

impl Pixel {
    fn add(&mut self, sample: &Sample) {
        self.scattered += Vec3::from(sample.scattered);
        self.other += Vec3::from(sample.other);
        let [all, other, soft] = [sample.scattered, sample.other, sample.soft].map(|l| l.element_sum() / 3.0);
        let kinds = [all - soft, other, soft];
        (0..3).for_each(|i| self.squares[i] += kinds[i] * kinds[i]);
        self.soft += soft;
        self.albedo += Vec3::from(sample.albedo);
        self.first.add(&sample.first);
        self.matte.add(&sample.matte);
        self.samples += 1;
    }

    /// Variance of the mean brightness of scattered light but for what is soft, of other light, and of what is soft.
    fn variances(&self) -> [f32; 3] {
        let n = self.samples.max(1) as f32;
        let all = self.scattered.element_sum() / 3.0;
        if self.samples < 2 {
            return [(GUESS * all).powi(2), 0.0, 0.0];
        }
        let mean = [all - self.soft, self.other.element_sum() / 3.0, self.soft].map(|sum| sum / n);
        std::array::from_fn(|i| (self.squares[i] / n - mean[i] * mean[i]).max(0.0) / n)
    }

    /// Variance of the mean brightness of scattered and of other light.
    pub fn variance(&self) -> [f32; 2] {
        let [sharp, other, soft] = self.variances();
        [sharp + soft, other]
    }

    /// Light of the pixel as it is.
    pub fn light(&self) -> Vec3 {
        (self.scattered + self.other) / self.samples.max(1) as f32
    }

    /// Whether a shadow ends between two pixels: light differs by more than chance would have it.
    fn shaded(&self, other: &Pixel) -> bool {
        let bare = |p: &Pixel| (p.scattered.element_sum() - 3.0 * p.soft) / p.albedo.element_sum().max(1e-3);
        let (a, b) = (bare(self), bare(other));
        (a - b).abs() > SHADOW * (a + b)
    }

    /// Whether its light is uncertain by more than a share, but for what is soft and smoothed away.
    fn is_noisy(&self, share: f32) -> bool {
        let [even, clear, _] = self.variances();
        let bright = 0.1 + self.light().element_sum() / 3.0;
        self.samples > 1 && even + clear > (share * bright).powi(2)
    }

    /// Whether something ends between two pixels.
    fn is_apart(&self, other: &Pixel) -> bool {
        // Of so many samples each, as many must have met something.
        let (met, other_met) = (self.first.count as f32, other.first.count as f32);
        let (n, m) = (self.samples.max(1) as f32, other.samples.max(1) as f32);
        met * m != other_met * n
            || self.first.normal.dot(other.first.normal) < 0.9 * met * other_met
            || is_unlike(self.albedo / n, other.albedo / m)
    }

    /// Whether the light of two pixels differs.
    fn differs(&self, other: &Pixel) -> bool {
        let (n, m) = (self.samples.max(1) as f32, other.samples.max(1) as f32);
        self.shaded(other) || is_unlike(self.other / n, other.other / m)
    }
}

impl Spots {
    fn add(&mut self, met: &Met) {
        self.normal += Vec3::from(met.normal);
        self.place += Vec3::from(met.place);
        self.count += (met.normal != Vec3A::ZERO) as u32;
    }
}

fn is_unlike(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() > UNEVEN * (0.1 + a.max(b).max_element())
}
