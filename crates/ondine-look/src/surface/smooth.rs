//! Weighted smoothing: the bumps of single particles go, the shape and its volume stay.
//!
//! Source: Taubin, "A signal processing approach to fair surface design", 1995: a step towards the mean of the neighbours,
//! which takes bumps off and shrinks, then a slightly longer one back, which undoes the shrinking and not the taking
//! off. As in splashsurf, points with little liquid about them move less, so drops and threads keep their size.

use super::attributes::VertexAttributes;
use glam::{Vec3, Vec3A};
use ondine::objects::TriangleMesh;
use rayon::prelude::*;

/// Fraction of the way to the mean of the neighbours.
const TOWARDS: f32 = 0.6;
/// Fraction of the way back.
const BACK: f32 = -0.62;
/// Points that one thread takes at a time.
const PART: usize = 1024;

/// Who is next to whom on a closed mesh.
pub struct Rings {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Rings {
    /// On a closed mesh each edge of a point begins there in exactly one triangle.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let mut starts = vec![0u32; mesh.points.len() + 1];
        for corner in mesh.triangles.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; 3 * mesh.triangles.len()];
        for t in &mesh.triangles {
            for i in 0..3 {
                let from = t[i] as usize;
                neighbours[next[from] as usize] = t[(i + 1) % 3];
                next[from] += 1;
            }
        }
        Self { starts, neighbours }
    }

    /// The neighbours of a point.
    pub fn of(&self, i: usize) -> &[u32] {
        &self.neighbours[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Mean over the neighbours of a point.
    fn mean(&self, i: usize, values: &[Vec3A]) -> Vec3A {
        let ring = self.of(i);
        ring.iter().map(|&n| values[n as usize]).sum::<Vec3A>() * (1.0 / ring.len().max(1) as f32)
    }

    /// Moves every value by a fraction of the way to the mean of its neighbours, into `moved`.
    fn step(&self, values: &[Vec3A], moved: &mut [Vec3A], fraction: impl Fn(usize) -> f32 + Sync) {
        moved.par_chunks_mut(PART).enumerate().for_each(|(part, moved)| {
            for (k, value) in moved.iter_mut().enumerate() {
                let i = part * PART + k;
                *value = values[i] + (self.mean(i, values) - values[i]) * fraction(i);
            }
        });
    }
}

/// Smooths a mesh and the normals of its points so many times.
pub fn smooth(mesh: &mut TriangleMesh, attributes: &mut [VertexAttributes], times: u32) {
    if times == 0 || attributes.len() != mesh.points.len() {
        return;
    }
    let rings = Rings::new(mesh);
    let freedom: Vec<f32> = attributes.iter().map(VertexAttributes::freedom).collect();
    let mut points: Vec<Vec3A> = mesh.points.iter().map(|p| Vec3A::from(*p)).collect();
    let mut normals: Vec<Vec3A> = attributes.iter().map(|a| a.normal.into()).collect();
    let mut moved = vec![Vec3A::ZERO; points.len()];
    for _ in 0..times {
        for fraction in [TOWARDS, BACK] {
            rings.step(&points, &mut moved, |i| fraction * freedom[i]);
            std::mem::swap(&mut points, &mut moved);
        }
        rings.step(&normals, &mut moved, |i| TOWARDS * freedom[i]);
        std::mem::swap(&mut normals, &mut moved);
    }
    mesh.points.iter_mut().zip(points).for_each(|(point, smooth)| *point = smooth.into());
    for (attributes, normal) in attributes.iter_mut().zip(normals) {
        attributes.normal = Vec3::from(normal).normalize_or(attributes.normal);
    }
}
