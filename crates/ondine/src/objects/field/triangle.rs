//! One triangle: its nearest point, and the grid lines and segments that pass through it.
//!
//! Any three points will do: a triangle without area is a line or a point. Which way round they go never matters.

use super::tree::Item;
use glam::{DVec2, DVec3};

/// How far off a triangle still counts as on it [cells]. Far above rounding, so that no line slips through between
/// two triangles that share an edge, and enough to bridge the cracks of points that were meant to be one.
pub const TOUCH: f64 = 1e-3;

/// Three corners [cells].
#[derive(Clone, Copy, Debug)]
pub struct Triangle(pub [DVec3; 3]);

impl Item for Triangle {
    fn bounds(&self) -> (DVec3, DVec3) {
        let [a, b, c] = self.0;
        (a.min(b).min(c), a.max(b).max(c))
    }

    fn nearest(&self, p: DVec3) -> DVec3 {
        let [a, b, c] = self.0;
        let (u, v, w) = (b - a, c - a, p - a);
        let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
        let area = uu * vv - uv * uv;
        // Slivers have no trustworthy plane; their edges are as near.
        if area <= 1e-12 * uu * vv {
            return self.nearest_on_edges(p);
        }
        let (s, t) = (vv * uw - uv * vw, uu * vw - uv * uw);
        if s >= 0.0 && t >= 0.0 && s + t <= area {
            return a + (u * s + v * t) / area;
        }
        // Else it is on one of the edges that the point lies beyond.
        let mut best = (f64::MAX, a);
        let mut try_edge = |beyond: bool, from: DVec3, along: DVec3, part: f64, whole: f64| {
            if beyond {
                let at = from + along * (part / whole).clamp(0.0, 1.0);
                let square = at.distance_squared(p);
                best = if square < best.0 { (square, at) } else { best };
            }
        };
        try_edge(t < 0.0, a, u, uw, uu);
        try_edge(s < 0.0, a, v, vw, vv);
        try_edge(s + t > area, b, v - u, vw - uw - uv + uu, uu + vv - 2.0 * uv);
        best.1
    }
}

fn on_segment(a: DVec3, b: DVec3, p: DVec3) -> DVec3 {
    let along = b - a;
    let square = along.length_squared();
    if square == 0.0 { a } else { a + along * ((p - a).dot(along) / square).clamp(0.0, 1.0) }
}

/// Where a line along an axis meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// Through the face, at this coordinate.
    At(f64),
    /// The triangle stands along the line, which runs in its plane somewhere between these coordinates.
    Along(f64, f64),
}

impl Triangle {
    #[cold]
    fn nearest_on_edges(&self, p: DVec3) -> DVec3 {
        let [a, b, c] = self.0;
        let nearer = |x: DVec3, y: DVec3| if y.distance_squared(p) < x.distance_squared(p) { y } else { x };
        nearer(nearer(on_segment(a, b, p), on_segment(b, c, p)), on_segment(c, a, p))
    }

