//! Whether the steps that the engine may take can hold the liquid up and carry its springs and its tension.

use super::loads::{loads, steps};
use super::{Part, percent};
use crate::liquid::load::Load;
use crate::liquid::material::{STABLE_SOUND, least_viscosity, sound_speed};
use crate::power::Power;
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Liquid, LiquidModel, Scene};

/// Compression beyond which a liquid given its own stiffness is no liquid any more.
const SQUASHED: f32 = 0.25;
/// No liquid has more surface tension than molten metals [N/m].
const MOST_TENSE: f32 = 3.0;

/// A liquid under the load of its own fills.
struct Loaded<'a> {
    scene: &'a Scene,
    liquid: &'a Liquid,
    address: &'a str,
    load: Load,
}

/// Stiffness, depth, springs and tension against the steps of a frame.
pub fn check(scene: &Scene, addresses: &Addresses, parts: &[Part], found: &mut Vec<Fault>) {
    let all = scene.liquid.iter().zip(&addresses.liquid).zip(loads(scene, parts));
    let is_asked = |liquid: &Liquid| liquid.thesis.is_none() && liquid.model != LiquidModel::Sph;
    for ((liquid, address), load) in all.filter(|((liquid, _), _)| is_asked(liquid)) {
        let loaded = Loaded { scene, liquid, address, load };
        loaded.check_steps(found);
        loaded.check_modulus(found);
        loaded.check_tension(found);
    }
}

/// For each liquid, the least viscosity at its spacing and the depth of its fills [Pa·s].
pub fn least_viscosities(scene: &Scene, addresses: &Addresses) -> Vec<f32> {
    let loads = loads(scene, &Part::all(scene, addresses));
    let least = |(liquid, load): (&Liquid, Load)| {
        least_viscosity(liquid, liquid.support_in(scene.planar()), load, sound_speed(liquid, load))
    };
    scene.liquid.iter().zip(loads).map(least).collect()
}

impl Loaded<'_> {
    /// Steps that a liquid like this one would need.
    fn steps_of(&self, change: impl FnOnce(&mut Liquid, &mut Load)) -> u32 {
        let (mut liquid, mut load) = (self.liquid.clone(), self.load);
        change(&mut liquid, &mut load);
        steps(self.scene, &liquid, load)
    }

    /// More steps than allowed, and what asks for them.
    fn check_steps(&self, found: &mut Vec<Fault>) {
        let (needed, most) = (self.steps_of(|_, _| ()), self.scene.max_substeps);
        if needed <= most {
            return;
        }
        // Steps go with the root of either.
        let less = |value: f32| value * (most as f32 / needed as f32).power(2);
        let without_springs = self.steps_of(|liquid, _| liquid.springs.stiffness = 0.0);
        let without_tension = self.steps_of(|liquid, load| {
            (liquid.surface_tension, load.cohesion) = (0.0, 0.0);
        });
        let (path, asks, effect, enough) = if without_springs < needed {
            let value = self.liquid.springs.stiffness;
            let asks = format!("{value} Pa of springs");
            ("springs.stiffness", asks, "it will be softer than asked".into(), less(value))
        } else if without_tension < needed {
            let value = self.liquid.surface_tension;
            let asks = format!("a surface tension of {value} N/m");
            ("surface_tension", asks, "its surface will be ragged".into(), less(value))
        } else if let Some(modulus) = self.liquid.stiffness {
            ("stiffness", format!("{modulus} Pa"), self.squeezed(), less(modulus))
        } else {
            return self.tell_depth(needed, found);
        };
        found.push(Fault::warning(
            format!("{}.{path}", self.address),
            format!("{asks} needs {needed} steps a frame, and max_substeps is {most}: {effect}"),
            format!("write at most {enough:.3e}, or max_substeps = {needed}"),
        ));
    }

    fn tell_depth(&self, needed: u32, found: &mut Vec<Fault>) {
        found.push(Fault::warning(
            "max_substeps",
            format!(
                "{}, {:.3} m deep, needs {needed} steps a frame to be compressed by {} at most, and max_substeps is {}: {}",
                self.address,
                self.load.depth,
                percent(self.liquid.compression),
                self.scene.max_substeps,
                self.squeezed()
            ),
            format!("write max_substeps = {needed}, or accept a larger {}.compression", self.address),
        ));
    }

    /// How much it is compressed by the stiffness that the steps allow.
    fn squeezed(&self) -> String {
        let h = self.liquid.reach(self.scene.planar());
        let held = STABLE_SOUND * h * self.scene.max_substeps as f32 * self.scene.fps;
        let squeezed = percent((self.load.head / (held * held)).min(1.0));
        format!("expect a mean compression of {squeezed} in {:.3} m of depth", self.load.depth)
    }

    fn check_modulus(&self, found: &mut Vec<Fault>) {
        let Some(modulus) = self.liquid.stiffness else { return };
        let squash = self.liquid.density * self.load.head / modulus;
        if squash > SQUASHED {
            let reason = format!(
                "{modulus} Pa lets {:.3} m of depth compress it by {} on average",
                self.load.depth,
                percent(squash.min(1.0))
            );
            let enough = self.liquid.density * self.load.head / self.liquid.compression;
            let remedy = format!("write {enough:.3e}, or remove it and let `compression` choose");
            found.push(Fault::warning(format!("{}.stiffness", self.address), reason, remedy));
        }
    }

    fn check_tension(&self, found: &mut Vec<Fault>) {
        let tension = self.liquid.surface_tension;
        if tension > MOST_TENSE {
            let reason = format!(
                "{tension} N/m is more than any liquid has: water has 0.073, mercury 0.49, molten iron 1.9"
            );
            let remedy = "write it in N/m: 72.8 mN/m is 0.0728";
            found.push(Fault::warning(format!("{}.surface_tension", self.address), reason, remedy));
        }
    }
}
