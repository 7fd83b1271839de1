//! A bounding volume hierarchy: a ray asks only about what is near its way.

use super::bvh_node::{BvhNode, Child, NodeRay};
use super::lanes::{Eight, LANES};
use super::ray::Ray;
use super::traversal_stack::TraversalStack;
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use std::ops::Range;

/// A ray in the space of a hierarchy.
pub type BvhRay = obvhs::ray::Ray;

/// Longest side of a hierarchy in its own space: small scenes are as well reckoned with as large ones.
const SIZE: f32 = 1000.0;

/// Fraction of the boxes that are moved to a better place, and first rounds of building in which only next neighbours are paired.
/// It takes a while, but a hierarchy is asked a million times for each picture.
const REINSERTED: f32 = 0.05;
const SHALLOW: usize = 3;

/// The most primitives in a leaf.
pub const LEAF_SIZE: usize = LANES;

/// How the primitives in a leaf are asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafUse {
    /// One after the other, each of them dear: a leaf has only one.
    Alone,
    /// One after the other.
    OneByOne,
    /// All together, so that few full leaves are better than many.
    AtOnce,
}

impl LeafUse {
    /// How many a leaf has at most, and what a step down the hierarchy costs, in primitives asked.
    fn limits(self) -> (u32, f32) {
        match self {
            LeafUse::Alone => (1, 1.0),
            LeafUse::OneByOne => (4, 1.0),
            LeafUse::AtOnce => (LEAF_SIZE as u32, 8.0),
        }
    }
}

/// The space of a hierarchy: its place and its unit.
#[derive(Clone, Copy, Debug)]
pub struct BvhSpace {
    middle: Vec3A,
    scale: f32,
}

impl BvhSpace {
    /// For what lies in a box.
    pub fn of((low, high): (Vec3, Vec3)) -> Self {
        let side = (high - low).max_element().max(1e-9);
        Self { middle: (0.5 * (low + high)).into(), scale: SIZE / side }
    }

    /// A point in it.
    pub fn point(&self, p: impl Into<Vec3A>) -> Vec3A {
        (p.into() - self.middle) * self.scale
    }

    /// A length in it.
    pub fn length(&self, length: f32) -> f32 {
        length * self.scale
    }

    /// A ray of at most a length [m] in it.
    pub fn ray(&self, ray: &Ray, max_distance: f32) -> BvhRay {
        BvhRay::new(self.point(ray.origin), ray.direction, 0.0, max_distance * self.scale)
    }

    /// A length of it in metres.
    pub fn metres(&self, length: f32) -> f32 {
        length / self.scale
    }
}

/// The hierarchy. What is in the boxes is told by those who ask.
///
/// The builder's hierarchy of pairs with three levels in one: eight boxes are met by a ray at once.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<BvhNode>,
    /// Of each leaf, the place of the first primitive in it.
    firsts: Vec<u32>,
}

/// Primitives that are asked about together, at most [`LEAF_SIZE`].
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Its number among all leaves.
    pub number: usize,
    /// How many primitives it has.
    pub count: usize,
}

impl Bvh {
    /// A hierarchy of boxes, all finite, and the order in which it asks for them: numbers that it gives are places in this order.
    pub fn new(boxes: &[Aabb], leaves: LeafUse) -> (Self, Vec<u32>) {
        let all = (0..boxes.len() as u32).collect();
        let builder = &mut PlocBuilder::with_capacity(boxes.len());
        let mut pairs = builder.build(PlocSearchDistance::Medium, boxes, all, SortPrecision::U64, SHALLOW);
        ReinsertionOptimizer::default().run(&mut pairs, REINSERTED, None);
        let (most, step) = leaves.limits();
        collapse(&mut pairs, most, step);
        let mut bvh = Self::default();
        if let Some(root) = pairs.nodes.first() {
            bvh.add(&pairs, &[*root]);
        }
        (bvh, pairs.primitive_indices)
    }

