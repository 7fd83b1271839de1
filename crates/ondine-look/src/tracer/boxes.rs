//! Boxes as a ray meets them: eight at once.

use super::tree::Scaled;
use crate::lanes::{Eight, LANES};
use glam::Vec3A;
use obvhs::aabb::Aabb;

/// Eight boxes: their lower and their upper ends, by axis, and what is in them. In four lines of the processor's memory. Not
/// in vectors of glam, which reckons with one number at a time here: rapier asks it to, for the same bits everywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Boxes {
    ends: [[[f32; LANES]; 3]; 2],
    /// What is in each.
    pub inside: [Inside; LANES],
}

/// What is in a box: the number of a leaf in its upper bits and how many things it has in the lower, or the number of
/// other boxes and 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inside(u32);

/// A ray as boxes are met with it.
pub struct Slanted<V> {
    from: [V; 3],
    /// 1 over the direction.
    scale: [V; 3],
    /// Along each axis, which ends of boxes come first.
    first: [usize; 3],
}

impl Inside {
    /// Bits of the number of things.
    const BITS: u32 = 4;

    pub fn new(number: u32, count: u32) -> Self {
        Self(number << Self::BITS | count)
    }

    #[inline(always)]
    pub fn number(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    #[inline(always)]
    pub fn count(self) -> usize {
        (self.0 & ((1 << Self::BITS) - 1)) as usize
    }
}

impl<V: Eight> Slanted<V> {
    #[inline(always)]
    pub fn new(ray: &Scaled) -> Self {
        // Not infinite: times 0 that would be no number.
        let steepest = Vec3A::splat(f32::MAX);
        let (from, scale) = (ray.origin, ray.inv_direction.clamp(-steepest, steepest));
        Self {
            from: [V::splat(from.x), V::splat(from.y), V::splat(from.z)],
            scale: [V::splat(scale.x), V::splat(scale.y), V::splat(scale.z)],
            first: [usize::from(scale.x < 0.0), usize::from(scale.y < 0.0), usize::from(scale.z < 0.0)],
        }
    }
}

impl Boxes {
    /// Boxes that no ray meets.
    pub const NONE: Boxes = Boxes { ends: [[[f32::INFINITY; LANES]; 3]; 2], inside: [Inside(0); LANES] };

    pub fn put(&mut self, lane: usize, bounds: &Aabb, inside: Inside) {
        for axis in 0..3 {
            self.ends[0][axis][lane] = bounds.min[axis];
            self.ends[1][axis][lane] = bounds.max[axis];
        }
        self.inside[lane] = inside;
    }

    /// How far each box is, and which are met, as bits.
    #[inline(always)]
    pub fn met<V: Eight>(&self, ray: &Slanted<V>, least: f32, most: f32) -> ([f32; LANES], u32) {
        let (mut near, mut far) = (V::splat(least), V::splat(most));
        for axis in 0..3 {
            let first = ray.first[axis];
            let at =
                |end: usize| V::from_array(self.ends[end][axis]).sub(ray.from[axis]).mul(ray.scale[axis]);
            near = near.max(at(first));
            far = far.min(at(1 - first));
        }
        (near.to_array(), !far.less(near) & ((1 << LANES) - 1))
    }
}
