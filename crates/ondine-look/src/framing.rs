//! The point of view of a scene: its camera, or one that holds all of it.

use crate::extent::Extent;
use crate::solids::corners;
use crate::view::{Lens, View};
use glam::Vec3;
use ondine::Scene;
use ondine::scene::{Camera, Placement};

/// Vertical angle of view of the camera that is chosen [°].
const ANGLE: f32 = 30.0;

/// From the middle of the scene to the eye that is chosen: from the front, a little from the right, a little above.
const TOWARDS_EYE: Vec3 = Vec3::new(0.42, 0.34, 1.0);

/// Room about the scene, as a share of the picture.
const MARGIN: f32 = 1.12;

/// Where pictures of a scene are taken from. It depends on the scene alone, so it stands still from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    camera: Option<Camera>,
    planar: bool,
    low: Vec3,
    high: Vec3,
    gravity: Vec3,
}

impl Framing {
    /// The scene's own camera or, without one, a point that holds its fills, emitters and objects.
    pub fn of(scene: &Scene) -> Self {
        let (low, high) = Extent::of(scene).corners().unwrap_or((Vec3::splat(-0.5), Vec3::splat(0.5)));
        Self { camera: scene.camera, planar: scene.planar(), low, high, gravity: scene.gravity.into() }
    }

    /// The same, through another camera.
    pub fn with_camera(self, camera: Option<Camera>) -> Self {
        Self { camera, ..self }
    }

    /// Height of the lowest point of the scene [m].
    pub fn low(&self) -> f32 {
        self.low.y
    }

    /// The middle of the scene.
    pub fn center(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Half the diagonal of the scene [m].
    pub fn reach(&self) -> f32 {
        (0.5 * self.high.distance(self.low)).max(1e-3)
    }

    /// A speed that is brisk in a scene of this size: a free fall through half of it [m/s].
    pub fn lively_speed(&self) -> f32 {
        (2.0 * self.gravity.length() * self.reach()).sqrt().max(0.1)
    }

    /// Side of a tile of the ground [m]: a round number of which some ten cross the scene.
    pub fn tile(&self) -> f32 {
        let wish = 0.25 * self.reach();
        let decade = 10f32.powf(wish.log10().floor());
        let step = if wish < 2.0 * decade {
            1.0
        } else if wish < 5.0 * decade {
            2.0
        } else {
            5.0
        };
        step * decade
    }

    /// The view of a picture of a size [pixels].
    pub fn view(&self, size: (u32, u32)) -> View {
        match self.camera {
            _ if self.planar => self.onto_the_plane(size),
            Some(camera) => from_camera(&camera, size),
            None => self.holding_all(size),
        }
    }

    /// The camera of pictures of 16 to 9: that of the scene, or the one that is chosen.
    pub fn camera(&self) -> Camera {
        let view = self.holding_all((16, 9));
        let chosen = Camera {
            at: view.eye().into(),
            look_at: self.center().into(),
            angle: ANGLE,
            ..Camera::default()
        };
        self.camera.unwrap_or(chosen)
    }

    fn onto_the_plane(&self, size: (u32, u32)) -> View {
        let sides = (self.high - self.low).max(Vec3::splat(1e-3)) * MARGIN;
        let scale = (size.0 as f32 / sides.x).min(size.1 as f32 / sides.y);
        let eye = self.center().with_z(1.0 + self.reach());
        View::new(eye, Vec3::NEG_Z, Lens::Parallel(scale), size)
    }

    /// As near as the corners of the scene allow.
    fn holding_all(&self, size: (u32, u32)) -> View {
        let backwards = TOWARDS_EYE.normalize();
        let focal = focal(ANGLE, size);
        let (half_width, half_height) = (0.5 * size.0 as f32 / focal, 0.5 * size.1 as f32 / focal);
        let right = Vec3::Y.cross(backwards).normalize();
        let up = backwards.cross(right);

        let distance = corners((self.low, self.high), &Placement::ORIGIN)
            .map(|corner| {
                let d = corner - self.center();
                let across = (d.dot(right).abs() / half_width).max(d.dot(up).abs() / half_height);
                across * MARGIN + d.dot(backwards)
            })
            .into_iter()
            .fold(0.01, f32::max);
        View::new(self.center() + backwards * distance, -backwards, Lens::Perspective(focal), size)
    }
}

fn from_camera(camera: &Camera, size: (u32, u32)) -> View {
    let (eye, target) = (Vec3::from(camera.at), Vec3::from(camera.look_at));
    View::new(eye, target - eye, Lens::Perspective(focal(camera.angle, size)), size)
}

/// Pixels for a tangent of 1, from the vertical angle of view [°].
fn focal(angle: f32, size: (u32, u32)) -> f32 {
    0.5 * size.1 as f32 / (0.5 * angle.clamp(1.0, 150.0).to_radians()).tan()
}
