//! The walk through a scene's text beside its schema: it collects every fault, and what the text means.

use super::document::{Content, Entry, Node, Place, Placed, join, number, split};
use super::form::{Choice, Form, Rule, Table};
use super::limits::Limits;
use super::units::{self, Wrong};
use ondine::scene::{EffectPreset, Preset, Track};
use ondine::{Fault, suggest};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// What a text means, and what is wrong with it. With faults the meaning is only good for finding more of them.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The scene as it will be deserialised: presets filled in, keyframed numbers at their first value.
    pub value: Value,
    /// Values that were keyframed in place.
    pub tracks: Vec<(Track, Place)>,
    /// All errors.
    pub faults: Vec<Placed>,
    /// Paths of values that stand in for what is missing or faulty: what is wrong with them is nobody's fault.
    pub stand_ins: Vec<String>,
}

/// Reads a whole scene.
pub(super) fn read(document: &Node, rule: Rule) -> Reading {
    let mut reader = Reader::default();
    let value = reader.value(document, rule, &Value::Null);
    Reading { value, ..reader.reading }
}

/// A walk in progress. Where there is a fault it gives null for the value and goes on.
#[derive(Default)]
pub(super) struct Reader {
    /// Path of the value being read.
    pub path: String,
    /// The unit of the number being read, or that of the first element of a vector, and of the others.
    pub unit: [Option<String>; 2],
    /// The unit of the number whose keyframes are being read.
    pub keyed: Option<String>,
    pub reading: Reading,
}

impl Reader {
    /// Notes an error about the value being read.
    pub fn fault(&mut self, place: &Place, reason: impl Into<String>, remedy: impl Into<String>) -> Value {
        let fault = Fault::error(self.path.clone(), reason, remedy);
        self.reading.faults.push(Placed { fault, place: place.clone() });
        Value::Null
    }

    /// Reads an inner value, one step further down the path.
    fn inner<T>(&mut self, part: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let longer = join(&self.path, part);
        let outer = (std::mem::replace(&mut self.path, longer), self.unit.clone());
        let result = read(self);
        (self.path, self.unit) = outer;
        result
    }

    /// Reads a value. `base` is what stands there if nothing is given: the preset's value or the default.
    pub fn value(&mut self, node: &Node, rule: Rule, base: &Value) -> Value {
        match (rule.form(), &node.content) {
            (_, Content::Default) if base.is_null() => {
                let remedy = "give the whole vector, [x, y, z]";
                self.fault(&node.place, "one component is set of a vector that is not there", remedy)
            }
            (_, Content::Default) => base.clone(),
            (Form::Table(table), Content::Table(entries)) => self.table(node, entries, &table, base),
            (Form::Map(item), Content::Table(entries)) => self.map(entries, item),
            (Form::List(item), Content::Array(items)) => self.list(items, item),
            (Form::Fixed(item, length), Content::Array(items)) if items.len() == length => {
                self.vector(items, item, base)
            }
            (Form::Fixed(_, length), Content::Array(items)) => {
                let reason = format!("needs {length} values, found {}", items.len());
                self.fault(&node.place, reason, format!("write for example {}", rule.example()))
            }
            (Form::Number(limits), Content::Table(entries)) if node.get("keys").is_some() => {
                self.keyframes(node, entries, rule, limits)
            }
            (Form::Number(limits), Content::Integer(_) | Content::Float(_)) => {
                self.number(node, rule, limits)
            }
            (Form::Number(limits), Content::Text(text)) => self.quantity(node, text, rule, limits),
            (Form::Whole(limits), Content::Integer(i)) => match self.number(node, rule, limits) {
                Value::Null => Value::Null,
                _ => json!(i),
            },
            (Form::Switch, Content::Switch(on)) => json!(on),
            (Form::Text, Content::Text(text)) => json!(text),
            (Form::Choice(choice), Content::Text(name)) => self.name(node, name, &choice),
            (Form::Choice(choice), Content::Table(entries)) => self.chosen(node, entries, &choice),
            (Form::Either(rules), content) => {
                let is_quantity = matches!(content, Content::Text(text) if units::is_quantity(text));
                let fits = |form: Form| form.fits(content) || is_quantity && matches!(form, Form::Number(_));
                match rules.iter().find(|rule| fits(rule.form())) {
                    Some(rule) => self.value(node, *rule, base),
                    None => self.wrong_form(node, rule),
                }
            }
            _ => self.wrong_form(node, rule),
        }
    }

