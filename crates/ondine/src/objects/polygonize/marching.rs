//! The cases of marching cubes: which triangles separate the inside corners of a cube from the outside ones.
//!
//! Source: Lorensen and Cline 1987. Their table leaves cracks where a face has two inside corners across its diagonal,
//! since the two cubes at that face may join them differently. Here the table follows from one rule for faces: along a
//! face, every run of inside corners is cut off on its own, so two across a diagonal are always separate. The rule
//! looks at the face alone, hence both cubes draw the same segments there, and no crack can be.
//!
//! The segments close to loops, each loop becomes a fan of triangles around one of its points. The point is chosen such
//! that no inner edge of the fan lies in a face of the cube, where the neighbour might have the same one: every edge
//! then has exactly two triangles, and every point one fan around it. Tests go through all cases.
//!
//! Numbering: corner `x + 2y + 4z`; edge `4a + u + 2v` along axis `a`, where `u` and `v` are the places along the next
//! two axes in the order x, y, z, x, y.

use std::sync::LazyLock;

/// The most triangles a cube can need; a test counts them.
const MOST: usize = 5;

/// Triangles of one of the 256 ways to be inside at the corners of a cube.
#[derive(Clone, Copy, Debug, Default)]
pub struct Case {
    count: usize,
    triangles: [[u8; 3]; MOST],
}

impl Case {
    /// Triangles between the cut edges, against the clock seen from outside.
    pub fn triangles(&self) -> &[[u8; 3]] {
        &self.triangles[..self.count]
    }

    /// A closed loop of cut edges as a fan.
    fn add_loop(&mut self, cuts: &[usize]) {
        let n = cuts.len();
        let around = |first: usize, i: usize| cuts[(first + i) % n];
        let is_inner = |&first: &usize| (2..n - 1).all(|i| !share_face(around(first, 0), around(first, i)));
        let first = (0..n).find(is_inner).expect("every loop has such a point: a test tries them all");
        for i in 1..n - 1 {
            let triangle = [around(first, 0), around(first, i), around(first, i + 1)];
            self.triangles[self.count] = triangle.map(|e| e as u8);
            self.count += 1;
        }
    }
}

/// All cases. Bit `c` of the number of a case says whether corner `c` is inside.
pub fn cases() -> &'static [Case; 256] {
    static CASES: LazyLock<[Case; 256]> = LazyLock::new(|| std::array::from_fn(build));
    &CASES
}

/// The lower corner of an edge, and its axis.
pub const fn edge(e: usize) -> (usize, usize) {
    let axis = e / 4;
    ((e & 1) << ((axis + 1) % 3) | (e >> 1 & 1) << ((axis + 2) % 3), axis)
}

/// The edge between two corners that differ along one axis.
fn edge_between(p: usize, q: usize) -> usize {
    let axis = (p ^ q).trailing_zeros() as usize;
    4 * axis + (p >> ((axis + 1) % 3) & 1) + 2 * (p >> ((axis + 2) % 3) & 1)
}

/// The corners of each face, against the clock seen from outside the cube.
fn faces() -> [[usize; 4]; 6] {
    std::array::from_fn(|f| {
        let (axis, side) = (f / 2, f % 2);
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let high = [0, u, u | v, v].map(|c| c | side << axis);
        if side == 1 { high } else { [high[3], high[2], high[1], high[0]] }
    })
}

fn share_face(e: usize, f: usize) -> bool {
    let ends = [e, f].map(|e| {
        let (low, axis) = edge(e);
        [low, low | 1 << axis]
    });
    faces().iter().any(|face| ends.iter().flatten().all(|c| face.contains(c)))
}

/// Segments of a face, from a cut edge to a cut edge: each run of inside corners from where it begins to where it ends.
fn segments(case: usize, face: [usize; 4]) -> Vec<(usize, usize)> {
    let inside = |i: usize| case >> face[i % 4] & 1 == 1;
    let edge = |i: usize| edge_between(face[i % 4], face[(i + 1) % 4]);
    let begins = (0..4).filter(|&i| !inside(i) && inside(i + 1));
    begins.map(|i| (edge(i), edge((i + 1..).find(|&j| !inside(j + 1)).expect("an outside corner")))).collect()
}

