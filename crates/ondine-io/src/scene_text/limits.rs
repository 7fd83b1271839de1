//! Numbers: how they are read, and the range that they must keep to.

use super::document::Content;
use ondine::scene::figures;
use serde_json::Value;
use std::fmt;

/// The precision and the range of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Whether the number is stored as an f32. Its limits then hold after rounding, as the engine will see it.
    pub single: bool,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
}

impl Limits {
    /// From the keywords of a JSON Schema.
    pub fn of(schema: &Value) -> Self {
        let single = schema["format"] == "float";
        let limit = |keyword: &str| schema[keyword].as_f64();
        Self { single, minimum: limit("minimum"), maximum: limit("maximum") }
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
        self.minimum.is_none_or(|limit| x >= self.rounded(limit))
            && self.maximum.is_none_or(|limit| x <= self.rounded(limit))
    }

    /// A number that keeps to the range.
    pub fn example(&self) -> String {
        let candidates = [Some(1.0), self.minimum, self.maximum].into_iter().flatten();
        figures(candidates.into_iter().find(|x| self.holds(*x)).unwrap_or(1.0))
    }
}

/// The range in words: "at least 1 and at most 1000".
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [("at least", self.minimum), ("at most", self.maximum)];
        let words = words.into_iter().filter_map(|(word, limit)| Some(format!("{word} {}", figures(limit?))));
        f.write_str(&words.collect::<Vec<_>>().join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_hold_after_rounding() {
        let limits = Limits::of(&json!({"format": "float", "minimum": 1e-6, "maximum": 0.9}));
        let fault = |literal: &str| limits.fault(limits.value(&Content::Float(literal.into())).unwrap());
        assert_eq!((fault("0.9"), fault("1e-6")), (None, None));
        assert_eq!(fault("0.91").unwrap(), "must be at least 1e-6 and at most 0.9");
        // Too small for an f32: it would be 0.
        assert_eq!(fault("1e-60").unwrap(), "must be at least 1e-6 and at most 0.9");
        for endless in ["nan", "inf", "-inf", "1e39"] {
            assert_eq!(fault(endless).unwrap(), "is not a finite number");
        }
    }

    #[test]
    fn examples_keep_to_the_range() {
        assert_eq!(Limits::of(&json!({"minimum": 1.5, "maximum": 4})).example(), "1.5");
        assert_eq!(Limits::of(&json!({"minimum": 1e-6})).example(), "1");
    }
}
