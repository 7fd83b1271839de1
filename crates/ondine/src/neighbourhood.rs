//! A block's particles at hand: copied, sorted by cell, with the neighbours of one particle listed eight at a time.
//!
//! A pass enters one cell after the other. On entering, the cell's own particles and those of the cells around it are
//! laid side by side in a [`Neighbourhood`]; the neighbours of each own particle are then found in one straight run over it, and
//! what the pass moves there is put back on leaving. Copying is cheap: it is shared by all particles of the cell.

use crate::cells::{BlockShape, CELLS, SPACE};
use crate::lanes::Lanes;
use crate::neighbours::{Grid, NOBODY};
use crate::parallel::Shared;
use glam::Vec3;
use std::ops::Range;

std::thread_local! {
    pub(crate) static SCRATCH: std::cell::RefCell<Scratch> = std::cell::RefCell::default();
}

/// A thread's own buffers, kept from one block to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    arrays: Vec<Vec<f32>>,
    starts: Vec<u32>,
    spans: Vec<Span>,
    near: NeighbourList,
}

/// A stretch of particles, where it comes from and where it stands in the copy.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub from: u32,
    pub to: u32,
    pub len: u32,
}

/// A copy of a block's particles and of those one cell around it, sorted by cell.
pub struct Local<const N: usize> {
    /// The cell entered and those around it.
    pub neighbourhood: Neighbourhood<N>,
    pub(crate) axes: [[Vec<f32>; 3]; N],
    starts: Vec<u32>,
    spans: Vec<Span>,
    /// Extent of the copy in cells.
    extent: [usize; 3],
    shape: BlockShape,
    len: usize,
}

/// A cell of a [`Local`] copy.
#[derive(Clone, Copy, Debug)]
pub struct Cell(usize);

/// Which of the cells around a cell to lay out with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// All of them.
    All,
    /// Those that come later in the order of cells: each pair is then met from one of its two ends only.
    Later,
}

impl<const N: usize> Local<N> {
    pub(crate) fn take(scratch: &mut Scratch) -> Self {
        let mut arrays =
            || std::array::from_fn(|_| std::array::from_fn(|_| scratch.arrays.pop().unwrap_or_default()));
        let (axes, neighbourhood) = (arrays(), arrays());
        Self {
            axes,
            neighbourhood: Neighbourhood {
                axes: neighbourhood,
                near: std::mem::take(&mut scratch.near),
                runs: [(0, 0); 9],
                used: 0,
                len: 0,
            },
            starts: std::mem::take(&mut scratch.starts),
            spans: std::mem::take(&mut scratch.spans),
            extent: [0; 3],
            shape: SPACE,
            len: 0,
        }
    }

    pub(crate) fn give_back(self, scratch: &mut Scratch) {
        // Last taken, first given: each array finds its old use, and its size, again.
        scratch.arrays.extend(self.neighbourhood.axes.into_iter().flatten().rev());
        scratch.arrays.extend(self.axes.into_iter().flatten().rev());
        scratch.near = self.neighbourhood.near;
        scratch.starts = self.starts;
        scratch.spans = self.spans;
    }

    /// Lists where the particles of each cell come from.
    pub(crate) fn map(&mut self, grid: &Grid, block: usize) {
        let shape = grid.shape;
        self.shape = shape;
        self.extent = std::array::from_fn(|c| (shape.side[c] + 2 * shape.halo[c]) as usize);
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
    }

