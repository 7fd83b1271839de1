//! How open to the sky each sample is, guessed from the depths about it.
//!
//! A place is enclosed as far as its surroundings in the picture stand a little in front of it: screen-space
//! ambient occlusion (Mittring, "Finding next gen: CryEngine 2", 2007). Things far in front say nothing about how
//! enclosed it is.

use super::visibility::VisibilityBuffer;
use crate::camera::View;

/// Radius of the surroundings as a fraction of the picture's height.
const RADIUS: f32 = 0.03;

/// Places looked at about each sample, each with its mirror image.
const TAPS: usize = 7;

/// How dark the deepest crevice gets.
const DARKEST: f32 = 0.8;

/// The places about a sample that decide how open it is.
#[derive(Debug)]
pub struct AmbientOcclusion {
    /// [samples]
    radius: f32,
    places: [(isize, isize); TAPS],
}

impl AmbientOcclusion {
    /// For a picture of a height [samples].
    pub fn new(height: usize) -> Self {
        let radius = (RADIUS * height as f32).max(2.0);
        Self { radius, places: spiral(radius) }
    }

    /// Openness of a sample: 1 is free, 0 is enclosed.
    pub fn openness(&self, buffer: &VisibilityBuffer, view: &View, (x, y): (usize, usize)) -> f32 {
        let depth = buffer.depth(x, y);
        // One over the radius of the surroundings [1/m].
        let per_metre = view.scale_at(depth) / self.radius;
        let ahead = |(dx, dy): (isize, isize)| {
            let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            let inside = x < buffer.size().0 && y < buffer.size().1;
            inside.then(|| (depth - buffer.depth(x, y)) * per_metre)
        };
        // In pairs about the middle: a slanted plane is as far ahead on one side as behind on the other.
        let pairs = self.places.iter().map(|&(dx, dy)| {
            let pair = ahead((dx, dy)).zip(ahead((-dx, -dy)));
            pair.map_or(0.0, |(a, b)| weight(a + b.clamp(-a.abs(), 0.0)) + weight(b + a.clamp(-b.abs(), 0.0)))
        });
        1.0 - DARKEST * (pairs.sum::<f32>() / TAPS as f32).min(1.0)
    }
}

/// How much something encloses that is `ahead` by so many radii of the surroundings: most at one, nothing from five.
fn weight(ahead: f32) -> f32 {
    if ahead <= 1.0 { ahead.max(0.0) } else { ((5.0 - ahead) / 4.0).max(0.0) }
}

/// Places on a golden spiral, evenly spread over a disc.
fn spiral(radius: f32) -> [(isize, isize); TAPS] {
    std::array::from_fn(|i| {
        let angle = std::f32::consts::TAU * 0.381_966 * i as f32;
        let distance = radius * ((i as f32 + 0.5) / TAPS as f32).sqrt();
        ((distance * angle.cos()).round() as isize, (distance * angle.sin()).round() as isize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Projection;
    use crate::preview::visibility::Primitive;
    use glam::Vec3;

    const SIZE: (u32, u32) = (64, 64);

    /// The middle's openness over a field of depths.
    fn open_middle(depth: impl Fn(usize, usize) -> f32) -> f32 {
        let view = View::new(Vec3::ZERO, Vec3::NEG_Z, Projection::Orthographic(10.0), SIZE);
        let mut buffer = VisibilityBuffer::new(view.size());
        for (y, row) in buffer.rows_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(x, sample)| sample.put(depth(x, y), Primitive::Object(0)));
        }
        AmbientOcclusion::new(64).openness(&buffer, &view, (32, 32))
    }

    #[test]
    fn planes_are_open_at_any_slant() {
        assert_eq!(open_middle(|_, _| 5.0), 1.0);
        assert!(open_middle(|x, y| 50.0 + 0.3 * x as f32 - 0.2 * y as f32) > 0.999);
    }

    #[test]
    fn a_pit_is_enclosed_and_a_peak_is_not() {
        let middle = |x: usize, y: usize| x.abs_diff(32).max(y.abs_diff(32)) < 1;
        assert!(open_middle(|x, y| if middle(x, y) { 5.2 } else { 5.0 }) < 0.5);
        assert_eq!(open_middle(|x, y| if middle(x, y) { 4.8 } else { 5.0 }), 1.0);
    }

    #[test]
    fn a_thing_far_in_front_throws_no_halo() {
        assert_eq!(open_middle(|x, _| if x < 31 { 1.0 } else { 500.0 }), 1.0);
    }
}
