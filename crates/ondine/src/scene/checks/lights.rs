//! Lights that shine nowhere.

use super::NO_DIRECTION;
use crate::scene::{Fault, Scene};
use glam::Vec3;

/// A sun or a lamp without a direction.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    let mut check = |direction: [f32; 3], path: String, remedy: &str| {
        if Vec3::from(direction).length() < NO_DIRECTION {
            let reason = format!("{direction:?} has no direction");
            found.push(Fault::error(path, reason, remedy));
        }
    };
    if let Some(sun) = scene.light.sun {
        check(sun, "light.sun".into(), "write the direction towards the sun, such as [1, 2, 1]");
    }
    for (i, lamp) in scene.lamp.iter().enumerate() {
        let remedy = "write the direction that it shines in, such as [0, -1, 0]";
        check(lamp.towards, format!("lamp.{i}.towards"), remedy);
    }
}
