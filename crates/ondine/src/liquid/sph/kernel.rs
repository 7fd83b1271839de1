//! The kernels of text 002, normalised in the plane and in space.
//!
//! | sum | kernel | in the plane | in space |
//! |---|---|---|---|
//! | density | poly6, (1 − q²)³ | 4/(π h²) | 315/(64π h³) |
//! | pressure | slope of spiky, (1 − q)² | 30/(π h³) | 45/(π h⁴) |
//! | viscosity | Laplacian, 1 − q | 40/(π h⁴) | 45/(π h⁵) |
//!
//! In the plane these are the source's printed numbers (its 15 is half of 30), in space those of Müller's paper.

use crate::lanes::Lanes;
use crate::liquid::kernel::Weight;
use std::f32::consts::PI;

/// The weight of densities, v³ with v = 1 − q².
pub struct Poly6;

impl Weight for Poly6 {
    const SCALE: f32 = 1.0;
    /// A particle counts in its own density.
    const OWN: f32 = 0.0;

    #[inline(always)]
    fn add<V: Lanes>(v: V, share: V, sum: V) -> V {
        v.mul(v).mul_add(v.mul(share), sum)
    }
}

/// The factor of poly6, over h to the power of the dimension.
pub fn poly6(planar: bool) -> f32 {
    if planar { 4.0 / PI } else { 315.0 / (64.0 * PI) }
}

/// The factor of the slope of spiky, over h to the power of the dimension and one more.
pub fn spiky(dimension: u32) -> f32 {
    if dimension == 2 { 30.0 / PI } else { 45.0 / PI }
}

/// The factor of the Laplacian, over h to the power of the dimension and two more.
pub fn laplacian(dimension: u32) -> f32 {
    if dimension == 2 { 40.0 / PI } else { 45.0 / PI }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ f(q) over the unit disc or ball.
    fn integral(planar: bool, f: impl Fn(f64) -> f64) -> f64 {
        let n = 20_000;
        let shell = |i: u32| {
            let q = (i as f64 + 0.5) / n as f64;
            let area = if planar { 2.0 * q } else { 4.0 * q * q } * std::f64::consts::PI;
            f(q) * area / n as f64
        };
        (0..n).map(shell).sum()
    }

    /// Poly6 weighs 1 together; so does the kernel whose slope is spiky's: ∫ r |∇W| is the dimension.
    #[test]
    fn kernels_are_normalised() {
        for (planar, dimension) in [(true, 2), (false, 3)] {
            let whole = integral(planar, |q| poly6(planar) as f64 * (1.0 - q * q).powi(3));
            assert!((whole - 1.0).abs() < 1e-6, "{whole}");
            let slope = integral(planar, |q| spiky(dimension) as f64 * q * (1.0 - q).powi(2));
            assert!((slope / dimension as f64 - 1.0).abs() < 1e-6, "{slope}");
        }
    }

    /// SP-04: density on a lattice over its true one, by h over the spacing.
    #[test]
    fn lattices_have_their_density() {
        let square = [(1.3, 0.9585), (2.0, 1.0146), (2.5, 0.9940), (3.0, 1.0023), (4.0, 1.0005)];
        let hexagonal = [(1.3, 0.9189), (2.0, 0.9993), (2.5, 1.0021), (3.0, 0.9988), (4.0, 0.9996)];
        let row = || -9..=9;
        let points = |wide: f64, high: f64, lean: f64| {
            let of = move |(i, j): (i32, i32)| (wide * (i as f64 + lean * j as f64)).hypot(high * j as f64);
            row().flat_map(|j| row().map(move |i| (i, j))).map(of).collect::<Vec<f64>>()
        };
        // Rows of the hexagonal lattice are as far apart as its points are in a row of the square one, for one point an area of 1: there
        // h is measured in the distance of neighbours.
        for (table, all, area) in [
            (square, points(1.0, 1.0, 0.0), 1.0),
            (hexagonal, points(1.0, 0.75f64.sqrt(), 0.5), 0.75f64.sqrt()),
        ] {
            for (h, wanted) in table {
                let weight = |r: &f64| (1.0 - (r / h).powi(2)).max(0.0).powi(3);
                let sum: f64 = all.iter().map(weight).sum();
                let ratio = poly6(true) as f64 / (h * h) * area * sum;
                assert!((ratio - wanted).abs() < 6e-5, "h of {h}: {ratio} for {wanted}");
            }
        }
    }
}
