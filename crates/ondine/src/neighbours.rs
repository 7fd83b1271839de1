//! Who is near whom: particles sorted by cell, cells gathered in blocks, blocks in colours.
//!
//! Source: thesis 000 §7.1, spatial hashing in a world without bounds. Differs in that the cells are not hashed but
//! sorted: particles of a cell, and of a row of cells, then stand side by side in memory.
//!
//! A **cell** is a cube of side h, so that the neighbours of a particle stand in its own cell and the 26 around it.
//! A **block** is 4×4×4 cells (8×8 in the plane). A pass that moves neighbours works on a [`Local`] copy of a block and
//! one cell around it (`neighbourhood.rs`). Blocks are **coloured** by the parity of their coordinates: two blocks of one colour are at
//! least four cells apart, so that what one reads or writes (one cell around it) never meets what another does. All
//! blocks of a colour may thus run at once, and the result is that of one after the other: the sequential meaning of
//! the thesis's relaxation, for any number of threads.

use crate::cells::{BlockShape, CELLS, Cells, PLANE, SPACE, Table, set_keys};
use crate::neighbourhood::{Local, SCRATCH, Span, beyond};
use crate::parallel::{self, Shared};
use crate::particles::{Axes, Carry, ParticleArrays};
use std::ops::Range;

pub(crate) const NOBODY: u32 = u32::MAX;

/// Stretches of particles that are counted by themselves.
const STRETCHES: usize = 4;

