//! Effects that forces move, step by step.

use super::Effect;
use super::air::Air;
use super::events::Event;
use crate::integrate::Moving;
use crate::step::Step;
use std::ops::Range;

impl Effect {
    /// Goes through a span of time, of those from number `newborn` on from their birth.
    pub(super) fn be_moved(&mut self, span: Range<f64>, newborn: usize, step: &Step) -> Vec<Event> {
        let air = Air::new(self, step.gravity, step.planar);
        let mut dead = Vec::new();
        for i in 0..self.swarm.len() {
            let from = if i >= newborn { self.swarm.birth[i] as f64 } else { span.start };
            let start = Moving {
                at: self.swarm.position.get(i).as_dvec3(),
                velocity: self.swarm.velocity.get(i).as_dvec3(),
            };
            let moved = air.step(start, from, (span.end - from).max(0.0));
            self.swarm.position.set(i, moved.at.as_vec3());
            self.swarm.velocity.set(i, moved.velocity.as_vec3());
            if self.swarm.death[i] as f64 <= span.end {
                dead.push(i as u32);
            }
        }
        self.removed += dead.len() as u64;
        self.swarm.take_out(&dead);
        Vec::new()
    }
}
