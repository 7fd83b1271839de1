//! Who is near whom: particles sorted by cell, cells gathered in blocks, blocks in colours.
//!
//! Source: thesis 000 §7.1, spatial hashing in a world without bounds. Differs in that the cells are not hashed but
//! sorted: particles of a cell, and of a row of cells, then stand side by side in memory.
//!
//! A **cell** is a cube of side h, so that the neighbours of a particle stand in its own cell and the 26 around it.
//! A **block** is 4×4×4 cells (8×8 in the plane). A pass that moves neighbours works on a [`Local`] copy of a block and
//! one cell around it. Blocks are **coloured** by the parity of their coordinates: two blocks of one colour are at
//! least four cells apart, so that what one reads or writes (one cell around it) never meets what another does. All
//! blocks of a colour may thus run at once, and the result is that of one after the other: the sequential meaning of
//! the thesis's relaxation, for any number of threads.

use crate::lanes::Lanes;
use crate::parallel::{self, Shared};
use crate::particles::{Axes, Particles};

/// Cells in a block.
const CELLS: usize = 64;
const NOBODY: u32 = u32::MAX;

/// Cells are wider than h by this share, so that no rounding of a cell's number can hide a pair.
const CELL_MARGIN: f64 = 1e-6;

/// The shape of blocks, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BlockShape {
    side: [i32; 3],
    /// Cells of halo on each axis.
    halo: [i32; 3],
}

const SPACE: BlockShape = BlockShape { side: [4, 4, 4], halo: [1, 1, 1] };
const PLANE: BlockShape = BlockShape { side: [8, 8, 1], halo: [1, 1, 0] };

/// Particles sorted by cell.
#[derive(Clone, Debug)]
pub struct Grid {
    h: f32,
    shape: BlockShape,
    /// Coordinates of the occupied blocks in lexicographic order (z, y, x).
    blocks: Vec<[i32; 3]>,
    /// First particle of each cell of each occupied block, and the number of particles at the end.
    starts: Vec<u32>,
    /// The occupied blocks of each colour.
    colours: [Vec<u32>; 8],
    /// 0, 1, 2 … one a block.
    numbers: Vec<u32>,
    /// For each occupied block, the 27 blocks around it.
    around: Vec<[u32; 27]>,
    // Space kept between sorts.
    keys: Vec<u32>,
    order: Vec<u32>,
    table: Vec<u32>,
}

impl Default for Grid {
    fn default() -> Self {
        Self::new(1.0, false)
    }
}

impl Grid {
    /// An empty grid for interaction radius `h`.
    pub fn new(h: f32, planar: bool) -> Self {
        Self {
            h,
            shape: if planar { PLANE } else { SPACE },
            blocks: Vec::new(),
            starts: vec![0],
            colours: Default::default(),
            numbers: Vec::new(),
            around: Vec::new(),
            keys: Vec::new(),
            order: Vec::new(),
            table: Vec::new(),
        }
    }

    /// Takes another interaction radius; what was sorted is forgotten.
    pub fn set(&mut self, h: f32, planar: bool) {
        (self.h, self.shape) = (h, if planar { PLANE } else { SPACE });
    }

    /// Interaction radius [m].
    pub fn h(&self) -> f32 {
        self.h
    }

    /// Sorts the particles by cell. Returns the order taken: `order[i]` was the old place of particle i.
    pub fn sort(&mut self, particles: &mut Particles) -> &[u32] {
        self.index(&particles.position);
        particles.reorder(&self.order);
        &self.order
    }

    /// Finds the order by cell without moving anything.
    pub fn index(&mut self, position: &Axes) {
        self.find_blocks(position);
        self.count(position.len());
        self.colour();
    }

