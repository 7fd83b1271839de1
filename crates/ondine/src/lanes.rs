//! Eight numbers at a time, the same bits on every machine.
//!
//! Inner loops are written once over [`Lanes`] and compiled three times: with AVX2, with AVX2 and the registers of AVX-512,
//! chosen at run time, and in plain Rust. All have eight lanes, use only correctly rounded operations (products and sums fused where it is written, never behind the
//! compiler's back; no reciprocal estimates) and sum lanes in one fixed order, so which one runs cannot be seen in the result.

/// Eight f32 values, as everybody may reckon with them.
pub trait Eight: Copy {
    /// The same value in every lane.
    fn splat(value: f32) -> Self;
    /// From an array.
    fn from_array(values: [f32; 8]) -> Self;
    /// As an array.
    fn to_array(self) -> [f32; 8];
    /// The sum of each two.
    fn add(self, other: Self) -> Self;
    /// The difference of each two.
    fn sub(self, other: Self) -> Self;
    /// The product of each two.
    fn mul(self, other: Self) -> Self;
    /// The quotient of each two.
    fn div(self, other: Self) -> Self;
    /// The larger of each two, where both are numbers.
    fn max(self, other: Self) -> Self;
    /// The smaller of each two, where both are numbers.
    fn min(self, other: Self) -> Self;
    /// One bit a lane: where self is less than other, and both are numbers.
    fn less(self, other: Self) -> u32;
    /// Self where `low` is less than `high`, else 0.
    fn where_less(self, low: Self, high: Self) -> Self;
}

/// The same for inner loops of the engine. What is not a number is followed by `other` in `max` and `min`.
///
/// # Safety
/// Lists of neighbours rely on it that `compress_numbers` begins with the numbers of the lanes in the mask.
pub unsafe trait Lanes: Eight {
    /// self·factor + summand, rounded once.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// A first guess of 1/√x from the bits of x, good to some 3 %.
    fn inverse_sqrt_guess(self) -> Self;
    /// 1/√x to within two units in the last place; finite for 0. Three rounds of Newton's method on the guess, because
    /// a division and a root take three times as long and the processors' own estimates differ.
    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        let half = self.mul(Self::splat(0.5));
        let mut y = self.inverse_sqrt_guess();
        for _ in 0..3 {
            y = y.mul(Self::splat(1.5).sub(half.mul(y).mul(y)));
        }
        y
    }
    /// Moves the lanes whose bit is set in `mask` to the front, in order. The others are anything.
    fn compress(self, mask: u32) -> [f32; 8];
    /// The numbers of the lanes set in `mask`, counted from `base`, in order, and then anything.
    fn compress_numbers(base: u32, mask: u32) -> [u32; 8];
    /// Of eight rows of four values, each of the four for all eight.
    fn from_rows(rows: &[[f32; 4]; 8]) -> [Self; 4];
    /// The sum of the lanes: ((0+4)+(2+6)) + ((1+5)+(3+7)).
    fn sum(self) -> f32;
}

/// Bits from which half the bits of x are taken to guess 1/√x: the exponent is negated and halved, and the rest makes the
/// largest error smallest.
const GUESS: u32 = 0x5f37_59df;

/// For each mask, the numbers of its set bits in order, one a byte.
static SET_BITS: [u64; 256] = {
    let mut table = [0u64; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut shift) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= lane << shift;
                shift += 8;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// Plain Rust.
#[derive(Clone, Copy)]
pub struct Portable([f32; 8]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Eight for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    fn from_array(values: [f32; 8]) -> Self {
        Self(values)
    }
    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self.0
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        (0..8).fold(0, |mask, i| mask | u32::from(self.0[i] < other.0[i]) << i)
    }
    #[inline(always)]
    fn where_less(self, low: Self, high: Self) -> Self {
        Self(std::array::from_fn(|i| if low.0[i] < high.0[i] { self.0[i] } else { 0.0 }))
    }
}

