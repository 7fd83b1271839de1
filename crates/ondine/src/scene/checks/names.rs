//! Names must be such that paths can use them.

use crate::scene::description::{Described, Shown};
use crate::scene::{Fault, Scene};
use crate::system::SystemKind;
use std::collections::{BTreeMap, BTreeSet};

/// How paths begin that lead to each liquid, kind of balls, effect, object, joint, spring and drain: by its name, or by its number where the name will not do.
#[derive(Debug)]
pub struct Addresses {
    /// Of the liquids.
    pub liquid: Vec<String>,
    /// Of the balls.
    pub balls: Vec<String>,
    /// Of the effects.
    pub effect: Vec<String>,
    /// Of the objects.
    pub object: Vec<String>,
    /// Of the joints.
    pub joint: Vec<String>,
    /// Of the springs.
    pub spring: Vec<String>,
    /// Of the drains.
    pub drain: Vec<String>,
}

impl Addresses {
    /// The addresses in a scene.
    pub fn of(scene: &Scene) -> Self {
        Self {
            liquid: addresses("liquid", &scene.liquid),
            balls: addresses("balls", &scene.balls),
            effect: addresses("effect", &scene.effect),
            object: addresses("object", &scene.object),
            joint: addresses("joint", &scene.joint),
            spring: addresses("spring", &scene.spring),
            drain: addresses("drain", &scene.drain),
        }
    }

    /// Of all systems, in the order of the scene's members.
    pub fn members(&self) -> impl Iterator<Item = &String> {
        self.liquid.iter().chain(&self.balls).chain(&self.effect)
    }
}

fn addresses<T: Described>(kind: &str, things: &[T]) -> Vec<String> {
    let names: Vec<&str> = things.iter().filter_map(|thing| thing.name()).collect();
    parts(&names).iter().map(|part| format!("{kind}.{part}")).collect()
}

/// The parts of paths that lead to things in a list: by their names, or by number where the name will not do.
pub fn parts(names: &[&str]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut part = |i: usize, name| match seen.insert(name) && defect(name).is_none() {
        true => name.to_string(),
        false => i.to_string(),
    };
    names.iter().enumerate().map(|(i, name)| part(i, *name)).collect()
}

/// Most letters of a name.
const LONGEST: usize = 64;

/// Whether a name is one that no file may have on some systems, with or without an ending.
fn is_reserved(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered = |kind: &str| {
        name.strip_prefix(kind).is_some_and(|n| n.len() == 1 && n != "0" && n.parse::<u8>().is_ok())
    };
    ["con", "prn", "aux", "nul"].contains(&name.as_str()) || numbered("com") || numbered("lpt")
}

/// Why paths and files could not use a name.
fn defect(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("has no name")
    } else if name.contains('.') {
        Some("has a dot in its name, which paths use to separate their parts")
    } else if name.trim() != name {
        Some("has a blank at an end of its name, which paths could not show")
    } else if name.chars().count() > LONGEST {
        Some("has a name of more than 64 letters, too long for the files that are called by it")
    } else if name.chars().any(char::is_control) {
        Some("has a character in its name that cannot be shown")
    } else if is_reserved(name) {
        Some("has a name that some systems keep for themselves, so that no file could be called by it")
    } else {
        None
    }
}

/// Names that are missing, that paths could not use, or that are given twice.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    scene.walk(&mut |shown| {
        if let Shown::Names { path, names } = shown {
            check_kind(path, names, found);
        }
    });
    check_systems(scene, found);
}

/// Systems of unlike kinds whose files would have the same names.
fn check_systems(scene: &Scene, found: &mut Vec<Fault>) {
    let mut seen: BTreeMap<String, SystemKind> = BTreeMap::new();
    let mut numbers: BTreeMap<SystemKind, usize> = BTreeMap::new();
    for member in scene.members() {
        let (kind, name) = (member.kind(), member.called());
        let number = numbers.entry(kind).or_default();
        let other = *seen.entry(name.to_lowercase()).or_insert(kind);
        if other != kind {
            let reason = format!(
                "\"{name}\" is what {other} of the scene is called, too: files of both would have one name"
            );
            let remedy = format!("give it a name of its own, such as \"{name}-{kind}\"");
            found.push(Fault::error(format!("{kind}.{number}.name"), reason, remedy));
        }
        *number += 1;
    }
}

fn check_kind(kind: &str, names: &[&str], found: &mut Vec<Fault>) {
    let mut seen = BTreeSet::new();
    for (i, name) in names.iter().enumerate() {
        let path = format!("{kind}.{i}.name");
        if let Some(defect) = defect(name) {
            let remedy = format!("write a name such as \"{kind}-{i}\"");
            found.push(Fault::error(path, format!("this {kind} {defect}"), remedy));
        } else if !seen.insert(name.to_lowercase()) {
            let reason = format!("there is another {kind} called \"{name}\", or so but for capital letters");
            found.push(Fault::error(
                path,
                reason,
                format!("give it a name of its own, such as \"{name}-{i}\""),
            ));
        }
    }
}
