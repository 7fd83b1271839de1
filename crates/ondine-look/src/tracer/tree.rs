//! Boxes in a tree, so that a ray asks only about what is near its way.

use super::ray::Ray;
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use std::ops::Range;
use wide::f32x4;

/// A ray in the unit of a tree.
pub type Scaled = obvhs::ray::Ray;

/// Longest side of a tree's boxes in its own unit: small scenes are as well reckoned with as large ones.
const SIZE: f32 = 1000.0;

/// Share of the boxes that are moved to a better place, and first rounds of building in which only next neighbours are paired.
/// It takes a while, but a tree is asked a million times for each picture.
const REINSERTED: f32 = 0.05;
const SHALLOW: usize = 3;

/// The most boxes in a leaf.
pub const MOST: usize = 4;

/// Nodes that wait to be looked at, at hand: up to three for each level that a ray has gone down. More of them are rare, and
/// wait elsewhere; room for all would take longer to clear than most rays take.
const AT_HAND: usize = 32;

/// Boxes in a node.
const LANES: usize = 4;

/// How things in a leaf are asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// One after the other.
    OneByOne,
    /// All together, so that few full leaves are better than many.
    AtOnce,
}

impl Asked {
    /// What a step down the tree costs, in things asked.
    fn step(self) -> f32 {
        match self {
            Asked::OneByOne => 1.0,
            Asked::AtOnce => 8.0,
        }
    }
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
    /// Of each leaf, the place of the first thing in it.
    firsts: Vec<u32>,
}

/// Things that are asked about together, at most [`MOST`].
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Its number among all leaves.
    pub number: usize,
    /// How many things it has.
    pub count: usize,
}

/// Four boxes: their lower and their upper ends, by axis, and what is in them. In two lines of the processor's memory. Not in
/// vectors of glam, which reckons with one number at a time here: rapier asks it to, for the same bits everywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Four {
    ends: [[f32x4; 3]; 2],
    inside: [Inside; 4],
}

/// A ray as boxes are met with it.
struct Slanted {
    from: [f32x4; 3],
    /// 1 over the direction.
    scale: [f32x4; 3],
    /// Along each axis, which ends of boxes come first.
    first: [usize; 3],
}

/// What is in a box: the number of a leaf in its upper bits and how many things it has in the lower, or the number of a
/// node and 0.
#[derive(Clone, Copy, Debug, Default)]
struct Inside(u32);

impl Inside {
    /// Bits of the number of things.
    const BITS: u32 = 3;

    fn new(number: u32, count: u32) -> Self {
        Self(number << Self::BITS | count)
    }

