//! What lives in a world, kind by kind: the one place that names every system.

use crate::balls::Balls;
use crate::effects::Effects;
use crate::liquid::Liquids;
use crate::objects::Collider;
use crate::scene::{Scalar, Scene};
use crate::system::System;
use serde::{Deserialize, Serialize};

/// All systems of a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Systems {
    /// Viscoelastic liquids.
    pub liquids: Liquids,
    /// Rigid balls.
    pub balls: Balls,
    /// Particle effects.
    pub effects: Effects,
}

impl Systems {
    /// Those of a scene at the start, around the objects that are there.
    pub fn new(scene: &Scene, colliders: &[Collider]) -> Self {
        let balls = Balls::new(scene, colliders);
        // Liquids leave room for balls.
        let all: Vec<Collider> = colliders.iter().cloned().chain(balls.in_fills(scene)).collect();
        Self { liquids: Liquids::new(scene, &all), balls, effects: Effects::new(scene) }
    }

    /// In the order of the contract.
    pub fn all(&self) -> [&dyn System; 3] {
        [&self.liquids, &self.balls, &self.effects]
    }

    /// The same, to be changed.
    pub fn all_mut(&mut self) -> [&mut dyn System; 3] {
        [&mut self.liquids, &mut self.balls, &mut self.effects]
    }

    /// Effects that meet the surfaces of other systems see them, as a frame begins.
    pub fn show_surfaces(&mut self) {
        if self.effects.looks_at_others() {
            let others: Vec<_> = self.liquids.views().into_iter().chain(self.balls.views()).collect();
            self.effects.see(&others);
        }
    }

    /// The system that a path begins with, and the rest of the path.
    pub fn named<'p>(&mut self, path: &'p str) -> Option<(&mut dyn System, &'p str)> {
        let (kind, rest) = path.split_once('.')?;
        match kind {
            "liquid" => Some((&mut self.liquids, rest)),
            "balls" => Some((&mut self.balls, rest)),
            "effect" => Some((&mut self.effects, rest)),
            _ => None,
        }
    }

    /// The live value that a path names, such as `liquid.honey.viscosity.linear`.
    pub fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (system, rest) = self.named(path)?;
        system.live(rest)
    }
}
