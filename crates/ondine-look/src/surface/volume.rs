//! A surface holds the volume that its particles stand for.
//!
//! Where surface tension or depth packs particles closer than at rest, a surface that follows their places is too small.
//! It is moved outwards (or inwards) by the same small way everywhere but on drops and threads, whose size is right.

use super::attributes::VertexAttributes;
use ondine::objects::TriangleMesh;
use rayon::prelude::*;

/// Times that the way is found anew: a curved surface has another area after it.
const ROUNDS: usize = 2;
/// Ends of the way that a surface may be moved, in spacings.
const WAYS: (f64, f64) = (-0.3, 0.7);

/// Triangles or points that one thread takes at a time.
const PART: usize = 1024;

/// Moves the points of a closed mesh along their normals until it holds `volume` [m³], or as far as they may go.
pub fn hold(mesh: &mut TriangleMesh, attributes: &[VertexAttributes], volume: f64, spacing: f32) {
    let freedom: Vec<f32> = attributes.iter().map(VertexAttributes::freedom).collect();
    let mut left = WAYS;
    for _ in 0..ROUNDS {
        let size = Size::of(mesh, &freedom);
        // Where nearly all is drops there is nothing to move.
        if size.free_area <= 0.05 * size.area {
            return;
        }
        let way = ((volume - size.volume) / size.free_area / f64::from(spacing)).clamp(left.0, left.1);
        left = (left.0 - way, left.1 - way);
        let parts =
            mesh.points.par_chunks_mut(PART).zip(attributes.par_chunks(PART).zip(freedom.par_chunks(PART)));
        parts.for_each(|(points, (attributes, freedom))| {
            for ((point, attributes), freedom) in points.iter_mut().zip(attributes).zip(freedom) {
                *point += attributes.normal * (freedom * spacing * way as f32);
            }
        });
    }
}

/// What a mesh measures.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    /// [m³]
    volume: f64,
    /// [m²]
    area: f64,
    /// The area times the fraction of the way that it goes [m²].
    free_area: f64,
}

impl Size {
    /// Parts are measured by any number of threads and added in their order.
    fn of(mesh: &TriangleMesh, freedom: &[f32]) -> Self {
        let parts = mesh.triangles.par_chunks(PART);
        let parts: Vec<Self> = parts.map(|part| Self::of_part(mesh, freedom, part)).collect();
        parts.iter().fold(Self::default(), |a, b| Self {
            volume: a.volume + b.volume,
            area: a.area + b.area,
            free_area: a.free_area + b.free_area,
        })
    }

    fn of_part(mesh: &TriangleMesh, freedom: &[f32], triangles: &[[u32; 3]]) -> Self {
        let mut size = Self::default();
        for t in triangles {
            let [a, b, c] = t.map(|i| mesh.points[i as usize]);
            let area = 0.5 * f64::from((b - a).cross(c - a).length());
            let fraction: f32 = t.iter().map(|&i| freedom[i as usize]).sum();
            size.volume += a.as_dvec3().dot(b.as_dvec3().cross(c.as_dvec3())) / 6.0;
            size.area += area;
            size.free_area += area * f64::from(fraction) / 3.0;
        }
        size
    }
}
