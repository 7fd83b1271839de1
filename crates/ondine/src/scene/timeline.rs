//! Values that change during a run: events, tracks, and the names by which they reach a value.

use super::{Camera, Drops, Emitter, Liquid, Motion, Object, Placement, Scene, Springs, Viscosity};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Values set at one instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// When [s].
    #[schemars(range(min = 0))]
    pub at: f32,
    /// What to set: a path such as "liquid.honey.springs.stiffness", and its new value.
    pub set: BTreeMap<String, Value>,
}

/// One value that follows a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Track {
    /// The value, such as "liquid.honey.viscosity.linear" or "gravity.y".
    pub path: String,
    /// Pairs of time [s] and value, in order of time.
    pub keys: Vec<[f32; 2]>,
    /// What happens between keys. Default "linear".
    #[serde(default)]
    pub interpolation: Interpolation,
}

/// What happens between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// A straight line.
    #[default]
    Linear,
    /// Starts and ends gently.
    Smooth,
    /// The earlier key's value, until the next.
    Step,
}

impl Track {
    /// The value at a time: the first key's before the first key, the last one's after the last. None without keys.
    pub fn value(&self, time: f32) -> Option<f32> {
        let after = self.keys.partition_point(|k| k[0] <= time);
        let last = *self.keys.last()?;
        if after == 0 {
            return Some(self.keys[0][1]);
        }
        let [t0, a] = self.keys[after - 1];
        let Some(&[t1, b]) = self.keys.get(after) else { return Some(last[1]) };
        let u = (time - t0) / (t1 - t0);
        Some(match self.interpolation {
            Interpolation::Linear => a + (b - a) * u,
            Interpolation::Smooth => a + (b - a) * u * u * (3.0 - 2.0 * u),
            Interpolation::Step => a,
        })
    }
}

/// A value that an event sets: a number, a truth value, or a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f32),
    /// true or false.
    Switch(bool),
    /// Three numbers.
    Vector([f32; 3]),
}

/// In text a value stands bare (`2.5`, `true`, `[0, 1, 0]`); in binary it needs its tag.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum BareValue {
    Number(f32),
    Switch(bool),
    Vector([f32; 3]),
}

#[derive(Serialize, Deserialize)]
enum TaggedValue {
    Number(f32),
    Switch(bool),
    Vector([f32; 3]),
}

macro_rules! same_variants {
    ($a:ident, $b:ident) => {
        impl From<$a> for $b {
            fn from(v: $a) -> Self {
                match v {
                    $a::Number(x) => $b::Number(x),
                    $a::Switch(x) => $b::Switch(x),
                    $a::Vector(x) => $b::Vector(x),
                }
            }
        }
    };
}
same_variants!(Value, BareValue);
same_variants!(BareValue, Value);
same_variants!(Value, TaggedValue);
same_variants!(TaggedValue, Value);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            BareValue::from(*self).serialize(s)
        } else {
            TaggedValue::from(*self).serialize(s)
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() {
            Ok(BareValue::deserialize(d)?.into())
        } else {
            Ok(TaggedValue::deserialize(d)?.into())
        }
    }
}

impl JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BareValue::json_schema(generator)
    }
}

