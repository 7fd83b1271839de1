//! Scene text as a tree in which every value knows its place.

use ondine::Fault;
use serde_json::Value;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// The scene as a whole.
    Whole,
    /// These bytes of the text.
    Text(Range<usize>),
    /// The `--set` of this index.
    Set(usize),
}

/// A fault and the value that it is about.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub fault: Fault,
    pub place: Place,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub content: Content,
    pub place: Place,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Table(Vec<Entry>),
    Array(Vec<Node>),
    Text(String),
    Integer(i64),
    /// The literal: it is rounded once, to the precision that its reader wants. By way of f64 an f32 could come out
    /// one bit off.
    Float(String),
    Switch(bool),
    Date,
    /// Not given, whatever its default is: the other components of a vector of which `--set` gave one.
    Default,
}

/// Tables and arrays in one another, at most. Shapes as deep as the engine takes them need some seventy.
const DEEPEST: usize = 80;

/// A key of a table, and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub value: Node,
}

/// What to do about a fault of the syntax there.
fn remedy(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    let here = span.and_then(|span| text.get(span.start..)).unwrap_or_default();
    let number = here.trim_start_matches(['+', '-']);
    let figures: String = number.chars().skip(1).take_while(char::is_ascii_digit).collect();
    match number.starts_with('.') && !figures.is_empty() {
        true => format!(
            "a number has a digit before its point: write {}0.{figures}",
            &here[..here.len() - number.len()]
        ),
        false => "write `key = value`, one to a line, texts in \"quotes\" and vectors as [x, y, z]".into(),
    }
}

impl Node {
    /// Reads scene text. A syntax error is the only fault then: what follows it cannot be trusted.
    pub fn parse(text: &str) -> Result<Node, Placed> {
        let root = DeTable::parse(text).map_err(|e| Placed {
            fault: Fault::error("", format!("the text is not TOML: {}", e.message()), remedy(text, e.span())),
            place: e.span().map_or(Place::Whole, Place::Text),
        })?;
        let content = table(root.into_inner(), &Place::Text, 0).map_err(|place| Placed {
            fault: Fault::error(
                "",
                format!("tables are in one another more than {DEEPEST} deep here"),
                "write the parts of a shape side by side in one union, or as a mesh file",
            ),
            place,
        })?;
        Ok(Node { content, place: Place::Whole })
    }

    /// Reads one TOML value, given by the `--set` of this index. None for what is no value, or is too deep.
    pub fn parse_set(text: &str, index: usize) -> Option<Node> {
        node(DeValue::parse(text).ok()?, &|_| Place::Set(index), 0).ok()
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.content {
            Content::Table(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.value),
            _ => None,
        }
    }

    /// The name by which paths call this element of a list.
    pub fn name(&self) -> Option<&str> {
        match &self.get("name")?.content {
            Content::Text(name) if !name.is_empty() => Some(name),
            _ => None,
        }
    }

    /// The value that a path names or, where a part of the path is absent, the nearest one around it.
    pub fn find(&self, path: &str) -> &Node {
        let inner = match &self.content {
            Content::Table(entries) => entries
                .iter()
                .filter_map(|e| Some((e.key.len(), &e.value, after(path, &e.key)?)))
                // An event's keys have dots of their own: the longest is meant.
                .max_by_key(|(length, ..)| *length)
                .map(|(_, value, rest)| (value, rest)),
            Content::Array(items) => element(items, path).map(|(i, rest)| (&items[i], rest)),
            _ => None,
        };
        inner.map_or(self, |(node, rest)| node.find(rest))
    }

    /// What it is, for messages.
    pub fn found(&self) -> &'static str {
        match self.content {
            Content::Table(_) => "a table",
            Content::Array(_) => "an array",
            Content::Text(_) => "a text",
            Content::Integer(_) => "a whole number",
            Content::Float(_) => "a number",
            Content::Switch(_) => "true or false",
            Content::Date => "a date",
            Content::Default => "nothing",
        }
    }
}

/// What remains of a path after its first part, if that part is the given one.
pub(super) fn after<'p>(path: &'p str, part: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(part)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// The first part of a path, and what remains.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or((path, ""))
}

