//! The whole simulated state.

use crate::frame::{Frame, Ledger};
use crate::scene::{Fault, Scene};
use serde::{Deserialize, Serialize};

/// The whole simulated state and nothing else: cloning it, or writing it out, is a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    scene: Scene,
    frame: u32,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{system}: {what} at {time:.4} s (frame {frame}, particle {particle}). Likely cause: {cause}")]
pub struct Failure {
    /// Name of the system that failed.
    pub system: String,
    /// Id of the particle it was first seen on.
    pub particle: u32,
    /// Frame being computed.
    pub frame: u32,
    /// Time [s].
    pub time: f64,
    /// What was seen.
    pub what: String,
    /// What probably led to it, and the knob to turn.
    pub cause: String,
}

impl World {
    /// Builds the world at time 0. All errors of the scene at once, if there are any.
    pub fn new(scene: &Scene) -> Result<World, Vec<Fault>> {
        Ok(World { scene: scene.clone(), frame: 0 })
    }

    /// The scene, with the values that events and tracks have given it so far.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Frames advanced so far.
    pub fn frame_index(&self) -> u32 {
        self.frame
    }

    /// Advances by one frame (1/fps), in as many substeps as it takes. On failure the world is not to be used.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.frame += 1;
        Ok(())
    }

    /// What can be seen now.
    pub fn frame(&self) -> Frame {
        Frame { index: self.frame, time: 0.0, particles: Vec::new() }
    }

    /// What can be measured now.
    pub fn ledger(&self) -> Ledger {
        Ledger { frame: self.frame, time: 0.0, substeps: 0, hash: String::new(), systems: Vec::new() }
    }
}
