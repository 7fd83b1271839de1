//! Events and tracks must name live values, and give them what they can take.

use super::limits::Limit;
use super::{Addresses, numbers, planar};
use crate::scene::{Event, Fault, Scalar, Scene, Track, Value};
use crate::suggest::nearest;
use std::collections::BTreeSet;

/// Events and tracks that name nothing live, or give what does not fit.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    if scene.event.is_empty() && scene.track.is_empty() {
        return;
    }
    let mut known = Known::of(scene, addresses);
    for (i, event) in scene.event.iter().enumerate() {
        known.check_event(i, event, found);
    }
    for (i, track) in scene.track.iter().enumerate() {
        known.check_track(i, track, found);
    }
}

/// What a path of the scene leads to.
enum Target {
    Number,
    Switch,
    Vector,
    /// Something that is the same for a whole run.
    Fixed,
    Nothing,
}

/// What paths of a scene may lead to.
struct Known {
    scene: Scene,
    live: Vec<String>,
    fixed: BTreeSet<String>,
}

/// The key of an object that a path goes through.
fn part_of_object(path: &str) -> Option<&str> {
    path.strip_prefix("object.")?.split('.').nth(1)
}

/// Things that paths may name, fixed and without a number.
const FIXED_WORDS: [&str; 17] = [
    "title",
    "seed",
    "name",
    "material",
    "relaxation",
    "arrangement",
    "open",
    "shape",
    "camera",
    "light",
    "lamp",
    "finish",
    "look",
    "kill_box",
    "motion",
    "kind",
    "file",
];

impl Known {
    fn of(scene: &Scene, addresses: &Addresses) -> Self {
        let mut fixed = BTreeSet::new();
        numbers::walk(scene, addresses, &mut |path, _| {
            // A vector is fixed as a whole if its components are.
            fixed.extend(path.rsplit_once('.').map(|(vector, _)| vector.to_string()));
            fixed.insert(path.to_string());
        });
        Self { live: scene.live_paths(), fixed, scene: scene.clone() }
    }

    fn target(&mut self, path: &str) -> Target {
        match self.scene.live(path) {
            Some(Scalar::Switch(_)) => return Target::Switch,
            Some(Scalar::Number(_) | Scalar::Maybe(_)) => return Target::Number,
            None => (),
        }
        let axis = |(vector, axis): (&str, &str)| match axis {
            "x" => format!("{vector}.0"),
            "y" => format!("{vector}.1"),
            "z" => format!("{vector}.2"),
            _ => path.to_string(),
        };
        let numbered = path.rsplit_once('.').map_or(path.to_string(), axis);
        let last = path.rsplit('.').next().unwrap_or(path);
        if self.scene.live(&format!("{path}.x")).is_some() {
            Target::Vector
        } else if self.fixed.contains(&numbered) || FIXED_WORDS.contains(&last) {
            Target::Fixed
        } else {
            Target::Nothing
        }
    }

    /// Why nothing can be set at a path.
    fn not_live(&self, target: &Target, place: &str, path: &str) -> Fault {
        if matches!(target, Target::Fixed) {
            let reason = format!("`{path}` cannot change during a run");
            let remedy = match part_of_object(path) {
                Some("at" | "rotate" | "velocity" | "spin") => {
                    "write motion = \"moving\" in the object, or remove this"
                }
                _ => "give it its value where it is defined, and remove it here",
            };
            return Fault::error(place, reason, remedy);
        }
        let remedy = match nearest(path, self.live.iter().map(String::as_str)) {
            Some(path) => format!("did you mean `{path}`?"),
            None => {
                "name a value such as `gravity.y`, `liquid.NAME.viscosity.linear` or `object.NAME.enabled`"
                    .into()
            }
        };
        Fault::error(place, format!("`{path}` names nothing in this scene"), remedy)
    }

    fn check_event(&mut self, i: usize, event: &Event, found: &mut Vec<Fault>) {
        found.extend(Limit::TIME.fault(&format!("event.{i}.at"), event.at));
        for (path, value) in &event.set {
            self.check_setting(&format!("event.{i}.set.{path}"), path, value, found);
        }
    }