// SAFETY: it does.
unsafe impl Lanes for Portable {
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].mul_add(factor.0[i], summand.0[i])))
    }
    #[inline(always)]
    fn inverse_sqrt_guess(self) -> Self {
        Self(self.0.map(|x| f32::from_bits(GUESS.wrapping_sub(x.to_bits() >> 1))))
    }
    #[inline(always)]
    fn compress(self, mask: u32) -> [f32; 8] {
        SET_BITS[(mask & 255) as usize].to_le_bytes().map(|lane| self.0[lane as usize])
    }
    #[inline(always)]
    fn compress_numbers(base: u32, mask: u32) -> [u32; 8] {
        SET_BITS[(mask & 255) as usize].to_le_bytes().map(|lane| base.wrapping_add(lane as u32))
    }
    #[inline(always)]
    fn from_rows(rows: &[[f32; 4]; 8]) -> [Self; 4] {
        std::array::from_fn(|c| Self(std::array::from_fn(|i| rows[i][c])))
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        let v = self.0;
        ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
    }
}

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Eight, GUESS, Lanes, SET_BITS};
    use std::arch::x86_64::*;

    /// AVX2. Must only be used where the processor has it; [`super::widest!`] is the one place that does.
    #[derive(Clone, Copy)]
    pub struct Avx2(__m256);

    // SAFETY (all methods): values of this type exist only inside functions compiled for AVX2, which `widest!` calls
    // only after asking the processor.
    impl Eight for Avx2 {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        fn from_array(values: [f32; 8]) -> Self {
            Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
        }
        #[inline(always)]
        fn to_array(self) -> [f32; 8] {
            let mut values = [0.0; 8];
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
            values
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            Self(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(unsafe { _mm256_min_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn less(self, other: Self) -> u32 {
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn where_less(self, low: Self, high: Self) -> Self {
            Self(unsafe { _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_LT_OQ>(low.0, high.0)) })
        }
    }

    // SAFETY: it does.
    unsafe impl Lanes for Avx2 {
        #[inline(always)]
        fn mul_add(self, factor: Self, summand: Self) -> Self {
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, summand.0) })
        }
        #[inline(always)]
        fn inverse_sqrt_guess(self) -> Self {
            Self(unsafe {
                let halved = _mm256_srli_epi32::<1>(_mm256_castps_si256(self.0));
                _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(GUESS as i32), halved))
            })
        }
        #[inline(always)]
        fn compress(self, mask: u32) -> [f32; 8] {
            Self(unsafe { _mm256_permutevar8x32_ps(self.0, picks(mask)) }).to_array()
        }
        #[inline(always)]
        fn compress_numbers(base: u32, mask: u32) -> [u32; 8] {
            let mut numbers = [0; 8];
            unsafe {
                let all = _mm256_add_epi32(_mm256_set1_epi32(base as i32), picks(mask));
                _mm256_storeu_si256(numbers.as_mut_ptr().cast(), all);
            }
            numbers
        }
        #[inline(always)]
        fn from_rows(rows: &[[f32; 4]; 8]) -> [Self; 4] {
            unsafe {
                let row = |i: usize| _mm_loadu_ps(rows[i].as_ptr());
                let two = |i: usize| _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(row(i)), row(i + 4));
                let (a, b, c, d) = (two(0), two(1), two(2), two(3));
                let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                [
                    Self(_mm256_shuffle_ps::<0x44>(ab_low, cd_low)),
                    Self(_mm256_shuffle_ps::<0xEE>(ab_low, cd_low)),
                    Self(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
                    Self(_mm256_shuffle_ps::<0xEE>(ab_high, cd_high)),
                ]
            }
        }
        #[inline(always)]
        fn sum(self) -> f32 {
            unsafe {
                let halves = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let pairs = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
                _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps::<1>(pairs, pairs)))
            }
        }
    }

    /// The lane numbers of a mask's set bits, widened to 32 bits.
    #[inline(always)]
    unsafe fn picks(mask: u32) -> __m256i {
        unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(SET_BITS[(mask & 255) as usize] as i64)) }
    }
}

/// Set by a test to run on plain Rust alone. Other tests that run meanwhile are slower and, this being its point, else the
/// same.
#[cfg(test)]
pub static PLAIN_ONLY: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Whether the processor has AVX2, fused multiplication and addition, and the bit operations that came before them.
#[cfg(target_arch = "x86_64")]
pub fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    #[cfg(test)]
    if PLAIN_ONLY.load(std::sync::atomic::Ordering::Relaxed) {
        return false;
    }
    has!("avx2") && has!("fma") && has!("popcnt") && has!("bmi1") && has!("bmi2")
}

