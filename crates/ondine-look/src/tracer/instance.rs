//! Geometry in its place.

use super::lanes::Eight;
use super::mesh::{Interaction, Intersection, Mesh};
use super::ray::Ray;
use super::spheres::Spheres;
use glam::{Quat, Vec3, Vec3A};
use ondine::scene::Placement;
use std::sync::Arc;

/// A surface in the form that rays ask for.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// Triangles.
    Mesh(Arc<Mesh>),
    /// Spheres.
    Spheres(Arc<Spheres>),
}

/// Geometry in its place.
#[derive(Clone, Debug)]
pub struct Instance {
    /// In its own frame.
    pub geometry: Geometry,
    /// Where it stands.
    pub placement: Placement,
    /// Number of its material.
    pub material: u16,
    /// Whether only the camera sees it: a drawn line, which casts no shadow and is not mirrored.
    pub camera_only: bool,
}

impl Instance {
    /// Whether it stands somewhere.
    pub fn is_valid(&self) -> bool {
        let Placement { at, rotation } = self.placement;
        at.abs().max_element() < 1e9 && rotation.is_finite() && rotation.length_squared() > 0.5
    }

    /// Corners of the box around it, in the world [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = match &self.geometry {
            Geometry::Mesh(mesh) => mesh.bounds(),
            Geometry::Spheres(spheres) => spheres.bounds(),
        };
        self.placement.box_around(low, high)
    }

    #[inline(always)]
    fn local(&self, ray: &Ray) -> Ray {
        let Placement { at, rotation } = self.placement;
        let origin = ray.origin - Vec3A::from(at);
        if rotation == Quat::IDENTITY {
            return Ray { origin, direction: ray.direction };
        }
        let back = rotation.inverse();
        Ray { origin: back * origin, direction: back * ray.direction }
    }

    /// Where a ray first meets it within a distance.
    #[inline(always)]
    pub fn closest_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> Option<Intersection> {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.closest_hit::<V>(&self.local(ray), max_distance),
            Geometry::Spheres(spheres) => spheres.closest_hit::<V>(&self.local(ray), max_distance),
        }
    }

    /// Whether a ray meets it at all within a distance.
    #[inline(always)]
    pub fn is_hit<V: Eight>(&self, ray: &Ray, max_distance: f32) -> bool {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.is_hit::<V>(&self.local(ray), max_distance),
            Geometry::Spheres(spheres) => spheres.is_hit::<V>(&self.local(ray), max_distance),
        }
    }

    /// Shows every crossing of a ray within a distance, as [`Mesh::crossings`] does.
    #[inline(always)]
    pub fn crossings<V: Eight>(&self, ray: &Ray, max_distance: f32, each: impl FnMut(f32, f32)) {
        match &self.geometry {
            Geometry::Mesh(mesh) => mesh.crossings::<V>(&self.local(ray), max_distance, each),
            Geometry::Spheres(spheres) => spheres.crossings::<V>(&self.local(ray), max_distance, each),
        }
    }

    /// What the surface is like where a ray hit it.
    #[inline(always)]
    pub fn interaction(&self, ray: &Ray, hit: &Intersection) -> Interaction {
        let local = self.local(ray);
        let local_interaction = match &self.geometry {
            Geometry::Mesh(mesh) => mesh.interaction(&local, hit),
            Geometry::Spheres(spheres) => spheres.interaction(&local, hit),
        };
        let Interaction { geometric_normal, shading_normal, color } = local_interaction;
        let rotation = self.placement.rotation;
        Interaction {
            geometric_normal: rotation * geometric_normal,
            shading_normal: rotation * shading_normal,
            color,
        }
    }
}
