//! Fills that stand in objects, in each other, outside the world, or that are too small for their spacing.

use super::{Part, SMALL_PART, colliders, digits, meet, percent};
use crate::liquid::sources;
use crate::objects::Collider;
use crate::scene::checks::Addresses;
use crate::scene::{Bounds, Fault, Scene};
use glam::Vec3;

/// Share of a fill that may be left out without a word.
const LEFT_OUT: f32 = 0.01;
/// Layers of particles across a fill, at least: fewer are no body of liquid.
const LAYERS: f32 = 4.0;

/// Everything about fills.
pub fn check(scene: &Scene, addresses: &Addresses, parts: &[Part], found: &mut Vec<Fault>) {
    let objects = colliders(scene, addresses);
    for part in parts {
        check_layers(part, scene.planar(), found);
        match part.points.is_empty() || part.share(|p| is_left_out(p, part, &objects)) < 1.0 {
            true => check_objects(&objects, part, found),
            false => nothing_left(&objects, part, found),
        }
        if let Some(bounds) = &scene.kill_box {
            check_kill_box(bounds, part, found);
        }
    }
    for (i, a) in parts.iter().enumerate() {
        for b in &parts[..i] {
            check_pair(a, b, found);
        }
    }
}

fn check_objects(objects: &[(&str, Collider)], part: &Part, found: &mut Vec<Fault>) {
    for (address, collider) in objects {
        let inside = part.share(|p| sources::is_cut(p, &part.room, collider, part.spacing));
        if inside > LEFT_OUT {
            let reason = format!(
                "{} of this fill is inside {address} or within {} spacings of it, and is left out",
                percent(inside),
                sources::CLEARANCE
            );
            let remedy = format!("move or shrink the fill so that {address} does not touch it");
            found.push(Fault::warning(&part.path, reason, remedy));
        }
    }
}

fn is_left_out(p: Vec3, part: &Part, objects: &[(&str, Collider)]) -> bool {
    objects.iter().any(|(_, collider)| sources::is_cut(p, &part.room, collider, part.spacing))
}

fn nothing_left(objects: &[(&str, Collider)], part: &Part, found: &mut Vec<Fault>) {
    let cuts =
        |collider: &Collider| part.share(|p| sources::is_cut(p, &part.room, collider, part.spacing)) > 0.0;
    let by: Vec<&str> =
        objects.iter().filter(|(_, collider)| cuts(collider)).map(|(address, _)| *address).collect();
    let reason = format!("all of this fill is inside {}, and nothing of it is left", by.join(" and "));
    let remedy = "move the fill to where there is room; a container has its room inside its walls";
    found.push(Fault::error(&part.path, reason, remedy));
}

/// A particle of `a` next to one of `b` is half a spacing from the surface of `b`; overlaps are nearer.
fn check_pair(a: &Part, b: &Part, found: &mut Vec<Fault>) {
    if !a.room.bounds().zip(b.room.bounds()).is_some_and(|(a, b)| meet(a, b)) {
        return;
    }
    let closest = 0.25 * (a.spacing + b.spacing);
    let within = |p: Vec3, other: &Part| other.room.distance(p) < closest - 0.501 * other.spacing;
    let shared = a.share(|p| within(p, b)).max(b.share(|p| within(p, a)));
    if shared > SMALL_PART {
        let reason = format!(
            "{} of it shares its place with {}: particles closer than half a spacing burst apart",
            percent(shared),
            b.path
        );
        let remedy = if a.liquid == b.liquid {
            "let the shapes touch but not overlap"
        } else {
            "leave each liquid a place of its own"
        };
        found.push(Fault::warning(&a.path, reason, remedy));
    }
}

fn check_kill_box(bounds: &Bounds, part: &Part, found: &mut Vec<Fault>) {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let outside = part.share(|p| p.cmplt(min).any() || p.cmpgt(max).any());
    if outside > SMALL_PART {
        let reason =
            format!("{} of this fill is outside the kill box and vanishes at once", percent(outside));
        found.push(Fault::warning(&part.path, reason, "widen kill_box, or move the fill into it"));
    }
}

fn check_layers(part: &Part, planar: bool, found: &mut Vec<Fault>) {
    let (low, high) = part.room.sdf().bounds().unwrap_or_default();
    let sides = high - low;
    let thinnest = if planar { sides.x.min(sides.y) } else { sides.min_element() };
    let layers = (thinnest / part.spacing).round();
    let remedy = format!("write a spacing of at most {}, or a larger fill", digits(thinnest / LAYERS));
    if layers < 1.0 {
        let reason = format!(
            "a particle, of {} m, is larger than this fill, which is {thinnest} m thin",
            part.spacing
        );
        found.push(Fault::error(format!("{}.shape", part.path), reason, remedy));
    } else if layers < LAYERS {
        let reason = format!(
            "a spacing of {} m puts {layers} layers of particles across its {thinnest} m; below {LAYERS} it will not flow as a liquid does",
            part.spacing
        );
        found.push(Fault::warning(format!("{}.shape", part.path), reason, remedy));
    }
}
