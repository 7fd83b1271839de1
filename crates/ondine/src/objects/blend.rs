//! Shapes joined, cut and crossed, sharply or smoothly.
//!
//! Distances are those of the parts, by the polynomial smooth minimum: exact at the surface of sharp unions, elsewhere
//! never more than the true distance.

use super::sdf::{Bounds, from_box};
use super::{Meshes, Nearest, Sdf};
use crate::scene::{Blend, Part, Placement};
use glam::Vec3;

/// Several shapes as one.
#[derive(Clone, Debug)]
pub struct Blended {
    by: By,
    smooth: f32,
    parts: Vec<Placed>,
}

/// How shapes are blended. A difference is the intersection with what is outside of its later parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Union,
    Difference,
    Intersection,
}

/// A part of a blend.
#[derive(Clone, Debug)]
struct Placed {
    sdf: Sdf,
    placement: Placement,
    scale: f32,
    /// Whether its outside counts.
    cut: bool,
    /// Corners of the box that holds it, in the frame of the whole: to pass it over must cost little.
    bounds: Bounds,
}

impl Blended {
    /// The blend of a scene, if it is one of anything.
    pub fn new(by: By, blend: &Blend, meshes: &Meshes, planar: bool) -> Option<Self> {
        let placed = |(i, part)| Placed::new(part, by == By::Difference && i > 0, meshes, planar);
        let parts: Vec<Placed> = blend.of.iter().enumerate().map(placed).collect();
        (!parts.is_empty()).then_some(Self { by, smooth: blend.smooth, parts })
    }

    /// Parts are taken in turn; those that a look at their boxes shows to be of no account are passed over.
    pub fn nearest(&self, p: Vec3) -> Nearest {
        let mut so_far = self.parts[0].nearest(p);
        for part in &self.parts[1..] {
            so_far = match self.by {
                By::Union if part.at_least(p) >= so_far.distance + self.smooth => so_far,
                By::Union => union(so_far, part.nearest(p), self.smooth),
                _ if part.cut && part.at_least(p) >= self.smooth - so_far.distance => so_far,
                _ => intersection(so_far, part.nearest(p), self.smooth),
            };
        }
        so_far
    }

    /// Where the surface of each part is nearest, whatever the others make of it.
    pub fn nearest_of_parts(&self, p: Vec3) -> impl Iterator<Item = Nearest> + '_ {
        self.parts.iter().map(move |part| part.nearest(p))
    }

    /// Corners of the box that holds it, if anything can.
    pub fn bounds(&self) -> Bounds {
        let boxes = || self.parts.iter().filter(|part| !part.cut).map(|part| part.bounds);
        match self.by {
            By::Union => {
                let all: Option<Vec<_>> = boxes().collect();
                let (low, high) = all?.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
                // A smooth union swells by a quarter of its width where its parts meet.
                let swell = Vec3::splat(0.25 * self.smooth);
                Some((low - swell, high + swell))
            }
            By::Difference | By::Intersection => {
                boxes().flatten().reduce(|a, b| (a.0.max(b.0), a.1.min(b.1).max(a.0.max(b.0))))
            }
        }
    }
}

impl Placed {
    fn new(part: &Part, cut: bool, meshes: &Meshes, planar: bool) -> Self {
        // What leans out of the plane keeps its own depth: a block without end would be cut to another shape.
        let planar = planar && part.rotate[0] == 0.0 && part.rotate[1] == 0.0;
        let (sdf, placement, scale) = (Sdf::new(&part.shape, meshes, planar), part.placement(), part.scale);
        let bounds = sdf.bounds().map(|(low, high)| placement.box_around(scale * low, scale * high));
        Self { sdf, placement, scale, cut, bounds }
    }

    fn nearest(&self, p: Vec3) -> Nearest {
        let near = self.sdf.nearest(self.placement.to_local(p) / self.scale);
        let near = Nearest {
            distance: self.scale * near.distance,
            normal: self.placement.to_world_direction(near.normal),
            bend: near.bend / self.scale,
        };
        if self.cut { near.reversed() } else { near }
    }

    #[inline]
    fn at_least(&self, p: Vec3) -> f32 {
        from_box(self.bounds, p)
    }
}

/// The polynomial smooth minimum: min(a, b) − k h²/4 with h = max(0, 1 − |a−b|/k). Its gradient is a mean of the two.
fn union(a: Nearest, b: Nearest, k: f32) -> Nearest {
    let (a, b) = if a.distance <= b.distance { (a, b) } else { (b, a) };
    if b.distance - a.distance >= k {
        return a;
    }
    let h = 1.0 - (b.distance - a.distance) / k;
    let normal = (1.0 - 0.5 * h) * a.normal + 0.5 * h * b.normal;
    let bend = (1.0 - 0.5 * h) * a.bend + 0.5 * h * b.bend;
    Nearest { distance: a.distance - 0.25 * k * h * h, normal: normal.normalize_or(a.normal), bend }
}

fn intersection(a: Nearest, b: Nearest, k: f32) -> Nearest {
    union(a.reversed(), b.reversed(), k).reversed()
}