    /// Where the line along `axis` through `at`, the two other coordinates in cyclic order, passes within `TOUCH`.
    pub fn crossing(&self, axis: usize, at: DVec2) -> Option<Crossing> {
        let flat = self.0.map(|p| DVec2::new(p[(axis + 1) % 3], p[(axis + 2) % 3]) - at);
        let heights = self.0.map(|p| p[axis]);
        let (low, high) = (flat[0].min(flat[1]).min(flat[2]), flat[0].max(flat[1]).max(flat[2]));
        if low.max_element() > TOUCH || high.min_element() < -TOUCH {
            return None;
        }
        let area = (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]);
        let sides = [1, 2, 0].map(|i| flat[(i + 1) % 3] - flat[i]);
        let longest = sides.iter().map(|s| s.length()).fold(0.0, f64::max);
        if area.abs() <= 2.0 * TOUCH * longest {
            return self.standing(flat, heights);
        }
        // Weights of the corners, each from the side across from it; `TOUCH` beyond a side is still in.
        let mut weights = [0.0; 3];
        for (i, side) in sides.iter().enumerate() {
            let twice = flat[(i + 1) % 3].perp_dot(*side) * area.signum();
            if twice < -TOUCH * side.length() {
                return None;
            }
            weights[i] = twice.max(0.0);
        }
        let sum: f64 = weights.iter().sum();
        let height = (0..3).map(|i| weights[i] * heights[i]).sum::<f64>() / sum;
        Some(Crossing::At(if sum > 0.0 { height } else { heights[0] }))
    }

    /// The crossing of a triangle that is a line, seen along the axis.
    fn standing(&self, flat: [DVec2; 3], heights: [f64; 3]) -> Option<Crossing> {
        let near = (0..3).any(|i| {
            let (a, b) = (flat[i].extend(0.0), flat[(i + 1) % 3].extend(0.0));
            on_segment(a, b, DVec3::ZERO).length_squared() <= 9.0 * TOUCH * TOUCH
        });
        let [a, b, c] = heights;
        near.then(|| Crossing::Along(a.min(b).min(c), a.max(b).max(c)))
    }

    /// Whether a segment passes through.
    pub fn cuts(&self, from: DVec3, to: DVec3) -> bool {
        let [a, b, c] = self.0;
        let (along, u, v, w) = (to - from, b - a, c - a, from - a);
        let normal = u.cross(v);
        let slope = -along.dot(normal);
        if slope == 0.0 {
            return false;
        }
        let turn = w.cross(along) / slope;
        let (t, s, r) = (w.dot(normal) / slope, v.dot(turn), -u.dot(turn));
        (0.0..=1.0).contains(&t) && s >= 0.0 && r >= 0.0 && s + r <= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNER: Triangle = Triangle([DVec3::X, DVec3::Y, DVec3::Z]);

    #[test]
    fn nearest_points_of_a_triangle() {
        let at = |x: f64, y: f64, z: f64| CORNER.nearest(DVec3::new(x, y, z));
        assert!(at(1.0, 1.0, 1.0).distance(DVec3::splat(1.0 / 3.0)) < 1e-12, "the face");
        assert!(at(1.0, 1.0, -9.0).distance(DVec3::new(0.5, 0.5, 0.0)) < 1e-12, "an edge");
        assert_eq!(at(9.0, 1.0, 1.0), DVec3::X, "a corner");
        let line = Triangle([DVec3::ZERO, DVec3::X, DVec3::X * 0.5]);
        assert_eq!(line.nearest(DVec3::new(0.25, 1.0, 0.0)), DVec3::X * 0.25);
        let point = Triangle([DVec3::ONE; 3]);
        assert_eq!(point.nearest(DVec3::ZERO), DVec3::ONE);
    }

    #[test]
    fn lines_and_segments_through_a_triangle() {
        for triangle in [CORNER, Triangle([DVec3::Y, DVec3::X, DVec3::Z])] {
            for axis in 0..3 {
                let Some(Crossing::At(t)) = triangle.crossing(axis, DVec2::new(0.25, 0.5)) else {
                    panic!("crosses along {axis}");
                };
                assert!((t - 0.25).abs() < 1e-12);
                assert_eq!(triangle.crossing(axis, DVec2::new(0.6, 0.5)), None);
                assert!(
                    triangle.crossing(axis, DVec2::new(-0.5 * TOUCH, 0.5)).is_some(),
                    "just beyond an edge"
                );
            }
            assert!(triangle.cuts(DVec3::ZERO, DVec3::ONE) && triangle.cuts(DVec3::ONE, DVec3::ZERO));
            assert!(!triangle.cuts(DVec3::ZERO, DVec3::splat(0.3)));
        }
        let wall = Triangle([DVec3::ZERO, DVec3::Y, DVec3::Z]);
        assert_eq!(wall.crossing(2, DVec2::new(0.0, 0.2)), Some(Crossing::Along(0.0, 1.0)));
        assert_eq!(wall.crossing(2, DVec2::new(0.1, 0.2)), None);
    }
}
