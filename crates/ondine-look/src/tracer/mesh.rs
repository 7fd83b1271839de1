//! Triangles made ready for rays.

use super::ray::Ray;
use super::tree::{Asked, Leaf, MOST, Scaled, Tree, Unit};
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use ondine::objects::TriangleMesh;
use wide::f32x4;

/// How far over its edges a triangle reaches, in its own size: no ray slips between two.
const OVERLAP: f32 = 1e-5;

/// A mesh with its tree.
#[derive(Clone, Debug)]
pub struct Mesh {
    tree: Tree,
    unit: Unit,
    /// The triangles of each leaf of the tree, in its unit.
    packs: Vec<Pack>,
    /// Numbers of the points, [`MOST`] triangles for each leaf.
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
    pub fn new(mesh: &TriangleMesh, normals: Vec<Vec3>, colors: Vec<Vec3>) -> Option<Self> {
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
        let (tree, order) = Tree::new(&boxes, Asked::AtOnce);
        let (mut packs, mut packed) = (Vec::new(), Vec::new());
        for places in tree.leaves() {
            let (mut pack, mut leaf) = (Pack::default(), [[0; 3]; MOST]);
            for (lane, &i) in order[places].iter().enumerate() {
                leaf[lane] = triangles[i as usize];
                pack.put(lane, scaled(&leaf[lane]));
            }
            packs.push(pack);
            packed.extend(leaf);
        }
        let fitting = |values: Vec<Vec3>| if values.len() == count { values } else { Vec::new() };
        Some(Self {
            tree,
            unit,
            packs,
            triangles: packed,
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
        let meets = |ray: &Scaled, leaf: Leaf| {
            let (lane, t) = self.packs[leaf.number].nearest(ray);
            (MOST * leaf.number + lane, t)
        };
        let (part, t) = self.tree.nearest_in_leaves(scaled, meets)?;
        Some(Spot { distance: self.unit.metres(t), part })
    }

    /// Whether a ray meets it at all within a distance.
    pub fn blocks(&self, ray: &Ray, most: f32) -> bool {
        self.tree.until_leaf(self.unit.ray(ray, most), |ray, leaf| self.packs[leaf.number].met(ray).1 != 0)
    }

    /// Shows every crossing of a ray within a distance: how far [m], and the cosine to the outward normal, negative where
    /// the ray goes in. In no order.
    pub fn crossings(&self, ray: &Ray, most: f32, mut each: impl FnMut(f32, f32)) {
        self.tree.until_leaf(self.unit.ray(ray, most), |scaled, leaf| {
            let pack = &self.packs[leaf.number];
            let (distances, mut met) = pack.met(scaled);
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                let [_, e1, e2] = pack.triangle(lane);
                let cos = e1.cross(e2).normalize_or_zero().dot(scaled.direction);
                each(self.unit.metres(distances[lane]), cos);
            }
            false
        });
    }

    /// What the surface is like where a ray met it.
    pub fn facing(&self, ray: &Ray, spot: &Spot) -> Facing {
        let [a, e1, e2] = self.packs[spot.part / MOST].triangle(spot.part % MOST);
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

/// Four triangles: of each a corner and the two edges from it, by axis. Those that are not there have no edges.
#[derive(Clone, Copy, Debug, Default)]
struct Pack {
    corner: [f32x4; 3],
    edges: [[f32x4; 3]; 2],
}

impl Pack {
    fn put(&mut self, lane: usize, [a, b, c]: [Vec3A; 3]) {
        for axis in 0..3 {
            self.corner[axis].as_mut_array()[lane] = a[axis];
            self.edges[0][axis].as_mut_array()[lane] = (b - a)[axis];
            self.edges[1][axis].as_mut_array()[lane] = (c - a)[axis];
        }
    }

    /// The corner and the edges of one of them.
    fn triangle(&self, lane: usize) -> [Vec3A; 3] {
        let pick = |v: &[f32x4; 3]| Vec3A::from(v.map(|axis| axis.as_array()[lane]));
        [pick(&self.corner), pick(&self.edges[0]), pick(&self.edges[1])]
    }

    /// How far the triangles are on a ray, and which of them it meets, as bits (Möller and Trumbore 1997).
    #[inline(always)]
    fn met(&self, ray: &Scaled) -> ([f32; MOST], u32) {
        let splat = |v: Vec3A| [f32x4::splat(v.x), f32x4::splat(v.y), f32x4::splat(v.z)];
        let (along, [e1, e2]) = (splat(ray.direction), &self.edges);
        let origin = splat(ray.origin);
        let p = cross(&along, e2);
        let scale = 1.0 / dot(e1, &p);
        let [a, b, c] = self.corner;
        let from = [origin[0] - a, origin[1] - b, origin[2] - c];
        let u = dot(&from, &p) * scale;
        let q = cross(&from, e1);
        let v = dot(&along, &q) * scale;
        let t = dot(e2, &q) * scale;
        // Written so that what is not a number is not met.
        let least = f32x4::splat(-OVERLAP);
        let inside = u.simd_ge(least) & v.simd_ge(least) & (u + v).simd_le(f32x4::splat(1.0 + OVERLAP));
        let within = t.simd_gt(f32x4::splat(ray.tmin)) & t.simd_lt(f32x4::splat(ray.tmax));
        (t.to_array(), (inside & within).to_bitmask())
    }

    /// The nearest of those that a ray meets, and how far it is; infinity if it meets none.
    #[inline(always)]
    fn nearest(&self, ray: &Scaled) -> (usize, f32) {
        let (distances, mut met) = self.met(ray);
        let mut best = (0, f32::INFINITY);
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            if distances[lane] < best.1 {
                best = (lane, distances[lane]);
            }
        }
        best
    }
}

#[inline(always)]
fn dot(a: &[f32x4; 3], b: &[f32x4; 3]) -> f32x4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: &[f32x4; 3], b: &[f32x4; 3]) -> [f32x4; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
