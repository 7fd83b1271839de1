//! Liquids that will not get on with each other.

use crate::liquid::pairing::mixtures;
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Liquid, Scene};

/// Liquids press on each other as one does only if their particles feel each other about equally far.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let planar = scene.planar();
    let mixed = mixtures(scene.liquid.iter(), planar);
    let all = scene.liquid.iter().zip(&addresses.liquid).zip(mixed);
    let mut all = all.filter_map(|((liquid, address), mixture)| Some((liquid, address, mixture?)));
    let Some((first, _, mixture)) = all.next() else { return };
    // Those of other models push each other away at any spacing.
    let is_alike = |liquid: &Liquid| (liquid.model, liquid.sph.walls) == (first.model, first.sph.walls);
    for (liquid, address, _) in all.filter(|(liquid, _, other)| *other != mixture && is_alike(liquid)) {
        let (own, reach) = (liquid.reach(planar), first.reach(planar));
        let reason = format!(
            "particles of {} feel each other {own} m far and those of {} {reach} m: where they meet they only push each other \
             away, and the finer ones sink between the others",
            liquid.name, first.name
        );
        let remedy = format!(
            "choose spacings that differ by no more than a factor of 2, such as {}, unless the two never touch",
            first.spacing
        );
        found.push(Fault::warning(format!("{address}.spacing"), reason, remedy));
    }
}
