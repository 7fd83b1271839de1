//! What is declared of a value.

use crate::scene::Fault;
use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};

/// A table or a set of shapes, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name of its type, which is that of its definition in the schema.
    pub name: &'static str,
    /// Its values. Those of shapes have the shape's name before theirs: `sphere.radius`.
    pub values: &'static [Declared],
}

/// What is declared of a value.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// What it is called in its table.
    pub key: &'static str,
    /// What it is, in words. Its unit stands in brackets.
    pub about: &'static str,
    /// The range that its numbers must keep to, if it has any.
    pub range: Option<Range>,
    /// Whether it may change during a run.
    pub live: Live,
}

impl Declared {
    /// The same; a compiler's error where a number has no range, or something else has one.
    pub(crate) const fn checked(self, is_number: bool) -> Self {
        assert!(self.range.is_some() == is_number, "numbers have a range, and only they");
        self
    }

    /// The unit of its numbers; empty where there is none, or where it depends on the kind of thing.
    pub fn unit(&self) -> &'static str {
        let brackets = self.about.split('[').skip(1).filter_map(|part| part.split_once(']'));
        // A vector in brackets is an example or a default.
        let mut units = brackets.map(|(inside, _)| inside).filter(|inside| !inside.contains(','));
        match (units.next(), units.next()) {
            (Some(unit), None) => unit,
            _ => "",
        }
    }

    /// What is wrong with a number as this value, if anything; `path` is where it stands.
    pub(crate) fn fault(&self, path: &str, value: f32) -> Option<Fault> {
        let range = self.range.filter(|range| !range.holds(value))?;
        let unit = if self.unit().is_empty() { String::new() } else { format!(" {}", self.unit()) };
        let (least, most) = (figures(range.least), figures(range.most));
        let reason = match value.is_finite() {
            true => format!("{value}{unit} is out of range: it must be from {least} to {most}{unit}"),
            false => format!("{value} is not a finite number"),
        };
        Some(Fault::error(path, reason, format!("write a number from {least} to {most}")))
    }
}

/// A range of numbers, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl Range {
    /// From its ends.
    pub const fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }

    /// Whether a number is in it. Its ends are rounded as the number was.
    pub fn holds(&self, value: f32) -> bool {
        value >= self.least as f32 && value <= self.most as f32
    }
}

/// Into a schema: of a number, or of all the numbers in a vector or a table.
impl Transform for Range {
    fn transform(&mut self, schema: &mut Schema) {
        let kinds = schema.get("type").map(|kind| kind.to_string()).unwrap_or_default();
        if kinds.contains("number") || kinds.contains("integer") {
            for (keyword, limit) in [("minimum", self.least), ("maximum", self.most)] {
                // As people write it: 86400, not 86400.0.
                let whole = limit as i64;
                let limit = if whole as f64 == limit { whole.into() } else { limit.into() };
                schema.insert(keyword.into(), limit);
            }
        } else {
            transform_subschemas(self, schema);
        }
    }
}

/// A limit as people write it: 1e12, not 1000000000000.
pub fn figures(limit: f64) -> String {
    let is_long = limit != 0.0 && !(1e-3..1e7).contains(&limit.abs());
    // Whole numbers that have no round form stay as they are.
    let short = format!("{limit:e}");
    if is_long && short.len() < 6 { short } else { limit.to_string() }
}

/// Whether a value may change during a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Live {
    /// It is the same for a whole run.
    Fixed,
    /// Events and tracks may change it.
    Always,
    /// They may under a condition.
    If(Terms),
}

/// A condition under which values may change, in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The word of the reference for it.
    pub word: &'static str,
    /// What to do where it does not hold.
    pub remedy: &'static str,
    /// Whether the value may jump. If not, tracks may change it and events may not.
    pub jumps: bool,
}

/// A condition under which values of a table may change.
#[derive(Clone, Copy, Debug)]
pub struct Condition<T> {
    /// Whether it holds.
    pub holds: fn(&T) -> bool,
    /// The same in words.
    pub terms: Terms,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_brackets() {
        let unit = |about| Declared { key: "", about, range: None, live: Live::Fixed }.unit();
        assert_eq!(unit("Acceleration [m/s²]. Default [0, -9.81, 0]: y points up."), "m/s²");
        assert_eq!(unit("Turn of a hinge [°] or travel of a slider [m]."), "");
        assert_eq!(unit("Share of light. Default [1, 1, 1]."), "");
    }

    #[test]
    fn limits_are_short() {
        let written = [0.0, 1.5, -20.0, 1e-6, 0.001, 86_400.0, -1e6, 1e12, 4_294_967_295.0].map(figures);
        let short = ["0", "1.5", "-20", "1e-6", "0.001", "86400", "-1000000", "1e12", "4294967295"];
        assert_eq!(written, short);
    }
}
