//! Liquids, where they come from and where they go.

use super::description::description;
use super::{Look, Placement, Preset, Shape};
use crate::power::Power;

description! {
    /// A viscoelastic liquid. `material` names a preset; every value given beside it overrides the preset's.
    #[serde(default)]
    pub struct Liquid called name {
        /// What events, tracks, `--set` and the ledger call it. Must be unique. Required.
        pub name: String,
        /// The preset that the values below start from. Default "water".
        pub material: Preset,
        /// Distance between particles at rest [m]: the one knob for detail and cost. Default 0.02.
        pub spacing: f32 [1e-6..=1000],
        /// Interaction radius h over the spacing. Default: in space 2.2, some 45 neighbours; in the plane 3, some 28.
        pub support: Option<f32> [1.5..=4],
        /// Rest density [kg/m³].
        pub density: f32 [1e-3..=1e5, live],
        /// How much the liquid may be squeezed or stretched at rest, as a fraction of its volume: its bottom is squeezed and its top
        /// stretched by so much. The engine chooses stiffness and steps from it. Default 0.02.
        pub compression: f32 [0.001..=0.5, live],
        /// Bulk modulus [Pa]. Default: whatever `compression` demands.
        pub stiffness: Option<f32> [1e-6..=1e12, live],
        /// Resistance to flow.
        pub viscosity: Viscosity,
        /// Surface tension [N/m].
        pub surface_tension: f32 [0..=1e6, live],
        /// Angle at which its surface meets objects, measured inside it [°]: below 90 it spreads on them, above it draws back. Objects may say
        /// otherwise. Of use where surface tension is.
        pub contact_angle: f32 [0..=180, live],
        /// Elastic bonds between neighbouring particles.
        pub springs: Springs,
        /// How the liquid keeps its volume. Default "viscoelastic".
        pub model: LiquidModel,
        /// Numbers of the models "sph" and "dfsph".
        pub sph: Sph,
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
        pub lifetime: Option<f32> [1e-6..=1e6, live],
        /// Colour in pictures, red, green and blue from 0 to 1.
        pub color: [f32; 3] [0..=1],
        /// How it looks in traced pictures.
        pub look: Look,
    }
}

impl Liquid {
    /// A liquid of a material, with a name: no fill, default spacing.
    pub fn new(name: impl Into<String>, material: Preset) -> Self {
        Self { name: name.into(), ..material.liquid() }
    }

    /// Interaction radius over the spacing, in the plane or in space.
    ///
    /// How particles happen to be packed should not matter for their density; in the plane that takes a wider look, and costs little.
    pub fn support_in(&self, planar: bool) -> f32 {
        let given = self.sph.h.filter(|_| self.model != LiquidModel::Viscoelastic);
        match given {
            Some(h) => h / self.spacing,
            None => self.support.unwrap_or(match (planar, self.model) {
                (true, LiquidModel::Sph) => 2.0,
                (true, _) => 3.0,
                (false, _) => 2.2,
            }),
        }
    }

    /// Density at rest [kg/m³].
    pub fn rest_density(&self) -> f32 {
        self.sph.rho0.filter(|_| self.model == LiquidModel::Sph).unwrap_or(self.density)
    }

    /// Surface tension [N/m]: the model "sph" has none.
    pub fn tension(&self) -> f32 {
        if self.model == LiquidModel::Sph { 0.0 } else { self.surface_tension }
    }

