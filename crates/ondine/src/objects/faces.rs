//! The faces of a shape, for files and pictures: exact where there is a closed form, as given for meshes, and for blends
//! fine enough to hold their thinnest part.
//!
//! Round shapes are profiles turned about y, with corners on the shape and on the axes: they reach just as far as the shape
//! does, and hold a few thousandths less.

use super::{Mesh, Meshes, Sdf, TriangleMesh, Uv, polygonize};
use crate::scene::Shape;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Pieces around, and along half a circle. Multiples of four, so that there are corners on the axes.
const AROUND: u32 = 64;
const ALONG: u32 = 32;
/// Cells across a blend, at least and at most.
const CELLS: f32 = 96.0;
const MOST_CELLS: f32 = 400.0;
/// Cells through the thinnest part.
const THROUGH: f32 = 1.5;
/// Points along each side of the box in which the thinnest part is looked for.
const LOOKS: u32 = 48;
/// Share of the looks that may be thinner: tips and edges are thin everywhere.
const TIPS: usize = 50;
/// Steps of a look from face to face.
const STEPS: u32 = 64;

/// The faces of a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faces {
    /// A closed mesh; empty for what has no end, such as a half-space.
    pub mesh: TriangleMesh,
    /// Where a mesh that was given is in its texture.
    pub uv: Uv,
    /// Thickness of its thinnest part [m], where that is too thin for the mesh to hold it.
    pub too_thin: Option<f32>,
}

/// The faces of a shape: of a container or a mould, those of the room in it.
pub fn faces_of(shape: &Shape, meshes: &Meshes) -> Faces {
    let mesh = match *shape {
        Shape::HalfSpace { .. } => TriangleMesh::default(),
        Shape::Box { size } | Shape::Container { size, .. } => block(0.5 * Vec3::from(size)),
        Shape::Sphere { radius } => capsule(radius, 0.0),
        Shape::Capsule { radius, height } => capsule(radius, 0.5 * height),
        Shape::Cylinder { radius, height } | Shape::RoundContainer { radius, height, .. } => {
            let h = 0.5 * height;
            revolved(&[[0.0, -h], [radius, -h], [radius, h], [0.0, h]].map(Vec2::from))
        }
        Shape::Cone { radius, height } => {
            revolved(&[[0.0, -0.5 * height], [radius, -0.5 * height], [0.0, 0.5 * height]].map(Vec2::from))
        }
        Shape::Torus { radius, tube } => torus(radius, tube),
        Shape::Mesh(ref file) => {
            return meshes.get(file).filter(|mesh| mesh.triangles.is_sound()).map(given).unwrap_or_default();
        }
        Shape::Mould { ref of } => return faces_of(of, meshes),
        Shape::Union(_) | Shape::Difference(_) | Shape::Intersection(_) | Shape::Model { .. } => {
            return blended(&Sdf::new(shape, meshes, false));
        }
    };
    let sound = mesh.points.iter().all(|p| p.is_finite());
    Faces { mesh: if sound { mesh } else { TriangleMesh::default() }, ..Faces::default() }
}

fn given(mesh: &Mesh) -> Faces {
    Faces { mesh: TriangleMesh::clone(&mesh.triangles), uv: Uv::clone(&mesh.uv), too_thin: None }
}

fn blended(sdf: &Sdf) -> Faces {
    let Some((low, high)) = sdf.bounds() else { return Faces::default() };
    let longest = (high - low).max_element();
    let thin = thinnest(sdf).unwrap_or(longest);
    let finest = longest / MOST_CELLS;
    let cell = (longest / CELLS).min(thin / THROUGH).max(finest);
    let sdf = sdf.clone().charted(cell.min(0.25 * thin));
    let mesh = polygonize(&|p| sdf.distance(p), low, high, cell);
    Faces { mesh, too_thin: (thin < THROUGH * finest).then_some(thin), ..Faces::default() }
}

