//! A distance function cut to a box: safe to sample whatever the function says.

use glam::Vec3;

/// A signed distance as callers hand it over, negative inside [m].
pub type Distance<'a> = dyn Fn(Vec3) -> f32 + Sync + 'a;

/// Beyond this a distance says no more than "far" [m]. Its square still fits.
const FAR: f32 = 1e18;

/// Corners farther out than this make no box [m]: areas of its size must still have a square.
const LARGEST: f32 = 1e9;

/// The part of a shape within a box.
pub struct Clipped<'a> {
    distance: &'a Distance<'a>,
    /// Middle of the box [m].
    pub middle: Vec3,
    /// Half its sides [m].
    pub half: Vec3,
}

impl<'a> Clipped<'a> {
    /// The corners may come in any order. None if the box is not finite, or so large that nothing could be computed.
    pub fn new(distance: &'a Distance<'a>, low: Vec3, high: Vec3) -> Option<Self> {
        let reach = low.abs().max(high.abs()).max_element();
        let sound = low.is_finite() && high.is_finite() && reach <= LARGEST;
        sound.then(|| Self { distance, middle: 0.5 * (low + high), half: 0.5 * (high - low).abs() })
    }

    /// Signed distance [m]. Where the function gives no number, there is nothing.
    pub fn at(&self, p: Vec3) -> f32 {
        let d = (self.distance)(p);
        if d.is_nan() {
            return FAR;
        }
        d.max(self.of_box(p)).clamp(-FAR, FAR)
    }

    /// Distance to the box alone. Most samples lie in it, where that takes no root.
    fn of_box(&self, p: Vec3) -> f32 {
        let beyond = (p - self.middle).abs() - self.half;
        let most = beyond.max_element();
        if most > 0.0 { beyond.max(Vec3::ZERO).length() } else { most }
    }

    /// The gradient by differences over `reach` [m] along the diagonals of a tetrahedron: four samples instead of six,
    /// for an error that grows with `reach` times the curvature.
    pub fn gradient(&self, p: Vec3, reach: f32) -> Vec3 {
        let diagonals =
            [Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0), Vec3::ONE];
        diagonals.iter().map(|&k| self.at(p + reach * k) * k).sum::<Vec3>() / (4.0 * reach)
    }

    /// The coordinate farthest from zero within the box [m].
    pub fn magnitude(&self) -> f32 {
        (self.middle.abs() + self.half).max_element()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_to_the_box_and_survives_anything() {
        let at =
            |value: f32, p: Vec3| Clipped::new(&move |_| value, Vec3::ONE, -Vec3::ONE).expect("a box").at(p);
        assert_eq!(at(-5.0, Vec3::ZERO), -1.0);
        assert_eq!(at(-5.0, Vec3::new(3.0, 0.0, 0.0)), 2.0);
        assert_eq!(at(f32::NAN, Vec3::ZERO), FAR);
        assert_eq!(at(f32::INFINITY, Vec3::ZERO), FAR);
        assert_eq!(at(f32::NEG_INFINITY, Vec3::ZERO), -1.0);
        assert!(Clipped::new(&|_| 0.0, Vec3::NAN, Vec3::ONE).is_none());
        assert!(Clipped::new(&|_| 0.0, Vec3::ZERO, Vec3::splat(f32::MAX)).is_none());
    }

    #[test]
    fn the_gradient_points_out() {
        let ball = |p: Vec3| p.length() - 1.0;
        let clipped = Clipped::new(&ball, Vec3::splat(-2.0), Vec3::splat(2.0)).expect("a box");
        let p = Vec3::new(0.3, -0.7, 0.4);
        assert!((clipped.gradient(p, 1e-3) - p.normalize()).length() < 2e-3);
    }
}
