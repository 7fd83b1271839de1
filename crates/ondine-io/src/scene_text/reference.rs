//! The reference of the scene format as Markdown, from the same types that read scenes.

use super::form::{Form, Rule, Table, literal};
use super::schema::RULES;
use ondine::Scene;
use ondine::scene::{Liquid, Live, Preset};
use serde_json::{Value, json};

/// A table of the scene format.
struct Section {
    title: &'static str,
    /// How it stands in a scene file.
    header: &'static str,
    /// Its definition in the schema; none for the scene itself.
    definition: Option<&'static str>,
    /// The path of its values, as events and `--set` name them.
    path: &'static str,
}

const fn section(
    title: &'static str,
    header: &'static str,
    definition: Option<&'static str>,
    path: &'static str,
) -> Section {
    Section { title, header, definition, path }
}

/// Every table but shapes, in the order of the page.
const SECTIONS: [Section; 19] = [
    section("Scene", "at the top of the file", None, ""),
    section("liquid", "`[[liquid]]`", Some("Liquid"), "liquid.NAME"),
    section("viscosity", "`[liquid.viscosity]`", Some("Viscosity"), "liquid.NAME.viscosity"),
    section("springs", "`[liquid.springs]`", Some("Springs"), "liquid.NAME.springs"),
    section("thesis", "`[liquid.thesis]`", Some("Thesis"), "liquid.NAME.thesis"),
    section("look", "`[liquid.look]`", Some("Look"), "liquid.NAME.look"),
    section("fill", "`[[liquid.fill]]`", Some("Fill"), "liquid.NAME.fill.0"),
    section("emitter", "`[[liquid.emitter]]`", Some("Emitter"), "liquid.NAME.emitter.0"),
    section("drops", "`[[liquid.drops]]`", Some("Drops"), "liquid.NAME.drops.0"),
    section("object", "`[[object]]`", Some("Object"), "object.NAME"),
    section("adhesion", "`[object.adhesion.LIQUID]`", Some("Adhesion"), "object.NAME.adhesion.LIQUID"),
    section("joint", "`[[joint]]`", Some("Joint"), "joint.NAME"),
    section("drain", "`[[drain]]`", Some("Drain"), "drain.NAME"),
    section("event", "`[[event]]`", Some("Event"), "event.0"),
    section("track", "`[[track]]`", Some("Track"), "track.0"),
    section("camera", "`[camera]`", Some("Camera"), "camera"),
    section("light", "`[light]`", Some("Light"), "light"),
    section("lamp", "`[[lamp]]`", Some("Lamp"), "lamp.0"),
    section("kill_box", "`[kill_box]`", Some("Bounds"), "kill_box"),
];

/// Names to choose from, and the key that takes them. Materials have a table of their own.
const CHOICES: [(&str, &str); 11] = [
    ("Relaxation", "liquid.relaxation"),
    ("LiquidFinish", "look.finish"),
    ("Arrangement", "fill.arrangement"),
    ("EmitterShape", "emitter.shape"),
    ("DropsFrom", "drops.from"),
    ("Motion", "object.motion"),
    ("Finish", "object.finish"),
    ("Model", "shape.model.of"),
    ("JointKind", "joint.kind"),
    ("Interpolation", "track.interpolation"),
    ("LampShape", "lamp.shape"),
];

const HEAD: &str = "\
# Scene reference

A scene is a TOML file. This page lists every key of every table. It is made from the program's own types:
`ONDINE_RENEW=1 cargo test -p ondine-io reference` writes it again. The [guide](guide.md) explains how to use it.

How to read the tables:

- Units stand in brackets: [m] is metres, [s] seconds, [Pa] pascals. A key without a unit is a plain number.
- A number with a unit may be written with another one, as a text: `radius = \"5 cm\"`, `density = \"1.5 g/cm3\"`, `surface_tension =
  \"40 mN/m\"`, `viscosity = { linear = \"10 cP\" }`, `spin = [0, 0, \"10 rpm\"]`. Known are m, g, s, N, Pa, bar, P, L, Hz with prefixes from
  n to G; min, h, t, lb, in, ft, dyn, atm, psi, °, deg, rad, turn, rev, rpm, fps, mph; and their products and powers. Values in `set` of
  events and in `[[track]]` have the unit of what they set.
