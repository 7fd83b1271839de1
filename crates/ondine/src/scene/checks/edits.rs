//! Edits must change what is there and can be changed, and add only what a scene could have.

use super::amounts::{self, MOST_PARTICLES};
use super::changes::Known;
use super::objects::did_you_mean;
use super::{Addresses, balls, names, objects, places, planar};
use crate::scene::{BallFill, Balls, Edit, Fault, Fill, Liquid, Motion, Object, Recorded, Scene};
use glam::Vec3;

/// Edits out of order, or that ask for what cannot be. Only where all numbers and shapes are good; `held` are the objects that are held
/// before the first.
pub fn check(scene: &Scene, held: &[&str], found: &mut Vec<Fault>) {
    if scene.edit.is_empty() {
        return;
    }
    let known = Known { scene: Scene { edit: Vec::new(), ..scene.clone() } };
    let mut so_far = SoFar { known, held: held.iter().map(|name| name.to_string()).collect() };
    let mut before = 0;
    for (i, Recorded { frame, change }) in scene.edit.iter().enumerate() {
        if *frame < before {
            let reason = format!("it follows frame {frame}, the edit before it frame {before}");
            let remedy = "put the edits in order of their frames";
            found.push(Fault::error(format!("edit.{i}.frame"), reason, remedy));
        }
        before = before.max(*frame);
        so_far.check(&format!("edit.{i}.change"), change, found);
    }
}