    pub(crate) fn copy_in<'a>(&mut self, source: impl Fn(usize, usize, Span) -> &'a [f32]) {
        for (a, axes) in self.axes.iter_mut().enumerate() {
            for (c, array) in axes.iter_mut().enumerate() {
                hold(array, self.len);
                for &s in &self.spans {
                    array[s.to as usize..(s.to + s.len) as usize].copy_from_slice(source(a, c, s));
                }
            }
        }
    }

    /// # Safety
    /// No one else may touch the block's cells and those around them meanwhile.
    pub(crate) unsafe fn copy_out(&self, shared: &[[Shared<f32>; 3]; N]) {
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
                    let [x, y, z] = [x + halo[0], y + halo[1], z + halo[2]].map(|c| c as usize);
                    Cell((z * extent[1] + y) * extent[0] + x)
                })
            })
        })
    }

    /// Lays out a cell and cells around it in [`Local::neighbourhood`]. Returns the places of the cell's own particles there.
    #[inline(always)]
    pub fn enter(&mut self, Cell(cell): Cell, around: Around) -> Range<usize> {
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        if start == end {
            self.neighbourhood.used = 0;
            return 0..0;
        }
        let row = self.extent[0] as isize;
        let layer = row * self.extent[1] as isize;
        let deep = self.shape.halo[2] as isize;
        let (neighbourhood, mut len, mut used, mut own) = (&mut self.neighbourhood, 0, 0, start);
        for dz in -deep..=deep {
            for dy in -1..=1isize {
                let here = dy == 0 && dz == 0;
                if around == Around::Later && (dz < 0 || (dz == 0 && dy < 0)) {
                    continue;
                }
                let c = (cell as isize + dz * layer + dy * row) as usize;
                let first = if here && around == Around::Later { start } else { self.starts[c - 1] as usize };
                let count = self.starts[c + 2] as usize - first;
                if here {
                    own = start - first + len;
                }
                neighbourhood.runs[used] = (first as u32, count as u32);
                len += count;
                used += 1;
            }
        }
        (neighbourhood.used, neighbourhood.len) = (used, len);
        neighbourhood.near.hold(len);
        for (axes, from) in neighbourhood.axes.iter_mut().flatten().zip(self.axes.iter().flatten()) {
            hold(axes, len);
            let mut to = 0;
            for &(first, count) in &neighbourhood.runs[..used] {
                copy(&from[first as usize..], &mut axes[to..], count as usize);
                to += count as usize;
            }
        }
        own..own + (end - start)
    }

    /// Puts back what was moved in the neighbourhood.
    #[inline(always)]
    pub fn leave(&mut self) {
        let neighbourhood = &self.neighbourhood;
        for (axes, to) in neighbourhood.axes.iter().flatten().zip(self.axes.iter_mut().flatten()) {
            let mut from = 0;
            for &(first, count) in &neighbourhood.runs[..neighbourhood.used] {
                let (first, count) = (first as usize, count as usize);
                copy_exactly(&axes[from..from + count], &mut to[first..first + count]);
                from += count;
            }
        }
    }

    /// For each place in the copy, the particle that stands there.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().flat_map(|s| s.from..s.from + s.len)
    }
}

/// Makes an array hold `len` values and eight more, which vector loads may touch.
#[inline(always)]
pub(crate) fn hold(array: &mut Vec<f32>, len: usize) {
    if array.len() < len + 8 {
        array.resize(len + 8, 0.0);
    }
}

/// Copies `count` values, eight at a time: both slices go on for eight values more. Short runs are the rule, for which a
/// call to a general copy costs more than the copy.
#[inline(always)]
fn copy(from: &[f32], to: &mut [f32], count: usize) {
    let whole = count.next_multiple_of(8);
    for (to, from) in to[..whole].chunks_exact_mut(8).zip(from[..whole].chunks_exact(8)) {
        to.copy_from_slice(from);
    }
}

/// Copies a short run without a call.
#[inline(always)]
fn copy_exactly(from: &[f32], to: &mut [f32]) {
    let whole = from.len() & !7;
    for (to, from) in to[..whole].chunks_exact_mut(8).zip(from[..whole].chunks_exact(8)) {
        to.copy_from_slice(from);
    }
    for (to, from) in to[whole..].iter_mut().zip(&from[whole..]) {
        *to = *from;
    }
}

/// Which of the blocks around an axis holds cell `c`: -1, 0 or 1.
pub(crate) fn beyond(c: i32, side: i32) -> i32 {
    if c < 0 { -1 } else { (c >= side) as i32 }
}

/// A cell's particles and those around it, side by side.
pub struct Neighbourhood<const N: usize> {
    /// The copied vectors, one array an axis, at least eight values longer than the particles.
    pub axes: [[Vec<f32>; 3]; N],
    /// Neighbours of the particle last looked at.
    pub near: NeighbourList,
    /// The runs of the block's copy that are laid out here: first and number.
    runs: [(u32, u32); 9],
    used: usize,
    len: usize,
}

impl<const N: usize> Neighbourhood<N> {
    /// Where a particle is, by the first of the copied vectors.
    #[inline(always)]
    pub fn point(&self, i: usize) -> Vec3 {
        let [x, y, z] = &self.axes[0];
        Vec3::new(x[i], y[i], z[i])
    }

    /// Lists in [`Neighbourhood::near`] everyone within h of particle `i`, itself excepted.
    #[inline(always)]
    pub fn find_near<V: Lanes>(&mut self, i: usize, h: f32) {
        let here = self.axes[0][0][i];
        // Out of its own sight.
        self.axes[0][0][i] = f32::INFINITY;
        self.near.search::<V>(&self.axes[0], [here, self.axes[0][1][i], self.axes[0][2][i]], 0..self.len, h);
        self.axes[0][0][i] = here;
    }

    /// Lists in [`Neighbourhood::near`] everyone after particle `i` within h of it.
    #[inline(always)]
    pub fn find_later<V: Lanes>(&mut self, i: usize, h: f32) {
        let [x, y, z] = &self.axes[0];
        self.near.search::<V>(&self.axes[0], [x[i], y[i], z[i]], i + 1..self.len, h);
    }

