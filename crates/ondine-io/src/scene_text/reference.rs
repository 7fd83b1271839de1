//! The reference of the scene format as Markdown, from the same types that read scenes.

use super::document::join;
use super::form::{Form, Rule, Table, literal};
use super::schema::RULES;
use ondine::Scene;
use ondine::scene::{EffectPreset, Liquid, Live, Preset};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// A table of the scene format.
struct Section {
    title: String,
    /// How it stands in a scene file.
    header: String,
    /// Its definition in the schema; none for the scene itself.
    definition: Option<&'static str>,
    /// The path of its values, as events and `--set` name them.
    path: String,
}

/// Every table but those in shapes, in the order in which they are declared.
static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let [title, header] = ["Scene", "at the top of the file"].map(String::from);
    let mut all = vec![Section { title, header, definition: None, path: String::new() }];
    if let Form::Table(scene) = Rule::root(&RULES).form() {
        add_sections(&scene, "", "", &mut all);
    }
    all
});

/// Adds the tables in a table, which TOML calls by these keys and paths by that path.
fn add_sections(table: &Table<'static>, keys: &str, path: &str, all: &mut Vec<Section>) {
    for (key, rule) in table.properties() {
        let (keys, path) = (join(keys, key), join(path, key));
        let (header, path, rule) = match rule.form() {
            Form::Table(_) => (format!("`[{keys}]`"), path, rule),
            Form::List(item) if has_name(item) => (format!("`[[{keys}]]`"), format!("{path}.NAME"), item),
            Form::List(item) => (format!("`[[{keys}]]`"), format!("{path}.0"), item),
            Form::Map(item) => (format!("`[{keys}.LIQUID]`"), format!("{path}.LIQUID"), item),
            _ => continue,
        };
        if let Form::Table(table) = rule.form() {
            all.push(Section { title: key.into(), header, definition: rule.name(), path: path.clone() });
            add_sections(&table, &keys, &path, all);
        }
    }
}

fn has_name(rule: Rule) -> bool {
    matches!(rule.form(), Form::Table(table) if table.property("name").is_some())
}

/// Names to choose from, and the key that takes them. Materials have a table of their own.
fn names_to_choose() -> Vec<(&'static str, String)> {
    let root = Rule::root(&RULES);
    let Form::Choice(shapes) = root.definition("Shape").form() else { return Vec::new() };
    let sections =
        SECTIONS.iter().map(|s| (s.title.clone(), s.definition.map_or(root, |d| root.definition(d))));
    let shapes = shapes.tables.into_iter().map(|(name, rule)| (format!("shape.{name}"), rule));
    let mut all = Vec::new();
    for (title, rule) in sections.chain(shapes) {
        let Form::Table(table) = rule.form() else { continue };
        for (key, rule) in table.properties() {
            match (rule.form(), rule.name()) {
                (Form::Choice(choice), Some(name)) if choice.tables.is_empty() && name != "Preset" => {
                    all.push((name, format!("{title}.{key}")));
                }
                _ => (),
            }
        }
    }
    all
}

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
  liquid's `material`, *preset* that it comes from the effect's `preset`.
- **live** means that events, tracks and keyframes may change the value during a run. A live number may be written as
  `{ keys = [[0, 1], [2, 5]], interpolation = \"smooth\" }` in its place.
- **if moving** means the same where the object's `motion` is \"moving\". Its `at` and `rotate` then follow tracks and
  keyframes; events cannot set them, for nothing jumps through what is in its way.
- A list of one table may be written as that table: `fill = { … }` for `[[liquid.fill]]`.
";

/// The reference of the scene format, as Markdown: every table, every key, every material.
pub fn reference() -> String {
    let mut text = String::from(HEAD);
    for section in SECTIONS.iter() {
        text += &section.text();
        if section.title == "adhesion" {
            text += &shapes();
        }
        if section.definition == Some("Recorded") {
            text += &changes();
        }
    }
    text + &choices() + &materials()
}

impl Section {
    fn text(&self) -> String {
        let root = Rule::root(&RULES);
        let rule = self.definition.map_or(root, |name| root.definition(name));
        let Form::Table(table) = rule.form() else { return String::new() };
        let mut text = format!("\n## {}\n\n{}\n", self.title, flat(rule.description()));
        text += &match self.path.as_str() {
            "" => format!("\nStands {}.\n", self.header),
            path => format!("\nWritten {}. Path: `{path}`.\n", self.header),
        };
        text += "\n| Key | Value | Meaning | Default | Range | |\n|---|---|---|---|---|---|\n";
        for (key, rule) in table.properties() {
            let is_required = table.required.contains(&key);
            text += &row(key, rule, is_required, &join(&self.path, key), live(self.definition, key));
        }
        text
    }
}

fn row(key: &str, rule: Rule, is_required: bool, path: &str, live: &str) -> String {
    let (meaning, told) = meaning_and_default(&flat(rule.description()));
    let default = match told {
        _ if is_required => "**required**".into(),
        Some(told) => told,
        None if varies_by_material(path) => "*material*".into(),
        None if varies_by_preset(path) => "*preset*".into(),
        None => plain_default(rule.default()),
    };
    format!("| `{key}` | {} | {meaning} | {default} | {} | {live} |\n", kind(rule), range(rule))
}

