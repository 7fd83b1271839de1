//! Eight numbers at a time, the same bits on every machine.
//!
//! Only correctly rounded operations, none of them fused, and nothing that adds up lanes: what is chosen at run time cannot
//! be seen in a picture. The engine has the lanes of processors that not all have, and all unsafe code that they take.

pub use ondine::{Eight, Work};
use wide::f32x8;

/// Numbers in a vector.
pub const LANES: usize = 8;

/// What every processor of its kind has.
#[derive(Clone, Copy)]
struct Plain(f32x8);

impl Eight for Plain {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x8::splat(value))
    }
    #[inline(always)]
    fn from_array(values: [f32; LANES]) -> Self {
        Self(f32x8::new(values))
    }
    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        self.0.to_array()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.fast_max(other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.fast_min(other.0))
    }
    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        self.0.simd_lt(other.0).to_bitmask()
    }
    #[inline(always)]
    fn where_less(self, low: Self, high: Self) -> Self {
        Self(self.0 & low.0.simd_lt(high.0))
    }
}

/// Set by a test to run on plain lanes alone. Other tests that run meanwhile are slower and, this being its point, else the
/// same.
#[cfg(test)]
pub static PLAIN_ONLY: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Does something with the widest lanes of this processor.
#[inline(always)]
pub fn with_widest<W: Work>(work: W) -> W::Out {
    #[cfg(test)]
    if PLAIN_ONLY.load(std::sync::atomic::Ordering::Relaxed) {
        return work.done_with::<Plain>();
    }
    ondine::with_avx2(work).unwrap_or_else(|work| work.done_with::<Plain>())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Exercise(u32);

    impl Work for Exercise {
        type Out = Vec<u32>;

        #[inline(always)]
        fn done_with<V: Eight>(self) -> Vec<u32> {
            let (mut state, mut out) = (self.0, Vec::new());
            let mut next = || {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                (state >> 8) as f32 / 65536.0 - 100.0
            };
            for _ in 0..256 {
                let [a, b] = [(); 2].map(|_| V::from_array(std::array::from_fn(|_| next())));
                let b = b.add(V::splat(0.5));
                let all = [a.add(b), a.sub(b), a.mul(b), a.div(b), a.max(b), a.min(b), a.where_less(b, a)];
                all.iter().for_each(|v| out.extend(v.to_array().map(f32::to_bits)));
                out.extend([a.less(b), b.less(a), a.less(a), a.less(V::splat(f32::NAN))]);
            }
            out
        }
    }

    #[test]
    fn every_width_gives_the_same_bits() {
        assert_eq!(with_widest(Exercise(7)), Exercise(7).done_with::<Plain>());
    }
}
