//! Particles by eights, and who is near any of each eight.
//!
//! A pass over neighbours takes eight particles at once, one a lane, and meets their neighbours one after the other: nothing
//! has to be gathered, nothing summed across lanes, and one list serves all eight. The eight of a **cluster** stand close
//! together, so that of those they meet a quarter are neighbours of each.
//!
//! Within a block particles take **slots**: column after column of cells, up one and down the next, by height. Clusters are eight
//! slots in a row, and stretches of a column are stretches of slots.

use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{eight_from, eight_mut_from};
use crate::neighbours::Grid;
use crate::parallel::{self, Shared};
use crate::particles::Axes;
use glam::Vec3;
use std::ops::Range;

/// Particles of a cluster.
pub const EIGHT: usize = 8;

/// Slots of a list. All are below a bound, so that what there is of each can be asked for without a look at each.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a> {
    list: &'a [u32],
    bound: usize,
}

impl<'a> Slots<'a> {
    /// Each of them.
    #[inline(always)]
    pub fn each(self) -> impl ExactSizeIterator<Item = u32> + 'a {
        self.list.iter().copied()
    }

    /// Each with its row, of which there must be one for every slot.
    #[inline(always)]
    pub fn with<T: Copy>(self, rows: &'a [T]) -> impl Iterator<Item = (u32, T)> + 'a {
        assert!(self.bound <= rows.len());
        // SAFETY: slots are below their bound.
        self.list.iter().map(|&slot| (slot, unsafe { *rows.get_unchecked(slot as usize) }))
    }

    /// Each with its rows of two lists.
    #[inline(always)]
    pub fn with_both<T: Copy, U: Copy>(
        self,
        rows: &'a [T],
        others: &'a [U],
    ) -> impl Iterator<Item = (u32, T, U)> + 'a {
        assert!(self.bound <= others.len());
        // SAFETY: as above.
        self.with(rows).map(|(slot, row)| (slot, row, unsafe { *others.get_unchecked(slot as usize) }))
    }
}

/// Slots with their rows, one after the other, of which some are kept.
pub struct Sieve<'a> {
    slots: std::slice::Iter<'a, u32>,
    rows: &'a [[f32; 4]],
    last: u32,
    kept: &'a mut [u32],
    len: usize,
}

impl Sieve<'_> {
    /// The next slot and its row.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(u32, [f32; 4])> {
        self.last = *self.slots.next()?;
        // SAFETY: slots are below their bound, and `BlockLists::add` has seen that there are so many rows.
        Some((self.last, unsafe { *self.rows.get_unchecked(self.last as usize) }))
    }

    /// Keeps the slot that was the last, or not. Not by a branch: which they are can hardly be foretold.
    #[inline(always)]
    pub fn keep(&mut self, is_kept: bool) {
        self.kept[self.len] = self.last;
        self.len += usize::from(is_kept);
    }

    /// How many are kept.
    #[inline(always)]
    pub fn kept(&self) -> usize {
        self.len
    }
}

/// Who is near the clusters of a block.
#[derive(Clone, Debug, Default)]
pub struct BlockLists {
    /// For each cluster, where its list ends.
    ends: Vec<u32>,
    slots: Vec<u32>,
    /// Above every slot.
    bound: usize,
    /// Space for building.
    cells: Vec<Range<u32>>,
    runs: Vec<Range<u32>>,
}

impl BlockLists {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.slots.clear();
        self.bound = 0;
    }

    /// Adds the list of the next cluster: those of some slots that `choose` keeps, which returns their number.
    pub fn add(&mut self, from: Slots, rows: &[[f32; 4]], choose: impl FnOnce(Sieve) -> usize) {
        assert!(from.bound <= rows.len());
        let first = self.slots.len();
        // Whatever `choose` returns, what is there are slots.
        self.slots.resize(first + from.list.len(), 0);
        self.bound = self.bound.max(from.bound);
        let kept = &mut self.slots[first..];
        let len = choose(Sieve { slots: from.list.iter(), rows, last: 0, kept, len: 0 });
        self.slots.truncate(first + len.min(from.list.len()));
        self.ends.push(self.slots.len() as u32);
    }

    /// The list of cluster number `n`.
    #[inline(always)]
    pub fn of(&self, n: usize) -> Slots<'_> {
        let from = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        Slots { list: &self.slots[from..self.ends[n] as usize], bound: self.bound }
    }
}

