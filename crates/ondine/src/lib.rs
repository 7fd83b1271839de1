//! Ondine, the engine: what flows, in one deterministic world.
//!
//! ```
//! use ondine::{Scene, World};
//! use ondine::scene::{Fill, Liquid, Object, Preset, Shape};
//!
//! let mut water = Liquid::new("water", Preset::Water);
//! water.spacing = 0.05;
//! water.fill.push(Fill::new(Shape::Box { size: [0.3, 0.3, 0.3] }, [0.0, 0.5, 0.0]));
//! let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
//! let scene = Scene { liquid: vec![water], object: vec![floor], ..Default::default() };
//!
//! let mut world = World::new(&scene).expect("a sound scene");
//! world.advance().expect("a healthy step");
//! let water = world.system("liquid.water").expect("it is there");
//! assert_eq!(water.position.x.len(), 216);
//! ```
//!
//! A world is changed from outside by edits ([`World::edit`] and its helpers): checked like scene text, done as the next frame begins, and
//! recorded, so that the session can be written down as a scene ([`World::recorded_scene`]) that does the same, bit for bit.
//!
//! ```
//! # use ondine::{Scene, World};
//! # use ondine::scene::{Motion, Object, Shape};
//! # let mut ball = Object::new("ball", Shape::Sphere { radius: 0.1 }, [0.0; 3]);
//! # ball.motion = Motion::Free;
//! # let mut world = World::new(&Scene { object: vec![ball], ..Default::default() }).expect("a sound scene");
//! world.set("gravity.y", -1.6).expect("a live value");
//! world.push("ball", [0.0, 2.0, 0.0], None).expect("a free object");
//! let faults = world.set("gravity.up", 1.0).unwrap_err();
//! assert_eq!(faults[0].remedy, "did you mean `gravity.x`?");
//! # world.advance().expect("a healthy step");
//! # assert!(world.object("ball").expect("it is there").velocity[1] > 0.0);
//! ```

// Tests may ask any machine.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod balls;
mod cells;
mod chance;
mod clusters;
mod contact;
mod digest;
mod effects;
mod exits;
pub mod frame;
mod hash;
mod health;
mod integrate;
mod lanes;
mod liquid;
mod neighbourhood;
mod neighbours;
pub mod objects;
mod parallel;
mod particles;
mod power;
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
pub use system::SystemKind;
pub use world::{Failure, Hit, Impact, Nearby, Party, SystemView, Vectors, World};
