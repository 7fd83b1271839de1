//! What keeps a scene from being run: numbers, names, places, changes over time, amounts.
//!
//! Nothing here trusts the scene: its fields are public, so any number may be anything. What passes is safe to build
//! and to advance.

pub mod amounts;
mod changes;
pub mod limits;
mod names;
mod nearest_path;
mod numbers;
mod places;
mod planar;

pub use names::Addresses;

use super::{Fault, Scene, lints};

impl Scene {
    /// Everything wrong with the scene, errors first: values out of range, names given twice, paths that name
    /// nothing, and physics that will not do what its author hopes.
    pub fn faults(&self) -> Vec<Fault> {
        let addresses = Addresses::of(self);
        let mut found = Vec::new();
        names::check(self, &mut found);
        numbers::check(self, &addresses, &mut found);
        places::check(self, &addresses, &mut found);
        planar::check(self, &addresses, &mut found);
        changes::check(self, &addresses, &mut found);
        amounts::check(self, &addresses, &mut found);
        // Physics is worth a thought only where the numbers mean something.
        if found.is_empty() { lints::warnings(self, &addresses) } else { found }
    }
}
