//! Impacts: who met whom in the last frame, for whoever plays a sound or counts hits.
//!
//! Not part of the state: they are gathered during a frame, and forgotten as the next begins.

use crate::step::Step;
use glam::Vec3;

/// What takes part in an impact: an object, or a particle of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// The object of this number.
    Object(u32),
    /// The particle of this id in this member of its system.
    Particle {
        /// Which member.
        member: u32,
        /// Its id.
        id: u32,
    },
}

/// Two that had not touched before, and met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Who met.
    pub parties: [Party; 2],
    /// Where [m].
    pub at: Vec3,
    /// From the second to the first, of length 1.
    pub normal: Vec3,
    /// How fast they closed [m/s].
    pub speed: f32,
}

/// The speed from which a meeting is an impact, and no trembling of what rests [m/s]: that of a fall for two steps.
pub fn least_speed(step: &Step) -> f32 {
    2.0 * step.gravity.length() * step.dt
}