- **required** means that a table without the key is an error. *material* means that the value comes from the
  liquid's `material`.
- **live** means that events, tracks and keyframes may change the value during a run. A live number may be written as
  `{ keys = [[0, 1], [2, 5]], interpolation = \"smooth\" }` in its place.
- **if moving** means the same where the object's `motion` is \"moving\". Its `at` and `rotate` then follow tracks and
  keyframes; events cannot set them, for nothing jumps through what is in its way.
- A list of one table may be written as that table: `fill = { … }` for `[[liquid.fill]]`.
";

/// The reference of the scene format, as Markdown: every table, every key, every material.
pub fn reference() -> String {
    let mut text = String::from(HEAD);
    for section in &SECTIONS {
        text += &section.text();
        if section.title == "adhesion" {
            text += &shapes();
        }
    }
    text + &choices() + &materials()
}

impl Section {
    fn text(&self) -> String {
        let root = Rule::root(&RULES);
        let (rule, schema) = match self.definition {
            Some(name) => (root.definition(name), &RULES["$defs"][name]),
            None => (root, &*RULES),
        };
        let Form::Table(table) = rule.form() else { return String::new() };
        let mut text = format!("\n## {}\n\n{}\n", self.title, flat(&schema["description"]));
        text += &match self.path {
            "" => format!("\nStands {}.\n", self.header),
            path => format!("\nWritten {}. Path: `{path}`.\n", self.header),
        };
        text += "\n| Key | Value | Meaning | Default | Range | |\n|---|---|---|---|---|---|\n";
        for key in table.keys() {
            let path = if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) };
            text += &row(key, &table, &schema["properties"][key], &path, live(self.definition, key));
        }
        text
    }
}

fn row(key: &str, table: &Table, schema: &Value, path: &str, live: &str) -> String {
    let Some(rule) = table.property(key) else { return String::new() };
    let (meaning, told) = meaning_and_default(&flat(&schema["description"]));
    let default = match told {
        _ if table.required.contains(&key) => "**required**".into(),
        Some(told) => told,
        None if varies_by_material(path) => "*material*".into(),
        None => plain_default(&schema["default"]),
    };
    format!("| `{key}` | {} | {meaning} | {default} | {} | {live} |\n", kind(rule, schema), range(rule))
}

fn is_vector(rule: Rule) -> bool {
    matches!(rule.form(), Form::Fixed(..))
}

