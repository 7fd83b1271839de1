//! Memory that the program takes, counted while a benchmark asks for it.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static COUNTING: AtomicBool = AtomicBool::new(false);
/// Signed: what was there before the count may go during it.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// A count of the memory taken from its start on. One at a time: a second would count what the first does.
#[derive(Debug)]
pub struct Count(());

impl Count {
    /// Begins to count at 0.
    pub fn begin() -> Self {
        LIVE.store(0, Relaxed);
        PEAK.store(0, Relaxed);
        COUNTING.store(true, Relaxed);
        Self(())
    }

    /// Most bytes alive at once while `work` is done, and what the work gives.
    pub fn peak_of<R>(&self, work: impl FnOnce() -> R) -> (u64, R) {
        PEAK.store(LIVE.load(Relaxed), Relaxed);
        let result = work();
        (PEAK.load(Relaxed).max(0) as u64, result)
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        COUNTING.store(false, Relaxed);
    }
}

/// The system's allocator, with a count of the bytes that are alive.
struct Counting;

fn count(change: isize) {
    if COUNTING.load(Relaxed) {
        let live = LIVE.fetch_add(change, Relaxed) + change;
        PEAK.fetch_max(live, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator as it came; counting touches nothing but three numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(start, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(start, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_sees_what_is_taken_and_given_back() {
        // Other tests run at the same time and are counted too; what is taken here dwarfs them.
        const MUCH: usize = 1 << 28;
        let count = Count::begin();
        let (peak, taken) = count.peak_of(|| Vec::<u8>::with_capacity(MUCH));
        assert!((MUCH as u64..2 * MUCH as u64).contains(&peak), "{peak}");
        drop(taken);
        let (after, ()) = count.peak_of(|| ());
        assert!(after < MUCH as u64 / 2, "{after}");
    }
}
