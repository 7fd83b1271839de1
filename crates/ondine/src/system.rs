//! The contract of a system: what the world knows of liquids, balls and whatever else lives in it, and all that it knows.
//!
//! A system is all of one kind (all liquids of a scene, all balls), for its members may act on each other in ways of their own. It owns the
//! descriptions of its members, with the values that they have by now, and their state, and changes only itself. The order of a
//! step is the world's (`World::substep`).

use crate::contact::floater::Floater;
use crate::contact::impact::Impact;
use crate::contact::impulse::Impulse;
use crate::contact::points::Points;
use crate::contact::prediction::Predicted;
use crate::frame::{Particles, SystemLedger};
use crate::health::{Kinetics, Speeds};
use crate::objects::{Bodies, Cling, Collider};
use crate::scene::{BallFill, Fill, Scalar, Scene};
use crate::step::Step;
use crate::world::SystemView;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a system is, by its word in scenes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SystemKind {
    /// A viscoelastic liquid.
    #[default]
    Liquid,
    /// Rigid balls.
    Balls,
    /// A particle effect.
    Effect,
}

impl fmt::Display for SystemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SystemKind::Liquid => "liquid",
            SystemKind::Balls => "balls",
            SystemKind::Effect => "effect",
        })
    }
}

/// What is known of a frame before it begins.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Its length [s].
    pub dt: f32,
    /// Gravity at its start [m/s²].
    pub gravity: Vec3,
    /// Whether the scene is planar.
    pub planar: bool,
    /// Fastest point of any object, and what a frame's fall adds to that [m/s].
    pub fastest: f32,
    /// Whether any object is free.
    pub any_free: bool,
}

/// What is wrong with a member of a system, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Ailment {
    /// Its kind and name: `liquid.water`.
    pub system: String,
    /// Id of the particle that it was first seen on.
    pub particle: Option<u32>,
    /// What was seen.
    pub what: String,
    /// What probably led to it, and the knob to turn.
    pub cause: String,
}

/// A point that stays where it is, or nearly, when all is at rest.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Where it is [m].
    pub at: DVec3,
    /// How far it may stray [m].
    pub stray: f64,
}

