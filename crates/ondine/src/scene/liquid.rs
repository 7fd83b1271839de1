//! Liquids, where they come from and where they go.

use super::{Look, Placement, Preset, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A viscoelastic liquid. `material` names a preset; every value given beside it overrides the preset's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Liquid {
    /// What events, tracks, `--set` and the ledger call it. Must be unique. Required.
    pub name: String,
    /// The preset that the values below start from. Default "water".
    pub material: Preset,
    /// Distance between particles at rest [m]: the one knob for detail and cost. Default 0.02.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1000))]
    pub spacing: f32,
    /// Interaction radius h over the spacing. Default: in space 2.2, some 45 neighbours; in the plane 3, some 28.
    #[schemars(range(min = 1.5, max = 4))]
    pub support: Option<f32>,
    /// Rest density [kg/m³].
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 100000))]
    pub density: f32,
    /// How much the liquid may be squeezed or stretched at rest, as a fraction of its volume: its bottom is squeezed and its top
    /// stretched by so much. The engine chooses stiffness and steps from it. Default 0.02.
    #[schemars(range(min = 0.001, max = 0.5))]
    pub compression: f32,
    /// Bulk modulus [Pa]. Default: whatever `compression` demands.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: Option<f32>,
    /// Resistance to flow.
    pub viscosity: Viscosity,
    /// Surface tension [N/m].
    #[schemars(range(min = 0))]
    pub surface_tension: f32,
    /// Angle at which its surface meets objects, measured inside it [°]: below 90 it spreads on them, above it draws back. Objects may say
    /// otherwise. Of use where surface tension is.
    #[schemars(range(min = 0, max = 180))]
    pub contact_angle: f32,
    /// Elastic bonds between neighbouring particles.
    pub springs: Springs,
    /// Which relaxation keeps the volume, with the source's own parameters (`thesis`). Default "double".
    pub relaxation: Relaxation,
    /// The source method's own parameters. Given, they replace `support`, `compression` and all down to `springs`;
    /// `density` still says what a particle weighs.
    pub thesis: Option<Thesis>,
    /// Liquid that is there at the start.
    pub fill: Vec<Fill>,
    /// Liquid that comes in during the run.
    pub emitter: Vec<Emitter>,
    /// Drops that are let go during the run, here and there: rain.
    pub drops: Vec<Drops>,
    /// Seconds after which a particle vanishes [s]. Default: never.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub lifetime: Option<f32>,
    /// Colour in pictures, red, green and blue from 0 to 1.
    pub color: [f32; 3],
    /// How it looks in traced pictures.
    pub look: Look,
}

impl Liquid {
    /// Interaction radius over the spacing, in the plane or in space.
    ///
    /// How particles happen to be packed should not matter for their density; in the plane that takes a wider look, and costs little.
    pub fn support_in(&self, planar: bool) -> f32 {
        self.support.unwrap_or(if planar { 3.0 } else { 2.2 })
    }

    /// Interaction radius h [m].
    pub fn reach(&self, planar: bool) -> f32 {
        self.support_in(planar) * self.spacing
    }
}

impl Default for Liquid {
    fn default() -> Self {
        Preset::Water.liquid()
    }
}

/// Viscosity: impulses between neighbours that approach or recede.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Viscosity {
    /// Dynamic viscosity [Pa·s]: water 0.001, oil 0.1, honey 10.
    #[schemars(range(min = 0))]
    pub linear: f32,
    /// Resistance to fast collisions of particles, without unit: the quadratic coefficient β times h.
    /// Stops jets from passing through each other and leaves slow flow alone. Default 1.
    #[schemars(range(min = 0))]
    pub quadratic: f32,
}

impl Default for Viscosity {
    fn default() -> Self {
        Self { linear: 0.001, quadratic: 1.0 }
    }
}

/// Springs that appear, change length and vanish between neighbouring particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Springs {
    /// Shear modulus of the elastic response [Pa]. 0 means no springs. When it rises from 0, neighbours are
    /// bonded at their present distance: the liquid sets.
    #[schemars(range(min = 0))]
    pub stiffness: f32,
    /// How fast springs forget their rest length, α [1/s]. 0 is purely elastic.
    #[schemars(range(min = 0))]
    pub plasticity: f32,
    /// Strain below which nothing is forgotten, γ. 0 flows under any load; 0.1 holds its shape against gravity.
    #[schemars(range(min = 0, max = 0.9))]
    pub yield_ratio: f32,
}

impl Default for Springs {
    fn default() -> Self {
        Self { stiffness: 0.0, plasticity: 0.0, yield_ratio: 0.0 }
    }
}

/// How density is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relaxation {
    /// Density and near density: even spacing, surface tension.
    #[default]
    Double,
    /// Density alone: particles gather in clusters. For teaching.
    Single,
}

/// The method's own parameters, in metres and seconds, as the source prints them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Thesis {
    /// Interaction radius h [m].
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub h: f32,
    /// Stiffness of density k [m/s²].
    #[schemars(range(min = 0))]
    pub k: f32,
    /// Stiffness of near density [m/s²].
    #[schemars(range(min = 0))]
    pub k_near: f32,
    /// Rest value of the density sum ρ0, without unit.
    #[schemars(range(min = 0))]
    pub rho0: f32,
    /// Linear viscosity σ [1/s].
    #[schemars(range(min = 0))]
    pub sigma: f32,
    /// Quadratic viscosity β [1/m].
    #[schemars(range(min = 0))]
    pub beta: f32,
    /// Spring stiffness [1/s²].
    #[schemars(range(min = 0))]
    pub k_spring: f32,
    /// Plasticity α [1/s].
    #[schemars(range(min = 0))]
    pub alpha: f32,
    /// Yield ratio γ.
    #[schemars(range(min = 0, max = 0.9))]
    pub gamma: f32,
    /// Steps taken for one frame. Default 1, which at 30 frames a second is the source's own step.
    #[schemars(range(min = 1, max = 10000))]
    pub substeps: u32,
}

