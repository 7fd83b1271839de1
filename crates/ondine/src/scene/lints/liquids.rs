//! Liquids that will not get on with each other.

use crate::scene::checks::Addresses;
use crate::scene::{Fault, Scene};

/// Interaction radii that differ by less are the same.
const ALIKE: f32 = 1e-4;

/// Liquids press on each other as one does only if their particles feel each other equally far.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let planar = scene.planar();
    let all = scene.liquid.iter().zip(&addresses.liquid).filter(|(liquid, _)| liquid.thesis.is_none());
    let mut all = all.map(|(liquid, address)| (liquid, address, liquid.reach(planar)));
    let Some((first, _, reach)) = all.next() else { return };
    for (liquid, address, own) in all.filter(|(_, _, own)| (own / reach - 1.0).abs() > ALIKE) {
        let reason = format!(
            "particles of {} feel each other {own} m far and those of {} {reach} m: where they meet they only push each other \
             away, and the finer ones sink between the others",
            liquid.name, first.name
        );
        let remedy =
            format!("write spacing = {} and the same support, unless the two never touch", first.spacing);
        found.push(Fault::warning(format!("{address}.spacing"), reason, remedy));
    }
}
