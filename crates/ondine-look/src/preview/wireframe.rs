//! Containers as wireframes, so that one can see inside.

use super::visibility::VisibilityBuffer;
use crate::camera::{ScreenPoint, View, corners};
use glam::Vec3;
use ondine::scene::{Placement, Shape};

/// Linear light of the edges.
const INK: Vec3 = Vec3::new(0.06, 0.09, 0.14);

/// How much of what is behind an edge it covers.
const OPACITY: f32 = 0.55;

/// Thickness of an edge as a fraction of the picture's height.
const THICKNESS: f32 = 1.0 / 400.0;

/// Fraction of its depth by which an edge may lie behind a surface and still show: edges lie in the walls they end.
const SLACK: f32 = 0.004;

/// A straight edge.
pub type Edge = (Vec3, Vec3);

/// Pieces that a circle is drawn in, and how many of them have an upright.
const AROUND: usize = 96;
const UPRIGHTS: usize = 8;

/// The edges of what one must see into, in its own frame. A planar scene shows its cut.
pub fn edges_of(shape: &Shape, planar: bool) -> Vec<Edge> {
    match *shape {
        Shape::Container { size, .. } => {
            let half = 0.5 * Vec3::from(size);
            box_edges(if planar { half.with_z(0.0) } else { half })
        }
        Shape::RoundContainer { radius, height, .. } if planar => {
            box_edges(Vec3::new(radius, 0.5 * height, 0.0))
        }
        Shape::RoundContainer { radius, height, .. } => drum_edges(radius, 0.5 * height),
        _ => Vec::new(),
    }
}

/// The edges of a box: pairs of corners whose numbers differ in one bit.
fn box_edges(half: Vec3) -> Vec<Edge> {
    let corners = corners((-half, half), &Placement::ORIGIN);
    let pairs = (0..8usize).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit)));
    pairs.filter(|(i, j)| i != j).map(|(i, j)| (corners[i], corners[j])).collect()
}

/// The circles at both ends of an upright cylinder, and a few lines along it.
fn drum_edges(radius: f32, half_height: f32) -> Vec<Edge> {
    let at = |k: usize, y: f32| {
        let (sin, cos) = (std::f32::consts::TAU * (k % AROUND) as f32 / AROUND as f32).sin_cos();
        Vec3::new(radius * cos, y, radius * sin)
    };
    let circle = |y: f32| (0..AROUND).map(move |k| (at(k, y), at(k + 1, y)));
    let uprights = (0..AROUND).step_by(AROUND / UPRIGHTS);
    let uprights = uprights.map(|k| (at(k, -half_height), at(k, half_height)));
    circle(-half_height).chain(circle(half_height)).chain(uprights).collect()
}

/// Draws edges over a picture, where nothing is in front of them.
pub fn draw(edges: impl Iterator<Item = Edge>, view: &View, buffer: &VisibilityBuffer, light: &mut [Vec3]) {
    for (a, b) in edges {
        let Some((a, b)) = view.clip(a, b) else { continue };
        if let (Some(a), Some(b)) = (view.project(a), view.project(b)) {
            stroke(a, b, buffer, light);
        }
    }
}

/// Walks the longer axis of the picture and covers a few samples across at each step.
fn stroke(a: ScreenPoint, b: ScreenPoint, buffer: &VisibilityBuffer, light: &mut [Vec3]) {
    let (width, height) = buffer.size();
    let steep = (b.y - a.y).abs() > (b.x - a.x).abs();
    let along = |p: &ScreenPoint| if steep { (p.y, p.x) } else { (p.x, p.y) };
    let (a, b) = if along(&a).0 <= along(&b).0 { (a, b) } else { (b, a) };
    let ((start, from), (end, to)) = (along(&a), along(&b));
    let (length, breadth) = if steep { (height, width) } else { (width, height) };
    let slope = (to - from) / (end - start).max(1e-6);
    let reach = 0.5 * (THICKNESS * height as f32).max(1.0) * (1.0 + slope * slope).sqrt();

    // Samples whose middle is on it: pieces of a curve then cover each sample once.
    let sample = |at: f32| ((at - 0.5).ceil().max(0.0) as usize).min(length);
    for step in sample(start)..sample(end) {
        let t = ((step as f32 + 0.5 - start) / (end - start).max(1e-6)).clamp(0.0, 1.0);
        let middle = from + (to - from) * t;
        // Inverse depth is what is linear across a picture.
        let depth = 1.0 / (1.0 / a.depth + (1.0 / b.depth - 1.0 / a.depth) * t);
        let across =
            (middle - reach - 1.0).max(0.0) as usize..((middle + reach + 1.0).max(0.0) as usize).min(breadth);
        for side in across {
            let coverage = (reach + 0.5 - (side as f32 + 0.5 - middle).abs()).clamp(0.0, 1.0);
            let (x, y) = if steep { (side, step) } else { (step, side) };
            if depth * (1.0 - SLACK) <= buffer.depth(x, y) {
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
        let edges = box_edges(Vec3::splat(0.5));
        assert_eq!(edges.len(), 12);
        assert!(edges.iter().all(|(a, b)| (a.distance(*b) - 1.0).abs() < 1e-6));
    }

    #[test]
    fn a_drum_is_round_and_closed() {
        let edges = drum_edges(2.0, 1.5);
        assert_eq!(edges.len(), 2 * AROUND + UPRIGHTS);
        assert!(edges.iter().all(|(a, _)| (a.x.hypot(a.z) - 2.0).abs() < 1e-5 && a.y.abs() == 1.5));
        assert_eq!(edges[0].0, edges[AROUND - 1].1);
    }
}
