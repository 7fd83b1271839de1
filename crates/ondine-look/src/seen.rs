//! What each sample of a picture sees: how far away, and which thing.

use rayon::prelude::*;
use std::ops::Range;

/// Stands for the background.
const NOTHING: u32 = u32::MAX;

/// Set in the name of a bead; solids go without.
const BEAD: u32 = 1 << 31;

/// Side of the squares of samples that are drawn together.
const SQUARE: usize = 8;

/// The nearest thing along each line of sight.
#[derive(Debug)]
pub struct Seen {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
}

/// What one sample sees.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    depth: f32,
    what: u32,
}

impl Cell {
    const BACKGROUND: Cell = Cell { depth: f32::INFINITY, what: NOTHING };

    /// Depth of what is seen [m]; infinite where nothing is.
    #[inline]
    pub fn depth(&self) -> f32 {
        self.depth
    }

    /// Puts a thing here, unless something nearer is.
    #[inline]
    pub fn put(&mut self, depth: f32, thing: Thing) {
        if depth < self.depth {
            *self = Cell { depth, what: thing.name() };
        }
    }
}

/// A thing that can be seen, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A rigid object.
    Solid(usize),
    /// A particle.
    Bead(usize),
}

impl Thing {
    fn name(self) -> u32 {
        match self {
            Thing::Solid(i) => i as u32,
            Thing::Bead(i) => i as u32 | BEAD,
        }
    }
}

impl Seen {
    /// Background everywhere.
    pub fn nothing((width, height): (usize, usize)) -> Self {
        Self { width, height, cells: vec![Cell::BACKGROUND; width * height] }
    }

    /// Width and height [samples].
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The rows from the top.
    pub fn rows_mut(&mut self) -> std::slice::ChunksExactMut<'_, Cell> {
        self.cells.chunks_exact_mut(self.width)
    }

    /// Some rows, in bands as high as a square of samples, for several threads.
    pub fn par_bands_mut(&mut self, rows: Range<usize>) -> impl ParallelIterator<Item = Band<'_>> {
        let width = self.width;
        let bands = self.cells.par_chunks_mut(width * SQUARE).enumerate();
        let bands = bands.skip(rows.start / SQUARE).take(rows.end.div_ceil(SQUARE) - rows.start / SQUARE);
        bands.map(move |(i, cells)| {
            let top = i * SQUARE;
            let bottom = top + cells.len() / width;
            Band { width, top, rows: rows.start.max(top)..rows.end.min(bottom), cells }
        })
    }

    /// Depth at a sample [m]; infinite where nothing is.
    #[inline]
    pub fn depth(&self, x: usize, y: usize) -> f32 {
        self.cells[y * self.width + x].depth
    }

    /// What a sample sees.
    #[inline]
    pub fn thing(&self, x: usize, y: usize) -> Option<Thing> {
        match self.cells[y * self.width + x].what {
            NOTHING => None,
            name if name & BEAD != 0 => Some(Thing::Bead((name & !BEAD) as usize)),
            name => Some(Thing::Solid(name as usize)),
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
    cells: &'a mut [Cell],
}

/// A square of samples, as far as it is in the window that is drawn.
#[derive(Clone, Debug)]
pub struct Square {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Square {
    /// Its middle in the picture [samples].
    pub fn middle(&self) -> (f32, f32) {
        let middle = |range: &Range<usize>| 0.5 * (range.start + range.end) as f32;
        (middle(&self.columns), middle(&self.rows))
    }

    /// Its longer side [samples].
    pub fn side(&self) -> usize {
        self.columns.len().max(self.rows.len())
    }

    /// The squares with a side of `side` in it.
    pub fn squares(&self, side: usize) -> impl Iterator<Item = Square> + use<> {
        let (columns, rows) = (self.columns.clone(), self.rows.clone());
        let cut = move |at: usize, end: usize| at..(at + side).min(end);
        rows.clone().step_by(side).flat_map(move |y| {
            let (columns, rows) = (columns.clone(), cut(y, rows.end));
            let end = columns.end;
            columns.step_by(side).map(move |x| Square { columns: cut(x, end), rows: rows.clone() })
        })
    }
}

impl Band<'_> {
    /// The squares of some columns.
    pub fn squares(&self, columns: Range<usize>) -> impl Iterator<Item = Square> + use<> {
        Square { columns, rows: self.rows.clone() }.squares(SQUARE)
    }

    /// Calls `visit` with the place and the cell of each sample of a square.
    #[inline]
    pub fn each(&mut self, square: &Square, mut visit: impl FnMut((f32, f32), &mut Cell)) {
        for y in square.rows.clone() {
            let row = &mut self.cells[(y - self.top) * self.width..][..self.width];
            for (x, cell) in square.columns.clone().zip(&mut row[square.columns.clone()]) {
                visit((x as f32 + 0.5, y as f32 + 0.5), cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_thing_wins() {
        let mut seen = Seen::nothing((2, 1));
        let first = &mut seen.cells[0];
        first.put(2.0, Thing::Solid(3));
        first.put(1.0, Thing::Bead(7));
        first.put(1.5, Thing::Solid(4));
        assert_eq!(seen.thing(0, 0), Some(Thing::Bead(7)));
        assert_eq!(seen.depth(0, 0), 1.0);
        assert_eq!(seen.thing(1, 0), None);
    }

    #[test]
    fn squares_cover_a_window_once() {
        let mut seen = Seen::nothing((21, 19));
        seen.par_bands_mut(3..18).for_each(|mut band| {
            for square in band.squares(5..20) {
                band.each(&square, |_, cell| cell.depth = if cell.depth == 1.0 { 2.0 } else { 1.0 });
            }
        });
        let once = |x, y| (5..20).contains(&x) && (3..18).contains(&y);
        let right = |i: usize| (seen.cells[i].depth == 1.0) == once(i % 21, i / 21);
        assert!((0..21 * 19).all(right));
        seen.par_bands_mut(7..7).for_each(|band| assert!(band.rows.is_empty()));
    }

    #[test]
    fn windows_stay_in_the_picture() {
        let seen = Seen::nothing((10, 5));
        assert_eq!(seen.window((-4.0, -1e30), (3.2, 1e30)), (0..4, 0..5));
        assert!(seen.window((20.0, 0.0), (30.0, 5.0)).0.is_empty());
    }
}
