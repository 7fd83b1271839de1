//! Values that change during a run: events and tracks.

use super::World;
use crate::objects::Bodies;
use crate::scene::{Camera, Described, HasLive, Scalar, Scene, component};
use crate::world::systems::Systems;
use serde::{Deserialize, Serialize};

/// What of a scene may change during a run and belongs to no system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// Gravity [m/s²].
    pub gravity: [f32; 3],
    /// Velocity of the air [m/s].
    pub wind: [f32; 3],
    /// Where pictures are taken from.
    pub camera: Option<Camera>,
}

impl Live {
    /// The values at the start.
    pub fn new(scene: &Scene) -> Self {
        Self { gravity: scene.gravity, wind: scene.wind, camera: scene.camera }
    }
}

impl World {
    /// Events and tracks due now.
    pub(super) fn follow_timeline(&mut self, time: f64) {
        let Self { scene, live, bodies, systems, events_done, .. } = self;
        let mut values = Values { live, bodies, systems };
        // Half a step early is as right as half a step late; equal times must count as reached.
        let due = time as f32 + 1e-6;
        while let Some(event) = scene.event.get(*events_done as usize).filter(|e| e.at <= due) {
            for (path, value) in &event.set {
                values.set(path, *value);
            }
            *events_done += 1;
        }
        for track in &scene.track {
            if let (Some(value), Some(scalar)) = (track.value(time as f32), values.find(&track.path)) {
                scalar.store(value);
            }
        }
    }

    /// The scene with the values that events and tracks have given it so far.
    pub fn scene_now(&self) -> Scene {
        let mut scene = self.scene.clone();
        Live { gravity: scene.gravity, wind: scene.wind, camera: scene.camera } = self.live;
        scene.object = self.bodies.objects().cloned().collect();
        scene.spring = self.bodies.springs().to_vec();
        self.systems.all().iter().for_each(|system| system.describe(&mut scene));
        scene
    }
}

/// Everything in a world that has live values.
pub(super) struct Values<'a> {
    pub live: &'a mut Live,
    pub bodies: &'a mut Bodies,
    pub systems: &'a mut Systems,
}

impl HasLive for Values<'_> {
    fn find(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (head, rest) = path.split_once('.')?;
        match head {
            "gravity" => component(&mut self.live.gravity, rest),
            "wind" => component(&mut self.live.wind, rest),
            "camera" => self.live.camera.as_mut()?.live(rest),
            "object" => self.bodies.live(rest),
            "spring" => self.bodies.live_spring(rest),
            _ => self.systems.live(path),
        }
    }
}
