//! Objects too thin for the particles that meet them.

use crate::objects::Sdf;
use crate::scene::checks::Addresses;
use crate::scene::{Fault, Scene};

/// Objects thinner than the contact radius of the coarsest liquid.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let radius = 0.5 * scene.liquid.iter().map(|l| l.spacing).fold(0.0, f32::max);
    for (object, address) in scene.object.iter().zip(&addresses.object) {
        let thickness = Sdf::new(&object.shape, &scene.meshes, scene.planar()).thickness();
        if thickness < radius {
            let reason = format!(
                "it is {thickness} m thin, less than the {radius} m that a particle keeps from it: liquid on both sides will feel each other"
            );
            let remedy =
                format!("make it at least {radius} m thick, or the spacing at most {}", 2.0 * thickness);
            found.push(Fault::warning(format!("{address}.shape"), reason, remedy));
        }
    }
}
