//! What each sample of a picture sees: how far away, and which thing.

use rayon::prelude::*;

/// Stands for the background.
const NOTHING: u32 = u32::MAX;

/// Set in the name of a bead; solids go without.
const BEAD: u32 = 1 << 31;

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

    /// The rows from the top, for several threads.
    pub fn par_rows_mut(&mut self) -> rayon::slice::ChunksExactMut<'_, Cell> {
        self.cells.par_chunks_exact_mut(self.width)
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
    pub fn window(
        &self,
        low: (f32, f32),
        high: (f32, f32),
    ) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        // A cast from float saturates, so places far outside the picture give empty or full ranges.
        let range = |low: f32, high: f32, end: usize| {
            (low.floor() as usize).min(end)..(high.ceil().max(0.0) as usize).min(end)
        };
        (range(low.0, high.0, self.width), range(low.1, high.1, self.height))
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
    fn windows_stay_in_the_picture() {
        let seen = Seen::nothing((10, 5));
        assert_eq!(seen.window((-4.0, -1e30), (3.2, 1e30)), (0..4, 0..5));
        assert!(seen.window((20.0, 0.0), (30.0, 5.0)).0.is_empty());
    }
}