    /// Lists the occupied blocks and gives each particle its key: block × 64 + cell.
    fn find_blocks(&mut self, position: &Axes) {
        let cells = Cells::new(self.h, self.shape);
        let n = position.len();
        self.keys.resize(n, 0);
        self.blocks.clear();
        if n == 0 {
            return;
        }
        let (low, high) = bounds(position);
        let (low, high) = (cells.block_of(cells.cell(low)), cells.block_of(cells.cell(high)));
        let extent: [i64; 3] = std::array::from_fn(|c| high[c] as i64 - low[c] as i64 + 1);
        let volume = extent.iter().fold(1i64, |v, &e| v.saturating_mul(e));
        // A table of all blocks in the bounding box is fastest while the box is not mostly empty.
        if volume <= 4 * n as i64 + 4096 {
            self.find_in_table(position, cells, low, extent);
        } else {
            self.find_by_search(position, cells);
        }
    }

    fn find_in_table(&mut self, position: &Axes, cells: Cells, low: [i32; 3], extent: [i64; 3]) {
        let place = |b: [i32; 3]| {
            let d: [i64; 3] = std::array::from_fn(|c| (b[c] - low[c]) as i64);
            ((d[2] * extent[1] + d[1]) * extent[0] + d[0]) as usize
        };
        parallel::parts(&mut self.keys, |first, keys| {
            for (k, key) in keys.iter_mut().enumerate() {
                let cell = cells.cell(position.get(first + k));
                *key = (place(cells.block_of(cell)) * CELLS + cells.inside(cell)) as u32;
            }
        });
        self.table.clear();
        self.table.resize((extent[0] * extent[1] * extent[2]) as usize, NOBODY);
        for &key in &self.keys {
            self.table[key as usize / CELLS] = 0;
        }
        let (mut b, mut number) = ([0i64; 3], 0);
        for entry in &mut self.table {
            if *entry != NOBODY {
                *entry = number;
                number += 1;
                self.blocks.push(std::array::from_fn(|c| low[c] + b[c] as i32));
            }
            b[0] += 1;
            if b[0] == extent[0] {
                (b[0], b[1]) = (0, b[1] + 1);
                if b[1] == extent[1] {
                    (b[1], b[2]) = (0, b[2] + 1);
                }
            }
        }
        let table = &self.table;
        parallel::parts(&mut self.keys, |_, keys| {
            for key in keys {
                *key = table[*key as usize / CELLS] * CELLS as u32 + *key % CELLS as u32;
            }
        });
    }

    fn find_by_search(&mut self, position: &Axes, cells: Cells) {
        self.blocks.extend(position.iter().map(|p| cells.block_of(cells.cell(p))));
        self.blocks.sort_unstable_by_key(lexicographic);
        self.blocks.dedup();
        let blocks = &self.blocks;
        parallel::parts(&mut self.keys, |first, keys| {
            for (k, key) in keys.iter_mut().enumerate() {
                let cell = cells.cell(position.get(first + k));
                let block = find(blocks, cells.block_of(cell)).unwrap_or(0);
                *key = block * CELLS as u32 + cells.inside(cell) as u32;
            }
        });
    }

