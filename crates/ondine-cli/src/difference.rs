//! The first difference between two scenes.

use ondine::{Scene, World};
use serde_json::Value;
use std::fmt;

/// A value that two scenes do not share.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where, as events name it: `liquid.honey.spacing`.
    pub path: String,
    /// What the bake has; None when it has nothing there.
    pub baked: Option<Value>,
    /// What is asked for.
    pub asked: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} there, and {} is asked for", self.path, show(&self.baked), show(&self.asked))
    }
}

fn show(value: &Option<Value>) -> String {
    match value {
        None | Some(Value::Null) => "nothing".into(),
        Some(Value::Object(_) | Value::Array(_)) => "something".into(),
        // Scenes hold f32; as f64 their last digits would be noise.
        Some(Value::Number(number)) => {
            number.as_f64().map_or_else(|| number.to_string(), |n| (n as f32).to_string())
        }
        Some(plain) => plain.to_string(),
    }
}

/// The first value that differs, if any does.
pub fn first(baked: &Scene, asked: &Scene) -> Option<Difference> {
    if baked == asked {
        return None;
    }
    // Scenes are plain data of numbers, texts, lists and tables: they always have a JSON form.
    let form = |scene: &Scene| serde_json::to_value(scene).unwrap_or_default();
    between("", Some(&form(baked)), Some(&form(asked)))
}

/// The same for the scene of a world, which has its events in order of time and its edits beside it.
pub fn first_of_world(world: &World, asked: &Scene) -> Option<Difference> {
    let mut asked = asked.clone();
    asked.event.sort_by(|a, b| a.at.total_cmp(&b.at));
    first(&Scene { edit: world.edits().to_vec(), ..world.scene().clone() }, &asked)
}

fn between(path: &str, baked: Option<&Value>, asked: Option<&Value>) -> Option<Difference> {
    let join = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
    match (baked, asked) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.into_iter().find_map(|key| between(&join(key), a.get(key), b.get(key)))
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => (0..a.len().max(b.len())).find_map(|i| {
            let name = a.get(i).or(b.get(i)).and_then(|item| item.get("name")).and_then(Value::as_str);
            let key = name.map_or_else(|| i.to_string(), String::from);
            between(&join(&key), a.get(i), b.get(i))
        }),
        (a, b) if a == b => None,
        (a, b) => Some(Difference { path: path.into(), baked: a.cloned(), asked: b.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::scene::{Liquid, Preset};

    fn honey() -> Scene {
        let liquid = Liquid { name: "honey".into(), ..Preset::Honey.liquid() };
        Scene { liquid: vec![liquid], ..Scene::default() }
    }

    #[test]
    fn a_scene_does_not_differ_from_itself() {
        assert_eq!(first(&honey(), &honey()), None);
    }

    #[test]
    fn a_value_is_named_by_its_path() {
        let mut other = honey();
        other.liquid[0].spacing = 0.5;
        let difference = first(&honey(), &other).expect("they differ");
        assert_eq!(difference.path, "liquid.honey.spacing");
        assert_eq!(difference.asked, Some(0.5.into()));
    }

    #[test]
    fn a_missing_thing_is_named() {
        let difference = first(&honey(), &Scene::default()).expect("they differ");
        assert_eq!((difference.path.as_str(), difference.asked), ("liquid.honey", None));
    }
}
