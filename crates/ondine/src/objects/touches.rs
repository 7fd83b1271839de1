//! Where something large touches a shape: every place at once, and where the surface really is.
//!
//! Distances of blends are bounds: above the opening of a tube the solid cylinder that it was cut from is near, and in a corner there are two
//! walls. Particles are small and do not mind. A ball does: so each part of a blend is asked for its nearest point, which counts if it is
//! on the surface of the whole. Where none is, as at edges and rims, rays are sent out all around, and the shortest of them counts, and the
//! shortest of those that go other ways.

use super::{Nearest, Sdf};
use glam::Vec3;

/// How far from the surface a point may be that counts as on it, over the reach.
const ON: f32 = 2e-3;
/// Rays that are sent out, and steps along each.
const RAYS: usize = 128;
const STEPS: usize = 32;
/// Rays that count go ways at least so far apart, by the cosine, and they are no more than so many.
const APART: f32 = 0.6;
const MOST: usize = 4;
/// A ray is turned by so much to find a shorter one [rad], then by half of it, so many times.
const TURN: f32 = 0.2;
const HALVES: usize = 9;

impl Sdf {
    /// Every place nearer than `reach` to an outside point where the surface is nearest around, with its number.
    pub fn touches(&self, p: Vec3, reach: f32, mut each: impl FnMut(u32, Nearest)) {
        let Some(near) = self.nearest_within(p, reach) else { return };
        let Some(parts) = self.parts().filter(|_| near.distance > 0.0) else { return each(0, near) };
        let on = ON * reach;
        let mut any = false;
        for (number, near) in parts.nearest_of_parts(p).enumerate() {
            let foot = p - near.distance * near.normal;
            // What it is inside of has been cut away here.
            if (0.0..reach).contains(&near.distance) && self.measured(foot).distance.abs() < on {
                any = true;
                each(number as u32 + 1, near);
            }
        }
        if !any {
            let rays = Rays { sdf: self, p, reach, on };
            rays.shortest().into_iter().enumerate().for_each(|(n, ray)| each(32 + n as u32, ray));
        }
    }
}

/// Rays from a point to a surface.
struct Rays<'a> {
    sdf: &'a Sdf,
    p: Vec3,
    reach: f32,
    on: f32,
}

impl Rays<'_> {
    /// How far the surface is along a direction [m], if it is within reach.
    fn length(&self, along: Vec3) -> Option<f32> {
        let mut gone = 0.0;
        for _ in 0..STEPS {
            let free = self.sdf.measured(self.p + gone * along).distance;
            if free < self.on {
                return Some(gone);
            }
            gone += free;
            if gone > self.reach {
                return None;
            }
        }
        None
    }

    /// The shortest ones that go different ways.
    fn shortest(&self) -> Vec<Nearest> {
        let planar = self.sdf.is_planar();
        let mut all: Vec<(f32, Vec3)> =
            directions(planar).filter_map(|along| self.length(along).map(|length| (length, along))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut found: Vec<(f32, Vec3)> = Vec::new();
        for ray in all {
            if found.len() < MOST && found.iter().all(|other| other.1.dot(ray.1) < APART) {
                found.push(self.refined(ray, planar));
            }
        }
        let near = |(distance, along): (f32, Vec3)| Nearest::flat(distance, -along);
        found.into_iter().map(near).collect()
    }

    /// A ray turned this way and that to where it is shortest.
    fn refined(&self, mut best: (f32, Vec3), planar: bool) -> (f32, Vec3) {
        let mut turn = TURN;
        for _ in 0..HALVES {
            let (a, b) =
                if planar { (Vec3::Z.cross(best.1), Vec3::ZERO) } else { best.1.any_orthonormal_pair() };
            for way in [a, -a, b, -b] {
                let along = (best.1 + turn * way).normalize_or(best.1);
                if let Some(length) = self.length(along).filter(|length| *length < best.0) {
                    best = (length, along);
                }
            }
            turn *= 0.5;
        }
        best
    }
}

/// Directions all around, evenly (Fibonacci's lattice); in the plane, around z.
fn directions(planar: bool) -> impl Iterator<Item = Vec3> {
    (0..RAYS).map(move |i| {
        let turn = 2.399_963_2 * i as f32;
        let height = if planar { 0.0 } else { 1.0 - (2 * i + 1) as f32 / RAYS as f32 };
        let across = (1.0 - height * height).sqrt();
        Vec3::new(across * libm::cosf(turn), across * libm::sinf(turn), height)
    })
}