    fn number(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    fn count(self) -> usize {
        (self.0 & ((1 << Self::BITS) - 1)) as usize
    }
}

impl Tree {
    /// A tree of boxes, all finite, and the order in which it asks for them: numbers that it gives are places in this order.
    pub fn new(boxes: &[Aabb], asked: Asked) -> (Self, Vec<u32>) {
        let all = (0..boxes.len() as u32).collect();
        let builder = &mut PlocBuilder::with_capacity(boxes.len());
        let mut pairs = builder.build(PlocSearchDistance::Medium, boxes, all, SortPrecision::U64, SHALLOW);
        ReinsertionOptimizer::default().run(&mut pairs, REINSERTED, None);
        collapse(&mut pairs, MOST as u32, asked.step());
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
                self.firsts.push(child.first_index);
                Inside::new(self.firsts.len() as u32 - 1, child.prim_count)
            } else {
                let first = child.first_index as usize;
                Inside::new(self.add(pairs, &[pairs.nodes[first], pairs.nodes[first + 1]]), 0)
            };
            self.nodes[number].put(lane, child.aabb(), inside);
        }
        number as u32
    }

    /// All leaves, with the places of what they have.
    pub fn leaves(&self) -> impl Iterator<Item = Range<usize>> {
        let inside = self.nodes.iter().flat_map(|node| node.inside).filter(|inside| inside.count() > 0);
        let mut counts = vec![0; self.firsts.len()];
        inside.for_each(|inside| counts[inside.number()] = inside.count());
        self.firsts.iter().zip(counts).map(|(&first, count)| first as usize..first as usize + count)
    }

    /// The nearest of what `meets` finds at a distance on a ray; infinity is not met.
    #[inline(always)]
    pub fn nearest(&self, ray: Scaled, mut meets: impl FnMut(&Scaled, usize) -> f32) -> Option<(usize, f32)> {
        self.nearest_in_leaves(ray, |ray, leaf| {
            let mut best = (0, f32::INFINITY);
            let mut ray = *ray;
            for i in self.places(leaf) {
                let distance = meets(&ray, i);
                if distance < ray.tmax {
                    ray.tmax = distance;
                    best = (i, distance);
                }
            }
            best
        })
    }

    /// The nearest of what `meets` finds in a leaf: what it is, and at which distance on the ray; infinity is not met.
    #[inline(always)]
    pub fn nearest_in_leaves(
        &self,
        ray: Scaled,
        mut meets: impl FnMut(&Scaled, Leaf) -> (usize, f32),
    ) -> Option<(usize, f32)> {
        let mut best = None;
        self.walk(ray, |ray, leaf| {
            let (part, distance) = meets(ray, leaf);
            if distance < ray.tmax {
                ray.tmax = distance;
                best = Some((part, distance));
            }
            false
        });
        best
    }

    /// Asks about everything on a ray, until `stops` says that it is enough. Whether it did.
    #[inline(always)]
    pub fn until(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, usize) -> bool) -> bool {
        self.walk(ray, |ray, leaf| self.places(leaf).any(|i| stops(ray, i)))
    }

    /// The same, leaf by leaf.
    #[inline(always)]
    pub fn until_leaf(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, Leaf) -> bool) -> bool {
        self.walk(ray, |ray, leaf| stops(ray, leaf))
    }

    /// Where the things of a leaf are.
    #[inline(always)]
    fn places(&self, leaf: Leaf) -> Range<usize> {
        let first = self.firsts[leaf.number] as usize;
        first..first + leaf.count
    }

    /// Asks about what is in the boxes that a ray meets, near ones first, until one says stop.
    #[inline(always)]
    fn walk(&self, mut ray: Scaled, mut each: impl FnMut(&mut Scaled, Leaf) -> bool) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let slanted = Slanted::new(&ray);
        let mut waiting = [(0.0f32, Inside::default()); AT_HAND];
        let mut rest = Vec::new();
        let (mut here, mut count) = (Inside::default(), 0);
        loop {
            let (nears, mut met, inside) = if here.count() > 0 {
                if each(&mut ray, Leaf { number: here.number(), count: here.count() }) {
                    return true;
                }
                ([0.0; 4], 0, [here; 4])
            } else {
                let node = &self.nodes[here.number()];
                let (nears, met) = node.met(&slanted, ray.tmin, ray.tmax);
                (nears, met, node.inside)
            };
            if met == 0 {
                // The nearest that waits and is not behind what was met since.
                loop {
                    if count == 0 {
                        let Some(last) = rest.pop() else { return false };
                        (waiting[0], count) = (last, 1);
                    }
                    count -= 1;
                    if waiting[count].0 < ray.tmax {
                        here = waiting[count].1;
                        break;
                    }
                }
                continue;
            }
            if count + LANES > AT_HAND {
                rest.extend_from_slice(&waiting[..count]);
                count = 0;
            }
            // The nearest is gone into at once, the others wait, the farthest lowest.
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            let mut next = (nears[lane], inside[lane]);
            let start = count;
            while met != 0 && count < AT_HAND {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                let mut other = (nears[lane], inside[lane]);
                if other.0 < next.0 {
                    std::mem::swap(&mut other, &mut next);
                }
                let mut place = count;
                while place > start && waiting[place - 1].0 < other.0 {
                    waiting[place] = waiting[place - 1];
                    place -= 1;
                }
                waiting[place] = other;
                count += 1;
            }
            here = next.1;
        }
    }
}

impl Slanted {
    #[inline(always)]
    fn new(ray: &Scaled) -> Self {
        // Not infinite: times 0 that would be no number.
        let steepest = Vec3A::splat(f32::MAX);
        let (from, scale) = (ray.origin, ray.inv_direction.clamp(-steepest, steepest));
        Self {
            from: [f32x4::splat(from.x), f32x4::splat(from.y), f32x4::splat(from.z)],
            scale: [f32x4::splat(scale.x), f32x4::splat(scale.y), f32x4::splat(scale.z)],
            first: [usize::from(scale.x < 0.0), usize::from(scale.y < 0.0), usize::from(scale.z < 0.0)],
        }
    }
}

impl Four {
    /// Boxes that no ray meets.
    const EMPTY: Four = Four { ends: [[f32x4::splat(f32::INFINITY); 3]; 2], inside: [Inside(0); 4] };

    fn put(&mut self, lane: usize, bounds: &Aabb, inside: Inside) {
        for axis in 0..3 {
            self.ends[0][axis].as_mut_array()[lane] = bounds.min[axis];
            self.ends[1][axis].as_mut_array()[lane] = bounds.max[axis];
        }
        self.inside[lane] = inside;
    }

    /// How far each box is, and which are met, as bits.
    #[inline(always)]
    fn met(&self, ray: &Slanted, least: f32, most: f32) -> ([f32; 4], u32) {
        let (mut near, mut far) = (f32x4::splat(least), f32x4::splat(most));
        for axis in 0..3 {
            let first = ray.first[axis];
            near = near.fast_max((self.ends[first][axis] - ray.from[axis]) * ray.scale[axis]);
            far = far.fast_min((self.ends[1 - first][axis] - ray.from[axis]) * ray.scale[axis]);
        }
        (near.to_array(), near.simd_le(far).to_bitmask())
    }
}
