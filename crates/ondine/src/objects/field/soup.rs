//! What a mesh is taken for: triangles in any order and any winding. Only its faults and its open edges matter.

use super::grid::{Grid, SIDE};
use super::{FAR, FieldFault, FieldOptions};
use crate::objects::TriangleMesh;
use glam::{DVec3, IVec3, Vec3};

/// Cells along the longest side where nobody chose their size.
const CELLS: f64 = 96.0;

/// Cells between the solid and the border of the grid: the band of full accuracy and a block around it.
const MARGIN: f64 = FAR + SIDE as f64 + 0.01;

/// Half the thickness of meshes with open edges where nobody chose one [cells]. A whole cell: then a sheet has grid
/// points inside wherever it lies.
pub const SHEET: f64 = 1.0;

/// Lengths beyond which single precision has no squares.
const LENGTHS: std::ops::Range<f64> = 1e-12..1e15;

/// Largest number of corners of blocks, eight bytes each and three times as much while the field is built.
const CORNERS: f64 = 8e6;

/// Corners of the box around all triangles [m], of a mesh without faults.
pub fn bounds(mesh: &TriangleMesh) -> Result<(DVec3, DVec3), FieldFault> {
    for (number, triangle) in mesh.triangles.iter().enumerate() {
        for &point in triangle {
            let Some(p) = mesh.points.get(point as usize) else {
                return Err(FieldFault::NoSuchPoint { triangle: number, point, points: mesh.points.len() });
            };
            if !p.is_finite() || p.abs().max_element() as f64 >= LENGTHS.end {
                return Err(FieldFault::WildPoint { point, x: p.x, y: p.y, z: p.z });
            }
        }
    }
    let around = |(low, high): (Vec3, Vec3), p: Vec3| (low.min(p), high.max(p));
    let mut corners = mesh.corners().flatten();
    let first = corners.next().ok_or(FieldFault::Empty)?;
    let (low, high) = corners.fold((first, first), around);
    Ok((low.as_dvec3(), high.as_dvec3()))
}

/// The grid for a mesh between `low` and `high`; with `open` edges there is room for the thickness they may get.
pub fn lay_out(low: DVec3, high: DVec3, options: FieldOptions, open: bool) -> Result<Grid, FieldFault> {
    let sound = |name, value: Option<f32>| match value {
        Some(v) if !LENGTHS.contains(&(v as f64)) => Err(FieldFault::WildOption { name, value: v }),
        _ => Ok(value.map(f64::from)),
    };
    let (cell, thickness) = (sound("cell", options.cell)?, sound("thickness", options.thickness)?);
    let longest = (high - low).max_element() + thickness.unwrap_or(0.0);
    if longest < LENGTHS.start {
        return Err(FieldFault::NoExtent);
    }
    // The field keeps the grid in single precision.
    let cell = cell.unwrap_or((longest / CELLS) as f32 as f64);
    let reach = low.abs().max(high.abs()).max_element() + longest;
    if cell < 8.0 * reach * f32::EPSILON as f64 {
        return Err(FieldFault::BelowPrecision { cell, reach });
    }
    let half = thickness.map_or(if open { SHEET } else { 0.0 }, |t| 0.5 * t / cell);
    let blocks = (((high - low) / cell + 2.0 * (half + MARGIN)) / 4.0).ceil();
    let corners = (blocks + 1.0).element_product();
    if corners > CORNERS {
        return Err(FieldFault::TooFine { cell, at_least: cell * libm::cbrt(corners / CORNERS) });
    }
    let origin = (0.5 * (low + high) - 2.0 * blocks * cell).as_vec3().as_dvec3();
    Ok(Grid { origin, cell, blocks: IVec3::new(blocks.x as i32, blocks.y as i32, blocks.z as i32) })
}

/// The edges that only one triangle uses, where points in the same place are one.
pub fn open_edges(mesh: &TriangleMesh) -> Vec<[u32; 2]> {
    let same = welded(&mesh.points);
    let mut edges = Vec::with_capacity(3 * mesh.triangles.len());
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| same[i as usize]);
        if a != b && b != c && c != a {
            edges.extend([(a, b), (b, c), (c, a)].map(|(a, b)| [a.min(b), a.max(b)]));
        }
    }
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).filter(|run| run.len() == 1).map(|run| run[0]).collect()
}

/// For each point one in the same place, the same for all of them.
fn welded(points: &[Vec3]) -> Vec<u32> {
    // Zero has two signs.
    let key = |i: u32| (points[i as usize] + 0.0).to_array().map(f32::to_bits);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (key(i), i));
    let mut same = vec![0; points.len()];
    for run in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &i in run {
            same[i as usize] = run[0];
        }
    }
    same
}
