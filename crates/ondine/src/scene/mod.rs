//! What a scene file says, as plain data in SI units.
//!
//! Everything here is inert: no method simulates, reads a file or allocates a particle. The same types serve the
//! scene text, the JSON Schema, the guide's reference and callers who build a scene in Rust, so each default is
//! written in exactly one place.

mod checks;
mod faults;
mod lints;
mod liquid;
mod look;
mod object;
mod presets;
mod shape;
mod timeline;

pub use faults::{Fault, Severity};
pub use lints::Estimate;
pub use liquid::{
    Arrangement, Drain, Drops, DropsFrom, Emitter, EmitterShape, Fill, Liquid, Relaxation, Springs, Thesis,
    Viscosity,
};
pub use look::{Camera, Finish, Lamp, LampShape, Light, LiquidFinish, Look};
pub use object::{Adhesion, Joint, JointKind, Motion, Object, Placement};
pub use presets::Preset;
pub use shape::{Blend, MeshFile, Model, Part, Shape};
pub use timeline::{Event, Interpolation, Scalar, Track, Value};
pub(crate) use timeline::{HasLive, vector};

use crate::objects::Meshes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A whole scene: what there is, where, made of what, and what happens when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Scene {
    /// A name for people. Default "Untitled".
    pub title: String,
    /// Length of the animation [s]. Default 4.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 86400))]
    pub duration: f32,
    /// Frames a second of the animation [1/s]. Default 30.
    #[schemars(range(min = 1, max = 1000))]
    pub fps: f32,
    /// 3 for space; 2 for a planar scene in the plane z = 0. Default 3.
    #[schemars(range(min = 2, max = 3))]
    pub dimension: u32,
    /// Acceleration of everything that falls [m/s²]. Default [0, -9.81, 0]: y points up.
    pub gravity: [f32; 3],
    /// Chooses among the equally good random arrangements. Default 1.
    pub seed: u32,
    /// The most steps the engine may take for one frame. Fewer is faster and squashier. Default 400.
    #[schemars(range(min = 1, max = 10000))]
    pub max_substeps: u32,
    /// Whether a world that has come to rest is simulated no further until something changes. Default true.
    pub sleep: bool,
    /// Particles that leave this box are removed. Default: none, the world has no end.
    pub kill_box: Option<Bounds>,
    /// The liquids.
    pub liquid: Vec<Liquid>,
    /// Rigid things that liquids touch.
    pub object: Vec<Object>,
    /// What holds objects together.
    pub joint: Vec<Joint>,
    /// Regions that swallow liquid.
    pub drain: Vec<Drain>,
    /// Changes that happen at one instant.
    pub event: Vec<Event>,
    /// Values that follow a curve over time.
    pub track: Vec<Track>,
    /// Where pictures are taken from. Default: chosen to hold the whole scene.
    pub camera: Option<Camera>,
    /// Daylight.
    pub light: Light,
    /// Lamps beside the daylight.
    pub lamp: Vec<Lamp>,
    /// The meshes that shapes name, once they have been read. Not part of a scene's text.
    #[serde(default)]
    #[schemars(skip)]
    pub meshes: Meshes,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: "Untitled".into(),
            duration: 4.0,
            fps: 30.0,
            dimension: 3,
            gravity: [0.0, -9.81, 0.0],
            seed: 1,
            max_substeps: 400,
            sleep: true,
            kill_box: None,
            liquid: Vec::new(),
            object: Vec::new(),
            joint: Vec::new(),
            drain: Vec::new(),
            event: Vec::new(),
            track: Vec::new(),
            camera: None,
            light: Light::default(),
            lamp: Vec::new(),
            meshes: Meshes::default(),
        }
    }
}

impl Scene {
    /// Number of frames after the first still one: `duration × fps`, rounded, at least 1.
    pub fn frames(&self) -> u32 {
        ((self.duration as f64 * self.fps as f64).round() as u32).max(1)
    }

    /// Whether the scene is planar.
    pub fn planar(&self) -> bool {
        self.dimension == 2
    }
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// Lowest corner [m].
    pub min: [f32; 3],
    /// Highest corner [m].
    pub max: [f32; 3],
}