fn build(case: usize) -> Case {
    let mut next = [None; 12];
    for (from, to) in faces().into_iter().flat_map(|face| segments(case, face)) {
        next[from] = Some(to);
    }
    let mut built = Case::default();
    for start in 0..12 {
        let mut cuts = Vec::new();
        let mut at = start;
        while let Some(to) = next[at].take() {
            cuts.push(at);
            at = to;
        }
        if !cuts.is_empty() {
            built.add_loop(&cuts);
        }
    }
    built
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Directed edges of the triangles of a case, with how often each occurs.
    fn directed(case: usize) -> BTreeMap<(u8, u8), usize> {
        let mut found = BTreeMap::new();
        for t in cases()[case].triangles() {
            for i in 0..3 {
                *found.entry((t[i], t[(i + 1) % 3])).or_default() += 1;
            }
        }
        found
    }

    /// The edges of a case that have no second triangle, and so lie in the cube's surface.
    fn rim(case: usize) -> Vec<(usize, usize)> {
        let all = directed(case);
        let open = all.keys().filter(|(a, b)| !all.contains_key(&(*b, *a)));
        open.map(|&(a, b)| (a as usize, b as usize)).collect()
    }

    #[test]
    fn edges_and_corners_agree() {
        for e in 0..12 {
            let (low, axis) = edge(e);
            assert_eq!(low >> axis & 1, 0);
            assert_eq!(edge_between(low, low | 1 << axis), e);
            assert_eq!(edge_between(low | 1 << axis, low), e);
        }
    }

    #[test]
    fn triangles_use_the_cut_edges_and_all_of_them() {
        for case in 0..256 {
            let cut = |e: usize| {
                let (low, axis) = edge(e);
                (case >> low ^ case >> (low | 1 << axis)) & 1 == 1
            };
            let used: Vec<_> = cases()[case].triangles().iter().flatten().map(|&e| e as usize).collect();
            assert!((0..12).all(|e| cut(e) == used.contains(&e)), "case {case}");
        }
        assert_eq!((0..256).map(|c| cases()[c].count).max(), Some(MOST));
    }

    #[test]
    fn the_rim_of_a_case_is_its_face_segments_and_nothing_inner_lies_in_a_face() {
        for case in 0..256 {
            assert!(directed(case).values().all(|&n| n == 1), "case {case}");
            let mut rim = rim(case);
            let mut drawn: Vec<_> = faces().into_iter().flat_map(|f| segments(case, f)).collect();
            rim.sort();
            drawn.sort();
            assert_eq!(rim, drawn, "case {case}");
            for (a, b) in directed(case).into_keys().map(|(a, b)| (a as usize, b as usize)) {
                assert!(rim.contains(&(a, b)) || !share_face(a, b), "case {case}: {a} {b}");
            }
        }
    }

    /// Whatever two cubes meet at a face, one draws what the other draws backwards: for all 256 cases, all faces, and
    /// all 16 ways for the rest of the neighbour.
    #[test]
    fn neighbours_agree_on_their_common_face() {
        for case in 0..256usize {
            for axis in 0..3 {
                let across = |c: usize| c ^ 1 << axis;
                let (upper, lower): (Vec<_>, Vec<_>) = (0..8).partition(|c| c >> axis & 1 == 1);
                let shared =
                    upper.iter().filter(|&&c| case >> c & 1 == 1).fold(0, |m, &c| m | 1 << across(c));
                for rest in 0..16usize {
                    let other = (0..4).fold(shared, |m, i| m | (rest >> i & 1) << upper[i]);
                    let here = face_rim(case, &upper, |c| c);
                    let there = face_rim(other, &lower, across);
                    let back: Vec<_> = there.into_iter().map(|(a, b)| (b, a)).collect();
                    assert!(
                        here.len() == back.len() && here.iter().all(|s| back.contains(s)),
                        "{case} {other}"
                    );
                }
            }
        }
    }

    /// The rim of a case within the face of the given corners, its edges as pairs of corners seen through `as_seen`.
    fn face_rim(
        case: usize,
        face: &[usize],
        as_seen: impl Fn(usize) -> usize,
    ) -> Vec<([usize; 2], [usize; 2])> {
        let ends = |e: usize| {
            let (low, axis) = edge(e);
            [low, low | 1 << axis]
        };
        let rim = rim(case).into_iter().map(|(a, b)| (ends(a), ends(b)));
        rim.filter(|(a, b)| a.iter().chain(b).all(|c| face.contains(c)))
            .map(|(a, b)| (a.map(&as_seen), b.map(&as_seen)))
            .collect()
    }

    #[test]
    fn a_lone_inside_corner_faces_away_from_it() {
        let [t] = cases()[1].triangles() else { panic!("one triangle") };
        let at = t.map(|e| {
            let mut p = glam::Vec3::ZERO;
            p[edge(e as usize).1] = 0.5;
            p
        });
        assert!((at[1] - at[0]).cross(at[2] - at[0]).dot(glam::Vec3::ONE) > 0.0);
    }
}
