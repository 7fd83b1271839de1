//! Names must be such that paths can use them.

use crate::scene::{Fault, Scene};
use std::collections::BTreeSet;

/// How paths begin that lead to each liquid, object, joint and drain: by its name, or by its number where the name will not do.
#[derive(Debug)]
pub struct Addresses {
    /// Of the liquids.
    pub liquid: Vec<String>,
    /// Of the objects.
    pub object: Vec<String>,
    /// Of the joints.
    pub joint: Vec<String>,
    /// Of the drains.
    pub drain: Vec<String>,
}

impl Addresses {
    /// The addresses in a scene.
    pub fn of(scene: &Scene) -> Self {
        Self {
            liquid: addresses("liquid", liquids(scene)),
            object: addresses("object", objects(scene)),
            joint: addresses("joint", joints(scene)),
            drain: addresses("drain", drains(scene)),
        }
    }
}

fn liquids(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.liquid.iter().map(|l| l.name.as_str())
}

fn objects(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.object.iter().map(|o| o.name.as_str())
}

fn joints(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.joint.iter().map(|j| j.name.as_str())
}

fn drains(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.drain.iter().map(|d| d.name.as_str())
}

fn addresses<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let address = |(i, name): (usize, &'a str)| match seen.insert(name) && defect(name).is_none() {
        true => format!("{kind}.{name}"),
        false => format!("{kind}.{i}"),
    };
    names.enumerate().map(address).collect()
}

/// Why paths could not use a name.
fn defect(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("has no name")
    } else if name.contains('.') {
        Some("has a dot in its name, which paths use to separate their parts")
    } else if name.trim() != name {
        Some("has a blank at an end of its name, which paths could not show")
    } else {
        None
    }
}

/// Names that are missing, that paths could not use, or that are given twice.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    check_kind("liquid", liquids(scene), found);
    check_kind("object", objects(scene), found);
    check_kind("drain", drains(scene), found);
    check_kind("joint", joints(scene), found);
}

fn check_kind<'a>(kind: &str, names: impl Iterator<Item = &'a str>, found: &mut Vec<Fault>) {
    let mut seen = BTreeSet::new();
    for (i, name) in names.enumerate() {
        let path = format!("{kind}.{i}.name");
        if let Some(defect) = defect(name) {
            let remedy = format!("write a name such as \"{kind}-{i}\"");
            found.push(Fault::error(path, format!("this {kind} {defect}"), remedy));
        } else if !seen.insert(name) {
            let reason = format!("there is another {kind} called \"{name}\"");
            found.push(Fault::error(
                path,
                reason,
                format!("give it a name of its own, such as \"{name}-{i}\""),
            ));
        }
    }
}