/// Particles sorted by cell.
#[derive(Clone, Debug)]
pub struct Grid {
    h: f32,
    pub(crate) shape: BlockShape,
    /// Coordinates of the occupied blocks in lexicographic order (z, y, x).
    blocks: Vec<[i32; 3]>,
    /// First particle of each cell of each occupied block, and the number of particles at the end.
    pub(crate) starts: Vec<u32>,
    /// The occupied blocks of each colour.
    colours: [Vec<u32>; 8],
    /// 0, 1, 2 … one a block.
    numbers: Vec<u32>,
    /// For each occupied block, the 27 blocks around it.
    pub(crate) around: Vec<[u32; 27]>,
    // Space kept between sorts.
    keys: Vec<u32>,
    order: Vec<u32>,
    counts: Vec<u32>,
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
            counts: Vec::new(),
            table: Vec::new(),
        }
    }

    /// Takes another interaction radius; what was sorted is forgotten.
    pub fn set(&mut self, h: f32, planar: bool) {
        (self.h, self.shape) = (h, if planar { PLANE } else { SPACE });
    }

    /// As [`Grid::set`], with the cells of blocks in columns.
    pub fn set_in_columns(&mut self, h: f32, planar: bool) {
        self.set(h, planar);
        self.shape.in_columns = true;
    }

    /// Sorts the particles by cell. Returns the order taken: `order[i]` was the old place of particle i.
    pub fn sort(&mut self, particles: &mut ParticleArrays, carry: Carry) -> &[u32] {
        self.index(&particles.position);
        particles.reorder(&self.order, carry);
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
        if !(low.is_finite() && high.is_finite()) {
            // A run about to fail: a table would have no bounds, a search needs none.
            return self.find_by_search(position, cells);
        }
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
        let [wide, high, _] = extent.map(|e| e as i32);
        let table = Table { cells, low, wide, high };
        parallel::parts(&mut self.keys, |first, keys| set_keys(&table, position, first, keys));
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

    /// Counting sort of the keys. Particles of one cell keep their order. Each of a few stretches of particles is counted, and then
    /// laid out, by itself.
    fn count(&mut self, n: usize) {
        let Self { keys, starts, order, counts, .. } = self;
        let (cells, stretch) = (self.blocks.len() * CELLS, n.div_ceil(STRETCHES).max(1));
        counts.clear();
        counts.resize(STRETCHES * cells, 0);
        let stretches: Vec<(usize, &[u32])> = keys.chunks(stretch).enumerate().collect();
        let shared = Shared::new(counts);
        parallel::for_each(&stretches, n, |(k, keys)| {
            // SAFETY: each stretch has its own counts.
            let counts = unsafe { shared.slice(k * cells, cells) };
            keys.iter().for_each(|&key| counts[key as usize] += 1);
        });
        starts.clear();
        let mut total = 0;
        for cell in 0..cells {
            starts.push(total);
            for k in 0..STRETCHES {
                let count = std::mem::replace(&mut counts[k * cells + cell], total);
                total += count;
            }
        }
        starts.push(total);
        order.resize(n, 0);
        let (shared, order) = (Shared::new(counts), Shared::new(order));
        parallel::for_each(&stretches, n, |(k, keys)| {
            // SAFETY: each stretch has its own counts, and each particle a place of its own.
            let places = unsafe { shared.slice(k * cells, cells) };
            for (i, &key) in keys.iter().enumerate() {
                let place = &mut places[key as usize];
                // SAFETY: as above.
                unsafe { order.slice(*place as usize, 1)[0] = (k * stretch + i) as u32 };
                *place += 1;
            }
        });
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
                    local.copy_in(|a, c, s: Span| unsafe {
                        shared[a][c].slice(s.from as usize, s.len as usize)
                    });
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
                local.copy_in(|a, c, s: Span| &axes[a].axis(c)[s.from as usize..(s.from + s.len) as usize]);
                work(&mut local, block as usize);
                local.give_back(scratch);
            })
        });
    }

    /// The order last found: `order[i]` is the place, before sorting, of particle i.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Numbers of the occupied blocks.
    pub fn block_numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Number of occupied blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The occupied ones of a block and the 26 around it: whoever is near a particle of the block is in one of them.
    pub fn blocks_around(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        self.around[block].iter().filter(|&&other| other != NOBODY).map(|&other| other as usize)
    }

    /// Which block it is, along each axis.
    pub fn place_of(&self, block: usize) -> [i32; 3] {
        self.blocks[block]
    }

    /// The particles of a block: first and one past the last.
    pub fn particles_of(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block * CELLS] as usize..self.starts[(block + 1) * CELLS] as usize
    }

    /// The cells of a block that are in columns: the places of each in the order, and whether its column goes up.
    pub fn along_columns(&self, block: usize) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
        let starts = &self.starts[block * CELLS..=(block + 1) * CELLS];
        let is_upwards = |cell: usize| (cell / self.shape.side[1] as usize).is_multiple_of(2);
        let cells = starts.windows(2).enumerate();
        cells.map(move |(cell, ends)| (ends[0] as usize..ends[1] as usize, is_upwards(cell)))
    }

    /// Lists the places of every cell of a block and of those around it: layer after layer, column after column, upwards.
    pub fn list_cells(&self, block: usize, cells: &mut Vec<Range<u32>>) {
        let BlockShape { side, halo, .. } = self.shape;
        let across = |c: usize| -halo[c]..side[c] + halo[c];
        cells.clear();
        for (z, x) in across(2).flat_map(|z| across(0).map(move |x| (z, x))) {
            for y in across(1) {
                let n = (beyond(z, side[2]) + 1) * 9 + (beyond(y, side[1]) + 1) * 3 + beyond(x, side[0]) + 1;
                let other = self.around[block][n as usize] as usize;
                let place = self.shape.place([x & (side[0] - 1), y & (side[1] - 1), z & (side[2] - 1)]);
                cells.push(match other == NOBODY as usize {
                    true => 0..0,
                    false => self.starts[other * CELLS + place]..self.starts[other * CELLS + place + 1],
                });
            }
        }
    }

    /// Lists the stretches of particles from one to another cell of a block that are in columns, and in those around them. `cells` are
    /// those that [`Grid::list_cells`] lists.
    pub fn list_runs(&self, cells: &[Range<u32>], [low, high]: [[usize; 3]; 2], runs: &mut Vec<Range<u32>>) {
        let BlockShape { side, halo, .. } = self.shape;
        let [deep, wide, tall] = [2, 0, 1].map(|c| (side[c] as usize, 2 * halo[c] as usize));
        let height = tall.0 + tall.1;
        runs.clear();
        for z in low[2]..=high[2] + deep.1 {
            for x in low[0]..=high[0] + wide.1 {
                let column = &cells[(z * (wide.0 + wide.1) + x) * height..][..height];
                // A column is one stretch, up or down, within the block, and others above and below.
                let (bottom, top) = (low[1], high[1] + tall.1);
                let (a, b) = (&column[bottom.max(1)], &column[top.min(tall.0)]);
                runs.push(a.start.min(b.start)..a.end.max(b.end));
                if bottom == 0 {
                    runs.push(column[bottom].clone());
                }
                if top > tall.0 {
                    runs.push(column[top].clone());
                }
            }
        }
    }

    /// Which cell of a block a point is in, or nearest to.
    pub fn cell_in(&self, block: usize, p: glam::Vec3) -> [usize; 3] {
        let (cell, side) = (Cells::new(self.h, self.shape).cell(p), self.shape.side);
        std::array::from_fn(|c| (cell[c] - self.blocks[block][c] * side[c]).clamp(0, side[c] - 1) as usize)
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
}

fn lexicographic(b: &[i32; 3]) -> (i32, i32, i32) {
    (b[2], b[1], b[0])
}

fn find(blocks: &[[i32; 3]], b: [i32; 3]) -> Option<u32> {
    blocks.binary_search_by_key(&lexicographic(&b), lexicographic).ok().map(|i| i as u32)
}

