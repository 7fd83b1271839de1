//! Signed distances at grid nodes (thesis 000 §6.1, stages 1, 2 and 4).
//!
//! The text sweeps distances through the grid; here a tree of the triangles gives them exactly. Inside, the nearest
//! triangle may be a useless one in there, so its nearest point counts only if the outside sees it. Else the
//! distance is that to the nearest *foot*: every outside node next to others has one, the point of the surface
//! nearest to it, and no point within the solid can be one.

use super::flood::{Corner, Outside, touched};
use super::grid::{Grid, SIDE, count, place, places};
use super::tree::{Item, Tree};
use super::triangle::{TOUCH, Triangle};
use crate::parallel;
use glam::{DVec3, IVec3};

/// Outside nodes at most this far away have feet [cells]: no corner of a cell with surface in it is farther.
const TO_FOOT: f64 = 1.8;

/// A foot is a disc this wide across the way to its node [cells]: half way to the next.
const FOOT: f64 = 0.5;

/// How far from a surface point the grid lines of the cells around it may be [cells].
const ASIDE: f64 = 0.01;

/// A bit of surface that faces outside.
#[derive(Clone, Copy, Debug)]
struct Foot {
    at: DVec3,
    /// Unit vector to the outside.
    out: DVec3,
}

impl Item for Foot {
    fn bounds(&self) -> (DVec3, DVec3) {
        let reach = FOOT * (1.0 - self.out * self.out).max(DVec3::ZERO).map(f64::sqrt);
        (self.at - reach, self.at + reach)
    }

    fn nearest(&self, p: DVec3) -> DVec3 {
        let away = p - self.at;
        self.at + (away - away.dot(self.out) * self.out).clamp_length_max(FOOT)
    }
}

/// The signed distance of a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Negative inside [cells].
    pub distance: f64,
    /// The point of the surface that it is from.
    pub foot: DVec3,
}

/// The nearest items of the last point asked for: the next point will be a neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    triangle: u32,
    foot: u32,
}

impl Trail {
    /// The same trail, at another triangle.
    pub fn at(self, triangle: u32) -> Self {
        Self { triangle, ..self }
    }
}

/// All there is to know for signed distances.
#[derive(Debug)]
pub struct Measure<'a> {
    triangles: &'a Tree<Triangle>,
    outside: &'a Outside,
    /// Half the thickness of the surface [cells].
    half: f64,
    feet: Tree<Foot>,
}

impl<'a> Measure<'a> {
    /// Looks for the feet, too.
    pub fn new(
        triangles: &'a Tree<Triangle>,
        outside: &'a Outside,
        half: f64,
        grid: &Grid,
        corners: &[Corner],
    ) -> Self {
        let mut measure = Self::without_feet(triangles, outside, half);
        let near = touched(grid, corners, half + TO_FOOT);
        let blocks = parallel::collect(near.len(), |i| {
            let block = grid.block(near[i]);
            measure.feet_in(SIDE * block, corners[grid.corner_number(block)].1)
        });
        measure.feet = Tree::new(blocks.concat());
        measure
    }

    /// Enough to ask for edges.
    pub fn without_feet(triangles: &'a Tree<Triangle>, outside: &'a Outside, half: f64) -> Self {
        Self { triangles, outside, half, feet: Tree::new(Vec::new()) }
    }

    /// The feet of the nodes of a block that starts at `low`, whose nearest triangle is about `guess`.
    fn feet_in(&self, low: IVec3, mut guess: u32) -> Vec<Foot> {
        let reach = self.half + TO_FOOT;
        let mut feet = Vec::new();
        for node in places(SIDE).map(|c| low + c).filter(|&n| self.borders(n)) {
            let p = node.as_dvec3();
            let Some(hit) = self.triangles.closest(p, guess) else { continue };
            guess = hit.item;
            if hit.square <= reach * reach {
                let out = (p - hit.at).normalize_or(DVec3::Y);
                feet.push(Foot { at: hit.at + self.half * out, out });
            }
        }
        feet
    }

    /// Whether an outside node has a neighbour that is not.
    fn borders(&self, node: IVec3) -> bool {
        self.outside.has(node) && !places(3).all(|c| self.outside.has(node + c - 1))
    }

    /// The signed distance of a node.
    pub fn at(&self, node: IVec3, trail: &mut Trail) -> Measured {
        let p = node.as_dvec3();
        let Some(hit) = self.triangles.closest(p, trail.triangle) else { return Measured::default() };
        trail.triangle = hit.item;
        let surface = hit.square.sqrt();
        let exit = hit.at + self.half * (p - hit.at).normalize_or_zero();
        if self.outside.has(node) {
            return Measured { distance: (surface - self.half).max(0.0), foot: exit };
        }
        let direct = Measured { distance: -(surface - self.half).abs(), foot: exit };
        if (self.half == 0.0 || surface < self.half) && self.shows(exit) {
            return direct;
        }
        let Some(foot) = self.feet.closest(p, trail.foot) else { return direct };
        trail.foot = foot.item;
        Measured { distance: -foot.square.sqrt(), foot: foot.at }
    }

    /// Whether a point of the surface can be seen from an outside corner of its cell.
    fn shows(&self, p: DVec3) -> bool {
        let low = (p - ASIDE).floor().as_ivec3();
        let size = (p + ASIDE).ceil().as_ivec3() - low + 1;
        (0..count(size))
            .map(|i| low + place(i, size))
            .any(|node| self.outside.has(node) && (self.half > 0.0 || self.sees(node.as_dvec3(), p)))
    }

    fn sees(&self, from: DVec3, p: DVec3) -> bool {
        let p = p + (from - p).clamp_length_max(5.0 * TOUCH);
        !self.triangles.any_in(from.min(p), from.max(p), |triangle| triangle.cuts(from, p))
    }

    /// Whether the outside reaches an open edge: one between the ends that no other triangle meets.
    pub fn reaches_edge(&self, [a, b]: [DVec3; 2]) -> bool {
        (1..8).map(|i| a.lerp(b, i as f64 / 8.0)).any(|p| {
            let other = |t: &Triangle| {
                !(t.0.contains(&a) && t.0.contains(&b)) && t.nearest(p).distance_squared(p) <= TOUCH * TOUCH
            };
            !self.triangles.any_in(p - TOUCH, p + TOUCH, other) && self.shows(p)
        })
    }
}
