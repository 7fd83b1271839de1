//! SPH liquids whose numbers do not fit their flow, their steps or each other.

use super::loads::{loads, steps};
use super::{Part, digits};
use crate::liquid::load::Load;
use crate::liquid::material::sound_speed;
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Liquid, LiquidModel, Scene, Sph};

/// Speeds of sound to the speed of the flow, below which a liquid is squeezed by more than can be overlooked: some 1/25.
const WELL_ABOVE: f32 = 5.0;

/// Numbers without an effect, sound that is too slow, and steps that are too few.
pub fn check(scene: &Scene, addresses: &Addresses, parts: &[Part], found: &mut Vec<Fault>) {
    let all = scene.liquid.iter().zip(&addresses.liquid).zip(loads(scene, parts));
    for ((liquid, address), load) in all {
        check_use(liquid, address, found);
        if liquid.model == LiquidModel::Sph {
            check_sound(liquid, address, load, found);
            check_steps(scene, liquid, address, load, found);
        }
    }
}

/// Values that the model does not ask for.
fn check_use(liquid: &Liquid, address: &str, found: &mut Vec<Fault>) {
    let Sph { k, mu, rho0, h, m, .. } = liquid.sph;
    let given = [("k", k), ("mu", mu), ("rho0", rho0), ("m", m), ("h", h)];
    let is_used = |key: &str| match liquid.model {
        LiquidModel::Viscoelastic => false,
        LiquidModel::Sph => true,
        LiquidModel::Dfsph => key == "h",
    };
    for (key, _) in given.into_iter().filter(|(key, value)| value.is_some() && !is_used(key)) {
        let reason = "it has no effect: the model of this liquid does not ask for it";
        let remedy = format!("write {address}.model = \"sph\", or remove it");
        found.push(Fault::warning(format!("{address}.sph.{key}"), reason, remedy));
    }
}

/// The source: the speed of sound must be far above that of the simulation.
fn check_sound(liquid: &Liquid, address: &str, load: Load, found: &mut Vec<Fault>) {
    let Some(k) = liquid.sph.k else { return };
    let (sound, flow) = ((0.5 * k).sqrt(), (2.0 * load.gravity * load.depth).sqrt().max(load.impact));
    if sound < WELL_ABOVE * flow {
        let reason = format!(
            "sound runs at √(K/2) = {sound:.1} m/s, and the liquid may flow at {flow:.1} m/s: it will be squeezed like a gas"
        );
        let enough = 2.0 * (2.0 * WELL_ABOVE * flow) * (2.0 * WELL_ABOVE * flow);
        let remedy =
            format!("write about {}, for sound ten times as fast as the flow, or remove it", digits(enough));
        found.push(Fault::warning(format!("{address}.sph.k"), reason, remedy));
    }
}

/// An explicit step has an end.
fn check_steps(scene: &Scene, liquid: &Liquid, address: &str, load: Load, found: &mut Vec<Fault>) {
    let (needed, most) = (steps(scene, liquid, load), scene.max_substeps);
    if needed <= most {
        return;
    }
    let reason = format!(
        "sound at {:.1} m/s and the viscosity of this liquid need {needed} steps a frame, and max_substeps is {most}",
        sound_speed(liquid, load)
    );
    let remedy = format!(
        "write max_substeps = {needed}, a larger {address}.compression, or {address}.model = \"dfsph\", whose steps are longer"
    );
    found.push(Fault::warning("max_substeps", reason, remedy));
}
