//! A triangle mesh around anything that has a signed distance.
//!
//! Marching cubes on a lattice, with blocks of cells skipped where the distance says that no surface can be. The result
//! is closed whatever the distance function does: where the surface leaves a block, the next one is looked at too,
//! and the lattice goes one cell beyond the box, outside of which nothing counts.

pub mod marching;
mod project;
#[cfg(test)]
mod tests;
mod walk;

use super::TriangleMesh;
use super::clipped::Clipped;
use crate::parallel;
use glam::{UVec3, Vec3};
use walk::{Lattice, Patch, SIDE};

/// Most blocks of a lattice: 512 cells along each side of a cube.
const MOST_BLOCKS: u64 = 1 << 18;
/// Most triangles. With their points, twice while they move, and the patches they come from: half a gigabyte.
const MOST_TRIANGLES: usize = 1 << 23;
/// Smallest cell, in parts of the largest coordinate: so many floating-point numbers must lie between two corners.
const FINEST: f32 = 1.0 / 65536.0;
/// Smallest cell [m].
const SMALLEST: f32 = 1e-6;
/// Values as small as this count as outside, in cells. Faces that lie in a lattice plane then do not flicker.
const TINY: f32 = 1.0 / 1024.0;
/// Blocks that are looked at before counting what came of them.
const WAVE: usize = 1024;

/// The zero surface of a signed distance, negative inside, within a box between two corners. What sticks out of the box
/// is cut off at its faces.
///
/// The mesh is closed: each edge belongs to two triangles, each point to one fan of them, and they go against the clock
/// seen from outside. Parts thinner than a cell may be missing or have holes through them. The distance must change by
/// no more than the way gone, otherwise whole parts may be missing; it must be the same whenever asked.
///
/// `cell` is the side of a cell [m], enlarged where that takes too much memory (more than 512³ cells, 8 million
/// triangles) or precision (less than a micrometre, or the 65536th part of the largest coordinate). A box or a cell
/// that is none, such as one that is not finite, has no mesh.
pub fn polygonize(distance: &(dyn Fn(Vec3) -> f32 + Sync), low: Vec3, high: Vec3, cell: f32) -> TriangleMesh {
    let Some(field) = Clipped::new(distance, low, high).filter(|_| cell > 0.0) else {
        return TriangleMesh::default();
    };
    let mut lattice = lattice(&field, cell);
    loop {
        match patches(&field, &lattice) {
            Some(patches) => return mesh(&field, &lattice, &patches),
            None => lattice = self::lattice(&field, 2.0 * lattice.cell),
        }
    }
}

/// Cells around the box, one more on each side, of the wanted size or the smallest that can be had.
fn lattice(field: &Clipped, cell: f32) -> Lattice {
    let longest = 2.0 * field.half.max_element();
    let mut cell = cell.min(longest).max(FINEST * field.magnitude()).max(SMALLEST);
    loop {
        let cells = (2.0 * field.half / cell).ceil().as_uvec3() + 2;
        let blocks = (cells + SIDE - 1) / SIDE;
        if blocks.as_u64vec3().element_product() <= MOST_BLOCKS {
            return Lattice { low: field.middle - field.half - cell, cell, blocks };
        }
        cell *= 1.05;
    }
}

/// The surface in every block that has some, in the order of the blocks. None if that is too much.
fn patches(field: &Clipped, lattice: &Lattice) -> Option<Vec<(u32, Patch)>> {
    let mut waiting = near_blocks(field, lattice);
    let mut seen = vec![false; lattice.len()];
    waiting.iter().for_each(|&b| seen[b as usize] = true);
    let mut found = Vec::new();
    let mut triangles = 0;
    while !waiting.is_empty() {
        let wave = waiting.split_off(waiting.len().saturating_sub(WAVE));
        let made = parallel::map(&wave, work(&wave), |&b| {
            Patch::new(&lattice.sample(b, |p| field.at(p)), TINY * lattice.cell)
        });
        for (number, patch) in wave.into_iter().zip(made).filter(|(_, patch)| patch.len() > 0) {
            // For a true distance the neighbours are there already.
            for next in (0..6).filter(|&f| patch.open[f]).filter_map(|f| lattice.neighbour(number, f)) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    waiting.push(next);
                }
            }
            triangles += patch.len();
            found.push((number, patch));
        }
        if triangles > MOST_TRIANGLES {
            return None;
        }
    }
    found.sort_unstable_by_key(|(number, _)| *number);
    Some(found)
}

/// The blocks that the surface may pass through, as far as the distance of their middles tells.
fn near_blocks(field: &Clipped, lattice: &Lattice) -> Vec<u32> {
    let half_diagonal = 0.5 * SIDE as f32 * lattice.cell * 3f32.sqrt();
    let all: Vec<u32> = (0..lattice.len() as u32).collect();
    // Small room for rounding, and for values that count as outside though they are below zero.
    let near = parallel::map(&all, all.len(), |&b| {
        let middle = lattice.corner(SIDE * lattice.block(b) + UVec3::splat(SIDE / 2));
        field.at(middle).abs() <= 1.01 * half_diagonal
    });
    all.into_iter().zip(near).filter_map(|(b, near)| near.then_some(b)).collect()
}

/// Samples behind a list of blocks, to judge whether sharing pays.
fn work<T>(blocks: &[T]) -> usize {
    blocks.len() * (SIDE * SIDE * SIDE) as usize
}

fn mesh(field: &Clipped, lattice: &Lattice, patches: &[(u32, Patch)]) -> TriangleMesh {
    let made = parallel::map(patches, work(patches), |(number, patch)| {
        let rough: Vec<Vec3> = patch.points(lattice, *number).collect();
        let projected: Vec<Vec3> =
            rough.iter().map(|&p| project::onto_surface(field, p, lattice.cell)).collect();
        (rough, projected)
    });
    let (rough, projected): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let (rough, mut points) = (rough.concat(), projected.concat());
    let triangles = walk::stitch(lattice, patches);
    project::keep_upright(&mut points, &rough, &triangles);
    TriangleMesh { points, triangles }
}