    /// Reads a table with known keys.
    pub fn table(&mut self, node: &Node, entries: &[Entry], table: &Table, base: &Value) -> Value {
        let mut values = base.as_object().cloned().unwrap_or_default();
        for Entry { key, key_place, value } in entries {
            let read = self.inner(key, |reader| match table.property(key) {
                Some(rule) => {
                    reader.unit = reader.unit_of(key, rule, node);
                    let base = values.get(key).filter(|v| !v.is_null()).unwrap_or(rule.default());
                    reader.value(value, rule, base)
                }
                None => {
                    let remedy = match home(table, key) {
                        Some(home) => format!("write `{home} = {{ {key} = ... }}`"),
                        None => suggest::remedy(key, &table.keys()),
                    };
                    reader.fault(key_place, format!("there is no key `{key}` here"), remedy)
                }
            });
            // What is faulty stays as it would be without it.
            if !read.is_null() {
                values.insert(key.clone(), read);
            }
        }
        // What stands one level too high has been told of.
        let misplaced = |key: &str| entries.iter().any(|entry| home(table, &entry.key) == Some(key));
        for key in table.required.iter().filter(|key| node.get(key).is_none() && !misplaced(key)) {
            let example = table.property(key).map_or_else(String::new, |rule| rule.example());
            self.fault(&node.place, format!("`{key}` is missing"), format!("add `{key} = {example}`"));
        }
        for key in &table.required {
            if let (None, Some(rule)) = (values.get(*key), table.property(key)) {
                values.insert(key.to_string(), stand_in(rule));
                self.reading.stand_ins.push(join(&self.path, key));
            }
        }
        Value::Object(values)
    }

    fn map(&mut self, entries: &[Entry], item: Rule) -> Value {
        let mut values = Map::new();
        for Entry { key, value, .. } in entries {
            let read = self.inner(key, |reader| match value.content {
                _ if item.is_table() => reader.value(value, item, &Value::Null),
                // `set = { liquid.honey.density = 1 }` is tables in one another to TOML.
                Content::Table(_) if value.get("keys").is_none() => {
                    let remedy = format!("put the whole path in quotes: \"{}\" = 1", unquoted(key, value));
                    reader.fault(&value.place, format!("`{key}` is a table, not the path of a value"), remedy)
                }
                _ => match unit_at(item.of_scene(), key) {
                    Some(unit) => {
                        reader.unit = [unit.clone(), unit];
                        reader.value(value, item, &Value::Null)
                    }
                    // That there is no such value is told, whatever the unit.
                    None if matches!(&value.content, Content::Text(text) if units::is_quantity(text)) => {
                        stand_in(item)
                    }
                    None => reader.value(value, item, &Value::Null),
                },
            });
            values.insert(key.clone(), read);
        }
        Value::Object(values)
    }

    fn list(&mut self, items: &[Node], item: Rule) -> Value {
        let base_of: fn(&Node) -> Value = match self.path.as_str() {
            "liquid" => material,
            "effect" => effect,
            _ => |_| Value::Null,
        };
        let read = items.iter().enumerate().map(|(i, node)| {
            let base = base_of(node);
            let part = node.name().map_or_else(|| i.to_string(), String::from);
            self.inner(&part, |reader| reader.value(node, item, &base))
        });
        Value::Array(read.collect())
    }

