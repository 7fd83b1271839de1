//! What lives in a world, kind by kind: the one place that names every system.

use crate::liquid::Liquids;
use crate::objects::Solid;
use crate::scene::{Scalar, Scene};
use crate::system::System;
use serde::{Deserialize, Serialize};

/// All systems of a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Systems {
    /// Viscoelastic liquids.
    pub liquids: Liquids,
}

impl Systems {
    /// Those of a scene at the start, around the objects that are there.
    pub fn new(scene: &Scene, solids: &[Solid]) -> Self {
        Self { liquids: Liquids::new(scene, solids) }
    }

    /// In the order of the contract.
    pub fn all(&self) -> [&dyn System; 1] {
        [&self.liquids]
    }

    /// The same, to be changed.
    pub fn all_mut(&mut self) -> [&mut dyn System; 1] {
        [&mut self.liquids]
    }

    /// The live value that a path names, such as `liquid.honey.viscosity.linear`.
    pub fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (kind, rest) = path.split_once('.')?;
        match kind {
            "liquid" => self.liquids.live(rest),
            _ => None,
        }
    }
}
