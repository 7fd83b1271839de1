//! Containers as thin edges, so that one can see inside.

use crate::seen::Seen;
use crate::solids::{corners, half_extent};
use crate::view::{Spot, View};
use glam::Vec3;
use ondine::Scene;
use ondine::scene::Shape;

/// Linear light of the edges.
const INK: Vec3 = Vec3::new(0.06, 0.09, 0.14);

/// How much of what is behind an edge it covers.
const OPACITY: f32 = 0.55;

/// Thickness of an edge as a share of the picture's height.
const THICKNESS: f32 = 1.0 / 400.0;

/// Share of its depth by which an edge may lie behind a surface and still show: edges lie in the walls they end.
const SLACK: f32 = 0.004;

/// A straight edge.
pub type Edge = (Vec3, Vec3);

/// The edges of the containers that are there now. A planar scene shows their cut.
pub fn container_edges(scene: &Scene) -> Vec<Edge> {
    let containers = scene.object.iter().filter(|o| o.enabled && matches!(o.shape, Shape::Container { .. }));
    containers
        .filter_map(|object| {
            let half = half_extent(&object.shape)?;
            let half = if scene.planar() { half.with_z(0.0) } else { half };
            Some(box_edges(corners(half, &object.placement())))
        })
        .flatten()
        .collect()
}

/// The edges of a box: pairs of corners whose numbers differ in one bit.
fn box_edges(corners: [Vec3; 8]) -> Vec<Edge> {
    let pairs = (0..8usize).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit)));
    pairs.filter(|(i, j)| i != j).map(|(i, j)| (corners[i], corners[j])).collect()
}

/// Draws edges over a picture, where nothing is in front of them.
pub fn draw(edges: &[Edge], view: &View, seen: &Seen, light: &mut [Vec3]) {
    for &(a, b) in edges {
        let Some((a, b)) = view.clip(a, b) else { continue };
        if let (Some(a), Some(b)) = (view.project(a), view.project(b)) {
            stroke(a, b, seen, light);
        }
    }
}

/// Walks the longer axis of the picture and covers a few samples across at each step.
fn stroke(a: Spot, b: Spot, seen: &Seen, light: &mut [Vec3]) {
    let (width, height) = seen.size();
    let steep = (b.y - a.y).abs() > (b.x - a.x).abs();
    let along = |spot: &Spot| if steep { (spot.y, spot.x) } else { (spot.x, spot.y) };
    let (a, b) = if along(&a).0 <= along(&b).0 { (a, b) } else { (b, a) };
    let ((start, from), (end, to)) = (along(&a), along(&b));
    let (length, breadth) = if steep { (height, width) } else { (width, height) };
    let slope = (to - from) / (end - start).max(1e-6);
    let reach = 0.5 * (THICKNESS * height as f32).max(1.0) * (1.0 + slope * slope).sqrt();

    for step in (start.max(0.0) as usize)..(end.ceil().max(0.0) as usize).min(length) {
        let share = ((step as f32 + 0.5 - start) / (end - start).max(1e-6)).clamp(0.0, 1.0);
        let middle = from + (to - from) * share;
        // Inverse depth is what is linear across a picture.
        let depth = 1.0 / (1.0 / a.depth + (1.0 / b.depth - 1.0 / a.depth) * share);
        let across =
            (middle - reach - 1.0).max(0.0) as usize..((middle + reach + 1.0).max(0.0) as usize).min(breadth);
        for side in across {
            let coverage = (reach + 0.5 - (side as f32 + 0.5 - middle).abs()).clamp(0.0, 1.0);
            let (x, y) = if steep { (side, step) } else { (step, side) };
            if depth * (1.0 - SLACK) <= seen.depth(x, y) {
                let sample = &mut light[y * width + x];
                *sample = sample.lerp(INK, OPACITY * coverage);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges() {
        let unit = corners(Vec3::splat(0.5), &ondine::scene::Placement::new([0.0; 3], [0.0; 3]));
        let edges = box_edges(unit);
        assert_eq!(edges.len(), 12);
        assert!(edges.iter().all(|(a, b)| (a.distance(*b) - 1.0).abs() < 1e-6));
    }
}
