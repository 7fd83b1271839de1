//! Shapes, nozzles and times that make no sense together.

use super::Addresses;
use crate::objects::Sdf;
use crate::scene::{Bounds, Fault, Motion, Scene, Shape};

/// Fills without end, closing before opening, and a scene without anything that moves.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    if scene.members().is_empty() && scene.object.iter().all(|o| o.motion == Motion::Fixed) {
        let reason = "there is nothing in the scene that moves: nothing would happen";
        let remedy = "add [[liquid]] with a name, and a [[liquid.fill]] or a [[liquid.emitter]]; or [[balls]]; or an [[object]] with motion = \"free\"";
        found.push(Fault::error("", reason, remedy));
    }
    for (member, address) in scene.members().into_iter().zip(addresses.members()) {
        member.check_sense(address, scene, found);
    }
    for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
        check_hours(drain.start, drain.stop, address, found);
    }
    if let Some(bounds) = &scene.kill_box {
        check_kill_box(bounds, scene.planar(), found);
    }
}

/// What is filled, or lets drops go, must have an end.
pub fn check_end(scene: &Scene, shape: &Shape, path: String, found: &mut Vec<Fault>) {
    let room = Sdf::new(shape, &scene.meshes, scene.planar()).room();
    if room.bounds().is_none() {
        let what = if let Shape::HalfSpace { .. } = shape { "a half-space" } else { "this shape" };
        let reason = format!("{what} has no end, so no amount of anything fills it");
        let remedy = "write a box instead: shape = { box = { size = [1, 1, 1] } }";
        found.push(Fault::error(path, reason, remedy));
    }
}

/// What closes must have opened.
pub fn check_hours(start: f32, stop: Option<f32>, address: &str, found: &mut Vec<Fault>) {
    if let Some(stop) = stop.filter(|stop| *stop < start) {
        let reason = format!("it closes at {stop} s, before it opens at {start} s");
        found.push(Fault::error(format!("{address}.stop"), reason, format!("write a time after {start}")));
    }
}

fn check_kill_box(bounds: &Bounds, planar: bool, found: &mut Vec<Fault>) {
    let axes = if planar { 2 } else { 3 };
    for (c, axis) in ["x", "y", "z"].iter().enumerate().take(axes) {
        let (min, max) = (bounds.min[c], bounds.max[c]);
        if min >= max {
            let reason = format!("along {axis} the box goes from {min} m to {max} m: nothing can be inside");
            found.push(Fault::error("kill_box", reason, format!("write a min.{axis} below max.{axis}")));
        }
    }
}
