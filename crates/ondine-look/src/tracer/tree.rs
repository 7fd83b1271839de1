//! Boxes in a tree, so that a ray asks only about what is near its way.

use super::ray::Ray;
use glam::{Vec3, Vec3A, Vec4};
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

/// A ray in the unit of a tree.
pub type Scaled = obvhs::ray::Ray;

/// Longest side of a tree's boxes in its own unit: small scenes are as well reckoned with as large ones.
const SIZE: f32 = 1000.0;

/// Share of the boxes that are moved to a better place in trees that are built once and asked often.
const REINSERTED: f32 = 0.05;

/// The most boxes in a leaf, and what a step down the tree costs in boxes asked.
const MOST: u32 = 4;
const STEP: f32 = 2.0;

/// Room for nodes that wait to be looked at: three for each level, in trees that are no deeper than this allows. Deeper
/// ones would need more boxes in the same place than there are particles in a scene.
const WAITING: usize = 96;

/// How much work goes into a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Care {
    /// For one picture.
    Fast,
    /// For all pictures of a scene.
    Thorough,
}

/// The place and the unit of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    middle: Vec3A,
    scale: f32,
}

impl Unit {
    /// For what lies in a box.
    pub fn of((low, high): (Vec3, Vec3)) -> Self {
        let side = (high - low).max_element().max(1e-9);
        Self { middle: (0.5 * (low + high)).into(), scale: SIZE / side }
    }

    /// A point in the unit.
    pub fn point(&self, p: impl Into<Vec3A>) -> Vec3A {
        (p.into() - self.middle) * self.scale
    }

    /// A length in the unit.
    pub fn length(&self, length: f32) -> f32 {
        length * self.scale
    }

    /// A ray of at most a length [m] in the unit.
    pub fn ray(&self, ray: &Ray, most: f32) -> Scaled {
        Scaled::new(self.point(ray.from), ray.along, 0.0, most * self.scale)
    }

    /// A length of the unit in metres.
    pub fn metres(&self, length: f32) -> f32 {
        length / self.scale
    }
}

/// The tree. What is in the boxes is told by those who ask.
///
/// The builder's tree of pairs with two levels in one: four boxes are met by a ray at once.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Four>,
}

/// Four boxes, by axis, and what is in them.
#[derive(Clone, Copy, Debug)]
struct Four {
    low: [Vec4; 3],
    high: [Vec4; 3],
    inside: [Inside; 4],
}

/// What is in a box: the number of the first thing in its upper bits and how many in the lower, or the number of a node
/// and 0.
#[derive(Clone, Copy, Debug, Default)]
struct Inside(u32);

impl Inside {
    /// Bits of the number of things.
    const BITS: u32 = 3;

    fn new(first: u32, count: u32) -> Self {
        Self(first << Self::BITS | count)
    }

    fn first(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    fn count(self) -> usize {
        (self.0 & ((1 << Self::BITS) - 1)) as usize
    }
}

impl Tree {
    /// A tree of boxes, all finite, and the order in which it asks for them: numbers that it gives are places in this order.
    pub fn new(boxes: &[Aabb], care: Care) -> (Self, Vec<u32>) {
        let (reach, shallow) = match care {
            Care::Fast => (PlocSearchDistance::Low, 2),
            Care::Thorough => (PlocSearchDistance::Medium, 3),
        };
        let all = (0..boxes.len() as u32).collect();
        let builder = &mut PlocBuilder::with_capacity(boxes.len());
        let mut pairs = builder.build(reach, boxes, all, SortPrecision::U64, shallow);
        if care == Care::Thorough {
            ReinsertionOptimizer::default().run(&mut pairs, REINSERTED, None);
        }
        collapse(&mut pairs, MOST, STEP);
        let mut tree = Self::default();
        if let Some(root) = pairs.nodes.first() {
            tree.add(&pairs, &[*root]);
        }
        (tree, pairs.primitive_indices)
    }

