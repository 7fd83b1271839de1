//! A node of a hierarchy: eight boxes, which a ray meets at once.

use super::bvh::BvhRay;
use super::lanes::{Eight, LANES};
use glam::Vec3A;
use obvhs::aabb::Aabb;

/// Eight boxes: their lower and their upper ends, by axis, and what is in them. In four lines of the processor's memory. Not
/// in vectors of glam, which reckons with one number at a time here: rapier asks it to, for the same bits everywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct BvhNode {
    ends: [[[f32; LANES]; 3]; 2],
    /// What is in each.
    pub children: [Child; LANES],
}

/// What is in a box: the number of a leaf in its upper bits and how many primitives it has in the lower, or the number of
/// another node and 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Child(u32);

/// A ray as nodes are met with it.
pub struct NodeRay<V> {
    origin: [V; 3],
    /// 1 over the direction.
    inverse: [V; 3],
    /// Along each axis, which ends of boxes come first.
    first: [usize; 3],
}

impl Child {
    /// Bits of the number of primitives.
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

impl<V: Eight> NodeRay<V> {
    #[inline(always)]
    pub fn new(ray: &BvhRay) -> Self {
        // Not infinite: times 0 that would be no number.
        let steepest = Vec3A::splat(f32::MAX);
        let (origin, inverse) = (ray.origin, ray.inv_direction.clamp(-steepest, steepest));
        Self {
            origin: [V::splat(origin.x), V::splat(origin.y), V::splat(origin.z)],
            inverse: [V::splat(inverse.x), V::splat(inverse.y), V::splat(inverse.z)],
            first: [usize::from(inverse.x < 0.0), usize::from(inverse.y < 0.0), usize::from(inverse.z < 0.0)],
        }
    }
}

impl BvhNode {
    /// BvhNode that no ray meets.
    pub const EMPTY: BvhNode =
        BvhNode { ends: [[[f32::INFINITY; LANES]; 3]; 2], children: [Child(0); LANES] };

    pub fn set(&mut self, lane: usize, bounds: &Aabb, child: Child) {
        for axis in 0..3 {
            self.ends[0][axis][lane] = bounds.min[axis];
            self.ends[1][axis][lane] = bounds.max[axis];
        }
        self.children[lane] = child;
    }

    /// How far each box is, and which are hit, as bits (slab test).
    #[inline(always)]
    pub fn intersect<V: Eight>(&self, ray: &NodeRay<V>, t_min: f32, t_max: f32) -> ([f32; LANES], u32) {
        let (mut near, mut far) = (V::splat(t_min), V::splat(t_max));
        for axis in 0..3 {
            let first = ray.first[axis];
            let at =
                |end: usize| V::from_array(self.ends[end][axis]).sub(ray.origin[axis]).mul(ray.inverse[axis]);
            near = near.max(at(first));
            far = far.min(at(1 - first));
        }
        (near.to_array(), !far.less(near) & ((1 << LANES) - 1))
    }
}
