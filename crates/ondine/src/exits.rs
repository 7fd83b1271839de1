//! The ways out of a world: drains, the kill box, and age.

use crate::objects::Collider;
use crate::scene::{Bounds, Drain};
use crate::step::Step;
use glam::Vec3;

/// The ways out that are open in a step.
pub struct Exits {
    drains: Vec<Collider>,
    kill_box: Option<Bounds>,
    lifetime: Option<f32>,
    time: f64,
}

impl Exits {
    /// Those for what lives so long, if there are any.
    pub fn open(step: &Step, lifetime: Option<f32>) -> Option<Self> {
        let (scene, time) = (step.scene, step.time);
        let open = |d: &&Drain| time >= d.start as f64 && d.stop.is_none_or(|s| time < s as f64);
        let drains: Vec<Collider> =
            scene.drain.iter().filter(open).map(|d| Collider::of(&d.shape, d.placement(), scene)).collect();
        let any = !drains.is_empty() || scene.kill_box.is_some() || lifetime.is_some();
        any.then_some(Self { drains, kill_box: scene.kill_box, lifetime, time })
    }

    /// Whether what is at a place, since a time [s], goes.
    pub fn take(&self, p: Vec3, birth: f32) -> bool {
        let drained = self.drains.iter().any(|d| d.distance(p) < 0.0);
        let outside = self
            .kill_box
            .is_some_and(|b| p.cmplt(Vec3::from(b.min)).any() || p.cmpgt(Vec3::from(b.max)).any());
        let old = self.lifetime.is_some_and(|l| self.time - birth as f64 >= l as f64);
        drained || outside || old
    }
}