    /// Adds a node of the builder's nodes, and all below it. Its number.
    fn add(&mut self, pairs: &Bvh2, of: &[Bvh2Node]) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(BvhNode::EMPTY);
        let mut children = of.to_vec();
        // The largest box is opened first.
        while children.len() < LANES {
            let size = |n: &Bvh2Node| n.aabb().half_area();
            let inner = children.iter().enumerate().filter(|(_, n)| !n.is_leaf());
            let Some((i, _)) = inner.max_by(|a, b| size(a.1).total_cmp(&size(b.1))) else { break };
            let first = children.swap_remove(i).first_index as usize;
            children.extend([pairs.nodes[first], pairs.nodes[first + 1]]);
        }
        for (lane, child) in children.iter().enumerate() {
            let inside = if child.is_leaf() {
                self.firsts.push(child.first_index);
                Child::new(self.firsts.len() as u32 - 1, child.prim_count)
            } else {
                let first = child.first_index as usize;
                Child::new(self.add(pairs, &[pairs.nodes[first], pairs.nodes[first + 1]]), 0)
            };
            self.nodes[number].set(lane, child.aabb(), inside);
        }
        number as u32
    }

    /// All leaves, with the places of what they have.
    pub fn leaves(&self) -> impl Iterator<Item = Range<usize>> {
        let leaves = self.nodes.iter().flat_map(|node| node.children).filter(|child| child.count() > 0);
        let mut counts = vec![0; self.firsts.len()];
        leaves.for_each(|leaf| counts[leaf.number()] = leaf.count());
        self.firsts.iter().zip(counts).map(|(&first, count)| first as usize..first as usize + count)
    }

    /// The nearest of what `intersect` finds at a distance on a ray; infinity is a miss.
    #[inline(always)]
    pub fn closest_hit<V: Eight>(
        &self,
        ray: BvhRay,
        mut intersect: impl FnMut(&BvhRay, usize) -> f32,
    ) -> Option<(usize, f32)> {
        self.closest_hit_in_leaves::<V>(
            ray,
            #[inline(always)]
            |ray, leaf| {
                let mut best = (0, f32::INFINITY);
                let mut ray = *ray;
                for i in self.places(leaf) {
                    let distance = intersect(&ray, i);
                    if distance < ray.tmax {
                        ray.tmax = distance;
                        best = (i, distance);
                    }
                }
                best
            },
        )
    }

    /// The nearest of what `intersect` finds in a leaf: what it is, and at which distance on the ray; infinity is a miss.
    #[inline(always)]
    pub fn closest_hit_in_leaves<V: Eight>(
        &self,
        ray: BvhRay,
        mut intersect: impl FnMut(&BvhRay, Leaf) -> (usize, f32),
    ) -> Option<(usize, f32)> {
        let mut best = None;
        self.traverse::<V, true>(
            ray,
            #[inline(always)]
            |ray, leaf| {
                let (primitive, distance) = intersect(ray, leaf);
                if distance < ray.tmax {
                    ray.tmax = distance;
                    best = Some((primitive, distance));
                }
                false
            },
        );
        best
    }

    /// Asks about everything on a ray, until `accept` says that it is enough. Whether it did.
    #[inline(always)]
    pub fn any_hit<V: Eight>(&self, ray: BvhRay, mut accept: impl FnMut(&BvhRay, usize) -> bool) -> bool {
        self.traverse::<V, false>(
            ray,
            #[inline(always)]
            |ray, leaf| {
                // Not by an iterator's closure, which would not be inlined for sure.
                for i in self.places(leaf) {
                    if accept(ray, i) {
                        return true;
                    }
                }
                false
            },
        )
    }

    /// The same, leaf by leaf.
    #[inline(always)]
    pub fn any_hit_in_leaves<V: Eight>(
        &self,
        ray: BvhRay,
        mut accept: impl FnMut(&BvhRay, Leaf) -> bool,
    ) -> bool {
        self.traverse::<V, false>(
            ray,
            #[inline(always)]
            |ray, leaf| accept(ray, leaf),
        )
    }

    /// Where the primitives of a leaf are.
    #[inline(always)]
    fn places(&self, leaf: Leaf) -> Range<usize> {
        let first = self.firsts[leaf.number] as usize;
        first..first + leaf.count
    }

    /// Asks about the leaves that a ray meets until one is enough: near ones first, if they are to be sorted.
    #[inline(always)]
    fn traverse<V: Eight, const SORTED: bool>(
        &self,
        mut ray: BvhRay,
        mut each: impl FnMut(&mut BvhRay, Leaf) -> bool,
    ) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let node_ray = NodeRay::<V>::new(&ray);
        let (mut here, mut stack) = (Child::default(), TraversalStack::new());
        loop {
            if here.count() > 0 {
                if each(&mut ray, Leaf { number: here.number(), count: here.count() }) {
                    return true;
                }
            } else {
                let node = &self.nodes[here.number()];
                let (nears, hits) = node.intersect(&node_ray, ray.tmin, ray.tmax);
                if hits != 0 {
                    here = stack.push::<SORTED>((nears, hits), &node.children);
                    continue;
                }
            }
            match stack.pop(ray.tmax) {
                Some(next) => here = next,
                None => return false,
            }
        }
    }
}
