//! The form that a value must have, read from the JSON Schema one level at a time.

use super::document::Content;
use super::limits::Limits;
use serde_json::{Map, Value};

/// The place in the schema that rules a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule<'s> {
    schema: &'s Value,
    here: &'s Value,
}

/// The form that a value must have.
#[derive(Debug)]
pub(super) enum Form<'s> {
    /// A table with known keys.
    Table(Table<'s>),
    /// A table with any keys, and values of one form.
    Map(Rule<'s>),
    /// Any number of elements.
    List(Rule<'s>),
    /// A vector: so many elements.
    Fixed(Rule<'s>, usize),
    /// A number, which may be keyframed.
    Number(Limits),
    /// A whole number.
    Whole(Limits),
    Switch,
    Text,
    /// One of several names, some with values of their own.
    Choice(Choice<'s>),
    /// Whichever of these fits.
    Either(Vec<Rule<'s>>),
    /// A part of JSON Schema that the scene's types do not use today.
    Unknown,
}

/// A table with known keys.
#[derive(Debug)]
pub(super) struct Table<'s> {
    schema: &'s Value,
    properties: &'s Map<String, Value>,
    pub required: Vec<&'s str>,
}

/// One of several names. Those with values of their own are written as a table: `{ sphere = { radius = 1 } }`.
#[derive(Debug, Default)]
pub(super) struct Choice<'s> {
    pub names: Vec<&'s str>,
    pub tables: Vec<(&'s str, Rule<'s>)>,
}

impl<'s> Rule<'s> {
    /// The rule of the whole scene.
    pub fn root(schema: &'s Value) -> Self {
        Self { schema, here: schema }
    }

    /// The rule of a definition of the schema.
    pub fn definition(self, name: &str) -> Self {
        self.at(&self.schema["$defs"][name])
    }

    /// The rule of the whole scene that this one is a part of.
    pub fn of_scene(self) -> Self {
        Self::root(self.schema)
    }

    /// The value's default, null if it has none.
    pub fn default(self) -> &'s Value {
        &self.here["default"]
    }

    /// What the value is, in words, if they are written.
    pub fn description(self) -> &'s str {
        self.here["description"].as_str().unwrap_or_default()
    }

    /// Whether the value is a table with known keys.
    pub fn is_table(self) -> bool {
        matches!(self.form(), Form::Table(_))
    }

    fn at(self, here: &'s Value) -> Self {
        Self { here, ..self }
    }

    /// Follows a reference to a definition.
    fn resolved(self) -> Self {
        match self.here["$ref"].as_str().and(self.name()) {
            Some(name) => self.definition(name),
            None => self,
        }
    }

    /// The definition that the rule refers to, if it does.
    pub fn name(self) -> Option<&'s str> {
        let optional =
            self.here["anyOf"].as_array().and_then(|rules| rules.iter().find(|r| r["$ref"].is_string()));
        optional.unwrap_or(self.here)["$ref"].as_str()?.strip_prefix("#/$defs/")
    }

    /// The form that the rule demands.
    pub fn form(self) -> Form<'s> {
        let rule = self.resolved();
        let here = rule.here;
        if let Some(names) = names(here) {
            return Form::Choice(Choice { names, tables: Vec::new() });
        }
        if let Some(alternatives) = here["oneOf"].as_array().or(here["anyOf"].as_array()) {
            return rule.alternatives(alternatives);
        }
        match kind(here) {
            "object" => match here["properties"].as_object() {
                Some(properties) => Form::Table(Table {
                    schema: rule.schema,
                    properties,
                    required: strings(&here["required"]).collect(),
                }),
                None => Form::Map(rule.at(&here["additionalProperties"])),
            },
            "array" => match (here["minItems"].as_u64(), here["maxItems"].as_u64()) {
                (Some(least), Some(most)) if least == most => {
                    Form::Fixed(rule.at(&here["items"]), least as usize)
                }
                _ => Form::List(rule.at(&here["items"])),
            },
            "number" => Form::Number(Limits::of(here)),
            "integer" => Form::Whole(Limits::of(here)),
            "boolean" => Form::Switch,
            "string" => Form::Text,
            _ => Form::Unknown,
        }
    }

    fn alternatives(self, alternatives: &'s [Value]) -> Form<'s> {
        // TOML has no null: an optional value is left out.
        let rules: Vec<_> = alternatives.iter().filter(|a| kind(a) != "null").map(|a| self.at(a)).collect();
        match rules[..] {
            [only] => only.form(),
            _ => choice(&rules).map_or(Form::Either(rules), Form::Choice),
        }
    }

    /// How the value could be written: its default, the types' own example, or the simplest thing that will do.
    ///
    /// Shapes may be made of shapes, but the first of them is not: examples have an end.
    pub fn example(self) -> String {
        let told = literal(self.default()).or_else(|| literal(&self.here["examples"][0]));
        told.unwrap_or_else(|| self.simplest())
    }

    fn simplest(self) -> String {
        match self.form() {
            Form::Table(table) => table.example(),
            Form::Map(item) if item.is_table() => format!("{{ NAME = {} }}", item.example()),
            Form::Map(item) => format!("{{ \"liquid.NAME.density\" = {} }}", item.example()),
            Form::List(item) => format!("[{}]", item.example()),
            Form::Fixed(item, length) => format!("[{}]", vec![item.example(); length].join(", ")),
            Form::Number(limits) | Form::Whole(limits) => limits.example(),
            Form::Switch => "true".into(),
            Form::Text => "\"NAME\"".into(),
            Form::Choice(choice) => choice.example(),
            Form::Either(rules) => rules.first().map_or_else(String::new, |rule| rule.example()),
            Form::Unknown => String::new(),
        }
    }
}

