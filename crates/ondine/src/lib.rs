//! Ondine, the engine.

pub mod frame;
pub mod scene;
mod world;

pub use frame::{Frame, Ledger, Particles, SystemLedger};
pub use scene::{Fault, Scene, Severity};
pub use world::{Failure, World};
