//! Area lights: flat lamps that shine to one side.

use super::material::bounded;
use super::ray::Ray;
use super::sampling::disc;
use glam::{Vec2, Vec3, Vec3A};
use ondine::scene::{Lamp, LampShape};
use std::f32::consts::PI;

/// A lamp made ready for rays.
#[derive(Clone, Copy, Debug)]
pub struct AreaLight {
    center: Vec3A,
    normal: Vec3A,
    right: Vec3A,
    up: Vec3A,
    half: Vec2,
    round: bool,
    radiance: Vec3A,
}

/// A point of a lamp as it is seen from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct LightSample {
    /// The way there.
    pub ray: Ray,
    /// How far it is [m].
    pub distance: f32,
    /// Its light, times the angle that all of the lamp takes up there [sr].
    pub light: Vec3A,
}

impl AreaLight {
    /// A lamp of the scene; none if it has no face to speak of.
    pub fn new(lamp: &Lamp) -> Option<Self> {
        let normal = Vec3::from(lamp.towards).try_normalize()?;
        let right = normal.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let round = lamp.shape == LampShape::Disc;
        let half = if round { Vec2::splat(lamp.radius) } else { 0.5 * Vec2::from(lamp.size) };
        let center = Vec3::from(lamp.at);
        let valid = half.min_element() > 0.0 && half.is_finite() && center.is_finite();
        valid.then(|| Self {
            center: center.into(),
            normal: normal.into(),
            right: right.into(),
            up: right.cross(normal).into(),
            half,
            round,
            radiance: bounded(lamp.color) * lamp.strength.clamp(0.0, 1e6),
        })
    }

    fn area(&self) -> f32 {
        self.half.x * self.half.y * if self.round { PI } else { 4.0 }
    }

    /// A point of it, as seen from `from`; none from behind.
    pub fn sample(&self, from: Vec3A, u: Vec2) -> Option<LightSample> {
        let place = if self.round { disc(u) } else { 2.0 * u - Vec2::ONE } * self.half;
        let way = self.center + self.right * place.x + self.up * place.y - from;
        let distance = way.length();
        let direction = way.try_normalize()?;
        let cos = -direction.dot(self.normal);
        let angle = self.area() * cos / (distance * distance).max(1e-12);
        (cos > 0.0).then_some(LightSample {
            ray: Ray { origin: from, direction },
            distance,
            light: self.radiance * angle,
        })
    }

    /// Where a ray meets its face, and its light there.
    pub fn intersect(&self, ray: &Ray) -> Option<(f32, Vec3A)> {
        let towards = ray.direction.dot(self.normal);
        let distance = (self.center - ray.origin).dot(self.normal) / towards;
        if towards >= 0.0 || distance.is_nan() || distance <= 0.0 {
            return None;
        }
        let aside = ray.at(distance) - self.center;
        let place = Vec2::new(aside.dot(self.right), aside.dot(self.up)) / self.half;
        let inside = if self.round { place.length() <= 1.0 } else { place.abs().max_element() <= 1.0 };
        inside.then_some((distance, self.radiance))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampling::Sampler;
    use super::*;

    /// A wall close to a wide lamp gets its light from half the sky: π times its light.
    #[test]
    fn a_wide_lamp_near_by_lights_like_a_sky() {
        let lamp = Lamp { shape: LampShape::Disc, radius: 10.0, at: [0.0, 1.0, 0.0], ..Lamp::default() };
        let light = AreaLight::new(&lamp).expect("a lamp");
        let each = (0..4096).filter_map(|i| light.sample(Vec3A::ZERO, Sampler::new((0, 0), i).next_2d()));
        let seen: f32 = each.map(|g| g.light.y * g.ray.direction.y).sum::<f32>() / 4096.0;
        // A disc of radius R at height h gives π R²/(R² + h²).
        let expected = light.radiance.y * PI * 100.0 / 101.0;
        assert!((seen / expected - 1.0).abs() < 0.02, "{seen} {expected}");
        assert!(light.sample(Vec3A::Y * 2.0, Vec2::splat(0.5)).is_none(), "it is dark behind");
    }
}