    /// Counting sort of the keys. Particles of one cell keep their order.
    fn count(&mut self, n: usize) {
        self.starts.clear();
        self.starts.resize(self.blocks.len() * CELLS + 1, 0);
        for &key in &self.keys {
            self.starts[key as usize + 1] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.order.resize(n, 0);
        for (i, &key) in self.keys.iter().enumerate() {
            let place = &mut self.starts[key as usize];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
        // Each start has moved to the next one's value: shift back.
        let last = self.starts.len() - 1;
        self.starts.copy_within(0..last, 1);
        self.starts[0] = 0;
    }

    fn colour(&mut self) {
        self.colours.iter_mut().for_each(Vec::clear);
        for (i, b) in self.blocks.iter().enumerate() {
            let parity = (b[0] & 1) | (b[1] & 1) << 1 | (b[2] & 1) << 2;
            self.colours[parity as usize].push(i as u32);
        }
        self.numbers.clear();
        self.numbers.extend(0..self.blocks.len() as u32);
        let Self { blocks, around, shape, .. } = self;
        around.resize(blocks.len(), [NOBODY; 27]);
        let blocks = &blocks[..];
        let flat = shape.halo[2] == 0;
        parallel::parts(around, |first, part| {
            for (k, around) in part.iter_mut().enumerate() {
                let b = blocks[first + k];
                for (n, place) in around.iter_mut().enumerate() {
                    let d = [n as i32 % 3 - 1, n as i32 / 3 % 3 - 1, n as i32 / 9 - 1];
                    *place = match flat && d[2] != 0 {
                        true => NOBODY,
                        false => find(blocks, std::array::from_fn(|c| b[c] + d[c])).unwrap_or(NOBODY),
                    };
                }
            }
        });
    }

    /// Works on every block in a local copy, colour after colour. What `work` does to the copy of `axes` is put back.
    pub fn each_block<const N: usize>(
        &self,
        axes: [&mut Axes; N],
        work: impl Fn(&mut Local<N>, usize) + Sync,
    ) {
        let size = axes.first().map_or(0, |a| a.len());
        let shared = axes.map(|a| [&mut a.x, &mut a.y, &mut a.z].map(|axis| Shared::new(axis)));
        for colour in &self.colours {
            parallel::for_each(colour, size, |&block| {
                SCRATCH.with_borrow_mut(|scratch| {
                    let mut local = Local::<N>::take(scratch);
                    local.map(self, block as usize);
                    // SAFETY: blocks of one colour never share a cell of their halos.
                    local.copy_in(|a, c, s| unsafe { shared[a][c].slice(s.from as usize, s.len as usize) });
                    work(&mut local, block as usize);
                    // SAFETY: as above.
                    unsafe { local.copy_out(&shared) };
                    local.give_back(scratch);
                })
            });
        }
    }

    /// Works on every block, colour after colour. `size` is the number of particles.
    pub fn coloured(&self, size: usize, work: impl Fn(usize) + Sync) {
        for colour in &self.colours {
            parallel::for_each(colour, size, |&block| work(block as usize));
        }
    }

    /// Looks at every block in a local copy, all at once; nothing is put back.
    pub fn view_blocks<const N: usize>(&self, axes: [&Axes; N], work: impl Fn(&mut Local<N>, usize) + Sync) {
        let size = axes.first().map_or(0, |a| a.len());
        let all = &self.numbers[..];
        parallel::for_each(all, size, |&block| {
            SCRATCH.with_borrow_mut(|scratch| {
                let mut local = Local::<N>::take(scratch);
                local.map(self, block as usize);
                local.copy_in(|a, c, s| &axes[a].axis(c)[s.from as usize..(s.from + s.len) as usize]);
                work(&mut local, block as usize);
                local.give_back(scratch);
            })
        });
    }

    /// The order last found: `order[i]` is the place, before sorting, of particle i.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Number of occupied blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The particles of a block: first and one past the last.
    pub fn particles_of(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block * CELLS] as usize..self.starts[(block + 1) * CELLS] as usize
    }

    /// Centre of a block [m] and the radius that holds it.
    pub fn sphere_of(&self, block: usize) -> (glam::Vec3, f32) {
        let size = glam::Vec3::from_array(self.shape.side.map(|s| s as f32 * self.h));
        let corner: [f32; 3] =
            std::array::from_fn(|c| (self.blocks[block][c] as f32) * self.shape.side[c] as f32 * self.h);
        let mut centre = glam::Vec3::from_array(corner) + 0.5 * size;
        if self.shape.halo[2] == 0 {
            centre.z = 0.0;
        }
        // A block's own rounding far from the origin is covered by a tenth of a cell.
        (centre, 0.5 * size.length() + 0.1 * self.h)
    }

    /// Memory held [bytes].
    pub fn bytes(&self) -> usize {
        let words = self.starts.capacity() + self.keys.capacity() + self.order.capacity() + self.table.capacity();
        words * 4 + self.blocks.capacity() * 12 + self.around.capacity() * 108
    }
}

fn lexicographic(b: &[i32; 3]) -> (i32, i32, i32) {
    (b[2], b[1], b[0])
}

fn find(blocks: &[[i32; 3]], b: [i32; 3]) -> Option<u32> {
    blocks.binary_search_by_key(&lexicographic(&b), lexicographic).ok().map(|i| i as u32)
}

fn bounds(position: &Axes) -> (glam::Vec3, glam::Vec3) {
    position.iter().fold((glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)))
}

