//! The source's own parameters, outside the range where its step is stable.

use crate::liquid::impulses::{MOST_PASSES, ONE_PASS};
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Scene, Thesis};

/// Thesis parameters too stiff for their step, or without an effect.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
        let Some(thesis) = &liquid.thesis else { continue };
        let steps = thesis.substeps.min(scene.max_substeps).max(1);
        check_stability(thesis, 1.0 / (scene.fps * steps as f32), address, found);
        if thesis.h <= liquid.spacing {
            let reason = format!(
                "h is {} m, no more than the spacing of {} m: particles would not feel each other",
                thesis.h, liquid.spacing
            );
            let remedy = format!("write an h of about {}", 2.0 * liquid.spacing);
            found.push(Fault::warning(format!("{address}.thesis.h"), reason, remedy));
        }
        if thesis.substeps > scene.max_substeps {
            let reason =
                format!("{} steps are asked for, but max_substeps allows {}", thesis.substeps, steps);
            let remedy = format!("write max_substeps = {}", thesis.substeps);
            found.push(Fault::warning(format!("{address}.thesis.substeps"), reason, remedy));
        }
    }
}

/// In a step of `dt` a pair must not overshoot its rest: each term bounds a displacement by a share of the distance.
fn check_stability(t: &Thesis, dt: f32, address: &str, found: &mut Vec<Fault>) {
    let rows = [
        ("k", t.k, 0.1 * t.h / (dt * dt), "k·dt²/h is above 0.1"),
        ("k_near", t.k_near, 0.2 * t.h / (dt * dt), "k_near·dt²/h is above 0.2"),
        ("k_spring", t.k_spring, 1.0 / (dt * dt), "k_spring·dt² is above 1"),
        ("sigma", t.sigma, ONE_PASS * MOST_PASSES / dt, "σ·dt is more than the passes of a step carry"),
        ("beta", t.beta, 10.0 / t.h, "β·h is above 10, where any collision sticks"),
    ];
    for (key, value, most, why) in rows {
        if value > most {
            let reason = format!("{value} is too much for steps of {dt:.2e} s with h = {} m: {why}", t.h);
            let remedy = format!("write at most {most:.3e}, or raise thesis.substeps");
            found.push(Fault::warning(format!("{address}.thesis.{key}"), reason, remedy));
        }
    }
}
