//! Frames made by hand.

use ondine::scene::Object;
use ondine::{Frame, Particles, Pose, Scene};

/// A frame in which every object is where it starts.
pub fn frame(scene: &Scene, particles: Vec<Particles>) -> Frame {
    let pose = |object: &Object| Pose {
        name: object.name.clone(),
        enabled: object.enabled,
        visible: object.visible,
        placement: object.placement(),
        velocity: [0.0; 3],
        spin: [0.0; 3],
    };
    Frame { index: 0, time: 0.0, particles, objects: scene.object.iter().map(pose).collect() }
}