/// About how thick the thinnest part of a shape is [m]: the way through it, square to its surface, from points all over it.
pub fn thinnest(sdf: &Sdf) -> Option<f32> {
    let (low, high) = sdf.bounds().filter(|(low, high)| low.is_finite() && high.is_finite())?;
    // No side of the lattice lies in line with what stands along the axes.
    let at =
        |i: u32, c: usize| low[c] + (high[c] - low[c]) * (i as f32 + 0.37 + 0.07 * c as f32) / LOOKS as f32;
    let all = (0..LOOKS.pow(3))
        .map(|i| Vec3::new(at(i % LOOKS, 0), at(i / LOOKS % LOOKS, 1), at(i / LOOKS / LOOKS, 2)));
    let longest = (high - low).max_element();
    let mut ways: Vec<f32> = all.filter_map(|p| way_through(sdf, p, longest)).collect();
    ways.sort_unstable_by(f32::total_cmp);
    ways.get(ways.len() / TIPS).copied()
}

/// From a point on or near the surface straight through the shape to its other side [m].
fn way_through(sdf: &Sdf, p: Vec3, longest: f32) -> Option<f32> {
    let near = sdf.nearest(p);
    // What is further from the surface than the lattice is wide has neighbours that are nearer.
    if near.distance.abs() > 2.0 * longest / LOOKS as f32 {
        return None;
    }
    let (surface, least) = (p - near.normal * near.distance, 1e-5 * longest);
    let mut way = 4.0 * least;
    for _ in 0..STEPS {
        let inside = -sdf.distance(surface - near.normal * way);
        if inside <= least {
            // Where the surface has no clear direction the look goes nowhere.
            return (way > 8.0 * least).then_some(way);
        }
        way += inside;
    }
    Some(way)
}

fn block(half: Vec3) -> TriangleMesh {
    let corner = |i: u32| Vec3::new(side(i, 0), side(i, 1), side(i, 2)) * half;
    let points = (0..8).map(corner).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { points, triangles }
}

fn side(corner: u32, bit: u32) -> f32 {
    if corner >> bit & 1 == 1 { 1.0 } else { -1.0 }
}

/// A rod with round ends, `h` from its middle to the middle of an end; a ball where that is 0.
fn capsule(r: f32, h: f32) -> TriangleMesh {
    let rim = |k: u32, y: f32| Vec2::new(0.0, y) + r * circle(k, 2 * ALONG);
    let half = ALONG / 2;
    let lower = (0..=half).map(|k| rim(k, -h));
    let upper = (half + u32::from(h == 0.0)..=ALONG).map(|k| rim(k, h));
    revolved(&lower.chain(upper).collect::<Vec<_>>())
}

/// A point of the circle of radius 1, from the lowest to the highest and round; exact on the axes.
fn circle(k: u32, of: u32) -> Vec2 {
    let (quarter, rest) = (4 * k / of % 4, 4 * k % of);
    let (sin, cos) = libm::sincosf(TAU * rest as f32 / (4 * of) as f32);
    match quarter {
        0 => Vec2::new(sin, -cos),
        1 => Vec2::new(cos, sin),
        2 => Vec2::new(-sin, cos),
        _ => Vec2::new(-cos, -sin),
    }
}

/// A surface of revolution: a profile from the lower end of the axis to the upper, turned about y. Points on the axis are there
/// once.
fn revolved(profile: &[Vec2]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let rings: Vec<Ring> = profile.iter().map(|p| Ring::new(*p, &mut mesh)).collect();
    rings.windows(2).for_each(|pair| band(&pair[0], &pair[1], &mut mesh));
    mesh
}

fn torus(radius: f32, tube: f32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let rim = |k| Vec2::new(radius, 0.0) + tube * circle(k, 2 * ALONG);
    let rings: Vec<Ring> = (0..2 * ALONG).map(|k| Ring::new(rim(k), &mut mesh)).collect();
    let next = rings.iter().cycle().skip(1);
    rings.iter().zip(next).for_each(|(a, b)| band(a, b, &mut mesh));
    mesh
}

/// The points that one of a profile becomes.
struct Ring {
    first: u32,
    count: u32,
}

impl Ring {
    fn new(p: Vec2, mesh: &mut TriangleMesh) -> Self {
        let (first, count) = (mesh.points.len() as u32, if p.x == 0.0 { 1 } else { AROUND });
        let around = |k| Vec3::new(p.x * circle(k, AROUND).x, p.y, p.x * circle(k, AROUND).y);
        mesh.points.extend((0..count).map(around));
        Self { first, count }
    }

    fn at(&self, k: u32) -> u32 {
        self.first + k % self.count
    }
}

