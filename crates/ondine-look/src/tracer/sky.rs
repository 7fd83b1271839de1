//! Daylight: a sky that is bright at the horizon, and a sun with a width.
//!
//! Light is measured so that a grey wall facing the sun is well lit and a white one glares.

use super::ray::{Ray, from_local};
use super::sampling::{cone, cosine_hemisphere, solid_angle};
use crate::camera::Framing;
use glam::{Vec2, Vec3, Vec3A};
use ondine::scene::Light;
use std::f32::consts::PI;

/// Light of a white wall facing the sun.
const SUN: Vec3A = Vec3A::new(1.20, 1.08, 0.90);
/// Light of the sky overhead, at the horizon, and of what is below it.
const ZENITH: Vec3A = Vec3A::new(0.11, 0.23, 0.48);
const HORIZON: Vec3A = Vec3A::new(0.52, 0.62, 0.72);
const BELOW: Vec3A = Vec3A::new(0.20, 0.19, 0.17);
/// Glow of the sky about the sun, which haze in the air makes: what large smooth things mirror.
const GLOW: Vec3A = Vec3A::new(0.9, 0.8, 0.62);
/// How quickly it fades, per 1 of cosine.
const GLOW_FADE: f32 = 14.0;
/// How much brighter it is close to the sun, and how quickly that fades. It is seen with the sun, straight and in mirrors, and
/// lights nothing: it has a fortieth of the sun's light, and chance would make sparks of it.
const AUREOLE: f32 = 3.0;
const AUREOLE_FADE: f32 = 160.0;
/// How quickly the horizon turns to sky.
const HAZE: f32 = 6.0;
/// The narrowest sun [°]: a point could never be seen mirrored.
const NARROWEST: f32 = 0.1;

/// The sky and its sun.
#[derive(Clone, Copy, Debug)]
pub struct Sky {
    zenith: Vec3A,
    horizon: Vec3A,
    below: Vec3A,
    glow: Vec3A,
    sun: Option<Sun>,
    /// Mean light from above and from below, as it falls on what faces up and down.
    ambient: [Vec3A; 2],
}

/// A round patch of light at no distance.
#[derive(Clone, Copy, Debug)]
pub struct Sun {
    /// Its direction.
    pub towards: Vec3A,
    /// 1 minus the cosine of half its width.
    narrow: f32,
    /// Light that falls on what faces it, times π: what a white wall sends out.
    strength: Vec3A,
}

impl Sky {
    /// The daylight of a scene; `towards` is where its sun is by default.
    pub fn new(light: &Light, towards: Vec3) -> Self {
        let towards = light.sun.map_or(towards, Vec3::from).try_normalize().unwrap_or(Vec3::Y);
        let half = 0.5 * light.sun_size.clamp(NARROWEST, 90.0).to_radians();
        let (day, sky) = (light.sun_strength.clamp(0.0, 1e3), light.sky_strength.clamp(0.0, 1e3));
        let sun = Sun { towards: towards.into(), narrow: 1.0 - half.cos(), strength: SUN * day };
        let sun = (day > 0.0).then_some(sun);
        Self::of(ZENITH * sky, HORIZON * sky, BELOW * sky, GLOW * sky * day.min(1.0), sun)
    }

    /// The same light from everywhere.
    #[cfg(test)]
    pub fn even(light: f32) -> Self {
        let light = Vec3A::splat(light);
        Self::of(light, light, light, Vec3A::ZERO, None)
    }

    fn of(zenith: Vec3A, horizon: Vec3A, below: Vec3A, glow: Vec3A, sun: Option<Sun>) -> Self {
        let mut sky = Self { zenith, horizon, below, glow, sun, ambient: [Vec3A::ZERO; 2] };
        sky.ambient = [Vec3A::Y, Vec3A::NEG_Y].map(|up| sky.mean_about(up));
        sky
    }

    /// Mean light that falls on what faces a direction.
    fn mean_about(&self, up: Vec3A) -> Vec3A {
        const STEPS: usize = 24;
        let point = |i: usize| Vec2::new((i / STEPS) as f32 + 0.5, (i % STEPS) as f32 + 0.5) / STEPS as f32;
        let all = (0..STEPS * STEPS).map(|i| self.light(from_local(up, cosine_hemisphere(point(i)))));
        all.sum::<Vec3A>() / (STEPS * STEPS) as f32
    }

    /// The sun, if it shines.
    pub fn sun(&self) -> Option<&Sun> {
        self.sun.as_ref()
    }

    /// Light from a direction, but for the sun.
    pub fn light(&self, direction: Vec3A) -> Vec3A {
        let high = direction.y.clamp(-1.0, 1.0);
        let glow = self.sun.map_or(0.0, |sun| (GLOW_FADE * (direction.dot(sun.towards) - 1.0)).exp());
        let base = match high >= 0.0 {
            true => self.zenith.lerp(self.horizon, (-HAZE * high).exp()),
            // What is below begins within a few degrees.
            false => self.below.lerp(self.horizon, (10.0 * high).exp()),
        };
        base + self.glow * glow
    }

    /// Light from a direction with the sun and what is about it.
    pub fn light_and_sun(&self, direction: Vec3A) -> Vec3A {
        let Some(sun) = self.sun else { return self.light(direction) };
        let aside = 1.0 - direction.dot(sun.towards);
        let disc = if aside <= sun.narrow { PI / solid_angle(sun.narrow) } else { 0.0 };
        let aureole = self.glow * (AUREOLE * (-AUREOLE_FADE * aside).exp());
        self.light(direction) + aureole + sun.strength * disc
    }

    /// Light of the horizon below a direction: what the ground fades into.
    pub fn distant(&self, direction: Vec3A) -> Vec3A {
        self.light(direction.with_y(direction.y.max(0.0)).normalize_or(Vec3A::Z))
    }

    /// Mean light that falls on what faces a direction, as if nothing stood around it.
    pub fn ambient(&self, normal: Vec3A) -> Vec3A {
        self.ambient[1].lerp(self.ambient[0], 0.5 + 0.5 * normal.y)
    }
}

impl Sun {
    /// A direction towards some point of it.
    pub fn direction(&self, u: Vec2) -> Vec3A {
        from_local(self.towards, cone(u, self.narrow))
    }

    /// The light of a white wall that faces it.
    pub fn strength(&self) -> Vec3A {
        self.strength
    }

    /// A ray from a point to some point of it.
    pub fn ray(&self, from: Vec3A, u: Vec2) -> Ray {
        Ray { origin: from, direction: self.direction(u) }
    }
}

/// Where the sun is by default: high, to the left of the camera and a little before the scene.
pub fn default_sun(framing: &Framing) -> Vec3 {
    let view = framing.start_view();
    let away = view.forward().with_y(0.0).normalize_or_zero();
    (1.1 * Vec3::Y - 0.75 * view.right() - 0.5 * away).normalize()
}
