//! Particles that stick to objects: they go with them, as long as they live.

use super::events::Event;
use crate::objects::Collider;
use crate::particles::Axes;
use crate::scene::ChildEvent;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// One that sticks from now on.
pub struct Stuck {
    /// Its place among those that fly.
    pub particle: u32,
    /// The number of the object.
    pub object: u32,
    /// Where, in the frame of the object [m].
    pub local: Vec3,
}

/// All that stick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Where they are in the frames of their objects [m].
    local: Axes,
    /// The numbers of the objects.
    object: Vec<u32>,
    /// Where they are [m].
    pub position: Axes,
    /// When they were born [s].
    pub birth: Vec<f32>,
    /// When they die [s].
    pub death: Vec<f32>,
    /// What they are called.
    pub id: Vec<u32>,
    /// How many stuck in this step.
    #[serde(skip)]
    pub newest: u32,
}

impl Settled {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds one, with the times of its birth and death [s].
    pub fn push(&mut self, stuck: Stuck, [birth, death]: [f32; 2], id: u32) {
        self.local.push(stuck.local);
        self.object.push(stuck.object);
        self.position.push(stuck.local);
        self.birth.push(birth);
        self.death.push(death);
        self.id.push(id);
        self.newest += 1;
    }

    /// They go with their objects to the end of a step; who dies by then, or whose object is gone, is taken out. Returns what
    /// happened to those.
    pub fn follow(&mut self, colliders: &[Collider], end: f64) -> Vec<Event> {
        let (mut kept, mut gone) = (0, Vec::new());
        for i in 0..self.len() {
            let object = colliders.iter().find(|c| c.object == Some(self.object[i]));
            let Some(object) = object.filter(|_| self.death[i] as f64 > end) else {
                let time = end.min(self.death[i] as f64);
                let at = self.position.get(i);
                gone.push(Event { what: ChildEvent::Death, child: 0, time, at, velocity: Vec3::ZERO });
                continue;
            };
            let local = self.local.get(i);
            self.local.set(kept, local);
            self.position.set(kept, object.placement.to_world(local));
            (self.object[kept], self.birth[kept], self.death[kept], self.id[kept]) =
                (self.object[i], self.birth[i], self.death[i], self.id[i]);
            kept += 1;
        }
        [&mut self.local, &mut self.position].into_iter().for_each(|axes| axes.each(|a, _| a.truncate(kept)));
        [&mut self.birth, &mut self.death].into_iter().for_each(|a| a.truncate(kept));
        [&mut self.object, &mut self.id].into_iter().for_each(|a| a.truncate(kept));
        gone
    }

    /// Whether all arrays have the same length, and all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let count = self.len();
        let axes = [&self.local, &self.position].into_iter().flat_map(|a| [&a.x, &a.y, &a.z]);
        let mut numbers = axes.chain([&self.birth, &self.death]);
        numbers.all(|a| a.len() == count && a.iter().all(|x| x.is_finite())) && self.object.len() == count
    }
}
