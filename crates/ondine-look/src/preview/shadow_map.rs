//! Which places the key light reaches: a shadow map, the scene seen from the light.

use super::objects::{self, Instance};
use super::splats::{self, Splat};
use super::visibility::VisibilityBuffer;
use crate::camera::{Framing, Projection, View};
use glam::Vec3;

/// Width and height of the light's view [samples].
const SIDE: u32 = 768;

/// How much further than the scene the light's view goes: splashes leave it.
const ROOM: f32 = 1.6;

/// Where the shadow is looked up about a point [samples of the light's view]: the more spread, the softer.
const TAPS: [(f32, f32); 9] = [
    (0.0, 0.0),
    (1.3, 0.6),
    (-0.6, 1.3),
    (-1.3, -0.6),
    (0.6, -1.3),
    (2.9, -1.2),
    (1.2, 2.9),
    (-2.9, 1.2),
    (-1.2, -2.9),
];

/// The scene as the key light sees it.
#[derive(Debug)]
pub struct ShadowMap {
    light: View,
    buffer: VisibilityBuffer,
    /// Depth by which something must be nearer to the light to shade what is behind it [m].
    bias: f32,
}

/// From the scene to the key light: above, from the left, behind the camera.
pub fn towards_key_light(view: &View) -> Vec3 {
    let back = (-view.forward()).with_y(0.0).normalize_or_zero();
    (1.25 * Vec3::Y - 0.75 * view.right() + 0.55 * back).normalize()
}

impl ShadowMap {
    /// Looks at the scene from the light that belongs to a view.
    pub fn cast(framing: &Framing, view: &View, splats: &[Splat], instances: &[Instance]) -> Self {
        let reach = ROOM * framing.reach();
        let towards = towards_key_light(view);
        let scale = 0.5 * SIDE as f32 / reach;
        let position = framing.center() + towards * 4.0 * reach;
        let light = View::new(position, -towards, Projection::Orthographic(scale), (SIDE, SIDE));

        let mut buffer = VisibilityBuffer::new(light.size());
        let casters = instances.iter().filter(|instance| instance.casts_shadow());
        objects::draw(casters.enumerate(), &light, &mut buffer);
        splats::draw(splats, &light, &mut buffer);
        let widest = splats.iter().map(|splat| splat.radius).fold(0.0, f32::max);
        Self { light, buffer, bias: 1.5 * widest + 3.0 / scale }
    }

    /// Fraction of the key light that reaches a point, 0 to 1.
    pub fn lit(&self, p: Vec3) -> f32 {
        let Some(point) = self.light.project(p) else { return 1.0 };
        let (width, height) = self.buffer.size();
        let open = TAPS.iter().filter(|(dx, dy)| {
            let (x, y) = (point.x + dx, point.y + dy);
            let outside = x < 0.0 || y < 0.0 || x >= width as f32 || y >= height as f32;
            outside || self.buffer.depth(x as usize, y as usize) > point.depth - self.bias
        });
        open.count() as f32 / TAPS.len() as f32
    }
}
