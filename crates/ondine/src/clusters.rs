//! Particles by eights, and who is near any of each eight.
//!
//! A pass over neighbours takes eight particles at once, one a lane, and meets their neighbours one after the other: nothing
//! has to be gathered, nothing summed across lanes, and one list serves all eight. The eight of a **cluster** stand close
//! together, so that of those they meet a quarter are neighbours of each.
//!
//! Within a block particles take **slots**: column after column of cells, up one and down the next, by height. Clusters are eight
//! slots in a row.

use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Local, hold};
use crate::neighbours::Grid;
use crate::parallel::{self, Shared};
use crate::particles::Axes;
use glam::Vec3;
use std::ops::Range;

/// Particles of a cluster.
pub const EIGHT: usize = 8;

/// Who is near the clusters of a block.
#[derive(Clone, Debug, Default)]
pub struct BlockLists {
    /// For each cluster, where its list ends.
    ends: Vec<u32>,
    slots: Vec<u32>,
    /// Space for building.
    copied: Vec<u32>,
}

impl BlockLists {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.slots.clear();
    }

    /// Adds the list of the next cluster: `write` is given room for so many and returns how many there are.
    pub fn add(&mut self, most: usize, write: impl FnOnce(&mut [u32]) -> usize) {
        let from = self.slots.len();
        self.slots.resize(from + most, 0);
        let len = write(&mut self.slots[from..]);
        self.slots.truncate(from + len);
        self.ends.push((from + len) as u32);
    }

    /// The list of cluster number `n`.
    #[inline(always)]
    pub fn of(&self, n: usize) -> &[u32] {
        let from = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        &self.slots[from..self.ends[n] as usize]
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
    pub near: &'a [u32],
}

/// All particles in slots, with lists of their neighbours.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    grid: Grid,
    /// The particle of each slot.
    order: Vec<u32>,
    /// The slot of each particle.
    slot_of: Vec<u32>,
    /// The slot of each place in the grid's order.
    slot_at: Vec<u32>,
    /// Positions in the grid's order.
    sorted: Axes,
    lists: Vec<BlockLists>,
}

impl Clusters {
    /// Sorts the particles and lists who is within `reach` of whom.
    pub fn list(&mut self, position: &Axes, reach: f32, planar: bool) {
        self.grid.set(reach, planar);
        self.grid.index(position);
        self.arrange(position);
        let Self { grid, order, slot_at, sorted, lists, .. } = self;
        lists.resize_with(grid.blocks().max(lists.len()), BlockLists::default);
        let shared = Shared::new(lists);
        grid.view_blocks([&*sorted], |local, block| {
            // SAFETY: each block writes its own lists only.
            let lists = unsafe { &mut shared.slice(block, 1)[0] };
            lists.copied.clear();
            lists.copied.extend(local.slots().map(|place| slot_at[place as usize]));
            lists.copied.resize(lists.copied.len() + EIGHT, 0);
            let own = grid.particles_of(block);
            let boxes: Vec<Box3> = Self::starts(own)
                .map(|slots| Box3::around(slots.map(|slot| position.get(order[slot] as usize))))
                .collect();
            let cells: Vec<_> =
                boxes.iter().map(|b| [b.low, b.high].map(|p| grid.cell_in(block, p))).collect();
            list_block(local, &boxes, &cells, reach, lists);
        });
    }

