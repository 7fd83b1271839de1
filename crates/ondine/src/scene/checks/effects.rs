//! Effects: names that lead somewhere and not in circles, curves that are some, numbers that can be held.

use super::Addresses;
use super::places::{check_end, check_hours};
use super::planar::{meets_the_plane, stays, turns_about_z};
use crate::scene::{ChildEvent, Effect, EffectChild, Encounter, Fault, Member, Scene, Shape};
use crate::suggest;
use crate::system::SystemKind;

/// The most particles of an effect that may live at once.
const MOST: f64 = 5e7;
/// Impacts of a particle, as many as are worth counting on.
const IMPACTS: f64 = 4.0;

impl Member for Effect {
    fn kind(&self) -> SystemKind {
        SystemKind::Effect
    }

    fn called(&self) -> &str {
        &self.name
    }

    fn shapes(&self) -> Vec<(String, &Shape)> {
        self.emitter.shape.iter().map(|shape| ("emitter.shape".to_string(), shape)).collect()
    }

    fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        self.emitter.shape.iter_mut().collect()
    }

    fn check_sense(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        let path = format!("{address}.emitter");
        check_hours(self.emitter.start, self.emitter.stop, &path, found);
        if let Some(shape) = &self.emitter.shape {
            check_end(scene, shape, format!("{path}.shape"), found);
        }
    }

    fn check_planar(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        let path = format!("{address}.emitter");
        stays(self.emitter.direction, &format!("{path}.direction"), "leave", found);
        stays(self.wind, &format!("{address}.wind"), "blow", found);
        turns_about_z(self.emitter.rotate, &path, found);
        if let Some(shape) = &self.emitter.shape {
            meets_the_plane(shape, self.emitter.at, &path, scene, found);
        }
    }
}

/// Everything about effects that numbers alone do not tell.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for (effect, address) in scene.effect.iter().zip(&addresses.effect) {
        check_names(scene, effect, address, found);
        check_curves(effect, address, found);
        check_order(effect, address, found);
        check_meetings(effect, address, found);
    }
    check_circles(scene, addresses, found);
    if found.is_empty() {
        check_amounts(scene, addresses, found);
    }
}

/// Objects and effects that are named must be there.
fn check_names(scene: &Scene, effect: &Effect, address: &str, found: &mut Vec<Fault>) {
    if let Some(on) = &effect.emitter.on
        && !scene.all_objects().any(|object| object.name == *on)
    {
        let names: Vec<&str> = scene.all_objects().map(|object| object.name.as_str()).collect();
        let reason = format!("there is no object called \"{on}\" that it could be on");
        found.push(Fault::error(format!("{address}.emitter.on"), reason, suggest::remedy(on, &names)));
    }
    for (i, child) in effect.child.iter().enumerate() {
        if !scene.effect.iter().any(|other| other.name == child.effect) {
            let names: Vec<&str> = scene.effect.iter().map(|effect| effect.name.as_str()).collect();
            let reason = format!("there is no effect called \"{}\"", child.effect);
            let remedy = suggest::remedy(&child.effect, &names);
            found.push(Fault::error(format!("{address}.child.{i}.effect"), reason, remedy));
        }
    }
}

/// Keys in order, from 0 to 1, of values that can be.
fn check_curves(effect: &Effect, address: &str, found: &mut Vec<Fault>) {
    check_curve(&effect.size, [1e-6, 1000.0], &format!("{address}.size"), "[[0, 0.01], [1, 0.02]]", found);
    check_curve(&effect.opacity, [0.0, 1.0], &format!("{address}.opacity"), "[[0, 1], [1, 0]]", found);
    let example = "[[0, 1, 1, 1], [1, 1, 0.5, 0]]";
    check_curve(&effect.color, [0.0, 1.0], &format!("{address}.color"), example, found);
    if effect.tint.as_flattened().iter().any(|x| !(0.0..=1.0).contains(x)) {
        let reason = "a colour has a part below 0 or above 1";
        found.push(Fault::error(format!("{address}.tint"), reason, "write numbers from 0 to 1"));
    }
    if effect.path.through.as_flattened().iter().any(|x| !(-1e6..=1e6).contains(x)) {
        let reason = "a point is farther away than 1000000 m, or nowhere";
        found.push(Fault::error(format!("{address}.path.through"), reason, "write points within 1000000 m"));
    }
}

