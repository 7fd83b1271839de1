//! Objects that start in one another, velocities, forces and springs without effect, and adhesion that reaches too far.

use super::{MOST_OBJECTS, meet};
use crate::objects::{Collider, Sdf};
use crate::scene::checks::Addresses;
use crate::scene::{Fault, JointKind, Motion, Object, Scene};
use glam::Vec3;

/// Points looked at along each axis of a free object.
const ALONG: u32 = 7;
/// Depth in both objects, over the free one's longest side, that counts as overlapping: things that touch do not.
const DEEP: f32 = 0.02;

/// Smallest size of a free object that liquid carries as one, in spacings.
const SMALLEST: f32 = 2.0;

/// Everything about objects that liquids have no part in, and how they stick to them.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (object, address) in scene.object.iter().zip(&addresses.object) {
        check_motion(object, address, scene, found);
        check_drive(object, address, scene, found);
        check_adhesion(object, address, scene, found);
        check_size(object, address, scene, found);
    }
    check_joints(scene, addresses, found);
    check_springs(scene, addresses, found);
    check_overlaps(scene, addresses, found);
}

/// Velocity and spin that do nothing.
fn check_motion(object: &Object, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    let tracked = scene.tracked_placement(object, 0.0).is_some();
    for (key, given) in [("velocity", object.velocity), ("spin", object.spin)] {
        let (reason, remedy) = match object.motion {
            _ if given == [0.0; 3] => continue,
            Motion::Fixed => {
                ("it does nothing: the object is fixed", "write motion = \"moving\" or \"free\"")
            }
            Motion::Moving if tracked => (
                "it does nothing: tracks of `at` and `rotate` say where the object is",
                "remove it, or the tracks",
            ),
            _ => continue,
        };
        found.push(Fault::warning(format!("{address}.{key}"), reason, remedy));
    }
}

/// Forces and drag of what nothing moves, friction that holds less than it slides, and a wind that nothing feels.
fn check_drive(object: &Object, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    let given = [
        ("force", object.force != [0.0; 3]),
        ("torque", object.torque != [0.0; 3]),
        ("drag", object.drag.is_felt()),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given && object.motion != Motion::Free) {
        let reason = "it does nothing: the object is not free";
        found.push(Fault::warning(
            format!("{address}.{key}"),
            reason,
            "write motion = \"free\", or remove it",
        ));
    }
    let acts = object.force != [0.0; 3] || scene.changes(&format!("{address}.force"));
    if object.force_at.is_some() && !acts {
        let reason = "it does nothing: no force acts there";
        found.push(Fault::warning(format!("{address}.force_at"), reason, "write a force, or remove it"));
    }
    if object.static_friction() < object.grip {
        let reason = format!(
            "what lies on it is held by less, {}, than slows it as it slides, {}",
            object.static_friction(),
            object.grip
        );
        let remedy = format!("write at least {}, or remove it", object.grip);
        found.push(Fault::warning(format!("{address}.static_grip"), reason, remedy));
    }
}

/// A spring that does nothing.
fn check_springs(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (spring, address) in scene.spring.iter().zip(&addresses.spring) {
        let changes = |key: &str| scene.changes(&format!("{address}.{key}"));
        let idle = spring.stiffness == 0.0 && spring.damping == 0.0;
        if idle && !changes("stiffness") && !changes("damping") {
            let reason = "it does nothing: it has neither stiffness nor damping";
            let remedy = "write for example stiffness = 100, or remove it";
            found.push(Fault::warning(address, reason, remedy));
        }
    }
    let blows = scene.wind != [0.0; 3] || scene.changes("wind");
    if blows && scene.object.iter().all(|o| o.motion != Motion::Free || !o.drag.is_felt()) {
        let reason = "nothing feels it: no free object has drag";
        let remedy = "write for example drag.coefficient = 0.5 in a free object, or remove it";
        found.push(Fault::warning("wind", reason, remedy));
    }
}

fn check_size(object: &Object, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    if object.motion == Motion::Free && !scene.liquid.is_empty() {
        let volume = Sdf::new(&object.shape, &scene.meshes, scene.planar()).volume(scene.planar());
        found.extend(too_small(volume, "it is", address, scene));
    }
}

