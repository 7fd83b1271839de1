//! When to write checkpoints: often enough to lose little, seldom enough to cost little.

use ondine::World;
use ondine_io::bake::{BakeError, BakeWriter};
use std::time::{Duration, Instant};

/// Time between checkpoints over the time that one takes: they cost at most a twentieth of the run.
const REST: u32 = 20;

/// The rhythm in which a bake's checkpoint is written.
#[derive(Debug)]
pub struct Checkpoints {
    frame: Option<u32>,
    saved: Instant,
    cost: Duration,
}

impl Checkpoints {
    /// `frame` is that of the checkpoint in the file, if there is one.
    pub fn new(frame: Option<u32>) -> Self {
        Self { frame, saved: Instant::now(), cost: Duration::ZERO }
    }

    /// The frame of the last checkpoint.
    pub fn frame(&self) -> Option<u32> {
        self.frame
    }

    /// Whether the next one has earned its cost. The first is due at once, to learn what it costs.
    pub fn due(&self) -> bool {
        self.saved.elapsed() >= self.cost * REST
    }

    /// Writes one.
    pub fn save(&mut self, writer: &mut BakeWriter, world: &World) -> Result<(), BakeError> {
        let started = Instant::now();
        writer.checkpoint(world)?;
        self.cost = started.elapsed();
        self.saved = Instant::now();
        self.frame = Some(world.frame_index());
        Ok(())
    }
}