/// Up to eight particles and everyone within reach of any of them, themselves included.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// First of its slots.
    pub first: usize,
    /// How many it has: the lanes after them are somebody else's.
    pub len: usize,
    /// Slots of those near it.
    pub near: Slots<'a>,
}

/// All particles in slots, with lists of their neighbours.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    grid: Grid,
    /// The particle of each slot.
    order: Vec<u32>,
    /// The slot of each particle.
    slot_of: Vec<u32>,
    /// Positions by slot; eight more, which vector loads may touch.
    sorted: Axes,
    lists: Vec<BlockLists>,
}

impl Clusters {
    /// Sorts the particles and lists who is within `reach` of whom.
    pub fn list(&mut self, position: &Axes, reach: f32, planar: bool) {
        self.grid.set_in_columns(reach, planar);
        self.grid.index(position);
        self.arrange(position);
        let Self { grid, sorted, lists, .. } = self;
        lists.resize_with(grid.blocks().max(lists.len()), BlockLists::default);
        let (grid, sorted, shared) = (&*grid, &*sorted, Shared::new(lists));
        parallel::for_each(grid.block_numbers(), position.len(), |&block| {
            // SAFETY: each block writes its own lists only.
            list_block(grid, block as usize, sorted, reach, unsafe {
                &mut shared.slice(block as usize, 1)[0]
            });
        });
    }

    /// Gives out the slots of each block.
    fn arrange(&mut self, position: &Axes) {
        let Self { grid, order, slot_of, sorted, .. } = self;
        let n = position.len();
        order.resize(n, 0);
        slot_of.resize(n, 0);
        sorted.each(|axis, _| axis.resize(n + EIGHT, 0.0));
        let [orders, slots] = [order, slot_of].map(|array| Shared::new(array));
        let [x, y, z] = [&mut sorted.x, &mut sorted.y, &mut sorted.z].map(|axis| Shared::new(axis));
        let by_cell = grid.order();
        parallel::for_each(grid.block_numbers(), n, |&block| {
            let mut keys = Vec::new();
            let parts = grid.along_columns(block as usize).flat_map(|(places, is_upwards)| {
                let starts = places.clone().step_by(MOST_KEYS);
                starts.map(move |from| (from..places.end.min(from + MOST_KEYS), is_upwards))
            });
            for (places, is_upwards) in parts {
                set_keys(
                    &mut keys,
                    by_cell[places.clone()].iter().map(|&i| position.y[i as usize]),
                    is_upwards,
                );
                for (k, &i) in by_cell[places.clone()].iter().enumerate() {
                    let (slot, i) = (places.start + rank(&keys, keys[k]), i as usize);
                    // SAFETY: each particle has its own slot.
                    unsafe {
                        (orders.slice(slot, 1)[0], slots.slice(i, 1)[0]) = (i as u32, slot as u32);
                        (x.slice(slot, 1)[0], y.slice(slot, 1)[0]) = (position.x[i], position.y[i]);
                        z.slice(slot, 1)[0] = position.z[i];
                    }
                }
            }
        });
    }

    fn starts(own: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        own.clone().step_by(EIGHT).map(move |first| first..(first + EIGHT).min(own.end))
    }

    /// The clusters of a block.
    pub fn of(&self, block: usize) -> impl Iterator<Item = Cluster<'_>> {
        self.with(block, &self.lists[block])
    }

    /// The clusters of a block with other lists than its own.
    pub fn with<'a>(
        &self,
        block: usize,
        lists: &'a BlockLists,
    ) -> impl Iterator<Item = Cluster<'a>> + use<'a> {
        Self::starts(self.grid.particles_of(block)).enumerate().map(move |(n, slots)| Cluster {
            first: slots.start,
            len: slots.len(),
            near: lists.of(n),
        })
    }

    /// The particle of each slot.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of each particle.
    pub fn slot_of(&self) -> &[u32] {
        &self.slot_of
    }

    /// The grid that they stand in.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// How many particles are put in order at once.