/// Corners of the box around all positions; not finite if any position is not.
fn bounds(position: &Axes) -> (glam::Vec3, glam::Vec3) {
    let nothing = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY, glam::Vec3::ZERO);
    // `min` and `max` may pass over what is not a number; nothing times it is not a number either.
    let parts = parallel::gather(position.len(), |range| {
        range.map(|i| position.get(i)).fold(nothing, |(a, b, m), p| (a.min(p), b.max(p), m + 0.0 * p))
    });
    let (low, high, marks) = parts.iter().fold(nothing, |(a, b, m), p| (a.min(p.0), b.max(p.1), m + p.2));
    (low + marks, high + marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;
    use crate::neighbourhood::Around;
    use crate::particles::strewn;
    use glam::Vec3;
    use proptest::prelude::*;
    use std::sync::Mutex;

    /// Every meeting of two particles, by their names, lower name first, in order.
    fn meetings(points: &[Vec3], h: f32, planar: bool, around: Around) -> Vec<[u32; 2]> {
        let mut particles = ParticleArrays::of(points.iter().map(|&p| (p, Vec3::ZERO)));
        let mut grid = Grid::new(h, planar);
        grid.sort(&mut particles, Carry::All);
        let (id, found) = (&particles.id, Mutex::new(Vec::new()));
        grid.view_blocks([&particles.position], |local, _| {
            let slots: Vec<u32> = local.slots().collect();
            for cell in local.own_cells() {
                let own = local.enter(cell, around);
                let names: Vec<u32> =
                    local.neighbourhood.places().map(|p| id[slots[p as usize] as usize]).collect();
                for i in own {
                    match around {
                        Around::All => local.neighbourhood.find_near::<Portable>(i, h),
                        Around::Later => local.neighbourhood.find_later::<Portable>(i, h),
                    }
                    let near = &local.neighbourhood.near;
                    let mut met = found.lock().expect("no panic");
                    met.extend((0..near.len()).map(|k| {
                        let (a, b) = (names[i], names[near.place(k)]);
                        [a.min(b), a.max(b)]
                    }));
                }
            }
        });
        let mut found = found.into_inner().expect("no panic");
        found.sort_unstable();
        found
    }

    fn pairs_by_brute_force(points: &[Vec3], h: f32) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                let d = points[j] - points[i];
                if d.x * d.x + d.y * d.y + d.z * d.z < h * h {
                    pairs.push([i as u32, j as u32]);
                }
            }
        }
        pairs
    }

    fn check(points: &[Vec3], h: f32, planar: bool) -> usize {
        let pairs = pairs_by_brute_force(points, h);
        let twice: Vec<_> = pairs.iter().flat_map(|p| [*p, *p]).collect();
        assert!(meetings(points, h, planar, Around::Later) == pairs, "each pair is met once from one end");
        assert!(meetings(points, h, planar, Around::All) == twice, "each pair is met from both ends");
        pairs.len()
    }

    /// Thesis 000 §7.1: everyone within h is found and nobody else, on both sides of the origin and far from it, where
    /// positions are coarse.
    #[test]
    fn neighbours_are_those_of_brute_force() {
        for planar in [false, true] {
            for at in
                [Vec3::ZERO, Vec3::new(1e5, -1e5, 0.0), Vec3::new(-1e5, 33.3, if planar { 0.0 } else { 1e5 })]
            {
                let h = if planar { 0.6 } else { 1.1 };
                let points: Vec<Vec3> = strewn(1200, planar, 1).iter().map(|p| at + 5.0 * *p).collect();
                let pairs = check(&points, h, planar);
                assert!(pairs > 3000, "{pairs} pairs");
            }
        }
    }

    /// The same for a few crowds far apart, when a table of all blocks between them would be mostly empty.
    #[test]
    fn neighbours_of_scattered_crowds_are_those_of_brute_force() {
        for planar in [false, true] {
            let places = [Vec3::ZERO, Vec3::new(-3000.0, 2000.0, 0.0), Vec3::new(5e4, -7e4, 0.0)];
            let points: Vec<Vec3> = places
                .iter()
                .enumerate()
                .flat_map(|(k, at)| {
                    strewn(200, planar, k as u64).into_iter().map(|p| *at + 3.0 * p).collect::<Vec<_>>()
                })
                .collect();
            let pairs = check(&points, 0.9, planar);
            assert!(pairs > 500, "{pairs} pairs");
        }
    }

    /// Blocks of one colour never share a cell of their surroundings: their results cannot depend on which runs first.
    #[test]
    fn blocks_of_one_colour_do_not_touch() {
        for planar in [false, true] {
            let mut axes = Axes::default();
            strewn(3000, planar, 9).iter().for_each(|p| axes.push(20.0 * *p));
            let mut grid = Grid::new(0.8, planar);
            grid.index(&axes);
            assert_eq!(grid.colours.iter().map(Vec::len).sum::<usize>(), grid.blocks());
            for colour in &grid.colours {
                for (k, &a) in colour.iter().enumerate() {
                    for &b in &colour[..k] {
                        let [a, b] = [grid.blocks[a as usize], grid.blocks[b as usize]];
                        assert!((0..3).any(|c| (a[c] - b[c]).abs() >= 2), "{a:?} and {b:?}");
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Any crowd, any radius, lattices (whose particles stand on the faces of cells) included.
        #[test]
        fn any_crowd_meets_as_by_brute_force(
            count in 0usize..300, seed in any::<u64>(), h in 0.05f32..3.0, size in 0.1f32..20.0,
            planar in any::<bool>(), lattice in any::<bool>(),
        ) {
            let snap = |p: Vec3| if lattice { (4.0 * p).round() * 0.5 * h } else { size * p };
            let points: Vec<Vec3> = strewn(count, planar, seed).into_iter().map(snap).collect();
            check(&points, h, planar);
        }
    }
}