/// Cell and block numbers of points.
#[derive(Clone, Copy)]
struct Cells {
    per_metre: f64,
    shape: BlockShape,
}

impl Cells {
    fn new(h: f32, shape: BlockShape) -> Self {
        Self { per_metre: 1.0 / (h as f64 * (1.0 + CELL_MARGIN)), shape }
    }

    /// Numbers saturate at a quarter of the range, far outside what the health check lets pass.
    #[inline(always)]
    fn cell(&self, p: glam::Vec3) -> [i32; 3] {
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
    fn block_of(&self, cell: [i32; 3]) -> [i32; 3] {
        // Sides are powers of two: an arithmetic shift rounds towards minus infinity.
        std::array::from_fn(|c| cell[c] >> self.shape.side[c].trailing_zeros())
    }

    #[inline(always)]
    fn inside(&self, cell: [i32; 3]) -> usize {
        let side = self.shape.side;
        let [x, y, z]: [i32; 3] = std::array::from_fn(|c| cell[c] & (side[c] - 1));
        ((z * side[1] + y) * side[0] + x) as usize
    }
}

std::thread_local! {
    static SCRATCH: std::cell::RefCell<Scratch> = std::cell::RefCell::default();
}

/// A thread's own buffers, kept from one block to the next.
#[derive(Default)]
struct Scratch {
    arrays: Vec<Vec<f32>>,
    starts: Vec<u32>,
    spans: Vec<Span>,
    near: Near,
}

#[derive(Clone, Copy)]
struct Span {
    from: u32,
    to: u32,
    len: u32,
}

/// A copy of a block's particles and of those one cell around it, sorted by cell.
pub struct Local<const N: usize> {
    /// The copied vectors, one array an axis, eight values longer than the particles.
    pub axes: [[Vec<f32>; 3]; N],
    /// Neighbours of the particle being worked on.
    pub near: Near,
    starts: Vec<u32>,
    spans: Vec<Span>,
    /// Extent of the copy in cells.
    extent: [usize; 3],
    shape: BlockShape,
    len: usize,
    /// Lowest corner of the copy [m], the side of a cell, and how far particles may be from where that says: their
    /// numbers are found in f64, and relaxation moves them meanwhile.
    corner: [f32; 3],
    side: f32,
    slack: f32,
}

/// How far a particle may move during a sweep before a pair at the very edge of h may be passed over, in cells.
const MOVES: f32 = 0.02;

impl<const N: usize> Local<N> {
    fn take(scratch: &mut Scratch) -> Self {
        Self {
            axes: std::array::from_fn(|_| std::array::from_fn(|_| scratch.arrays.pop().unwrap_or_default())),
            near: std::mem::take(&mut scratch.near),
            starts: std::mem::take(&mut scratch.starts),
            spans: std::mem::take(&mut scratch.spans),
            extent: [0; 3],
            shape: SPACE,
            len: 0,
            corner: [0.0; 3],
            side: 0.0,
            slack: 0.0,
        }
    }

    fn give_back(self, scratch: &mut Scratch) {
        scratch.arrays.extend(self.axes.into_iter().flatten());
        scratch.near = self.near;
        scratch.starts = self.starts;
        scratch.spans = self.spans;
    }

