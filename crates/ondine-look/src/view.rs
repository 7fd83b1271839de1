//! Where a picture is taken from: points to pixels, and pixels to rays.

use glam::Vec3;
use ondine::scene::Placement;

/// Nothing nearer to the eye than this is drawn [m].
const NEAR: f32 = 1e-3;

/// A point of view with a picture size.
#[derive(Clone, Copy, Debug)]
pub struct View {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    lens: Lens,
    size: (usize, usize),
}

/// How distance changes size.
#[derive(Clone, Copy, Debug)]
pub enum Lens {
    /// Far things are small; pixels for a tangent of 1.
    Perspective(f32),
    /// Far things are as large as near ones; pixels per metre.
    Parallel(f32),
}

/// Where a point appears.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Pixels from the left.
    pub x: f32,
    /// Pixels from the top.
    pub y: f32,
    /// Distance along the line of sight [m].
    pub depth: f32,
    /// Pixels per metre at that depth.
    pub scale: f32,
}

/// A line of sight. The direction is as long as one metre of depth, so that the parameter of a hit is its depth.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Where it starts.
    pub from: Vec3,
    /// Where it goes.
    pub direction: Vec3,
}

impl Ray {
    /// The point at a depth.
    pub fn at(&self, depth: f32) -> Vec3 {
        self.from + self.direction * depth
    }
}

impl View {
    /// A view from `eye` along `forward`, upright. Straight up and straight down are fine.
    pub fn new(eye: Vec3, forward: Vec3, lens: Lens, size: (u32, u32)) -> Self {
        let forward = forward.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let up = right.cross(forward);
        Self { eye, right, up, forward, lens, size: (size.0 as usize, size.1 as usize) }
    }

    /// Width and height [pixels].
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Where it is seen from.
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// The line of sight.
    pub fn forward(&self) -> Vec3 {
        self.forward
    }

    /// To the right in the picture.
    pub fn right(&self) -> Vec3 {
        self.right
    }

    /// The same view in a frame that stands elsewhere: the picture of things as that frame has them.
    pub fn seen_from(&self, placement: &Placement) -> Self {
        let turn = placement.rotation.inverse();
        Self {
            eye: placement.to_local(self.eye),
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
        let d = p - self.eye;
        Vec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward))
    }

    /// Where a point appears, unless it is behind the eye or nowhere.
    pub fn project(&self, p: Vec3) -> Option<Spot> {
        let local = self.local(p);
        let scale = match self.lens {
            Lens::Perspective(focal) if local.z > NEAR => focal / local.z,
            Lens::Perspective(_) => return None,
            Lens::Parallel(scale) => scale,
        };
        let x = 0.5 * self.size.0 as f32 + local.x * scale;
        let y = 0.5 * self.size.1 as f32 - local.y * scale;
        (x.is_finite() && y.is_finite()).then_some(Spot { x, y, depth: local.z, scale })
    }

    /// The line of sight through a place of the picture.
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let (u, v) = (x - 0.5 * self.size.0 as f32, 0.5 * self.size.1 as f32 - y);
        let aside = self.right * u + self.up * v;
        match self.lens {
            Lens::Perspective(focal) => {
                Ray { from: self.eye, direction: self.forward + aside * focal.recip() }
            }
            Lens::Parallel(scale) => Ray { from: self.eye + aside * scale.recip(), direction: self.forward },
        }
    }

    /// Pixels per metre at a depth.
    pub fn scale_at(&self, depth: f32) -> f32 {
        match self.lens {
            Lens::Perspective(focal) => focal / depth,
            Lens::Parallel(scale) => scale,
        }
    }

    /// The part of a segment in front of the eye.
    pub fn clip(&self, a: Vec3, b: Vec3) -> Option<(Vec3, Vec3)> {
        if matches!(self.lens, Lens::Parallel(_)) {
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
        for lens in [Lens::Perspective(300.0), Lens::Parallel(120.0)] {
            let view = View::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, -1.5, -3.0), lens, (640, 360));
            let p = Vec3::new(0.1, 0.4, -0.2);
            let spot = view.project(p).expect("in front of the eye");
            assert!(view.ray(spot.x, spot.y).at(spot.depth).distance(p) < 1e-4);
        }
    }

    #[test]
    fn points_behind_the_eye_are_not_seen() {
        let view = View::new(Vec3::ZERO, Vec3::NEG_Z, Lens::Perspective(300.0), (64, 64));
        assert!(view.project(Vec3::Z).is_none());
        assert!(view.project(Vec3::NAN).is_none());
    }

    #[test]
    fn a_segment_through_the_eye_plane_is_cut_there() {
        let view = View::new(Vec3::ZERO, Vec3::NEG_Z, Lens::Perspective(300.0), (64, 64));
        let (a, b) = view.clip(Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0)).expect("half in front");
        assert_eq!(a.z, -1.0);
        assert!(b.z < 0.0 && b.z > -0.01);
    }
}
