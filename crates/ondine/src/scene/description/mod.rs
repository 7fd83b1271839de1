//! One declaration a value: its key, its words and unit, its range, its default, and whether it may change during a run.
//!
//! `description!` in `grammar.rs` declares tables, shapes and choices. From the declaration come the type itself, its text and its JSON
//! Schema, and its [`Described`]: the walk over all its values, and the way from a path to one. Checks, events, tracks and the
//! reference ask nobody else.

mod declared;
mod grammar;
#[cfg(test)]
mod tests;
mod walk;

pub use declared::{Condition, Declared, Description, Live, Range, Terms, figures};
pub(crate) use grammar::{declared, description};
pub use walk::{Described, Found, Leaf, Shown, Status, Walk, after};

use super::Scene;

impl Scene {
    /// Every table that a scene is made of and the set of shapes, each once, the scene itself first.
    pub fn descriptions() -> Vec<Description> {
        let mut all = Vec::new();
        Self::describe(&mut all);
        all
    }

    /// Shows every value of the scene, and every list of things with names.
    pub(super) fn walk(&self, look: &mut dyn FnMut(&Shown)) {
        self.show(Status::WHOLE, &mut Walk::new(look));
    }

    /// What a path leads to. What an edit adds is not there to be changed before: its values in the edit are fixed.
    pub(super) fn find(&mut self, path: &str) -> Option<Found<'_>> {
        let Found { leaf, status } = Described::find(self, Status::WHOLE, path)?;
        let live = status.live && !path.starts_with("edit.");
        Some(Found { leaf, status: Status { live, ..status } })
    }
}