/// A description on one line.
fn flat(description: &str) -> String {
    description.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn words(description: &Value) -> String {
    flat(description.as_str().unwrap_or_default())
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
fn kind(rule: Rule) -> String {
    match rule.form() {
        Form::List(item) if matches!(item.form(), Form::Fixed(_, 2)) => "list of pairs".into(),
        Form::List(item) => format!("list of {}", kind(item)),
        Form::Map(item) if item.is_table() => format!("table of names and {}", kind(item)),
        Form::Map(_) => "table of paths and values".into(),
        Form::Fixed(_, length) => format!("{length} numbers"),
        form => match (rule.name().and_then(link), form) {
            (Some(link), _) => link,
            (None, Form::Choice(choice)) => {
                let names: Vec<_> = choice.options().iter().map(|name| format!("`\"{name}\"`")).collect();
                names.join(", ")
            }
            (None, form) => form.wanted().trim_start_matches("a ").into(),
        },
    }
}

/// A link to the section of a definition, if it has one.
fn link(definition: &str) -> Option<String> {
    let section = SECTIONS.iter().find(|s| s.definition == Some(definition));
    match definition {
        "Part" => Some("[part](#part)".into()),
        "Shape" => Some("[shape](#shape)".into()),
        "Edit" => Some("[change](#change)".into()),
        "Preset" => Some("[material](#materials)".into()),
        _ => section.map(|section| format!("[{}](#{})", section.title, section.title)),
    }
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

/// Whether presets of effects differ in a value.
fn varies_by_preset(path: &str) -> bool {
    let Some(key) = path.strip_prefix("effect.NAME.") else { return false };
    let pointer = format!("/{}", key.replace('.', "/"));
    let of = |preset: EffectPreset| json!(preset.effect()).pointer(&pointer).cloned();
    let plain = of(EffectPreset::Plain);
    plain.as_ref().is_some_and(|p| !p.is_object()) && EffectPreset::ALL.iter().any(|p| of(*p) != plain)
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
    let shape = Rule::root(&RULES).definition("Shape");
    let mut text = format!("\n## shape\n\n{}\n", flat(shape.description()));
    text += "\nWritten `shape = { NAME = { … } }`, in `fill`, `object`, `drain` and [part](#part).\n";
    text + &choice_rows("Shape", "Shape") + &parts()
}

/// What an edit may be.
fn changes() -> String {
    let edit = Rule::root(&RULES).definition("Edit");
    let mut text = format!("\n## change\n\n{}\n", flat(edit.description()));
    text += "\nWritten `change = { NAME = { … } }`, in [edit](#edit).\n";
    text + &choice_rows("Edit", "Change")
}

/// A table of things to choose from, each with its keys.
fn choice_rows(definition: &str, title: &str) -> String {
    let mut text = format!(
        "\n| {title} | Meaning | Key | Value | Meaning | Default | Range |\n|---|---|---|---|---|---|---|\n"
    );
    let Form::Choice(choice) = Rule::root(&RULES).definition(definition).form() else { return text };
    let all = RULES["$defs"][definition]["oneOf"].as_array();
    let about = all.into_iter().flatten().map(|one| words(&one["description"]));
    for (about, (name, rule)) in about.zip(&choice.tables) {
        text += &match rule.name().and_then(link) {
            Some(link) => format!("| `{name}` | {about} |  | {link} | | | |\n"),
            None => rows_of_one(format!("`{name}` | {about}"), *rule),
        };
    }
    text
}

/// The keys of one of them; the first row names it.
fn rows_of_one(mut first: String, rule: Rule) -> String {
    let Form::Table(table) = rule.form() else { return String::new() };
    let mut text = String::new();
    for (key, rule) in table.properties() {
        let (meaning, told) = meaning_and_default(&flat(rule.description()));
        let default = told.unwrap_or_else(|| "**required**".into());
        text +=
            &format!("| {first} | `{key}` | {} | {meaning} | {default} | {} |\n", kind(rule), range(rule));
        first = " | ".into();
    }
    text
}

/// The shapes that a shape is made of.
fn parts() -> String {
    let [title, header, path] = ["part", "in `of`", "object.NAME.shape.union.of.0"].map(String::from);
    Section { title, header, definition: Some("Part"), path }.text() + EXAMPLE_OF_PARTS
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
        .map(|a| (a["const"].as_str().unwrap_or_default().to_string(), words(&a["description"])))
        .collect()
}

fn choices() -> String {
    let mut text = String::from("\n## Choices\n\n| Key | Name | Meaning |\n|---|---|---|\n");
    for (definition, key) in names_to_choose() {
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
        let choices = names_to_choose().into_iter().map(|(definition, _)| definition);
        // Keyframes and bare values are explained in words.
        let known: Vec<&str> = sections
            .chain(choices)
            .chain(["Shape", "Edit", "Preset", "Keyframes", "Value"])
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
                let (_, told) = meaning_and_default(&words(&schema["description"]));
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
