//! The point of view of a scene: its camera, or one that holds all of it.

use crate::solids::{corners, half_extent};
use crate::view::{Lens, View};
use glam::Vec3;
use ondine::Scene;
use ondine::scene::{Camera, Emitter, EmitterShape, Placement, Shape};

/// Vertical angle of view of the camera that is chosen [°].
const ANGLE: f32 = 30.0;

/// From the middle of the scene to the eye that is chosen: from the front, a little from the right, a little above.
const TOWARDS_EYE: Vec3 = Vec3::new(0.42, 0.34, 1.0);

/// Room about the scene, as a share of the picture.
const MARGIN: f32 = 1.12;

/// Where pictures of a scene are taken from. It depends on the scene alone, so it stands still from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    camera: Option<Camera>,
    planar: bool,
    low: Vec3,
    high: Vec3,
    gravity: Vec3,
}

impl Viewpoint {
    /// The scene's own camera or, without one, a point that holds its fills, emitters and bounded objects.
    pub fn of(scene: &Scene) -> Self {
        let mut extent = Extent::of(scene);
        if !extent.low.cmple(extent.high).all() {
            extent = Extent { low: Vec3::splat(-0.5), high: Vec3::splat(0.5) };
        }
        Self {
            camera: scene.camera,
            planar: scene.planar(),
            low: extent.low,
            high: extent.high,
            gravity: scene.gravity.into(),
        }
    }

    /// The middle of the scene.
    pub(crate) fn center(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Half the diagonal of the scene [m].
    pub(crate) fn reach(&self) -> f32 {
        (0.5 * self.high.distance(self.low)).max(1e-3)
    }

    /// A speed that is brisk in a scene of this size: a free fall through half of it [m/s].
    pub(crate) fn lively_speed(&self) -> f32 {
        (2.0 * self.gravity.length() * self.reach()).sqrt().max(0.1)
    }

    /// Side of a tile of the ground [m]: a round number of which some ten cross the scene.
    pub(crate) fn tile(&self) -> f32 {
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

    pub(crate) fn view(&self, size: (u32, u32)) -> View {
        match self.camera {
            _ if self.planar => self.onto_the_plane(size),
            Some(camera) => from_camera(&camera, size),
            None => self.holding_all(size),
        }
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

        let placement = Placement::new(self.center().to_array(), [0.0; 3]);
        let distance = corners(0.5 * (self.high - self.low), &placement)
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

/// A box that grows about what it is given.
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Extent {
    fn of(scene: &Scene) -> Self {
        let mut extent = Extent { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        for object in &scene.object {
            extent.hold_shape(&object.shape, &object.placement());
        }
        for liquid in &scene.liquid {
            for fill in &liquid.fill {
                extent.hold_shape(&fill.shape, &fill.placement());
                extent.hold_foot(fill.at.into(), scene);
            }
            for emitter in &liquid.emitter {
                extent.hold_jet(emitter, scene);
                extent.hold_foot(emitter.at.into(), scene);
            }
        }
        extent
    }

    fn hold(&mut self, p: Vec3) {
        if p.is_finite() {
            self.low = self.low.min(p);
            self.high = self.high.max(p);
        }
    }

    fn hold_shape(&mut self, shape: &Shape, placement: &Placement) {
        if let Some(half) = half_extent(shape) {
            corners(half, placement).into_iter().for_each(|corner| self.hold(corner));
        }
    }

    /// The mouth of an emitter and the top of its jet, as far as the jet goes up.
    fn hold_jet(&mut self, emitter: &Emitter, scene: &Scene) {
        let mouth = Vec3::from(emitter.at);
        let radius = match emitter.shape {
            EmitterShape::Disc => emitter.radius,
            EmitterShape::Rectangle => 0.5 * emitter.size[0].max(emitter.size[1]),
        };
        self.hold(mouth - radius);
        self.hold(mouth + radius);
        let (velocity, gravity) = (Vec3::from(emitter.velocity), Vec3::from(scene.gravity));
        let rise = -velocity.dot(gravity) / gravity.length_squared();
        if rise > 0.0 {
            self.hold(mouth + velocity * rise + 0.5 * gravity * rise * rise);
            self.hold(mouth + 2.0 * velocity * rise + 2.0 * gravity * rise * rise);
        }
    }

    /// Where a plumb line from a point meets the floor: what is let go there lands here.
    fn hold_foot(&mut self, p: Vec3, scene: &Scene) {
        let gravity = Vec3::from(scene.gravity);
        for object in &scene.object {
            let Shape::HalfSpace { normal } = object.shape else { continue };
            let normal = object.placement().to_world_direction(normal.into());
            let (height, fall) = ((p - Vec3::from(object.at)).dot(normal), gravity.dot(normal));
            if height > 0.0 && fall < -0.5 * gravity.length() * normal.length() {
                self.hold(p - gravity * (height / fall));
            }
        }
    }
}