const MOST_KEYS: usize = 256;

/// Keys that grow, or fall, with heights, roughly: no two are the same. Filled up to eights with keys above all others.
fn set_keys(keys: &mut Vec<i32>, heights: impl Iterator<Item = f32>, is_upwards: bool) {
    keys.clear();
    keys.extend(heights.enumerate().map(|(k, y)| {
        let bits = y.to_bits() as i32;
        // Negative numbers fall with their bits.
        let rising = bits ^ ((bits >> 31) as u32 >> 1) as i32;
        (if is_upwards { rising } else { !rising }) & !(MOST_KEYS as i32 - 1) | k as i32
    }));
    keys.resize(keys.len().next_multiple_of(EIGHT), i32::MAX);
}

/// How many keys are below one of them. A cell has some ten, of which each is sooner compared with all than all are sorted.
fn rank(keys: &[i32], key: i32) -> usize {
    let mut below = [0; EIGHT];
    for eight in keys.chunks_exact(EIGHT) {
        (0..EIGHT).for_each(|k| below[k] += i32::from(eight[k] < key));
    }
    below.iter().sum::<i32>() as usize
}

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    low: Vec3,
    high: Vec3,
}

impl Box3 {
    fn around(points: impl Iterator<Item = Vec3>) -> Self {
        let nothing = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        points.fold(nothing, |b, p| Self { low: b.low.min(p), high: b.high.max(p) })
    }
}

widest! {
    fn list_block(grid: &Grid, block: usize, sorted: &Axes, reach: f32, lists: &mut BlockLists) = list_block_with
}

#[inline(always)]
fn list_block_with<V: Lanes>(grid: &Grid, block: usize, sorted: &Axes, reach: f32, lists: &mut BlockLists) {
    let BlockLists { ends, slots, bound, cells, runs } = lists;
    // Those that a run names have a position.
    *bound = [&sorted.x, &sorted.y, &sorted.z].map(Vec::len).into_iter().fold(usize::MAX, usize::min);
    grid.list_cells(block, cells);
    ends.clear();
    let mut len = 0;
    for own in Clusters::starts(grid.particles_of(block)) {
        let around = Box3::around(own.map(|slot| sorted.get(slot)));
        grid.list_runs(cells, [around.low, around.high].map(|p| grid.cell_in(block, p)), runs);
        let (most, end) = runs.iter().fold((0, 0), |(most, end), r| (most + r.len() + EIGHT, r.end.max(end)));
        assert!(end as usize + EIGHT <= *bound);
        if slots.len() < len + most {
            slots.resize((len + most).max(slots.len() * 3 / 2), 0);
        }
        for run in runs.iter() {
            // SAFETY: the positions hold eight values after the last of the runs, the list room for all of them.
            len += unsafe { near_in_run::<V>(sorted, &around, run, reach, &mut slots[len..]) };
        }
        ends.push(len as u32);
    }
}