/// A description on one line.
fn flat(description: &Value) -> String {
    description
        .as_str()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// A description without the sentence on the default, and what that sentence says.
fn meaning_and_default(description: &str) -> (String, Option<String>) {
    let is_default = |s: &&str| s.starts_with("Default ") || s.starts_with("Default: ");
    // "Required." is told by the schema.
    let sentences = || description.split_inclusive(". ").map(str::trim).filter(|s| *s != "Required.");
    let meaning: Vec<&str> = sentences().filter(|s| !is_default(s)).collect();
    let told = sentences().find(is_default).map(|s| {
        let told = s.trim_start_matches("Default").trim_start_matches(':').trim();
        told.strip_suffix('.').unwrap_or(told).to_string()
    });
    (meaning.join(" "), told)
}

/// A default as one would write it. Tables have their own sections.
fn plain_default(default: &Value) -> String {
    let none = if default.is_object() { "" } else { "none" };
    literal(default).unwrap_or_else(|| none.into())
}

/// What may stand behind a key.
fn kind(rule: Rule, schema: &Value) -> String {
    let referred = [
        &schema["$ref"],
        &schema["anyOf"][0]["$ref"],
        &schema["items"]["$ref"],
        &schema["additionalProperties"]["$ref"],
    ];
    let link = referred.into_iter().find_map(Value::as_str).and_then(link);
    match (rule.form(), link) {
        (Form::List(_), Some(link)) => format!("list of {link}"),
        (Form::Map(_), Some(link)) => format!("table of names and {link}"),
        (_, Some(link)) => link,
        (Form::Choice(choice), _) => {
            let names: Vec<_> = choice.options().iter().map(|name| format!("`\"{name}\"`")).collect();
            names.join(", ")
        }
        (Form::Fixed(_, length), _) => format!("{length} numbers"),
        (Form::List(item), _) if is_vector(item) => "list of pairs".into(),
        (Form::Map(_), _) => "table of paths and values".into(),
        (form, _) => form.wanted().trim_start_matches("a ").into(),
    }
}

/// A link to the section of a definition, if it has one.
fn link(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/$defs/")?;
    match name {
        "Part" => return Some("[part](#part)".into()),
        "Shape" => return Some("[shape](#shape)".into()),
        "Preset" => return Some("[material](#materials)".into()),
        _ => (),
    }
    let section = SECTIONS.iter().find(|s| s.definition == Some(name))?;
    Some(format!("[{}](#{})", section.title, section.title))
}

fn range(rule: Rule) -> String {
    match rule.form() {
        Form::Number(limits) | Form::Whole(limits) => limits.to_string(),
        Form::Fixed(item, _) | Form::Map(item) => range(item),
        _ => String::new(),
    }
}

/// Whether materials differ in a value.
fn varies_by_material(path: &str) -> bool {
    let Some(key) = path.strip_prefix("liquid.NAME.") else { return false };
    let pointer = format!("/{}", key.replace('.', "/"));
    let of = |preset: Preset| json!(preset.liquid()).pointer(&pointer).cloned();
    let water = of(Preset::Water);
    water.as_ref().is_some_and(|w| !w.is_object()) && Preset::ALL.iter().any(|p| of(*p) != water)
}

/// Whether a value of a definition may change, in the word of the page.
fn live(definition: Option<&str>, key: &str) -> &'static str {
    let descriptions = Scene::descriptions();
    // The scene itself comes first, and has no definition.
    let description = match definition {
        Some(name) => descriptions.iter().find(|description| description.name == name),
        None => descriptions.first(),
    };
    let declared = description.and_then(|d| d.values.iter().find(|declared| declared.key == key));
    match declared.map(|declared| declared.live) {
        Some(Live::Always) => "live",
        Some(Live::If(terms)) => terms.word,
        Some(Live::Fixed) | None => "",
    }
}

fn shapes() -> String {
    let schema = &RULES["$defs"]["Shape"];
    let mut text = format!("\n## shape\n\n{}\n", flat(&schema["description"]));
    text += "\nWritten `shape = { NAME = { … } }`, in `fill`, `object`, `drain` and [part](#part).\n";
    text += SHAPE_COLUMNS;
    let Form::Choice(choice) = Rule::root(&RULES).definition("Shape").form() else { return text };
    for (variant, (name, rule)) in schema["oneOf"].as_array().into_iter().flatten().zip(&choice.tables) {
        let first = format!("`{name}` | {}", flat(&variant["description"]));
        text += &shape_rows(first, *rule, &variant["properties"][name]);
    }
    text + &parts()
}

const SHAPE_COLUMNS: &str =
    "\n| Shape | Meaning | Key | Value | Meaning | Default | Range |\n|---|---|---|---|---|---|---|\n";

/// The keys of one shape; the first row names it.
fn shape_rows(mut first: String, rule: Rule, schema: &Value) -> String {
    let Form::Table(table) = rule.form() else { return String::new() };
    let definition = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/"));
    let schema = definition.map_or(schema, |name| &RULES["$defs"][name]);
    let mut text = String::new();
    for key in table.keys() {
        let Some(rule) = table.property(key) else { continue };
        let schema = &schema["properties"][key];
        let (meaning, told) = meaning_and_default(&flat(&schema["description"]));
        let default = told.unwrap_or_else(|| "**required**".into());
        let (kind, range) = (kind(rule, schema), range(rule));
        text += &format!("| {first} | `{key}` | {kind} | {meaning} | {default} | {range} |\n");
        first = " | ".into();
    }
    text
}

/// The shapes that a shape is made of.
fn parts() -> String {
    let part = section("part", "in `of`", Some("Part"), "object.NAME.shape.union.of.0");
    part.text() + EXAMPLE_OF_PARTS
}

const EXAMPLE_OF_PARTS: &str = "
A ball with a bite taken out of it:

