//! What a scene says of systems of any kind: all that is asked of every one of them, whatever it is.

use super::{Balls, Edit, Effect, Fault, Liquid, Scene, Shape};
use crate::system::SystemKind;

/// One liquid, one kind of balls, one effect: a table of the scene that describes part of a system.
pub trait Member {
    /// What it is.
    fn kind(&self) -> SystemKind;
    /// Its name.
    fn called(&self) -> &str;
    /// Its shapes, each with its path below its own.
    fn shapes(&self) -> Vec<(String, &Shape)>;
    /// The same, to be changed.
    fn shapes_mut(&mut self) -> Vec<&mut Shape>;
    /// Shapes, places and times in it that make no sense together, told at paths below its address.
    fn check_sense(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>);
    /// What in it leads out of the plane of a planar scene.
    fn check_planar(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>);
}

impl Scene {
    /// All that systems are described by, kind after kind.
    pub(crate) fn members(&self) -> Vec<&dyn Member> {
        let liquids = self.liquid.iter().map(|liquid: &Liquid| liquid as &dyn Member);
        let balls = self.balls.iter().map(|balls: &Balls| balls as &dyn Member);
        let effects = self.effect.iter().map(|effect: &Effect| effect as &dyn Member);
        liquids.chain(balls).chain(effects).collect()
    }

    /// The shapes of all systems, objects, drains and edits.
    pub fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        let Self { liquid, balls, effect, object, drain, edit, .. } = self;
        let liquids = liquid.iter_mut().flat_map(Member::shapes_mut);
        let balls = balls.iter_mut().flat_map(Member::shapes_mut);
        let members = liquids.chain(balls).chain(effect.iter_mut().flat_map(Member::shapes_mut));
        let others = object.iter_mut().map(|o| &mut o.shape).chain(drain.iter_mut().map(|d| &mut d.shape));
        members.chain(others).chain(edit.iter_mut().filter_map(|edit| edit.change.shape_mut())).collect()
    }
}

impl Edit {
    /// The shape that it brings, with its path below its own.
    pub(crate) fn shape(&self) -> Option<(&'static str, &Shape)> {
        match self {
            Edit::Fill { fill, .. } => Some(("fill.fill.shape", &fill.shape)),
            Edit::BallFill { fill, .. } => Some(("ball_fill.fill.shape", &fill.shape)),
            Edit::Object(object) => Some(("object.shape", &object.shape)),
            _ => None,
        }
    }

    fn shape_mut(&mut self) -> Option<&mut Shape> {
        match self {
            Edit::Fill { fill, .. } => Some(&mut fill.shape),
            Edit::BallFill { fill, .. } => Some(&mut fill.shape),
            Edit::Object(object) => Some(&mut object.shape),
            _ => None,
        }
    }
}
