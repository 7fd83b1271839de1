//! Objects, what holds them together and what sticks to them.

use super::{Addresses, NO_DIRECTION, planar};
use crate::objects::Sdf;
use crate::scene::{Fault, Joint, JointKind, Motion, Object, Scene, Spring};
use crate::suggest::nearest;
use glam::Vec3;

/// Joints and adhesion that name what is not there, or ask for what cannot be.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (object, address) in scene.object.iter().zip(&addresses.object) {
        check_liquids(object, address, scene, found);
    }
    for (joint, address) in scene.joint.iter().zip(&addresses.joint) {
        check_ends(&joint.object, joint.to.as_deref(), address, scene, found);
        check_axis(joint, address, scene.planar(), found);
        check_range(joint, address, found);
    }
    for (spring, address) in scene.spring.iter().zip(&addresses.spring) {
        check_ends(&spring.object, spring.to.as_deref(), address, scene, found);
        check_place(spring, address, found);
    }
}

/// Free objects must have an end and a volume: else they have no mass. Only where all numbers are good.
pub fn check_free(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let free = |(object, _): &(&Object, &String)| object.motion == Motion::Free;
    for (object, address) in scene.object.iter().zip(&addresses.object).filter(free) {
        let sdf = Sdf::new(&object.shape, &scene.meshes, scene.planar());
        let path = format!("{address}.shape");
        if sdf.bounds().is_none() {
            let reason = "it is free, but its shape has no end: nothing could move it";
            let remedy = "write motion = \"fixed\" or \"moving\", or a shape that has an end, such as a box";
            found.push(Fault::error(path, reason, remedy));
        } else if sdf.volume(scene.planar()) <= 0.0 {
            let reason = "it is free, but nothing is left of its shape: it would have no mass";
            let remedy = "write parts that meet where they should, or motion = \"fixed\"";
            found.push(Fault::error(path, reason, remedy));
        }
    }
}

/// Adhesion and contact angles go by the names of liquids.
fn check_liquids(object: &Object, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    let named = object.adhesion.keys().map(|name| ("adhesion", name));
    let named = named.chain(object.contact_angle.keys().map(|name| ("contact_angle", name)));
    for (key, name) in named.filter(|(_, name)| scene.liquid.iter().all(|l| l.name != **name)) {
        let liquids: Vec<&str> = scene.liquid.iter().map(|l| l.name.as_str()).collect();
        let reason = format!("there is no liquid \"{name}\" that could stick to it");
        let remedy = did_you_mean(name, &liquids, "liquid");
        found.push(Fault::error(format!("{address}.{key}.{name}"), reason, remedy));
    }
}

/// The names that could have been meant.
pub fn did_you_mean(name: &str, known: &[&str], kind: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None if known.is_empty() => format!("add a [[{kind}]] of this name, or remove this"),
        None => format!("write the name of one: {}", known.join(", ")),
    }
}

/// What holds or pulls an object must know it, and the one at its other end.
fn check_ends(held: &str, to: Option<&str>, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    let names: Vec<&str> = scene.object.iter().map(|o| o.name.as_str()).collect();
    let find = |name: &str| scene.object.iter().find(|o| o.name == name);
    let mut missing = |key: &str, name: &str| {
        let reason = format!("there is no object \"{name}\"");
        let remedy = did_you_mean(name, &names, "object");
        found.push(Fault::error(format!("{address}.{key}"), reason, remedy));
    };
    if let Some(to) = to.filter(|to| find(to).is_none()) {
        missing("to", to);
    }
    match find(held) {
        None => missing("object", held),
        Some(object) if object.motion != Motion::Free => {
            let reason = format!("\"{held}\" is not free, so there is nothing to hold");
            let remedy =
                format!("write motion = \"free\" in it, or name a free object here and \"{held}\" in `to`");
            found.push(Fault::error(format!("{address}.object"), reason, remedy));
        }
        Some(_) if to == Some(held) => {
            let reason = format!("it holds \"{held}\" to itself");
            let remedy = "name another object, or remove it to hold it to the world";
            found.push(Fault::error(format!("{address}.to"), reason, remedy));
        }
        Some(_) => (),
    }
}

/// A spring ends somewhere.
fn check_place(spring: &Spring, address: &str, found: &mut Vec<Fault>) {
    if spring.to.is_none() && spring.to_at.is_none() {
        let reason = "it ends nowhere: neither an object nor a place is named";
        let remedy = "write to = \"NAME\" of an object, or to_at = [x, y, z]";
        found.push(Fault::error(format!("{address}.to_at"), reason, remedy));
    }
}

fn check_axis(joint: &Joint, address: &str, in_plane: bool, found: &mut Vec<Fault>) {
    let [x, y, z] = joint.axis;
    let path = format!("{address}.axis");
    let has_axis = matches!(joint.kind, JointKind::Hinge | JointKind::Slider);
    if has_axis && Vec3::from(joint.axis).length() < NO_DIRECTION {
        let reason = format!("the axis {:?} has no direction", joint.axis);
        found.push(Fault::error(path, reason, "write the direction of the axis, such as [0, 0, 1]"));
    } else if in_plane && joint.kind == JointKind::Hinge && (x != 0.0 || y != 0.0) {
        let reason = format!("its axis is {:?}: in a planar scene things only turn about z", joint.axis);
        found.push(Fault::error(path, reason, "write axis = [0, 0, 1], or dimension = 3"));
    } else if in_plane && joint.kind == JointKind::Slider && z != 0.0 {
        let remedy = "write an axis such as [1, 0, 0], or dimension = 3";
        found.push(Fault { remedy: remedy.into(), ..planar::leaves(&path, "slide", z, [x, y]) });
    }
}

fn check_range(joint: &Joint, address: &str, found: &mut Vec<Fault>) {
    if matches!(joint.kind, JointKind::Ball | JointKind::Weld) {
        let given = [("limits", joint.limits.is_some()), ("speed", joint.speed.is_some())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let reason = "only a hinge or a slider has it: this joint has no one way to go".to_string();
            let remedy = format!("remove `{key}`, or write kind = \"hinge\" or \"slider\"");
            found.push(Fault::error(format!("{address}.{key}"), reason, remedy));
        }
    } else if let Some([back, forth]) = joint.limits.filter(|[back, forth]| back > forth) {
        let reason = format!("it goes back to {back} and forth to {forth}, which is less");
        found.push(Fault::error(format!("{address}.limits"), reason, format!("write [{forth}, {back}]")));
    }
}