impl<'s> Form<'s> {
    /// Whether content has this form at first sight.
    pub fn fits(&self, content: &Content) -> bool {
        matches!(
            (self, content),
            (Form::Table(_) | Form::Map(_), Content::Table(_))
                | (Form::List(_) | Form::Fixed(..), Content::Array(_))
                | (Form::Number(_), Content::Integer(_) | Content::Float(_))
                | (Form::Whole(_), Content::Integer(_))
                | (Form::Switch, Content::Switch(_))
                | (Form::Text, Content::Text(_))
                | (Form::Choice(_), Content::Text(_) | Content::Table(_))
        )
    }

    /// The form in words.
    pub fn wanted(&self) -> String {
        match self {
            Form::Table(_) | Form::Map(_) => "a table".into(),
            Form::List(_) => "an array".into(),
            Form::Fixed(_, length) => format!("an array of {length} values"),
            Form::Number(_) => "a number".into(),
            Form::Whole(_) => "a whole number".into(),
            Form::Switch => "true or false".into(),
            Form::Text => "a text".into(),
            Form::Choice(choice) => format!("one of {}", choice.options().join(", ")),
            Form::Either(rules) => rules.iter().map(|r| r.form().wanted()).collect::<Vec<_>>().join(" or "),
            Form::Unknown => "something else".into(),
        }
    }
}

impl<'s> Table<'s> {
    /// The rule of a key, if the table may have it.
    pub fn property(&self, key: &str) -> Option<Rule<'s>> {
        self.properties.get(key).map(|here| Rule { schema: self.schema, here })
    }

    /// The keys that the table may have, each with its rule.
    pub fn properties(&self) -> impl Iterator<Item = (&'s str, Rule<'s>)> + use<'s> {
        let schema = self.schema;
        self.properties.iter().map(move |(key, here)| (key.as_str(), Rule { schema, here }))
    }

    /// The keys that the table may have.
    pub fn keys(&self) -> Vec<&'s str> {
        self.properties.keys().map(String::as_str).collect()
    }

    fn example(&self) -> String {
        let shown = if self.required.is_empty() { self.keys() } else { self.required.clone() };
        let entry = |key: &&str| Some(format!("{key} = {}", self.property(key)?.example()));
        // Of keys that are all optional, one shows how the others go.
        let count = self.required.len().max(1);
        format!("{{ {} }}", shown.iter().take(count).filter_map(entry).collect::<Vec<_>>().join(", "))
    }
}

impl<'s> Choice<'s> {
    /// All names.
    pub fn options(&self) -> Vec<&'s str> {
        self.names.iter().copied().chain(self.tables.iter().map(|(name, _)| *name)).collect()
    }

    /// The rule of what stands behind a name, if anything does.
    pub fn table(&self, name: &str) -> Option<Rule<'s>> {
        self.tables.iter().find(|(n, _)| *n == name).map(|(_, rule)| *rule)
    }

    fn example(&self) -> String {
        match (self.names.first(), self.tables.first()) {
            (Some(name), _) => format!("\"{name}\""),
            (None, Some((name, rule))) => format!("{{ {name} = {} }}", rule.example()),
            (None, None) => String::new(),
        }
    }
}

