//! Patches become one mesh: their points numbered through in the order of the blocks.

use super::attributes::VertexAttributes;
use super::cells::{key, place};
use super::patch::{FOREIGN, Patch, STRIDE};
use super::samples::NODES;
use glam::IVec3;
use ondine::objects::TriangleMesh;
use rayon::prelude::*;

/// The surface in one block.
#[derive(Debug)]
pub struct Piece {
    /// Key of the block.
    pub key: u64,
    /// Points and triangles.
    pub patch: Patch,
    /// Of its points; may be empty.
    pub attributes: Vec<VertexAttributes>,
}

/// One mesh from all pieces, which come in the order of their blocks, and the attributes of its points.
pub fn stitch(mut pieces: Vec<Piece>) -> (TriangleMesh, Vec<VertexAttributes>) {
    let first = first_points(&pieces);
    let mut parts: Vec<Vec<[u32; 3]>> =
        pieces.iter_mut().map(|piece| std::mem::take(&mut piece.patch.triangles)).collect();
    parts.par_iter_mut().enumerate().with_min_len(16).for_each(|(i, part)| number(part, i, &pieces, &first));
    // Each part goes as soon as it is in the whole: there is never all of it twice.
    let mut triangles = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| triangles.extend(part));
    let mut points = Vec::with_capacity(*first.last().unwrap_or(&0) as usize);
    let mut attributes = Vec::with_capacity(pieces.iter().map(|piece| piece.attributes.len()).sum());
    for piece in pieces {
        points.extend(piece.patch.points);
        attributes.extend(piece.attributes);
    }
    (TriangleMesh { points, triangles }, attributes)
}

/// Number of the first point of each piece, and of all points at the end.
fn first_points(pieces: &[Piece]) -> Vec<u32> {
    let mut first = vec![0];
    for piece in pieces {
        first.push(first[first.len() - 1] + piece.patch.points.len() as u32);
    }
    first
}

/// Gives the triangles of a piece the numbers that its points have in the whole.
fn number(triangles: &mut [[u32; 3]], own: usize, pieces: &[Piece], first: &[u32]) {
    let at = place(pieces[own].key);
    // The blocks above, by a bit for each axis.
    let above: [Option<usize>; 8] = std::array::from_fn(|bits| {
        let step = IVec3::new(bits as i32 & 1, bits as i32 >> 1 & 1, bits as i32 >> 2);
        let wanted = key(at + step)?;
        pieces.binary_search_by_key(&wanted, |piece| piece.key).ok()
    });
    let number = |point: u32| {
        if point & FOREIGN == 0 {
            return first[own] + point;
        }
        let (block, edge) = owner(point & !FOREIGN);
        let found = above[block].and_then(|i| Some(first[i] + pieces[i].patch.find(edge)?));
        found
            .expect("the block that a surface goes on to has been walked, and agrees on the nodes in between")
    };
    triangles.as_flattened_mut().iter_mut().for_each(|point| *point = number(*point));
}

/// Which block above owns an edge, and the edge as that block numbers it.
fn owner(edge: u32) -> (usize, u32) {
    let (node, axis) = (edge as usize / 3, edge % 3);
    let end = NODES - 1;
    let (mut block, mut there) = (0, node);
    for (axis, stride) in STRIDE.into_iter().enumerate() {
        if node / stride % NODES == end {
            block |= 1 << axis;
            there -= end * stride;
        }
    }
    (block, 3 * there as u32 + axis)
}
