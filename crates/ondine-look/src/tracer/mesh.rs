//! Triangles made ready for rays.

use super::ray::Ray;
use super::tree::{Care, Scaled, Tree, Unit};
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use ondine::objects::TriangleMesh;

/// How far over its edges a triangle reaches, in its own size: no ray slips between two.
const OVERLAP: f32 = 1e-5;

/// A mesh with its tree.
#[derive(Clone, Debug)]
pub struct Mesh {
    tree: Tree,
    unit: Unit,
    /// A corner and the two edges from it, in the unit and the order of the tree.
    corners: Vec<[Vec3A; 3]>,
    /// Numbers of the points, in the order of the tree.
    triangles: Vec<[u32; 3]>,
    /// At each point, of length 1; none where triangles are flat.
    normals: Vec<Vec3>,
    /// At each point, as linear light; none where the material tells.
    colors: Vec<Vec3>,
    bounds: (Vec3, Vec3),
}

/// Where a ray meets a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// How far along the ray [m].
    pub distance: f32,
    /// Number of the triangle or the ball.
    pub part: usize,
}

/// What a surface is like at a spot.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// Outward direction of the triangle.
    pub flat: Vec3A,
    /// Outward direction of the surface that it stands for.
    pub smooth: Vec3A,
    /// Linear light, if the mesh has colours of its own.
    pub color: Option<Vec3A>,
}

impl Mesh {
    /// The triangles of a mesh that are finite and have an area. Normals and colours are those of its points, or empty.
    pub fn new(mesh: &TriangleMesh, normals: Vec<Vec3>, colors: Vec<Vec3>, care: Care) -> Option<Self> {
        let count = mesh.points.len();
        let sound = |t: &&[u32; 3]| {
            let points = t.map(|i| mesh.points.get(i as usize).copied());
            let [Some(a), Some(b), Some(c)] = points else { return false };
            let area = (b - a).cross(c - a).length_squared();
            area > 0.0 && area.is_finite() && (a.abs() + b.abs() + c.abs()).max_element() < 1e9
        };
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(sound).copied().collect();
        let corners = |t: &[u32; 3]| t.map(|i| mesh.points[i as usize]);
        let used = triangles.iter().flat_map(corners);
        let bounds = used.fold(None, |bounds: Option<(Vec3, Vec3)>, p| {
            Some(bounds.map_or((p, p), |(low, high)| (low.min(p), high.max(p))))
        })?;
        let unit = Unit::of(bounds);
        let scaled = |t: &[u32; 3]| corners(t).map(|p| unit.point(p));
        let boxes: Vec<Aabb> = triangles.iter().map(|t| Aabb::from_points(&scaled(t))).collect();
        let (tree, order) = Tree::new(&boxes, care);
        let triangles: Vec<[u32; 3]> = order.iter().map(|&i| triangles[i as usize]).collect();
        let edges = |[a, b, c]: [Vec3A; 3]| [a, b - a, c - a];
        let corners = triangles.iter().map(|t| edges(scaled(t))).collect();
        let fitting = |values: Vec<Vec3>| if values.len() == count { values } else { Vec::new() };
        Some(Self {
            tree,
            unit,
            corners,
            triangles,
            normals: fitting(normals),
            colors: fitting(colors),
            bounds,
        })
    }

    /// Corners of the box around it [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Where a ray first meets it within a distance.
    pub fn nearest(&self, ray: &Ray, most: f32) -> Option<Spot> {
        let scaled = self.unit.ray(ray, most);
        let (part, t) = self.tree.nearest(scaled, |ray, i| met(&self.corners[i], ray))?;
        Some(Spot { distance: self.unit.metres(t), part })
    }

    /// Whether a ray meets it at all within a distance.
    pub fn blocks(&self, ray: &Ray, most: f32) -> bool {
        self.tree.until(self.unit.ray(ray, most), |ray, i| met(&self.corners[i], ray) < ray.tmax)
    }

    /// Shows every crossing of a ray within a distance: how far [m], and the cosine to the outward normal, negative where
    /// the ray goes in. In no order.
    pub fn crossings(&self, ray: &Ray, most: f32, mut each: impl FnMut(f32, f32)) {
        self.tree.until(self.unit.ray(ray, most), |scaled, i| {
            let [_, e1, e2] = self.corners[i];
            let t = met(&self.corners[i], scaled);
            if t < scaled.tmax {
                each(self.unit.metres(t), e1.cross(e2).normalize_or_zero().dot(scaled.direction));
            }
            false
        });
    }

    /// What the surface is like where a ray met it.
    pub fn facing(&self, ray: &Ray, spot: &Spot) -> Facing {
        let [a, e1, e2] = self.corners[spot.part];
        let cross = e1.cross(e2);
        let flat = cross.normalize_or(Vec3A::Y);
        if self.normals.is_empty() && self.colors.is_empty() {
            return Facing { flat, smooth: flat, color: None };
        }
        let p = self.unit.point(ray.at(spot.distance)) - a;
        let area = cross.length_squared().max(1e-30);
        let v = cross.dot(p.cross(e2)) / area;
        let w = cross.dot(e1.cross(p)) / area;
        let within = |values: &[Vec3]| {
            let [a, b, c] = self.triangles[spot.part].map(|i| Vec3A::from(values[i as usize]));
            a * (1.0 - v - w) + b * v + c * w
        };
        let smooth = match self.normals.is_empty() {
            true => flat,
            false => within(&self.normals).try_normalize().filter(|n| n.dot(flat) > 0.0).unwrap_or(flat),
        };
        let color = (!self.colors.is_empty()).then(|| within(&self.colors));
        Facing { flat, smooth, color }
    }
}

/// How far a triangle is on a ray, or infinity (Möller and Trumbore 1997).
#[inline]
fn met(&[a, e1, e2]: &[Vec3A; 3], ray: &Scaled) -> f32 {
    let p = ray.direction.cross(e2);
    let scale = 1.0 / e1.dot(p);
    let from = ray.origin - a;
    let u = from.dot(p) * scale;
    let q = from.cross(e1);
    let v = ray.direction.dot(q) * scale;
    let t = e2.dot(q) * scale;
    // Written so that what is not a number is not met.
    let inside = u >= -OVERLAP && v >= -OVERLAP && u + v <= 1.0 + OVERLAP;
    if inside && t > ray.tmin && t < ray.tmax { t } else { f32::INFINITY }
}
