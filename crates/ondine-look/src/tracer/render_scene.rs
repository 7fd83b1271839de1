//! Everything that a ray can meet in one picture.

use super::bvh::{Bvh, BvhSpace, LeafUse};
use super::instance::Instance;
use super::lanes::{Eight, Work, with_widest};
use super::material::{Bsdf, Material};
use super::mesh::{Interaction, Intersection};
use super::optics::{fresnel, transmittance};
use super::panes::Panes;
use super::plane::Plane;
use super::ray::Ray;
use glam::{Vec3, Vec3A};
use obvhs::aabb::Aabb;

/// How much darker the darker squares of the checker are.
const CHECKER_SHADE: f32 = 0.2;

/// Where a ray ends.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// How far [m].
    pub distance: f32,
    /// Outward direction of the triangle.
    pub geometric_normal: Vec3A,
    /// Outward direction of the surface that it stands for.
    pub shading_normal: Vec3A,
    /// Number of its material.
    pub material: u16,
    /// Linear light.
    pub color: Vec3A,
    /// Fraction of it that has gone into the horizon.
    pub haze: f32,
}

/// What a scene for rays is made of.
#[derive(Clone, Debug, Default)]
pub struct SceneParts {
    /// Geometry in its places.
    pub instances: Vec<Instance>,
    /// Endless ground and walls.
    pub planes: Vec<Plane>,
    /// The panes of containers.
    pub panes: Vec<Panes>,
    /// The materials of all of them.
    pub materials: Vec<Material>,
}

impl SceneParts {
    /// Adds a material. Its number.
    pub fn add_material(&mut self, material: Material) -> u16 {
        self.materials.push(material);
        (self.materials.len() - 1) as u16
    }
}

/// Everything that a ray can meet.
#[derive(Clone, Debug)]
pub struct RenderScene {
    parts: SceneParts,
    bvh: Option<(Bvh, BvhSpace)>,
    /// Size of the scene [m].
    reach: f32,
}

impl RenderScene {
    /// A scene made of parts; `reach` is its size [m].
    pub fn new(mut parts: SceneParts, reach: f32) -> Self {
        parts.instances.retain(Instance::is_valid);
        let boxes: Vec<(Vec3, Vec3)> = parts.instances.iter().map(Instance::bounds).collect();
        let bounds = boxes.iter().copied().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some(bounds) = bounds else { return Self { parts, bvh: None, reach } };
        let space = BvhSpace::of(bounds);
        let scaled = |(low, high): &(Vec3, Vec3)| Aabb::new(space.point(*low), space.point(*high));
        let (bvh, order) = Bvh::new(&boxes.iter().map(scaled).collect::<Vec<_>>(), LeafUse::Alone);
        parts.instances = order.iter().map(|&i| parts.instances[i as usize].clone()).collect();
        Self { parts, bvh: Some((bvh, space)), reach }
    }

    /// The panes of containers.
    pub fn panes(&self) -> &[Panes] {
        &self.parts.panes
    }

    /// A material by its number.
    pub fn material(&self, number: u16) -> &Material {
        &self.parts.materials[number as usize]
    }

    /// How far from a surface rays start that leave it, so as not to meet it again [m].
    pub fn ray_offset(&self, point: Vec3A, distance: f32) -> f32 {
        2e-5 * self.reach + 2e-6 * (distance + point.abs().max_element())
    }

    /// Where a ray first meets something; one that comes straight from the camera sees drawn lines too.
    pub fn closest_hit(&self, ray: &Ray, from_camera: bool) -> Option<Hit> {
        if !ray.is_valid() {
            return None;
        }
        let plane = self.parts.planes.iter().filter_map(|plane| Some((plane.intersect(ray)?, plane)));
        let plane = plane.min_by(|a, b| a.0.total_cmp(&b.0));
        let max_distance = plane.map_or(1e9, |(distance, _)| distance);
        with_widest(ClosestHit { scene: self, ray, max_distance, from_camera })
            .or_else(|| plane.map(|(distance, plane)| self.on_plane(ray, distance, plane)))
    }

    fn on_plane(&self, ray: &Ray, distance: f32, plane: &Plane) -> Hit {
        let shade = 1.0 - CHECKER_SHADE * plane.checker(ray.at(distance)) * plane.checker_contrast(distance);
        let far = distance / plane.haze;
        let color = self.material(plane.material).color * shade;
        Hit {
            distance,
            geometric_normal: plane.normal,
            shading_normal: plane.normal,
            material: plane.material,
            color,
            haze: far * far / (1.0 + far * far),
        }
    }

