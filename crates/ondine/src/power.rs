//! Whole powers with the same bits on every machine and in every build: the standard library promises no bits of its `powi`, and compilers reckon
//! constants with the platform's own `pow`.

/// Numbers that have whole powers.
pub trait Power: Copy {
    /// Its nth power, by squaring.
    fn power(self, n: u32) -> Self;
}

macro_rules! power {
    ($($of:ty)*) => {$(
        impl Power for $of {
            #[inline(always)]
            fn power(self, n: u32) -> Self {
                let (mut product, mut square, mut left) = (1.0, self, n);
                while left > 0 {
                    if left & 1 == 1 {
                        product *= square;
                    }
                    (square, left) = (square * square, left >> 1);
                }
                product
            }
        }
    )*};
}

power!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_products() {
        for x in [0.7f32, -3.1, 1e-9] {
            assert_eq!([x.power(0), x.power(1), x.power(2), x.power(3)], [1.0, x, x * x, x * x * x]);
            assert_eq!([x.power(4), x.power(5)], [x * x * (x * x), x * x * (x * x) * x]);
        }
        assert_eq!(2f64.power(100), 1_267_650_600_228_229_401_496_703_205_376.0);
        assert_eq!(f32::MAX.power(2), f32::INFINITY);
    }
}
