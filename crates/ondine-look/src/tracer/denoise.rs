//! The denoiser: smooths what chance has left in a picture, along surfaces and never across their edges.
//!
//! À-trous wavelets (Dammertz and others 2010): passes of a small blur, each of twice the width of the one before, in
//! which neighbours count as far as they lie on the same surface and have about the same light. Scattered light is
//! smoothed without the colour of the surface it came from, which comes back sharp.
//!
//! Two pixels exchange light, each as much as the other, so that none is lost: were each to take the mean of those it likes,
//! dark ones would refuse the light of bright ones, and what few samples leave uneven would come out dark.

use super::buffer_pool::BufferPool;
use super::camera_rays::CameraRays;
use super::channels::ChannelLayout;
use super::framebuffer::{FeatureSum, Framebuffer, Pixel};
use super::lanes::{Eight, LANES, Work, with_widest};
use glam::Vec3;
use rayon::prelude::*;

/// How much light of neighbours may differ, as a fraction, once the finest noise is gone.
const ALIKE: f32 = 0.1;
/// How much more where they are noisy, in deviations of a pixel.
const NOISY: f32 = 2.5;
/// Footprints of a pixel by which neighbours may lie off each other's plane.
const OFF_PLANE: f32 = 1.5;
/// Passes for light that was not scattered: reflections and what is seen through.
const CLEAR_PASSES: u32 = 2;

/// The darkest colour that light is freed of.
const DARK: f32 = 1e-3;
/// What a pixel exchanges with the neighbours beside it and at its corners; a quarter is left of its own.
const SIDE: f32 = 0.125;
const CORNER: f32 = 0.0625;

/// Linear light of each pixel after so many passes. `sure` tells that there are samples enough to tell noise from light.
pub fn denoised(
    framebuffer: &Framebuffer,
    camera: &CameraRays,
    passes: u32,
    sure: bool,
    pool: &BufferPool,
) -> Vec<Vec3> {
    if passes == 0 {
        return framebuffer.pixels.par_iter().map(Pixel::light).collect();
    }
    let layout = ChannelLayout::new(framebuffer.size, (1usize << passes.saturating_sub(1)).max(1));
    let Inputs { bare, other, first, behind } = Inputs::of(framebuffer, camera, layout, pool);
    let matte = Layer { guides: &behind, layout, sharpness: 5, keeps_detail: sure, pool };
    let clear = Layer { guides: &first, layout, sharpness: 7, keeps_detail: true, pool };
    let bare = matte.smooth(bare, passes);
    let other = clear.smooth(other, passes.min(CLEAR_PASSES));
    let lit = |(i, pixel): (usize, &Pixel)| {
        let light = |of: &[f32]| Vec3::from(layout.at::<LIGHT>(of, i).first_chunk().map_or([0.0; 3], |c| *c));
        light(&bare) * albedo(pixel).max(Vec3::splat(DARK)) + light(&other)
    };
    let light = framebuffer.pixels.par_iter().enumerate().map(lit).collect();
    [bare, other, first, behind].into_iter().for_each(|numbers| pool.give_floats(numbers));
    light
}

/// What is smoothed and what guides it, in channels.
struct Inputs {
    /// Scattered light without the colour of what scattered it, and all other light.
    bare: Vec<f32>,
    other: Vec<f32>,
    /// Guides along what was met first and what scattered first.
    first: Vec<f32>,
    behind: Vec<f32>,
}

impl Inputs {
    fn of(framebuffer: &Framebuffer, camera: &CameraRays, layout: ChannelLayout, pool: &BufferPool) -> Self {
        let [mut bare, mut other] = [(); 2].map(|_| layout.cleared::<LIGHT>(pool));
        let [mut first, mut behind] = [(); 2].map(|_| layout.cleared::<GUIDE>(pool));
        let lights = layout.rows::<LIGHT>(&mut bare).zip(layout.rows::<LIGHT>(&mut other));
        let guides = layout.rows::<GUIDE>(&mut first).zip(layout.rows::<GUIDE>(&mut behind));
        // All at once: a framebuffer is larger than what a processor has at hand.
        let pixels = framebuffer.pixels.par_chunks_exact(layout.width);
        lights.zip(guides).zip(pixels).for_each(|(((bare, other), (first, behind)), pixels)| {
            for (x, pixel) in pixels.iter().enumerate() {
                let [scattered, clear] = grains(pixel);
                layout.set(bare, x, scattered);
                layout.set(other, x, clear);
                layout.set(first, x, guide(&pixel.first, camera));
                layout.set(behind, x, guide(&pixel.matte, camera));
            }
        });
        Self { bare, other, first, behind }
    }
}

