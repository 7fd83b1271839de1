//! What would happen after the end, and a camera that sees nothing.

use crate::scene::checks::Addresses;
use crate::scene::{Fault, Scene};

/// Events, edits, emitters and drains that the run never reaches.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let mut late = |path: String, at: f32, what: &str| {
        if at >= scene.duration {
            let reason = format!("{what} at {at} s, but the scene ends at {} s", scene.duration);
            let remedy = format!("write an earlier time, or a duration above {at}");
            found.push(Fault::warning(path, reason, remedy));
        }
    };
    for (i, event) in scene.event.iter().enumerate() {
        late(format!("event.{i}.at"), event.at, "this happens");
    }
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        for (i, emitter) in liquid.emitter.iter().enumerate() {
            late(format!("{address}.emitter.{i}.start"), emitter.start, "it opens");
        }
        for (i, drops) in liquid.drops.iter().enumerate() {
            late(format!("{address}.drops.{i}.start"), drops.start, "they begin");
        }
    }
    for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
        late(format!("{address}.start"), drain.start, "it opens");
    }
    for (i, edit) in scene.edit.iter().enumerate().filter(|(_, edit)| edit.frame >= scene.frames()) {
        let reason =
            format!("it follows frame {}, but the scene ends with frame {}", edit.frame, scene.frames());
        let remedy = "write an earlier frame, or a longer duration";
        found.push(Fault::warning(format!("edit.{i}.frame"), reason, remedy));
    }
    if let Some(camera) = scene.camera.filter(|c| c.at == c.look_at) {
        let reason = format!("the camera is at {:?}, the very point that it looks at", camera.at);
        found.push(Fault::warning("camera.look_at", reason, "write a point in front of the camera"));
    }
}