    /// Mass of one particle [kg]; in the plane, of a slice one metre thick.
    pub fn particle_mass(&self, planar: bool) -> f64 {
        let size = (self.spacing as f64).power(if planar { 2 } else { 3 });
        let given = self.sph.m.filter(|_| self.model == LiquidModel::Sph);
        given.map_or(self.rest_density() as f64 * size, |m| m as f64)
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

description! {
    /// Viscosity: impulses between neighbours that approach or recede.
    #[derive(Copy)]
    pub struct Viscosity {
        /// Dynamic viscosity [Pa·s]: water 0.001, oil 0.1, honey 10.
        pub linear: f32 [0..=1e9, live] = 0.001,
        /// Resistance to fast collisions of particles, without unit: the quadratic coefficient β times h.
        /// Stops jets from passing through each other and leaves slow flow alone. Default 1.
        pub quadratic: f32 [0..=1e6, live] = 1.0,
    }
}

description! {
    /// Springs that appear, change length and vanish between neighbouring particles.
    #[derive(Copy)]
    pub struct Springs {
        /// Shear modulus of the elastic response [Pa]. 0 means no springs. When it rises from 0, neighbours are
        /// bonded at their present distance: the liquid sets.
        pub stiffness: f32 [0..=1e12, live] = 0.0,
        /// How fast springs forget their rest length, α [1/s]. 0 is purely elastic.
        pub plasticity: f32 [0..=1e6, live] = 0.0,
        /// Strain below which nothing is forgotten, γ. 0 flows under any load; 0.1 holds its shape against gravity.
        pub yield_ratio: f32 [0..=0.9, live] = 0.0,
    }
}

description! {
    /// How a liquid keeps its volume.
    #[derive(Default)]
    pub enum LiquidModel {
        /// Pressure from an energy of the density; springs and everything else on this page.
        #[default]
        Viscoelastic,
        /// Smoothed particle hydrodynamics as first taught: p = K(ρ − ρ0), viscosity, an explicit step. For teaching.
        Sph,
        /// Incompressible SPH: pressure is solved for, until the density is right. The error is bounded (`sph.density_error`), and
        /// steps are as long as the flow allows.
        Dfsph,
    }
}

description! {
    /// Numbers of the SPH models. What is not given follows from `spacing` and `material`.
    #[derive(Copy)]
    pub struct Sph {
        /// Stiffness K of "sph": pressure is K(ρ − ρ0) [m²/s²]. Sound runs at √(K/2), which must be well above the speed of the flow.
        /// Default: whatever `compression` demands.
        pub k: Option<f32> [1e-6..=1e12, live] = None,
        /// Viscosity μ of "sph" [Pa·s]. Default `viscosity.linear`, or as much as particles need to come to rest.
        pub mu: Option<f32> [0..=1e9, live] = None,
        /// Rest density ρ0 of "sph" [kg/m³]. Default `density`.
        pub rho0: Option<f32> [1e-3..=1e5, live] = None,
        /// Interaction radius h [m]. Default `support` times `spacing`.
        pub h: Option<f32> [1e-6..=8000] = None,
        /// Mass m of a particle of "sph" [kg]; in a planar scene, of a slice one metre thick. Default ρ0 times the cube, or square, of the
        /// spacing.
        pub m: Option<f32> [1e-15..=1e15] = None,
        /// Whether pressure of "sph" is negative where the density is below ρ0, as the source has it: particles at a surface then draw
        /// together, the harder the larger K is. Default false: there it is 0.
        pub suction: bool [live] = false,
        /// What walls are to "sph". Default "mirrors".
        pub walls: SphWalls = SphWalls::Mirrors,
        /// Mean excess of density that "dfsph" leaves, as a fraction. Default 0.001.
        pub density_error: f32 [1e-5..=0.1, live] = 0.001,
    }
}

description! {
    /// What walls are to particles of the model "sph".
    #[derive(Default)]
    pub enum SphWalls {
        /// They show images of the liquid, which press like it: densities at walls are right, and things float.
        #[default]
        Mirrors,
        /// Particles see nothing in them and bounce, as in the source's exercise.
        Bounce,
    }
}

description! {
    /// How density is kept.
    #[derive(Default)]
    pub enum Relaxation {
        /// Density and near density: even spacing, surface tension.
        #[default]
        Double,
        /// Density alone: particles gather in clusters. For teaching.
        Single,
    }
}

description! {
    /// The method's own parameters, in metres and seconds, as the source prints them.
    #[derive(Copy)]
    pub struct Thesis {
        /// Interaction radius h [m].
        pub h: f32 [1e-6..=8000] = 1.0,
        /// Stiffness of density k [m/s²].
        pub k: f32 [0..=1e9, live] = 4.0,
        /// Stiffness of near density [m/s²].
        pub k_near: f32 [0..=1e9, live] = 10.0,
        /// Rest value of the density sum ρ0, without unit.
        pub rho0: f32 [0..=1e6, live] = 3.0,
        /// Linear viscosity σ [1/s].
        pub sigma: f32 [0..=1e9, live] = 0.0,
        /// Quadratic viscosity β [1/m].
        pub beta: f32 [0..=1e9, live] = 0.0,
        /// Spring stiffness [1/s²].
        pub k_spring: f32 [0..=1e12, live] = 0.0,
        /// Plasticity α [1/s].
        pub alpha: f32 [0..=1e6, live] = 0.0,
        /// Yield ratio γ.
        pub gamma: f32 [0..=0.9, live] = 0.0,
        /// Steps taken for one frame. Default 1, which at 30 frames a second is the source's own step.
        pub substeps: u32 [1..=10_000] = 1,
    }
}

description! {
    /// A shape full of liquid at the start.
    pub struct Fill {
        /// The shape to fill.
        pub shape: Shape,
        /// Centre of the shape [m]. Default the origin.
        #[serde(default)]
        pub at: [f32; 3] [-1e6..=1e6],
        /// Rotation of the shape about x, then y, then z [°]. Default none.
        #[serde(default)]
        pub rotate: [f32; 3] [-1e6..=1e6],
        /// Initial velocity [m/s]. Default at rest.
        #[serde(default)]
        pub velocity: [f32; 3] [-1e4..=1e4],
        /// How the particles are laid out. Default "lattice".
        #[serde(default)]
        pub arrangement: Arrangement,
    }
}

impl Fill {
    /// A shape full of liquid at a place [m], upright and at rest.
    pub fn new(shape: Shape, at: [f32; 3]) -> Self {
        Self { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Arrangement::Lattice }
    }

    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

description! {
    /// How a filled shape's particles are laid out.
    #[derive(Default)]
    pub enum Arrangement {
        /// A regular square or cubic lattice.
        #[default]
        Lattice,
        /// Irregular but even (blue noise), with the same mass.
        Relaxed,
    }
}

description! {
    /// A nozzle that liquid flows from.
    pub struct Emitter {
        /// Form of the nozzle. Default "disc".
        pub shape: EmitterShape = EmitterShape::Disc,
        /// Radius of a disc [m]. Default 0.05. In a planar scene, half the width of the slit.
        pub radius: f32 [1e-6..=1e6] = 0.05,
        /// Width and height of a rectangle [m]. Default [0.1, 0.1].
        pub size: [f32; 2] [1e-6..=1e6] = [0.1, 0.1],
        /// Centre of the nozzle [m]. Default the origin.
        pub at: [f32; 3] [-1e6..=1e6] = [0.0; 3],
        /// Velocity of the liquid as it leaves [m/s]; the nozzle faces this way. Default [0, -1, 0].
        pub velocity: [f32; 3] [-1e4..=1e4, live] = [0.0, -1.0, 0.0],
        /// When it opens [s]. Default 0.
        pub start: f32 [0..=1e6, live] = 0.0,
        /// When it closes [s]. Default: never.
        pub stop: Option<f32> [0..=1e6, live] = None,
    }
}

description! {
    /// Form of an emitter's nozzle.
    #[derive(Default)]
    pub enum EmitterShape {
        /// Round, of the given `radius`.
        #[default]
        Disc,
        /// Of the given `size`.
        Rectangle,
    }
}

description! {
    /// Drops that are let go at random places, one after the other. Where there is no room for one, it is left out.
    pub struct Drops {
        /// Where they come from.
        pub shape: Shape,
        /// Centre of the shape [m]. Default the origin.
        #[serde(default)]
        pub at: [f32; 3] [-1e6..=1e6, live],
        /// Rotation of the shape about x, then y, then z [°]. Default none.
        #[serde(default)]
        pub rotate: [f32; 3] [-1e6..=1e6],
        /// Whether they come from anywhere in the shape or from its surface. Default "volume".
        #[serde(default)]
        pub from: DropsFrom,
        /// How many are let go in a second [1/s].
        pub rate: f32 [0..=1e9, live],
        /// Radius of a drop [m]. Default: single particles.
        #[serde(default)]
        pub radius: Option<f32> [1e-6..=1e6, live],
        /// Velocity of a drop [m/s]. Default at rest.
        #[serde(default)]
        pub velocity: [f32; 3] [-1e4..=1e4, live],
        /// Speed out of the surface, besides, of those that come from one [m/s]. Default 0.
        #[serde(default)]
        pub outward: f32 [-1e4..=1e4, live],
        /// How much velocities differ, each way [m/s]. Default 0.
        #[serde(default)]
        pub scatter: f32 [0..=10_000, live],
        /// When the first may come [s]. Default 0.
        #[serde(default)]
        pub start: f32 [0..=1e6, live],
        /// When no more come [s]. Default: never.
        #[serde(default)]
        pub stop: Option<f32> [0..=1e6, live],
    }
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

description! {
    /// Where drops come from.
    #[derive(Default)]
    pub enum DropsFrom {
        /// Anywhere in the shape.
        #[default]
        Volume,
        /// Anywhere on its surface, and outside of it.
        Surface,
    }
}

description! {
    /// A region that removes every particle that enters it.
    pub struct Drain called name {
        /// What `--set` and messages call it. Must be unique.
        pub name: String,
        /// The region.
        pub shape: Shape,
        /// Centre of the region [m]. Default the origin.
        #[serde(default)]
        pub at: [f32; 3] [-1e6..=1e6],
        /// Rotation about x, then y, then z [°]. Default none.
        #[serde(default)]
        pub rotate: [f32; 3] [-1e6..=1e6],
        /// When it opens [s]. Default 0.
        #[serde(default)]
        pub start: f32 [0..=1e6],
        /// When it closes [s]. Default: never.
        #[serde(default)]
        pub stop: Option<f32> [0..=1e6],
    }
}

impl Drain {
    /// Where the region stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}