    /// The place in the block's copy of each place here.
    pub fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs[..self.used].iter().flat_map(|&(first, count)| first..first + count)
    }
}

/// The neighbours of one particle: where they are from it, how far, and their places in the neighbourhood. Padded to a multiple
/// of eight with neighbours at distance 2h (which every kernel weighs as nothing) that stand at a place nobody uses.
#[derive(Default)]
pub struct NeighbourList {
    /// Number of true neighbours.
    len: usize,
    /// The same with padding.
    padded: usize,
    /// The last place that may stand in the list, which is nobody's.
    end: usize,
    /// Offsets to the neighbour [m]. All lists here are equally long, and have room for those that are listed and their padding.
    offset: [Vec<f32>; 3],
    /// Numbers that a kernel wants to keep from one pass to the next, one a neighbour.
    kept: [Vec<f32>; 2],
    /// Places in the neighbourhood.
    place: Vec<u32>,
}

impl NeighbourList {
    /// Number of true neighbours.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Makes room for the neighbours of a particle among `count`.
    #[inline(always)]
    fn hold(&mut self, count: usize) {
        let room = count + 16;
        if self.place.len() < room {
            self.offset.iter_mut().for_each(|o| o.resize(room, 0.0));
            self.kept.iter_mut().for_each(|k| k.resize(room, 0.0));
            self.place.resize(room, 0);
        }
    }

    /// Whether neighbours k to k+7 are listed, padding included.
    #[inline(always)]
    fn has_eight(&self, k: usize) -> bool {
        k < self.padded && self.padded - k >= 8
    }

    /// Lists those of `run` within h of a point.
    #[inline(always)]
    fn search<V: Lanes>(&mut self, [x, y, z]: &[Vec<f32>; 3], point: [f32; 3], run: Range<usize>, h: f32) {
        let Self { offset: [ox, oy, oz], place, .. } = self;
        let (mut len, mut j, end) = (0, run.start, run.end);
        let has_room = |len: usize| len >= 8 && len - 8 >= end;
        assert!(has_room(x.len()) && has_room(y.len()) && has_room(z.len()) && has_room(place.len()));
        let [px, py, pz] = point.map(V::splat);
        let limit = V::splat(h * h);
        while j < end {
            // SAFETY: all arrays go on for eight values after `end`, and no more are listed than were looked at.
            unsafe {
                let dx = V::from_array(*eight_from(x, j)).sub(px);
                let dy = V::from_array(*eight_from(y, j)).sub(py);
                let dz = V::from_array(*eight_from(z, j)).sub(pz);
                let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
                let left = (end - j).min(8) as u32;
                let mask = square.less(limit) & ((1u32 << left) - 1);
                *eight_mut_from(ox, len) = dx.compress(mask);
                *eight_mut_from(oy, len) = dy.compress(mask);
                *eight_mut_from(oz, len) = dz.compress(mask);
                *eight_mut_from(place, len) = V::compress_numbers(j as u32, mask);
                len += mask.count_ones() as usize;
            }
            j += 8;
        }
        (self.len, self.padded, self.end) = (len, len.next_multiple_of(8), end);
        for k in len..self.padded {
            self.offset.iter_mut().for_each(|o| o[k] = 0.0);
            self.offset[0][k] = 2.0 * h;
            self.place[k] = end as u32;
        }
    }

    /// Offsets of neighbours k to k+7, and their squared distances.
    #[inline(always)]
    pub fn offsets<V: Lanes>(&self, k: usize) -> ([V; 3], V) {
        assert!(self.has_eight(k));
        let [x, y, z] = &self.offset;
        // SAFETY: all lists have room for those that are listed.
        let [dx, dy, dz] = [x, y, z].map(|axis| V::from_array(*unsafe { eight_from(axis, k) }));
        ([dx, dy, dz], dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz)))
    }

    /// Keeps a number for each of neighbours k to k+7, in one of two lists.
    #[inline(always)]
    pub fn keep<V: Lanes>(&mut self, k: usize, list: usize, values: V) {
        assert!(self.has_eight(k));
        // SAFETY: as above.
        *unsafe { eight_mut_from(&mut self.kept[list], k) } = values.to_array();
    }

    /// What was kept.
    #[inline(always)]
    pub fn kept<V: Lanes>(&self, k: usize, list: usize) -> V {
        assert!(self.has_eight(k));
        // SAFETY: as above.
        V::from_array(*unsafe { eight_from(&self.kept[list], k) })
    }

    /// Distance of neighbour k [m].
    pub fn distance(&self, k: usize) -> f32 {
        let [x, y, z] = &self.offset;
        Vec3::new(x[k], y[k], z[k]).length()
    }

    /// Place in the neighbourhood of neighbour k.
    pub fn place(&self, k: usize) -> usize {
        self.place[k] as usize
    }

    /// The values at the places of neighbours k to k+7, of an array of the neighbourhood.
    #[inline(always)]
    pub fn gather<V: Lanes>(&self, k: usize, array: &[f32]) -> V {
        assert!(self.has_eight(k) && self.end < array.len());
        // SAFETY: all lists have room for those that are listed, and no place is beyond the end.
        V::from_array(unsafe { eight_from(&self.place, k).map(|j| *array.get_unchecked(j as usize)) })
    }

    /// Adds to the vectors at the places of neighbours k to k+7, of arrays of the neighbourhood.
    #[inline(always)]
    pub fn scatter<V: Lanes>(&self, k: usize, change: [V; 3], [x, y, z]: [&mut [f32]; 3]) {
        assert!(self.has_eight(k) && self.end < x.len() && self.end < y.len() && self.end < z.len());
        let [dx, dy, dz] = change.map(V::to_array);
        // SAFETY: as above.
        unsafe {
            for (lane, &j) in eight_from(&self.place, k).iter().enumerate() {
                *x.get_unchecked_mut(j as usize) += dx[lane];
                *y.get_unchecked_mut(j as usize) += dy[lane];
                *z.get_unchecked_mut(j as usize) += dz[lane];
            }
        }
    }
}