/// The element of a list that a path goes through, by its name, its index or, in a vector, its axis; and the rest of
/// the path.
pub(super) fn element<'p>(items: &[Node], path: &'p str) -> Option<(usize, &'p str)> {
    let named = |(i, item): (usize, &Node)| Some((i, after(path, item.name()?)?));
    if let Some(found) = items.iter().enumerate().find_map(named) {
        return Some(found);
    }
    let (part, rest) = split(path);
    let index = match part {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        digits => digits.parse().ok()?,
    };
    (index < items.len()).then_some((index, rest))
}

/// How bytes become a place: the same tree serves the text and `--set`.
type PlaceOf<'a> = &'a dyn Fn(Range<usize>) -> Place;

/// A value as a node or, where it is too deep, the place that is.
fn node(value: Spanned<DeValue<'_>>, place: PlaceOf, depth: usize) -> Result<Node, Place> {
    let here = place(value.span());
    if depth > DEEPEST {
        return Err(here);
    }
    let content = match value.into_inner() {
        DeValue::Table(inner) => table(inner, place, depth)?,
        DeValue::Array(items) => {
            let items: Result<_, _> = items.into_iter().map(|v| node(v, place, depth + 1)).collect();
            Content::Array(items?)
        }
        DeValue::String(text) => Content::Text(text.into_owned()),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(i) => Content::Integer(i),
            Err(_) => Content::Float(digits.as_str().into()),
        },
        DeValue::Float(literal) => Content::Float(literal.as_str().into()),
        DeValue::Boolean(on) => Content::Switch(on),
        DeValue::Datetime(_) => Content::Date,
    };
    Ok(Node { content, place: here })
}

fn table(entries: DeTable<'_>, place: PlaceOf, depth: usize) -> Result<Content, Place> {
    let mut entries: Vec<_> = entries.into_iter().collect();
    // In the order of the text, not of the alphabet: tracks keep the order in which they were written.
    entries.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'_>>)| {
        let key_place = place(key.span());
        let key: std::borrow::Cow<str> = key.into_inner();
        Ok(Entry { key: key.into_owned(), key_place, value: node(value, place, depth + 1)? })
    };
    Ok(Content::Table(entries.into_iter().map(entry).collect::<Result<_, _>>()?))
}

/// A path from its parts.
pub(super) fn join(path: &str, part: &str) -> String {
    if path.is_empty() { part.into() } else { format!("{path}.{part}") }
}

/// A number as JSON. A number that JSON cannot hold is null; none comes here, all are checked to be finite.
pub(super) fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        title = "a"
        gravity = [0, -1, 0]
        [[liquid]]
        name = "dotted.name"
        viscosity = { linear = 3 }
        [[liquid]]
        name = "b"
        [[event]]
        at = 1
        set = { "liquid.b.density" = 5 }
    "#;

    fn found(path: &str) -> &str {
        match Node::parse(TEXT).unwrap().find(path).place.clone() {
            Place::Text(span) => &TEXT[span],
            _ => "",
        }
    }

    #[test]
    fn paths_lead_to_their_places() {
        assert_eq!(found("title"), "\"a\"");
        assert_eq!(found("gravity.1"), "-1");
        assert_eq!(found("gravity.y"), "-1");
        assert_eq!(found("liquid.dotted.name.viscosity.linear"), "3");
        assert_eq!(found("liquid.0.viscosity.linear"), "3");
        assert_eq!(found("liquid.b.name"), "\"b\"");
        assert_eq!(found("event.0.set.liquid.b.density"), "5");
    }

    #[test]
    fn absent_values_lead_to_what_is_around_them() {
        assert_eq!(found("liquid.b.viscosity.linear"), "[[liquid]]");
        assert_eq!(found("liquid.0.viscosity.quadratic"), "{ linear = 3 }");
        assert_eq!(found("liquid.7.viscosity"), "[[liquid]]");
        assert_eq!(found("gravity.9"), "[0, -1, 0]");
        assert_eq!(found("camera.angle"), "");
        assert_eq!(found(""), "");
    }

    #[test]
    fn entries_keep_the_order_of_the_text() {
        let Content::Table(entries) = Node::parse("z = 1\na = 2").unwrap().content else { panic!() };
        assert_eq!(entries.iter().map(|e| e.key.as_str()).collect::<Vec<_>>(), ["z", "a"]);
    }
}
