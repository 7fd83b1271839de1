//! Rays against anything that has a distance: sphere tracing.
//!
//! A ray may always go as far as the nearest surface is away (Hart, "Sphere tracing", 1996). Most of the way is the same
//! for neighbouring rays, so a wide ray goes ahead for a square of them, as far as all of them are surely free.

use crate::view::{Ray, View};
use glam::Vec3;
use ondine::objects::Form;
use std::ops::Range;

/// Most steps of a ray: those that graze a surface would take more.
const STEPS: usize = 160;

/// A ray this near has met the surface [samples].
const TOUCHING: f32 = 0.2;

/// The depths between which a view can meet what is within bounds; anywhere ahead without them.
pub fn span(view: &View, bounds: Option<(Vec3, Vec3)>) -> Range<f32> {
    let Some((low, high)) = bounds else { return 0.0..f32::INFINITY };
    let (middle, reach) = (view.depth(0.5 * (low + high)), 0.5 * low.distance(high));
    (middle - reach).max(0.0)..middle + reach
}

/// How far all rays are free that are within a square of samples about `ray`; None if none of them meets anything.
pub fn ahead(form: &Form, view: &View, ray: &Ray, side: usize, span: Range<f32>) -> Option<f32> {
    let length = ray.direction.length();
    // Half the diagonal of the square.
    let reach = 0.708 * side as f32;
    let mut depth = span.start;
    for _ in 0..STEPS {
        if depth.is_nan() || depth >= span.end {
            return None;
        }
        let width = reach / view.scale_at(depth);
        let free = form.distance(ray.at(depth)) - width;
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
pub fn meet(form: &Form, view: &View, ray: &Ray, span: Range<f32>) -> Option<f32> {
    let per_metre = ray.direction.length().recip();
    let mut depth = span.start;
    let mut outside = false;
    for step in 0..STEPS {
        if depth.is_nan() || depth >= span.end {
            return None;
        }
        let touching = TOUCHING / view.scale_at(depth);
        let distance = form.distance(ray.at(depth));
        if outside && distance < touching {
            return Some(depth + per_metre * distance);
        }
        outside |= distance > if step == 0 { 0.0 } else { touching };
        depth += per_metre * distance.abs().max(touching);
    }
    grazing(form, view, ray, depth).filter(|depth| outside && *depth < span.end)
}

/// Where a ray that runs along a surface meets it, taking the surface for flat.
fn grazing(form: &Form, view: &View, ray: &Ray, depth: f32) -> Option<f32> {
    let near = form.nearest(ray.at(depth));
    let met = depth + near.distance / -near.normal.dot(ray.direction);
    let off = form.distance(ray.at(met)).abs() * view.scale_at(met);
    (met >= depth && off < 1.0).then_some(met)
}