    /// Lists where the particles of each cell come from.
    fn map(&mut self, grid: &Grid, block: usize) {
        let shape = grid.shape;
        self.shape = shape;
        self.extent = std::array::from_fn(|c| (shape.side[c] + 2 * shape.halo[c]) as usize);
        let side = grid.h as f64 * (1.0 + CELL_MARGIN);
        self.side = side as f32;
        let low = |c: usize| (grid.blocks[block][c] * shape.side[c] - shape.halo[c]) as f64 * side;
        self.corner = std::array::from_fn(|c| low(c) as f32);
        let farthest = self.corner.iter().fold(0f32, |m, c| m.max(c.abs()));
        self.slack = MOVES * self.side + 4.0 * f32::EPSILON * farthest;
        self.starts.clear();
        self.spans.clear();
        let mut to = 0;
        let (side, halo) = (shape.side, shape.halo);
        for z in -halo[2]..side[2] + halo[2] {
            for y in -halo[1]..side[1] + halo[1] {
                let row = ((z & (side[2] - 1)) * side[1] + (y & (side[1] - 1))) * side[0];
                for (dx, first, cells) in [(-1, side[0] - 1, 1), (0, 0, side[0]), (1, 0, 1)] {
                    let n = (beyond(z, side[2]) + 1) * 9 + (beyond(y, side[1]) + 1) * 3 + dx + 1;
                    let other = grid.around[block][n as usize];
                    if other == NOBODY {
                        self.starts.extend(std::iter::repeat_n(to, cells as usize));
                        continue;
                    }
                    let c = other as usize * CELLS + (row + first) as usize;
                    let from = grid.starts[c];
                    self.starts.extend((0..cells as usize).map(|k| to + grid.starts[c + k] - from));
                    let len = grid.starts[c + cells as usize] - from;
                    if len > 0 {
                        self.spans.push(Span { from, to, len });
                        to += len;
                    }
                }
            }
        }
        self.starts.push(to);
        self.len = to as usize;
        self.near.hold(self.len);
    }

    fn copy_in<'a>(&mut self, source: impl Fn(usize, usize, Span) -> &'a [f32]) {
        for (a, axes) in self.axes.iter_mut().enumerate() {
            for (c, array) in axes.iter_mut().enumerate() {
                array.resize(self.len + 8, 0.0);
                for &s in &self.spans {
                    array[s.to as usize..(s.to + s.len) as usize].copy_from_slice(source(a, c, s));
                }
            }
        }
    }

    /// # Safety
    /// No one else may touch the block's cells and those around them meanwhile.
    unsafe fn copy_out(&self, shared: &[[Shared<f32>; 3]; N]) {
        for (array, to) in self.axes.iter().flatten().zip(shared.iter().flatten()) {
            for s in &self.spans {
                // SAFETY: the caller's promise.
                let target = unsafe { to.slice(s.from as usize, s.len as usize) };
                target.copy_from_slice(&array[s.to as usize..(s.to + s.len) as usize]);
            }
        }
    }

    /// The block's own cells, in order.
    pub fn own_cells(&self) -> impl Iterator<Item = Cell> + use<N> {
        let (side, halo, extent) = (self.shape.side, self.shape.halo, self.extent);
        (0..side[2]).flat_map(move |z| {
            (0..side[1]).flat_map(move |y| {
                (0..side[0]).map(move |x| {
                    let at = [x + halo[0], y + halo[1], z + halo[2]].map(|c| c as usize);
                    Cell { number: (at[2] * extent[1] + at[1]) * extent[0] + at[0], at }
                })
            })
        })
    }

    /// Where the particle at a place of the copy is, by the first of the copied vectors.
    #[inline(always)]
    pub fn point(&self, i: usize) -> glam::Vec3 {
        let [x, y, z] = &self.axes[0];
        glam::Vec3::new(x[i], y[i], z[i])
    }