/// The faces between a ring and the next one.
fn band(a: &Ring, b: &Ring, mesh: &mut TriangleMesh) {
    for k in 0..AROUND {
        let corners = [a.at(k), b.at(k), b.at(k + 1), a.at(k + 1)];
        if b.count > 1 {
            mesh.triangles.push([corners[0], corners[1], corners[2]]);
        }
        if a.count > 1 {
            mesh.triangles.push([corners[0], corners[2], corners[3]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Blend, Part};
    use std::f32::consts::PI;

    fn faces(shape: &Shape) -> Faces {
        faces_of(shape, &Meshes::default())
    }

    /// Extent and volume are those of the closed form, for the thinnest too.
    #[test]
    fn shapes_reach_as_far_and_hold_as_much_as_they_should() {
        let cut = |shape, inner| {
            Shape::Difference(Blend { of: vec![Part::new(shape, [0.0; 3]), inner], smooth: 0.0 })
        };
        let cases = [
            (Shape::Box { size: [0.01, 0.6, 0.6] }, [0.01, 0.6, 0.6], 0.0036),
            (Shape::Box { size: [0.6, 0.002, 0.4] }, [0.6, 0.002, 0.4], 0.00048),
            (Shape::Container { size: [1.0, 2.0, 3.0], open: true }, [1.0, 2.0, 3.0], 6.0),
            (Shape::RoundContainer { radius: 0.5, height: 2.0, open: false }, [1.0, 2.0, 1.0], PI * 0.5),
            (Shape::Sphere { radius: 0.5 }, [1.0; 3], PI / 6.0),
            (Shape::Capsule { radius: 0.5, height: 1.0 }, [1.0, 2.0, 1.0], PI * (0.25 + 1.0 / 6.0)),
            (Shape::Cylinder { radius: 0.3, height: 0.002 }, [0.6, 0.002, 0.6], PI * 0.09 * 0.002),
            (Shape::Cone { radius: 0.5, height: 3.0 }, [1.0, 3.0, 1.0], PI * 0.25),
            (Shape::Torus { radius: 1.0, tube: 0.01 }, [2.02, 0.02, 2.02], TAU * PI * 1e-4),
            (Shape::Mould { of: Box::new(Shape::Box { size: [1.0; 3] }) }, [1.0; 3], 1.0),
        ];
        for (shape, extent, volume) in cases {
            let Faces { mesh, too_thin, .. } = faces(&shape);
            let (low, high) = mesh.bounds().expect("faces");
            assert!((high - low).distance(Vec3::from(extent)) < 1e-6, "{shape:?}: {low} {high}");
            assert!((mesh.volume() as f32 / volume - 1.0).abs() < 5e-3, "{shape:?}: {}", mesh.volume());
            assert_eq!(
                (mesh.euler(), too_thin),
                (Some(if matches!(shape, Shape::Torus { .. }) { 0 } else { 2 }), None)
            );
        }
        // A cup of 20 cm with walls of 2 mm, open above.
        let inner = Part::new(Shape::Box { size: [0.196, 0.2, 0.196] }, [0.0, 0.002, 0.0]);
        let cup = faces(&cut(Shape::Box { size: [0.2; 3] }, inner));
        let (low, high) = cup.mesh.bounds().expect("faces");
        assert!((high - low).distance(Vec3::splat(0.2)) < 1e-4, "{low} {high}");
        let volume = 0.2f64.powi(3) - 0.196 * 0.196 * 0.198;
        assert!((cup.mesh.volume() / volume - 1.0).abs() < 0.02, "{} for {volume}", cup.mesh.volume());
        assert_eq!(cup.too_thin, None);
    }

    #[test]
    fn a_box_has_eight_corners_and_a_half_space_none() {
        assert_eq!(faces(&Shape::Box { size: [1.0; 3] }).mesh.points.len(), 8);
        assert_eq!(faces(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }), Faces::default());
        assert_eq!(faces(&Shape::Sphere { radius: f32::NAN }), Faces::default());
    }

    #[test]
    fn what_no_mesh_can_hold_is_told() {
        let inner = Part::new(Shape::Box { size: [1.9996, 2.0, 1.9996] }, [0.0, 0.0002, 0.0]);
        let bag = Blend { of: vec![Part::new(Shape::Box { size: [2.0; 3] }, [0.0; 3]), inner], smooth: 0.0 };
        let thin = faces(&Shape::Difference(bag)).too_thin.expect("too thin");
        assert!((thin - 2e-4).abs() < 5e-5, "{thin}");
    }
}
