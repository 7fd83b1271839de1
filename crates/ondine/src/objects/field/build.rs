//! From a mesh to a stored field: where to store full blocks, and what is stored.

use super::flood::{Corner, Outside};
use super::grid::{Grid, SIDE, places};
use super::measure::{Measure, Measured, Trail};
use super::soup::{self, SHEET};
use super::tree::Tree;
use super::triangle::Triangle;
use super::{COARSE, DistanceField, FAR, FieldFault, FieldOptions, LESS, SAMPLES, interpolated};
use crate::objects::TriangleMesh;
use crate::parallel;
use glam::{IVec3, Vec3};

/// Up to here outside distances are stored as they are [cells].
const EXACT: f64 = 7.0;

/// Inside, where nobody minds a cell, they may do from here on [cells].
const DEEP: f64 = 6.0;

/// How much block corners may underestimate the distance in a block [cells].
const RIDGE: f64 = 0.5;

/// Largest field [bytes].
const LIMIT: usize = 512 << 20;

/// Builds the field; see `DistanceField::build`.
pub fn build(mesh: &TriangleMesh, options: FieldOptions) -> Result<DistanceField, FieldFault> {
    let (low, high) = soup::bounds(mesh)?;
    let open = if options.thickness.is_none() { soup::open_edges(mesh) } else { Vec::new() };
    let grid = soup::lay_out(low, high, options, !open.is_empty())?;
    let triangle = |t: [Vec3; 3]| Triangle(t.map(|p| grid.in_cells(p)));
    let triangles = Tree::new(mesh.corners().map(triangle).collect());
    let corners = unsigned(&triangles, &grid);
    let mut half = options.thickness.map_or(0.0, |t| 0.5 * t as f64 / grid.cell);
    let mut outside = Outside::find(&triangles, &grid, &corners, half);
    let given = {
        let thin = Measure::without_feet(&triangles, &outside, half);
        open.iter().any(|e| thin.reaches_edge(e.map(|i| grid.in_cells(mesh.points[i as usize]))))
    };
    if given {
        half = SHEET;
        outside = Outside::find(&triangles, &grid, &corners, half);
    }
    let reach = half * grid.cell;
    let field = DistanceField {
        origin: grid.origin.as_vec3(),
        cell: grid.cell as f32,
        blocks: grid.blocks.to_array().map(|n| n as u32),
        low: (low - reach).as_vec3(),
        high: (high + reach).as_vec3(),
        given_thickness: given.then_some((2.0 * reach) as f32),
        coarse: Vec::new(),
        slots: Vec::new(),
        fine: Vec::new(),
    };
    fill(field, &grid, &Measure::new(&triangles, &outside, half, &grid, &corners), &corners)
}

/// The unsigned distances at the corners of blocks.
fn unsigned(triangles: &Tree<Triangle>, grid: &Grid) -> Vec<Corner> {
    by_corners(grid, |corner, guess: &mut u32| {
        let hit = triangles.closest((SIDE * corner).as_dvec3(), *guess);
        *guess = hit.map_or(0, |h| h.item);
        (hit.map_or(f32::MAX, |h| h.square.sqrt() as f32), *guess)
    })
}

/// The results of `work` for all corners of blocks. Along a row, each call leaves something for the next.
fn by_corners<R, S>(grid: &Grid, work: impl Fn(IVec3, &mut S) -> R + Sync + Send) -> Vec<R>
where
    R: Clone + Send + Sync,
    S: Default,
{
    let size = grid.corners();
    let row = |i: usize| {
        let mut left = S::default();
        let (y, z) = (i as i32 % size.y, i as i32 / size.y);
        (0..size.x).map(|x| work(IVec3::new(x, y, z), &mut left)).collect::<Vec<R>>()
    };
    parallel::collect((size.y * size.z) as usize, row).concat()
}