```toml
[[object]]
name = \"apple\"
[object.shape.difference]
smooth = 0.01
of = [
    { shape = { sphere = { radius = 0.2 } } },
    { shape = { sphere = { radius = 0.1 } }, at = [0.2, 0.05, 0] },
]
```

Shapes may be in one another up to 16 deep, and be made of up to 1000 others.
";

/// The names that a definition offers, with what they mean.
fn names(definition: &str) -> Vec<(String, String)> {
    let alternatives = RULES["$defs"][definition]["oneOf"].as_array().into_iter().flatten();
    alternatives
        .map(|a| (a["const"].as_str().unwrap_or_default().to_string(), flat(&a["description"])))
        .collect()
}

fn choices() -> String {
    let mut text = String::from("\n## Choices\n\n| Key | Name | Meaning |\n|---|---|---|\n");
    for (definition, key) in CHOICES {
        for (name, meaning) in names(definition) {
            text += &format!("| `{key}` | `\"{name}\"` | {meaning} |\n");
        }
    }
    text
}

fn materials() -> String {
    let mut text = String::from(
        "\n## Materials\n\nWhat `material` may be, and the values it gives. Any of them may be written beside it.\n
| `material` | Meaning | `density` [kg/m³] | `viscosity.linear` [Pa·s] | `surface_tension` [N/m] | \
         `springs.stiffness` [Pa] | `springs.plasticity` [1/s] | `springs.yield_ratio` |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for preset in Preset::ALL {
        let name = json!(preset);
        let name = name.as_str().unwrap_or_default();
        let (_, meaning) = names("Preset").into_iter().find(|(n, _)| n == name).unwrap_or_default();
        let Liquid { density, viscosity, surface_tension, springs, .. } = preset.liquid();
        text += &format!(
            "| `\"{name}\"` | {meaning} | {density} | {} | {surface_tension} | {} | {} | {} |\n",
            viscosity.linear, springs.stiffness, springs.plasticity, springs.yield_ratio
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_page_is_that_of_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.md");
        if std::env::var_os("ONDINE_RENEW").is_some() {
            std::fs::write(&path, reference()).unwrap();
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            page.replace("\r\n", "\n") == reference(),
            "docs/scene.md is not what the types say; renew it by `ONDINE_RENEW=1 cargo test -p ondine-io reference`"
        );
    }

    /// Definitions that the section on shapes tells of.
    const OF_SHAPES: [&str; 3] = ["Blend", "Part", "MeshFile"];

    #[test]
    fn every_definition_is_on_the_page() {
        let sections = SECTIONS.iter().filter_map(|s| s.definition);
        let choices = CHOICES.iter().map(|(definition, _)| *definition);
        // Keyframes and bare values are explained in words.
        let known: Vec<&str> = sections
            .chain(choices)
            .chain(["Shape", "Preset", "Keyframes", "Value"])
            .chain(OF_SHAPES)
            .collect();
        for name in RULES["$defs"].as_object().unwrap().keys() {
            assert!(known.contains(&name.as_str()), "{name} has no section");
        }
    }

    /// A comment must not promise another default than the types give.
    #[test]
    fn the_comments_tell_the_true_defaults() {
        let definitions = SECTIONS.iter().map(|s| s.definition).chain(OF_SHAPES.map(Some));
        for definition in definitions {
            let schema = definition.map_or(&*RULES, |name| &RULES["$defs"][name]);
            for (key, schema) in schema["properties"].as_object().unwrap() {
                let (_, told) = meaning_and_default(&flat(&schema["description"]));
                let literal = plain_default(&schema["default"]);
                let told = told.unwrap_or_default();
                if told.starts_with(|c: char| c.is_ascii_digit() || "-[\"".contains(c)) {
                    assert!(told.starts_with(&literal), "{definition:?}.{key}: {told} is not {literal}");
                }
            }
        }
    }

    #[test]
    fn sentences_on_defaults_are_taken_out() {
        let (meaning, told) = meaning_and_default("Radius [m]. Default 0.05. In the plane, half the width.");
        assert_eq!(
            (meaning.as_str(), told.as_deref()),
            ("Radius [m]. In the plane, half the width.", Some("0.05"))
        );
        assert_eq!(meaning_and_default("When [s].").1, None);
    }
}
