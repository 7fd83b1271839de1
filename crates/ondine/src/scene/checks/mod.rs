//! What keeps a scene from being run: numbers, names, shapes, places, objects, lights, changes over time, amounts.
//!
//! Nothing here trusts the scene: its fields are public, so any number may be anything. What passes is safe to build
//! and to advance.

pub mod amounts;
mod balls;
mod changes;
mod edits;
mod effects;
mod lights;
mod liquid;
pub mod names;
mod numbers;
mod objects;
mod places;
mod planar;
mod shapes;

pub use names::Addresses;

use super::{Estimate, Fault, Scene, Severity, lints};

/// Shorter than this, a vector has no direction.
const NO_DIRECTION: f32 = 1e-6;

impl Scene {
    /// Everything wrong with the scene, errors first: values out of range, names given twice, paths that name
    /// nothing, and physics that will not do what its author hopes.
    pub fn faults(&self) -> Vec<Fault> {
        let addresses = Addresses::of(self);
        let mut found = Vec::new();
        shapes::check_structure(self, &addresses, &mut found);
        if !found.is_empty() {
            return found;
        }
        self.check_lasting(&addresses, &mut found);
        places::check(self, &addresses, &mut found);
        lights::check(self, &mut found);
        planar::check(self, &addresses, &mut found);
        amounts::check(self, &addresses, &mut found);
        balls::check(self, &addresses, &mut found);
        effects::check(self, &addresses, &mut found);
        if found.is_empty() {
            objects::check_free(self, &addresses, &mut found);
            edits::check(self, &[], &mut found);
        }
        // Physics is worth a thought only where the numbers mean something.
        if found.is_empty() { lints::warnings(self, &addresses) } else { found }
    }

    /// What the scene takes to run, about. Only for scenes without errors.
    pub fn estimate(&self) -> Estimate {
        lints::estimate(self, &Addresses::of(self))
    }

    /// The errors of a scene in the middle of a run, whose live values events and tracks have changed: all that does not depend on how
    /// these stand to each other.
    pub(crate) fn lasting_faults(&self) -> Vec<Fault> {
        let addresses = Addresses::of(self);
        let mut found = Vec::new();
        self.meshes.check(&mut found);
        shapes::check_structure(self, &addresses, &mut found);
        if !found.is_empty() {
            return found;
        }
        self.check_lasting(&addresses, &mut found);
        if found.is_empty() {
            objects::check_free(self, &addresses, &mut found);
        }
        found.retain(|fault| fault.severity == Severity::Error);
        found
    }

    /// The errors of its edits, where the rest of it is sound; `held` are the objects that are held before the first.
    pub(crate) fn edit_faults(&self, held: &[&str]) -> Vec<Fault> {
        let mut found = Vec::new();
        shapes::check_structure(self, &Addresses::of(self), &mut found);
        if found.is_empty() {
            numbers::check(self, &mut found);
            shapes::check(self, &mut found);
        }
        found.retain(|fault| fault.path.starts_with("edit."));
        if found.is_empty() {
            edits::check(self, held, &mut found);
        }
        found
    }

    /// What must hold at any time of a run.
    fn check_lasting(&self, addresses: &Addresses, found: &mut Vec<Fault>) {
        names::check(self, found);
        numbers::check(self, found);
        shapes::check(self, found);
        objects::check(self, addresses, found);
        changes::check(self, found);
    }

    /// For each liquid, the least viscosity at its spacing and the depth of its fills [Pa·s]: thinner than that it cannot be shown. Only for scenes without errors.
    pub fn least_viscosities(&self) -> Vec<f32> {
        lints::least_viscosities(self, &Addresses::of(self))
    }
}
