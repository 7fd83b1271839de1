//! `--set PATH=VALUE`: values that stand in for those of the text.

use super::document::{Content, Entry, Node, Place, Placed, element, join, split};
use super::form::{Form, Rule};
use super::{Override, shorthand};
use ondine::{Fault, suggest};

/// Values are listed to this depth: shapes may be in one another, and a suggestion need not come from their depths.
const DEEPEST: usize = 16;

/// Puts the overrides into the tree, in their order, and gives the faults of those that could not be.
pub(super) fn apply(document: &mut Node, rule: Rule, overrides: &[Override]) -> Vec<Placed> {
    let mut faults = Vec::new();
    for (index, over) in overrides.iter().enumerate() {
        let place = Place::Set(index);
        // On the way to a path that leads nowhere, tables may be made: work on a copy.
        let mut changed = document.clone();
        let result = match slot(&mut changed, rule, &over.path, &place) {
            Some((slot, rule)) => set(slot, rule, over, index),
            None => Err(no_such_path(document, rule, over)),
        };
        match result {
            Ok(()) => *document = changed,
            Err(fault) => faults.push(Placed { fault, place }),
        }
    }
    faults
}

fn set(slot: &mut Node, rule: Rule, over: &Override, index: usize) -> Result<(), Fault> {
    *slot = value(over, rule, index)?;
    shorthand::expand(slot, rule);
    Ok(())
}

/// The value of an override: TOML, or a bare name where a name is wanted, or a bare number with a unit.
fn value(over: &Override, rule: Rule, index: usize) -> Result<Node, Fault> {
    match (Node::parse_set(&over.value, index), rule.form()) {
        (Some(node), _) => Ok(node),
        (None, Form::Text | Form::Choice(_)) => {
            Ok(Node { content: Content::Text(over.value.clone()), place: Place::Set(index) })
        }
        (None, Form::Number(_))
            if over.value.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) =>
        {
            Ok(Node { content: Content::Text(over.value.clone()), place: Place::Set(index) })
        }
        (None, form) => {
            let reason = format!("expected {}, found `{}`", form.wanted(), over.value);
            Err(Fault::error(
                &over.path,
                reason,
                format!("write for example {}={}", over.path, rule.example()),
            ))
        }
    }
}

/// The value that a path names, made on the way if the schema knows it, and its rule.
fn slot<'t, 's>(
    node: &'t mut Node,
    rule: Rule<'s>,
    path: &str,
    place: &Place,
) -> Option<(&'t mut Node, Rule<'s>)> {
    if path.is_empty() {
        return Some((node, rule));
    }
    let form = rule.form();
    if let Content::Default = node.content {
        node.content = blank(&form, place);
    }
    match (form, &mut node.content) {
        (Form::Table(table), Content::Table(entries)) => {
            let (key, rest) = split(path);
            let rule = table.property(key)?;
            slot(entry(entries, key, place), rule, rest, place)
        }
        (Form::Choice(choice), Content::Table(entries)) => {
            let (key, rest) = split(path);
            let rule = choice.table(key)?;
            slot(entry(entries, key, place), rule, rest, place)
        }
        (Form::Map(item), Content::Table(entries)) => {
            // An event's paths have dots of their own: all that remains is one key.
            let (key, rest) = if item.is_table() { split(path) } else { (path, "") };
            slot(entry(entries, key, place), item, rest, place)
        }
        (Form::List(item) | Form::Fixed(item, _), Content::Array(items)) => {
            let (i, rest) = element(items, path)?;
            slot(items.get_mut(i)?, item, rest, place)
        }
        _ => None,
    }
}

fn entry<'t>(entries: &'t mut Vec<Entry>, key: &str, place: &Place) -> &'t mut Node {
    let i = entries.iter().position(|e| e.key == key).unwrap_or_else(|| {
        let value = Node { content: Content::Default, place: place.clone() };
        entries.push(Entry { key: key.into(), key_place: place.clone(), value });
        entries.len() - 1
    });
    &mut entries[i].value
}

/// What stands for a value that the text does not give, so that a part of it can be set.
fn blank(form: &Form, place: &Place) -> Content {
    match form {
        Form::Table(_) | Form::Map(_) | Form::Choice(_) => Content::Table(Vec::new()),
        Form::List(_) => Content::Array(Vec::new()),
        Form::Fixed(_, length) => {
            Content::Array(vec![Node { content: Content::Default, place: place.clone() }; *length])
        }
        _ => Content::Default,
    }
}

fn no_such_path(document: &Node, rule: Rule, over: &Override) -> Fault {
    let mut known = Vec::new();
    paths(Some(document), rule, "", &mut known, DEEPEST);
    let remedy = match suggest::nearest(&over.path, known.iter().map(String::as_str)) {
        Some(nearest) => format!("the nearest is `{nearest}`"),
        None => "name a value such as `fps`, `gravity.y` or `liquid.NAME.spacing`".into(),
    };
    Fault::error(&over.path, format!("the scene has no value `{}`", over.path), remedy)
}

/// Lists the paths of all values that can be set, those that the text leaves out as well.
fn paths(node: Option<&Node>, rule: Rule, here: &str, known: &mut Vec<String>, depth: usize) {
    if depth == 0 {
        return;
    }
    let inside = |key: &str| node.and_then(|n| n.get(key));
    match (rule.form(), node.map(|n| &n.content)) {
        (Form::Table(table), _) => {
            for (key, rule) in table.properties() {
                paths(inside(key), rule, &join(here, key), known, depth - 1);
            }
        }
        (Form::Choice(choice), Some(Content::Table(_))) => {
            for (key, rule) in choice.tables.iter().filter(|(key, _)| inside(key).is_some()) {
                paths(inside(key), *rule, &join(here, key), known, depth - 1);
            }
        }
        (Form::Map(item), Some(Content::Table(entries))) if item.is_table() => {
            for Entry { key, value, .. } in entries {
                paths(Some(value), item, &join(here, key), known, depth - 1);
            }
        }
        (Form::Map(_), Some(Content::Table(entries))) => {
            known.extend(entries.iter().map(|e| join(here, &e.key)));
        }
        (Form::List(item), Some(Content::Array(items))) => {
            for (i, node) in items.iter().enumerate() {
                let part = node.name().map_or_else(|| i.to_string(), String::from);
                paths(Some(node), item, &join(here, &part), known, depth - 1);
            }
        }
        (Form::Map(_) | Form::List(_), _) => {}
        (Form::Fixed(_, length), _) => {
            known.push(here.into());
            known.extend((0..length).map(|i| join(here, &i.to_string())));
        }
        _ => known.push(here.into()),
    }
}
