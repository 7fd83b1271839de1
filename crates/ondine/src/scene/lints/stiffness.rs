//! Whether the steps that the engine may take can hold the liquid up and carry its viscosity.

use super::{Part, percent};
use crate::liquid::coefficients::Load;
use crate::liquid::material::{STABLE_SOUND, least_viscosity, sound_speed};
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Liquid, Scene};
use glam::Vec3;

/// Compression beyond which a liquid given its own stiffness is no liquid any more.
const SQUASHED: f32 = 0.25;

/// A liquid under the load of its own fills.
struct Loaded<'a> {
    liquid: &'a Liquid,
    address: &'a str,
    load: Load,
    depth: f32,
    h: f32,
    frame_dt: f32,
    max_substeps: u32,
}

/// Stiffness, depth and viscosity against the steps of a frame.
pub fn check(scene: &Scene, addresses: &Addresses, parts: &[Part], found: &mut Vec<Fault>) {
    for (n, (liquid, address)) in scene.liquid.iter().zip(&addresses.liquid).enumerate() {
        if liquid.thesis.is_none() {
            let loaded = Loaded::new(scene, n, liquid, address, parts);
            loaded.check_steps(found);
            loaded.check_modulus(found);
        }
    }
}

/// For each liquid, the viscosity that comes on top of its own at its spacing and the depth of its fills [Pa·s].
pub fn least_viscosities(scene: &Scene, addresses: &Addresses) -> Vec<f32> {
    let parts = Part::all(scene, addresses);
    let least = |(n, (liquid, address)): (usize, (&Liquid, &String))| {
        let load = Loaded::new(scene, n, liquid, address, &parts).load;
        least_viscosity(liquid, liquid.support_in(scene.planar()), load, sound_speed(liquid, load))
    };
    scene.liquid.iter().zip(&addresses.liquid).enumerate().map(least).collect()
}

impl<'a> Loaded<'a> {
    fn new(scene: &Scene, n: usize, liquid: &'a Liquid, address: &'a str, parts: &[Part]) -> Self {
        let gravity = Vec3::from(scene.gravity);
        let frame_dt = 1.0 / scene.fps;
        let depth = depth(parts.iter().filter(|p| p.liquid == n), gravity, liquid.spacing);
        let moving = liquid.fill.iter().map(|f| f.velocity).chain(liquid.emitter.iter().map(|e| e.velocity));
        let fastest = moving.map(|v| Vec3::from(v).length()).fold(0.0, f32::max);
        let load = Load {
            head: 0.5 * gravity.length() * depth,
            speed: fastest + gravity.length() * frame_dt,
            impact: fastest + gravity.length() * frame_dt,
            ..Load::default()
        };
        let h = liquid.reach(scene.planar());
        Self { liquid, address, load, depth, h, frame_dt, max_substeps: scene.max_substeps }
    }

    /// The fastest sound that a step of this length carries [m/s].
    fn fastest_sound(&self) -> f32 {
        STABLE_SOUND * self.h * self.max_substeps as f32 / self.frame_dt
    }

    fn steps_for(&self, sound: f32) -> f32 {
        (self.frame_dt * sound / (STABLE_SOUND * self.h)).ceil()
    }

    fn check_steps(&self, found: &mut Vec<Fault>) {
        let (needed, held) = (sound_speed(self.liquid, self.load), self.fastest_sound());
        if needed <= held {
            return;
        }
        let (steps, most) = (self.steps_for(needed), self.max_substeps);
        let to_expect = percent((self.load.head / (held * held)).min(1.0));
        let density = self.liquid.density;
        match self.liquid.stiffness {
            Some(modulus) => found.push(Fault::warning(
                format!("{}.stiffness", self.address),
                format!("{modulus} Pa needs {steps} steps a frame, and max_substeps is {most}: expect a mean compression of {to_expect} in {:.3} m of depth", self.depth),
                format!("write at most {:.3e}, or max_substeps = {steps}", density * held * held),
            )),
            None => found.push(Fault::warning(
                "max_substeps",
                format!("{}, {:.3} m deep, needs {steps} steps a frame to be compressed by {} at most, and max_substeps is {most}: expect {to_expect}", self.address, self.depth, percent(self.liquid.compression)),
                format!("write max_substeps = {steps}, or accept a larger {}.compression", self.address),
            )),
        }
    }

    fn check_modulus(&self, found: &mut Vec<Fault>) {
        let Some(modulus) = self.liquid.stiffness else { return };
        let squash = self.liquid.density * self.load.head / modulus;
        if squash > SQUASHED {
            let reason = format!(
                "{modulus} Pa lets {:.3} m of depth compress it by {} on average",
                self.depth,
                percent(squash.min(1.0))
            );
            let enough = self.liquid.density * self.load.head / self.liquid.compression;
            let remedy = format!("write {enough:.3e}, or remove it and let `compression` choose");
            found.push(Fault::warning(format!("{}.stiffness", self.address), reason, remedy));
        }
    }
}

/// Depth of fills along gravity, as the engine will measure it: twice the height of the centre above the lowest point [m].
fn depth<'a>(parts: impl Iterator<Item = &'a Part>, gravity: Vec3, spacing: f32) -> f32 {
    let down = gravity.normalize_or_zero();
    let (mut lowest, mut total, mut volume) = (f32::NEG_INFINITY, 0.0, 0.0);
    for part in parts.filter(|part| !part.points.is_empty()) {
        let fallen = part.points.iter().map(|p| p.dot(down));
        lowest = fallen.clone().fold(lowest, f32::max);
        let (low, high) = part.solid.form().bounds().unwrap_or_default();
        let weight = (high - low).as_dvec3().element_product();
        total += weight * (fallen.map(f64::from).sum::<f64>() / part.points.len() as f64);
        volume += weight;
    }
    if volume > 0.0 { 2.0 * (lowest - (total / volume) as f32) + spacing } else { 0.0 }
}