impl Default for Thesis {
    fn default() -> Self {
        Self {
            h: 1.0,
            k: 4.0,
            k_near: 10.0,
            rho0: 3.0,
            sigma: 0.0,
            beta: 0.0,
            k_spring: 0.0,
            alpha: 0.0,
            gamma: 0.0,
            substeps: 1,
        }
    }
}

/// A shape full of liquid at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fill {
    /// The shape to fill.
    pub shape: Shape,
    /// Centre of the shape [m]. Default the origin.
    #[serde(default)]
    pub at: [f32; 3],
    /// Rotation of the shape about x, then y, then z [°]. Default none.
    #[serde(default)]
    pub rotate: [f32; 3],
    /// Initial velocity [m/s]. Default at rest.
    #[serde(default)]
    pub velocity: [f32; 3],
    /// How the particles are laid out. Default "lattice".
    #[serde(default)]
    pub arrangement: Arrangement,
}

impl Fill {
    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

/// How a filled shape's particles are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// A regular square or cubic lattice.
    #[default]
    Lattice,
    /// Irregular but even (blue noise), with the same mass.
    Relaxed,
}

/// A mouth that liquid flows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Emitter {
    /// Form of the mouth. Default "disc".
    pub shape: EmitterShape,
    /// Radius of a disc [m]. Default 0.05. In a planar scene, half the width of the slit.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f32,
    /// Width and height of a rectangle [m]. Default [0.1, 0.1].
    pub size: [f32; 2],
    /// Centre of the mouth [m]. Default the origin.
    pub at: [f32; 3],
    /// Velocity of the liquid as it leaves [m/s]; the mouth faces this way. Default [0, -1, 0].
    pub velocity: [f32; 3],
    /// When it opens [s]. Default 0.
    #[schemars(range(min = 0))]
    pub start: f32,
    /// When it closes [s]. Default: never.
    pub stop: Option<f32>,
}

impl Default for Emitter {
    fn default() -> Self {
        Self {
            shape: EmitterShape::Disc,
            radius: 0.05,
            size: [0.1, 0.1],
            at: [0.0; 3],
            velocity: [0.0, -1.0, 0.0],
            start: 0.0,
            stop: None,
        }
    }
}

/// Form of an emitter's mouth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmitterShape {
    /// Round, of the given `radius`.
    #[default]
    Disc,
    /// Of the given `size`.
    Rectangle,
}

/// Drops that are let go at random places, one after the other. Where there is no room for one, it is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drops {
    /// Where they come from.
    pub shape: Shape,
    /// Centre of the shape [m]. Default the origin.
    #[serde(default)]
    pub at: [f32; 3],
    /// Rotation of the shape about x, then y, then z [°]. Default none.
    #[serde(default)]
    pub rotate: [f32; 3],
    /// Whether they come from anywhere in the shape or from its surface. Default "volume".
    #[serde(default)]
    pub from: DropsFrom,
    /// How many are let go in a second [1/s].
    #[schemars(range(min = 0))]
    pub rate: f32,
    /// Radius of a drop [m]. Default: single particles.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: Option<f32>,
    /// Velocity of a drop [m/s]. Default at rest.
    #[serde(default)]
    pub velocity: [f32; 3],
    /// Speed out of the surface, besides, of those that come from one [m/s]. Default 0.
    #[serde(default)]
    pub outward: f32,
    /// How much velocities differ, each way [m/s]. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub scatter: f32,
    /// When the first may come [s]. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub start: f32,
    /// When no more come [s]. Default: never.
    #[serde(default)]
    pub stop: Option<f32>,
}

impl Drops {
    /// Single particles from anywhere in a shape at the origin, at rest, so many a second.
    pub fn new(shape: Shape, rate: f32) -> Self {
        Self {
            shape,
            at: [0.0; 3],
            rotate: [0.0; 3],
            from: DropsFrom::Volume,
            rate,
            radius: None,
            velocity: [0.0; 3],
            outward: 0.0,
            scatter: 0.0,
            start: 0.0,
            stop: None,
        }
    }

    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }

    /// Highest speed that one may have [m/s].
    pub fn fastest(&self) -> f32 {
        let [x, y, z] = self.velocity;
        (x * x + y * y + z * z).sqrt() + self.outward.abs() + self.scatter
    }
}

/// Where drops come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DropsFrom {
    /// Anywhere in the shape.
    #[default]
    Volume,
    /// Anywhere on its surface, and outside of it.
    Surface,
}

/// A region that removes every particle that enters it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drain {
    /// What `--set` and messages call it. Must be unique.
    pub name: String,
    /// The region.
    pub shape: Shape,
    /// Centre of the region [m]. Default the origin.
    #[serde(default)]
    pub at: [f32; 3],
    /// Rotation about x, then y, then z [°]. Default none.
    #[serde(default)]
    pub rotate: [f32; 3],
    /// When it opens [s]. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub start: f32,
    /// When it closes [s]. Default: never.
    #[serde(default)]
    pub stop: Option<f32>,
}

impl Drain {
    /// Where the region stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}
