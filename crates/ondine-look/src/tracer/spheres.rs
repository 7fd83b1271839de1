//! Spheres made ready for rays: particles, drops, balls, and spheres of the scene.

use super::bvh::{Bvh, BvhRay, BvhSpace, LeafUse};
use super::lanes::Eight;
use super::mesh::{Interaction, Intersection};
use super::ray::Ray;
use glam::{Vec3, Vec3A, Vec4};
use obvhs::aabb::Aabb;

/// A sphere.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// Where it is [m].
    pub center: Vec3,
    /// How large it is [m].
    pub radius: f32,
    /// Linear light, if it is not that of the material.
    pub color: Option<Vec3>,
}

/// Spheres with their hierarchy.
#[derive(Clone, Debug)]
pub struct Spheres {
    bvh: Bvh,
    space: BvhSpace,
    /// Centres and radii in the space and the order of the hierarchy.
    spheres: Vec<Vec4>,
    colors: Vec<Option<Vec3>>,
    bounds: (Vec3, Vec3),
}

impl Spheres {
    /// Those of the spheres that are finite and have a size.
    pub fn new(spheres: &[Sphere]) -> Option<Self> {
        let valid = |b: &&Sphere| b.center.abs().max_element() < 1e9 && b.radius > 0.0 && b.radius < 1e9;
        let spheres: Vec<&Sphere> = spheres.iter().filter(valid).collect();
        let ends = |b: &&Sphere| (b.center - b.radius, b.center + b.radius);
        let grow = |(a, b): (Vec3, Vec3), (c, d): (Vec3, Vec3)| (a.min(c), b.max(d));
        let bounds = spheres.iter().map(ends).reduce(grow)?;
        let space = BvhSpace::of(bounds);
        let boxed = |b: &&Sphere| {
            let (center, radius) = (space.point(b.center), Vec3A::splat(space.length(b.radius)));
            Aabb::new(center - radius, center + radius)
        };
        let (bvh, order) = Bvh::new(&spheres.iter().map(boxed).collect::<Vec<_>>(), LeafUse::OneByOne);
        let ordered = || order.iter().map(|&i| spheres[i as usize]);
        let scaled =
            ordered().map(|b| Vec3::from(space.point(b.center)).extend(space.length(b.radius))).collect();
        Some(Self { bvh, space, spheres: scaled, colors: ordered().map(|b| b.color).collect(), bounds })
    }

    /// Corners of the box around them [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Where a ray first meets one within a distance, from outside or from inside.
    #[inline(always)]
    pub fn closest_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> Option<Intersection> {
        let scaled = self.space.ray(ray, max_distance);
        let (primitive, t) = self.bvh.closest_hit::<V>(
            scaled,
            #[inline(always)]
            |ray, i| nearest_end(self.spheres[i], ray),
        )?;
        Some(Intersection { distance: self.space.metres(t), primitive })
    }

    /// Whether a ray meets any within a distance.
    #[inline(always)]
    pub fn is_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> bool {
        self.bvh.any_hit::<V>(
            self.space.ray(ray, max_distance),
            #[inline(always)]
            |ray, i| nearest_end(self.spheres[i], ray) < ray.tmax,
        )
    }

    /// Shows every crossing of a ray within a distance, as [`super::mesh::Mesh::crossings`] does.
    #[inline(always)]
    pub fn crossings<V: Eight>(&self, ray: &Ray, max_distance: f32, mut each: impl FnMut(f32, f32)) {
        self.bvh.any_hit::<V>(
            self.space.ray(ray, max_distance),
            #[inline(always)]
            |scaled, i| {
                let sphere = self.spheres[i];
                for t in ends(sphere, scaled).into_iter().flatten().filter(|t| *t > 0.0 && *t < scaled.tmax) {
                    let out = scaled.origin + scaled.direction * t - Vec3A::from(sphere.truncate());
                    each(self.space.metres(t), out.dot(scaled.direction) / sphere.w);
                }
                false
            },
        );
    }

    /// What the surface is like where a ray hit it.
    pub fn interaction(&self, ray: &Ray, hit: &Intersection) -> Interaction {
        let out =
            self.space.point(ray.at(hit.distance)) - Vec3A::from(self.spheres[hit.primitive].truncate());
        let normal = out.normalize_or(Vec3A::Y);
        Interaction {
            geometric_normal: normal,
            shading_normal: normal,
            color: self.colors[hit.primitive].map(Vec3A::from),
        }
    }
}

/// The two ends of a ray's way through a sphere, if it goes there. From the point of the ray nearest to the centre, which
/// keeps small spheres far away round.
#[inline]
fn ends(sphere: Vec4, ray: &BvhRay) -> Option<[f32; 2]> {
    let towards = Vec3A::from(sphere.truncate()) - ray.origin;
    let middle = towards.dot(ray.direction);
    let aside = (towards - ray.direction * middle).length_squared();
    let half = sphere.w * sphere.w - aside;
    (half > 0.0).then(|| [middle - half.sqrt(), middle + half.sqrt()])
}

#[inline]
fn nearest_end(sphere: Vec4, ray: &BvhRay) -> f32 {
    match ends(sphere, ray) {
        Some([near, _]) if near > 0.0 => near,
        Some([_, far]) if far > 0.0 => far,
        _ => f32::INFINITY,
    }
}
