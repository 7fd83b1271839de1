//! How the camera of a scene moves.

use ondine::scene::{Camera, Event, Track};
use ondine::{Frame, Scene};

/// A camera with the events and tracks that move it.
#[derive(Clone, Debug)]
pub struct Moves(Scene);

impl Moves {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> Self {
        let own = |path: &str| path.starts_with("camera.");
        let track = |t: &&Track| own(&t.path);
        let event = |e: &&Event| e.set.keys().any(|path| own(path));
        Self(Scene {
            camera: scene.camera,
            track: scene.track.iter().filter(track).cloned().collect(),
            event: scene.event.iter().filter(event).cloned().collect(),
            ..Scene::default()
        })
    }

    /// The camera of a frame, if the scene has one.
    pub fn camera_at(&self, frame: &Frame) -> Option<Camera> {
        self.0.camera_at(frame.time as f32)
    }
}