/// A scalar or a vector as TOML. Numbers are f32 in the scene's types: in f64, 0.1 would become 0.10000000149011612.
pub(super) fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Number(x) => Some((x.as_f64()? as f32).to_string()),
        Value::Bool(on) => Some(on.to_string()),
        Value::String(text) => Some(format!("{text:?}")),
        Value::Array(items) if !items.is_empty() => {
            let items: Option<Vec<_>> = items.iter().map(literal).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        _ => None,
    }
}

/// The type that a schema asks for. An optional value has two, the other being null.
fn kind(schema: &Value) -> &str {
    let types = &schema["type"];
    let first = strings(types).find(|t| *t != "null");
    first.or(types.as_str()).unwrap_or("")
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The names that a schema allows, if it is about names.
fn names(schema: &Value) -> Option<Vec<&str>> {
    match schema["const"].as_str() {
        Some(name) => Some(vec![name]),
        None if schema["enum"].is_array() => Some(strings(&schema["enum"]).collect()),
        None => None,
    }
}

/// The choice that alternatives amount to, when each is a name or a table with one key.
fn choice<'s>(rules: &[Rule<'s>]) -> Option<Choice<'s>> {
    let mut choice = Choice::default();
    for rule in rules {
        if let Some(names) = names(rule.here) {
            choice.names.extend(names);
        } else {
            let mut properties = rule.here["properties"].as_object()?.iter();
            let (name, here) = properties.next().filter(|_| rule.here["additionalProperties"] == false)?;
            choice.tables.push((name, rule.at(here)));
        }
    }
    Some(choice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_text::schema::RULES;
    use std::collections::BTreeSet;

    /// Every form in the schema of a scene, by way of every key. Each definition is visited once: shapes are made of
    /// shapes.
    fn visit(rule: Rule, path: &str, seen: &mut BTreeSet<String>) {
        if let Some(name) = rule.here["$ref"].as_str()
            && !seen.insert(name.into())
        {
            return;
        }
        let form = rule.form();
        assert!(!matches!(form, Form::Unknown), "{path}: {rule:?}");
        assert!(!rule.example().is_empty(), "{path}");
        let mut inner = |rule: Rule, key: &str| visit(rule, &format!("{path}.{key}"), seen);
        match form {
            Form::Table(table) => table.keys().iter().for_each(|k| inner(table.property(k).unwrap(), k)),
            Form::Map(item) | Form::List(item) | Form::Fixed(item, _) => inner(item, "0"),
            Form::Choice(choice) => choice.tables.iter().for_each(|(k, rule)| inner(*rule, k)),
            Form::Either(rules) => rules.iter().for_each(|rule| inner(*rule, "?")),
            _ => {}
        }
    }

    #[test]
    fn every_form_of_the_scene_is_known() {
        let mut seen = BTreeSet::new();
        visit(Rule::root(&RULES), "", &mut seen);
        // Alternatives to null are visited by way of their only form.
        assert!(seen.contains("#/$defs/Part") && seen.contains("#/$defs/Adhesion"), "{seen:?}");
    }

    #[test]
    fn examples_are_what_one_would_write() {
        let rule = Rule::root(&RULES);
        assert_eq!(rule.definition("Shape").example(), "{ half_space = { normal = [0, 1, 0] } }");
        assert_eq!(rule.definition("Bounds").example(), "{ min = [1, 1, 1], max = [1, 1, 1] }");
        assert_eq!(rule.definition("Viscosity").example(), "{ linear = 0.001 }");
        assert_eq!(rule.definition("Preset").example(), "\"water\"");
        let union = "{ of = [{ shape = { half_space = { normal = [0, 1, 0] } } }] }";
        assert_eq!(rule.definition("Blend").example(), union);
        assert_eq!(rule.definition("MeshFile").example(), "{ file = \"stool.obj\" }");
        let Form::Table(object) = rule.definition("Object").form() else { panic!() };
        assert_eq!(object.property("adhesion").unwrap().example(), "{ NAME = { pull = 20 } }");
        assert_eq!(rule.definition("Keyframes").example(), "{ keys = [[1, 1]] }");
    }
}
