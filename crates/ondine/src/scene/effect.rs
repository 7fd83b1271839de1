//! Particle effects: where their particles come from, how they go, what becomes of them, and how they look.

use super::description::description;
use super::{DropsFrom, EffectPreset, Placement, Shape};

description! {
    /// Particles that are seen and may touch, but push nothing: smoke, sparks, snow. `preset` names an effect that people know; every value
    /// given beside it overrides the preset's.
    #[serde(default)]
    pub struct Effect called name {
        /// What events, tracks, `--set` and the ledger call it. Must be unique. Required.
        pub name: String,
        /// The preset that the values below start from. Default "plain".
        pub preset: EffectPreset,
        /// Where, when and how particles are born.
        pub emitter: EffectEmitter,
        /// How long a particle lives [s], from the change on that gives another one.
        pub life: f32 [1e-3..=1e5, live],
        /// How much shorter some live, as a fraction: with 0.5 lives are anything from half to whole.
        pub life_spread: f32 [0..=0.99, live],
        /// What moves them.
        pub trajectory: Trajectory,
        /// How forces become motion. Of use where the trajectory is "forces".
        pub integrator: Integrator,
        /// Steps taken for one frame. Default: as many as its forces need.
        pub substeps: Option<u32> [1..=10_000],
        /// Share of the scene's gravity that they feel: below 0 they rise.
        pub gravity: f32 [-1000..=1000, live],
        /// Velocity of the air [m/s], which drag draws them to.
        pub wind: [f32; 3] [-1e4..=1e4, live],
        /// How the air holds them.
        pub drag: ParticleDrag,
        /// Whether they go with the air, without inertia: their velocity is that of the air and what they were born with.
        pub carried: bool,
        /// Whirls in the air.
        pub vortex: Vec<Vortex>,
        /// Turbulence in the air.
        pub noise: CurlNoise,
        /// Places that draw them near, or drive them away.
        pub attractor: Vec<Attractor>,
        /// Paths that obey nobody. Of use where the trajectory is "path".
        pub path: EffectPath,
        /// What happens where they meet things.
        pub collision: EffectCollision,
        /// Effects that come of this one.
        pub child: Vec<EffectChild>,
        /// Radius over life: pairs of a share of life, from 0 to 1, and a radius [m].
        pub size: Vec<[f32; 2]>,
        /// How much smaller some are, as a fraction.
        pub size_spread: f32 [0..=0.99],
        /// Colour over life: a share of life, then red, green and blue from 0 to 1.
        pub color: Vec<[f32; 4]>,
        /// Opacity over life: pairs of a share of life and an opacity from 0 to 1.
        pub opacity: Vec<[f32; 2]>,
        /// Colours of which each that is born has one, by which its own is multiplied: those that are born at once have the same.
        pub tint: Vec<[f32; 3]>,
        /// How they turn in the plane of the picture [°/s].
        pub spin: f32 [-1e5..=1e5],
        /// How much that differs, each way [°/s].
        pub spin_spread: f32 [0..=100_000],
        /// How far they may be turned at birth, each way [°].
        pub turn: f32 [0..=180],
        /// How they look in pictures.
        pub look: EffectLook,
    }
}

impl Effect {
    /// An effect of a preset, with a name.
    pub fn new(name: impl Into<String>, preset: EffectPreset) -> Self {
        Self { name: name.into(), ..preset.effect() }
    }
}

impl Default for Effect {
    fn default() -> Self {
        EffectPreset::Plain.effect()
    }
}

description! {
    /// Where, when and how particles are born. Those of an effect that only comes of others are born where they happen to.
    pub struct EffectEmitter {
        /// Where they come from. Default: the box of this `size`.
        pub shape: Option<Shape> = None,
        /// Sides of the box that they come from, where no shape is given [m]. Default [0, 0, 0], a point.
        pub size: [f32; 3] [0..=1e6, live] = [0.0; 3],
        /// Centre of the shape, or the point [m]: in the frame of the object, if it is on one. Default the origin.
        pub at: [f32; 3] [-1e6..=1e6, live] = [0.0; 3],
        /// Rotation of the shape about x, then y, then z [°]. Default none.
        pub rotate: [f32; 3] [-1e6..=1e6] = [0.0; 3],
        /// Whether they come from anywhere in the shape or from its surface. Default "volume".
        pub from: DropsFrom = DropsFrom::Volume,
        /// The name of the object that it is fixed to: it goes and turns with it. Default: none.
        pub on: Option<String> = None,
        /// Share of the velocity of that object, or of the particle that they come of, that they are born with. Default 0.
        pub inherit: f32 [-10..=10, live] = 0.0,
        /// How often some are born in a second [1/s]: number n at n over it. Default 0.
        pub rate: f32 [0..=1e8, live] = 0.0,
        /// How many are born at once, in one place. Default 1.
        pub count: u32 [1..=1_000_000] = 1,
        /// Many at one instant, besides.
        pub burst: Vec<Burst> = Vec::new(),
        /// Direction that they leave in; need not be of length 1. Default [0, 1, 0].
        pub direction: [f32; 3] [-1e6..=1e6, live] = [0.0, 1.0, 0.0],
        /// Half the angle of the cone that they leave in [°]: 0 is a jet, 180 all around. Default 0.
        pub angle: f32 [0..=180, live] = 0.0,
        /// Speed that they leave with [m/s]. Default 0.
        pub speed: f32 [0..=10_000, live] = 0.0,
        /// How much slower some are, as a fraction. Default 0.
        pub speed_spread: f32 [0..=1, live] = 0.0,
        /// Speed out of the surface, besides, of those that come from one [m/s]. Default 0.
        pub outward: f32 [-1e4..=1e4, live] = 0.0,
        /// When the first may come [s]. Default 0.
        pub start: f32 [0..=1e6, live] = 0.0,
        /// When no more come [s]. Default: never.
        pub stop: Option<f32> [0..=1e6, live] = None,
    }
}

