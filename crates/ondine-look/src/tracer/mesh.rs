//! Triangles made ready for rays.

use super::bvh::{Bvh, BvhRay, BvhSpace, LEAF_SIZE, LeafUse};
use super::lanes::Eight;
use super::ray::Ray;
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;
use ondine::objects::TriangleMesh;

/// How far over its edges a triangle reaches, in its own size: no ray slips between two.
const OVERLAP: f32 = 1e-5;

/// A mesh with its hierarchy.
#[derive(Clone, Debug)]
pub struct Mesh {
    bvh: Bvh,
    space: BvhSpace,
    /// The triangles of each leaf of the hierarchy, in its space.
    packs: Vec<Pack>,
    /// At the corners of each triangle, [`LEAF_SIZE`] triangles for each leaf, of length 1; none where triangles are flat. Together,
    /// not by the numbers of points: those lie far apart.
    normals: Vec<[Vec3; 3]>,
    /// At the same corners, as linear light; none where the material tells.
    colors: Vec<[Vec3; 3]>,
    bounds: (Vec3, Vec3),
}

/// Where a ray meets geometry.
#[derive(Clone, Copy, Debug)]
pub struct Intersection {
    /// How far along the ray [m].
    pub distance: f32,
    /// Number of the triangle or the sphere.
    pub primitive: usize,
}

/// What a surface is like where a ray meets it.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// Outward direction of the triangle.
    pub geometric_normal: Vec3A,
    /// Outward direction of the surface that it stands for.
    pub shading_normal: Vec3A,
    /// Linear light, if the mesh has colours of its own.
    pub color: Option<Vec3A>,
}

impl Mesh {
    /// The triangles of a mesh that are finite and have an area. Normals and colours are those of its points, or empty.
    pub fn new(mesh: &TriangleMesh, normals: Vec<Vec3>, colors: Vec<Vec3>) -> Option<Self> {
        let count = mesh.points.len();
        let valid = |t: &&[u32; 3]| {
            let points = t.map(|i| mesh.points.get(i as usize).copied());
            let [Some(a), Some(b), Some(c)] = points else { return false };
            let area = (b - a).cross(c - a).length_squared();
            area > 0.0 && area.is_finite() && (a.abs() + b.abs() + c.abs()).max_element() < 1e9
        };
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(valid).copied().collect();
        let corners = |t: &[u32; 3]| t.map(|i| mesh.points[i as usize]);
        let used = triangles.iter().flat_map(corners);
        let bounds = used.fold(None, |bounds: Option<(Vec3, Vec3)>, p| {
            Some(bounds.map_or((p, p), |(low, high)| (low.min(p), high.max(p))))
        })?;
        let space = BvhSpace::of(bounds);
        let scaled = |t: &[u32; 3]| corners(t).map(|p| space.point(p));
        let boxes: Vec<Aabb> = triangles.iter().map(|t| Aabb::from_points(&scaled(t))).collect();
        let (bvh, order) = Bvh::new(&boxes, LeafUse::AtOnce);
        let (mut packs, mut packed) = (Vec::new(), Vec::new());
        for places in bvh.leaves() {
            let (mut pack, mut leaf) = (Pack::default(), [[0; 3]; LEAF_SIZE]);
            for (lane, &i) in order[places].iter().enumerate() {
                leaf[lane] = triangles[i as usize];
                pack.set(lane, scaled(&leaf[lane]));
            }
            packs.push(pack);
            packed.extend(leaf);
        }
        let at_corners = |values: Vec<Vec3>| match values.len() == count {
            true => packed.iter().map(|t: &[u32; 3]| t.map(|i| values[i as usize])).collect(),
            false => Vec::new(),
        };
        Some(Self { bvh, space, packs, normals: at_corners(normals), colors: at_corners(colors), bounds })
    }

    /// Corners of the box around it [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Where a ray first meets it within a distance.
    #[inline(always)]
    pub fn closest_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> Option<Intersection> {
        let scaled = self.space.ray(ray, max_distance);
        let (primitive, t) = self.bvh.closest_hit_in_leaves::<V>(
            scaled,
            #[inline(always)]
            |ray, leaf| {
                let (lane, t) = self.packs[leaf.number].closest_hit::<V>(ray);
                (LEAF_SIZE * leaf.number + lane, t)
            },
        )?;
        Some(Intersection { distance: self.space.metres(t), primitive })
    }

    /// Whether a ray meets it at all within a distance.
    #[inline(always)]
    pub fn is_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> bool {
        self.bvh.any_hit_in_leaves::<V>(
            self.space.ray(ray, max_distance),
            #[inline(always)]
            |ray, leaf| self.packs[leaf.number].intersect::<V>(ray).1 != 0,
        )
    }

