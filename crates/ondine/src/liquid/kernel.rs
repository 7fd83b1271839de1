//! The weights of neighbours in the default method: polynomials of v = 1 − q², none of which takes a root.
//!
//! Thesis 000 weighs neighbours by (1−q)² and (1−q)³. A liquid at rest shows what is wrong with such weights: their sums depend on
//! how particles happen to be packed, and what the packings of one volume differ by, times the stiffness, is a stress that
//! it takes to shear the liquid at all. The weight of a density here,
//!
//! W = (13 v³ + 38 v⁵ + 49 v⁷)/100,
//!
//! is fitted to have sums that do not: cubic lattices of all three kinds, sheared, stretched, and particles of a pool at rest,
//! differ by 0.04 % of their volume at a support of 2.2 in space, hexagonal, sheared and square ones by 0.03 % at 3 in the plane (Wendland's
//! C² kernel: 0.3 % and 0.05 %, the thesis's: more than 1 %). Its Fourier transform is above −0.0004 of its integral, so that no pairs form.
//!
//! Others follow from it: forces have −dW/du, u = q², tension the derivative of that. Viscosity weighs by g, close to the thesis's (1−q)/q².

use crate::lanes::Lanes;

/// The coefficients of v³, v⁵ and v⁷ in W.
const WEIGHT: [f32; 3] = [0.13, 0.38, 0.49];
/// Those of v², v⁴ and v⁶ in −dW/du.
const PUSH: [f32; 3] = [3.0 * WEIGHT[0], 5.0 * WEIGHT[1], 7.0 * WEIGHT[2]];
/// Those of v, v³ and v⁵ in d²W/du².
const STRETCH: [f32; 3] = [2.0 * PUSH[0], 4.0 * PUSH[1], 6.0 * PUSH[2]];
/// Those of v and v⁴ in g.
const DRAG: [f32; 2] = [0.52, 5.6];
/// Those of 1, v and v² in 1/q, roughly, where neighbours are.
const PER_Q: [f32; 3] = [1.0, 0.6, 1.15];

/// The last coefficient of −dW/du.
pub const LAST_PUSH: f32 = PUSH[2];
/// That of g.
pub const LAST_DRAG: f32 = DRAG[1];
/// That of 1/q.
pub const LAST_PER_Q: f32 = PER_Q[2];

/// Σ c_k w^k.
#[inline(always)]
fn horner<V: Lanes>(c: [f32; 3], w: V) -> V {
    V::splat(c[2]).mul_add(w, V::splat(c[1])).mul_add(w, V::splat(c[0]))
}

/// As [`horner`], over the last coefficient: an addition in place of a product. Whoever sums such values multiplies the sum by the
/// coefficient.
#[inline(always)]
fn over_last<V: Lanes>(c: [f32; 3], w: V) -> V {
    w.add(V::splat(c[1] / c[2])).mul_add(w, V::splat(c[0] / c[2]))
}

/// What neighbours count in a density sum.
pub trait Weight {
    /// What a sum is multiplied by when all are added.
    const SCALE: f32;
    /// What is then added, for a particle stands in its own list.
    const OWN: f32;
    /// A sum, and a share of the weight of v more, over [`Weight::SCALE`].
    fn add<V: Lanes>(v: V, share: V, sum: V) -> V;
}

/// W.
pub struct Fitted;

impl Weight for Fitted {
    const SCALE: f32 = WEIGHT[2];
    const OWN: f32 = -1.0;

    #[inline(always)]
    fn add<V: Lanes>(v: V, share: V, sum: V) -> V {
        let w = v.mul(v);
        over_last(WEIGHT, w).mul_add(w.mul(v).mul(share), sum)
    }
}

/// W and −dW/du of v.
#[inline(always)]
pub fn weight_and_push<V: Lanes>(v: V) -> [V; 2] {
    let w = v.mul(v);
    [horner(WEIGHT, w).mul(w.mul(v)), horner(PUSH, w).mul(w)]
}