fn check_curve<const N: usize>(
    keys: &[[f32; N]],
    [least, most]: [f32; 2],
    path: &str,
    example: &str,
    found: &mut Vec<Fault>,
) {
    let in_order = keys.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    let shares = keys.iter().all(|key| (0.0..=1.0).contains(&key[0]));
    let values = keys.iter().flat_map(|key| &key[1..]).all(|x| (least..=most).contains(x));
    let reason = match (keys.is_empty(), in_order && shares, values) {
        (true, ..) => "a curve needs at least one key".to_string(),
        (_, false, _) => "keys must go up from 0 to 1, the shares of a life".to_string(),
        (.., false) => format!("a value is not from {least} to {most}"),
        _ => return,
    };
    found.push(Fault::error(path, reason, format!("write for example {example}")));
}

/// Bursts come one after the other.
fn check_order(effect: &Effect, address: &str, found: &mut Vec<Fault>) {
    if effect.emitter.burst.windows(2).any(|pair| pair[0].at > pair[1].at) {
        let reason = "bursts are not in order of time";
        found.push(Fault::error(format!("{address}.emitter.burst"), reason, "put the earlier one first"));
    }
}

/// Nobody sticks to what has no frame of its own.
fn check_meetings(effect: &Effect, address: &str, found: &mut Vec<Fault>) {
    if effect.collision.systems == Encounter::Stick {
        let reason = "particles of an effect cannot stick to liquids or balls";
        let remedy = "write \"die\", \"bounce\" or \"pass\"";
        found.push(Fault::error(format!("{address}.collision.systems"), reason, remedy));
    }
}

/// The effects that come of an effect, by their numbers.
fn children(scene: &Scene, n: usize) -> impl Iterator<Item = (usize, &EffectChild)> {
    let number = |child: &EffectChild| scene.effect.iter().position(|effect| effect.name == child.effect);
    scene.effect[n].child.iter().filter_map(move |child| Some((number(child)?, child)))
}

/// No effect may come of itself, by whatever way: there would be no end of it.
fn check_circles(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    for n in 0..scene.effect.len() {
        let (mut seen, mut next) = (vec![false; scene.effect.len()], vec![n]);
        while let Some(parent) = next.pop() {
            for (child, _) in children(scene, parent) {
                if !std::mem::replace(&mut seen[child], true) {
                    next.push(child);
                }
            }
        }
        if seen[n] {
            let reason = "it comes of itself, at once or by way of others: there would be no end of it";
            let remedy = "let its child be another effect, from which no way leads back";
            found.push(Fault::error(format!("{}.child", addresses.effect[n]), reason, remedy));
        }
    }
}

/// How many may live at once: what emitters give in a life, and what comes of those.
fn check_amounts(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let count = scene.effect.len();
    let emitter = |n: usize| &scene.effect[n].emitter;
    let mut rate: Vec<f64> = (0..count).map(|n| emitter(n).rate as f64 * emitter(n).count as f64).collect();
    let bursts =
        |n: usize| emitter(n).burst.iter().map(|b| b.times as f64).sum::<f64>() * emitter(n).count as f64;
    let mut at_once: Vec<f64> = (0..count).map(bursts).collect();
    let (own, own_at_once) = (rate.clone(), at_once.clone());
    // There are no circles: as many rounds as effects reach everybody.
    for _ in 0..count {
        let (mut next, mut next_at_once) = (own.clone(), own_at_once.clone());
        for n in 0..count {
            for (child, how) in children(scene, n) {
                let each = how.count as f64
                    * match how.on {
                        ChildEvent::Birth | ChildEvent::Death => 1.0,
                        ChildEvent::Impact => IMPACTS,
                        ChildEvent::Trail => how.rate as f64 * scene.effect[n].life as f64,
                    };
                next[child] += each * rate[n];
                next_at_once[child] += each * at_once[n];
            }
        }
        (rate, at_once) = (next, next_at_once);
    }
    for n in 0..count {
        let most = rate[n] * (scene.effect[n].life as f64).min(scene.duration as f64) + at_once[n];
        if most > MOST {
            let reason =
                format!("some {most:.1e} particles of it could live at once; the most is {MOST:.0e}");
            let remedy = "write a lower rate, a lower count or a shorter life, here or where it comes from";
            found.push(Fault::error(format!("{}.emitter.rate", addresses.effect[n]), reason, remedy));
        }
    }
}