/// Writes the slots of those of a run within reach of a box to the front of `out`. Returns their number.
///
/// # Safety
/// The positions must hold eight values after the run's end, `out` as many as the run and eight more.
#[inline(always)]
unsafe fn near_in_run<V: Lanes>(
    sorted: &Axes,
    around: &Box3,
    run: &Range<u32>,
    reach: f32,
    out: &mut [u32],
) -> usize {
    let [lx, ly, lz] = around.low.to_array().map(V::splat);
    let [hx, hy, hz] = around.high.to_array().map(V::splat);
    let (limit, zero) = (V::splat(reach * reach), V::splat(0.0));
    let (mut len, mut j, end) = (0, run.start as usize, run.end as usize);
    let Axes { x, y, z } = sorted;
    while j < end {
        // SAFETY: the caller's promise; no more are listed than were looked at.
        unsafe {
            let [px, py, pz] = [x, y, z].map(|axis| V::from_array(*eight_from(axis, j)));
            let dx = lx.sub(px).max(px.sub(hx)).max(zero);
            let dy = ly.sub(py).max(py.sub(hy)).max(zero);
            let dz = lz.sub(pz).max(pz.sub(hz)).max(zero);
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let inside = !(u32::MAX << (end - j).min(EIGHT));
            let mask = square.less(limit) & inside;
            *eight_mut_from(out, len) = V::compress_numbers(j as u32, mask);
            len += mask.count_ones() as usize;
        }
        j += EIGHT;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::strewn;

    fn listed(points: &[Vec3], reach: f32, planar: bool) -> Clusters {
        let mut axes = Axes::default();
        points.iter().for_each(|&p| axes.push(p));
        let mut clusters = Clusters::default();
        clusters.list(&axes, reach, planar);
        clusters
    }

    /// The list of a cluster holds everyone within reach of the box around it, once, and nobody else.
    #[test]
    fn lists_are_those_of_brute_force() {
        for (planar, at) in [(false, 0.0), (true, 0.0), (false, -1e4)] {
            let points: Vec<Vec3> = strewn(1500, planar, 2).iter().map(|p| 5.0 * *p + at * Vec3::X).collect();
            let reach = if planar { 0.4 } else { 0.9 };
            let clusters = listed(&points, reach, planar);
            let mut all = Vec::new();
            for cluster in clusters.grid.block_numbers().iter().flat_map(|&b| clusters.of(b as usize)) {
                let own = cluster.first..cluster.first + cluster.len;
                let Box3 { low, high } = Box3::around(own.clone().map(|slot| clusters.sorted.get(slot)));
                let is_near = |slot: &u32| {
                    let p = clusters.sorted.get(*slot as usize);
                    (low - p).max(p - high).max(Vec3::ZERO).length_squared() < reach * reach
                };
                let mut found: Vec<u32> = cluster.near.each().collect();
                found.sort_unstable();
                assert_eq!(found, (0..1500).filter(is_near).collect::<Vec<_>>());
                all.extend(own.map(|slot| clusters.order[slot]));
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..1500), "each is in one cluster");
        }
    }

    /// However few rows there are, nobody is asked for one that is not there.
    #[test]
    fn too_few_rows_are_refused() {
        let clusters = listed(&strewn(100, false, 2), 0.5, false);
        let cluster = clusters.of(0).next().expect("a cluster");
        let rows = vec![[0f32; 4]; 100 + EIGHT];
        assert_eq!(cluster.near.with_both(&rows, &rows).count(), cluster.near.each().len());
        for few in [0, 1, 99] {
            let few = &rows[..few];
            assert!(is_refused(|| cluster.near.with(few).count()));
            assert!(is_refused(|| cluster.near.with_both(&rows, few).count()));
            assert!(is_refused(|| BlockLists::default().add(cluster.near, few, |sieve| sieve.kept())));
        }
    }

    fn is_refused<T>(f: impl FnOnce() -> T) -> bool {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err()
    }

    /// What is kept are the slots that were asked for, and whatever is said of their number, slots.
    #[test]
    fn a_sieve_keeps_slots() {
        let clusters = listed(&strewn(100, false, 2), 0.5, false);
        let near = clusters.of(0).next().expect("a cluster").near;
        let (rows, mut lists) = (vec![[0f32; 4]; 100 + EIGHT], BlockLists::default());
        let even = |mut sieve: Sieve| {
            while let Some((slot, _)) = sieve.next() {
                sieve.keep(slot % 2 == 0);
            }
            sieve.kept()
        };
        lists.add(near, &rows, even);
        lists.add(near, &rows, |_| usize::MAX);
        assert!(lists.of(0).each().eq(near.each().filter(|slot| slot % 2 == 0)));
        assert_eq!(lists.of(1).with(&rows).count(), near.each().len());
    }
}
