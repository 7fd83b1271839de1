//! Every value of every description: what is declared of it holds in the schema, in the text, in the engine, for events and for tracks.

use super::*;
use crate::scene_text::form::{Form, Rule};
use crate::scene_text::limits::Limits;
use crate::scene_text::units;
use ondine::scene::{Event, Track, Value as Setting};
use serde_json::{Value, json};

/// The part of the schema that a declaration is for. Those of shapes have the shape's name before theirs.
fn property<'s>(description: &str, key: &str) -> &'s Value {
    let schema = match description {
        "Scene" => &*schema::RULES,
        name => &schema::RULES["$defs"][name],
    };
    let shapes = schema["oneOf"].as_array().into_iter().flatten();
    let (name, rest) = document::split(key);
    match shapes.map(|shape| &shape["properties"][name]).find(|shape| !shape.is_null()) {
        Some(shape) if rest.is_empty() => shape,
        Some(shape) => &shape["properties"][rest],
        None => &schema["properties"][key],
    }
}

/// What a schema says of the numbers in it, wherever they are.
fn limit(schema: &Value, keyword: &str) -> Option<f64> {
    let inner = [&schema["items"], &schema["additionalProperties"]];
    schema[keyword].as_f64().or_else(|| inner.iter().find_map(|inner| inner[keyword].as_f64()))
}

#[test]
fn every_declaration_is_whole() {
    for description in Scene::descriptions() {
        for declared in description.values {
            let place = format!("{}.{}", description.name, declared.key);
            let schema = property(description.name, declared.key);
            assert!(!schema.is_null(), "{place} is not in the schema");
            assert!(declared.about.trim().ends_with('.') && declared.about.len() > 6, "{place}: no sentence");
            let told = schema["description"].as_str().unwrap_or(declared.about);
            assert!(told.split_whitespace().eq(declared.about.split_whitespace()), "{place}: {told}");
            let ends = declared.range.map(|range| (range.least, range.most));
            let told = limit(schema, "minimum").zip(limit(schema, "maximum"));
            assert_eq!(told, ends, "{place}");
            assert!(ends.is_none_or(|(least, most)| least < most), "{place}: {ends:?}");
            let unit = declared.unit();
            let is_known = unit.is_empty() || unit == "stops" || units::described(declared.about) == [unit];
            assert!(is_known, "{place}: there is no unit {unit}");
        }
    }
}

/// Something for every key that a rule knows; of shapes, the one of this number.
fn sample(rule: Rule, shape: usize) -> Value {
    match rule.form() {
        Form::Table(table) => {
            let entry = |key: &str| Some((key.to_string(), sample(table.property(key)?, shape)));
            table.keys().into_iter().filter_map(entry).collect()
        }
        Form::Map(item) if matches!(item.form(), Form::Either(_)) => json!({}),
        Form::Map(item) => json!({ "a": sample(item, shape) }),
        Form::List(item) => json!([sample(item, shape)]),
        Form::Fixed(item, length) => vec![sample(item, shape); length].into(),
        Form::Number(limits) => limits.example().parse::<f64>().unwrap().into(),
        Form::Whole(limits) => limits.example().parse::<u32>().unwrap().into(),
        Form::Choice(choice) if choice.names.is_empty() => {
            let (name, rule) = choice.tables[shape % choice.tables.len()];
            json!({ name: sample(rule, 0) })
        }
        Form::Choice(choice) => choice.names[0].into(),
        Form::Switch => true.into(),
        Form::Text => "a".into(),
        Form::Either(rules) => sample(rules[0], shape),
        Form::Unknown => Value::Null,
    }
}

/// A scene with one of everything, in which all that can change may.
fn one_of_everything(shape: usize) -> Value {
    let mut scene = sample(Rule::root(&schema::RULES), shape);
    scene["object"][0]["motion"] = json!("moving");
    (scene["event"], scene["track"]) = (json!([]), json!([]));
    // Lists of places and ids, which have no range of their own.
    for list in ["points/at", "remove/ids", "kick/ids"] {
        let list = format!("/edit/0/change/{list}");
        scene.pointer_mut(&list).into_iter().for_each(|list| *list = json!([]));
    }
    // Curves over life and points of a path, which have none either.
    for list in ["size", "color", "opacity", "tint", "path/through"] {
        scene.pointer_mut(&format!("/effect/0/{list}")).into_iter().for_each(|list| *list = json!([]));
    }
    scene
}

/// A number of a scene.
#[derive(Debug)]
struct Number {
    path: String,
    /// The way to it in JSON.
    pointer: String,
    limits: Limits,
}

/// Adds the numbers of a part of a scene.
fn gather(value: &Value, rule: Rule, path: &str, pointer: &str, all: &mut Vec<Number>) {
    let mut go = |part: &str, key: &str, value: &Value, rule: Option<Rule>| {
        gather(value, rule.unwrap(), &document::join(path, part), &format!("{pointer}/{key}"), all);
    };
    match (rule.form(), value) {
        (Form::Table(table), Value::Object(entries)) => {
            entries.iter().for_each(|(key, value)| go(key, key, value, table.property(key)));
        }
        (Form::Choice(choice), Value::Object(entries)) => {
            entries.iter().for_each(|(key, value)| go(key, key, value, choice.table(key)));
        }
        (Form::Map(item), Value::Object(entries)) => {
            entries.iter().for_each(|(key, value)| go(key, key, value, Some(item)));
        }
        (Form::List(item) | Form::Fixed(item, _), Value::Array(items)) => {
            for (i, value) in items.iter().enumerate() {
                let i = i.to_string();
                go(value["name"].as_str().unwrap_or(&i), &i, value, Some(item));
            }
        }
        (Form::Number(limits) | Form::Whole(limits), _) => {
            all.push(Number { path: path.into(), pointer: pointer.into(), limits });
        }
        _ => (),
    }
}

