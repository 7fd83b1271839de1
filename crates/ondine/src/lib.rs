//! Ondine, the engine: what flows, in one deterministic world.
//!
//! ```
//! use ondine::{Scene, World};
//! use ondine::scene::{Fill, Object, Preset, Shape};
//!
//! let mut water = Preset::Water.liquid();
//! water.name = "water".into();
//! water.spacing = 0.05;
//! water.fill.push(Fill {
//!     shape: Shape::Box { size: [0.3, 0.3, 0.3] },
//!     at: [0.0, 0.5, 0.0],
//!     rotate: [0.0; 3],
//!     velocity: [0.0; 3],
//!     arrangement: Default::default(),
//! });
//! let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
//! let scene = Scene { liquid: vec![water], object: vec![floor], ..Default::default() };
//!
//! let mut world = World::new(&scene).expect("a sound scene");
//! world.advance().expect("a healthy step");
//! assert_eq!(world.frame().particles[0].position.len(), 216);
//! ```

// Tests may ask any machine.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod cells;
mod clusters;
mod contact;
mod digest;
pub mod frame;
mod hash;
mod health;
mod lanes;
mod liquid;
mod neighbourhood;
mod neighbours;
pub mod objects;
mod parallel;
mod particles;
mod rest;
mod restore;
pub mod scene;
mod step;
pub mod suggest;
mod system;
mod world;

pub use frame::{Frame, Ledger, ObjectLedger, Particles, Pose, Surface, SystemLedger};
pub use lanes::{Eight, Work, with_avx2};
pub use restore::{Objects, Opening};
pub use scene::{Fault, Scene, Severity};
pub use step::Phase;
pub use world::{Failure, World};
