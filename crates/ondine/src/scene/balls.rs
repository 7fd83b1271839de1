//! Rigid balls, where they come from and how they meet.

use super::description::description;
use super::{DropsFrom, Finish, Placement, Shape};

description! {
    /// Rigid balls: marbles, hail, fruit, gravel. They meet each other, objects and liquids.
    pub struct Balls called name {
        /// What events, tracks, `--set` and the ledger call them. Must be unique. Required.
        pub name: String = String::new(),
        /// Radius of a ball [m], of the largest where they differ. Default 0.05.
        pub radius: f32 [1e-5..=1000] = 0.05,
        /// How much smaller than that the smallest is, as a fraction: with 0.5 radii are anything from half to whole. Default 0: all alike.
        pub spread: f32 [0..=0.9] = 0.0,
        /// Density [kg/m³]: below a liquid's they float in it. Default 500, half that of water.
        pub density: f32 [1e-3..=1e5] = 500.0,
        /// Coefficient of dry friction against other balls and objects, of which the mean counts. Default 0.5.
        pub friction: f32 [0..=10, live] = 0.5,
        /// Share of the approach velocity that an impact gives back: 0 does not bounce, 1 does not tire. Of two that meet, the bouncier counts.
        /// Default 0.3.
        pub restitution: f32 [0..=1, live] = 0.3,
        /// Rolling resistance: the torque that rolling meets, over the load times the radius. Default 0: they roll for ever.
        pub rolling: f32 [0..=1, live] = 0.0,
        /// Share of the sliding velocity that they take away from liquid in a thirtieth of a second: 0 slips, 1 holds. Default 0.
        pub drag: f32 [0..=1, live] = 0.0,
        /// Single balls that are there at the start.
        pub ball: Vec<Ball> = Vec::new(),
        /// Shapes full of balls at the start.
        pub fill: Vec<BallFill> = Vec::new(),
        /// Balls that come in during the run.
        pub emitter: Vec<BallEmitter> = Vec::new(),
        /// Seconds after which a ball vanishes [s]. Default: never.
        pub lifetime: Option<f32> [1e-6..=1e6, live] = None,
        /// The source's own scheme, pair after pair, instead of the solver that makes piles. All balls of a scene go by one.
        pub pairwise: Option<Pairwise> = None,
        /// Colour in pictures, red, green and blue from 0 to 1. Default a warm red.
        pub color: [f32; 3] [0..=1] = [0.75, 0.2, 0.12],
        /// What their surface is like in traced pictures. Default "plastic".
        pub finish: Finish = Finish::Plastic,
        /// How blurred reflections in them are: 0 mirrors, 1 has none to speak of. Not for matte ones. Default 0.2.
        pub roughness: f32 [0..=1] = 0.2,
    }
}

description! {
    /// One ball.
    #[derive(Copy)]
    pub struct Ball {
        /// Its centre [m]. Default the origin.
        pub at: [f32; 3] [-1e6..=1e6] = [0.0; 3],
        /// Its velocity at the start [m/s]. Default at rest.
        pub velocity: [f32; 3] [-1e4..=1e4] = [0.0; 3],
        /// Its rotation about each axis at the start [°/s]. Default none.
        pub spin: [f32; 3] [-1e6..=1e6] = [0.0; 3],
        /// Its radius [m]. Default that of its kind.
        pub radius: Option<f32> [1e-5..=1000] = None,
        /// Its mass [kg]; per metre of depth in a planar scene. Default: its volume times its density.
        pub mass: Option<f32> [1e-9..=1e12] = None,
    }
}

description! {
    /// A shape full of balls at the start.
    pub struct BallFill {
        /// The shape to fill: no ball sticks out of it.
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
        /// How the balls are laid out. Default "packed".
        #[serde(default)]
        pub arrangement: BallArrangement,
        /// The most balls. Default: as many as there is room for.
        #[serde(default)]
        pub count: Option<u32> [1..=5_000_000.0],
    }
}

impl BallFill {
    /// A shape packed with balls at rest.
    pub fn new(shape: Shape, at: [f32; 3]) -> Self {
        let arrangement = BallArrangement::Packed;
        Self { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement, count: None }
    }

    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

description! {
    /// How a shape is filled with balls.
    #[derive(Default)]
    pub enum BallArrangement {
        /// As close as the largest go: layers, each in the hollows of the one below.
        #[default]
        Packed,
        /// Here and there, with room around each, as if thrown in: some third of the room of the shape.
        Scattered,
    }
}

description! {
    /// Balls that are let go at random places, one after the other. Where there is no room for one, it is left out.
    pub struct BallEmitter {
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
        pub rate: f32 [0..=1e6, live],
        /// Velocity of a ball [m/s]. Default at rest.
        #[serde(default)]
        pub velocity: [f32; 3] [-1e4..=1e4, live],
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

impl BallEmitter {
    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }

    /// Highest speed that one may have [m/s].
    pub fn fastest(&self) -> f32 {
        let [x, y, z] = self.velocity;
        (x * x + y * y + z * z).sqrt() + self.scatter
    }
}

description! {
    /// The source's scheme: whatever overlaps is dealt with pair by pair, without spin.
    #[derive(Copy)]
    pub struct Pairwise {
        /// α: what an impact leaves of the velocity along a wall, and of a pair's own velocities. Default 1: nothing rubs.
        pub friction: f32 [0..=1, live] = 1.0,
        /// β: what an impact gives back. Default 1: nothing is lost.
        pub impact: f32 [0..=1, live] = 1.0,
        /// γ: what a contact that rests leaves of velocities. Default 0.9.
        pub resting: f32 [0..=1, live] = 0.9,
        /// ε: speed of an approach up to which a contact rests [m/s]. Default 0.05.
        pub threshold: f32 [0..=1000, live] = 0.05,
        /// How often all pairs are gone through in a step. Default 4.
        pub passes: u32 [1..=1000] = 4,
        /// Steps taken for one frame. Default 8.
        pub substeps: u32 [1..=10_000] = 8,
        /// Whether impacts are met at their own instant, by going back in time, and not where things already overlap. Default true.
        pub swept: bool = true,
    }
}
