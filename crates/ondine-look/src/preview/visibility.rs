//! The visibility buffer: how far away what each sample of a picture sees is, and which primitive it is.

use rayon::prelude::*;
use std::ops::Range;

/// Stands for the background.
const NOTHING: u32 = u32::MAX;

/// Set in the id of a splat; objects go without.
const SPLAT: u32 = 1 << 31;

/// Side of the tiles of samples that are drawn together.
const TILE: usize = 8;

/// The nearest primitive along the ray of each sample.
#[derive(Debug)]
pub struct VisibilityBuffer {
    width: usize,
    height: usize,
    samples: Vec<Sample>,
}

/// What one sample sees.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    depth: f32,
    id: u32,
}

impl Sample {
    const BACKGROUND: Sample = Sample { depth: f32::INFINITY, id: NOTHING };

    /// Depth of what is seen [m]; infinite where nothing is.
    #[inline]
    pub fn depth(&self) -> f32 {
        self.depth
    }

    /// Puts a primitive here, unless something nearer is.
    #[inline]
    pub fn put(&mut self, depth: f32, primitive: Primitive) {
        if depth < self.depth {
            *self = Sample { depth, id: primitive.id() };
        }
    }
}

/// What can be seen, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// A rigid object.
    Object(usize),
    /// A particle.
    Splat(usize),
}

impl Primitive {
    fn id(self) -> u32 {
        match self {
            Primitive::Object(i) => i as u32,
            Primitive::Splat(i) => i as u32 | SPLAT,
        }
    }
}

impl VisibilityBuffer {
    /// Background everywhere.
    pub fn new((width, height): (usize, usize)) -> Self {
        Self { width, height, samples: vec![Sample::BACKGROUND; width * height] }
    }

    /// Width and height [samples].
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The rows from the top.
    pub fn rows_mut(&mut self) -> std::slice::ChunksExactMut<'_, Sample> {
        self.samples.chunks_exact_mut(self.width)
    }

    /// Some rows, in bands as high as a tile, for several threads.
    pub fn par_bands_mut(&mut self, rows: Range<usize>) -> impl ParallelIterator<Item = Band<'_>> {
        let width = self.width;
        let bands = self.samples.par_chunks_mut(width * TILE).enumerate();
        let bands = bands.skip(rows.start / TILE).take(rows.end.div_ceil(TILE) - rows.start / TILE);
        bands.map(move |(i, samples)| {
            let top = i * TILE;
            let bottom = top + samples.len() / width;
            Band { width, top, rows: rows.start.max(top)..rows.end.min(bottom), samples }
        })
    }

    /// Depth at a sample [m]; infinite where nothing is.
    #[inline]
    pub fn depth(&self, x: usize, y: usize) -> f32 {
        self.samples[y * self.width + x].depth
    }

    /// What a sample sees.
    #[inline]
    pub fn primitive(&self, x: usize, y: usize) -> Option<Primitive> {
        match self.samples[y * self.width + x].id {
            NOTHING => None,
            id if id & SPLAT != 0 => Some(Primitive::Splat((id & !SPLAT) as usize)),
            id => Some(Primitive::Object(id as usize)),
        }
    }

    /// The samples from `low` to `high` that lie in the picture, as ranges of columns and rows.
    pub fn window(&self, low: (f32, f32), high: (f32, f32)) -> (Range<usize>, Range<usize>) {
        // A cast from float saturates, so places far outside the picture give empty or full ranges.
        let range = |low: f32, high: f32, end: usize| {
            (low.floor() as usize).min(end)..(high.ceil().max(0.0) as usize).min(end)
        };
        (range(low.0, high.0, self.width), range(low.1, high.1, self.height))
    }
}

/// A few rows.
#[derive(Debug)]
pub struct Band<'a> {
    width: usize,
    top: usize,
    /// Those that are meant.
    rows: Range<usize>,
    samples: &'a mut [Sample],
}

/// A square of samples, as far as it is in the window that is drawn.
#[derive(Clone, Debug)]
pub struct Tile {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Tile {
    /// Its middle in the picture [samples].
    pub fn middle(&self) -> (f32, f32) {
        let middle = |range: &Range<usize>| 0.5 * (range.start + range.end) as f32;
        (middle(&self.columns), middle(&self.rows))
    }

    /// Its longer side [samples].
    pub fn side(&self) -> usize {
        self.columns.len().max(self.rows.len())
    }

    /// The tiles with a side of `side` in it.
    pub fn tiles(&self, side: usize) -> impl Iterator<Item = Tile> + use<> {
        let (columns, rows) = (self.columns.clone(), self.rows.clone());
        let cut = move |at: usize, end: usize| at..(at + side).min(end);
        rows.clone().step_by(side).flat_map(move |y| {
            let (columns, rows) = (columns.clone(), cut(y, rows.end));
            let end = columns.end;
            columns.step_by(side).map(move |x| Tile { columns: cut(x, end), rows: rows.clone() })
        })
    }
}

impl Band<'_> {
    /// The tiles of some columns.
    pub fn tiles(&self, columns: Range<usize>) -> impl Iterator<Item = Tile> + use<> {
        Tile { columns, rows: self.rows.clone() }.tiles(TILE)
    }

    /// Calls `visit` with the place of each sample of a tile, and the sample.
    #[inline]
    pub fn each(&mut self, tile: &Tile, mut visit: impl FnMut((f32, f32), &mut Sample)) {
        for y in tile.rows.clone() {
            let row = &mut self.samples[(y - self.top) * self.width..][..self.width];
            for (x, sample) in tile.columns.clone().zip(&mut row[tile.columns.clone()]) {
                visit((x as f32 + 0.5, y as f32 + 0.5), sample);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_primitive_wins() {
        let mut buffer = VisibilityBuffer::new((2, 1));
        let first = &mut buffer.samples[0];
        first.put(2.0, Primitive::Object(3));
        first.put(1.0, Primitive::Splat(7));
        first.put(1.5, Primitive::Object(4));
        assert_eq!(buffer.primitive(0, 0), Some(Primitive::Splat(7)));
        assert_eq!(buffer.depth(0, 0), 1.0);
        assert_eq!(buffer.primitive(1, 0), None);
    }

    #[test]
    fn tiles_cover_a_window_once() {
        let mut buffer = VisibilityBuffer::new((21, 19));
        buffer.par_bands_mut(3..18).for_each(|mut band| {
            for tile in band.tiles(5..20) {
                band.each(&tile, |_, sample| sample.depth = if sample.depth == 1.0 { 2.0 } else { 1.0 });
            }
        });
        let once = |x, y| (5..20).contains(&x) && (3..18).contains(&y);
        let right = |i: usize| (buffer.samples[i].depth == 1.0) == once(i % 21, i / 21);
        assert!((0..21 * 19).all(right));
        buffer.par_bands_mut(7..7).for_each(|band| assert!(band.rows.is_empty()));
    }

    #[test]
    fn windows_stay_in_the_picture() {
        let buffer = VisibilityBuffer::new((10, 5));
        assert_eq!(buffer.window((-4.0, -1e30), (3.2, 1e30)), (0..4, 0..5));
        assert!(buffer.window((20.0, 0.0), (30.0, 5.0)).0.is_empty());
    }
}
