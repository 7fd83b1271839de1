//! Values that change during a run: events, tracks, and the names by which they reach a value.

use super::description::{Described, Found, Leaf, Shown, Status, description};
use super::{Object, Placement, Scene};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

description! {
    /// Values set at one instant.
    pub struct Event {
        /// When [s].
        pub at: f32 [0..=1e6],
        /// What to set: a path such as "liquid.honey.springs.stiffness", and its new value.
        pub set: BTreeMap<String, Value>,
    }
}

description! {
    /// One value that follows a curve.
    pub struct Track {
        /// The value, such as "liquid.honey.viscosity.linear" or "gravity.y".
        pub path: String,
        /// Pairs of time [s] and value, in order of time.
        pub keys: Vec<[f32; 2]>,
        /// What happens between keys. Default "linear".
        #[serde(default)]
        pub interpolation: Interpolation,
    }
}

description! {
    /// What happens between two keys.
    #[derive(Default)]
    pub enum Interpolation {
        /// A straight line.
        #[default]
        Linear,
        /// Starts and ends gently.
        Smooth,
        /// The earlier key's value, until the next.
        Step,
    }
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

impl From<f32> for Value {
    fn from(x: f32) -> Self {
        Self::Number(x)
    }
}

impl From<bool> for Value {
    fn from(on: bool) -> Self {
        Self::Switch(on)
    }
}

impl From<[f32; 3]> for Value {
    fn from(v: [f32; 3]) -> Self {
        Self::Vector(v)
    }
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

/// A component of a vector, by the name or the number of its axis.
pub(crate) fn component<'a>(vector: &'a mut [f32; 3], axis: &str) -> Option<Scalar<'a>> {
    match vector.find(Status::WHOLE, axis)?.leaf {
        Leaf::Scalar(scalar) => Some(scalar),
        _ => None,
    }
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

impl Scene {
    /// The live value that a path names, or None: the path names nothing, or something fixed during a run.
    pub fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        match self.find(path)? {
            Found { leaf: Leaf::Scalar(scalar), status } if status.live => Some(scalar),
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
            let vector = match key {
                "at" => &mut at,
                "rotate" => &mut rotate,
                _ => continue,
            };
            if let (Some(scalar), Some(value)) = (component(vector, axis), track.value(time)) {
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
        let mut paths = Vec::new();
        self.walk(&mut |shown| match *shown {
            Shown::Value { path, component: Some(i), status, .. } if status.live => {
                paths.push(format!("{path}.{}", ["x", "y", "z"][i]));
            }
            Shown::Value { path, component: None, status, .. } if status.live => paths.push(path.into()),
            _ => (),
        });
        paths.retain(|path| !path.starts_with("edit."));
        paths
    }
}
