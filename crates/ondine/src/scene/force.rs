//! What pulls at objects: springs, and the air.

use super::Object;
use super::description::description;
use glam::Vec3;

description! {
    /// What the air does to an object: it resists how it moves through the wind.
    #[derive(Copy)]
    pub struct Drag {
        /// Force over speed, as of small and slow things [N·s/m]. Default 0.
        pub linear: f32 [0..=1e9, live] = 0.0,
        /// Drag coefficient of a force that grows with the square of speed, ½ ρ C A v²: a ball 0.47, a cube 1.05, a parachute 1.5. Default 0.
        pub coefficient: f32 [0..=1000, live] = 0.0,
        /// Area that meets the wind [m²]; its width in a planar scene. Default: that of an ellipsoid as large as the object, as it
        /// stands in the wind.
        pub area: Option<f32> [0..=1e9] = None,
    }
}

impl Drag {
    /// Whether there is any.
    pub fn is_felt(&self) -> bool {
        self.linear > 0.0 || self.coefficient > 0.0
    }
}

description! {
    /// A spring with a damper, from an object to another or to a place.
    pub struct Spring called name {
        /// What events, tracks, `--set` and the ledger call it. Must be unique.
        pub name: String,
        /// The name of the object that it pulls: a free one.
        pub object: String,
        /// Where on that object it begins, at the start [m]. Default: the object's `at`.
        #[serde(default)]
        pub at: Option<[f32; 3]> [-1e6..=1e6],
        /// The name of the object at its other end. Default: none, that end stays where it is.
        #[serde(default)]
        pub to: Option<String>,
        /// Where it ends, at the start [m]. Default: the `at` of the object at that end. Required if there is none.
        #[serde(default)]
        pub to_at: Option<[f32; 3]> [-1e6..=1e6],
        /// Force over elongation [N/m]. Default 100.
        #[serde(default = "hundred")]
        pub stiffness: f32 [0..=1e12, live],
        /// Force over the speed at which it gets longer [N·s/m]. Default 0: it swings for ever.
        #[serde(default)]
        pub damping: f32 [0..=1e12, live],
        /// Length at which it does not pull [m]. Default: as long as it is at the start.
        #[serde(default)]
        pub rest_length: Option<f32> [0..=1e6, live],
        /// Whether it is there at all; an event may cut it. Default true.
        #[serde(default = "yes")]
        pub enabled: bool [live],
        /// Whether pictures show it. Default true.
        #[serde(default = "yes")]
        pub visible: bool [live],
        /// Colour in pictures, red, green and blue from 0 to 1. Default that of steel.
        #[serde(default = "steel")]
        pub color: [f32; 3] [0..=1],
    }
}

impl Spring {
    /// A spring of a stiffness [N/m] from an object to a place [m], without a damper.
    pub fn new(name: impl Into<String>, object: impl Into<String>, to_at: [f32; 3], stiffness: f32) -> Self {
        Self {
            name: name.into(),
            object: object.into(),
            at: None,
            to: None,
            to_at: Some(to_at),
            stiffness,
            damping: 0.0,
            rest_length: None,
            enabled: true,
            visible: true,
            color: steel(),
        }
    }

    /// Its two ends: the number of the object, if there is one, and the point in its own frame [m], or else the place. None where it
    /// names what is not among the objects.
    pub fn ends(&self, objects: &[Object]) -> Option<[End; 2]> {
        let find = |name: &str| objects.iter().position(|o| o.name == name);
        let end = |object: Option<usize>, at: Option<[f32; 3]>| match object {
            Some(o) => (object, objects[o].placement().to_local(at.unwrap_or(objects[o].at).into())),
            None => (None, at.unwrap_or_default().into()),
        };
        let to = match &self.to {
            Some(name) => Some(find(name)?),
            None => None,
        };
        Some([end(Some(find(&self.object)?), self.at), end(to, self.to_at)])
    }
}

/// An end of a spring: the number of the object, if there is one, and the point in its own frame [m], or else the place.
pub type End = (Option<usize>, Vec3);

fn hundred() -> f32 {
    100.0
}

fn yes() -> bool {
    true
}

fn steel() -> [f32; 3] {
    [0.55, 0.57, 0.6]
}
