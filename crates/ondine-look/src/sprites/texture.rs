//! Patterns as textures: found once, read many times, coarser ones for small sprites.

use super::patterns::{coverage, variants};
use glam::Vec2;
use ondine::scene::Sprite;
use std::sync::OnceLock;

/// Texels along a side of the finest level, and of the coarsest.
const FINEST: usize = 128;
const COARSEST: usize = 4;

/// A pattern in several sizes, each half of the one before.
#[derive(Debug)]
pub struct Texture {
    levels: Vec<Level>,
}

/// A pattern in one size.
#[derive(Debug)]
pub struct Level {
    side: usize,
    /// With a rim of zeros, row by row from below.
    texels: Vec<f32>,
}

/// The texture of a sprite, of the variant of a number.
pub fn texture(sprite: Sprite, variant: u32) -> &'static Texture {
    static ALL: [OnceLock<Vec<Texture>>; 7] = [const { OnceLock::new() }; 7];
    let variants = variants(sprite);
    let of_kind = ALL[sprite as usize]
        .get_or_init(|| (0..variants).map(|v| Texture::of(|p| coverage(sprite, v, p))).collect());
    &of_kind[(variant % variants) as usize]
}

impl Texture {
    fn of(pattern: impl Fn(Vec2) -> f32) -> Self {
        let mean = |x: usize, y: usize| {
            let place = |i: usize, k: usize| 2.0 * (i as f32 + 0.25 + 0.5 * k as f32) / FINEST as f32 - 1.0;
            let four = (0..4).map(|k| pattern(Vec2::new(place(x, k % 2), place(y, k / 2))));
            0.25 * four.sum::<f32>()
        };
        let mut levels = vec![Level::of(FINEST, mean)];
        while let Some(finer) = levels.last().filter(|level| level.side > COARSEST) {
            let four =
                |x: usize, y: usize| (0..4).map(|k| finer.texel(2 * x + k % 2, 2 * y + k / 2)).sum::<f32>();
            levels.push(Level::of(finer.side / 2, |x, y| 0.25 * four(x, y)));
        }
        Self { levels }
    }

    /// The level whose texels are about as large as pixels, for a sprite of a radius [pixels].
    pub fn level(&self, radius: f32) -> &Level {
        let halvings = (FINEST as f32 / (2.0 * radius).max(1.0)).log2().round().max(0.0) as usize;
        &self.levels[halvings.min(self.levels.len() - 1)]
    }
}

impl Level {
    fn of(side: usize, texel: impl Fn(usize, usize) -> f32) -> Self {
        let mut texels = vec![0.0; (side + 2) * (side + 2)];
        for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
            texels[(y + 1) * (side + 2) + x + 1] = texel(x, y);
        }
        Self { side, texels }
    }

    fn texel(&self, x: usize, y: usize) -> f32 {
        self.texels[(y + 1) * (self.side + 2) + x + 1]
    }

    /// How far the pattern goes, in radii: half a texel beyond its rim.
    pub fn reach(&self) -> f32 {
        1.0 + 1.0 / self.side as f32
    }

    /// How much is covered at a place, straight between texels.
    #[inline]
    pub fn at(&self, p: Vec2) -> f32 {
        // The rim of zeros is one texel wide.
        let q = (p + 1.0) * (0.5 * self.side as f32) + 0.5;
        if !(q.min_element() >= 0.0 && q.max_element() < (self.side + 1) as f32) {
            return 0.0;
        }
        let (x, y) = (q.x as usize, q.y as usize);
        let t = q - Vec2::new(x as f32, y as f32);
        let row = self.side + 2;
        let [below, above] = [y * row + x, (y + 1) * row + x]
            .map(|i| self.texels[i] + (self.texels[i + 1] - self.texels[i]) * t.x);
        below + (above - below) * t.y
    }
}
