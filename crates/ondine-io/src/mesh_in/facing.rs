//! Triangles that face alike: over an edge that two triangles share, one goes up it and the other down.
//!
//! In each connected piece the minority is turned over. A closed surface of negative volume is then turned inside
//! out as a whole; not piece by piece, because a piece that faces inwards may be a cavity. Edges with one triangle or
//! more than two say nothing, and a piece with only one side (a Möbius strip) is left as it is.

use glam::Vec2;
use ondine::objects::TriangleMesh;

/// Marks an edge that not exactly two triangles share.
const ALONE: u32 = u32::MAX;

/// What was turned.
pub(super) struct Facing {
    /// Triangles that faced against the majority of their piece.
    pub turned: usize,
    /// Whether the whole surface faced inwards.
    pub inside_out: bool,
}

/// Makes triangles face alike, the places of their corners in a texture with them. None may have repeated points.
pub(super) fn made_alike(mesh: &mut TriangleMesh, uv: &mut [[Vec2; 3]]) -> Facing {
    let twins = twins(mesh);
    let (turned, one_sided) = turn_minorities(&mut mesh.triangles, uv, &twins);
    let closed = !one_sided && !twins.contains(&ALONE);
    let inside_out = closed && volume(mesh) < 0.0;
    if inside_out {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        uv.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    Facing { turned, inside_out }
}

/// Ends of a side: side `3 t + k` of triangle `t` goes from its corner `k` to the next.
fn ends(triangles: &[[u32; 3]], side: usize) -> (u32, u32) {
    let triangle = triangles[side / 3];
    (triangle[side % 3], triangle[(side + 1) % 3])
}

/// For each side, the one side of another triangle along the same edge, or [`ALONE`].
fn twins(mesh: &TriangleMesh) -> Vec<u32> {
    let (starts, mut sides) = by_lower_end(mesh);
    let mut twins = vec![ALONE; sides.len()];
    for range in starts.windows(2) {
        let at_point = &mut sides[range[0] as usize..range[1] as usize];
        at_point.sort_unstable();
        for edge in at_point.chunk_by(|a, b| a.0 == b.0) {
            if let &[(_, a), (_, b)] = edge {
                (twins[a as usize], twins[b as usize]) = (b, a);
            }
        }
    }
    twins
}

/// The sides as (higher end, side), sorted by their lower ends, and where those of each point start.
fn by_lower_end(mesh: &TriangleMesh) -> (Vec<u32>, Vec<(u32, u32)>) {
    let sides = 3 * mesh.triangles.len();
    let lower_and_higher = |side| {
        let (a, b) = ends(&mesh.triangles, side);
        (a.min(b), a.max(b))
    };
    let mut starts = vec![0u32; mesh.points.len() + 1];
    (0..sides).for_each(|side| starts[lower_and_higher(side).0 as usize + 1] += 1);
    (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
    let (mut next, mut sorted) = (starts.clone(), vec![(0, 0); sides]);
    for side in 0..sides {
        let (lower, higher) = lower_and_higher(side);
        let place = &mut next[lower as usize];
        sorted[*place as usize] = (higher, side as u32);
        *place += 1;
    }
    (starts, sorted)
}

/// Turns the minority of each connected piece over. Gives how many were turned, and whether any piece has one side.
fn turn_minorities(triangles: &mut [[u32; 3]], uv: &mut [[Vec2; 3]], twins: &[u32]) -> (usize, bool) {
    let mut over = vec![None; triangles.len()];
    let (mut turned, mut one_sided) = (0, false);
    for first in 0..triangles.len() {
        if over[first].is_some() {
            continue;
        }
        let Some(piece) = piece_from(first, triangles, twins, &mut over) else {
            one_sided = true;
            continue;
        };
        let against = piece.iter().filter(|&&t| over[t as usize] == Some(true)).count();
        let minority = 2 * against <= piece.len();
        for t in piece.into_iter().map(|t| t as usize).filter(|&t| over[t] == Some(minority)) {
            triangles[t].swap(1, 2);
            uv.get_mut(t).into_iter().for_each(|corners| corners.swap(1, 2));
            turned += 1;
        }
    }
    (turned, one_sided)
}

/// The piece that holds a triangle, each marked by whether it must be turned over to face like the first. None if no
/// turning makes them agree.
fn piece_from(
    first: usize,
    triangles: &[[u32; 3]],
    twins: &[u32],
    over: &mut [Option<bool>],
) -> Option<Vec<u32>> {
    let (mut piece, mut next, mut agree) = (vec![first as u32], 0, true);
    over[first] = Some(false);
    while let Some(&t) = piece.get(next) {
        let mine = over[t as usize] == Some(true);
        next += 1;
        for (side, &twin) in twins.iter().enumerate().skip(3 * t as usize).take(3) {
            if twin == ALONE {
                continue;
            }
            let twin = twin as usize;
            let same_way = ends(triangles, side).0 == ends(triangles, twin).0;
            let wanted = mine != same_way;
            match over[twin / 3] {
                Some(marked) => agree &= marked == wanted,
                None => {
                    over[twin / 3] = Some(wanted);
                    piece.push((twin / 3) as u32);
                }
            }
        }
    }
    agree.then_some(piece)
}

/// Six times the volume within a closed surface, as signed tetrahedra from its first point.
fn volume(mesh: &TriangleMesh) -> f64 {
    let origin = mesh.points.first().map_or(glam::DVec3::ZERO, |p| p.as_dvec3());
    mesh.corners()
        .map(|corners| {
            let [a, b, c] = corners.map(|p| p.as_dvec3() - origin);
            a.dot(b.cross(c))
        })
        .sum()
}