    fn vector(&mut self, items: &[Node], item: Rule, base: &Value) -> Value {
        let read = items.iter().enumerate().map(|(i, node)| {
            let base = base.get(i).unwrap_or(&Value::Null);
            let read = self.inner(&i.to_string(), |reader| {
                let unit = reader.unit[i.min(1)].clone();
                reader.unit = [unit.clone(), unit];
                reader.value(node, item, base)
            });
            if read.is_null() { stand_in(item) } else { read }
        });
        Value::Array(read.collect())
    }

    fn number(&mut self, node: &Node, rule: Rule, limits: Limits) -> Value {
        let Some(x) = limits.value(&node.content) else { return Value::Null };
        if self.check(x, &node.place, rule, limits) { number(x) } else { Value::Null }
    }

    /// The unit of a key of a table, as its description has it.
    fn unit_of(&self, key: &str, rule: Rule, table: &Node) -> [Option<String>; 2] {
        let units = units::described(rule.description());
        // A joint turns or slides: the second of two units is that of sliders.
        let slides =
            matches!(table.get("kind").map(|k| &k.content), Some(Content::Text(kind)) if kind == "slider");
        let unit = units.get(usize::from(slides)).or(units.first()).map(|unit| unit.to_string());
        // Keys are pairs of a time and a value: of the number that they stand for, or that their table names.
        let named = match table.get("path").map(|path| &path.content) {
            Some(Content::Text(path)) => unit_at(rule.of_scene(), path).flatten(),
            _ => None,
        };
        match key {
            "keys" => [unit, self.keyed.clone().or(named)],
            // What an edit sets.
            "value" => [named.clone(), named],
            _ => [unit.clone(), unit],
        }
    }

    /// Reads a number that is written with a unit of its own.
    fn quantity(&mut self, node: &Node, text: &str, rule: Rule, limits: Limits) -> Value {
        let unit = self.unit[0].clone();
        let in_unit = |unit: &String| format!("write for example {}, which is in {unit}", rule.example());
        let (reason, remedy) = match (units::quantity(text, unit.as_deref().unwrap_or("1")), &unit) {
            (Err(Wrong::NoQuantity), _) => return self.wrong_form(node, rule),
            (_, None) => {
                ("takes a number without a unit".into(), format!("write for example {}", rule.example()))
            }
            (Ok(x), Some(_)) => {
                let x = limits.rounded(x);
                return if self.check(x, &node.place, rule, limits) { number(x) } else { Value::Null };
            }
            (Err(Wrong::Unknown(name)), Some(unit)) => (format!("there is no unit `{name}`"), in_unit(unit)),
            (Err(Wrong::Other(name)), Some(unit)) => {
                (format!("`{name}` measures something else than {unit}"), in_unit(unit))
            }
        };
        self.fault(&node.place, reason, remedy)
    }

    /// Whether a number is in its range; notes an error if not.
    pub fn check(&mut self, x: f64, place: &Place, rule: Rule, limits: Limits) -> bool {
        let reason = limits.fault(x);
        if let Some(reason) = &reason {
            self.fault(place, reason, format!("write for example {}", rule.example()));
        }
        reason.is_none()
    }

    fn name(&mut self, node: &Node, name: &str, choice: &Choice) -> Value {
        if choice.names.contains(&name) {
            return json!(name);
        }
        match choice.table(name) {
            Some(rule) => {
                let remedy = format!("write {{ {name} = {} }}", rule.example());
                self.fault(&node.place, format!("`{name}` needs values of its own"), remedy)
            }
            None => {
                let remedy = suggest::remedy(name, &choice.options());
                self.fault(&node.place, format!("`{name}` is not known here"), remedy)
            }
        }
    }

