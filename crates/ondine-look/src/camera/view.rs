//! A camera with a picture size: points to pixels, and pixels to rays.

use glam::Vec3;
use ondine::scene::Placement;

/// Nothing nearer to the camera than this is drawn [m].
const NEAR: f32 = 1e-3;

/// A camera with a picture size.
#[derive(Clone, Copy, Debug)]
pub struct View {
    position: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    projection: Projection,
    size: (usize, usize),
}

/// How distance changes size.
#[derive(Clone, Copy, Debug)]
pub enum Projection {
    /// Far things are small; pixels for a tangent of 1.
    Perspective(f32),
    /// Far things are as large as near ones; pixels per metre.
    Orthographic(f32),
}

/// A point as the picture has it.
#[derive(Clone, Copy, Debug)]
pub struct ScreenPoint {
    /// Pixels from the left.
    pub x: f32,
    /// Pixels from the top.
    pub y: f32,
    /// Distance along the line of sight [m].
    pub depth: f32,
    /// Pixels per metre at that depth.
    pub scale: f32,
}

/// A ray through a pixel. Its direction is as long as one metre of depth, so that the parameter of a hit is its depth.
#[derive(Clone, Copy, Debug)]
pub struct ViewRay {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes.
    pub direction: Vec3,
}

impl ViewRay {
    /// The point at a depth.
    pub fn at(&self, depth: f32) -> Vec3 {
        self.origin + self.direction * depth
    }
}

impl View {
    /// A view from a position along `forward`, upright. Straight up and straight down are fine.
    pub fn new(position: Vec3, forward: Vec3, projection: Projection, size: (u32, u32)) -> Self {
        let forward = forward.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let up = right.cross(forward);
        Self { position, right, up, forward, projection, size: (size.0 as usize, size.1 as usize) }
    }

    /// Width and height [pixels].
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Where the camera is.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// Where the camera looks.
    pub fn forward(&self) -> Vec3 {
        self.forward
    }

    /// To the right in the picture.
    pub fn right(&self) -> Vec3 {
        self.right
    }

    /// Up in the picture.
    pub fn up(&self) -> Vec3 {
        self.up
    }

    /// The same view in a frame that stands elsewhere: the picture of things as that frame has them.
    pub fn seen_from(&self, placement: &Placement) -> Self {
        let turn = placement.rotation.inverse();
        Self {
            position: placement.to_local(self.position),
            right: turn * self.right,
            up: turn * self.up,
            forward: turn * self.forward,
            ..*self
        }
    }

    /// Distance of a point along the line of sight [m].
    pub fn depth(&self, p: Vec3) -> f32 {
        self.local(p).z
    }

    /// A point in the view's own axes: right, up, and depth.
    fn local(&self, p: Vec3) -> Vec3 {
        let d = p - self.position;
        Vec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward))
    }

    /// Where a point appears, unless it is behind the camera or nowhere.
    pub fn project(&self, p: Vec3) -> Option<ScreenPoint> {
        let local = self.local(p);
        let scale = match self.projection {
            Projection::Perspective(focal) if local.z > NEAR => focal / local.z,
            Projection::Perspective(_) => return None,
            Projection::Orthographic(scale) => scale,
        };
        let x = 0.5 * self.size.0 as f32 + local.x * scale;
        let y = 0.5 * self.size.1 as f32 - local.y * scale;
        (x.is_finite() && y.is_finite()).then_some(ScreenPoint { x, y, depth: local.z, scale })
    }

    /// The ray through a place of the picture.
    pub fn ray(&self, x: f32, y: f32) -> ViewRay {
        let (u, v) = (x - 0.5 * self.size.0 as f32, 0.5 * self.size.1 as f32 - y);
        let aside = self.right * u + self.up * v;
        match self.projection {
            Projection::Perspective(focal) => {
                ViewRay { origin: self.position, direction: self.forward + aside * focal.recip() }
            }
            Projection::Orthographic(scale) => {
                ViewRay { origin: self.position + aside * scale.recip(), direction: self.forward }
            }
        }
    }

    /// Pixels per metre at a depth.
    pub fn scale_at(&self, depth: f32) -> f32 {
        match self.projection {
            Projection::Perspective(focal) => focal / depth,
            Projection::Orthographic(scale) => scale,
        }
    }

    /// The part of a segment in front of the camera.
    pub fn clip(&self, a: Vec3, b: Vec3) -> Option<(Vec3, Vec3)> {
        if matches!(self.projection, Projection::Orthographic(_)) {
            return Some((a, b));
        }
        let near = 2.0 * NEAR;
        let (za, zb) = (self.local(a).z, self.local(b).z);
        match (za > near, zb > near) {
            (true, true) => Some((a, b)),
            (false, false) => None,
            (front, _) => {
                let crossing = a.lerp(b, (near - za) / (zb - za));
                Some(if front { (a, crossing) } else { (crossing, b) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_passes_through_the_point_that_its_pixel_shows() {
        for projection in [Projection::Perspective(300.0), Projection::Orthographic(120.0)] {
            let view =
                View::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, -1.5, -3.0), projection, (640, 360));
            let p = Vec3::new(0.1, 0.4, -0.2);
            let point = view.project(p).expect("in front of the camera");
            assert!(view.ray(point.x, point.y).at(point.depth).distance(p) < 1e-4);
        }
    }

    #[test]
    fn points_behind_the_camera_are_not_seen() {
        let view = View::new(Vec3::ZERO, Vec3::NEG_Z, Projection::Perspective(300.0), (64, 64));
        assert!(view.project(Vec3::Z).is_none());
        assert!(view.project(Vec3::NAN).is_none());
    }

    #[test]
    fn a_segment_through_the_camera_plane_is_cut_there() {
        let view = View::new(Vec3::ZERO, Vec3::NEG_Z, Projection::Perspective(300.0), (64, 64));
        let (a, b) = view.clip(Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0)).expect("half in front");
        assert_eq!(a.z, -1.0);
        assert!(b.z < 0.0 && b.z > -0.01);
    }
}