    /// Gives out the slots of each block.
    fn arrange(&mut self, position: &Axes) {
        let Self { grid, order, slot_of, slot_at, sorted, .. } = self;
        let n = position.len();
        order.resize(n, 0);
        slot_of.resize(n, 0);
        slot_at.resize(n, 0);
        sorted.each(|axis, _| axis.resize(n, 0.0));
        let [orders, slots, at] = [order, slot_of, slot_at].map(|array| Shared::new(array));
        let [x, y, z] = [&mut sorted.x, &mut sorted.y, &mut sorted.z].map(|axis| Shared::new(axis));
        let by_cell = grid.order();
        parallel::for_each(grid.block_numbers(), n, |&block| {
            let own = grid.particles_of(block as usize);
            let (start, len) = (own.start, own.len());
            // SAFETY: each block has its own places and slots.
            let (order, slot_at, x, y, z) = unsafe {
                (
                    orders.slice(start, len),
                    at.slice(start, len),
                    x.slice(start, len),
                    y.slice(start, len),
                    z.slice(start, len),
                )
            };
            for (k, &i) in by_cell[own].iter().enumerate() {
                let p = position.get(i as usize);
                (x[k], y[k], z[k]) = (p.x, p.y, p.z);
            }
            let (mut next, mut keys) = (0, Vec::with_capacity(64));
            grid.along_columns(block as usize, |places, is_upwards| {
                keys.clear();
                keys.extend(places.map(|place| {
                    let key = rising(y[place - start]);
                    (if is_upwards { key } else { !key } as u64) << 32 | place as u64
                }));
                keys.sort_unstable();
                for key in &keys {
                    let place = *key as u32 as usize;
                    let particle = by_cell[place];
                    (order[next], slot_at[place - start]) = (particle, (start + next) as u32);
                    // SAFETY: every particle is in one block once.
                    unsafe { slots.slice(particle as usize, 1)[0] = (start + next) as u32 };
                    next += 1;
                }
            });
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

/// Bits that grow with a number.
fn rising(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
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
    fn list_block(local: &mut Local<1>, boxes: &[Box3], cells: &[[[i32; 3]; 2]], reach: f32, lists: &mut BlockLists) = list_block_with
}

#[inline(always)]
fn list_block_with<V: Lanes>(
    local: &mut Local<1>,
    boxes: &[Box3],
    cells: &[[[i32; 3]; 2]],
    reach: f32,
    lists: &mut BlockLists,
) {
    let BlockLists { ends, slots, copied } = lists;
    local.axes[0].iter_mut().for_each(|axis| hold(axis, copied.len()));
    let [x, y, z] = &local.axes[0];
    ends.clear();
    let mut len = 0;
    for (around, cells) in boxes.iter().zip(cells) {
        let runs = local.runs_between(*cells);
        let most: usize = runs.clone().map(|r| r.len() + EIGHT).sum();
        if slots.len() < len + most {
            slots.resize((len + most).max(slots.len() * 3 / 2), 0);
        }
        for run in runs {
            // SAFETY: the arrays hold eight values after every run, the list room for all of them.
            len += unsafe { near_in_run::<V>([x, y, z], copied, around, run, reach, &mut slots[len..]) };
        }
        ends.push(len as u32);
    }
}

/// Writes the slots of those of a run within reach of a box to the front of `out`. Returns their number.
///
/// # Safety
/// All arrays must hold eight values after the run's end, `out` as many as the run and eight more.
#[inline(always)]
unsafe fn near_in_run<V: Lanes>(
    [x, y, z]: [&[f32]; 3],
    slots: &[u32],
    around: &Box3,
    run: Range<usize>,
    reach: f32,
    out: &mut [u32],
) -> usize {
    let [lx, ly, lz] = around.low.to_array().map(V::splat);
    let [hx, hy, hz] = around.high.to_array().map(V::splat);
    let (limit, zero, out) = (V::splat(reach * reach), V::splat(0.0), out.as_mut_ptr());
    let (mut len, mut j) = (0, run.start);
    while j < run.end {
        // SAFETY: the caller's promise.
        unsafe {
            let (px, py, pz) =
                (V::load(x.as_ptr().add(j)), V::load(y.as_ptr().add(j)), V::load(z.as_ptr().add(j)));
            let dx = lx.sub(px).max(px.sub(hx)).max(zero);
            let dy = ly.sub(py).max(py.sub(hy)).max(zero);
            let dz = lz.sub(pz).max(pz.sub(hz)).max(zero);
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let inside = !(u32::MAX << (run.end - j).min(EIGHT));
            let mask = square.less(limit) & inside;
            V::compress_from(slots.as_ptr().add(j), mask, out.add(len));
            len += mask.count_ones() as usize;
        }
        j += EIGHT;
    }
    len
}