/// What an edit puts into a member.
#[derive(Clone, Copy, Debug)]
pub enum Addition<'a> {
    /// A shape full of it.
    Fill(&'a Fill),
    /// A shape full of balls.
    BallFill(&'a BallFill),
    /// Single particles.
    Points {
        /// Where they are [m].
        at: &'a [[f32; 3]],
        /// Their velocity [m/s].
        velocity: Vec3,
    },
}

/// All members of one kind.
pub trait System {
    /// An edit adds to the member of this name, where there is room. Returns the energy that came in [J]. What cannot be added to does
    /// nothing; the checks of edits say so before.
    fn add(&mut self, _name: &str, _addition: Addition, _step: &Step) -> f64 {
        0.0
    }
    /// An edit removes particles from the member of this name, by their ids in order.
    fn remove(&mut self, _name: &str, _ids: &[u32]) {}
    /// An edit adds to the velocity of particles of the member of this name [m/s], by their ids in order. Returns the energy that came
    /// in [J].
    fn kick(&mut self, _name: &str, _ids: &[u32], _velocity: Vec3, _planar: bool) -> f64 {
        0.0
    }
    /// What can be borrowed of each member, if it is kept in arrays.
    fn views(&self) -> Vec<SystemView<'_>> {
        Vec::new()
    }

    /// The live value that a path names, such as `honey.viscosity.linear`.
    fn live(&mut self, path: &str) -> Option<Scalar<'_>>;

    /// What objects must know of its members to hold on to them.
    fn clings(&self) -> Vec<Cling>;

    /// Plans the next frame. Returns how many steps it wants.
    fn plan(&mut self, ahead: &Ahead) -> u32;
    /// A frame of so many steps begins.
    fn begin_frame(&mut self, ahead: &Ahead, steps: u32);
    /// How fast its members may come to be by what the scene gives them, in steps of `dt` [s].
    fn speeds(&self, bodies: &Bodies, dt: f32) -> Speeds;

    /// How deep in a collider the deepest of it is, and a little more [m]; 0 if nothing is.
    fn depth_in(&self, collider: &Collider) -> f32;
    /// Sources add, drains and lifetimes remove. Returns the energy that came in [J].
    fn emit_and_drain(&mut self, step: &Step) -> f64;
    /// External forces and its own, up to predicted positions. Returns what free things get as walls.
    fn predict(&mut self, step: &Step, floaters: &mut [Floater]) -> Vec<Impulse>;
    /// What of it can be touched, in the order of its members, and of [`System::clings`].
    fn points(&mut self, planar: bool) -> Vec<Points<'_>>;
    /// Whether its state follows from the time alone, whatever steps led there: so long as nothing is changed from outside.
    fn follows_from_time(&self) -> bool {
        self.kinetics(false).is_empty()
    }
    /// Goes from where it is to a time [s] at once. Only for what follows from the time.
    fn seek(&mut self, _step: &Step, _time: f64) {}

    /// What touches without pushing goes through the step, among colliders as they are at its end.
    fn follow(&mut self, _step: &Step) {}
    /// Velocities from positions. Returns how each member moves, or what is wrong if anything is faster than `limit` [m/s] or than it can be
    /// by itself.
    fn finish(&mut self, step: &Step, limit: f32) -> Result<Vec<Kinetics>, Ailment>;
    /// After the last step of frame number `frame`.
    fn end_frame(&mut self, step: &Step, frame: u32) -> Result<(), Ailment>;

    /// Its rigid parts go ahead, before points meet them; those within any of the boxes of the others (`among`) do.
    fn go_ahead(&mut self, _step: &Step, _among: &[(Vec3, Vec3)]) {}
    /// The rigid parts that points meet, as colliders, their numbers among all that is free from `first` on.
    fn colliders(&self, _clings: &[Cling], _first: u32) -> Vec<Collider> {
        Vec::new()
    }
    /// The same as points push them.
    fn floaters(&self, _planar: bool) -> Vec<Floater> {
        Vec::new()
    }
    /// Its rigid parts move, with what points give those that they meet. Returns what free objects get for it.
    fn advance(&mut self, _pushed: &[(Floater, Predicted)], _bodies: &Bodies, step: &Step) -> Vec<Impulse> {
        vec![Impulse::default(); step.free]
    }
    /// What points took from those rigid parts beyond what was predicted, for later.
    fn defer(&mut self, _more: &[Impulse]) {}

    /// Who of it met whom in the last frame, in the order of time.
    fn impacts(&self) -> &[Impact] {
        &[]
    }

    /// How each member moves.
    fn kinetics(&self, planar: bool) -> Vec<Kinetics>;
    /// What is wrong with a member that has gone wrong: no longer a number, faster than `limit` [m/s], or with energy from nowhere.
    fn blame(&self, member: usize, limit: f32, step: &Step) -> Ailment;
    /// The first member of which something is no longer a number.
    fn broken(&self) -> Option<usize>;
    /// Corners of a box around all of it [m], if there is anything.
    fn bounds(&self) -> Option<(Vec3, Vec3)>;

    /// What must stay where it is for it to be at rest. None if it moves, or never rests.
    fn marks(&self) -> Option<Vec<Mark>>;
    /// Whether its sources change anything between two times [s], the second included.
    fn is_fed(&self, from: f32, to: f32) -> bool;
    /// Takes all motion away.
    fn halt(&mut self);

    /// What can be seen of each member.
    fn frame(&self, planar: bool) -> Vec<Particles>;
    /// The measure of each member, among colliders.
    fn ledger(&self, gravity: Vec3, planar: bool, colliders: &[Collider]) -> Vec<SystemLedger>;
    /// Puts the descriptions of its members, with the values that they have by now, into a scene.
    fn describe(&self, scene: &mut Scene);
    /// Makes what is derived anew, after a sound state was read.
    fn wake(&mut self) {}
    /// What is wrong with a state that was read.
    fn unfit(&self, scene: &Scene) -> Option<String>;
}