/// What an edit adds to, or takes from.
#[derive(Clone, Copy)]
enum Member<'a> {
    Liquid(&'a Liquid),
    Balls(&'a Balls),
}

/// What there is by the time of an edit.
struct SoFar {
    /// The scene, with the objects that edits have added.
    known: Known,
    /// The objects that are held.
    held: Vec<String>,
}

impl SoFar {
    fn check(&mut self, place: &str, edit: &Edit, found: &mut Vec<Fault>) {
        match edit {
            Edit::Set { path, value } => {
                self.known.check_setting(&format!("{place}.set.path"), path, value, found)
            }
            Edit::Fill { system, fill } => {
                match self.member(&format!("{place}.fill.system"), system, found) {
                    Some(Member::Liquid(liquid)) => {
                        self.check_fill(&format!("{place}.fill.fill"), liquid, fill, found)
                    }
                    Some(Member::Balls(_)) => {
                        let (place, reason) =
                            (format!("{place}.fill.system"), "these are balls, not a liquid");
                        found.push(Fault::error(place, reason, "write ball_fill instead of fill"));
                    }
                    None => (),
                }
            }
            Edit::BallFill { system, fill } => {
                match self.member(&format!("{place}.ball_fill.system"), system, found) {
                    Some(Member::Balls(balls)) => {
                        self.check_ball_fill(&format!("{place}.ball_fill.fill"), balls, fill, found)
                    }
                    Some(Member::Liquid(_)) => {
                        let (place, reason) =
                            (format!("{place}.ball_fill.system"), "this is a liquid, not balls");
                        found.push(Fault::error(place, reason, "write fill instead of ball_fill"));
                    }
                    None => (),
                }
            }
            Edit::Points { system, at, velocity } => {
                if let Some(member) = self.member(&format!("{place}.points.system"), system, found) {
                    self.check_points(&format!("{place}.points"), member, at, *velocity, found);
                }
            }
            Edit::Remove { system, .. } => {
                self.member(&format!("{place}.remove.system"), system, found);
            }
            Edit::Kick { system, velocity, .. } => {
                self.member(&format!("{place}.kick.system"), system, found);
                self.stays(&format!("{place}.kick.velocity"), "move", *velocity, found);
            }
            Edit::Object(object) => {
                self.check_object(&format!("{place}.object"), object, found);
                self.known.scene.object.push((**object).clone());
            }
            Edit::Push { object, impulse, at } => {
                self.check_free(&format!("{place}.push.object"), object, found);
                self.stays(&format!("{place}.push.impulse"), "push", *impulse, found);
                self.stays(&format!("{place}.push.at"), "be pushed", at.unwrap_or_default(), found);
            }
            Edit::Grab { object, at } => {
                self.check_free(&format!("{place}.grab.object"), object, found);
                self.stays(&format!("{place}.grab.at"), "be held", *at, found);
                self.held.push(object.clone());
            }
            Edit::Drag { object, to } => {
                self.check_held(&format!("{place}.drag.object"), object, found);
                self.stays(&format!("{place}.drag.to"), "be dragged", *to, found);
            }
            Edit::Release { object } => {
                self.check_held(&format!("{place}.release.object"), object, found);
                self.held.retain(|held| held != object);
            }
        }
    }

    /// What an edit names as a system.
    fn member(&self, place: &str, system: &str, found: &mut Vec<Fault>) -> Option<Member<'_>> {
        let Scene { liquid, balls, .. } = &self.known.scene;
        let liquids = liquid.iter().map(|liquid| (format!("liquid.{}", liquid.name), Member::Liquid(liquid)));
        let all = liquids.chain(balls.iter().map(|b| (format!("balls.{}", b.name), Member::Balls(b))));
        let (names, all): (Vec<String>, Vec<Member>) = all.unzip();
        let member = names.iter().position(|name| name == system);
        if member.is_none() {
            let remedy =
                did_you_mean(system, &names.iter().map(String::as_str).collect::<Vec<_>>(), "system");
            let reason = format!("there is no system \"{system}\" whose particles could be changed");
            found.push(Fault::error(place, reason, remedy));
        }
        member.map(|n| all[n])
    }

    /// The scene with nothing in it but liquids, of which there is nothing yet.
    fn bare(&self) -> Scene {
        let Scene { dimension, liquid, meshes, .. } = &self.known.scene;
        let empty = |liquid: &Liquid| Liquid {
            fill: Vec::new(),
            emitter: Vec::new(),
            drops: Vec::new(),
            ..liquid.clone()
        };
        let liquid = liquid.iter().map(empty).collect();
        Scene { dimension: *dimension, liquid, meshes: meshes.clone(), ..Scene::default() }
    }

    /// A fill must be one that the liquid could have had at the start.
    fn check_fill(&self, place: &str, liquid: &Liquid, fill: &Fill, found: &mut Vec<Fault>) {
        let alone =
            Liquid { fill: vec![fill.clone()], emitter: Vec::new(), drops: Vec::new(), ..liquid.clone() };
        let scene = Scene { liquid: vec![alone], ..self.bare() };
        let addresses = Addresses::of(&scene);
        let mut wrong = Vec::new();
        places::check(&scene, &addresses, &mut wrong);
        planar::check(&scene, &addresses, &mut wrong);
        if wrong.is_empty() {
            amounts::check(&scene, &addresses, &mut wrong);
        }
        found.extend(moved(wrong, &format!("{}.fill.0", addresses.liquid[0]), place));
    }

    /// The same for balls.
    fn check_ball_fill(&self, place: &str, given: &Balls, fill: &BallFill, found: &mut Vec<Fault>) {
        let (ball, emitter) = (Vec::new(), Vec::new());
        let alone = Balls { ball, fill: vec![fill.clone()], emitter, ..given.clone() };
        let scene = Scene { balls: vec![alone], ..self.bare() };
        let addresses = Addresses::of(&scene);
        let mut wrong = Vec::new();
        places::check(&scene, &addresses, &mut wrong);
        planar::check(&scene, &addresses, &mut wrong);
        if wrong.is_empty() {
            balls::check(&scene, &addresses, &mut wrong);
        }
        found.extend(moved(wrong, &format!("{}.fill.0", addresses.balls[0]), place));
    }

    fn check_points(
        &self,
        place: &str,
        member: Member,
        at: &[[f32; 3]],
        velocity: [f32; 3],
        found: &mut Vec<Fault>,
    ) {
        if at.len() as f64 > MOST_PARTICLES {
            let reason = format!("{} particles are more than {MOST_PARTICLES:.0}, the most", at.len());
            found.push(Fault::error(format!("{place}.at"), reason, "add fewer"));
        }
        let before = found.len();
        for (i, p) in at.iter().enumerate() {
            let path = format!("{place}.at.{i}");
            if !Vec3::from(*p).is_finite() {
                let remedy = "write three numbers such as [0, 1, 0]";
                found.push(Fault::error(path, format!("{p:?} is not finite"), remedy));
            } else {
                self.stays(&path, "be", *p, found);
                match member {
                    Member::Liquid(liquid) => {
                        amounts::check_distance(Vec3::from(*p).length(), liquid, path, found)
                    }
                    Member::Balls(given) => balls::check_distance(*p, given, path, found),
                }
            }
            // One tells as much as a million.
            if found.len() > before {
                break;
            }
        }
        self.stays(&format!("{place}.velocity"), "move", velocity, found);
    }

    /// An object must be one that the scene could have had at the start, with a name of its own.
    fn check_object(&self, place: &str, object: &Object, found: &mut Vec<Fault>) {
        let scene = Scene { object: vec![object.clone()], ..self.bare() };
        let addresses = Addresses::of(&scene);
        let mut wrong = Vec::new();
        names::check(&scene, &mut wrong);
        objects::check(&scene, &addresses, &mut wrong);
        planar::check(&scene, &addresses, &mut wrong);
        if wrong.is_empty() {
            objects::check_free(&scene, &addresses, &mut wrong);
        }
        found.extend(moved(wrong, &addresses.object[0], place));
        let name = object.name.to_lowercase();
        if self.known.scene.object.iter().any(|o| o.name.to_lowercase() == name) {
            let reason = format!("there is an object called \"{}\" already", object.name);
            found.push(Fault::error(format!("{place}.name"), reason, "give it a name of its own"));
        }
    }

    /// Only what is free can be pushed and held.
    fn check_free(&self, place: &str, name: &str, found: &mut Vec<Fault>) {
        let all = &self.known.scene.object;
        match all.iter().find(|object| object.name == name) {
            None => {
                let names: Vec<&str> = all.iter().map(|object| object.name.as_str()).collect();
                let remedy = did_you_mean(name, &names, "object");
                found.push(Fault::error(place, format!("there is no object \"{name}\""), remedy));
            }
            Some(object) if object.motion != Motion::Free => {
                let reason = format!("\"{name}\" is not free: nothing that acts on it moves it");
                let remedy = "write motion = \"free\" in it, or set the velocity of one that is moving";
                found.push(Fault::error(place, reason, remedy));
            }
            Some(_) => (),
        }
    }

    fn check_held(&self, place: &str, name: &str, found: &mut Vec<Fault>) {
        let before = found.len();
        self.check_free(place, name, found);
        if found.len() == before && !self.held.iter().any(|held| held == name) {
            found.push(Fault::error(place, format!("\"{name}\" is not held"), "grab it first"));
        }
    }

    fn stays(&self, place: &str, verb: &str, [x, y, z]: [f32; 3], found: &mut Vec<Fault>) {
        if self.known.scene.planar() && z != 0.0 {
            found.push(planar::leaves(place, verb, z, [x, y]));
        }
    }
}

/// The faults of a thing, told at the edit that adds it. Those of other things are not its own.
fn moved(faults: Vec<Fault>, from: &str, to: &str) -> Vec<Fault> {
    // Names are told by number.
    let numbered = from.split_once('.').map_or(from.to_string(), |(kind, _)| format!("{kind}.0"));
    let own = |fault: Fault| {
        let rest = fault.path.strip_prefix(from).or_else(|| fault.path.strip_prefix(&numbered))?;
        Some(Fault { path: format!("{to}{rest}"), ..fault.clone() })
    };
    faults.into_iter().filter_map(own).collect()
}
