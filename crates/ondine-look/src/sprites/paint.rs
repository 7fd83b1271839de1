//! The light that impostors send to the camera.

use super::Impostor;
use crate::camera::View;
use glam::{Vec3, Vec4};
use ondine::scene::Sprite;

/// The light that falls on a place, as a white wall would send it out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Incident {
    /// Of the sun, on a wall that faces it.
    pub sun: Vec3,
    /// Of the sky, on what faces up.
    pub above: Vec3,
    /// On what faces down.
    pub below: Vec3,
    /// Of lamps, from wherever they are.
    pub lamps: Vec3,
}

/// What an impostor sends to the camera, as linear light. The last number of each is 0: it belongs to what shines through.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Light that does not depend on where of it one looks.
    own: Vec4,
    /// Sunlight, on what faces the sun.
    sun: Vec4,
    /// How much more light there is on what faces up than on what faces sideways.
    slope: Vec4,
}

/// Where the light comes from, as a view has it: right, up, and towards the camera.
#[derive(Clone, Copy, Debug)]
pub struct Bearings {
    sun: Vec3,
    up: Vec3,
}

impl Bearings {
    /// Those of a view.
    pub fn of(view: &View, towards_sun: Vec3) -> Self {
        let seen = |d: Vec3| Vec3::new(d.dot(view.right()), d.dot(view.up()), -d.dot(view.forward()));
        Self { sun: seen(towards_sun), up: seen(Vec3::Y) }
    }
}

impl Paint {
    /// That of an impostor. `through` is what comes through clear things before it.
    pub fn of(impostor: &Impostor, incident: &Incident, through: Vec3) -> Self {
        let Impostor { color, look, .. } = impostor;
        let lit = if look.lit { *color * through } else { Vec3::ZERO };
        let sun = lit * incident.sun;
        let even = lit * (0.5 * (incident.above + incident.below) + incident.lamps);
        // What has no shape of its own is as bright as a ball on the average of its lit and its dark side.
        let shaped = matches!(look.sprite, Sprite::Ball | Sprite::Puff);
        let mean = if shaped { Vec3::ZERO } else { 0.5 * sun };
        Self {
            own: (even + mean + *color * through * look.glow).extend(0.0),
            sun: sun.extend(0.0),
            slope: (0.5 * lit * (incident.above - incident.below)).extend(0.0),
        }
    }

    /// Of a shape that has none.
    #[inline]
    pub fn flat(&self) -> Vec4 {
        self.own
    }

    /// Of a ball, where it faces a direction.
    #[inline]
    pub fn on_ball(&self, normal: Vec3, bearings: &Bearings) -> Vec4 {
        self.own + self.sun * normal.dot(bearings.sun).max(0.0) + self.slope * normal.dot(bearings.up)
    }

    /// Of smoke, as if it were a ball: light goes around it, and through it.
    #[inline]
    pub fn on_puff(&self, normal: Vec3, bearings: &Bearings) -> Vec4 {
        let wrapped = 0.5 + 0.5 * normal.dot(bearings.sun);
        self.own + self.sun * wrapped + self.slope * normal.dot(bearings.up)
    }
}
