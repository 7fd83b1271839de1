//! Parabolas that bounce, in closed form.
//!
//! Source: text 004, "Trajectoire simple": p(t) = ½ g t² + v0 t + p0, piece by piece, each from an impact to the next. The text asks when
//! an impact is and how fast a ball is after it: of a plane n·p = d that a ball of radius r meets, h + w t + ½ a t² = 0 with
//! h = n·p0 − d − r, w = n·v0, a = n·g; of both roots the one at which it closes in, at the speed s = √(w² − 2 a h). After it
//! the normal part of the velocity is −β times what it was, and the rest is less by the friction.
//!
//! A piece follows from the one before and nothing else, so that where a particle is depends on the time alone, not on steps.
//! Pieces become ever shorter and come to an end: when one would lift off slower than `REST`, it stays on the plane.

use crate::objects::Collider;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Speed of a rebound that is none any more [m/s].
const REST: f64 = 1e-3;
/// Values of a course's `on`: it flies, it is held, it slides on plane number n − 2.
pub const FLIES: u32 = 0;
pub const HELD: u32 = 1;
const SLIDES: u32 = 2;

/// What pieces depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// Gravity as they feel it [m/s²].
    pub gravity: DVec3,
    /// The planes that they bounce off: normals, and n·p at a distance of their radius [m].
    pub planes: Vec<(DVec3, f64)>,
    /// Their radius [m].
    pub radius: f64,
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where it begins [m].
    pub start: DVec3,
    /// How fast [m/s].
    pub go: DVec3,
    /// Whether it flies, is held or slides.
    pub on: u32,
}

/// How planes give back what meets them.
#[derive(Clone, Copy, Debug)]
pub struct Bounce {
    /// β: what is left of the normal speed.
    pub restitution: f64,
    /// What is lost of the rest.
    pub friction: f64,
    /// Whether it stays where it is instead.
    pub sticks: bool,
}

impl Law {
    /// Under a gravity, among the half-spaces that stand still, for particles of a radius.
    pub fn new(gravity: DVec3, colliders: &[Collider], radius: Option<f32>) -> Self {
        let plane = |c: &Collider| {
            let normal = c.sdf().plane().filter(|_| c.is_still() && c.object.is_some())?;
            let normal = c.placement.to_world_direction(normal).as_dvec3().normalize();
            Some((normal, normal.dot(c.placement.at.as_dvec3()) + radius? as f64))
        };
        let planes = colliders.iter().filter_map(plane).collect();
        Self { gravity, planes, radius: radius.unwrap_or(0.0) as f64 }
    }

    /// What accelerates a piece [m/s²].
    fn acceleration(&self, on: u32) -> DVec3 {
        match on {
            FLIES => self.gravity,
            HELD => DVec3::ZERO,
            n => {
                let normal = self.planes.get((n - SLIDES) as usize).map_or(DVec3::ZERO, |plane| plane.0);
                self.gravity - self.gravity.dot(normal) * normal
            }
        }
    }

    /// Where it is on a piece, and how fast, so long after its start [s].
    pub fn at(&self, piece: &Piece, t: f64) -> (DVec3, DVec3) {
        let a = self.acceleration(piece.on);
        (piece.start + t * piece.go + 0.5 * t * t * a, piece.go + t * a)
    }

