//! Numbers that are not finite or out of range.

use crate::scene::description::Shown;
use crate::scene::{Fault, Scene};

/// Looks at every number of a scene. Those of tracks have the range of what they set.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    scene.walk(&mut |shown| {
        if let Shown::Value { path, component, number: Some(number), status } = *shown {
            let fault = status.declared.fault(path, number);
            found.extend(fault.map(|fault| match component {
                Some(i) => Fault { path: format!("{path}.{i}"), ..fault },
                None => fault,
            }));
        }
    });
}
