//! Numbers: how they are read, and the range that they must keep to.

use super::document::Content;
use serde_json::Value;
use std::fmt;

/// The precision and the range of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Whether the number is stored as an f32. Its limits then hold after rounding, as the engine will see it.
    single: bool,
    minimum: Option<f64>,
    above: Option<f64>,
    maximum: Option<f64>,
}

impl Limits {
    /// From the keywords of a JSON Schema.
    pub fn of(schema: &Value) -> Self {
        let format = schema["format"].as_str();
        let single = format == Some("float");
        let round = |x: f64| if single { f64::from(x as f32) } else { x };
        let limit = |keyword: &str| schema[keyword].as_f64().map(round);
        // The type itself is a limit, though schemars does not write it down.
        let largest = (format == Some("uint32")).then_some(f64::from(u32::MAX));
        let maximum = limit("maximum").or(largest);
        Self { single, minimum: limit("minimum"), above: limit("exclusiveMinimum"), maximum }
    }

    /// The value of a number, rounded to its precision. None for what is no number.
    pub fn value(&self, content: &Content) -> Option<f64> {
        match content {
            Content::Integer(i) if self.single => Some(f64::from(*i as f32)),
            Content::Integer(i) => Some(*i as f64),
            // A whole number too long for 64 bits in a base other than ten is the only text that does not parse.
            Content::Float(literal) if self.single => {
                Some(f64::from(literal.parse::<f32>().unwrap_or(f32::INFINITY)))
            }
            Content::Float(literal) => Some(literal.parse().unwrap_or(f64::INFINITY)),
            _ => None,
        }
    }

    /// A number that was reckoned, rounded to its precision.
    pub fn rounded(&self, x: f64) -> f64 {
        if self.single { f64::from(x as f32) } else { x }
    }

    /// What is wrong with a value.
    pub fn fault(&self, x: f64) -> Option<String> {
        if !x.is_finite() {
            Some("is not a finite number".into())
        } else if self.holds(x) {
            None
        } else {
            Some(format!("must be {self}"))
        }
    }

    fn holds(&self, x: f64) -> bool {
        self.minimum.is_none_or(|limit| x >= limit)
            && self.above.is_none_or(|limit| x > limit)
            && self.maximum.is_none_or(|limit| x <= limit)
    }

    /// A number that keeps to the range.
    pub fn example(&self) -> String {
        let candidates = [Some(1.0), self.minimum, self.maximum].into_iter().flatten();
        self.show(candidates.into_iter().find(|x| self.holds(*x)).unwrap_or(1.0))
    }

    fn show(&self, x: f64) -> String {
        if self.single { (x as f32).to_string() } else { x.to_string() }
    }
}

/// The range in words: "above 0 and at most 1000".
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [("at least", self.minimum), ("above", self.above), ("at most", self.maximum)];
        let words =
            words.into_iter().filter_map(|(word, limit)| Some(format!("{word} {}", self.show(limit?))));
        f.write_str(&words.collect::<Vec<_>>().join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_hold_after_rounding() {
        let limits = Limits::of(&json!({"format": "float", "exclusiveMinimum": 0, "maximum": 0.9}));
        let fault = |literal: &str| limits.fault(limits.value(&Content::Float(literal.into())).unwrap());
        assert_eq!(fault("0.9"), None);
        assert_eq!(fault("0.91").unwrap(), "must be above 0 and at most 0.9");
        // Too small for an f32: it would be 0.
        assert_eq!(fault("1e-60").unwrap(), "must be above 0 and at most 0.9");
        for endless in ["nan", "inf", "-inf", "1e39"] {
            assert_eq!(fault(endless).unwrap(), "is not a finite number");
        }
    }

    #[test]
    fn the_type_is_a_limit() {
        let limits = Limits::of(&json!({"format": "uint32", "minimum": 0}));
        assert_eq!(limits.fault(4294967295.0), None);
        assert_eq!(limits.fault(4294967296.0).unwrap(), "must be at least 0 and at most 4294967295");
    }

    #[test]
    fn examples_keep_to_the_range() {
        assert_eq!(Limits::of(&json!({"minimum": 1.5, "maximum": 4})).example(), "1.5");
        assert_eq!(Limits::of(&json!({"exclusiveMinimum": 0})).example(), "1");
    }
}
