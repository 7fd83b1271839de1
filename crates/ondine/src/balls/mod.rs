//! Rigid balls (004, "Animation rigide de sphères").
//!
//! | what | file |
//! |---|---|
//! | one ball | `ball`, and `mover` during a step |
//! | all of them, and one step of it | `pile` |
//! | who touches whom | `contact` |
//! | impulses that bounce, press and rub | `solver` |
//! | the impulses of the last step | `memory` |
//! | free objects that they push | `partner` |
//! | the source's scheme, pair after pair | `pairwise` |
//! | where they come from and where they go | `sources`, `room` |
//! | balls among the points of other systems | `wet` |
//! | what edits do to them | `edits` |
//! | arrays of them that can be borrowed | `shown` |
//! | what the world knows of all that | `system` |

mod ball;
mod contact;
mod edits;
mod memory;
mod mover;
mod pairwise;
mod partner;
mod pile;
mod room;
mod shown;
mod solver;
pub(crate) mod sources;
mod system;
#[cfg(test)]
mod tests;
mod wet;

use crate::objects::Collider;
use crate::scene::{self, Scene};
use ball::Ball;
use contact::ContactCoefficients;
use glam::Vec3;
use pile::Pile;
pub(crate) use room::Room;
use serde::{Deserialize, Serialize};
use shown::Shown;
use sources::Among;
use wet::Wet;

/// All balls of a scene.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Balls {
    /// The kinds of balls, in the order of the scene.
    sets: Vec<Set>,
    pile: Pile,
    /// The id that the next one gets.
    next_id: u32,
    /// Those among points of other systems, in order of id.
    wet: Vec<Wet>,
    /// What gravity gives in the step that they have gone ahead by [m/s].
    #[serde(skip)]
    gone_ahead: Vec3,
}

/// The balls of one description.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Set {
    /// What the scene says of them, with the values that they have by now.
    description: scene::Balls,
    /// How many each emitter should have let go so far.
    let_go: Vec<f64>,
    emitted: u64,
    removed: u64,
    /// What can be borrowed of them.
    #[serde(skip)]
    shown: Shown,
}

impl Balls {
    /// The balls of a scene at the start, around the objects that are there.
    pub fn new(scene: &Scene, colliders: &[Collider]) -> Self {
        let set = |description: &scene::Balls| Set {
            let_go: vec![0.0; description.emitter.len()],
            description: description.clone(),
            emitted: 0,
            removed: 0,
            shown: Shown::default(),
        };
        let mut balls = Self { sets: scene.balls.iter().map(set).collect(), ..Self::default() };
        let widest =
            scene.balls.iter().flat_map(|b| b.ball.iter().filter_map(|b| b.radius).chain([b.radius]));
        let mut room = Room::new(widest.fold(0.0, f32::max));
        for n in 0..balls.sets.len() {
            balls.place_single(n, scene.planar(), &mut room);
        }
        let mut among = Among { scene, colliders, room: &mut room };
        for (n, description) in scene.balls.iter().enumerate() {
            for (k, fill) in description.fill.iter().enumerate() {
                let words = [scene.seed, n as u32, 1000 + k as u32];
                balls.fill(n, fill, words, 0.0, &mut among);
            }
        }
        balls.lay_out();
        balls
    }

    /// How each set rubs, bounces and rolls.
    fn surfaces(&self) -> Vec<ContactCoefficients> {
        let surface = |set: &Set| {
            let scene::Balls { friction, restitution, rolling, .. } = set.description;
            ContactCoefficients { friction, restitution, rolling }
        };
        self.sets.iter().map(surface).collect()
    }

    /// The balls of a set, in order of id.
    fn of_set(&self, n: usize) -> Vec<&Ball> {
        let mut own: Vec<&Ball> = self.pile.balls.iter().filter(|b| b.set as usize == n).collect();
        own.sort_unstable_by_key(|ball| ball.id);
        own
    }
}
