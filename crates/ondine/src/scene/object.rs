//! Rigid objects, what moves them and what holds them together.

use super::description::{Condition, Terms, description};
use super::{Drag, Finish, Shape};
use glam::{EulerRot, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What moves by itself is told how to.
const MOVING: Condition<Object> = Condition {
    holds: |object| object.motion == Motion::Moving,
    terms: Terms {
        word: "if moving",
        remedy: "write motion = \"moving\" in the object, or remove this",
        jumps: true,
    },
};

/// And where it is, step by step: a jump would tear it through what is in its way.
const GLIDING: Condition<Object> = Condition { terms: Terms { jumps: false, ..MOVING.terms }, ..MOVING };

/// What is pushed must be able to move.
const FREE: Condition<Object> = Condition {
    holds: |object| object.motion == Motion::Free,
    terms: Terms {
        word: "if free",
        remedy: "write motion = \"free\" in the object, or remove this",
        jumps: true,
    },
};

description! {
    /// A rigid object that liquids touch.
    pub struct Object called name {
        /// What events, tracks, `--set` and messages call it. Must be unique.
        pub name: String,
        /// Its shape.
        pub shape: Shape,
        /// Where its origin is [m]; where it starts, if it moves. Default the origin.
        #[serde(default)]
        pub at: [f32; 3] [-1e6..=1e6, live if GLIDING],
        /// Rotation about x, then y, then z [°]; at the start, if it moves. Default none.
        #[serde(default)]
        pub rotate: [f32; 3] [-1e6..=1e6, live if GLIDING],
        /// What moves it. Default "fixed".
        #[serde(default)]
        pub motion: Motion,
        /// Velocity [m/s]: of its origin and for ever if it is moving, of its centre of mass at the start if it is free.
        /// Default at rest.
        #[serde(default)]
        pub velocity: [f32; 3] [-1e4..=1e4, live if MOVING],
        /// Rotation about each axis [°/s]: for ever if it is moving, at the start if it is free. Default none.
        #[serde(default)]
        pub spin: [f32; 3] [-1e5..=1e5, live if MOVING],
        /// Density of a free object [kg/m³]. Default 500, half that of water.
        #[serde(default = "half_of_water")]
        pub density: f32 [1e-3..=1e5],
        /// Mass of a free object [kg]; per metre of depth in a planar scene. Default: its volume times its density.
        #[serde(default)]
        pub mass: Option<f32> [1e-9..=1e12],
        /// A steady force on a free object [N], along the axes of the world; per metre of depth in a planar scene. Default none.
        #[serde(default)]
        pub force: [f32; 3] [-1e12..=1e12, live if FREE],
        /// The point on which the force acts [m], in the object's own frame: it moves and turns with it. Default its centre of mass.
        #[serde(default)]
        pub force_at: Option<[f32; 3]> [-1e6..=1e6],
        /// A steady torque on a free object [N·m], about the axes of the world. Default none.
        #[serde(default)]
        pub torque: [f32; 3] [-1e12..=1e12, live if FREE],
        /// What the air does to a free object. Default nothing.
        #[serde(default)]
        pub drag: Drag,
        /// Share of the sliding velocity that a contact takes away from liquid in a thirtieth of a second: 0 slips, 1 holds.
        /// Default 0.
        #[serde(default)]
        pub friction: f32 [0..=1, live],
        /// Share of the approach velocity that a contact gives back: 0 does not bounce, 1 does not tire. Default 0.
        #[serde(default)]
        pub restitution: f32 [0..=1, live],
        /// Coefficient of dry friction against other objects, of which the mean counts; of kinetic friction, if static friction is
        /// given too. Default 0.5.
        #[serde(default = "half")]
        pub grip: f32 [0..=10],
        /// Coefficient of static friction, which holds what does not slide yet. Default: that of kinetic friction, `grip`.
        #[serde(default)]
        pub static_grip: Option<f32> [0..=10],
        /// How liquids stick to it, by the liquid's name. Default: none does.
        #[serde(default)]
        pub adhesion: BTreeMap<String, Adhesion>,
        /// Angles at which liquids meet it [°], by the liquid's name. Default: the liquid's own.
        #[serde(default)]
        pub contact_angle: BTreeMap<String, f32> [0..=180],
        /// Whether it is there at all; an event may take it away. Default true.
        #[serde(default = "yes")]
        pub enabled: bool [live],
        /// Whether pictures show it. Default true.
        #[serde(default = "yes")]
        pub visible: bool [live],
        /// Colour in pictures, red, green and blue from 0 to 1. Default a light grey.
        #[serde(default = "grey")]
        pub color: [f32; 3] [0..=1],
        /// What its surface is like in traced pictures. Default "matte".
        #[serde(default)]
        pub finish: Finish,
        /// How blurred reflections in it are: 0 mirrors, 1 has none to speak of. Not for matte objects. Default 0.3.
        #[serde(default = "satin")]
        pub roughness: f32 [0..=1],
    }
}

description! {
    /// What moves an object.
    #[derive(Default)]
    pub enum Motion {
        /// Nothing.
        #[default]
        Fixed,
        /// Its own velocity and spin, or tracks of `at` and `rotate`; nothing resists it.
        Moving,
        /// Gravity, liquids, other objects and joints.
        Free,
    }
}

description! {
    /// How a liquid sticks to an object.
    #[derive(Copy)]
    pub struct Adhesion {
        /// Greatest pull, halfway across the range [m/s²]: 9.81 just carries the weight of what is there.
        #[schemars(extend("examples" = [20]))]
        pub pull: f32 [0..=1e6, live],
        /// How far from touching the pull ends [m]. Default: half a spacing of the liquid.
        #[serde(default)]
        pub range: Option<f32> [1e-9..=1000, live],
    }
}

description! {
    /// What holds two objects together.
    pub struct Joint called name {
        /// What `--set` and messages call it. Must be unique.
        pub name: String,
        /// What kind of joint it is.
        pub kind: JointKind,
        /// The name of the object that it holds: a free one.
        pub object: String,
        /// The name of the object that it holds it to. Default: the world.
        #[serde(default)]
        pub to: Option<String>,
        /// Where it is at the start [m].
        pub at: [f32; 3] [-1e6..=1e6],
        /// The axis of a hinge or a slider at the start; need not be of length 1. Default [0, 0, 1].
        #[serde(default = "along_z")]
        pub axis: [f32; 3] [-1e6..=1e6],
        /// Farthest turn of a hinge [°] or travel of a slider [m], back and forth from the start. Default: no end.
        #[serde(default)]
        pub limits: Option<[f32; 2]> [-1e6..=1e6],
        /// Speed that its motor keeps up: of a hinge [°/s], of a slider [m/s]. Default: no motor.
        #[serde(default)]
        pub speed: Option<f32> [-1e5..=1e5],
    }
}

description! {
    /// Kinds of joint.
    pub enum JointKind {
        /// Turns about one axis: a wheel, a door.
        Hinge,
        /// Turns every way about one point.
        Ball,
        /// Moves along one axis without turning.
        Slider,
        /// Does not move.
        Weld,
    }
}

fn along_z() -> [f32; 3] {
    [0.0, 0.0, 1.0]
}

fn yes() -> bool {
    true
}

fn half() -> f32 {
    0.5
}

fn half_of_water() -> f32 {
    500.0
}

fn satin() -> f32 {
    0.3
}

fn grey() -> [f32; 3] {
    [0.75, 0.74, 0.72]
}

impl Object {
    /// A fixed object with the defaults of everything but its name, shape and place.
    pub fn new(name: impl Into<String>, shape: Shape, at: [f32; 3]) -> Self {
        Self {
            name: name.into(),
            shape,
            at,
            rotate: [0.0; 3],
            motion: Motion::Fixed,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            density: half_of_water(),
            mass: None,
            force: [0.0; 3],
            force_at: None,
            torque: [0.0; 3],
            drag: Drag::default(),
            friction: 0.0,
            restitution: 0.0,
            grip: half(),
            static_grip: None,
            adhesion: BTreeMap::new(),
            contact_angle: BTreeMap::new(),
            enabled: true,
            visible: true,
            color: grey(),
            finish: Finish::Matte,
            roughness: satin(),
        }
    }

    /// Coefficient of static friction.
    pub fn static_friction(&self) -> f32 {
        self.static_grip.unwrap_or(self.grip)
    }

    /// Where the shape stands at the start.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
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
    /// Upright at the origin.
    pub const ORIGIN: Placement = Placement { at: Vec3::ZERO, rotation: Quat::IDENTITY };

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
    #[inline]
    pub fn to_world(&self, p: Vec3) -> Vec3 {
        self.to_world_direction(p) + self.at
    }

    /// Corners of the world's box around a box of the shape's own frame, given by its corners.
    pub fn box_around(&self, low: Vec3, high: Vec3) -> (Vec3, Vec3) {
        let (centre, half) = (self.to_world(0.5 * (low + high)), 0.5 * (high - low));
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|a| (self.rotation * a).abs());
        let reach = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
        (centre - reach, centre + reach)
    }
}