impl EffectEmitter {
    /// Where the shape stands, in the world or on the object.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

description! {
    /// Many particles at one instant.
    #[derive(Copy)]
    pub struct Burst {
        /// When [s].
        pub at: f32 [0..=1e6],
        /// How many times `count` are born.
        pub times: u32 [1..=16_000_000],
    }
}

description! {
    /// What moves particles.
    #[derive(Default)]
    pub enum Trajectory {
        /// Gravity alone: parabolas in closed form, which bounce off half-spaces at the very instant that they meet them.
        #[default]
        Ballistic,
        /// Gravity, air and attractors, step by step.
        Forces,
        /// A path of their own, from where they are born: straight on, waves, a curve, a random walk, and all of these together.
        Path,
    }
}

description! {
    /// How forces become motion, step by step.
    #[derive(Default)]
    pub enum Integrator {
        /// Drag, and whatever is constant in a step, exactly; the rest as it is halfway. Of second order.
        #[default]
        Exponential,
        /// Euler's: all as it is at the start of the step. Of first order, and gains energy.
        ExplicitEuler,
        /// The midpoint method, of Runge and Kutta: all as it is halfway, as explicit Euler sees that. Of second order.
        Midpoint,
        /// Implicit Euler: all as it is at the end of the step, which is solved for. Of first order, and loses energy.
        ImplicitEuler,
        /// Semi-implicit, or symplectic, Euler: velocity first, then places by the new velocity. Of first order, and keeps energy.
        SemiImplicitEuler,
    }
}

description! {
    /// How air holds what goes through it.
    #[derive(Copy)]
    pub struct ParticleDrag {
        /// Share of the velocity relative to the air that is lost in a second [1/s]: small or slow things. Default 0.
        pub linear: f32 [0..=10_000, live] = 0.0,
        /// The same for each metre of way [1/m]: large or fast things. What falls ends at √(g over it). Default 0.
        pub quadratic: f32 [0..=10_000, live] = 0.0,
    }
}

description! {
    /// A whirl in the air around a line.
    #[derive(Copy)]
    pub struct Vortex {
        /// A point of the line [m]. Default the origin.
        pub at: [f32; 3] [-1e6..=1e6, live] = [0.0; 3],
        /// Direction of the line, about which it turns as the fingers of the right hand do. Default [0, 1, 0].
        pub axis: [f32; 3] [-1e6..=1e6, live] = [0.0, 1.0, 0.0],
        /// Circulation [m²/s]: air at a distance r goes at it over 2πr. Default 1.
        pub circulation: f32 [-1e6..=1e6, live] = 1.0,
        /// Radius of the core [m], within which air is slower. Default 0.1.
        pub core: f32 [1e-3..=1e6, live] = 0.1,
    }
}

description! {
    /// Turbulence that neither gathers nor thins out what it carries: the curl of a random field.
    #[derive(Copy)]
    pub struct CurlNoise {
        /// Root of the mean square of its velocity [m/s]. Default 0: none.
        pub speed: f32 [0..=10_000, live] = 0.0,
        /// Size of its whirls [m]. Default 0.5.
        pub scale: f32 [1e-3..=1e6] = 0.5,
        /// How often it becomes another in a second [1/s]. Default 0.5.
        pub rate: f32 [0..=1000] = 0.5,
    }
}

description! {
    /// A place that draws particles near.
    #[derive(Copy)]
    pub struct Attractor {
        /// Where it is [m]. Default the origin.
        pub at: [f32; 3] [-1e6..=1e6, live] = [0.0; 3],
        /// How it depends on the distance. Default "spring".
        pub law: AttractorLaw = AttractorLaw::Spring,
        /// How strong it is: of a spring the acceleration for each metre [1/s²]; else the acceleration at one metre. Below 0 it drives away.
        /// Default 1.
        pub strength: f32 [-1e6..=1e6, live] = 1.0,
        /// Distance below which it is weaker, unless it is a spring [m]. Default 0.1.
        pub core: f32 [1e-3..=1e6, live] = 0.1,
    }
}

description! {
    /// How an attractor depends on the distance.
    #[derive(Default)]
    pub enum AttractorLaw {
        /// As the distance: a spring.
        #[default]
        Spring,
        /// As one over its square: a planet.
        InverseSquare,
    }
}

description! {
    /// A path that obeys no force.
    pub struct EffectPath {
        /// Waves, which add up.
        pub wave: Vec<Wave> = Vec::new(),
        /// Points that it passes, evenly over life, as ways from where a particle is born [m]. Default: none.
        pub through: Vec<[f32; 3]> = Vec::new(),
        /// How far a random walk leads in the first second, each way, on the average [m]. Default 0: none.
        pub walk: f32 [0..=1e6] = 0.0,
    }
}

description! {
    /// One sinusoid of a path.
    #[derive(Copy)]
    pub struct Wave {
        /// How far it leads, along each axis [m]. Default [0, 0.1, 0].
        pub amplitude: [f32; 3] [-1e6..=1e6] = [0.0, 0.1, 0.0],
        /// How often it comes back in a second [1/s]. Default 1.
        pub frequency: f32 [0..=1000] = 1.0,
        /// Where in its course it begins, along each axis [°]. Default none.
        pub phase: [f32; 3] [-1e6..=1e6] = [0.0; 3],
        /// How far particles differ in that, as a share of a whole turn. Default 0.
        pub spread: f32 [0..=1] = 0.0,
    }
}

description! {
    /// What happens where particles meet things. They push nothing.
    #[derive(Copy)]
    pub struct EffectCollision {
        /// Distance from a surface at which they meet it [m]. Default 0.01.
        pub radius: f32 [1e-4..=1000] = 0.01,
        /// What objects do to them. Default "pass".
        pub objects: Encounter = Encounter::Pass,
        /// What the surfaces of liquids and balls do to them. Default "pass".
        pub systems: Encounter = Encounter::Pass,
        /// Share of the approach velocity that an impact gives back. Default 0.5.
        pub restitution: f32 [0..=1, live] = 0.5,
        /// Share of the sliding velocity that an impact takes away. Default 0.1.
        pub friction: f32 [0..=1, live] = 0.1,
    }
}

description! {
    /// What happens to a particle that meets something.
    #[derive(Default)]
    pub enum Encounter {
        /// Nothing: it goes on.
        #[default]
        Pass,
        /// It bounces off.
        Bounce,
        /// It stays where it is, on whatever it met, as long as it lives.
        Stick,
        /// It ends.
        Die,
    }
}

description! {
    /// Particles of another effect that come of what happens to those of this one. Where they go and how fast says the emitter of that effect;
    /// they are born at the very instant and place.
    pub struct EffectChild {
        /// The name of the effect.
        pub effect: String,
        /// What they come of.
        pub on: ChildEvent,
        /// How many come of it; of a trail, at once. Default 1.
        #[serde(default = "one")]
        pub count: u32 [1..=1_000_000],
        /// How many come in a second of a trail [1/s]. Default 30.
        #[serde(default = "thirty")]
        pub rate: f32 [0..=1e6, live],
    }
}

fn one() -> u32 {
    1
}

fn thirty() -> f32 {
    30.0
}

description! {
    /// What happens to a particle.
    pub enum ChildEvent {
        /// It is born.
        Birth,
        /// Its life ends, by age or because it met something.
        Death,
        /// It meets something.
        Impact,
        /// It lives: they are left behind along its way.
        Trail,
    }
}

description! {
    /// How an effect looks. Its preset gives the values; those given here override them.
    #[derive(Copy)]
    #[serde(default)]
    pub struct EffectLook {
        /// What each particle is drawn as.
        pub sprite: Sprite,
        /// How they cover what is behind them.
        pub blend: SpriteBlend,
        /// Whether the light of sun, sky and lamps falls on them: if not, only what they give off is seen.
        pub lit: bool,
        /// Light that they give off in their own colour, in multiples of a white wall's in the sun.
        pub glow: f32 [0..=1000],
        /// Time for which a streak shows the way of a particle [s]: its length is the velocity times this.
        pub exposure: f32 [0..=10],
    }
}

impl Default for EffectLook {
    fn default() -> Self {
        EffectPreset::Plain.effect().look
    }
}

description! {
    /// What a particle is drawn as. All face the camera.
    #[derive(Default)]
    pub enum Sprite {
        /// A round patch, dense in the middle, with soft edges.
        #[default]
        Disc,
        /// A line along the velocity, soft at its sides and behind.
        Streak,
        /// A puff of smoke: round, billowing, soft.
        Puff,
        /// A tongue of fire, its tip up.
        Flame,
        /// A snow flake with six arms.
        Flake,
        /// A star with rays.
        Spark,
        /// A small ball, shaded as one, with a sharp edge.
        Ball,
    }
}

description! {
    /// How particles cover what is behind them.
    #[derive(Default)]
    pub enum SpriteBlend {
        /// Their light is added to what is behind: fire.
        Additive,
        /// They hide what is behind by their opacity: smoke.
        #[default]
        Over,
    }
}