    fn check_setting(&mut self, place: &str, path: &str, value: &Value, found: &mut Vec<Fault>) {
        let target = self.target(path);
        let places_an_object = matches!(part_of_object(path), Some("at" | "rotate"));
        if places_an_object && !matches!(target, Target::Fixed | Target::Nothing) {
            let reason = format!("`{path}` cannot jump: the object would be torn through what is in its way");
            let remedy = "let a track move it: [[track]] with its path and keys = [[0, 1], [2, 5]]";
            return found.push(Fault::error(place, reason, remedy));
        }
        let misfit = |is: &str, remedy: &str| Fault::error(place, format!("`{path}` is {is}"), remedy);
        match (&target, value) {
            (Target::Fixed | Target::Nothing, _) => found.push(self.not_live(&target, place, path)),
            (Target::Switch, Value::Switch(_)) => (),
            (Target::Number, Value::Number(x)) => self.check_value(place, path, *x, found),
            (Target::Vector, Value::Vector(v)) => {
                for (axis, x) in ["x", "y", "z"].iter().zip(v) {
                    self.check_value(place, &format!("{path}.{axis}"), *x, found);
                }
            }
            (Target::Switch, _) => found.push(misfit("on or off, not a number", "write true or false")),
            (Target::Number, _) => found.push(misfit("one number", "write a number such as 1.0")),
            (Target::Vector, _) => {
                let remedy = format!("write [x, y, z], or name one component: `{path}.y`");
                found.push(misfit("a vector", &remedy));
            }
        }
    }

    /// A live number must keep to its range, and to the plane.
    fn check_value(&self, place: &str, path: &str, value: f32, found: &mut Vec<Fault>) {
        found.extend(Limit::of(path).and_then(|limit| limit.fault(place, value)));
        if !self.scene.planar() || value == 0.0 || !value.is_finite() || path.starts_with("camera.") {
            return;
        }
        let (vector, axis) = path.rsplit_once('.').unwrap_or((path, ""));
        let turns = vector.ends_with(".rotate") || vector.ends_with(".spin");
        match axis {
            "z" | "2" if !turns => found.push(planar::leaves(place, "pull or move", value, [0.0; 2])),
            "x" | "y" | "0" | "1" if turns => {
                let reason = "in a planar scene things only turn about z";
                found.push(Fault::error(place, reason, format!("name `{vector}.z`, or write dimension = 3")));
            }
            _ => (),
        }
    }

    fn check_track(&mut self, i: usize, track: &Track, found: &mut Vec<Fault>) {
        let place = format!("track.{i}.path");
        match self.target(&track.path) {
            Target::Number | Target::Switch => (),
            Target::Vector => {
                let reason = format!("`{}` is a vector, and a track moves one number", track.path);
                found.push(Fault::error(place, reason, format!("name one component: `{}.y`", track.path)));
            }
            target => found.push(self.not_live(&target, &place, &track.path)),
        }
        if track.keys.is_empty() {
            let remedy = "write pairs of time [s] and value: keys = [[0, 1], [2, 5]]";
            found.push(Fault::error(format!("track.{i}.keys"), "the track has no keys", remedy));
        }
        self.check_keys(i, track, found);
    }

    fn check_keys(&self, i: usize, track: &Track, found: &mut Vec<Fault>) {
        let mut before = f32::NEG_INFINITY;
        for (k, &[time, value]) in track.keys.iter().enumerate() {
            let place = format!("track.{i}.keys.{k}");
            if !time.is_finite() || time.abs() > 1e6 {
                let reason = format!("the time {time} s is not within a million seconds of the start");
                found.push(Fault::error(&place, reason, "write the time in seconds since the start"));
            } else if time <= before {
                let reason =
                    format!("its time, {time} s, is not after that of the key before it, {before} s");
                found.push(Fault::error(&place, reason, "put the keys in increasing order of time"));
            }
            before = time;
            self.check_value(&place, &track.path, value, found);
        }
    }
}

impl Scene {
    /// Whether an event or a track ever sets a value, or a component of it.
    pub(crate) fn changes(&self, path: &str) -> bool {
        let names =
            |p: &str| p.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.track.iter().any(|t| names(&t.path))
            || self.event.iter().any(|e| e.set.keys().any(|path| names(path)))
    }
}
