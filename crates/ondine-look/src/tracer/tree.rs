//! Boxes in a tree, so that a ray asks only about what is near its way.

use super::boxes::{Boxes, Inside, Slanted};
use super::ray::Ray;
use super::waiting::Waiting;
use crate::lanes::{Eight, LANES};
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use std::ops::Range;

/// A ray in the unit of a tree.
pub type Scaled = obvhs::ray::Ray;

/// Longest side of a tree's boxes in its own unit: small scenes are as well reckoned with as large ones.
const SIZE: f32 = 1000.0;

/// Share of the boxes that are moved to a better place, and first rounds of building in which only next neighbours are paired.
/// It takes a while, but a tree is asked a million times for each picture.
const REINSERTED: f32 = 0.05;
const SHALLOW: usize = 3;

/// The most boxes in a leaf.
pub const MOST: usize = LANES;

/// How things in a leaf are asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// One after the other, each of them dear: a leaf has only one.
    Alone,
    /// One after the other.
    OneByOne,
    /// All together, so that few full leaves are better than many.
    AtOnce,
}

impl Asked {
    /// How many a leaf has at most, and what a step down the tree costs, in things asked.
    fn in_leaf(self) -> (u32, f32) {
        match self {
            Asked::Alone => (1, 1.0),
            Asked::OneByOne => (4, 1.0),
            Asked::AtOnce => (MOST as u32, 8.0),
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
/// The builder's tree of pairs with three levels in one: eight boxes are met by a ray at once.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Boxes>,
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

impl Tree {
    /// A tree of boxes, all finite, and the order in which it asks for them: numbers that it gives are places in this order.
    pub fn new(boxes: &[Aabb], asked: Asked) -> (Self, Vec<u32>) {
        let all = (0..boxes.len() as u32).collect();
        let builder = &mut PlocBuilder::with_capacity(boxes.len());
        let mut pairs = builder.build(PlocSearchDistance::Medium, boxes, all, SortPrecision::U64, SHALLOW);
        ReinsertionOptimizer::default().run(&mut pairs, REINSERTED, None);
        let (most, step) = asked.in_leaf();
        collapse(&mut pairs, most, step);
        let mut tree = Self::default();
        if let Some(root) = pairs.nodes.first() {
            tree.add(&pairs, &[*root]);
        }
        (tree, pairs.primitive_indices)
    }

    /// Adds a node of the builder's nodes, and all below it. Its number.
    fn add(&mut self, pairs: &Bvh2, of: &[Bvh2Node]) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Boxes::NONE);
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
    pub fn nearest<V: Eight>(
        &self,
        ray: Scaled,
        mut meets: impl FnMut(&Scaled, usize) -> f32,
    ) -> Option<(usize, f32)> {
        self.nearest_in_leaves::<V>(
            ray,
            #[inline(always)]
            |ray, leaf| {
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
            },
        )
    }

    /// The nearest of what `meets` finds in a leaf: what it is, and at which distance on the ray; infinity is not met.
    #[inline(always)]
    pub fn nearest_in_leaves<V: Eight>(
        &self,
        ray: Scaled,
        mut meets: impl FnMut(&Scaled, Leaf) -> (usize, f32),
    ) -> Option<(usize, f32)> {
        let mut best = None;
        self.walk::<V, true>(
            ray,
            #[inline(always)]
            |ray, leaf| {
                let (part, distance) = meets(ray, leaf);
                if distance < ray.tmax {
                    ray.tmax = distance;
                    best = Some((part, distance));
                }
                false
            },
        );
        best
    }

    /// Asks about everything on a ray, until `stops` says that it is enough. Whether it did.
    #[inline(always)]
    pub fn until<V: Eight>(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, usize) -> bool) -> bool {
        self.walk::<V, false>(
            ray,
            #[inline(always)]
            |ray, leaf| {
                // Not by an iterator's closure, which would not be inlined for sure.
                for i in self.places(leaf) {
                    if stops(ray, i) {
                        return true;
                    }
                }
                false
            },
        )
    }

    /// The same, leaf by leaf.
    #[inline(always)]
    pub fn until_leaf<V: Eight>(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, Leaf) -> bool) -> bool {
        self.walk::<V, false>(
            ray,
            #[inline(always)]
            |ray, leaf| stops(ray, leaf),
        )
    }

    /// Where the things of a leaf are.
    #[inline(always)]
    fn places(&self, leaf: Leaf) -> Range<usize> {
        let first = self.firsts[leaf.number] as usize;
        first..first + leaf.count
    }

    /// Asks about what is in the boxes that a ray meets until one says stop: near ones first, if they are to be sorted.
    #[inline(always)]
    fn walk<V: Eight, const SORTED: bool>(
        &self,
        mut ray: Scaled,
        mut each: impl FnMut(&mut Scaled, Leaf) -> bool,
    ) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let slanted = Slanted::<V>::new(&ray);
        let (mut here, mut waiting) = (Inside::default(), Waiting::new());
        loop {
            if here.count() > 0 {
                if each(&mut ray, Leaf { number: here.number(), count: here.count() }) {
                    return true;
                }
            } else {
                let node = &self.nodes[here.number()];
                let (nears, met) = node.met(&slanted, ray.tmin, ray.tmax);
                if met != 0 {
                    here = waiting.take::<SORTED>((nears, met), &node.inside);
                    continue;
                }
            }
            match waiting.next(ray.tmax) {
                Some(next) => here = next,
                None => return false,
            }
        }
    }
}
