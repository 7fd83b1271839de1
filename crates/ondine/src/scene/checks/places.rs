//! Shapes, mouths and times that make no sense together.

use super::{Addresses, NO_DIRECTION};
use crate::objects::Form;
use crate::scene::{Bounds, Emitter, Fault, Liquid, Motion, Scene, Shape};
use glam::Vec3;

/// Fills without end, closing before opening, and a scene without anything that moves.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    if scene.liquid.is_empty() && scene.object.iter().all(|o| o.motion == Motion::Fixed) {
        let reason = "there is no liquid in the scene and no object that moves: nothing would happen";
        let remedy = "add [[liquid]] with a name, and a [[liquid.fill]] or a [[liquid.emitter]]; or an [[object]] with motion = \"free\"";
        found.push(Fault::error("", reason, remedy));
    }
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        check_fills(scene, liquid, address, found);
        for (i, emitter) in liquid.emitter.iter().enumerate() {
            let path = format!("{address}.emitter.{i}");
            check_hours(emitter.start, emitter.stop, &path, found);
            check_mouth(scene, liquid, (i, emitter), path, found);
        }
        for (i, drops) in liquid.drops.iter().enumerate() {
            let path = format!("{address}.drops.{i}");
            check_hours(drops.start, drops.stop, &path, found);
            check_end(scene, &drops.shape, format!("{path}.shape"), found);
        }
    }
    for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
        check_hours(drain.start, drain.stop, address, found);
    }
    if let Some(bounds) = &scene.kill_box {
        check_kill_box(bounds, scene.planar(), found);
    }
}

fn check_fills(scene: &Scene, liquid: &Liquid, address: &str, found: &mut Vec<Fault>) {
    for (i, fill) in liquid.fill.iter().enumerate() {
        check_end(scene, &fill.shape, format!("{address}.fill.{i}.shape"), found);
    }
}

/// What is filled, or lets drops go, must have an end.
fn check_end(scene: &Scene, shape: &Shape, path: String, found: &mut Vec<Fault>) {
    let room = Form::new(shape, &scene.meshes, scene.planar()).room();
    if room.bounds().is_none() {
        let what = if let Shape::HalfSpace { .. } = shape { "a half-space" } else { "this shape" };
        let reason = format!("{what} has no end, so no amount of liquid fills it");
        let remedy = "write a box instead: shape = { box = { size = [1, 1, 1] } }";
        found.push(Fault::error(path, reason, remedy));
    }
}

fn check_hours(start: f32, stop: Option<f32>, address: &str, found: &mut Vec<Fault>) {
    if let Some(stop) = stop.filter(|stop| *stop < start) {
        let reason = format!("it closes at {stop} s, before it opens at {start} s");
        found.push(Fault::error(format!("{address}.stop"), reason, format!("write a time after {start}")));
    }
}

/// The velocity says which way the mouth faces, so there must be one, unless it comes later.
fn check_mouth(
    scene: &Scene,
    liquid: &Liquid,
    (i, emitter): (usize, &Emitter),
    path: String,
    found: &mut Vec<Fault>,
) {
    if Vec3::from(emitter.velocity).length() < NO_DIRECTION
        && !scene.changes(&format!("liquid.{}.emitter.{i}.velocity", liquid.name))
    {
        let reason = "the velocity is 0: nothing would come out, and the mouth faces nowhere";
        let remedy = "write the velocity of the liquid as it leaves, such as [0, -1, 0]";
        found.push(Fault::error(format!("{path}.velocity"), reason, remedy));
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