    /// Whether something that is not clear stands in a ray's way within a distance.
    pub fn is_occluded(&self, ray: &Ray, max_distance: f32) -> bool {
        if !ray.is_valid() || self.meets_plane(ray, max_distance) {
            return true;
        }
        with_widest(Occlusion { scene: self, ray, max_distance })
    }

    /// What arrives of light that comes along a ray from a distance, by colour: nothing where something opaque stands in
    /// its way. Clear things take from it what they absorb and reflect, and do not bend it: there are no caustics.
    pub fn transmittance(&self, ray: &Ray, max_distance: f32) -> Vec3A {
        if !ray.is_valid() || self.meets_plane(ray, max_distance) {
            return Vec3A::ZERO;
        }
        with_widest(Transmittance { scene: self, ray, max_distance: max_distance.min(1e9) })
    }

    fn meets_plane(&self, ray: &Ray, max_distance: f32) -> bool {
        self.parts.planes.iter().any(|plane| plane.intersect(ray).is_some_and(|d| d < max_distance))
    }
}

/// Where a ray first meets an instance.
struct ClosestHit<'a> {
    scene: &'a RenderScene,
    ray: &'a Ray,
    max_distance: f32,
    from_camera: bool,
}

impl Work for ClosestHit<'_> {
    type Out = Option<Hit>;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> Option<Hit> {
        let Self { scene, ray, max_distance, from_camera } = self;
        let (bvh, space) = scene.bvh.as_ref()?;
        let instances = &scene.parts.instances;
        let mut best: Option<(usize, Intersection)> = None;
        bvh.closest_hit::<V>(
            space.ray(ray, max_distance),
            #[inline(always)]
            |scaled, i| {
                if instances[i].camera_only && !from_camera {
                    return f32::INFINITY;
                }
                match instances[i].closest_hit::<V>(ray, space.metres(scaled.tmax)) {
                    Some(hit) => {
                        best = Some((i, hit));
                        space.length(hit.distance)
                    }
                    None => f32::INFINITY,
                }
            },
        );
        let (i, hit) = best?;
        let (instance, distance) = (&instances[i], hit.distance);
        let Interaction { geometric_normal, shading_normal, color } = instance.interaction(ray, &hit);
        let color = color.unwrap_or(scene.material(instance.material).color);
        Some(Hit {
            distance,
            geometric_normal,
            shading_normal,
            material: instance.material,
            color,
            haze: 0.0,
        })
    }
}

/// Whether an instance that is not clear stands in a ray's way.
struct Occlusion<'a> {
    scene: &'a RenderScene,
    ray: &'a Ray,
    max_distance: f32,
}

impl Work for Occlusion<'_> {
    type Out = bool;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> bool {
        let Self { scene, ray, max_distance } = self;
        let Some((bvh, space)) = scene.bvh.as_ref() else { return false };
        bvh.any_hit::<V>(
            space.ray(ray, max_distance),
            #[inline(always)]
            |_, i| {
                let instance = &scene.parts.instances[i];
                let is_opaque = !scene.material(instance.material).is_clear();
                !instance.camera_only && is_opaque && instance.is_hit::<V>(ray, max_distance)
            },
        )
    }
}

/// What instances let through of light that comes along a ray.
struct Transmittance<'a> {
    scene: &'a RenderScene,
    ray: &'a Ray,
    max_distance: f32,
}

impl Work for Transmittance<'_> {
    type Out = Vec3A;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> Vec3A {
        let Self { scene, ray, max_distance } = self;
        let Some((bvh, space)) = scene.bvh.as_ref() else { return Vec3A::ONE };
        let (mut through, mut optical_depth) = (1.0, Vec3A::ZERO);
        let blocked = bvh.any_hit::<V>(
            space.ray(ray, max_distance),
            #[inline(always)]
            |_, i| {
                let instance = &scene.parts.instances[i];
                let Bsdf::Clear { index, absorption, .. } = scene.material(instance.material).bsdf else {
                    return !instance.camera_only && instance.is_hit::<V>(ray, max_distance);
                };
                // Ways inside add up from their ends, in whatever order these come.
                instance.crossings::<V>(
                    ray,
                    max_distance,
                    #[inline(always)]
                    |distance, cos| {
                        optical_depth += absorption * distance.copysign(cos);
                        through *= 1.0 - fresnel(cos.abs(), index);
                    },
                );
                false
            },
        );
        if blocked { Vec3A::ZERO } else { through * transmittance(optical_depth.max(Vec3A::ZERO), 1.0) }
    }
}