/// −dW/du of v over [`LAST_PUSH`].
#[inline(always)]
pub fn push<V: Lanes>(v: V) -> V {
    let w = v.mul(v);
    over_last(PUSH, w).mul(w)
}

/// −dW/du of v, and the derivative of that by u, negative.
#[inline(always)]
pub fn push_and_stretch<V: Lanes>(v: V) -> [V; 2] {
    let w = v.mul(v);
    [horner(PUSH, w).mul(w), horner(STRETCH, w).mul(v)]
}

/// g of v over [`LAST_DRAG`].
#[inline(always)]
pub fn drag<V: Lanes>(v: V) -> V {
    v.mul(v).mul_add(v, V::splat(DRAG[0] / DRAG[1])).mul(v)
}

/// About 1/q of v, over [`LAST_PER_Q`].
#[inline(always)]
pub fn per_q<V: Lanes>(v: V) -> V {
    over_last(PER_Q, v)
}

/// The same for sums over packings: W, −dW/du and g at q.
pub fn at(q: f64) -> [f64; 3] {
    let v = (1.0 - q * q).max(0.0);
    let w = v * v;
    let sum = |c: [f32; 3]| c[0] as f64 + w * (c[1] as f64 + w * c[2] as f64);
    [sum(WEIGHT) * w * v, sum(PUSH) * w, DRAG[0] as f64 * v + DRAG[1] as f64 * w * w]
}

/// The integral of W over the unit ball, or disc.
pub fn integral(planar: bool) -> f64 {
    // ∫ (1−q²)^n is π/(n+1) in the plane, and 2π B(3/2, n+1) = 4π · (2·4·…·2n)/(3·5·…·(2n+3)) in space.
    let of = |n: u32| match planar {
        true => std::f64::consts::PI / (n + 1) as f64,
        false => {
            (1..=n).map(|k| (2 * k) as f64 / (2 * k + 3) as f64).product::<f64>() * 4.0 * std::f64::consts::PI
                / 3.0
        }
    };
    WEIGHT.iter().zip([3, 5, 7]).map(|(c, n)| *c as f64 * of(n)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Eight, Portable};

    /// Forces follow from the density's energy, and tension's from its own, only if one is the other's derivative.
    #[test]
    fn each_is_the_derivative_of_the_one_before() {
        let lane = |v: Portable| v.to_array()[0] as f64;
        for k in 1..20 {
            let (v, e) = (k as f32 / 20.0, 1e-2);
            let weight = |v: Portable| Fitted::add(v, Portable::splat(Fitted::SCALE), Portable::splat(0.0));
            let push = |v: Portable| push(v).mul(Portable::splat(LAST_PUSH));
            let around = |f: &dyn Fn(Portable) -> Portable| {
                (lane(f(Portable::splat(v + e))) - lane(f(Portable::splat(v - e)))) / (2.0 * e as f64)
            };
            let [pushed, stretched] = push_and_stretch(Portable::splat(v)).map(lane);
            assert!((around(&weight) - pushed).abs() < 2e-3, "{v}");
            assert!((around(&push) - stretched).abs() < 2e-2, "{v}");
            let q = (1.0 - v as f64).sqrt();
            assert!((at(q)[0] - lane(weight(Portable::splat(v)))).abs() < 1e-6);
            assert!((at(q)[2] - (LAST_DRAG as f64) * lane(drag(Portable::splat(v)))).abs() < 1e-5);
        }
    }

    #[test]
    fn integrals_are_right() {
        for planar in [false, true] {
            let n = 20_000;
            let shell = |i: u32| {
                let q = (i as f64 + 0.5) / n as f64;
                at(q)[0] * if planar { 2.0 * q } else { 4.0 * q * q } * std::f64::consts::PI / n as f64
            };
            let sum: f64 = (0..n).map(shell).sum();
            assert!((integral(planar) / sum - 1.0).abs() < 1e-6, "{} for {sum}", integral(planar));
        }
    }
}
