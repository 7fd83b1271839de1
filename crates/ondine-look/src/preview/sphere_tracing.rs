//! Rays against anything that has a distance: sphere tracing.
//!
//! A ray may always go as far as the nearest surface is away (Hart, "Sphere tracing", 1996). Most of the way is the same
//! for neighbouring rays, so a cone goes ahead for a tile of them, as far as all of them are surely free (cone marching).

use crate::camera::{View, ViewRay};
use glam::Vec3;
use ondine::objects::Sdf;
use std::ops::Range;

/// Most steps of a ray: those that graze a surface would take more.
const STEPS: usize = 160;

/// A ray this near has met the surface [samples].
const TOUCHING: f32 = 0.2;

/// The depths between which a view can meet what is within bounds; anywhere ahead without them.
pub fn depth_range(view: &View, bounds: Option<(Vec3, Vec3)>) -> Range<f32> {
    let Some((low, high)) = bounds else { return 0.0..f32::INFINITY };
    let (middle, reach) = (view.depth(0.5 * (low + high)), 0.5 * low.distance(high));
    (middle - reach).max(0.0)..middle + reach
}

/// How far all rays are free that are within a square of samples about `ray`; None if none of them meets anything.
pub fn march_cone(sdf: &Sdf, view: &View, ray: &ViewRay, side: usize, depths: Range<f32>) -> Option<f32> {
    let length = ray.direction.length();
    // Half the diagonal of the square.
    let reach = 0.708 * side as f32;
    let mut depth = depths.start;
    for _ in 0..STEPS {
        if depth.is_nan() || depth >= depths.end {
            return None;
        }
        let width = reach / view.scale_at(depth);
        let free = sdf.distance(ray.at(depth)) - width;
        if free < 0.5 * width {
            break;
        }
        // The square grows by this much for each metre of depth.
        let growth = reach / view.scale_at(depth + 1.0) - width;
        depth += free / (length + growth);
    }
    Some(depth)
}

/// Depth at which a ray comes in from outside. One that starts inside first goes through, so a camera in a wall is
/// not blind.
pub fn march(sdf: &Sdf, view: &View, ray: &ViewRay, depths: Range<f32>) -> Option<f32> {
    let per_metre = ray.direction.length().recip();
    let mut depth = depths.start;
    let mut outside = false;
    for step in 0..STEPS {
        if depth.is_nan() || depth >= depths.end {
            return None;
        }
        let touching = TOUCHING / view.scale_at(depth);
        let distance = sdf.distance(ray.at(depth));
        if outside && distance < touching {
            return Some(depth + per_metre * distance);
        }
        outside |= distance > if step == 0 { 0.0 } else { touching };
        depth += per_metre * distance.abs().max(touching);
    }
    grazing(sdf, view, ray, depth).filter(|depth| outside && *depth < depths.end)
}

/// Where a ray that runs along a surface meets it, taking the surface for flat.
fn grazing(sdf: &Sdf, view: &View, ray: &ViewRay, depth: f32) -> Option<f32> {
    let near = sdf.nearest(ray.at(depth));
    let met = depth + near.distance / -near.normal.dot(ray.direction);
    let off = sdf.distance(ray.at(met)).abs() * view.scale_at(met);
    (met >= depth && off < 1.0).then_some(met)
}