/// A live value: one that events and tracks may change during a run.
#[derive(Debug)]
pub enum Scalar<'a> {
    /// A number.
    Number(&'a mut f32),
    /// A number that may be absent.
    Maybe(&'a mut Option<f32>),
    /// A truth value.
    Switch(&'a mut bool),
}

impl Scalar<'_> {
    /// The number that is there, if any; a switch counts as 0 or 1.
    pub fn number(&self) -> Option<f32> {
        match self {
            Scalar::Number(x) => Some(**x),
            Scalar::Maybe(x) => **x,
            Scalar::Switch(x) => Some(**x as u32 as f32),
        }
    }

    /// Stores what [`Scalar::number`] gave; what must be there stays as it is when nothing was.
    pub fn restore(self, value: Option<f32>) {
        match (self, value) {
            (Scalar::Maybe(x), value) => *x = value,
            (scalar, Some(value)) => scalar.store(value),
            (_, None) => (),
        }
    }

    /// Stores a number; a switch is on for anything but 0.
    pub fn store(self, value: f32) {
        match self {
            Scalar::Number(x) => *x = value,
            Scalar::Maybe(x) => *x = Some(value),
            Scalar::Switch(x) => *x = value != 0.0,
        }
    }
}

fn component(vector: &mut [f32; 3], key: &str) -> Option<usize> {
    let index = match key {
        "x" | "0" => 0,
        "y" | "1" => 1,
        "z" | "2" => 2,
        _ => return None,
    };
    (index < vector.len()).then_some(index)
}

/// A component of a vector, by the name or the number of its axis.
pub(crate) fn vector<'a>(v: &'a mut [f32; 3], key: &str) -> Option<Scalar<'a>> {
    component(v, key).map(|i| Scalar::Number(&mut v[i]))
}

/// Something that has live values.
pub(crate) trait HasLive {
    /// The live value that a path names, or None: the path names nothing, or something fixed during a run.
    fn find(&mut self, path: &str) -> Option<Scalar<'_>>;

    /// Applies one setting of an event. Vectors reach their three components. False when the path is not live or
    /// the value does not fit it.
    fn set(&mut self, path: &str, value: Value) -> bool {
        match value {
            Value::Vector(v) => {
                (0..3).all(|i| self.find(&format!("{path}.{i}")).map(|s| s.store(v[i])).is_some())
            }
            Value::Number(x) => match self.find(path) {
                Some(Scalar::Switch(_)) | None => false,
                Some(s) => {
                    s.store(x);
                    true
                }
            },
            Value::Switch(on) => match self.find(path) {
                Some(Scalar::Switch(x)) => {
                    *x = on;
                    true
                }
                _ => false,
            },
        }
    }
}

impl HasLive for Scene {
    fn find(&mut self, path: &str) -> Option<Scalar<'_>> {
        self.live(path)
    }
}

fn named<'a, T>(list: &'a mut [T], name_of: impl Fn(&T) -> &str, name: &str) -> Option<&'a mut T> {
    list.iter_mut().find(|item| name_of(item) == name)
}

impl Scene {
    /// The live value that a path names, or None: the path names nothing, or something fixed during a run.
    pub fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (head, rest) = path.split_once('.')?;
        match head {
            "gravity" => vector(&mut self.gravity, rest),
            "camera" => self.camera.as_mut()?.live(rest),
            "liquid" => {
                let (name, rest) = rest.split_once('.')?;
                named(&mut self.liquid, |l| &l.name, name)?.live(rest)
            }
            "object" => {
                let (name, rest) = rest.split_once('.')?;
                named(&mut self.object, |o| &o.name, name)?.live(rest)
            }
            _ => None,
        }
    }

    /// Where tracks put an object at a time, if any moves it.
    pub fn tracked_placement(&self, object: &Object, time: f32) -> Option<Placement> {
        let (mut at, mut rotate, mut tracked) = (object.at, object.rotate, false);
        for track in &self.track {
            let rest = track.path.strip_prefix("object.").and_then(|p| p.strip_prefix(object.name.as_str()));
            let Some((key, axis)) = rest.and_then(|r| r.strip_prefix('.')).and_then(|r| r.split_once('.'))
            else {
                continue;
            };
            let moved = match key {
                "at" => vector(&mut at, axis),
                "rotate" => vector(&mut rotate, axis),
                _ => None,
            };
            if let (Some(scalar), Some(value)) = (moved, track.value(time)) {
                scalar.store(value);
                tracked = true;
            }
        }
        tracked.then(|| Placement::new(at, rotate))
    }

    /// Applies one setting of an event. False when the path is not live or the value does not fit it.
    pub fn set_live(&mut self, path: &str, value: Value) -> bool {
        self.set(path, value)
    }

    /// Every path that events and tracks may name in this scene.
    pub fn live_paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = ["x", "y", "z"].iter().map(|c| format!("gravity.{c}")).collect();
        for liquid in &self.liquid {
            paths.extend(liquid.live_keys().iter().map(|k| format!("liquid.{}.{k}", liquid.name)));
        }
        if self.camera.is_some() {
            paths.extend(Camera::LIVE.iter().map(|k| format!("camera.{k}")));
        }
        for object in &self.object {
            paths.extend(object.live_keys().iter().map(|k| format!("object.{}.{k}", object.name)));
        }
        paths
    }
}