/// Whether somebody says that a number at a path is out of range.
fn refuses(scene: &Scene, path: &str) -> bool {
    scene.faults().iter().any(|fault| fault.path == path && fault.reason.contains("out of range"))
}

impl Number {
    /// Numbers just inside of its range, and just outside.
    fn tries(&self) -> [(f64, bool); 4] {
        let (least, most) = self.limits.minimum.zip(self.limits.maximum).expect("a range");
        let (below, above) = match self.limits.single {
            true => (f64::from((least as f32).next_down()), f64::from((most as f32).next_up())),
            false => (least - 1.0, most + 1.0),
        };
        let [least, most] = [least, most].map(|end| self.limits.rounded(end));
        [(least, true), (most, true), (below, false), (above, false)]
    }

    /// The number in the text, by `--set`.
    fn check_text(&self, text: &str, x: f64, is_inside: bool) {
        let literal = if self.limits.single { (x as f32).to_string() } else { x.to_string() };
        let understood = understand(text, &set(&[&format!("{}={literal}", self.path)]));
        let told = understood.map_or_else(|faults| faults, |understood| understood.faults);
        let is_refused = told.iter().any(|placed| placed.fault.path == self.path);
        assert_eq!(is_refused, !is_inside, "{} = {literal} in the text: {told:?}", self.path);
    }

    /// The number in the engine's own scene.
    fn check_scene(&self, scene: &Value, x: f64, is_inside: bool) {
        let mut changed = scene.clone();
        *changed.pointer_mut(&self.pointer).unwrap() =
            if self.limits.single { json!(x) } else { json!(x as i64) };
        // What the type cannot hold, the engine need not refuse.
        let is_refused = serde_json::from_value(changed).map_or(true, |scene| refuses(&scene, &self.path));
        assert_eq!(is_refused, !is_inside, "{} = {x} in the engine", self.path);
    }

    /// The number as an event and a track give it, where they may.
    fn check_changes(&self, scene: &Scene, x: f32, is_inside: bool) {
        let live = scene.live_paths();
        let path = match self.path.rsplit_once('.') {
            Some((vector, i @ ("0" | "1" | "2"))) => {
                format!("{vector}.{}", ["x", "y", "z"][i.parse::<usize>().unwrap()])
            }
            _ => self.path.clone(),
        };
        let mut changed = scene.clone();
        let is_live = changed.live(&self.path).is_some();
        assert_eq!(live.contains(&path), is_live, "{path}");
        let keys = vec![[0.0, x]];
        changed.track = vec![Track { path: path.clone(), keys, interpolation: Default::default() }];
        changed.event = vec![Event { at: 0.0, set: [(path.clone(), Setting::Number(x))].into() }];
        let faults = changed.faults();
        let told = |place: &str| {
            faults.iter().filter(|fault| fault.path == place).map(|f| f.reason.clone()).collect::<String>()
        };
        let (event, track, keys) =
            (told(&format!("event.0.set.{path}")), told("track.0.path"), told("track.0.keys.0"));
        if !is_live {
            assert!(event.contains("cannot change") && track.contains("cannot change"), "{path}: {faults:?}");
            return;
        }
        assert!(track.is_empty() && keys.contains("out of range") != is_inside, "{path} = {x}: {faults:?}");
        assert!(
            event.contains("cannot jump") || event.contains("out of range") != is_inside,
            "{path} = {x}: {faults:?}"
        );
    }
}

#[test]
fn every_number_has_one_range() {
    let Form::Choice(shapes) = Rule::root(&schema::RULES).definition("Shape").form() else { panic!() };
    let mut seen = BTreeSet::new();
    for shape in 0..shapes.tables.len() {
        let value = one_of_everything(shape);
        let text = toml::to_string(&value).unwrap();
        let scene: Scene = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(self::scene(&text), scene);
        let mut numbers = Vec::new();
        gather(&value, Rule::root(&schema::RULES), "", "", &mut numbers);
        // The rest of a scene is the same for all shapes, and one shape like another wherever it stands.
        let is_new = |number: &Number| {
            seen.insert(number.path.split(".shape.").last().unwrap_or_default().to_string())
        };
        for number in numbers.into_iter().filter(is_new) {
            for (x, is_inside) in number.tries() {
                number.check_text(&text, x, is_inside);
                number.check_scene(&value, x, is_inside);
                number.check_changes(&scene, x as f32, is_inside);
            }
        }
    }
    let count = |end: &str| seen.iter().filter(|path| path.ends_with(end)).count();
    assert!(seen.len() > 150 && count("torus.tube") == 1 && count("springs.stiffness") == 1, "{seen:?}");
}
