//! What edits do to balls: they add where there is room, take balls out by their ids, and kick them.

use super::Balls;
use super::room::Room;
use super::sources::{Among, Birth, own_radius};
use crate::step::Step;
use crate::system::Addition;
use glam::Vec3;

impl Balls {
    fn number(&self, name: &str) -> Option<usize> {
        self.sets.iter().position(|set| set.description.name == name)
    }

    /// Adds to the balls of this name, where neither a ball nor an object is. Returns the kinetic energy that came in [J].
    pub(super) fn put_in(&mut self, name: &str, addition: Addition, step: &Step) -> f64 {
        let Some(n) = self.number(name) else { return 0.0 };
        let given = self.sets[n].description.clone();
        let (first, time, planar) = (self.pile.balls.len(), step.time as f32, step.planar);
        let mut room = Room::new(self.pile.balls.iter().map(|ball| ball.radius).fold(given.radius, f32::max));
        self.pile.balls.iter().for_each(|ball| room.take(ball.at, ball.radius));
        // No source of the scene has these.
        let words = [step.scene.seed, n as u32, u32::MAX - self.next_id];
        match addition {
            Addition::BallFill(fill) => {
                let mut among = Among { scene: step.scene, colliders: step.colliders, room: &mut room };
                self.fill(n, fill, words, time, &mut among);
            }
            Addition::Points { at, velocity } => {
                for (i, at) in at.iter().map(|p| Vec3::from(*p)).enumerate() {
                    let radius = own_radius(&given, [words[0], words[1], words[2], i as u32]);
                    if room.gap(at, radius) >= 0.0 && step.colliders.iter().all(|c| c.distance(at) >= radius)
                    {
                        room.take(at, radius);
                        let (spin, mass) = (Vec3::ZERO, None);
                        self.add(n, Birth { at, velocity, spin, radius, mass, time }, planar);
                    }
                }
            }
            Addition::Fill(_) => (),
        }
        self.pile.balls[first..].iter().map(|ball| ball.energy()).sum()
    }

    /// Takes balls out of those of this name, by their ids in order.
    pub(super) fn take_out(&mut self, name: &str, ids: &[u32]) {
        let Some(n) = self.number(name) else { return };
        let gone = self.pile.remove(|ball| ball.set as usize == n && ids.binary_search(&ball.id).is_ok());
        self.sets[n].removed += gone.len() as u64;
    }

    /// Adds to the velocity of balls of this name [m/s], by their ids in order. Returns the energy that came in [J].
    pub(super) fn strike(&mut self, name: &str, ids: &[u32], velocity: Vec3) -> f64 {
        let Some(n) = self.number(name) else { return 0.0 };
        let struck = |ball: &&mut super::Ball| ball.set as usize == n && ids.binary_search(&ball.id).is_ok();
        let kick = |ball: &mut super::Ball| {
            let before = ball.energy();
            ball.velocity += velocity;
            ball.energy() - before
        };
        self.pile.balls.iter_mut().filter(struck).map(kick).sum()
    }
}