/// What is not much larger than a particle is pushed by one of them at a time, and not by a liquid.
pub fn too_small(volume: f64, who: &str, address: &str, scene: &Scene) -> Option<Fault> {
    let spacing = scene.liquid.iter().map(|l| l.spacing).fold(0.0, f32::max);
    let size = if scene.planar() { volume.sqrt() } else { libm::cbrt(volume) } as f32;
    let reason = format!(
        "{who} about {size:.3} m wide, and liquid has a spacing of {spacing} m: too small for the liquid around it to be seen: it will neither float nor sink as it should"
    );
    let remedy = format!("write a spacing of at most {:.4}, or make it larger", size / SMALLEST);
    (size < SMALLEST * spacing).then(|| Fault::warning(address, reason, remedy))
}

/// The source has the range small against h: farther out, particles would jump at the surface.
fn check_adhesion(object: &Object, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
    for liquid in &scene.liquid {
        let h = liquid.thesis.map_or(liquid.reach(scene.planar()), |t| t.h);
        let range = object.adhesion.get(&liquid.name).and_then(|a| a.range);
        if let Some(range) = range.filter(|range| *range > h) {
            let path = format!("{address}.adhesion.{}.range", liquid.name);
            let reason = format!(
                "{range} m is more than particles of {} feel of each other, {h} m: they would jump to the surface",
                liquid.name
            );
            let remedy = format!("write about {}, or remove it", 0.5 * liquid.spacing);
            found.push(Fault::warning(path, reason, remedy));
        }
    }
}

fn check_joints(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (joint, address) in scene.joint.iter().zip(&addresses.joint) {
        let outside = |[back, forth]: &[f32; 2]| *back > 0.0 || *forth < 0.0;
        if let Some(limits) = joint.limits.filter(outside) {
            let unit = if joint.kind == JointKind::Hinge { "°" } else { " m" };
            let reason = format!(
                "they are {}{unit} and {}{unit} from the start, which is not between: it would snap there",
                limits[0], limits[1]
            );
            let remedy = "write limits such as [-30, 60], with 0 between them";
            found.push(Fault::warning(format!("{address}.limits"), reason, remedy));
        }
    }
}

/// Free objects that stand in others: they burst apart.
fn check_overlaps(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let there = scene.object.iter().zip(&addresses.object).take(MOST_OBJECTS).filter(|(o, _)| o.enabled);
    let bodies: Vec<_> =
        there.map(|(o, address)| (o, address, Collider::of(&o.shape, o.placement(), scene))).collect();
    for (i, (object, address, collider)) in bodies.iter().enumerate() {
        if object.motion != Motion::Free {
            continue;
        }
        let (points, deep) = inside(collider, scene.planar());
        for (k, (other, other_address, other_collider)) in bodies.iter().enumerate() {
            let told_already = k < i && other.motion == Motion::Free;
            let apart = collider.bounds().zip(other_collider.bounds()).is_some_and(|(a, b)| !meet(a, b));
            if k == i || told_already || apart || joined(scene, &object.name, &other.name) {
                continue;
            }
            if points.iter().any(|p| other_collider.distance(*p) < -deep) {
                let reason = format!("it starts inside {other_address}: they will burst apart");
                let remedy = format!("move it out of {other_address}, or hold them together by a joint");
                found.push(Fault::warning(*address, reason, remedy));
            }
        }
    }
}

/// Objects held together by a joint do not touch each other.
fn joined(scene: &Scene, a: &str, b: &str) -> bool {
    scene.joint.iter().any(|j| {
        let to = j.to.as_deref();
        j.object == a && to == Some(b) || j.object == b && to == Some(a)
    })
}

/// Points well inside a body, and how deep in another would be well inside that [m].
fn inside(collider: &Collider, planar: bool) -> (Vec<Vec3>, f32) {
    let Some((low, high)) = collider.sdf().bounds() else { return (Vec::new(), 0.0) };
    let size = high - low;
    let longest = if planar { size.x.max(size.y) } else { size.max_element() };
    let deep = DEEP * longest;
    let across = if planar { 1 } else { ALONG };
    let along = |i: u32, of: u32| (i as f32 + 0.5) / of as f32;
    let mut points = Vec::new();
    for z in 0..across {
        for y in 0..ALONG {
            for x in 0..ALONG {
                let p = low + size * Vec3::new(along(x, ALONG), along(y, ALONG), along(z, across));
                if collider.sdf().distance(p) < -deep {
                    points.push(collider.placement.to_world(p));
                }
            }
        }
    }
    (points, deep)
}
