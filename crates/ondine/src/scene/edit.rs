//! Changes made from outside while a world runs, as a scene can hold them: a scene and its edits are a run.

use super::description::description;
use super::{BallFill, Fill, Object, Scene, Value};

description! {
    /// A change made from outside while a world runs.
    pub enum Edit {
        /// Sets a live value.
        Set = "set" {
            /// The value, such as "liquid.honey.viscosity.linear" or "gravity".
            path: String,
            /// What it becomes: a number, true or false, or a vector.
            value: Value,
        },
        /// Fills a shape, as at the start; where there is something already, nothing is added.
        Fill = "fill" {
            /// What is added to, such as "liquid.water".
            system: String,
            /// The shape, its place and its velocity.
            fill: Fill,
        },
        /// Fills a shape with balls, as at the start, where there is room for them.
        BallFill = "ball_fill" {
            /// What is added to, such as "balls.hail".
            system: String,
            /// The shape, its place and its velocity.
            fill: BallFill,
        },
        /// Adds single particles or balls, where there is room for them.
        Points = "points" {
            /// What is added to, such as "liquid.water" or "balls.hail".
            system: String,
            /// Where they are [m].
            at: Vec<[f32; 3]>,
            /// Their velocity [m/s]. Default at rest.
            #[serde(default)]
            velocity: [f32; 3] [-1e4..=1e4],
        },
        /// Removes particles; those that have gone already are passed over.
        Remove = "remove" {
            /// What they belong to, such as "liquid.water".
            system: String,
            /// Their ids.
            ids: Vec<u32>,
        },
        /// Changes the velocity of particles at once, as an impulse does; those that have gone already are passed over.
        Kick = "kick" {
            /// What they belong to, such as "balls.hail".
            system: String,
            /// Their ids.
            ids: Vec<u32>,
            /// What is added to the velocity of each [m/s].
            velocity: [f32; 3] [-1e4..=1e4],
        },
        /// Adds an object. In liquid it grows from within, so that nothing is caught inside.
        Object = "object" (object: Box<Object>),
        /// Gives a free object an impulse.
        Push = "push" {
            /// The name of the object.
            object: String,
            /// The impulse [N·s].
            impulse: [f32; 3] [-1e12..=1e12],
            /// Where it acts [m]. Default: at the centre of mass.
            #[serde(default)]
            at: Option<[f32; 3]> [-1e6..=1e6],
        },
        /// Takes hold of a free object: from now on the point of it that is there is drawn to where it is dragged, by a damped spring.
        Grab = "grab" {
            /// The name of the object.
            object: String,
            /// Where it is held [m].
            at: [f32; 3] [-1e6..=1e6],
        },
        /// Moves the place to which an object that is held is drawn.
        Drag = "drag" {
            /// The name of the object.
            object: String,
            /// The place [m].
            to: [f32; 3] [-1e6..=1e6],
        },
        /// Lets go of an object.
        Release = "release" {
            /// The name of the object.
            object: String,
        },
    }
}

description! {
    /// A change made from outside, and when it happens: a session that was recorded.
    pub struct Recorded {
        /// The frame that it follows: it happens at the very start of the next. 0 is the start.
        pub frame: u32 [0..=16_000_000],
        /// What happens.
        pub change: Edit,
    }
}

impl Scene {
    /// Its objects, then those that edits add, in the order of the edits: all that ever are in a frame.
    pub fn all_objects(&self) -> impl Iterator<Item = &Object> {
        self.object.iter().chain(added(&self.edit))
    }
}

/// The objects that edits add.
pub(crate) fn added(edits: &[Recorded]) -> impl Iterator<Item = &Object> {
    edits.iter().filter_map(|edit| match &edit.change {
        Edit::Object(object) => Some(&**object),
        _ => None,
    })
}
