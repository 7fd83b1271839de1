//! The camera of a scene: its own, or one that holds all of it.

use super::extent::{Extent, corners};
use super::view::{Projection, View};
use glam::Vec3;
use ondine::Scene;
use ondine::scene::{AnimatedCamera, Camera, Placement};

/// Vertical angle of view of the camera that is chosen [°].
const ANGLE: f32 = 30.0;

/// From the middle of the scene to the camera that is chosen: from the front, a little from the right, a little above.
const TOWARDS_CAMERA: Vec3 = Vec3::new(0.42, 0.34, 1.0);

/// Room about the scene, as a fraction of the picture.
const MARGIN: f32 = 1.12;

/// Where pictures of a scene are taken from. It depends on the scene alone: only events and tracks of the camera move it.
#[derive(Clone, Debug)]
pub struct Framing {
    /// That of the scene, if it has one.
    camera: Option<AnimatedCamera>,
    planar: bool,
    low: Vec3,
    high: Vec3,
    gravity: Vec3,
}

impl Framing {
    /// The scene's own camera or, without one, a point that holds its fills, emitters and objects.
    pub fn of(scene: &Scene) -> Self {
        let (low, high) = Extent::of(scene).corners().unwrap_or((Vec3::splat(-0.5), Vec3::splat(0.5)));
        let camera = scene.animated_camera();
        Self { camera, planar: scene.planar(), low, high, gravity: scene.gravity.into() }
    }

    /// The scene's own camera at a time [s], if it has one.
    pub fn camera_at(&self, time: f64) -> Option<Camera> {
        self.camera.as_ref().map(|camera| camera.at(time as f32))
    }

    /// The view before anything has moved the camera, of pictures of 16 to 9.
    pub fn start_view(&self) -> View {
        self.view(self.camera.as_ref().map(|camera| camera.start), (16, 9))
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
    pub fn characteristic_speed(&self) -> f32 {
        (2.0 * self.gravity.length() * self.reach()).sqrt().max(0.1)
    }

    /// The view of a picture of a size [pixels] through a camera of the scene, or one that holds all of it.
    pub fn view(&self, camera: Option<Camera>, size: (u32, u32)) -> View {
        match camera {
            _ if self.planar => self.onto_the_plane(size),
            Some(camera) => from_camera(&camera, size),
            None => self.holding_all(size),
        }
    }

    /// The camera that is chosen where a scene has none, for pictures of 16 to 9.
    pub fn automatic_camera(&self) -> Camera {
        let at = self.holding_all((16, 9)).position().into();
        Camera { at, look_at: self.center().into(), angle: ANGLE, ..Camera::default() }
    }

    fn onto_the_plane(&self, size: (u32, u32)) -> View {
        let sides = (self.high - self.low).max(Vec3::splat(1e-3)) * MARGIN;
        let scale = (size.0 as f32 / sides.x).min(size.1 as f32 / sides.y);
        let position = self.center().with_z(1.0 + self.reach());
        View::new(position, Vec3::NEG_Z, Projection::Orthographic(scale), size)
    }

    /// As near as the corners of the scene allow.
    fn holding_all(&self, size: (u32, u32)) -> View {
        let backwards = TOWARDS_CAMERA.normalize();
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
        View::new(self.center() + backwards * distance, -backwards, Projection::Perspective(focal), size)
    }
}

fn from_camera(camera: &Camera, size: (u32, u32)) -> View {
    let (position, target) = (Vec3::from(camera.at), Vec3::from(camera.look_at));
    View::new(position, target - position, Projection::Perspective(focal(camera.angle, size)), size)
}

/// Pixels for a tangent of 1, from the vertical angle of view [°].
fn focal(angle: f32, size: (u32, u32)) -> f32 {
    0.5 * size.1 as f32 / (0.5 * angle.clamp(1.0, 150.0).to_radians()).tan()
}
