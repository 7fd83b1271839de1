//! Effects: names that lead somewhere and not in circles, curves that are some, numbers that can be held.

use super::Addresses;
use super::places::{check_end, check_hours};
use super::planar::{meets_the_plane, stays, turns_about_z};
use crate::scene::{Effect, Fault, Member, Scene, Shape};
use crate::system::SystemKind;

impl Member for Effect {
    fn kind(&self) -> SystemKind {
        SystemKind::Effect
    }

    fn called(&self) -> &str {
        &self.name
    }

    fn shapes(&self) -> Vec<(String, &Shape)> {
        self.emitter.shape.iter().map(|shape| ("emitter.shape".to_string(), shape)).collect()
    }

    fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        self.emitter.shape.iter_mut().collect()
    }

    fn check_sense(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        let path = format!("{address}.emitter");
        check_hours(self.emitter.start, self.emitter.stop, &path, found);
        if let Some(shape) = &self.emitter.shape {
            check_end(scene, shape, format!("{path}.shape"), found);
        }
    }

    fn check_planar(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        let path = format!("{address}.emitter");
        stays(self.emitter.direction, &format!("{path}.direction"), "leave", found);
        stays(self.wind, &format!("{address}.wind"), "blow", found);
        turns_about_z(self.emitter.rotate, &path, found);
        if let Some(shape) = &self.emitter.shape {
            meets_the_plane(shape, self.emitter.at, &path, scene, found);
        }
    }
}

/// Everything about effects that numbers alone do not tell.
pub fn check(_scene: &Scene, _addresses: &Addresses, _found: &mut Vec<Fault>) {}
