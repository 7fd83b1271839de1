//! Space in cells of an interaction radius, and cells in blocks of 64: their shape and their numbers.

use crate::lanes::{Lanes, widest};
use crate::particles::Axes;

/// Cells in a block.
pub(crate) const CELLS: usize = 64;

/// Cells are wider than h by this share, so that no rounding of a cell's number can hide a pair.
const CELL_MARGIN: f64 = 1e-6;

/// The shape of blocks, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockShape {
    pub side: [i32; 3],
    /// Cells around the block that its neighbours may stand in, on each axis.
    pub halo: [i32; 3],
    /// Whether cells follow each other column after column, up one and down the next, rather than by rows along x.
    pub in_columns: bool,
}

pub(crate) const SPACE: BlockShape = BlockShape { side: [4, 4, 4], halo: [1, 1, 1], in_columns: false };
pub(crate) const PLANE: BlockShape = BlockShape { side: [8, 8, 1], halo: [1, 1, 0], in_columns: false };

impl BlockShape {
    /// The place of a cell in its block.
    #[inline(always)]
    pub fn place(&self, [x, y, z]: [i32; 3]) -> usize {
        let [wide, high, _] = self.side;
        if !self.in_columns {
            return ((z * high + y) * wide + x) as usize;
        }
        let column = z * wide + if z & 1 == 1 { wide - 1 - x } else { x };
        (column * high + if column & 1 == 1 { high - 1 - y } else { y }) as usize
    }
}

/// All blocks of a box, row after row.
pub(crate) struct Table {
    pub cells: Cells,
    /// Its first block.
    pub low: [i32; 3],
    /// Blocks of a row.
    pub wide: i32,
    /// Rows of a layer.
    pub high: i32,
}

widest! {
    /// Gives each particle the number of its block in a table, times 64, and that of its cell.
    pub(crate) fn set_keys(table: &Table, position: &Axes, first: usize, keys: &mut [u32]) = set_keys_with
}

#[inline(always)]
fn set_keys_with<V: Lanes>(table: &Table, position: &Axes, first: usize, keys: &mut [u32]) {
    let &Table { cells, low, wide, high } = table;
    let [x, y, z] = [0, 1, 2].map(|c| &position.axis(c)[first..first + keys.len()]);
    for (k, key) in keys.iter_mut().enumerate() {
        let cell = cells.cell(glam::Vec3::new(x[k], y[k], z[k]));
        let block = cells.block_of(cell);
        let place = ((block[2] - low[2]) * high + block[1] - low[1]) * wide + block[0] - low[0];
        *key = place as u32 * CELLS as u32 + cells.inside(cell) as u32;
    }
}

/// Cell and block numbers of points.
#[derive(Clone, Copy)]
pub(crate) struct Cells {
    per_metre: f64,
    shape: BlockShape,
}

impl Cells {
    pub fn new(h: f32, shape: BlockShape) -> Self {
        Self { per_metre: 1.0 / (h as f64 * (1.0 + CELL_MARGIN)), shape }
    }

    /// Numbers saturate at a quarter of the range, far outside what the health check lets pass.
    #[inline(always)]
    pub fn cell(&self, p: glam::Vec3) -> [i32; 3] {
        let limit = (i32::MAX / 4) as f64;
        let number = |x: f32| {
            let exact = (x as f64 * self.per_metre).clamp(-limit, limit);
            // Rounded down by hand: without newer instructions `floor` is a call.
            let towards_zero = exact as i32;
            towards_zero - (exact < towards_zero as f64) as i32
        };
        [number(p.x), number(p.y), if self.shape.halo[2] == 0 { 0 } else { number(p.z) }]
    }

    #[inline(always)]
    pub fn block_of(&self, cell: [i32; 3]) -> [i32; 3] {
        // Sides are powers of two: an arithmetic shift rounds towards minus infinity.
        std::array::from_fn(|c| cell[c] >> self.shape.side[c].trailing_zeros())
    }

    #[inline(always)]
    pub fn inside(&self, cell: [i32; 3]) -> usize {
        self.shape.place(std::array::from_fn(|c| cell[c] & (self.shape.side[c] - 1)))
    }
}
