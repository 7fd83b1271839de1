//! Events and tracks must name live values, and give them what they can take.

use super::planar;
use crate::scene::description::{Declared, Found, Leaf, Live, Range, Status};
use crate::scene::{Event, Fault, Scalar, Scene, Track, Value};
use crate::suggest::nearest;

/// Events and tracks that name nothing live, or give what does not fit.
pub fn check(scene: &Scene, found: &mut Vec<Fault>) {
    if scene.event.is_empty() && scene.track.is_empty() {
        return;
    }
    let mut known = Known { scene: scene.clone() };
    for (i, event) in scene.event.iter().enumerate() {
        known.check_event(i, event, found);
    }
    for (i, track) in scene.track.iter().enumerate() {
        known.check_track(i, track, found);
    }
}

/// A switch as a number: tracks turn it so.
const SWITCH: Declared =
    Declared { key: "", about: "", range: Some(Range::new(0.0, 1.0)), live: Live::Always };

/// What a path of the scene leads to.
#[derive(Clone, Copy)]
enum Target {
    Number(&'static Declared),
    Switch,
    Vector(&'static Declared),
    /// Something that is the same for a whole run, or here.
    Fixed(&'static Declared),
    Nothing,
}

/// What paths of a scene may lead to.
pub(super) struct Known {
    pub scene: Scene,
}

impl Known {
    fn target(&mut self, path: &str) -> Target {
        let Some(Found { leaf, status: Status { declared, live } }) = self.scene.find(path) else {
            return Target::Nothing;
        };
        match leaf {
            _ if !live => Target::Fixed(declared),
            Leaf::Scalar(Scalar::Switch(_)) => Target::Switch,
            Leaf::Scalar(Scalar::Number(_) | Scalar::Maybe(_)) => Target::Number(declared),
            Leaf::Vector => Target::Vector(declared),
            Leaf::Other => Target::Fixed(declared),
        }
    }

    /// Why nothing can be set at a path.
    fn not_live(&self, target: Target, place: &str, path: &str) -> Fault {
        if let Target::Fixed(declared) = target {
            let remedy = match declared.live {
                Live::If(terms) => terms.remedy,
                _ => "give it its value where it is defined, and remove it here",
            };
            return Fault::error(place, format!("`{path}` cannot change during a run"), remedy);
        }
        let live = self.scene.live_paths();
        let remedy = match nearest(path, live.iter().map(String::as_str)) {
            Some(path) => format!("did you mean `{path}`?"),
            None => {
                "name a value such as `gravity.y`, `liquid.NAME.viscosity.linear` or `object.NAME.enabled`"
                    .into()
            }
        };
        Fault::error(place, format!("`{path}` names nothing in this scene"), remedy)
    }

    fn check_event(&mut self, i: usize, event: &Event, found: &mut Vec<Fault>) {
        for (path, value) in &event.set {
            self.check_setting(&format!("event.{i}.set.{path}"), path, value, found);
        }
    }

    /// What is wrong with a value that is to be set at a path.
    pub fn check_setting(&mut self, place: &str, path: &str, value: &Value, found: &mut Vec<Fault>) {
        let target = self.target(path);
        if let Target::Number(Declared { live: Live::If(terms), .. })
        | Target::Vector(Declared { live: Live::If(terms), .. }) = target
            && !terms.jumps
        {
            let reason = format!("`{path}` cannot jump: the object would be torn through what is in its way");
            let remedy = "let a track move it: [[track]] with its path and keys = [[0, 1], [2, 5]]";
            return found.push(Fault::error(place, reason, remedy));
        }
        let misfit = |is: &str, remedy: &str| Fault::error(place, format!("`{path}` is {is}"), remedy);
        match (target, value) {
            (Target::Fixed(_) | Target::Nothing, _) => found.push(self.not_live(target, place, path)),
            (Target::Switch, Value::Switch(_)) => (),
            (Target::Number(declared), Value::Number(x)) => {
                self.check_value(place, path, declared, *x, found);
            }
            (Target::Vector(declared), Value::Vector(v)) => {
                for (axis, x) in ["x", "y", "z"].iter().zip(v) {
                    self.check_value(place, &format!("{path}.{axis}"), declared, *x, found);
                }
            }
            (Target::Switch, _) => found.push(misfit("on or off, not a number", "write true or false")),
            (Target::Number(_), _) => found.push(misfit("one number", "write a number such as 1.0")),
            (Target::Vector(_), _) => {
                let remedy = format!("write [x, y, z], or name one component: `{path}.y`");
                found.push(misfit("a vector", &remedy));
            }
        }
    }

    /// A live number must keep to its range, and to the plane.
    fn check_value(&self, place: &str, path: &str, declared: &Declared, value: f32, found: &mut Vec<Fault>) {
        found.extend(declared.fault(place, value));
        if !self.scene.planar() || value == 0.0 || !value.is_finite() || path.starts_with("camera.") {
            return;
        }
        let (vector, axis) = path.rsplit_once('.').unwrap_or((path, ""));
        let turns = declared.unit().starts_with('°') || declared.unit() == "N·m";
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
        let target = self.target(&track.path);
        match target {
            Target::Number(_) | Target::Switch => (),
            Target::Vector(_) => {
                let reason = format!("`{}` is a vector, and a track moves one number", track.path);
                found.push(Fault::error(place, reason, format!("name one component: `{}.y`", track.path)));
            }
            target => found.push(self.not_live(target, &place, &track.path)),
        }
        if track.keys.is_empty() {
            let remedy = "write pairs of time [s] and value: keys = [[0, 1], [2, 5]]";
            found.push(Fault::error(format!("track.{i}.keys"), "the track has no keys", remedy));
        }
        let mut before = f32::NEG_INFINITY;
        for (k, &[time, value]) in track.keys.iter().enumerate() {
            let place = format!("track.{i}.keys.{k}");
            check_time(time, before, &place, found);
            before = time;
            match target {
                Target::Number(declared) => self.check_value(&place, &track.path, declared, value, found),
                Target::Switch => found.extend(SWITCH.fault(&place, value)),
                _ => (),
            }
        }
    }
}

fn check_time(time: f32, before: f32, place: &str, found: &mut Vec<Fault>) {
    if !time.is_finite() || time.abs() > 1e6 {
        let reason = format!("the time {time} s is not within a million seconds of the start");
        found.push(Fault::error(place, reason, "write the time in seconds since the start"));
    } else if time <= before {
        let reason = format!("its time, {time} s, is not after that of the key before it, {before} s");
        found.push(Fault::error(place, reason, "put the keys in increasing order of time"));
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