/// Stores the distances.
fn fill(
    mut field: DistanceField,
    grid: &Grid,
    measure: &Measure,
    corners: &[Corner],
) -> Result<DistanceField, FieldFault> {
    let near = by_corners(grid, |corner, trail: &mut Trail| {
        *trail = trail.at(corners[grid.corner_number(corner)].1);
        measure.at(SIDE * corner, trail)
    });
    field.coarse = near.iter().map(|n| stored(n.distance, grid)).collect();
    let full: Vec<usize> =
        (0..grid.block_count()).filter(|&i| wants_full(grid, grid.block(i), &near)).collect();
    field.slots = vec![COARSE; grid.block_count()];
    for (slot, &block) in full.iter().enumerate() {
        field.slots[block] = slot as u32;
    }
    let bytes = 4 * (field.coarse.len() + field.slots.len() + SAMPLES * full.len());
    if bytes > LIMIT {
        // What is stored in full goes with the square of the fineness.
        return Err(FieldFault::TooFine {
            cell: grid.cell,
            at_least: grid.cell * (bytes as f64 / LIMIT as f64).sqrt(),
        });
    }
    let owned = parallel::collect(full.len(), |slot| {
        let block = grid.block(full[slot]);
        let mut trail = Trail::default().at(corners[grid.corner_number(block)].1);
        let value = |node| match hangs(&field, grid, node) {
            true => f32::NAN, // never asked for
            false => stored(measure.at(node, &mut trail).distance, grid),
        };
        places(SIDE).map(|c| SIDE * block + c).map(value).collect::<Vec<f32>>()
    });
    let samples = parallel::collect(full.len(), |slot| {
        let block = grid.block(full[slot]);
        places(SIDE + 1).map(|c| sample(&field, grid, &owned, SIDE * block + c)).collect::<Vec<f32>>()
    });
    field.fine = samples.concat();
    Ok(field)
}

/// What is stored for a distance in cells: metres, and outside, beyond the band where the distance is exact, less.
///
/// Interpolation between corners of a block must not promise more room than there is. Let q be the point of the
/// surface nearest to x. Between corners that are L apart, the interpolated square of the distance from q is at most
/// 3L²/4 too large, and the corners' own distances d are no larger than theirs from q. So with c² = d² − 3L²/4 at
/// the corners the interpolated c is never above the distance. From `FAR` on, d − `LESS` is below that c.
fn stored(distance: f64, grid: &Grid) -> f32 {
    let lowered = if distance <= EXACT {
        distance
    } else if distance <= FAR {
        EXACT + (distance - EXACT) * (FAR - LESS - EXACT) / (FAR - EXACT)
    } else {
        distance - LESS
    };
    (lowered * grid.cell) as f32
}

/// Whether the corners of a block do not tell enough about it: near the surface, and where the nearest point of
/// the surface changes from one place to quite another.
fn wants_full(grid: &Grid, block: IVec3, near: &[Measured]) -> bool {
    if block.min_element() == 0 || (block + 1).cmpeq(grid.blocks).any() {
        return false;
    }
    let mut corners = [Measured::default(); 8];
    for (corner, c) in corners.iter_mut().zip(places(2)) {
        *corner = near[grid.corner_number(block + c)];
    }
    let outside = corners[0].distance > 0.0;
    let far = if outside { FAR } else { DEEP };
    if corners.iter().any(|c| c.distance.abs() < far || (c.distance > 0.0) != outside) {
        return true;
    }
    let distances = corners.map(|c| c.distance.abs() as f32);
    places(3).any(|c| {
        let at = 0.5 * c.as_vec3();
        let p = (SIDE * block).as_dvec3() + SIDE as f64 * at.as_dvec3();
        let nearest = corners.iter().map(|c| c.foot.distance_squared(p)).fold(f64::MAX, f64::min).sqrt();
        nearest - interpolated(&distances, at).0 as f64 > RIDGE
    })
}

/// Whether a node is on the border of a block that is not stored in full.
fn hangs(field: &DistanceField, grid: &Grid, node: IVec3) -> bool {
    let block = node / SIDE;
    let first = (node - 1).div_euclid(IVec3::splat(SIDE));
    let full = |b| grid.has_block(b) && field.slots[grid.block_number(b)] != COARSE;
    !places(2).all(|c| full((first + c).min(block)))
}

/// The value of a node on or in a full block. Where it hangs, it is what the other block interpolates, so that
/// nothing jumps there.
fn sample(field: &DistanceField, grid: &Grid, owned: &[Vec<f32>], node: IVec3) -> f32 {
    let block = (node / SIDE).min(grid.blocks - 1);
    let within = node - SIDE * block;
    if !hangs(field, grid, node) {
        let slot = field.slots[grid.block_number(block)] as usize;
        return owned[slot][(within.x + 4 * within.y + 16 * within.z) as usize];
    }
    let mut corners = [0.0; 8];
    for (corner, c) in corners.iter_mut().zip(places(2)) {
        *corner = field.coarse[grid.corner_number(block + c)];
    }
    interpolated(&corners, within.as_vec3() / SIDE as f32).0
}
