//! Liquids that hold nothing or never stop coming, or whose properties have nothing to act on.

use crate::scene::checks::Addresses;
use crate::scene::checks::amounts::{MOST_PARTICLES, per_second};
use crate::scene::{Fault, Liquid, Scene};
use glam::Vec3;

/// Liquids without a source; elasticity without springs.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        if liquid.fill.is_empty() && liquid.emitter.is_empty() && liquid.drops.is_empty() {
            let reason = "this liquid has neither fill nor emitter nor drops: there will be none of it";
            found.push(Fault::warning(address, reason, "add a [[liquid.fill]] or a [[liquid.emitter]]"));
        }
        check_springs(scene, liquid, address, found);
        check_emission(scene, liquid, address, found);
    }
}

/// What comes in over the whole run, if nothing takes it away.
fn check_emission(scene: &Scene, liquid: &Liquid, address: &str, found: &mut Vec<Fault>) {
    if !scene.drain.is_empty() || scene.kill_box.is_some() {
        return;
    }
    for (i, emitter) in liquid.emitter.iter().enumerate() {
        let end = emitter.stop.unwrap_or(f32::INFINITY).min(scene.duration);
        let open = (end - emitter.start).clamp(0.0, liquid.lifetime.unwrap_or(f32::INFINITY));
        let speed = Vec3::from(emitter.velocity).length() as f64;
        let total = open as f64 * per_second(liquid, emitter, speed, scene.planar());
        if total > MOST_PARTICLES {
            let reason =
                format!("it lets out some {total:.1e} particles in {open} s, and nothing takes them away");
            let remedy = "give it a stop, the liquid a lifetime, or the scene a drain or a kill_box";
            found.push(Fault::warning(format!("{address}.emitter.{i}"), reason, remedy));
        }
    }
}

fn check_springs(scene: &Scene, liquid: &Liquid, address: &str, found: &mut Vec<Fault>) {
    let s = liquid.springs;
    let (stiffness, values) = match &liquid.thesis {
        Some(t) => (("thesis.k_spring", t.k_spring), [("thesis.alpha", t.alpha), ("thesis.gamma", t.gamma)]),
        None => (
            ("springs.stiffness", s.stiffness),
            [("springs.plasticity", s.plasticity), ("springs.yield_ratio", s.yield_ratio)],
        ),
    };
    let (stiffness_key, stiffness) = stiffness;
    if stiffness > 0.0 || scene.changes(&format!("liquid.{}.{stiffness_key}", liquid.name)) {
        return;
    }
    for (key, value) in values.into_iter().filter(|(_, value)| *value > 0.0) {
        let reason = format!("{value} has no effect: {stiffness_key} is 0, so there are no springs");
        let remedy = format!("write a {stiffness_key} above 0, or remove this");
        found.push(Fault::warning(format!("{address}.{key}"), reason, remedy));
    }
}
