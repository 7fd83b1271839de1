//! A point of a surface that scatters or reflects: its BSDF, for a light and for chance.

use super::material::{Bsdf, WRAP};
use super::microfacet::{self, MIRROR_ALPHA};
use super::optics::{fresnel, mean_fresnel, metal_fresnel};
use super::ray::{Ray, tangents};
use super::sampling::Sampler;
use glam::Vec3A;
use std::f32::consts::FRAC_1_PI;

/// A point of a surface that scatters or reflects.
pub struct ShadingPoint {
    /// A little before it, for rays to start.
    pub position: Vec3A,
    /// Towards the side that the ray came from.
    pub normal: Vec3A,
    /// The same of the triangle.
    pub geometric_normal: Vec3A,
    /// Where the ray came from.
    pub outgoing: Vec3A,
    pub color: Vec3A,
    pub bsdf: Bsdf,
}

impl ShadingPoint {
    /// The BSDF for light from a direction, times the cosine: scattered, and reflected.
    pub fn evaluate(&self, incoming: Vec3A) -> (Vec3A, Vec3A) {
        let cos = self.normal.dot(incoming);
        let seen = self.normal.dot(self.outgoing).max(1e-3);
        let matte = self.color * (FRAC_1_PI * cos.max(0.0));
        match self.bsdf {
            Bsdf::Matte => (matte, Vec3A::ZERO),
            Bsdf::Metal { alpha } if alpha >= MIRROR_ALPHA && cos > 0.0 => {
                let half = (self.outgoing + incoming).normalize_or(self.normal);
                (
                    Vec3A::ZERO,
                    metal_fresnel(half.dot(incoming), self.color) * self.reflectance(incoming, alpha),
                )
            }
            Bsdf::Metal { .. } | Bsdf::Clear { .. } => (Vec3A::ZERO, Vec3A::ZERO),
            Bsdf::Coated { alpha, index } => {
                let under =
                    (1.0 - fresnel(seen, index)) * (1.0 - fresnel(cos, index)) / (1.0 - mean_fresnel(index));
                (matte * under, self.coat(incoming, alpha, index))
            }
            Bsdf::Skin { alpha, index } => {
                let reach =
                    (Vec3A::splat(cos) + WRAP).max(Vec3A::ZERO) / ((Vec3A::ONE + WRAP) * (Vec3A::ONE + WRAP));
                let scattered = self.color * reach * (FRAC_1_PI * (1.0 - fresnel(seen, index)));
                (scattered, self.coat(incoming, alpha, index))
            }
        }
    }

    fn coat(&self, incoming: Vec3A, alpha: f32, index: f32) -> Vec3A {
        if alpha < MIRROR_ALPHA || self.normal.dot(incoming) <= 0.0 {
            return Vec3A::ZERO;
        }
        let half = (self.outgoing + incoming).normalize_or(self.normal);
        Vec3A::splat(fresnel(half.dot(incoming), index) * self.reflectance(incoming, alpha))
    }

    fn local(&self, direction: Vec3A) -> Vec3A {
        let (right, up) = tangents(self.normal);
        Vec3A::new(direction.dot(right), direction.dot(up), direction.dot(self.normal))
    }

    fn reflectance(&self, incoming: Vec3A, alpha: f32) -> f32 {
        microfacet::reflectance(self.local(self.outgoing), self.local(incoming), alpha)
    }

    /// What remains of light that came over a facet drawn by [`facet`].
    pub fn facet_weight(&self, incoming: Vec3A, alpha: f32) -> f32 {
        if alpha < MIRROR_ALPHA {
            return 1.0;
        }
        microfacet::sample_weight(self.local(self.outgoing), self.local(incoming), alpha)
    }

    /// A ray to a light, which for skin may start on the far side of an edge: it goes along the edge then.
    pub fn shadow_ray(&self, ray: Ray) -> Ray {
        let below = -ray.direction.dot(self.geometric_normal);
        match self.bsdf {
            Bsdf::Skin { .. } if below > -0.05 => {
                let direction = ray.direction + self.geometric_normal * (below + 0.05);
                Ray { direction: direction.normalize_or(self.geometric_normal), ..ray }
            }
            _ => ray,
        }
    }
}

/// The normal of a facet that is seen from `outgoing`.
pub fn facet(normal: Vec3A, outgoing: Vec3A, alpha: f32, sampler: &mut Sampler) -> Vec3A {
    if alpha < MIRROR_ALPHA {
        return normal;
    }
    let (right, up) = tangents(normal);
    let local = Vec3A::new(outgoing.dot(right), outgoing.dot(up), outgoing.dot(normal).max(1e-3));
    let facet = microfacet::sample_normal(local, alpha, sampler.next_2d());
    right * facet.x + up * facet.y + normal * facet.z
}

/// A direction that a shading normal has sent behind the true surface, brought back before it.
pub fn above(direction: Vec3A, geometric_normal: Vec3A) -> Vec3A {
    let below = direction.dot(geometric_normal);
    if below > 0.0 {
        return direction;
    }
    (direction + geometric_normal * (0.01 - below)).normalize_or(geometric_normal)
}
