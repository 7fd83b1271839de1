//! Triangles in space: what mesh files bring in, and what there is to draw of a shape.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Points, and triangles between them. Seen from outside, a triangle's points go round against the clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TriangleMesh {
    /// The points [m].
    pub points: Vec<Vec3>,
    /// Three points each, by number.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The corners of each triangle.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|i| self.points[i as usize]))
    }

    /// Corners of the box that holds all points, or None where there is none.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.points.first()?;
        Some(self.points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p))))
    }
}
