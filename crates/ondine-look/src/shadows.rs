//! Which places the key light reaches: the scene seen from the light.

use crate::beads::{self, Bead};
use crate::framing::Framing;
use crate::seen::Seen;
use crate::solids::{self, Solid};
use crate::view::{Lens, View};
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
pub struct Shadows {
    light: View,
    seen: Seen,
    /// Depth by which a thing must be nearer to the light to shade another [m].
    slack: f32,
}

/// From the scene to the key light: above, from the left, behind the camera.
pub fn towards_light(view: &View) -> Vec3 {
    let back = (-view.forward()).with_y(0.0).normalize_or_zero();
    (1.25 * Vec3::Y - 0.75 * view.right() + 0.55 * back).normalize()
}

impl Shadows {
    /// Looks at the scene from the light that belongs to a view.
    pub fn cast(framing: &Framing, view: &View, beads: &[Bead], solids: &[Solid]) -> Self {
        let reach = ROOM * framing.reach();
        let towards = towards_light(view);
        let scale = 0.5 * SIDE as f32 / reach;
        let eye = framing.center() + towards * 4.0 * reach;
        let light = View::new(eye, -towards, Lens::Parallel(scale), (SIDE, SIDE));

        let mut seen = Seen::nothing(light.size());
        let opaque = solids.iter().filter(|solid| solid.throws_shadow());
        solids::draw(opaque.enumerate(), &light, &mut seen);
        beads::draw(beads, &light, &mut seen);
        let widest = beads.iter().map(|bead| bead.radius).fold(0.0, f32::max);
        Self { light, seen, slack: 1.5 * widest + 3.0 / scale }
    }

    /// Share of the key light that reaches a point, 0 to 1.
    pub fn lit(&self, p: Vec3) -> f32 {
        let Some(spot) = self.light.project(p) else { return 1.0 };
        let (width, height) = self.seen.size();
        let open = TAPS.iter().filter(|(dx, dy)| {
            let (x, y) = (spot.x + dx, spot.y + dy);
            let outside = x < 0.0 || y < 0.0 || x >= width as f32 || y >= height as f32;
            outside || self.seen.depth(x as usize, y as usize) > spot.depth - self.slack
        });
        open.count() as f32 / TAPS.len() as f32
    }
}
