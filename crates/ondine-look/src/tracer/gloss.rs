//! Reflection in rough surfaces: facets too small to see, spread as GGX has it.
//!
//! Sources: Walter and others 2007 (the distribution), Heitz 2014 (shadowing), Dupuy and Benyoub 2023 (how to draw
//! facets that can be seen). Directions here are about the normal, which is z; both point away from the surface.
//! Light that goes from facet to facet is left out: rough metals come out dark, by a third at the roughest that one would use.

use glam::{Vec2, Vec3A};
use std::f32::consts::{PI, TAU};

/// Width of the distribution below which a surface is taken as a mirror: narrower than the sun.
pub const MIRROR: f32 = 0.02;

/// Width of the distribution for a roughness from 0 to 1, which people take for even steps.
pub fn width(roughness: f32) -> f32 {
    let r = roughness.clamp(0.0, 1.0);
    r * r
}

/// How many facets face a direction.
fn facets(cos: f32, width: f32) -> f32 {
    let w = width * width;
    let d = cos * cos * (w - 1.0) + 1.0;
    w / (PI * d * d).max(1e-9)
}

/// Smith's measure of what is hidden from a direction.
fn hidden(cos: f32, width: f32) -> f32 {
    let c = (cos * cos).max(1e-9);
    0.5 * ((1.0 + width * width * (1.0 - c) / c).sqrt() - 1.0)
}

/// A facet as seen from `eye`, drawn as often as it is seen.
pub fn facet(eye: Vec3A, width: f32, u: Vec2) -> Vec3A {
    let stretched = Vec3A::new(eye.x * width, eye.y * width, eye.z).normalize();
    let (sin, cos) = (TAU * u.x).sin_cos();
    let z = (1.0 - u.y) * (1.0 + stretched.z) - stretched.z;
    let aside = (1.0 - z * z).max(0.0).sqrt();
    let cap = Vec3A::new(aside * cos, aside * sin, z) + stretched;
    Vec3A::new(cap.x * width, cap.y * width, cap.z.max(0.0)).normalize_or(Vec3A::Z)
}

/// What remains of light that came over a facet so drawn, but for what the facet itself swallows.
pub fn remains(eye: Vec3A, light: Vec3A, width: f32) -> f32 {
    if light.z <= 0.0 {
        return 0.0;
    }
    let (from, to) = (hidden(eye.z, width), hidden(light.z, width));
    (1.0 + from) / (1.0 + from + to)
}

/// Reflected over incoming light, times the cosine of the light, but for what facets swallow.
pub fn reflection(eye: Vec3A, light: Vec3A, width: f32) -> f32 {
    if light.z <= 0.0 || eye.z <= 0.0 {
        return 0.0;
    }
    let half = (eye + light).normalize_or(Vec3A::Z);
    let seen = 1.0 / (1.0 + hidden(eye.z, width) + hidden(light.z, width));
    facets(half.z, width) * seen / (4.0 * eye.z)
}

#[cfg(test)]
mod tests {
    use super::super::optics::reflected;
    use super::super::sampling::Sampler;
    use super::*;

    /// Drawing facets and integrating the formula must tell the same, and never more than all.
    #[test]
    fn drawn_facets_follow_the_formula() {
        for (width, slant) in [(0.3f32, 0.2f32), (0.6, 1.0), (0.9, 1.3)] {
            let eye = Vec3A::new(slant.sin(), 0.0, slant.cos());
            let (mut drawn, mut summed, n) = (0.0, 0.0, 1 << 16);
            for i in 0..n {
                let mut sampler = Sampler::new((3, 4), i);
                let light = reflected(-eye, facet(eye, width, sampler.pair()));
                drawn += remains(eye, light, width);
                // Evenly over the hemisphere: 2π a direction.
                let u = sampler.pair();
                let aside = (1.0 - u.x * u.x).sqrt();
                let even = Vec3A::new(aside * (TAU * u.y).cos(), aside * (TAU * u.y).sin(), u.x);
                summed += TAU * reflection(eye, even, width);
            }
            let (drawn, summed) = (drawn / n as f32, summed / n as f32);
            assert!((drawn - summed).abs() < 0.02, "{width} {slant}: {drawn} {summed}");
            assert!(drawn <= 1.0);
        }
    }

    #[test]
    fn a_smooth_surface_is_a_mirror() {
        let eye = Vec3A::new(0.6, 0.0, 0.8);
        let light = reflected(-eye, facet(eye, 1e-4, Vec2::new(0.3, 0.7)));
        assert!(light.distance(Vec3A::new(-0.6, 0.0, 0.8)) < 1e-2);
    }
}