    /// Adds a node of the builder's nodes, and all below it. Its number.
    fn add(&mut self, pairs: &Bvh2, of: &[Bvh2Node]) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Four::EMPTY);
        let mut children = of.to_vec();
        // The largest box is opened first.
        while children.len() < 4 {
            let size = |n: &Bvh2Node| n.aabb().half_area();
            let inner = children.iter().enumerate().filter(|(_, n)| !n.is_leaf());
            let Some((i, _)) = inner.max_by(|a, b| size(a.1).total_cmp(&size(b.1))) else { break };
            let first = children.swap_remove(i).first_index as usize;
            children.extend([pairs.nodes[first], pairs.nodes[first + 1]]);
        }
        for (lane, child) in children.iter().enumerate() {
            let inside = if child.is_leaf() {
                Inside::new(child.first_index, child.prim_count)
            } else {
                let first = child.first_index as usize;
                Inside::new(self.add(pairs, &[pairs.nodes[first], pairs.nodes[first + 1]]), 0)
            };
            self.nodes[number].put(lane, child.aabb(), inside);
        }
        number as u32
    }

    /// The nearest of what `meets` finds at a distance on a ray; infinity is not met.
    pub fn nearest(&self, ray: Scaled, mut meets: impl FnMut(&Scaled, usize) -> f32) -> Option<(usize, f32)> {
        let mut best = None;
        self.walk(ray, |ray, i| {
            let distance = meets(ray, i);
            if distance < ray.tmax {
                ray.tmax = distance;
                best = Some((i, distance));
            }
            false
        });
        best
    }

    /// Asks about everything on a ray, until `stops` says that it is enough. Whether it did.
    pub fn until(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, usize) -> bool) -> bool {
        self.walk(ray, |ray, i| stops(ray, i))
    }

    /// Asks about what is in the boxes that a ray meets, near ones first, until one says stop.
    #[inline(always)]
    fn walk(&self, mut ray: Scaled, mut each: impl FnMut(&mut Scaled, usize) -> bool) -> bool {
        let mut waiting = [(0.0f32, Inside::default()); WAITING];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let (near, inside) = waiting[count];
            if near >= ray.tmax {
                continue;
            }
            if inside.count() > 0 {
                if (inside.first()..inside.first() + inside.count()).any(|i| each(&mut ray, i)) {
                    return true;
                }
                continue;
            }
            let node = &self.nodes[inside.first()];
            let (nears, mut met) = node.met(&ray);
            let start = count;
            while met != 0 && count < WAITING {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                // The farthest lies lowest.
                let mut place = count;
                while place > start && waiting[place - 1].0 < nears[lane] {
                    waiting[place] = waiting[place - 1];
                    place -= 1;
                }
                waiting[place] = (nears[lane], node.inside[lane]);
                count += 1;
            }
        }
        false
    }
}

impl Four {
    /// Boxes that no ray meets.
    const EMPTY: Four = Four { low: [Vec4::INFINITY; 3], high: [Vec4::INFINITY; 3], inside: [Inside(0); 4] };

    fn put(&mut self, lane: usize, bounds: &Aabb, inside: Inside) {
        for axis in 0..3 {
            self.low[axis][lane] = bounds.min[axis];
            self.high[axis][lane] = bounds.max[axis];
        }
        self.inside[lane] = inside;
    }

    /// How far each box is, and which are met, as bits.
    #[inline(always)]
    fn met(&self, ray: &Scaled) -> ([f32; 4], u32) {
        let (mut near, mut far) = (Vec4::splat(ray.tmin), Vec4::splat(ray.tmax));
        for axis in 0..3 {
            let (from, scale) = (Vec4::splat(ray.origin[axis]), Vec4::splat(ray.inv_direction[axis]));
            let (a, b) = ((self.low[axis] - from) * scale, (self.high[axis] - from) * scale);
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        (near.to_array(), near.cmple(far).bitmask())
    }
}
