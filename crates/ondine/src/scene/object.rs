//! Rigid objects and the shapes they are made of.

use glam::{EulerRot, Quat, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rigid object that liquids touch. It does not move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Object {
    /// What events, tracks, `--set` and messages call it. Must be unique.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its centre [m]. Default the origin.
    #[serde(default)]
    pub at: [f32; 3],
    /// Rotation about x, then y, then z [°]. Default none.
    #[serde(default)]
    pub rotate: [f32; 3],
    /// Share of the sliding velocity that a contact takes away in a thirtieth of a second: 0 slips, 1 holds.
    /// Default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub friction: f32,
    /// Whether it is there at all; an event may take it away. Default true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Colour in pictures, red, green and blue from 0 to 1. Default a light grey.
    #[serde(default = "grey")]
    pub color: [f32; 3],
}

fn yes() -> bool {
    true
}

fn grey() -> [f32; 3] {
    [0.75, 0.74, 0.72]
}

impl Object {
    /// A fixed object with the defaults of everything but its name, shape and centre.
    pub fn new(name: impl Into<String>, shape: Shape, at: [f32; 3]) -> Self {
        Self { name: name.into(), shape, at, rotate: [0.0; 3], friction: 0.0, enabled: true, color: grey() }
    }

    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

/// The closed set of shapes. Each is centred on its own origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Everything behind a plane through `at`: a floor, a wall.
    HalfSpace {
        /// Direction away from the solid; need not be of length 1. [0, 1, 0] is a floor.
        normal: [f32; 3],
    },
    /// A solid block.
    Box {
        /// Length of its sides [m].
        size: [f32; 3],
    },
    /// The inside of a box: solid everywhere else.
    Container {
        /// Length of the inner sides [m].
        size: [f32; 3],
        /// Whether liquid may come in and out through the top (+y). Default false.
        #[serde(default)]
        open: bool,
    },
    /// A ball.
    Sphere {
        /// Radius [m].
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f32,
    },
    /// A rod along y with round ends.
    Capsule {
        /// Radius [m].
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f32,
        /// Length between the centres of its ends [m].
        #[schemars(range(min = 0))]
        height: f32,
    },
    /// A rod along y with flat ends.
    Cylinder {
        /// Radius [m].
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f32,
        /// Length [m].
        #[schemars(extend("exclusiveMinimum" = 0))]
        height: f32,
    },
}

/// A position and an orientation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Position of the shape's origin [m].
    pub at: Vec3,
    /// Orientation.
    pub rotation: Quat,
}

impl Placement {
    /// From a position [m] and angles about x, then y, then z [°].
    pub fn new(at: [f32; 3], degrees: [f32; 3]) -> Self {
        let [x, y, z] = degrees.map(f32::to_radians);
        // "Then" in fixed axes is the reverse order of products: z·y·x.
        let rotation =
            if degrees == [0.0; 3] { Quat::IDENTITY } else { Quat::from_euler(EulerRot::ZYX, z, y, x) };
        Self { at: at.into(), rotation }
    }

    /// A world point in the shape's own frame.
    #[inline]
    pub fn to_local(&self, p: Vec3) -> Vec3 {
        let p = p - self.at;
        // Most things stand upright, and this is asked of every particle in every step.
        if self.rotation == Quat::IDENTITY { p } else { self.rotation.inverse() * p }
    }

    /// A direction of the shape's own frame in the world.
    #[inline]
    pub fn to_world_direction(&self, d: Vec3) -> Vec3 {
        if self.rotation == Quat::IDENTITY { d } else { self.rotation * d }
    }

    /// A point of the shape's own frame in the world.
    pub fn to_world(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.at
    }
}
