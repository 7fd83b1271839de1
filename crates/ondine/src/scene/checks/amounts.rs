//! Amounts that no machine could hold, and proportions that no arithmetic could.

use super::Addresses;
use crate::liquid::sources;
use crate::objects::Sdf;
use crate::power::Power;
use crate::scene::{Drops, Emitter, EmitterShape, Fault, Liquid, LiquidModel, Scene, Shape, Value};
use glam::Vec3;

/// The most particles in fills, or from one emitter in a second.
pub const MOST_PARTICLES: f64 = 50e6;
/// The farthest from the origin, in spacings: beyond it f32 coordinates cannot tell neighbours apart.
const FARTHEST: f32 = 1e6;
/// The widest reach of an interaction, in spacings of the finest liquid: neighbours go with its cube.
const WIDEST: f32 = 8.0;
/// The narrowest, in spacings: below it nobody has a neighbour.
const NARROWEST: f32 = 1.2;

/// Too many particles, too far away, with too many neighbours.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    check_fills(scene, addresses, found);
    check_unlike_spacings(scene, addresses, found);
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        check_reach(liquid, address, found);
        for (i, fill) in liquid.fill.iter().enumerate() {
            let farthest = Vec3::from(fill.at).length() + reach(&fill.shape, scene);
            check_distance(farthest, liquid, format!("{address}.fill.{i}.at"), found);
        }
        for (i, emitter) in liquid.emitter.iter().enumerate() {
            let path = format!("{address}.emitter.{i}");
            let farthest = Vec3::from(emitter.at).length() + Vec3::from(nozzle_size(emitter)).length();
            check_distance(farthest, liquid, format!("{path}.at"), found);
            let fastest = fastest(scene, emitter, &format!("liquid.{}.emitter.{i}.velocity", liquid.name));
            let second = per_second(liquid, emitter, fastest, scene.planar());
            check_emission(second, fastest, liquid, path, found);
        }
        for (i, drops) in liquid.drops.iter().enumerate() {
            let path = format!("{address}.drops.{i}");
            let farthest = Vec3::from(drops.at).length() + reach(&drops.shape, scene);
            check_distance(farthest, liquid, format!("{path}.at"), found);
            let second = drops_per_second(liquid, drops, scene.planar());
            if second > MOST_PARTICLES {
                let reason =
                    format!("drops come to {second:.3e} particles a second; the most is {MOST_PARTICLES:.0}");
                found.push(Fault::error(
                    path,
                    reason,
                    "write a lower rate, smaller drops or a wider spacing",
                ));
            }
        }
    }
}

/// Farthest that a shape reaches from its origin, if it has an end.
fn reach(shape: &Shape, scene: &Scene) -> f32 {
    let room = Sdf::new(shape, &scene.meshes, scene.planar()).room();
    let Some((low, high)) = room.bounds() else { return 0.0 };
    let farthest = low.abs().max(high.abs());
    if scene.planar() { farthest.truncate().length() } else { farthest.length() }
}

fn check_fills(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let mut total = 0.0;
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        for (i, fill) in liquid.fill.iter().enumerate() {
            let before = total;
            let room = Sdf::new(&fill.shape, &scene.meshes, scene.planar()).room();
            total += sources::lattice_size(&room, liquid.spacing, scene.planar());
            if before <= MOST_PARTICLES && total > MOST_PARTICLES {
                let power = if scene.planar() { 2.0 } else { 3.0 };
                let coarser = liquid.spacing as f64 * libm::pow(total / MOST_PARTICLES, 1.0 / power);
                let reason = format!(
                    "with a spacing of {} m the scene's fills come to {total:.3e} particles; the most is {MOST_PARTICLES:.0}",
                    liquid.spacing
                );
                let remedy =
                    format!("fill less, or write a {address}.spacing of at least {:.3}", 1.01 * coarser);
                found.push(Fault::error(format!("{address}.fill.{i}.shape"), reason, remedy));
            }
        }
    }
}

fn check_unlike_spacings(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let Some(finest) = scene.liquid.iter().map(|l| l.spacing).min_by(f32::total_cmp) else { return };
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        if liquid.spacing > WIDEST * finest {
            let reason = format!(
                "its spacing of {} m is {:.0} times that of the finest liquid, {finest} m; the most is {WIDEST}",
                liquid.spacing,
                liquid.spacing / finest
            );
            let remedy = format!("write a spacing of at most {}", WIDEST * finest);
            found.push(Fault::error(format!("{address}.spacing"), reason, remedy));
        }
    }
}