impl Liquid {
    const LIVE: [&'static str; 11] = [
        "density",
        "compression",
        "stiffness",
        "surface_tension",
        "contact_angle",
        "lifetime",
        "viscosity.linear",
        "viscosity.quadratic",
        "springs.stiffness",
        "springs.plasticity",
        "springs.yield_ratio",
    ];
    const LIVE_THESIS: [&'static str; 8] = [
        "thesis.k",
        "thesis.k_near",
        "thesis.rho0",
        "thesis.sigma",
        "thesis.beta",
        "thesis.k_spring",
        "thesis.alpha",
        "thesis.gamma",
    ];
    const LIVE_EMITTER: [&'static str; 5] = ["velocity.x", "velocity.y", "velocity.z", "start", "stop"];
    const LIVE_DROPS: [&'static str; 12] = [
        "at.x",
        "at.y",
        "at.z",
        "velocity.x",
        "velocity.y",
        "velocity.z",
        "rate",
        "radius",
        "outward",
        "scatter",
        "start",
        "stop",
    ];

    fn live_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Self::LIVE.iter().map(|k| k.to_string()).collect();
        if self.thesis.is_some() {
            keys.extend(Self::LIVE_THESIS.iter().map(|k| k.to_string()));
        }
        for i in 0..self.emitter.len() {
            keys.extend(Self::LIVE_EMITTER.iter().map(|k| format!("emitter.{i}.{k}")));
        }
        for i in 0..self.drops.len() {
            keys.extend(Self::LIVE_DROPS.iter().map(|k| format!("drops.{i}.{k}")));
        }
        keys
    }

    pub(crate) fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        match path.split_once('.') {
            None => match path {
                "density" => Some(Scalar::Number(&mut self.density)),
                "compression" => Some(Scalar::Number(&mut self.compression)),
                "stiffness" => Some(Scalar::Maybe(&mut self.stiffness)),
                "surface_tension" => Some(Scalar::Number(&mut self.surface_tension)),
                "contact_angle" => Some(Scalar::Number(&mut self.contact_angle)),
                "lifetime" => Some(Scalar::Maybe(&mut self.lifetime)),
                _ => None,
            },
            Some(("viscosity", key)) => self.viscosity.live(key),
            Some(("springs", key)) => self.springs.live(key),
            Some(("thesis", key)) => {
                let t = self.thesis.as_mut()?;
                Some(Scalar::Number(match key {
                    "k" => &mut t.k,
                    "k_near" => &mut t.k_near,
                    "rho0" => &mut t.rho0,
                    "sigma" => &mut t.sigma,
                    "beta" => &mut t.beta,
                    "k_spring" => &mut t.k_spring,
                    "alpha" => &mut t.alpha,
                    "gamma" => &mut t.gamma,
                    _ => return None,
                }))
            }
            Some(("emitter", rest)) => {
                let (index, key) = rest.split_once('.')?;
                self.emitter.get_mut(index.parse::<usize>().ok()?)?.live(key)
            }
            Some(("drops", rest)) => {
                let (index, key) = rest.split_once('.')?;
                self.drops.get_mut(index.parse::<usize>().ok()?)?.live(key)
            }
            _ => None,
        }
    }
}

