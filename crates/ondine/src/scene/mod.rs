//! What a scene file says, as plain data in SI units.
//!
//! Everything here is inert: no method simulates, reads a file or allocates a particle. The same types serve the
//! scene text, the JSON Schema, the guide's reference and callers who build a scene in Rust: what there is to say of a value is
//! declared once (`description/`).

mod balls;
mod checks;
mod description;
mod edit;
mod effect;
mod effect_presets;
mod faults;
mod force;
mod lints;
mod liquid;
mod look;
mod member;
mod object;
mod presets;
mod shape;
mod timeline;

pub use balls::{Ball, BallArrangement, BallEmitter, BallFill, Balls, Pairwise};
pub(crate) use description::Described;
pub use description::{Declared, Description, Live, Range, Terms, figures};
pub(crate) use edit::added;
pub use edit::{Edit, Recorded};
pub use effect::{
    Attractor, AttractorLaw, Burst, ChildEvent, CurlNoise, Effect, EffectChild, EffectCollision,
    EffectEmitter, EffectLook, EffectPath, Encounter, Integrator, ParticleDrag, Sprite, SpriteBlend,
    Trajectory, Vortex, Wave,
};
pub use effect_presets::EffectPreset;
pub use faults::{Fault, Severity};
pub use force::{Drag, End, Spring};
pub use lints::Estimate;
pub use liquid::{
    Arrangement, Drain, Drops, DropsFrom, Emitter, EmitterShape, Fill, Liquid, LiquidModel, Relaxation, Sph,
    SphWalls, Springs, Thesis, Viscosity,
};
pub use look::{AnimatedCamera, Camera, Finish, Lamp, LampShape, Light, LiquidFinish, Look};
pub(crate) use member::Member;
pub use object::{Adhesion, Joint, JointKind, Motion, Object, Placement};
pub use presets::Preset;
pub use shape::{Blend, MeshFile, Model, Part, Shape};
pub use timeline::{Event, Interpolation, Scalar, Track, Value};
pub(crate) use timeline::{HasLive, component};

use crate::objects::Meshes;
use description::description;

description! {
    /// A whole scene: what there is, where, made of what, and what happens when.
    pub struct Scene {
        /// A name for people. Default "Untitled".
        pub title: String = "Untitled".into(),
        /// Length of the animation [s]. Default 4.
        pub duration: f32 [1e-6..=86_400] = 4.0,
        /// Frames a second of the animation [1/s]. Default 30.
        pub fps: f32 [1..=1000] = 30.0,
        /// 3 for space; 2 for a planar scene in the plane z = 0. Default 3.
        pub dimension: u32 [2..=3] = 3,
        /// Acceleration of everything that falls [m/s²]. Default [0, -9.81, 0]: y points up.
        pub gravity: [f32; 3] [-1e4..=1e4, live] = [0.0, -9.81, 0.0],
        /// Velocity of the air, for objects that have `drag` [m/s]. Default still.
        pub wind: [f32; 3] [-1000..=1000, live] = [0.0; 3],
        /// Density of the air, for objects that have a drag coefficient [kg/m³]. Default 1.2.
        pub air_density: f32 [0..=1e5] = 1.2,
        /// Chooses among the equally good random arrangements. Default 1.
        pub seed: u32 [0..=4_294_967_295.0] = 1,
        /// The most steps the engine may take for one frame. Fewer is faster and squashier. Default 400.
        pub max_substeps: u32 [1..=10_000] = 400,
        /// Whether a world that has come to rest is simulated no further until something changes. Default true.
        pub sleep: bool = true,
        /// Particles that leave this box are removed. Default: none, the world has no end.
        pub kill_box: Option<Bounds> = None,
        /// The liquids.
        pub liquid: Vec<Liquid> = Vec::new(),
        /// Rigid balls.
        pub balls: Vec<Balls> = Vec::new(),
        /// Particle effects.
        pub effect: Vec<Effect> = Vec::new(),
        /// Rigid things that liquids touch.
        pub object: Vec<Object> = Vec::new(),
        /// What holds objects together.
        pub joint: Vec<Joint> = Vec::new(),
        /// Springs and dampers that pull at objects.
        pub spring: Vec<Spring> = Vec::new(),
        /// Regions that swallow liquid.
        pub drain: Vec<Drain> = Vec::new(),
        /// Changes that happen at one instant.
        pub event: Vec<Event> = Vec::new(),
        /// Values that follow a curve over time.
        pub track: Vec<Track> = Vec::new(),
        /// Changes made from outside during a run, in order of their frames: how a session that was recorded is written down.
        pub edit: Vec<Recorded> = Vec::new(),
        /// Where pictures are taken from. Default: chosen to hold the whole scene.
        pub camera: Option<Camera> = None,
        /// Daylight.
        pub light: Light = Light::default(),
        /// Lamps beside the daylight.
        pub lamp: Vec<Lamp> = Vec::new(),
    } beside {
        /// The meshes that shapes name, once they have been read. Not part of a scene's text.
        #[serde(default)]
        #[schemars(skip)]
        pub meshes: Meshes,
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

description! {
    /// An axis-aligned box.
    #[derive(Copy)]
    pub struct Bounds {
        /// Lowest corner [m].
        pub min: [f32; 3] [-1e6..=1e6],
        /// Highest corner [m].
        pub max: [f32; 3] [-1e6..=1e6],
    }
}