fn check_reach(liquid: &Liquid, address: &str, found: &mut Vec<Fault>) {
    let of_thesis = liquid.thesis.map(|thesis| ("thesis.h", thesis.h));
    let of_sph = liquid.sph.h.filter(|_| liquid.model != LiquidModel::Viscoelastic).map(|h| ("sph.h", h));
    for (key, h) in of_thesis.into_iter().chain(of_sph) {
        let (ratio, spacing) = (h / liquid.spacing, liquid.spacing);
        let effect = if ratio > WIDEST {
            "each particle would have thousands of neighbours"
        } else if ratio < NARROWEST && key == "sph.h" {
            "particles would not feel each other"
        } else {
            continue;
        };
        let reason = format!("h is {h} m, {ratio:.1} times the spacing of {spacing} m: {effect}");
        let remedy = format!("write an h of about {}, or a spacing of about {}", 2.0 * spacing, 0.5 * h);
        found.push(Fault::error(format!("{address}.{key}"), reason, remedy));
    }
    if liquid.thesis.is_some() && liquid.model != LiquidModel::Viscoelastic {
        let reason =
            "the liquid has the parameters of another method, `thesis`: it can keep its volume by one only";
        let remedy = format!("remove it, or {address}.thesis");
        found.push(Fault::error(format!("{address}.model"), reason, remedy));
    }
}

/// What is too far from the origin for its spacing.
pub fn check_distance(farthest: f32, liquid: &Liquid, path: String, found: &mut Vec<Fault>) {
    if farthest > FARTHEST * liquid.spacing {
        let reason = format!(
            "it reaches {farthest} m from the origin, {:.0} times the spacing of {} m: too far for f32 to tell particles apart",
            farthest / liquid.spacing,
            liquid.spacing
        );
        let remedy = format!("move it to within {} m of the origin", FARTHEST * liquid.spacing);
        found.push(Fault::error(path, reason, remedy));
    }
}

fn nozzle_size(emitter: &Emitter) -> [f32; 3] {
    match emitter.shape {
        EmitterShape::Disc => [2.0 * emitter.radius, 2.0 * emitter.radius, 0.0],
        EmitterShape::Rectangle => [emitter.size[0], emitter.size[1], 0.0],
    }
}

/// A bound of the speed that an emitter ever has, over its events and tracks [m/s].
fn fastest(scene: &Scene, emitter: &Emitter, path: &str) -> f64 {
    let mut most = emitter.velocity.map(f32::abs);
    let mut see = |c: usize, v: f32| most[c] = most[c].max(v.abs());
    let axis = |p: &str| match p.strip_prefix(path)? {
        ".x" | ".0" => Some(0),
        ".y" | ".1" => Some(1),
        ".z" | ".2" => Some(2),
        _ => None,
    };
    for (p, value) in scene.event.iter().flat_map(|e| &e.set) {
        match value {
            Value::Vector(v) if p == path => (0..3).for_each(|c| see(c, v[c])),
            Value::Number(v) => axis(p).into_iter().for_each(|c| see(c, *v)),
            _ => (),
        }
    }
    for track in &scene.track {
        if let Some(c) = axis(&track.path) {
            track.keys.iter().for_each(|key| see(c, key[1]));
        }
    }
    most.iter().map(|&v| v as f64 * v as f64).sum::<f64>().sqrt()
}

/// Particles that an emitter lets out in a second at a speed, at most.
pub fn per_second(liquid: &Liquid, emitter: &Emitter, speed: f64, planar: bool) -> f64 {
    let rows = |length: f32| (length as f64 / liquid.spacing as f64 + 1.0).max(1.0);
    let [width, height, _] = nozzle_size(emitter);
    let nozzle = rows(width) * if planar { 1.0 } else { rows(height) };
    nozzle * (1.0 + speed / liquid.spacing as f64)
}

/// Particles that drops come to in a second, at most.
pub fn drops_per_second(liquid: &Liquid, drops: &Drops, planar: bool) -> f64 {
    let sides = drops.radius.unwrap_or(0.0) as f64 / liquid.spacing as f64;
    let particles = std::f64::consts::PI * if planar { sides * sides } else { 4.0 / 3.0 * sides.power(3) };
    drops.rate as f64 * particles.max(1.0)
}

fn check_emission(second: f64, speed: f64, liquid: &Liquid, path: String, found: &mut Vec<Fault>) {
    if second > MOST_PARTICLES {
        let reason = format!(
            "at {speed:.1} m/s, with a spacing of {} m, its nozzle lets out {second:.3e} particles a second; the most is {MOST_PARTICLES:.0}",
            liquid.spacing
        );
        found.push(Fault::error(path, reason, "write a smaller nozzle, a lower velocity or a wider spacing"));
    }
}