/// Eight values of a list, from one on.
///
/// # Safety
/// They must be there.
#[inline(always)]
pub(crate) unsafe fn eight_from<T>(list: &[T], from: usize) -> &[T; 8] {
    debug_assert!(from + 8 <= list.len());
    // SAFETY: the caller's promise.
    unsafe { &*list.as_ptr().add(from).cast() }
}

/// The same to write.
///
/// # Safety
/// They must be there.
#[inline(always)]
pub(crate) unsafe fn eight_mut_from<T>(list: &mut [T], from: usize) -> &mut [T; 8] {
    debug_assert!(from + 8 <= list.len());
    // SAFETY: the caller's promise.
    unsafe { &mut *list.as_mut_ptr().add(from).cast() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Eight, Portable};

    /// A list of three neighbours of the first of a row.
    fn list() -> NeighbourList {
        let axes = [0.0, 1.0, 1.0].map(|step| (0..20).map(|i| step * i as f32).collect());
        let mut list = NeighbourList::default();
        list.hold(12);
        list.search::<Portable>(&axes, [0.0; 3], 1..12, 5.0);
        list
    }

    fn is_refused<T>(f: impl FnOnce() -> T) -> bool {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err()
    }

    /// Neither what is not listed nor arrays that are too short are looked at.
    #[test]
    fn what_is_not_there_is_refused() {
        let near = list();
        assert_eq!((near.len(), near.place(0), near.place(2), near.place(3)), (3, 1, 3, 12));
        let values: Vec<f32> = (0..13).map(|i| i as f32).collect();
        assert_eq!(near.gather::<Portable>(0, &values).sum(), 1.0 + 2.0 + 3.0 + 5.0 * 12.0);
        assert!(is_refused(|| near.gather::<Portable>(0, &values[..12])));
        for k in [1, 8, usize::MAX - 7, usize::MAX] {
            assert!(is_refused(|| near.offsets::<Portable>(k)), "{k}");
            assert!(is_refused(|| near.kept::<Portable>(k, 0)), "{k}");
            assert!(is_refused(|| near.gather::<Portable>(k, &[0.0; 64])), "{k}");
            assert!(is_refused(|| list().keep(k, 0, Portable::splat(1.0))), "{k}");
        }
        let change = [Portable::splat(1.0); 3];
        let (mut long, mut short) = ([[0f32; 13]; 3], [0f32; 12]);
        let [x, y, z] = &mut long;
        near.scatter(0, change, [&mut x[..], &mut y[..], &mut z[..]]);
        assert_eq!((x[1], y[2], z[3], z[0], z[12]), (1.0, 1.0, 1.0, 0.0, 5.0));
        assert!(is_refused(|| near.scatter(0, change, [&mut x[..], &mut short[..], &mut z[..]])));
    }

    /// Neither are arrays that end with the particles searched, nor lists that nobody has made room in.
    #[test]
    fn searching_needs_room() {
        let axes = |len: usize| [(); 3].map(|()| vec![0f32; len]);
        let mut near = list();
        assert!(is_refused(|| near.search::<Portable>(&axes(19), [0.0; 3], 0..12, 1.0)));
        let mut empty = NeighbourList::default();
        assert!(is_refused(|| empty.search::<Portable>(&axes(99), [0.0; 3], 0..12, 1.0)));
        near.search::<Portable>(&axes(20), [0.0; 3], 0..12, 1.0);
        assert_eq!(near.len(), 12);
    }
}
