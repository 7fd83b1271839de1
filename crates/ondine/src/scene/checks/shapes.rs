//! Shapes made of shapes: how deep, how many, and whether each of them makes sense.

use super::Addresses;
use crate::scene::{Fault, Scene, Shape};
use glam::Vec3;

/// Shapes in one another, at most: text and stack must hold them.
pub const DEEPEST: usize = 16;
/// Shapes in a shape, at most: every distance may ask each of them.
pub const MOST_PARTS: usize = 1000;

impl Scene {
    /// The shapes of systems, objects, drains and edits, and all that they are made of, with their paths. Those in one another
    /// deeper than any scene may have them are left out.
    pub fn shapes(&self) -> Vec<(String, &Shape)> {
        let mut all = Vec::new();
        for whole in whole_shapes(self, &Addresses::of(self)) {
            gather(whole, usize::MAX, &mut all);
        }
        all
    }
}

/// The shapes of systems, objects, drains and edits, with their paths.
fn whole_shapes<'s>(scene: &'s Scene, addresses: &Addresses) -> Vec<(String, &'s Shape)> {
    let mut shapes = Vec::new();
    for (member, address) in scene.members().into_iter().zip(addresses.members()) {
        shapes.extend(member.shapes().into_iter().map(|(rest, shape)| (format!("{address}.{rest}"), shape)));
    }
    let path = |address: &String| format!("{address}.shape");
    shapes.extend(scene.object.iter().zip(&addresses.object).map(|(o, address)| (path(address), &o.shape)));
    shapes.extend(scene.drain.iter().zip(&addresses.drain).map(|(d, address)| (path(address), &d.shape)));
    let edits = scene.edit.iter().enumerate().filter_map(|(i, edit)| Some((i, edit.change.shape()?)));
    shapes.extend(edits.map(|(i, (rest, shape))| (format!("edit.{i}.change.{rest}"), shape)));
    shapes
}

/// How a shape is not fit to be looked at more closely.
enum Unfit {
    TooDeep(String),
    TooMany,
}

/// Adds a shape and all that it is made of, as far as it is fit. Not by calling itself: nothing is known yet of the
/// shape, and the stack has an end.
fn gather<'s>(whole: (String, &'s Shape), most: usize, all: &mut Vec<(String, &'s Shape)>) -> Option<Unfit> {
    let (start, mut unfit) = (all.len(), None);
    let mut waiting = vec![(whole, 1)];
    while let Some(((path, shape), depth)) = waiting.pop() {
        let inner = shape.inner();
        if depth >= DEEPEST && !inner.is_empty() {
            unfit = Some(Unfit::TooDeep(path.clone()));
        } else if all.len() - start >= most {
            return Some(Unfit::TooMany);
        } else {
            let placed = inner.into_iter().rev().map(|(rest, inner)| (format!("{path}.{rest}"), inner));
            waiting.extend(placed.map(|placed| (placed, depth + 1)));
        }
        all.push((path, shape));
    }
    unfit
}

/// Shapes that nothing else should look at: too deep, or of too many parts.
pub fn check_structure(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for whole in whole_shapes(scene, addresses) {
        let path = whole.0.clone();
        // One more than may be, the whole itself not counted as a part.
        match gather(whole, MOST_PARTS + 1, &mut Vec::new()) {
            Some(Unfit::TooDeep(path)) => {
                let reason = format!("shapes are in one another more than {DEEPEST} deep here");
                let remedy = "write the parts side by side in one union, or as a mesh file";
                found.push(Fault::error(path, reason, remedy));
            }
            Some(Unfit::TooMany) => {
                let reason = format!("it is made of more than {MOST_PARTS} shapes");
                found.push(Fault::error(path, reason, "write it as a mesh file, or as several objects"));
            }
            None => (),
        }
    }
}

/// Shapes without parts, without direction, or that cross themselves; meshes that are not there.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    for (path, shape) in scene.shapes() {
        match shape {
            Shape::HalfSpace { normal } => check_normal(*normal, path, found),
            Shape::Torus { radius, tube } => check_ring(*radius, *tube, path, found),
            Shape::Union(blend) | Shape::Difference(blend) | Shape::Intersection(blend)
                if blend.of.is_empty() =>
            {
                let remedy = "write at least one: of = [{ shape = { sphere = { radius = 0.1 } } }]";
                found.push(Fault::error(path, "there are no shapes in it", remedy));
            }
            Shape::Mesh(file) if scene.meshes.get(file).is_none() => {
                let reason = format!("the mesh {:?} has not been read", file.file);
                let remedy = "read it by ondine_io::meshes::bring, or put it into the scene's meshes";
                found.push(Fault::error(format!("{path}.mesh.file"), reason, remedy));
            }
            _ => (),
        }
    }
}

fn check_normal(normal: [f32; 3], path: String, found: &mut Vec<Fault>) {
    if Vec3::from(normal).length() < super::NO_DIRECTION {
        let reason = format!("the normal {normal:?} has no direction");
        let remedy = "write the direction away from the collider: [0, 1, 0] for a floor";
        found.push(Fault::error(format!("{path}.half_space.normal"), reason, remedy));
    }
}

fn check_ring(radius: f32, tube: f32, path: String, found: &mut Vec<Fault>) {
    if tube > radius {
        let reason = format!("a tube of {tube} m around a ring of {radius} m would cross itself");
        let remedy = format!("write a tube of at most {radius}, or a larger radius");
        found.push(Fault::error(format!("{path}.torus.tube"), reason, remedy));
    }
}
