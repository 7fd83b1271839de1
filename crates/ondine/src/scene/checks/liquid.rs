//! Liquids: their shapes, nozzles and times, in space and in the plane.

use super::NO_DIRECTION;
use super::places::{check_end, check_hours};
use super::planar::{meets_the_plane, stays, turns_about_z};
use crate::scene::{Emitter, Fault, Liquid, Member, Scene, Shape};
use crate::system::SystemKind;
use glam::Vec3;

impl Member for Liquid {
    fn kind(&self) -> SystemKind {
        SystemKind::Liquid
    }

    fn called(&self) -> &str {
        &self.name
    }

    fn shapes(&self) -> Vec<(String, &Shape)> {
        let fills = self.fill.iter().enumerate().map(|(i, fill)| (format!("fill.{i}.shape"), &fill.shape));
        let drops = self.drops.iter().enumerate();
        fills.chain(drops.map(|(i, drops)| (format!("drops.{i}.shape"), &drops.shape))).collect()
    }

    fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        let fills = self.fill.iter_mut().map(|fill| &mut fill.shape);
        fills.chain(self.drops.iter_mut().map(|drops| &mut drops.shape)).collect()
    }

    fn check_sense(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        for (i, fill) in self.fill.iter().enumerate() {
            check_end(scene, &fill.shape, format!("{address}.fill.{i}.shape"), found);
        }
        for (i, emitter) in self.emitter.iter().enumerate() {
            let path = format!("{address}.emitter.{i}");
            check_hours(emitter.start, emitter.stop, &path, found);
            check_nozzle(scene, self, (i, emitter), path, found);
        }
        for (i, drops) in self.drops.iter().enumerate() {
            let path = format!("{address}.drops.{i}");
            check_hours(drops.start, drops.stop, &path, found);
            check_end(scene, &drops.shape, format!("{path}.shape"), found);
        }
    }

    fn check_planar(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        for (i, fill) in self.fill.iter().enumerate() {
            let path = format!("{address}.fill.{i}");
            stays(fill.at, &format!("{path}.at"), "stand", found);
            stays(fill.velocity, &format!("{path}.velocity"), "move", found);
            turns_about_z(fill.rotate, &path, found);
        }
        for (i, emitter) in self.emitter.iter().enumerate() {
            stays(emitter.at, &format!("{address}.emitter.{i}.at"), "stand", found);
            stays(emitter.velocity, &format!("{address}.emitter.{i}.velocity"), "move", found);
        }
        for (i, drops) in self.drops.iter().enumerate() {
            let path = format!("{address}.drops.{i}");
            stays(drops.velocity, &format!("{path}.velocity"), "move", found);
            turns_about_z(drops.rotate, &path, found);
            meets_the_plane(&drops.shape, drops.at, &path, scene, found);
        }
    }
}

/// The velocity says which way the nozzle faces, so there must be one, unless it comes later.
fn check_nozzle(
    scene: &Scene,
    liquid: &Liquid,
    (i, emitter): (usize, &Emitter),
    path: String,
    found: &mut Vec<Fault>,
) {
    if Vec3::from(emitter.velocity).length() < NO_DIRECTION
        && !scene.changes(&format!("liquid.{}.emitter.{i}.velocity", liquid.name))
    {
        let reason = "the velocity is 0: nothing would come out, and the nozzle faces nowhere";
        let remedy = "write the velocity of the liquid as it leaves, such as [0, -1, 0]";
        found.push(Fault::error(format!("{path}.velocity"), reason, remedy));
    }
}
