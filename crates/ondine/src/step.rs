//! One step, as everything that takes part in it sees it.

use crate::objects::Collider;
use crate::scene::{Object, Recorded, Scene, added};
use glam::Vec3;

/// What a step is, and what is around in it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Time at its start [s].
    pub time: f64,
    /// Its length [s].
    pub dt: f32,
    /// Gravity now [m/s²].
    pub gravity: Vec3,
    /// Velocity of the air now [m/s].
    pub wind: Vec3,
    /// Whether the scene is planar.
    pub planar: bool,
    /// The scene as it was written: what never changes during a run.
    pub scene: &'a Scene,
    /// What was edited so far.
    pub edits: &'a [Recorded],
    /// The objects that are there.
    pub colliders: &'a [Collider],
    /// Number of free objects in the scene.
    pub free: usize,
    /// Told which part of the step begins.
    pub watch: &'a dyn Fn(Phase),
}

impl Step<'_> {
    /// Time at its end [s].
    pub fn end(&self) -> f64 {
        self.time + self.dt as f64
    }

    /// The object with a number, as it was written or added.
    pub fn object(&self, number: usize) -> Option<&Object> {
        self.scene.object.iter().chain(added(self.edits)).nth(number)
    }
}

#[cfg(test)]
impl Step<'static> {
    /// A weightless step in an empty scene.
    pub fn alone(dt: f32, planar: bool) -> Self {
        static NOTHING: std::sync::LazyLock<Scene> = std::sync::LazyLock::new(Scene::default);
        Self {
            time: 0.0,
            dt,
            gravity: Vec3::ZERO,
            wind: Vec3::ZERO,
            planar,
            scene: &NOTHING,
            edits: &[],
            colliders: &[],
            free: 0,
            watch: &|_| (),
        }
    }
}

/// The parts of a step, for whoever measures them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Sorting particles by cell.
    Sort,
    /// Viscosity.
    Viscosity,
    /// Springs.
    Springs,
    /// Density relaxation.
    Density,
    /// Contacts with objects and between unlike particles.
    Contact,
    /// Everything else.
    Other,
}
