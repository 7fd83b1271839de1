//! The surface of another system, as effects meet it: its points, in cells.
//!
//! Points are those of the start of the frame. A liquid is met as soon as one of its points is near, balls where they are.

use crate::system::SystemKind;
use crate::world::SystemView;
use glam::{IVec3, Vec3};

/// Radius within which a point of a liquid stands for it, over that of a particle: no gap between four in a square.
const SWELL: f32 = 1.45;
/// Most looks along a way.
const LOOKS: usize = 64;

/// The points of a member of a system.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// Radius of a point [m].
    radius: f32,
    low: Vec3,
    high: Vec3,
    /// The points in order of their cells, each as wide as two radii.
    points: Vec<([i32; 3], Vec3)>,
}

impl Crowd {
    /// Of what can be borrowed of a member.
    pub fn of(view: &SystemView) -> Self {
        let radius = view.radius * if view.kind == SystemKind::Liquid { SWELL } else { 1.0 };
        let all = view.position.iter().map(Vec3::from).filter(|p| p.is_finite());
        let mut points: Vec<_> = all.map(|p| (cell(p, radius).to_array(), p)).collect();
        // In the order of a cell they stand as they did: ids would do no better.
        points.sort_by_key(|(cell, _)| *cell);
        let low = points.iter().fold(Vec3::MAX, |low, (_, p)| low.min(*p));
        let high = points.iter().fold(Vec3::MIN, |high, (_, p)| high.max(*p));
        Self { radius, low, high, points }
    }

    /// Corners of a box around all that is met from so far [m].
    pub fn bounds(&self, reach: f32) -> (Vec3, Vec3) {
        (self.low - self.radius - reach, self.high + self.radius + reach)
    }

    /// Where on a way a particle of a radius first meets it: the share of the way, the place, and the way out there. What begins in it meets nothing.
    pub fn hit(&self, from: Vec3, to: Vec3, radius: f32) -> Option<(f64, Vec3, Vec3)> {
        if self.points.is_empty() || self.out(from, radius).is_some() {
            return None;
        }
        let looks = ((from.distance(to) / (0.5 * self.radius)).ceil() as usize).clamp(1, LOOKS);
        for look in 1..=looks {
            let share = look as f32 / looks as f32;
            let at = from.lerp(to, share);
            if let Some(out) = self.out(at, radius) {
                // Outside again, where the last look was.
                let before = (look - 1) as f32 / looks as f32;
                return Some((before as f64, from.lerp(to, before), out));
            }
        }
        None
    }

    /// The way out of it, from a point that is in it: away from the points around.
    fn out(&self, p: Vec3, radius: f32) -> Option<Vec3> {
        let reach = self.radius + radius.min(self.radius);
        let centre = cell(p, self.radius);
        let mut out = Vec3::ZERO;
        let mut is_in = false;
        for k in 0..27 {
            let near = (centre + IVec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)).to_array();
            let first = self.points.partition_point(|(cell, _)| *cell < near);
            for (_, q) in self.points[first..].iter().take_while(|(cell, _)| *cell == near) {
                let away = p - *q;
                is_in |= away.length_squared() < reach * reach;
                out += away.normalize_or_zero();
            }
        }
        is_in.then(|| out.normalize_or(Vec3::Y))
    }
}

fn cell(p: Vec3, radius: f32) -> IVec3 {
    (p / (2.0 * radius.max(1e-9))).floor().as_ivec3()
}