    /// For each place in the copy, the particle that stands there.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().flat_map(|s| s.from..s.from + s.len)
    }

    /// The particles of a cell, as places in the copy.
    #[inline(always)]
    pub fn particles(&self, cell: Cell) -> std::ops::Range<usize> {
        self.starts[cell.number] as usize..self.starts[cell.number + 1] as usize
    }

    /// Lists in [`Local::near`] everyone within h of particle `i` of `cell`, itself excepted, by their present places.
    #[inline(always)]
    pub fn find_near<V: Lanes>(&mut self, cell: Cell, i: usize, h: f32) {
        let (row, layer) = (self.extent[0], self.extent[0] * self.extent[1]);
        let deep = self.shape.halo[2] as isize;
        let gaps = self.gaps(cell, i);
        self.near.clear();
        for dz in -deep..=deep {
            for dy in -1..=1isize {
                let c = (cell.number as isize + dz * layer as isize + dy * row as isize) as usize;
                self.collect_row::<V>(&gaps, [dy, dz], c, i, h);
            }
        }
        self.near.pad(self.len, h);
    }

    /// As [`Local::find_near`], but each pair is found from one of its two ends only: the one that comes first.
    #[inline(always)]
    pub fn find_later<V: Lanes>(&mut self, cell: Cell, i: usize, h: f32) {
        let (row, layer) = (self.extent[0] as isize, (self.extent[0] * self.extent[1]) as isize);
        let gaps = self.gaps(cell, i);
        self.near.clear();
        // The row ahead in the cell's own layer, then the three rows of the layer ahead.
        let rows: [[isize; 2]; 4] = [[1, 0], [-1, 1], [0, 1], [1, 1]];
        for &[dy, dz] in if self.shape.halo[2] == 0 { &rows[..1] } else { &rows[..] } {
            let c = (cell.number as isize + dz * layer + dy * row) as usize;
            self.collect_row::<V>(&gaps, [dy, dz], c, i, h);
        }
        self.near.collect::<V>(&self.axes[0], i, i + 1..self.starts[cell.number + 2] as usize, h);
        self.near.pad(self.len, h);
    }

    /// Squared distances from particle i to the cells before, at and after its own, on each axis: lower bounds.
    #[inline(always)]
    fn gaps(&self, cell: Cell, i: usize) -> [[f32; 3]; 3] {
        std::array::from_fn(|c| {
            let inside = self.axes[0][c][i] - (self.corner[c] + cell.at[c] as f32 * self.side);
            let before = (inside - self.slack).max(0.0);
            let after = (self.side - inside - self.slack).max(0.0);
            [before * before, 0.0, after * after]
        })
    }

    /// Adds those of the three cells about cell `c` that are within h, passing over cells that are farther.
    #[inline(always)]
    fn collect_row<V: Lanes>(&mut self, gaps: &[[f32; 3]; 3], [dy, dz]: [isize; 2], c: usize, i: usize, h: f32) {
        let across = gaps[1][(dy + 1) as usize] + gaps[2][(dz + 1) as usize];
        let limit = h * h;
        if across >= limit {
            return;
        }
        let first = c - (across + gaps[0][0] < limit) as usize;
        let last = c + 1 + (across + gaps[0][2] < limit) as usize;
        let run = self.starts[first] as usize..self.starts[last] as usize;
        if dy == 0 && dz == 0 {
            self.near.collect::<V>(&self.axes[0], i, run.start..i, h);
            self.near.collect::<V>(&self.axes[0], i, i + 1..run.end, h);
        } else {
            self.near.collect::<V>(&self.axes[0], i, run, h);
        }
    }
}

/// Which of the blocks around an axis holds cell `c`: -1, 0 or 1.
fn beyond(c: i32, side: i32) -> i32 {
    if c < 0 {
        -1
    } else {
        (c >= side) as i32
    }
}

/// A cell of a [`Local`] copy.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    number: usize,
    /// Coordinates within the copy.
    at: [usize; 3],
}

/// The neighbours of one particle: where they are from it, how far, and their places in the copy. Padded to a multiple
/// of eight with neighbours at distance h (which every kernel weighs as nothing) that stand at a place nobody uses.
#[derive(Default)]
pub struct Near {
    /// Number of true neighbours.
    pub len: usize,
    /// Offsets to the neighbour [m].
    pub offset: [Vec<f32>; 3],
    /// Squared distances [m²].
    pub square: Vec<f32>,
    /// Distances [m], once a kernel has filled them in.
    pub distance: Vec<f32>,
    /// Places in the copy: all below the length of its arrays.
    place: Vec<u32>,
}

