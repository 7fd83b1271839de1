//! A list of tables with one element may be written as that table: `fill = { ... }` means `fill = [{ ... }]`.

use super::document::{Content, Entry, Node};
use super::form::{Form, Rule};

/// Writes out every such list, so that nothing after this need know of the shorthand.
pub(super) fn expand(node: &mut Node, rule: Rule) {
    let form = rule.form();
    if let Form::List(item) = form
        && matches!(node.content, Content::Table(_))
        && matches!(item.form(), Form::Table(_))
    {
        let only = Node {
            content: std::mem::replace(&mut node.content, Content::Default),
            place: node.place.clone(),
        };
        node.content = Content::Array(vec![only]);
    }
    match (form, &mut node.content) {
        (Form::Table(table), Content::Table(entries)) => each(entries, |key| table.property(key)),
        (Form::Choice(choice), Content::Table(entries)) => each(entries, |key| choice.table(key)),
        (Form::Map(item), Content::Table(entries)) => each(entries, |_| Some(item)),
        (Form::List(item) | Form::Fixed(item, _), Content::Array(items)) => {
            items.iter_mut().for_each(|node| expand(node, item));
        }
        _ => {}
    }
}

fn each<'s>(entries: &mut [Entry], rule: impl Fn(&str) -> Option<Rule<'s>>) {
    for entry in entries {
        if let Some(rule) = rule(&entry.key) {
            expand(&mut entry.value, rule);
        }
    }
}
