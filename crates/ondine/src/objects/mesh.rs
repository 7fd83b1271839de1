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
    /// Of each point, the lowest number of a point of the same piece: of those that triangles join. Its triangles must be between points
    /// that are there.
    pub fn pieces(&self) -> Vec<u32> {
        fn first(piece: &mut [u32], mut i: u32) -> u32 {
            while piece[i as usize] != i {
                piece[i as usize] = piece[piece[i as usize] as usize];
                i = piece[i as usize];
            }
            i
        }
        let mut piece: Vec<u32> = (0..self.points.len() as u32).collect();
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| first(&mut piece, i));
            let low = a.min(b).min(c);
            [a, b, c].into_iter().for_each(|i| piece[i as usize] = low);
        }
        (0..piece.len() as u32).map(|i| first(&mut piece, i)).collect()
    }

    /// Whether its points are finite, and its triangles are between points that are there.
    pub fn is_sound(&self) -> bool {
        let there = |triangle: &[u32; 3]| triangle.iter().all(|&p| (p as usize) < self.points.len());
        self.points.iter().all(|p| p.is_finite()) && self.triangles.iter().all(there)
    }

    /// The corners of each triangle.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|i| self.points[i as usize]))
    }

    /// Corners of the box that holds all points, or None where there is none.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.points.first()?;
        Some(self.points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p))))
    }

    /// Volume within a closed mesh [m³].
    pub fn volume(&self) -> f64 {
        self.corners().map(|[a, b, c]| a.as_dvec3().dot(b.as_dvec3().cross(c.as_dvec3()))).sum::<f64>() / 6.0
    }

    /// Points − edges + triangles: two for each ball, none for a ring. None unless the mesh is closed: every edge has
    /// two triangles that go along it in opposite ways, and every point has one fan of triangles around it.
    pub fn euler(&self) -> Option<i64> {
        let turns = |t: &[u32; 3]| [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]];
        // From each point along each edge, and where the triangle there goes on to.
        let mut edges: Vec<[u32; 3]> = self.triangles.iter().flat_map(turns).collect();
        edges.sort_unstable();
        let find = |from: u32, to: u32| edges.binary_search_by_key(&(from, to), |e| (e[0], e[1])).ok();
        let once = edges.windows(2).all(|pair| pair[0][..2] != pair[1][..2]);
        if !once || !edges.iter().all(|e| find(e[1], e[0]).is_some()) {
            return None;
        }
        let fans: Vec<&[[u32; 3]]> = edges.chunk_by(|a, b| a[0] == b[0]).collect();
        let is_one = |fan: &&[[u32; 3]]| {
            let around =
                std::iter::successors(find(fan[0][0], fan[0][2]), |&e| find(edges[e][0], edges[e][2]));
            let back = around.take(fan.len()).position(|e| edges[e] == fan[0]);
            back == Some(fan.len() - 1)
        };
        let whole = fans.len() == self.points.len() && fans.iter().all(is_one);
        whole.then(|| self.points.len() as i64 - self.triangles.len() as i64 / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_triangles_join() {
        let triangles = vec![[5, 6, 2], [0, 3, 4], [6, 1, 5]];
        let mesh = TriangleMesh { points: vec![Vec3::ZERO; 8], triangles };
        assert_eq!(mesh.pieces(), [0, 1, 1, 0, 0, 1, 1, 7]);
    }

    fn pyramid(at: f32) -> TriangleMesh {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p + at).to_vec();
        TriangleMesh { points, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }
    }

    #[test]
    fn a_pyramid_is_closed_and_has_a_sixth() {
        assert_eq!(pyramid(3.0).euler(), Some(2));
        assert!((pyramid(3.0).volume() - 1.0 / 6.0).abs() < 1e-6);
        assert_eq!(TriangleMesh::default().euler(), Some(0));
    }

    #[test]
    fn what_is_not_closed_is_told() {
        let mut open = pyramid(0.0);
        open.triangles.pop();
        assert_eq!(open.euler(), None);
        let mut turned = pyramid(0.0);
        turned.triangles[0].swap(1, 2);
        assert_eq!(turned.euler(), None);
        let mut lone = pyramid(0.0);
        lone.points.push(Vec3::ONE);
        assert_eq!(lone.euler(), None);
        // Two pyramids that share a point have two fans there.
        let mut pinched = pyramid(0.0);
        let second = pyramid(0.0).triangles.into_iter().map(|t| t.map(|i| if i == 0 { 0 } else { i + 3 }));
        pinched.triangles.extend(second);
        pinched.points.extend([-Vec3::X, -Vec3::Y, -Vec3::Z]);
        assert_eq!(pinched.euler(), None);
    }
}
