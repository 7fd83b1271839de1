//! Effects over a traced picture. They are drawn, not traced, and not smoothed: they have no noise.

use super::area_lights::AreaLight;
use super::camera_rays::CameraRays;
use super::ray::Ray;
use super::render_scene::RenderScene;
use super::sky::Sky;
use crate::sprites::{Bearings, Footprint, Impostor, Incident, Layer, Paint};
use glam::{Vec2, Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use std::f32::consts::PI;

/// Clear surfaces that one looks through for what is behind them, at most.
const MOST_CLEAR: usize = 16;

/// What lights effects and what may hide them.
#[derive(Clone, Copy, Debug)]
pub struct EffectSetting<'a> {
    /// Everything that a ray can meet.
    pub scene: &'a RenderScene,
    /// Daylight.
    pub sky: &'a Sky,
    /// Lamps.
    pub lights: &'a [AreaLight],
    /// Where the picture is taken from.
    pub camera: &'a CameraRays,
}

impl EffectSetting<'_> {
    /// The effects as a layer over the picture; none if there is nothing to see.
    pub fn layer(&self, impostors: &[Impostor]) -> Option<Layer> {
        let view = self.camera.view();
        let footprint = |impostor: &Impostor| {
            let incident =
                if impostor.look.lit { self.incident(impostor.position.into()) } else { Incident::default() };
            let paint = Paint::of(impostor, &incident, self.seen_through(impostor.position));
            Footprint::of(impostor, paint, view, |depth| self.camera.blur(depth))
        };
        let all: Vec<Footprint> = impostors.par_iter().filter_map(footprint).collect();
        let towards_sun = self.sky.sun().map_or(Vec3::Y, |sun| sun.towards.into());
        let bearings = Bearings::of(view, towards_sun);
        (!all.is_empty()).then(|| Layer::draw(all, view.size().0, &bearings, &self.depths()))
    }

    /// The light that falls on a place.
    fn incident(&self, at: Vec3A) -> Incident {
        let arrived = |ray: Ray, distance: f32| self.scene.transmittance(&ray, distance);
        let sun = self.sky.sun().map_or(Vec3A::ZERO, |sun| {
            sun.strength() * arrived(Ray { origin: at, direction: sun.towards }, f32::INFINITY)
        });
        let samples = self.lights.iter().filter_map(|lamp| lamp.sample(at, Vec2::splat(0.5)));
        // Half of what a wall that faces the lamp sends out: the mean over a ball.
        let lamps: Vec3A = samples.map(|s| s.light * arrived(s.ray, 0.999 * s.distance) * (0.5 / PI)).sum();
        let [above, below] = [Vec3A::Y, Vec3A::NEG_Y].map(|up| self.sky.ambient(up).into());
        Incident { sun: sun.into(), above, below, lamps: lamps.into() }
    }

    /// What clear things and panes let through of the light of a place to the camera.
    fn seen_through(&self, place: Vec3) -> Vec3 {
        let Some(point) = self.camera.view().project(place) else { return Vec3::ONE };
        let ray = self.camera.straight(Vec2::new(point.x, point.y));
        let distance = (Vec3A::from(place) - ray.origin).length();
        let through = self.scene.transmittance(&ray, distance);
        // What is opaque hides pixel by pixel.
        let clear = if through == Vec3A::ZERO { Vec3A::ONE } else { through };
        let panes = self.scene.panes().iter().map(|panes| panes.veil(&ray, distance, self.sky).0);
        (clear * panes.product::<Vec3A>()).into()
    }

    /// Depths of what is not clear at the four corners of each pixel [m].
    fn depths(&self) -> Vec<Vec4> {
        let (width, height) = self.camera.size();
        let across = width + 1;
        let corner = |i: usize| self.depth(Vec2::new((i % across) as f32, (i / across) as f32));
        let corners: Vec<f32> =
            (0..across * (height + 1)).into_par_iter().with_min_len(across).map(corner).collect();
        let four = |i: usize| {
            let first = i / width * across + i % width;
            Vec4::from([0, 1, across, across + 1].map(|next| corners[first + next]))
        };
        (0..width * height).into_par_iter().map(four).collect()
    }

    /// Depth of what is not clear at a place of the picture [m].
    fn depth(&self, place: Vec2) -> f32 {
        let mut ray = self.camera.straight(place);
        for _ in 0..MOST_CLEAR {
            let Some(hit) = self.scene.closest_hit(&ray, true) else { return f32::INFINITY };
            let point = ray.at(hit.distance);
            if !self.scene.material(hit.material).is_clear() {
                return self.camera.view().depth(point.into());
            }
            ray.origin = point + ray.direction * self.scene.ray_offset(point, hit.distance);
        }
        f32::INFINITY
    }
}