/// Whether the processor has AVX-512 for vectors of eight: the same operations with twice the registers.
#[cfg(target_arch = "x86_64")]
pub fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has_avx2() && has!("avx512f") && has!("avx512vl")
}

/// Something to be done with eight numbers at a time by crates that have no unsafe code of their own.
pub trait Work {
    /// What comes of it.
    type Out;
    /// Does it. Must be inlined, and all that it calls with `V`: code elsewhere is not compiled for the processor's vectors.
    fn done_with<V: Eight>(self) -> Self::Out;
}

/// Does something with AVX2, where the processor has it; else gives it back.
#[inline(always)]
pub fn with_avx2<W: Work>(work: W) -> Result<W::Out, W> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
        fn done<W: Work>(work: W) -> W::Out {
            work.done_with::<Avx2>()
        }
        if has_avx2() {
            // SAFETY: the processor has what the function is compiled for.
            return Ok(unsafe { done(work) });
        }
    }
    Err(work)
}

/// Defines `fn $name(args)` that runs `$body::<V>(args)` with the widest lanes of this processor.
macro_rules! widest {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? = $body:ident) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name($($arg: $ty),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2")]
                #[allow(clippy::too_many_arguments)]
                fn with_avx2($($arg: $ty),*) $(-> $out)? {
                    $body::<crate::lanes::Avx2>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,avx512f,avx512vl")]
                #[allow(clippy::too_many_arguments)]
                fn with_more_registers($($arg: $ty),*) $(-> $out)? {
                    $body::<crate::lanes::Avx2>($($arg),*)
                }
                if crate::lanes::has_avx512() {
                    // SAFETY: the processor has what the function is compiled for.
                    return unsafe { with_more_registers($($arg),*) };
                }
                if crate::lanes::has_avx2() {
                    // SAFETY: as above.
                    return unsafe { with_avx2($($arg),*) };
                }
            }
            $body::<crate::lanes::Portable>($($arg),*)
        }
    };
}
pub(crate) use widest;

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(always)]
    fn exercise<V: Lanes>(seed: u32, out: &mut Vec<u32>) {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 8) as f32 / 65536.0 - 100.0
        };
        for mask in 0..256 {
            let a: [f32; 8] = std::array::from_fn(|_| next());
            let b: [f32; 8] = std::array::from_fn(|_| next());
            let (va, vb) = (V::from_array(a), V::from_array(b));
            let rows: [[f32; 4]; 8] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
            let [w, x, y, z] = V::from_rows(&rows);
            let inverse = va.mul(va).inverse_sqrt();
            let all = [
                va.add(vb),
                va.sub(vb),
                va.mul(vb),
                va.mul_add(vb, va),
                va.div(vb),
                va.where_less(vb, va),
                inverse,
                va.max(vb),
                va.min(vb),
                w,
                x,
                y,
                z,
            ];
            for v in all {
                out.extend(v.to_array().map(f32::to_bits));
                out.push(v.sum().to_bits());
                out.extend(v.compress(mask).iter().take(mask.count_ones() as usize).map(|x| x.to_bits()));
            }
            out.extend(&V::compress_numbers(5, mask)[..mask.count_ones() as usize]);
            out.push(va.less(vb));
        }
    }

    #[test]
    fn inverse_roots_are_right() {
        for i in 0..20_000 {
            let x = 1.0009f32.powi(i - 10_000) * 1.7;
            let y = Portable::splat(x).inverse_sqrt().0[0] as f64;
            let exact = 1.0 / (x as f64).sqrt();
            assert!((y / exact - 1.0).abs() < 3e-7, "{x}: {y} for {exact}");
        }
        assert!(Portable::splat(0.0).inverse_sqrt().0[0].is_finite());
    }

    widest!(fn exercise_widest(seed: u32, out: &mut Vec<u32>) = exercise);

    #[test]
    fn every_width_gives_the_same_bits() {
        let (mut plain, mut wide) = (Vec::new(), Vec::new());
        exercise::<Portable>(7, &mut plain);
        exercise_widest(7, &mut wide);
        assert_eq!(plain, wide);
    }
}