/// Colour of what scatters in a pixel, as far as the pixel shows it.
fn albedo(pixel: &Pixel) -> Vec3 {
    pixel.albedo / pixel.samples.max(1) as f32
}

/// Channels of a pixel's light: red, green, blue, and how uncertain it is.
const LIGHT: usize = 4;
const NOISE: usize = 3;

/// Scattered light of a pixel without its colour, and other light.
fn grains(pixel: &Pixel) -> [[f32; LIGHT]; 2] {
    let (albedo, samples) = (albedo(pixel).max(Vec3::splat(DARK)), pixel.samples.max(1) as f32);
    let (bare, other) = (pixel.scattered / samples / albedo, pixel.other / samples);
    let [uneven, unclear] = pixel.variance().map(f32::sqrt);
    [[bare.x, bare.y, bare.z, uneven / (albedo.element_sum() / 3.0)], [other.x, other.y, other.z, unclear]]
}

/// Channels that a neighbour is judged by: its normal, its position and 1 over the width of a pixel there [1/m]; all 0 where
/// there is nothing.
const GUIDE: usize = 7;
const POSITION: usize = 3;
const FINENESS: usize = 6;

fn guide(sum: &FeatureSum, camera: &CameraRays) -> [f32; GUIDE] {
    if sum.count == 0 {
        return [0.0; GUIDE];
    }
    let (n, p) = (sum.normal.normalize_or_zero(), sum.position / sum.count as f32);
    [n.x, n.y, n.z, p.x, p.y, p.z, 1.0 / camera.footprint(p)]
}

/// One kind of light of a picture.
struct Layer<'a> {
    guides: &'a [f32],
    layout: ChannelLayout,
    /// How alike normals must be, as a power of two.
    sharpness: u32,
    /// Whether what is not noisy is left as it is from the start.
    keeps_detail: bool,
    pool: &'a BufferPool,
}

impl Layer<'_> {
    fn smooth(&self, mut light: Vec<f32>, passes: u32) -> Vec<f32> {
        let mut known = self.keeps_detail.then(|| self.with_noise_around(&light));
        let mut next = self.layout.cleared::<LIGHT>(self.pool);
        for pass in 0..passes {
            self.pass(&light, &mut next, 1 << pass, known.as_deref());
            std::mem::swap(&mut light, &mut next);
            // After a pass that took all on the same surface, noise is low enough to tell shadows by.
            known = known.or_else(|| Some(self.copied(&light)));
        }
        known.into_iter().chain([next]).for_each(|numbers| self.pool.give_floats(numbers));
        light
    }

    fn copied(&self, light: &[f32]) -> Vec<f32> {
        let mut copy = self.pool.take_floats(light.len());
        copy.copy_from_slice(light);
        copy
    }

    /// The same light, its noise that of the neighbourhood: a few samples may agree by chance.
    fn with_noise_around(&self, light: &[f32]) -> Vec<f32> {
        let mut changed = self.copied(light);
        let rows = self.layout.rows::<LIGHT>(&mut changed).enumerate();
        rows.for_each(|(y, row)| with_widest(MeanNoise { layout: &self.layout, light, y, row }));
        changed
    }

    /// Puts into `next` all pixels after each has exchanged light with its neighbours, as far as they are alike.
    fn pass(&self, light: &[f32], next: &mut [f32], step: isize, known: Option<&[f32]>) {
        let rows = self.layout.rows::<LIGHT>(next).enumerate();
        rows.for_each(|(y, row)| with_widest(Pass { layer: self, light, known, step, y, row }));
    }

    /// How far pixels show the same surface, from 0 to 1; the same for both of each two.
    #[inline(always)]
    fn alike<V: Eight>(&self, a: &[V; GUIDE], b: &[V; GUIDE], reach: f32) -> V {
        let zero = V::splat(0.0);
        let mut alike = a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2])).max(zero);
        for _ in 0..self.sharpness {
            alike = alike.mul(alike);
        }
        let way = [
            b[POSITION].sub(a[POSITION]),
            b[POSITION + 1].sub(a[POSITION + 1]),
            b[POSITION + 2].sub(a[POSITION + 2]),
        ];
        let off = off(&way, a).max(off(&way, b));
        alike.mul(V::splat(1.0).sub(off.mul(V::splat(reach))).max(zero))
    }
}