    /// When a piece ends by an impact, after its start [s], and on which plane.
    pub fn impact(&self, piece: &Piece) -> Option<(f64, usize)> {
        if piece.on == HELD {
            return None;
        }
        let a = self.acceleration(piece.on);
        let meets = |(n, (normal, d)): (usize, &(DVec3, f64))| {
            if piece.on == SLIDES + n as u32 {
                return None;
            }
            let (h, w, a) = (normal.dot(piece.start) - d, normal.dot(piece.go), normal.dot(a));
            // What is behind a plane stays there.
            let is_behind = h < -self.radius - 1e-5;
            if is_behind { None } else { Some((impact(h, w, a)?, n)) }
        };
        self.planes.iter().enumerate().filter_map(meets).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The piece that follows an impact on a plane.
    pub fn bounced(&self, piece: &Piece, t: f64, plane: usize, bounce: Bounce) -> Piece {
        let (start, go) = self.at(piece, t);
        let (normal, d) = self.planes[plane];
        // On the plane, as far as numbers go.
        let start = start - (normal.dot(start) - d) * normal;
        let w = normal.dot(go);
        let along = (1.0 - bounce.friction) * (go - w * normal);
        let back = -bounce.restitution * w;
        let presses = normal.dot(self.gravity) < 0.0;
        match presses && back < REST {
            _ if bounce.sticks => Piece { start, go: DVec3::ZERO, on: HELD },
            true if bounce.friction > 0.0 => Piece { start, go: DVec3::ZERO, on: HELD },
            true => Piece { start, go: along, on: SLIDES + plane as u32 },
            false => Piece { start, go: along + back * normal, on: FLIES },
        }
    }
}

/// When h + w t + ½ a t² = 0 while it falls, if ever. What begins nearer than its radius and never gets away meets the plane when it falls.
fn impact(h: f64, w: f64, a: f64) -> Option<f64> {
    let square = w * w - 2.0 * a * h;
    if square < 0.0 {
        return (a < 0.0 && h < 0.0).then(|| (-w / a).max(0.0));
    }
    let s = square.sqrt();
    // The same root twice: the first form loses no digits where it falls, the second where it rises.
    let t = if w < 0.0 {
        2.0 * h.max(0.0) / (s - w)
    } else if a < 0.0 {
        -(w + s) / a
    } else {
        return None;
    };
    t.is_finite().then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(planes: Vec<(DVec3, f64)>) -> Law {
        Law { gravity: DVec3::NEG_Y * 9.81, planes, radius: 0.1 }
    }

    /// A ball from a height of 1 m that keeps 0.8 of its speed: the instants of its impacts, and of its rest.
    #[test]
    fn a_ball_bounces_when_it_should() {
        let law = law(vec![(DVec3::Y, 0.0)]);
        let bounce = Bounce { restitution: 0.8, friction: 0.1, sticks: false };
        let mut piece = Piece { start: DVec3::Y, go: DVec3::ZERO, on: FLIES };
        let (mut time, mut impacts) = (0.0, Vec::new());
        while let Some((t, plane)) = law.impact(&piece) {
            time += t;
            impacts.push(time);
            piece = law.bounced(&piece, t, plane, bounce);
        }
        for (seen, known) in impacts.iter().zip([0.4515236, 1.1739615, 1.7519117]) {
            assert!((seen - known).abs() < 1e-7, "{seen}");
        }
        assert!((time - 4.0637).abs() < 2e-3 && piece.on == HELD, "{time}");
    }

    /// A ball of 0.1 m from 1 m at (2, 5) m/s.
    #[test]
    fn a_thrown_ball_lands_where_it_should() {
        let law = law(vec![(DVec3::Y, 0.1)]);
        let piece = Piece { start: DVec3::Y, go: DVec3::new(2.0, 5.0, 0.0), on: FLIES };
        let (t, _) = law.impact(&piece).expect("it falls");
        let (at, velocity) = law.at(&piece, t);
        assert!((t - 1.1754648).abs() < 1e-7, "{t}");
        assert!((velocity.y + 6.5313092).abs() < 1e-6 && (at.x - 2.3509295).abs() < 1e-6, "{at} {velocity}");
    }

    /// What rubs nothing slides down an incline at g sin θ, and meets the wall at its foot.
    #[test]
    fn what_rests_on_an_incline_slides() {
        let (sin, cos) = 0.3f64.sin_cos();
        let law = law(vec![(DVec3::new(sin, cos, 0.0), 0.0), (DVec3::NEG_X, -2.0)]);
        let bounce = Bounce { restitution: 0.0, friction: 0.0, sticks: false };
        let start = DVec3::new(0.0, 0.5, 0.0);
        let fallen = law.impact(&Piece { start, go: DVec3::ZERO, on: FLIES }).expect("it falls");
        let slides = Piece {
            go: DVec3::ZERO,
            ..law.bounced(&Piece { start, go: DVec3::ZERO, on: FLIES }, fallen.0, fallen.1, bounce)
        };
        let (at, velocity) = law.at(&slides, 0.1);
        assert!((velocity.length() - 9.81 * sin * 0.1).abs() < 1e-9, "{velocity}");
        assert!((at.x * sin + at.y * cos).abs() < 1e-9, "{at}");
        let (t, plane) = law.impact(&slides).expect("there is a wall");
        assert_eq!(plane, 1);
        assert!((law.at(&slides, t).0.x - 2.0).abs() < 1e-9);
    }
}
