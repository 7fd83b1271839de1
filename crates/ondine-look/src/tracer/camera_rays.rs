//! Camera rays: through a thin lens, which may be too wide to have everything sharp.

use super::ray::Ray;
use super::sampling::disc;
use crate::camera::View;
use glam::{Vec2, Vec3};
use ondine::scene::Camera;

/// The rays of a picture.
#[derive(Clone, Copy, Debug)]
pub struct CameraRays {
    view: View,
    /// Half the width of the lens [m].
    lens_radius: f32,
    /// Depth at which all is sharp [m].
    focus_depth: f32,
}

impl CameraRays {
    /// Those of a view; a scene's camera may have a wide lens.
    pub fn new(view: View, camera: Option<&Camera>) -> Self {
        let lens_radius = camera.map_or(0.0, |c| 0.5 * c.aperture.clamp(0.0, 1e3));
        let focus = camera.map_or(1.0, |c| Vec3::from(c.at).distance(Vec3::from(c.look_at)));
        Self { view, lens_radius, focus_depth: focus.max(1e-6) }
    }

    /// Width and height of the picture [pixels].
    pub fn size(&self) -> (usize, usize) {
        self.view.size()
    }

    /// The view that they are of.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// How much wider the lens shows what is at a depth, on each side [m].
    pub fn blur(&self, depth: f32) -> f32 {
        self.lens_radius * (depth / self.focus_depth - 1.0).abs()
    }

    /// Width of a pixel on a surface at a place, straight on [m].
    pub fn footprint(&self, place: Vec3) -> f32 {
        1.0 / self.view.scale_at(self.view.depth(place).max(1e-6))
    }

    /// The ray through a place of the picture and the middle of the lens.
    pub fn straight(&self, place: Vec2) -> Ray {
        let straight = self.view.ray(place.x, place.y);
        Ray { origin: straight.origin.into(), direction: straight.direction.normalize().into() }
    }

    /// The ray through a place of the picture and a point of the lens, from 0 to 1 each way.
    pub fn ray(&self, place: Vec2, lens: Vec2) -> Ray {
        if self.lens_radius == 0.0 {
            return self.straight(place);
        }
        let straight = self.view.ray(place.x, place.y);
        let aside = disc(lens) * self.lens_radius;
        let up = self.view.right().cross(self.view.forward());
        let origin = straight.origin + self.view.right() * aside.x + up * aside.y;
        let direction = straight.at(self.focus_depth) - origin;
        Ray { origin: origin.into(), direction: direction.normalize().into() }
    }
}
