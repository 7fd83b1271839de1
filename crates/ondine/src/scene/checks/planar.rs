//! What a planar scene cannot have: anything that leaves the plane z = 0.

use super::Addresses;
use crate::objects::Sdf;
use crate::scene::{Fault, Scene, Shape};

/// Places, velocities and rotations that lead out of the plane.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    if !scene.planar() {
        return;
    }
    stays(scene.gravity, "gravity", "pull", found);
    stays(scene.wind, "wind", "blow", found);
    for (member, address) in scene.members().into_iter().zip(addresses.members()) {
        member.check_planar(address, scene, found);
    }
    for (object, address) in scene.object.iter().zip(&addresses.object) {
        turns_about_z(object.rotate, address, found);
        meets_the_plane(&object.shape, object.at, address, scene, found);
        stays(object.velocity, &format!("{address}.velocity"), "move", found);
        spins_about_z(object.spin, address, found);
        stays(object.force, &format!("{address}.force"), "push", found);
        if let [x, y, z] = object.torque
            && (x != 0.0 || y != 0.0)
        {
            let reason = "in a planar scene things only turn about z";
            let remedy = format!("write [0, 0, {z}], or dimension = 3");
            found.push(Fault::error(format!("{address}.torque"), reason, remedy));
        }
    }
    for (joint, address) in scene.joint.iter().zip(&addresses.joint) {
        stays(joint.at, &format!("{address}.at"), "stand", found);
    }
    for (spring, address) in scene.spring.iter().zip(&addresses.spring) {
        for (key, end) in [("at", spring.at), ("to_at", spring.to_at)] {
            stays(end.unwrap_or_default(), &format!("{address}.{key}"), "pull", found);
        }
    }
    for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
        turns_about_z(drain.rotate, address, found);
        meets_the_plane(&drain.shape, drain.at, address, scene, found);
    }
}

/// A vector that must have no part across the plane.
pub fn stays([x, y, z]: [f32; 3], path: &str, verb: &str, found: &mut Vec<Fault>) {
    if z != 0.0 {
        found.push(leaves(path, verb, z, [x, y]));
    }
}

/// The fault of a vector with a part across the plane.
pub fn leaves(path: &str, verb: &str, z: f32, [x, y]: [f32; 2]) -> Fault {
    let reason = format!("z is {z}: nothing can {verb} across the plane of a planar scene");
    Fault::error(path, reason, format!("write [{x}, {y}, 0], or dimension = 3"))
}

/// A rotation that must be in the plane.
pub fn turns_about_z([x, y, z]: [f32; 3], address: &str, found: &mut Vec<Fault>) {
    if x != 0.0 || y != 0.0 {
        let reason =
            format!("it is turned by {x}° about x and {y}° about y: a planar scene can only turn about z");
        let remedy = format!("write rotate = [0, 0, {z}], or dimension = 3");
        found.push(Fault::error(format!("{address}.rotate"), reason, remedy));
    }
}

/// A spin that must be in the plane.
pub fn spins_about_z([x, y, z]: [f32; 3], address: &str, found: &mut Vec<Fault>) {
    if x != 0.0 || y != 0.0 {
        let reason =
            format!("it spins by {x}°/s about x and {y}°/s about y: a planar scene can only spin about z");
        let remedy = format!("write spin = [0, 0, {z}], or dimension = 3");
        found.push(Fault::error(format!("{address}.spin"), reason, remedy));
    }
}

/// A shape that the plane must cut.
pub fn meets_the_plane(shape: &Shape, at: [f32; 3], address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    if let Shape::HalfSpace { normal: [x, y, z] } = *shape
        && z != 0.0
    {
        let path = format!("{address}.shape.half_space.normal");
        found.push(leaves(&path, "lean", z, [x, y]));
    }
    // In space, not as the slice that the plane will make of it.
    let room = Sdf::new(shape, &scene.meshes, false).room();
    let Some((low, high)) = room.bounds() else { return };
    if at[2] + low.z >= 0.0 || at[2] + high.z <= 0.0 {
        let reason = format!(
            "its origin is {} m off the plane and it does not reach it: it is not in the scene",
            at[2]
        );
        let remedy = format!("write at = [{}, {}, 0]", at[0], at[1]);
        found.push(Fault::error(format!("{address}.at"), reason, remedy));
    }
}
