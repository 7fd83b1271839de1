//! The framebuffer: sums over the samples of each pixel, and which pixels need more of them.

use super::buffer_pool::BufferPool;
use super::camera_rays::CameraRays;
use super::integrator::Integrator;
use super::path::{Feature, Sample};
use super::sampling::Sampler;
use glam::{Vec2, Vec3, Vec3A};
use rayon::prelude::*;
use std::ops::Range;

/// Rows and columns of a tile. Neighbouring rays meet the same things, so they are traced one after the other.
const TILE: usize = 8;

/// How different the light of neighbours must be, as a fraction, to look at a pixel again.
const UNEVEN: f32 = 0.08;

/// Noise of a pixel, as a fraction of its light, at which to look again.
const NOISY: f32 = 0.1;

/// The same where the samples are enough to be sure of it, and smoothing does the rest.
const SURELY_NOISY: f32 = 0.08;

/// Pixels to each side that are asked for noise where something is seen through clear things: of two samples of one pixel
/// both often miss what few paths of light bring.
const AROUND: usize = 2;

/// Samples that tell how uncertain a pixel is.
pub const SURE: u32 = 8;

/// Noise of a single sample, as a fraction of its light, as the sky has it.
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
    pub first: FeatureSum,
    /// Surfaces that scattered first.
    pub matte: FeatureSum,
    /// Brightness of the part of the scattered light that is soft.
    pub soft: f32,
    /// Squares of the brightness of scattered light but for what is soft, of other light, and of what is soft.
    pub squares: [f32; 3],
    /// Samples.
    pub samples: u32,
}

/// Sums over features of surfaces that samples met.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeatureSum {
    /// Normals.
    pub normal: Vec3,
    /// Positions [m].
    pub position: Vec3,
    /// How many samples met one.
    pub count: u32,
}

/// The pixels of a picture, row by row.
#[derive(Clone, Debug)]
pub struct Framebuffer {
    /// Width and height [pixels].
    pub size: (usize, usize),
    /// The pixels.
    pub pixels: Vec<Pixel>,
}

impl Framebuffer {
    /// One without samples.
    pub fn new(size: (usize, usize), pool: &BufferPool) -> Self {
        Self { size, pixels: pool.take_pixels(size.0 * size.1) }
    }

    /// Takes samples of these numbers, of all pixels or of those chosen. What a pixel sees depends on its place and the
    /// numbers of its samples alone.
    pub fn accumulate(
        &mut self,
        integrator: &Integrator,
        camera: &CameraRays,
        numbers: Range<u32>,
        chosen: Option<&[bool]>,
    ) {
        let width = self.size.0;
        self.pixels.par_chunks_mut(width * TILE).enumerate().for_each(|(band, pixels)| {
            let rows = pixels.len() / width;
            for left in (0..width).step_by(TILE) {
                for (row, x) in
                    (0..rows).flat_map(|row| (left..(left + TILE).min(width)).map(move |x| (row, x)))
                {
                    let (i, y) = (row * width + x, band * TILE + row);
                    if chosen.is_none_or(|chosen| chosen[y * width + x]) {
                        let sample = |number| sampled(integrator, camera, (x, y), number);
                        numbers.clone().for_each(|number| pixels[i].add(&sample(number)));
                    }
                }
            }
        });
    }

    /// The pixels that need more samples than the so many that were taken of those that needed them: edges, and what is seen
    /// through clear things. Of its own a pixel is asked what it shows, never how bright it was: were bright ones looked at
    /// again and dark ones left, the mean would be darker than the light.
    pub fn unconverged(&self, taken: u32) -> Vec<bool> {
        let width = self.size.0;
        let noise = if taken < SURE { NOISY } else { SURELY_NOISY };
        let noisy: Vec<bool> = match taken < 2 {
            true => vec![false; self.pixels.len()],
            false => self.pixels.par_iter().map(|pixel| pixel.is_noisy(noise)).collect(),
        };
        // Most rows are quiet, all of them after the first pass.
        let noisy_rows: Vec<bool> = noisy.chunks_exact(width).map(|row| row.contains(&true)).collect();
        let mut chosen = vec![false; self.pixels.len()];
        chosen.par_chunks_exact_mut(width).enumerate().for_each(|(y, row)| {
            let about = y.saturating_sub(AROUND)..(y + AROUND + 1).min(noisy_rows.len());
            let quiet = !noisy_rows[about].contains(&true);
            let noise_about = |x: usize| {
                let reach = if self.pixels[y * width + x].is_judged_by_noise() { AROUND } else { 1 };
                self.is_any_around((x, y), reach, &noisy)
            };
            for (x, chosen) in row.iter_mut().enumerate() {
                *chosen = !quiet && noise_about(x) || taken < SURE && self.is_edge((x, y), taken);
            }
        });
        chosen
    }

    /// Whether any pixel about one, but not itself, is among those told.
    fn is_any_around(&self, (x, y): (usize, usize), reach: usize, among: &[bool]) -> bool {
        let (width, height) = self.size;
        let columns = x.saturating_sub(reach)..(x + reach + 1).min(width);
        let mut rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
        let own = y * width + x;
        rows.any(|row| columns.clone().map(|column| row * width + column).any(|i| among[i] && i != own))
    }

    /// Whether something ends at a pixel, as its neighbours have it: asked only where samples were taken last.
    fn is_edge(&self, (x, y): (usize, usize), taken: u32) -> bool {
        let (width, height) = self.size;
        let pixel = |x: usize, y: usize| &self.pixels[y * width + x];
        let (right, below) = (pixel((x + 1).min(width - 1), y), pixel(x, (y + 1).min(height - 1)));
        let (left, above) = (pixel(x.saturating_sub(1), y), pixel(x, y.saturating_sub(1)));
        let (own, around) = (pixel(x, y), [right, below, left, above]);
        let known_before = own.samples < taken && around.iter().all(|other| other.samples < taken);
        let apart = || !own.is_judged_by_noise() && around.iter().any(|other| own.is_apart(other));
        !known_before && (apart() || right.differs(below) || left.differs(above))
    }
}

/// One sample of a pixel.
fn sampled(integrator: &Integrator, camera: &CameraRays, (x, y): (usize, usize), number: u32) -> Sample {
    let mut sampler = Sampler::new((x as u32, y as u32), number);
    let place = Vec2::new(x as f32, y as f32) + sampler.next_2d();
    let ray = camera.ray(place, sampler.next_2d());
    integrator.sample(ray, sampler)
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

    /// Whether its light is uncertain by more than a fraction, but for what is soft and smoothed away.
    fn is_noisy(&self, fraction: f32) -> bool {
        if self.samples < 2 {
            return false;
        }
        let [even, clear, _] = self.variances();
        let bright = 0.1 + self.light().element_sum() / 3.0;
        even + clear > (fraction * bright).powi(2)
    }

    /// Whether its light, not its shape, tells if it is even: it has samples to compare, and what they met first is not what
    /// scattered. Clear things may bend light quietly however they turn.
    fn is_judged_by_noise(&self) -> bool {
        self.samples > 1 && self.samples < SURE && self.first.position != self.matte.position
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

impl FeatureSum {
    fn add(&mut self, feature: &Feature) {
        self.normal += Vec3::from(feature.normal);
        self.position += Vec3::from(feature.position);
        self.count += (feature.normal != Vec3A::ZERO) as u32;
    }
}

fn is_unlike(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() > UNEVEN * (0.1 + a.max(b).max_element())
}
