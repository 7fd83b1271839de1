//! Distance fields of triangle meshes: how far a point is from an object of any form, and which way is out.
//!
//! Source: thesis 000 §6.1. The field is a table of signed distances at the nodes of a grid, between which it is
//! interpolated. It takes four stages: distances near the surface, distances elsewhere, what is outside, and the
//! inside anew as seen from there. What makes a point *outside* is that it can be reached from far away without
//! passing a triangle. So the winding of triangles does not matter, nor faces inside, nor parts that overlap.
//! A void that nothing leads to, like that between a sphere and a smaller one in it, is solid.
//!
//! `soup` checks the mesh and lays out the `grid`; `flood` finds the outside, `measure` the distances, both with a
//! `tree` of each `triangle`; `build` decides what to store and `sample` asks for it.
//!
//! Limits: openings narrower than a cell may count as closed. Closed walls thinner than a cell have no inside; they
//! push away on both sides, but at the wall itself the distance may be up to half a cell.

mod build;
mod flood;
mod grid;
mod measure;
mod sample;
mod soup;
#[cfg(test)]
mod tests;
mod tree;
mod triangle;

use super::TriangleMesh;
use glam::Vec3;
use sample::interpolated;
use serde::{Deserialize, Serialize};

/// Samples along the edge of a full block, and in it.
const EDGE: usize = grid::SIDE as usize + 1;
const SAMPLES: usize = EDGE * EDGE * EDGE;

/// From here on outside, the corners of blocks may do [cells].
const FAR: f64 = 8.5;

/// By how much distances out there are stored too short [cells]: FAR − √(FAR² − 12), see `build`.
const LESS: f64 = 0.7382;

/// The slot of blocks that are not stored in full.
const COARSE: u32 = u32::MAX;

/// Signed distances of a mesh, stored at grid nodes: at all of them near the surface, elsewhere at every fourth.
///
/// Within six cells of the surface distances are as good as interpolation gets. Farther outside they are never more
/// than the true distance, and less by a cell or so; farther inside they are right within a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceField {
    /// The grid's low corner [m].
    origin: Vec3,
    /// Distance between nodes [m].
    cell: f32,
    /// Blocks along each axis.
    blocks: [u32; 3],
    /// Corners of a box around the solid [m].
    low: Vec3,
    high: Vec3,
    given_thickness: Option<f32>,
    /// Distances at the corners of blocks [m].
    coarse: Vec<f32>,
    /// For each block where in `fine` it is stored, or `COARSE`.
    slots: Vec<u32>,
    /// Distances at the nodes in and around each full block [m]. Neighbours share theirs: one block is enough for any
    /// query.
    fine: Vec<f32>,
}

/// How to build a distance field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldOptions {
    /// Distance between grid nodes [m]. By default a 96th of the longest side.
    pub cell: Option<f32>,
    /// Thickness of the surface [m]: the solid is all within half of it, and what that encloses. By default none,
    /// and two cells for meshes with open edges.
    pub thickness: Option<f32>,
}

/// Why there is no distance field of a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldFault {
    /// No triangles.
    #[error("the mesh has no triangles; look whether the file holds lines or points only")]
    Empty,
    /// A triangle of a point that is not there.
    #[error("triangle {triangle} names point {point} of {points}, counted from 0; export the mesh again")]
    NoSuchPoint {
        /// The triangle, from 0.
        triangle: usize,
        /// The point it names.
        point: u32,
        /// How many there are.
        points: usize,
    },
    /// A point at infinity, or nowhere.
    #[error("point {point} of the mesh is at ({x}, {y}, {z}); give it finite coordinates below 1e15")]
    WildPoint {
        /// The point, from 0.
        point: u32,
        /// Its coordinates.
        x: f32,
        /// As above.
        y: f32,
        /// As above.
        z: f32,
    },
    /// A length that is none.
    #[error("{name} = {value} is no length; give it in metres, more than 1e-12")]
    WildOption {
        /// The option.
        name: &'static str,
        /// What it was.
        value: f32,
    },
    /// All points in one place.
    #[error("all points of the mesh are in one place; give it a size, or a thickness")]
    NoExtent,
    /// More than memory should hold.
    #[error("cells of {cell:.3e} m would take more than 512 MB; make them {at_least:.3e} m or larger")]
    TooFine {
        /// The cell asked for [m].
        cell: f64,
        /// One that may do [m].
        at_least: f64,
    },
    /// Cells that single precision cannot tell apart.
    #[error(
        "cells of {cell:.3e} m are lost to rounding {reach:.3e} m from the origin; move the mesh nearer to it, or \
         make the cells larger"
    )]
    BelowPrecision {
        /// The cell [m].
        cell: f64,
        /// The largest coordinate [m].
        reach: f64,
    },
}

impl DistanceField {
    /// The field of a mesh, of which only the triangles matter and not their winding.
    ///
    /// Without `thickness` the mesh should be closed. If it is not, that is if the outside reaches an edge that only one
    /// triangle uses (where points in the same place are one) and no other triangle touches, its surface gets a
    /// thickness of two cells, and `given_thickness` says so. Open edges that are sealed off inside do not count.
    pub fn build(mesh: &TriangleMesh, options: FieldOptions) -> Result<Self, FieldFault> {
        build::build(mesh, options)
    }

    /// Whether every question has its answer, and that is a number.
    pub fn is_sound(&self) -> bool {
        let product = |n: [u32; 3], more: u64| {
            n.iter().try_fold(1u64, |product, &n| product.checked_mul(n as u64 + more)).unwrap_or(u64::MAX)
        };
        let (slots, corners) = (product(self.blocks, 0), product(self.blocks, 1));
        let full = self.fine.len() / SAMPLES;
        let finite = |all: &[f32]| all.iter().all(|x| x.is_finite());
        let box_ = [self.origin, self.low, self.high];
        slots > 0
            && slots == self.slots.len() as u64
            && corners == self.coarse.len() as u64
            && self.fine.len() == full * SAMPLES
            && self.slots.iter().all(|&slot| slot == COARSE || (slot as usize) < full)
            && finite(&self.coarse)
            && finite(&self.fine)
            && box_.iter().all(|v| v.is_finite())
            && self.cell.is_finite()
            && self.cell > 0.0
            && self.low.cmple(self.high).all()
    }

    /// Corners of a box around the solid [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// Distance between nodes [m].
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// The thickness [m] that a mesh with open edges got because none was chosen for it.
    pub fn given_thickness(&self) -> Option<f32> {
        self.given_thickness
    }

    /// Size of what is stored [bytes].
    pub fn memory(&self) -> usize {
        4 * (self.coarse.len() + self.slots.len() + self.fine.len())
    }

    /// How many blocks of 4 × 4 × 4 cells there are, and how many of them are stored in full.
    pub fn blocks(&self) -> (usize, usize) {
        (self.slots.len(), self.fine.len() / SAMPLES)
    }
}