/// How far a way leads off the plane of a guide, in pixels.
#[inline(always)]
fn off<V: Eight>(way: &[V; 3], of: &[V; GUIDE]) -> V {
    let along = way[0].mul(of[0]).add(way[1].mul(of[1])).add(way[2].mul(of[2]));
    along.max(V::splat(0.0).sub(along)).mul(of[FINENESS])
}

const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A row that is to have the noise of its neighbourhood.
struct MeanNoise<'a> {
    layout: &'a ChannelLayout,
    light: &'a [f32],
    y: usize,
    row: &'a mut [f32],
}

impl Work for MeanNoise<'_> {
    type Out = ();

    #[inline(always)]
    fn done_with<V: Eight>(self) {
        for x in (0..self.layout.width).step_by(LANES) {
            let mut sum = self.layout.load::<V, LIGHT>(self.light, NOISE, (x, self.y), (0, 0));
            for by in NEIGHBOURS {
                sum = sum.add(self.layout.load::<V, LIGHT>(self.light, NOISE, (x, self.y), by));
            }
            self.layout.store(self.row, NOISE, x, sum.mul(V::splat(1.0 / 9.0)));
        }
    }
}

/// A row that is to exchange light with its neighbours.
struct Pass<'a> {
    layer: &'a Layer<'a>,
    light: &'a [f32],
    /// What lights are judged by.
    known: Option<&'a [f32]>,
    step: isize,
    y: usize,
    row: &'a mut [f32],
}

impl Work for Pass<'_> {
    type Out = ();

    #[inline(always)]
    fn done_with<V: Eight>(self) {
        let layout = &self.layer.layout;
        for x in (0..layout.width).step_by(LANES) {
            let sum = self.exchanged::<V>((x, self.y));
            for (channel, numbers) in sum.into_iter().enumerate() {
                layout.store(self.row, channel, x, numbers);
            }
        }
    }
}

impl Pass<'_> {
    /// Light of eight pixels after the exchange.
    #[inline(always)]
    fn exchanged<V: Eight>(&self, place: (usize, usize)) -> [V; LIGHT] {
        let (layout, zero, guides) = (&self.layer.layout, V::splat(0.0), self.layer.guides);
        let own = layout.load_all::<V, LIGHT>(self.light, place, (0, 0));
        let guide = layout.load_all::<V, GUIDE>(guides, place, (0, 0));
        let judged = self.known.map(
            #[inline(always)]
            |known| (known, layout.load_all::<V, LIGHT>(known, place, (0, 0))),
        );
        // Most of a picture has no light of a kind to smooth: the sky scatters none, and what is certain stays.
        let bare = zero.less(guide[FINENESS]) == 0;
        if bare || matches!(&judged, Some((_, own)) if zero.less(own[NOISE]) == 0) {
            return own;
        }
        let (mut sum, reach) = (own, 1.0 / (OFF_PLANE * self.step as f32));
        for (dx, dy) in NEIGHBOURS {
            let by = (dx * self.step, dy * self.step);
            let most = if dx * dy != 0 { CORNER } else { SIDE };
            let theirs = layout.load_all::<V, GUIDE>(guides, place, by);
            let mut weight = self.layer.alike(&guide, &theirs, reach).mul(V::splat(most));
            if let Some((known, own)) = &judged {
                weight = weight.mul(close(own, &layout.load_all::<V, LIGHT>(known, place, by)));
            }
            for channel in 0..LIGHT {
                let theirs = layout.load::<V, LIGHT>(self.light, channel, place, by);
                sum[channel] = sum[channel].add(theirs.sub(own[channel]).mul(weight));
            }
        }
        sum
    }
}

/// How near two lights are, from 0 to 1, the same for both: noisy ones may be further apart, certain ones stay as they are.
#[inline(always)]
fn close<V: Eight>(a: &[V; LIGHT], b: &[V; LIGHT]) -> V {
    let third = V::splat(1.0 / 3.0);
    let (x, y) = (a[0].add(a[1]).add(a[2]).mul(third), b[0].add(b[1]).add(b[2]).mul(third));
    let noise = a[NOISE].max(b[NOISE]).mul(V::splat(NOISY));
    let width = x.add(y).mul(V::splat(0.5 * ALIKE)).add(V::splat(0.02 * ALIKE)).add(noise);
    let apart = x.sub(y).div(width);
    let near = V::splat(1.0).sub(apart.mul(apart)).max(V::splat(0.0));
    near.where_less(V::splat(0.0), a[NOISE].min(b[NOISE]))
}