impl Viscosity {
    fn live(&mut self, key: &str) -> Option<Scalar<'_>> {
        match key {
            "linear" => Some(Scalar::Number(&mut self.linear)),
            "quadratic" => Some(Scalar::Number(&mut self.quadratic)),
            _ => None,
        }
    }
}

impl Springs {
    fn live(&mut self, key: &str) -> Option<Scalar<'_>> {
        match key {
            "stiffness" => Some(Scalar::Number(&mut self.stiffness)),
            "plasticity" => Some(Scalar::Number(&mut self.plasticity)),
            "yield_ratio" => Some(Scalar::Number(&mut self.yield_ratio)),
            _ => None,
        }
    }
}

impl Emitter {
    fn live(&mut self, key: &str) -> Option<Scalar<'_>> {
        match key.split_once('.') {
            Some(("velocity", axis)) => vector(&mut self.velocity, axis),
            None if key == "start" => Some(Scalar::Number(&mut self.start)),
            None if key == "stop" => Some(Scalar::Maybe(&mut self.stop)),
            _ => None,
        }
    }
}

impl Drops {
    fn live(&mut self, key: &str) -> Option<Scalar<'_>> {
        match key.split_once('.') {
            Some(("at", axis)) => vector(&mut self.at, axis),
            Some(("velocity", axis)) => vector(&mut self.velocity, axis),
            Some(_) => None,
            None => Some(match key {
                "rate" => Scalar::Number(&mut self.rate),
                "radius" => Scalar::Maybe(&mut self.radius),
                "outward" => Scalar::Number(&mut self.outward),
                "scatter" => Scalar::Number(&mut self.scatter),
                "start" => Scalar::Number(&mut self.start),
                "stop" => Scalar::Maybe(&mut self.stop),
                _ => return None,
            }),
        }
    }
}

impl Object {
    const LIVE: [&'static str; 4] = ["friction", "restitution", "enabled", "visible"];
    const LIVE_MOVING: [&'static str; 12] = [
        "at.x",
        "at.y",
        "at.z",
        "rotate.x",
        "rotate.y",
        "rotate.z",
        "velocity.x",
        "velocity.y",
        "velocity.z",
        "spin.x",
        "spin.y",
        "spin.z",
    ];

    fn live_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Self::LIVE.iter().map(|k| k.to_string()).collect();
        if self.motion == Motion::Moving {
            keys.extend(Self::LIVE_MOVING.iter().map(|k| k.to_string()));
        }
        let sticky = self.adhesion.keys();
        keys.extend(sticky.flat_map(|l| ["pull", "range"].map(|k| format!("adhesion.{l}.{k}"))));
        keys
    }

    pub(crate) fn live(&mut self, key: &str) -> Option<Scalar<'_>> {
        let moving = self.motion == Motion::Moving;
        match key.split_once('.') {
            None => match key {
                "friction" => Some(Scalar::Number(&mut self.friction)),
                "restitution" => Some(Scalar::Number(&mut self.restitution)),
                "enabled" => Some(Scalar::Switch(&mut self.enabled)),
                "visible" => Some(Scalar::Switch(&mut self.visible)),
                _ => None,
            },
            Some(("at", axis)) if moving => vector(&mut self.at, axis),
            Some(("rotate", axis)) if moving => vector(&mut self.rotate, axis),
            Some(("velocity", axis)) if moving => vector(&mut self.velocity, axis),
            Some(("spin", axis)) if moving => vector(&mut self.spin, axis),
            Some(("adhesion", rest)) => {
                let (liquid, key) = rest.rsplit_once('.')?;
                let adhesion = self.adhesion.get_mut(liquid)?;
                match key {
                    "pull" => Some(Scalar::Number(&mut adhesion.pull)),
                    "range" => Some(Scalar::Maybe(&mut adhesion.range)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