    /// Shows every crossing of a ray within a distance: how far [m], and the cosine to the outward normal, negative where
    /// the ray goes in. In no order.
    #[inline(always)]
    pub fn crossings<V: Eight>(&self, ray: &Ray, max_distance: f32, mut each: impl FnMut(f32, f32)) {
        self.bvh.any_hit_in_leaves::<V>(
            self.space.ray(ray, max_distance),
            #[inline(always)]
            |scaled, leaf| {
                let pack = &self.packs[leaf.number];
                let (distances, mut hits) = pack.intersect::<V>(scaled);
                while hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let [_, e1, e2] = pack.triangle(lane);
                    let cos = e1.cross(e2).normalize_or_zero().dot(scaled.direction);
                    each(self.space.metres(distances[lane]), cos);
                }
                false
            },
        );
    }

    /// What the surface is like where a ray hit it.
    #[inline(always)]
    pub fn interaction(&self, ray: &Ray, hit: &Intersection) -> Interaction {
        let [a, e1, e2] = self.packs[hit.primitive / LEAF_SIZE].triangle(hit.primitive % LEAF_SIZE);
        let cross = e1.cross(e2);
        let geometric_normal = cross.normalize_or(Vec3A::Y);
        if self.normals.is_empty() && self.colors.is_empty() {
            return Interaction { geometric_normal, shading_normal: geometric_normal, color: None };
        }
        let p = self.space.point(ray.at(hit.distance)) - a;
        let area = cross.length_squared().max(1e-30);
        let v = cross.dot(p.cross(e2)) / area;
        let w = cross.dot(e1.cross(p)) / area;
        let within = |corners: &[[Vec3; 3]]| {
            let [a, b, c] = corners[hit.primitive].map(Vec3A::from);
            a * (1.0 - v - w) + b * v + c * w
        };
        let outward = |n: &Vec3A| n.dot(geometric_normal) > 0.0;
        let shading_normal = match self.normals.is_empty() {
            true => geometric_normal,
            false => within(&self.normals).try_normalize().filter(outward).unwrap_or(geometric_normal),
        };
        let color = (!self.colors.is_empty()).then(|| within(&self.colors));
        Interaction { geometric_normal, shading_normal, color }
    }
}

/// Eight triangles: of each a corner and the two edges from it, by axis. Those that are not there have no edges.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Pack {
    corner: [[f32; LEAF_SIZE]; 3],
    edges: [[[f32; LEAF_SIZE]; 3]; 2],
}

impl Pack {
    fn set(&mut self, lane: usize, [a, b, c]: [Vec3A; 3]) {
        for axis in 0..3 {
            self.corner[axis][lane] = a[axis];
            self.edges[0][axis][lane] = (b - a)[axis];
            self.edges[1][axis][lane] = (c - a)[axis];
        }
    }

    /// The corner and the edges of one of them.
    fn triangle(&self, lane: usize) -> [Vec3A; 3] {
        let pick = |v: &[[f32; LEAF_SIZE]; 3]| Vec3A::from(v.map(|axis| axis[lane]));
        [pick(&self.corner), pick(&self.edges[0]), pick(&self.edges[1])]
    }

    /// How far the triangles are on a ray, and which of them it hits, as bits (Möller and Trumbore 1997).
    #[inline(always)]
    fn intersect<V: Eight>(&self, ray: &BvhRay) -> ([f32; LEAF_SIZE], u32) {
        let (direction, origin) = (splat::<V>(ray.direction), splat::<V>(ray.origin));
        let (corner, [e1, e2]) =
            (each::<V>(&self.corner), [each::<V>(&self.edges[0]), each::<V>(&self.edges[1])]);
        let p = cross(&direction, &e2);
        let scale = V::splat(1.0).div(dot(&e1, &p));
        let from = [origin[0].sub(corner[0]), origin[1].sub(corner[1]), origin[2].sub(corner[2])];
        let u = dot(&from, &p).mul(scale);
        let q = cross(&from, &e1);
        let v = dot(&direction, &q).mul(scale);
        let t = dot(&e2, &q).mul(scale);
        // Written so that what is not a number is not hit.
        let least = V::splat(-OVERLAP);
        let inside = least.less(u) & least.less(v) & u.add(v).less(V::splat(1.0 + OVERLAP));
        let within = V::splat(ray.tmin).less(t) & t.less(V::splat(ray.tmax));
        (t.to_array(), inside & within)
    }

    /// The nearest of those that a ray hits, and how far it is; infinity if it hits none.
    #[inline(always)]
    fn closest_hit<V: Eight>(&self, ray: &BvhRay) -> (usize, f32) {
        let (distances, mut hits) = self.intersect::<V>(ray);
        let mut best = (0, f32::INFINITY);
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            if distances[lane] < best.1 {
                best = (lane, distances[lane]);
            }
        }
        best
    }
}

#[inline(always)]
fn splat<V: Eight>(v: Vec3A) -> [V; 3] {
    [V::splat(v.x), V::splat(v.y), V::splat(v.z)]
}

#[inline(always)]
fn each<V: Eight>(axes: &[[f32; LEAF_SIZE]; 3]) -> [V; 3] {
    [V::from_array(axes[0]), V::from_array(axes[1]), V::from_array(axes[2])]
}

#[inline(always)]
fn dot<V: Eight>(a: &[V; 3], b: &[V; 3]) -> V {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross<V: Eight>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    let [[a, b, c], [d, e, f]] = [*a, *b];
    [b.mul(f).sub(c.mul(e)), c.mul(d).sub(a.mul(f)), a.mul(e).sub(b.mul(d))]
}