impl Near {
    /// Makes room for the neighbours of a particle among `count`.
    fn hold(&mut self, count: usize) {
        let room = count + 16;
        if self.place.len() < room {
            self.offset.iter_mut().for_each(|o| o.resize(room, 0.0));
            self.square.resize(room, 0.0);
            self.distance.resize(room, 0.0);
            self.place.resize(room, 0);
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
    }

    /// Place in the copy of neighbour k.
    pub fn place(&self, k: usize) -> usize {
        self.place[k] as usize
    }

    /// The values at the places of neighbours k to k+7, of an array of the copy.
    #[inline(always)]
    pub fn gather<V: Lanes>(&self, k: usize, array: &[f32]) -> V {
        let mut values = [0f32; 8];
        for (value, &j) in values.iter_mut().zip(&self.place[k..k + 8]) {
            debug_assert!((j as usize) < array.len());
            // SAFETY: places are below the length of the copy's arrays.
            *value = unsafe { *array.get_unchecked(j as usize) };
        }
        V::from_array(values)
    }

    /// Adds to the values at the places of neighbours k to k+7, of an array of the copy.
    #[inline(always)]
    pub fn scatter<V: Lanes>(&self, k: usize, change: V, array: &mut [f32]) {
        let mut changes = [0f32; 8];
        // SAFETY: the array holds eight values.
        unsafe { change.store(changes.as_mut_ptr()) };
        for (change, &j) in changes.iter().zip(&self.place[k..k + 8]) {
            debug_assert!((j as usize) < array.len());
            // SAFETY: places are below the length of the copy's arrays.
            unsafe { *array.get_unchecked_mut(j as usize) += change };
        }
    }

    /// Adds those of `run` that are within h of particle i, which is not among them.
    #[inline(always)]
    fn collect<V: Lanes>(&mut self, axes: &[Vec<f32>; 3], i: usize, run: std::ops::Range<usize>, h: f32) {
        let [x, y, z] = axes;
        assert!(run.end + 8 <= x.len() && y.len() == x.len() && z.len() == x.len());
        assert!(self.len + run.len() + 8 <= self.place.len());
        let (px, py, pz) = (V::splat(x[i]), V::splat(y[i]), V::splat(z[i]));
        let limit = V::splat(h * h);
        let mut len = self.len;
        let mut j = run.start;
        while j < run.end {
            // SAFETY: j < end ≤ len − 8, and the lists have room for the run and eight more.
            unsafe {
                let dx = V::load(x.as_ptr().add(j)).sub(px);
                let dy = V::load(y.as_ptr().add(j)).sub(py);
                let dz = V::load(z.as_ptr().add(j)).sub(pz);
                let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
                let present = if run.end - j >= 8 { 255 } else { (1u32 << (run.end - j)) - 1 };
                let mask = square.less(limit) & present;
                dx.compress(mask, self.offset[0].as_mut_ptr().add(len));
                dy.compress(mask, self.offset[1].as_mut_ptr().add(len));
                dz.compress(mask, self.offset[2].as_mut_ptr().add(len));
                square.compress(mask, self.square.as_mut_ptr().add(len));
                V::compress_numbers(j as u32, mask, self.place.as_mut_ptr().add(len));
                len += mask.count_ones() as usize;
            }
            j += 8;
        }
        self.len = len;
    }

    #[inline(always)]
    fn pad(&mut self, nobody: usize, h: f32) {
        let end = self.len.next_multiple_of(8);
        for k in self.len..end {
            self.offset.iter_mut().for_each(|o| o[k] = 0.0);
            self.square[k] = h * h;
            self.place[k] = nobody as u32;
        }
    }
}
