//! Sums over the cells of a shape that only its distance describes.
//!
//! Blocks of cells are divided in eight (in the plane, four) until the surface is known to be elsewhere or the finest
//! cell is reached; there the share of the cell that is inside goes from one to zero over the width of a cell. All sums
//! are double precision, about the middle of the box, in a fixed order.

use super::{MassProperties, outer};
use crate::objects::clipped::{Clipped, Distance};
use crate::parallel;
use glam::{DMat3, DVec3, UVec3, Vec3};

/// How often a block is divided down to the finest cells.
const DEPTH: u32 = 5;
/// Finest cells along one of those that the resolution asks for. Only the surface gets that far, so they are cheap.
const FINER: u32 = 4;
/// Finest cells along the side of a block.
const SIDE: u32 = 1 << DEPTH;
/// Half the length of a box across the plane of a slice [m]: more than any distance in it.
const ACROSS: f32 = 1e9;

pub fn in_space(distance: &Distance, low: Vec3, high: Vec3, resolution: u32) -> MassProperties {
    Clipped::new(distance, low, high).map_or(MassProperties::NONE, |field| {
        let middle = field.middle;
        Cells::new(field, resolution, 3).gather().about_own_centre(middle)
    })
}

pub fn in_plane(distance: &Distance, low: Vec3, high: Vec3, resolution: u32) -> MassProperties {
    let (low, high) = (low.with_z(-ACROSS), high.with_z(ACROSS));
    Clipped::new(distance, low, high).map_or(MassProperties::NONE, |field| {
        let middle = field.middle;
        Cells::new(field, resolution, 2).gather().about_own_centre(middle)
    })
}

/// The cells of a box.
struct Cells<'a> {
    field: Clipped<'a>,
    /// Two in the plane.
    dimension: usize,
    /// Side of the finest cells [m].
    finest: f32,
    blocks: UVec3,
}

impl<'a> Cells<'a> {
    /// Half a cell more than the box on each side, where a face in the box's own is still felt.
    fn new(field: Clipped<'a>, resolution: u32, dimension: usize) -> Self {
        let half = if dimension == 2 { field.half.with_z(0.0) } else { field.half };
        let longest = 2.0 * half.max_element();
        let finest = (longest / (FINER * resolution.clamp(8, 512)) as f32).max(f32::MIN_POSITIVE);
        let cells = (2.0 * half / finest).ceil().as_uvec3() + 1;
        let blocks = (cells + SIDE - 1) / SIDE;
        Self { field, dimension, finest, blocks: if dimension == 2 { blocks.with_z(1) } else { blocks } }
    }

    /// Sums of all blocks, added in their order.
    fn gather(&self) -> Sums {
        let n = self.blocks;
        let all: Vec<u32> = (0..n.element_product()).collect();
        let side = SIDE as f32 * self.finest;
        let sums = parallel::map(&all, all.len() * (SIDE * SIDE) as usize, |&b| {
            let at = UVec3::new(b % n.x, b / n.x % n.y, b / (n.x * n.y));
            let centre = (at.as_vec3() + 0.5 - 0.5 * n.as_vec3()) * side;
            let mut sums = Sums::NONE;
            self.visit(centre, side, DEPTH, &mut sums);
            sums
        });
        sums.iter().fold(Sums::NONE, |a, b| a.plus(b))
    }

    /// Adds a cell whose centre is given from the middle of the box.
    fn visit(&self, centre: Vec3, side: f32, depth: u32, sums: &mut Sums) {
        let d = self.field.at(self.field.middle + centre);
        let half_diagonal = 0.5 * side * (self.dimension as f32).sqrt();
        if depth == 0 || d.abs() > half_diagonal + 0.5 * self.finest {
            let share = (0.5 - d / self.finest).clamp(0.0, 1.0);
            if share > 0.0 {
                sums.add(f64::from(share), centre.as_dvec3(), self.size(side));
            }
            return;
        }
        for child in 0..1 << self.dimension {
            let sign = |axis: usize| ((child >> axis & 1) * 2 - 1) as f32;
            let across = if self.dimension == 2 { 0.0 } else { sign(2) };
            let step = 0.25 * side * Vec3::new(sign(0), sign(1), across);
            self.visit(centre + step, 0.5 * side, depth - 1, sums);
        }
    }

    /// Side lengths of a cell [m].
    fn size(&self, side: f32) -> DVec3 {
        let size = DVec3::splat(f64::from(side));
        if self.dimension == 2 { size.with_z(1.0) } else { size }
    }
}

/// Volume, and the integrals of `r` and `r rᵀ`.
#[derive(Clone, Copy)]
struct Sums {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Sums {
    const NONE: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Adds a share of a cell, which has an extent of its own.
    fn add(&mut self, share: f64, centre: DVec3, size: DVec3) {
        let volume = share * size.element_product();
        self.volume += volume;
        self.first += volume * centre;
        self.second += volume * (outer(centre) + DMat3::from_diagonal(size * size / 12.0));
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            volume: self.volume + other.volume,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }

    /// An empty shape has its centre in the middle of the box.
    fn about_own_centre(self, middle: Vec3) -> MassProperties {
        let centre = if self.volume > 0.0 { self.first / self.volume } else { DVec3::ZERO };
        let second = self.second - self.volume * outer(centre);
        MassProperties::from_second(self.volume, middle.as_dvec3() + centre, second)
    }
}