    fn chosen(&mut self, node: &Node, entries: &[Entry], choice: &Choice) -> Value {
        let mut values = Map::new();
        for Entry { key, key_place, value } in entries {
            let read = self.inner(key, |reader| match choice.table(key) {
                Some(rule) => reader.value(value, rule, &Value::Null),
                None if choice.names.contains(&key.as_str()) => reader.fault(
                    key_place,
                    format!("`{key}` has no values of its own"),
                    format!("write \"{key}\""),
                ),
                None => {
                    let remedy = suggest::remedy(key, &choice.options());
                    reader.fault(key_place, format!("`{key}` is not known here"), remedy)
                }
            });
            values.insert(key.clone(), read);
        }
        if entries.len() != 1 {
            let reason =
                format!("needs exactly one of {}, found {}", choice.options().join(", "), entries.len());
            return self.fault(&node.place, reason, "write one, with its own values");
        }
        if values.values().any(Value::is_null) { Value::Null } else { Value::Object(values) }
    }

    fn wrong_form(&mut self, node: &Node, rule: Rule) -> Value {
        let form = rule.form();
        let reason = format!("expected {}, found {}", form.wanted(), node.found());
        let remedy = match form {
            Form::Number(_) if matches!(node.content, Content::Table(_)) => {
                "write a number, or keyframes: { keys = [[0, 1], [2, 5]] }".into()
            }
            Form::Fixed(_, 3) if node.get("keys").is_some() => {
                "give keyframes to each component that changes: [0, { keys = [[0, 1], [2, 5]] }, 0]".into()
            }
            _ => format!("write for example {}", rule.example()),
        };
        self.fault(&node.place, reason, remedy)
    }
}

/// The unit of the value that events and tracks call by a path, if it has one; None where there is no such value.
pub(super) fn unit_at(rule: Rule, path: &str) -> Option<Option<String>> {
    let (key, rest) = split(path);
    match rule.form() {
        // The part is the name of an element, or its number.
        Form::List(item) | Form::Map(item) => unit_at(item, rest),
        Form::Either(rules) => rules.iter().find_map(|rule| unit_at(*rule, path)),
        Form::Choice(choice) => unit_at(choice.table(key)?, rest),
        Form::Table(table) => {
            let inner = table.property(key)?;
            match inner.form() {
                Form::Number(_) | Form::Whole(_) | Form::Switch | Form::Fixed(..) => {
                    Some(units::described(inner.description()).first().map(|unit| unit.to_string()))
                }
                _ => unit_at(inner, rest),
            }
        }
        _ => None,
    }
}

/// A value in the place of one that is missing or faulty, so that the rest of the scene can be looked at.
fn stand_in(rule: Rule) -> Value {
    let mut reader = Reader::default();
    let example = Node::parse_set(&rule.example(), 0);
    example.map_or(Value::Null, |node| reader.value(&node, rule, &Value::Null))
}

/// The key of a table whose value may be the choice that stands in the key's place: `shape`, for `box` beside it.
fn home<'t>(table: &Table<'t>, key: &str) -> Option<&'t str> {
    if table.property(key).is_some() {
        return None;
    }
    let chooses = |home: &&str| match table.property(home).map(|rule| rule.form()) {
        Some(Form::Choice(choice)) => choice.table(key).is_some(),
        _ => false,
    };
    table.keys().into_iter().find(chooses)
}

/// The path that somebody who left out the quotes meant: the keys of tables in one another.
fn unquoted(key: &str, value: &Node) -> String {
    match &value.content {
        Content::Table(entries) => {
            entries.first().map_or(key.into(), |e| join(key, &unquoted(&e.key, &e.value)))
        }
        _ => key.into(),
    }
}

/// The values that a liquid's material gives it.
fn material(liquid: &Node) -> Value {
    let material: Preset = preset(liquid, "material");
    serde_json::to_value(material.liquid()).unwrap_or_default()
}

/// The values that an effect's preset gives it.
fn effect(effect: &Node) -> Value {
    let preset: EffectPreset = preset(effect, "preset");
    serde_json::to_value(preset.effect()).unwrap_or_default()
}

/// The preset that a table names by a key. An unknown one is reported where it is read.
fn preset<T: Default + DeserializeOwned>(table: &Node, key: &str) -> T {
    match table.get(key).map(|m| &m.content) {
        Some(Content::Text(name)) => serde_json::from_value(json!(name)).unwrap_or_default(),
        _ => T::default(),
    }
}
