//! Whether a world that was read from somewhere can be gone on with.
//!
//! A checkpoint holds the whole state, down to the lists of the rigid solver: whatever is wrong in it would show as a panic or as nonsense
//! long after. So all that the scene decides is compared with what it would be made of that scene, and the rest must be finite and point
//! at what is there.

use crate::objects::Bodies;
use crate::scene::{Fault, Recorded, Scene, added};
use crate::system::System;
use crate::world::World;
use serde::{Deserialize, Serialize};

/// Farthest in frames that a run goes: a day at the highest rate.
const MOST_FRAMES: u32 = 86_400_000;
/// Room for the state of one object and what it touches, beyond what it has at the start [bytes].
const OBJECT: usize = 1 << 16;

/// The beginning of a written world: its scene and its edits. Read it first, for it tells how much may follow.
#[derive(Debug, Deserialize)]
pub struct Opening {
    scene: Scene,
    edits: Vec<Recorded>,
    edits_done: u32,
}

/// The objects of a world, which follow its scene.
#[derive(Debug, Serialize, Deserialize)]
pub struct Objects {
    bodies: Bodies,
}

impl Opening {
    /// The objects that its scene has at the start, with those that edits have added, or what is wrong with the scene.
    pub fn objects(&self) -> Result<Objects, String> {
        let fault = |fault: Fault| format!("of its scene, {fault}");
        let edited = || Scene { edit: self.edits.clone(), ..self.scene.clone() }.edit_faults(&[]);
        if let Some(first) = self.scene.lasting_faults().into_iter().chain(edited()).next() {
            return Err(fault(first));
        }
        let done = self.edits.get(..self.edits_done as usize).unwrap_or_default();
        Ok(Objects { bodies: Bodies::edited(&self.scene, done.iter().map(|edit| &edit.change)) })
    }

    /// The most bytes that the written objects take; `at_start` is what they take at the start.
    pub fn room_for_objects(&self, at_start: usize) -> usize {
        2 * at_start + OBJECT * (self.scene.object.len() + self.edits.len() + 1)
    }
}

impl World {
    /// A world that was read, whose objects were so at the start, made ready to go on; or what is wrong with it: none goes on that could not
    /// have been written.
    pub fn restored(mut self, at_start: &Objects) -> Result<World, String> {
        match self.unfit(at_start) {
            Some(what) => Err(what),
            None => {
                self.bodies.wake(&self.scene);
                self.systems.all_mut().into_iter().for_each(System::wake);
                Ok(self)
            }
        }
    }

    fn unfit(&self, at_start: &Objects) -> Option<String> {
        let scene = &self.scene;
        if self.frame > MOST_FRAMES || self.events_done as usize > scene.event.len() {
            return Some(format!("it stands at frame {} after {} events", self.frame, self.events_done));
        }
        let done = self.edits.partition_point(|edit| edit.frame < self.frame);
        let due = self.edits.partition_point(|edit| edit.frame <= self.frame);
        if !(done..=due).contains(&(self.edits_done as usize)) || !scene.edit.is_empty() {
            return Some(format!("it stands at frame {} after {} edits", self.frame, self.edits_done));
        }
        if scene.event.windows(2).any(|pair| pair[0].at > pair[1].at) {
            return Some("its events are not in order".into());
        }
        if !self.rest.is_sound() || !self.budget.is_sound() {
            return Some("its measures are no numbers".into());
        }
        let systems = self.systems.all();
        let system = systems.iter().find_map(|system| system.unfit(scene));
        system.or_else(|| self.bodies.unfit_beside(&at_start.bodies)).or_else(|| self.unfit_values())
    }

    /// What is wrong with the values that it has by now: only those that may change have, and none is out of its range.
    fn unfit_values(&self) -> Option<String> {
        let (mut now, mut written) = (self.scene_now(), self.scene.clone());
        written.object.extend(added(self.edits_so_far()).cloned());
        if let Some(fault) = now.lasting_faults().into_iter().next() {
            return Some(format!("of the values that it has by now, {fault}"));
        }
        for path in written.live_paths() {
            if let (Some(value), Some(scalar)) = (now.live(&path).map(|s| s.number()), written.live(&path)) {
                scalar.restore(value);
            }
        }
        (now != written).then(|| "something in it has changed that does not change during a run".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Motion, Object, Shape};

    /// What a checkpoint leaves out is there again at once, not only after the next step: leaks are counted against what is there.
    #[test]
    fn what_is_derived_is_there_at_once() {
        let ball =
            Object { motion: Motion::Free, ..Object::new("ball", Shape::Sphere { radius: 0.1 }, [0.0; 3]) };
        let scene = Scene { object: vec![ball], ..Scene::default() };
        let at_start = Objects { bodies: Bodies::new(&scene) };
        let mut read = World::new(&scene).expect("a sound scene");
        read.bodies.forget_derived();
        assert!(read.bodies.colliders(&[]).is_empty());
        let world = read.restored(&at_start).expect("a sound world");
        assert_eq!(world.bodies.colliders(&[]).len(), 1);
    }
}
