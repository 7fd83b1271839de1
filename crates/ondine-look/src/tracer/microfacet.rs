//! Reflection in rough surfaces: microfacets, spread as GGX has it.
//!
//! Sources: Walter and others 2007 (the distribution), Heitz 2014 (shadowing), Dupuy and Benyoub 2023 (how to draw
//! facets that can be seen). Directions here are about the normal, which is z; both
//! point away from the surface, `outgoing` to the camera and `incoming` to the light. `alpha` is the width of the distribution.
//! Light that goes from facet to facet is left out: rough metals come out dark, by a third at the roughest that one would use.

use glam::{Vec2, Vec3A};
use std::f32::consts::{PI, TAU};

/// Alpha below which a surface is taken as a mirror: narrower than the sun.
pub const MIRROR_ALPHA: f32 = 0.02;

/// Alpha for a roughness from 0 to 1, which people take for even steps.
pub fn alpha(roughness: f32) -> f32 {
    let r = roughness.clamp(0.0, 1.0);
    r * r
}

/// The distribution of normals, D: how many facets face a direction.
fn distribution(cos: f32, alpha: f32) -> f32 {
    let w = alpha * alpha;
    let d = cos * cos * (w - 1.0) + 1.0;
    w / (PI * d * d).max(1e-9)
}

/// Smith's Λ: a measure of what is hidden from a direction.
fn lambda(cos: f32, alpha: f32) -> f32 {
    let c = (cos * cos).max(1e-9);
    0.5 * ((1.0 + alpha * alpha * (1.0 - c) / c).sqrt() - 1.0)
}

/// A visible normal: that of a facet as seen from `outgoing`, drawn as often as it is seen.
pub fn sample_normal(outgoing: Vec3A, alpha: f32, u: Vec2) -> Vec3A {
    let stretched = Vec3A::new(outgoing.x * alpha, outgoing.y * alpha, outgoing.z).normalize();
    let (sin, cos) = (TAU * u.x).sin_cos();
    let z = (1.0 - u.y) * (1.0 + stretched.z) - stretched.z;
    let aside = (1.0 - z * z).max(0.0).sqrt();
    let cap = Vec3A::new(aside * cos, aside * sin, z) + stretched;
    Vec3A::new(cap.x * alpha, cap.y * alpha, cap.z.max(0.0)).normalize_or(Vec3A::Z)
}

/// What remains of light that came over a facet so drawn, but for what the facet itself absorbs.
pub fn sample_weight(outgoing: Vec3A, incoming: Vec3A, alpha: f32) -> f32 {
    if incoming.z <= 0.0 {
        return 0.0;
    }
    let (from, to) = (lambda(outgoing.z, alpha), lambda(incoming.z, alpha));
    (1.0 + from) / (1.0 + from + to)
}

/// Reflected over incoming light, times the cosine of the light, but for what facets absorb.
pub fn reflectance(outgoing: Vec3A, incoming: Vec3A, alpha: f32) -> f32 {
    if incoming.z <= 0.0 || outgoing.z <= 0.0 {
        return 0.0;
    }
    let half = (outgoing + incoming).normalize_or(Vec3A::Z);
    let seen = 1.0 / (1.0 + lambda(outgoing.z, alpha) + lambda(incoming.z, alpha));
    distribution(half.z, alpha) * seen / (4.0 * outgoing.z)
}

#[cfg(test)]
mod tests {
    use super::super::optics::reflected;
    use super::super::sampling::Sampler;
    use super::*;

    /// Drawing facets and integrating the formula must tell the same, and never more than all.
    #[test]
    fn drawn_normals_follow_the_formula() {
        for (alpha, slant) in [(0.3f32, 0.2f32), (0.6, 1.0), (0.9, 1.3)] {
            let outgoing = Vec3A::new(slant.sin(), 0.0, slant.cos());
            let (mut drawn, mut summed, n) = (0.0, 0.0, 1 << 16);
            for i in 0..n {
                let mut sampler = Sampler::new((3, 4), i);
                let incoming = reflected(-outgoing, sample_normal(outgoing, alpha, sampler.next_2d()));
                drawn += sample_weight(outgoing, incoming, alpha);
                // Evenly over the hemisphere: 2π a direction.
                let u = sampler.next_2d();
                let aside = (1.0 - u.x * u.x).sqrt();
                let even = Vec3A::new(aside * (TAU * u.y).cos(), aside * (TAU * u.y).sin(), u.x);
                summed += TAU * reflectance(outgoing, even, alpha);
            }
            let (drawn, summed) = (drawn / n as f32, summed / n as f32);
            assert!((drawn - summed).abs() < 0.02, "{alpha} {slant}: {drawn} {summed}");
            assert!(drawn <= 1.0);
        }
    }

    #[test]
    fn a_smooth_surface_is_a_mirror() {
        let outgoing = Vec3A::new(0.6, 0.0, 0.8);
        let incoming = reflected(-outgoing, sample_normal(outgoing, 1e-4, Vec2::new(0.3, 0.7)));
        assert!(incoming.distance(Vec3A::new(-0.6, 0.0, 0.8)) < 1e-2);
    }
}
