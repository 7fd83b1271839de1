//! Emitters whose liquid has no room to come out.

use super::{Part, colliders};
use crate::liquid::sources;
use crate::objects::Collider;
use crate::scene::checks::Addresses;
use crate::scene::{Emitter, EmitterShape, Fault, Scene};
use glam::Vec3;

/// Emitters beyond this many are not looked at: each is compared with each.
const MOST_MOUTHS: usize = 100;
/// Points looked at across a nozzle, one way.
const ACROSS: f32 = 16.0;

/// A nozzle, and points spread over it.
struct Nozzle<'a> {
    path: String,
    emitter: &'a Emitter,
    width: f32,
    spacing: f32,
    /// Distance between the points.
    apart: f32,
    points: Vec<Vec3>,
}

/// Everything about emitters.
pub fn check(scene: &Scene, addresses: &Addresses, parts: &[Part], found: &mut Vec<Fault>) {
    let (nozzles, objects) = (Nozzle::all(scene, addresses), colliders(scene, addresses));
    for (i, nozzle) in nozzles.iter().enumerate() {
        nozzle.check_width(found);
        nozzle.check_fills(parts, scene, found);
        nozzle.check_objects(&objects, found);
        nozzle.check_drains(scene, addresses, found);
        nozzle.check_kill_box(scene, found);
        nozzles[..i].iter().for_each(|other| nozzle.check_other(other, found));
    }
}

impl<'a> Nozzle<'a> {
    fn all(scene: &'a Scene, addresses: &Addresses) -> Vec<Nozzle<'a>> {
        let emitters = scene.liquid.iter().zip(&addresses.liquid).flat_map(|(liquid, address)| {
            let path = move |i| format!("{address}.emitter.{i}");
            liquid.emitter.iter().enumerate().map(move |(i, e)| (path(i), e, liquid.spacing))
        });
        let nozzle = |(path, emitter, spacing)| Self::new(path, emitter, spacing, scene.planar());
        emitters.take(MOST_MOUTHS).map(nozzle).collect()
    }

    fn new(path: String, emitter: &'a Emitter, spacing: f32, planar: bool) -> Self {
        let (narrow, wide) = match emitter.shape {
            EmitterShape::Disc => (2.0 * emitter.radius, 2.0 * emitter.radius),
            EmitterShape::Rectangle if planar => (emitter.size[0], emitter.size[0]),
            EmitterShape::Rectangle => {
                let [a, b] = emitter.size;
                (a.min(b), a.max(b))
            }
        };
        let apart = spacing.max(wide / ACROSS);
        let at = Vec3::from(emitter.at);
        let points = sources::nozzle(emitter, apart, planar).into_iter().map(|p| at + p).collect();
        Self { path, emitter, width: narrow, spacing, apart, points }
    }

    fn warn(&self, reason: String, remedy: &str, found: &mut Vec<Fault>) {
        found.push(Fault::warning(&self.path, reason, remedy));
    }

    fn share(&self, holds: impl Fn(Vec3) -> bool) -> f32 {
        self.points.iter().filter(|p| holds(**p)).count() as f32 / self.points.len().max(1) as f32
    }

    /// Whether it is open at some time between these.
    fn is_open(&self, start: f32, stop: Option<f32>) -> bool {
        self.emitter.start < stop.unwrap_or(f32::INFINITY)
            && start < self.emitter.stop.unwrap_or(f32::INFINITY)
    }

    fn check_width(&self, found: &mut Vec<Fault>) {
        // Lengths are given in decimals: a hair less than a spacing is a spacing.
        if self.width < 0.999 * self.spacing {
            let Self { width, spacing, .. } = self;
            let reason = format!(
                "its nozzle is {width} m wide, less than one spacing of {spacing} m: it lets out more than its size says"
            );
            self.warn(
                reason,
                &format!("make the nozzle at least {spacing} m wide, or the spacing smaller"),
                found,
            );
        }
    }

    fn check_fills(&self, parts: &[Part], scene: &Scene, found: &mut Vec<Fault>) {
        // Later, the fill will have gone its way.
        if self.emitter.start >= 1.0 / scene.fps {
            return;
        }
        for part in parts {
            if self.share(|p| part.room.distance(p) < 0.0) > 0.1 {
                let reason =
                    format!("its nozzle is inside {}: two particles would stand in one place", part.path);
                self.warn(reason, "move the nozzle out of the fill, or let it start later", found);
            }
        }
    }

    fn check_objects(&self, objects: &[(&str, Collider)], found: &mut Vec<Fault>) {
        for (address, collider) in objects {
            if self.share(|p| collider.distance(p) < 0.0) > 0.1 {
                let reason =
                    format!("its nozzle is inside {address}: what comes out is thrown to the surface");
                self.warn(reason, &format!("move the nozzle out of {address}"), found);
            }
        }
    }

    fn check_drains(&self, scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
        for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
            let collider = Collider::of(&drain.shape, drain.placement(), scene);
            if self.is_open(drain.start, drain.stop) && self.share(|p| collider.distance(p) < 0.0) == 1.0 {
                let reason =
                    format!("its nozzle is wholly inside {address}, which swallows what comes out at once");
                self.warn(reason, &format!("move the nozzle out of {address}"), found);
            }
        }
    }

    fn check_kill_box(&self, scene: &Scene, found: &mut Vec<Fault>) {
        let Some(bounds) = &scene.kill_box else { return };
        let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
        if self.share(|p| p.cmplt(min).any() || p.cmpgt(max).any()) > 0.1 {
            let reason = "its nozzle is outside the kill box: what comes out vanishes at once".to_string();
            self.warn(reason, "widen kill_box, or move the nozzle into it", found);
        }
    }

    fn check_other(&self, other: &Nozzle, found: &mut Vec<Fault>) {
        let reach = 0.5 * (self.apart * ACROSS + other.apart * ACROSS) * std::f32::consts::SQRT_2;
        let between = Vec3::from(self.emitter.at).distance(Vec3::from(other.emitter.at));
        if between > reach + self.spacing || !self.is_open(other.emitter.start, other.emitter.stop) {
            return;
        }
        // The other's points are corners of squares: wherever a point lies among them, one is this near.
        let near = |p: Vec3| other.points.iter().any(|q| p.distance(*q) < 0.75 * other.apart);
        if self.share(near) > 0.1 {
            let reason =
                format!("its nozzle overlaps that of {}: two particles would stand in one place", other.path);
            self.warn(reason, "move the nozzles apart, or open them at different times", found);
        }
    }
}
