//! Boxes in a tree, so that a ray asks only about what is near its way.

use super::ray::Ray;
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::RayHit;

/// A ray in the unit of a tree.
pub type Scaled = obvhs::ray::Ray;

/// Longest side of a tree's boxes in its own unit. The tree cannot tell lengths below a ten-thousandth of its unit
/// apart, so all is brought to a size at which that is nothing.
const SIZE: f32 = 1000.0;

/// Share of the boxes that are moved to a better place in trees that are built once and asked often.
const REINSERTED: f32 = 0.05;

/// The most boxes in a leaf, and what a step down the tree costs in boxes asked.
const MOST: u32 = 4;
const STEP: f32 = 2.0;

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
#[derive(Clone)]
pub struct Tree(Bvh2);

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree of {} nodes", self.0.nodes.len())
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
        let mut tree = builder.build(reach, boxes, all, SortPrecision::U64, shallow);
        if care == Care::Thorough {
            ReinsertionOptimizer::default().run(&mut tree, REINSERTED, None);
        }
        collapse(&mut tree, MOST, STEP);
        let order = std::mem::take(&mut tree.primitive_indices);
        (Self(tree), order)
    }

    /// The nearest of what `meets` finds at a distance on a ray; infinity is not met.
    pub fn nearest(&self, ray: Scaled, meets: impl FnMut(&Scaled, usize) -> f32) -> Option<(usize, f32)> {
        let mut hit = RayHit::none();
        let found = self.0.ray_traverse(ray, &mut hit, meets);
        found.then_some((hit.primitive_id as usize, hit.t))
    }

    /// Asks about everything on a ray, until `stops` says that it is enough. Whether it did.
    pub fn until(&self, ray: Scaled, mut stops: impl FnMut(&Scaled, usize) -> bool) -> bool {
        !self.0.ray_traverse_miss(ray, |ray, i| if stops(ray, i) { f32::NEG_INFINITY } else { f32::INFINITY })
    }
}
