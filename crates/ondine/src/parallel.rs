//! The one file that knows about threads.
//!
//! Nothing here can change a result: work is cut into parts by the data alone, never by the number of threads, and
//! parts that run at once never write what another reads. Without the feature `threads` the same parts run in order.

/// Below this many particles a pass runs on one thread: waking a second costs more than it saves.
#[cfg(feature = "threads")]
const WORTH_SHARING: usize = 3000;

/// Length of the parts that long arrays are cut into.
pub const PART: usize = 512;

/// Runs `work` on a thread of the pool, so that the passes inside share without waking anyone twice.
pub fn enter<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "threads")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "threads"))]
    work()
}

/// Runs `work` for each item of `list`. Items must not write what others touch. `size` is the number of particles
/// behind the whole list, to judge whether sharing pays.
pub fn for_each<T: Sync>(list: &[T], size: usize, work: impl Fn(&T) + Sync) {
    #[cfg(feature = "threads")]
    if size >= WORTH_SHARING && list.len() > 1 {
        use rayon::prelude::*;
        list.par_iter().with_max_len(1).for_each(&work);
        return;
    }
    let _ = size;
    list.iter().for_each(work);
}

/// What `work` makes of each item of `list`, in the order of the list. `size` as in [`for_each`].
pub fn map<T: Sync, R: Send>(list: &[T], size: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "threads")]
    if size >= WORTH_SHARING && list.len() > 1 {
        use rayon::prelude::*;
        return list.par_iter().with_max_len(1).map(&work).collect();
    }
    let _ = size;
    list.iter().map(work).collect()
}

/// Runs `work(first, part)` for each part of `data`, where `first` is the index of the part's first element.
pub fn parts<T: Send>(data: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    #[cfg(feature = "threads")]
    if data.len() >= WORTH_SHARING {
        use rayon::prelude::*;
        data.par_chunks_mut(PART).enumerate().for_each(|(i, part)| work(i * PART, part));
        return;
    }
    data.chunks_mut(PART).enumerate().for_each(|(i, part)| work(i * PART, part));
}

/// As [`parts`], of three arrays of one length side by side.
pub fn three<T: Send>([x, y, z]: [&mut [T]; 3], work: impl Fn(usize, [&mut [T]; 3]) + Sync) {
    #[cfg(feature = "threads")]
    if x.len() >= WORTH_SHARING {
        use rayon::prelude::*;
        let parts = x.par_chunks_mut(PART).zip(y.par_chunks_mut(PART)).zip(z.par_chunks_mut(PART));
        parts.enumerate().for_each(|(i, ((x, y), z))| work(i * PART, [x, y, z]));
        return;
    }
    let parts = x.chunks_mut(PART).zip(y.chunks_mut(PART)).zip(z.chunks_mut(PART));
    parts.enumerate().for_each(|(i, ((x, y), z))| work(i * PART, [x, y, z]));
}

/// What `work(range)` gives for each part of the numbers below `len`, in order. One wait for all of them, unlike the passes
/// over blocks that wait for each colour: worth sharing as soon as there are two parts.
pub fn gather<R: Send>(len: usize, work: impl Fn(std::ops::Range<usize>) -> R + Sync) -> Vec<R> {
    let part = |i: usize| work(i * PART..len.min((i + 1) * PART));
    #[cfg(feature = "threads")]
    if len > PART {
        use rayon::prelude::*;
        return (0..len.div_ceil(PART)).into_par_iter().with_max_len(1).map(part).collect();
    }
    (0..len.div_ceil(PART)).map(part).collect()
}

/// The results of `work(0)`, `work(1)`, ... in this order. Each should be worth some microseconds.
pub fn collect<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().with_max_len(4).map(work).collect()
    }
    #[cfg(not(feature = "threads"))]
    (0..count).map(work).collect()
}

/// An array that several parts of one pass write at once, each its own elements.
pub struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    lifetime: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: access goes through `slice`, whose caller promises that no two parts overlap.
unsafe impl<T: Send> Sync for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    /// Takes the array for one pass.
    pub fn new(data: &'a mut [T]) -> Self {
        Self { start: data.as_mut_ptr(), len: data.len(), lifetime: std::marker::PhantomData }
    }

    /// A stretch of the array.
    ///
    /// # Safety
    /// While the slice lives, no other slice of this array may overlap it.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn slice(&self, start: usize, len: usize) -> &mut [T] {
        assert!(start <= self.len && len <= self.len - start);
        // SAFETY: within the array by the line above; alone by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(start), len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_an_array_is_refused() {
        let mut data = [1, 2, 3];
        let shared = Shared::new(&mut data);
        // SAFETY: one after the other.
        let len = |start, len| unsafe { shared.slice(start, len) }.len();
        assert_eq!((len(0, 3), len(3, 0), len(2, 1)), (3, 0, 1));
        for (start, count) in [(0, 4), (4, 0), (usize::MAX, 1), (1, usize::MAX), (usize::MAX, usize::MAX)] {
            let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| len(start, count)));
            assert!(refused.is_err(), "{start} {count}");
        }
    }
}
