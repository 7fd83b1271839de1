//! Numbers as people write them: "5cm", "30 rad/s", "1.5 g/cm3" where a number with a unit is expected.
//!
//! A unit is a product of powers of metre, kilogram, second and degree, times a ratio. The ratio is kept as two whole numbers: "5cm" is 5/100,
//! rounded once, just as 0.05 is.

use std::f64::consts::PI;

/// A unit: powers of metre, kilogram, second and degree, and how many of these it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    powers: [i32; 4],
    many: f64,
    of: f64,
}

/// What is wrong with a quantity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    /// It does not begin with a number, or nothing follows that.
    NoQuantity,
    /// There is no such unit.
    Unknown(String),
    /// The unit measures something else.
    Other(String),
}

const NONE: Unit = Unit { powers: [0; 4], many: 1.0, of: 1.0 };

/// Units that take prefixes. The gram is a thousandth of what masses are measured in.
const BASES: [(&str, [i32; 4], f64, f64); 10] = [
    ("m", [1, 0, 0, 0], 1.0, 1.0),
    ("g", [0, 1, 0, 0], 1.0, 1e3),
    ("s", [0, 0, 1, 0], 1.0, 1.0),
    ("N", [1, 1, -2, 0], 1.0, 1.0),
    ("Pa", [-1, 1, -2, 0], 1.0, 1.0),
    ("bar", [-1, 1, -2, 0], 1e5, 1.0),
    ("P", [-1, 1, -1, 0], 1.0, 10.0),
    ("L", [3, 0, 0, 0], 1.0, 1e3),
    ("l", [3, 0, 0, 0], 1.0, 1e3),
    ("Hz", [0, 0, -1, 0], 1.0, 1.0),
];

/// Units that stand alone. Dynes and inches are those of the books.
const WHOLES: [(&str, [i32; 4], f64, f64); 19] = [
    ("min", [0, 0, 1, 0], 60.0, 1.0),
    ("h", [0, 0, 1, 0], 3600.0, 1.0),
    ("t", [0, 1, 0, 0], 1e3, 1.0),
    ("lb", [0, 1, 0, 0], 0.45359237, 1.0),
    ("in", [1, 0, 0, 0], 254.0, 1e4),
    ("inch", [1, 0, 0, 0], 254.0, 1e4),
    ("ft", [1, 0, 0, 0], 3048.0, 1e4),
    ("dyn", [1, 1, -2, 0], 1.0, 1e5),
    ("atm", [-1, 1, -2, 0], 101325.0, 1.0),
    ("psi", [-1, 1, -2, 0], 6894.757293168, 1.0),
    ("°", [0, 0, 0, 1], 1.0, 1.0),
    ("deg", [0, 0, 0, 1], 1.0, 1.0),
    ("rad", [0, 0, 0, 1], 180.0, PI),
    ("turn", [0, 0, 0, 1], 360.0, 1.0),
    ("rev", [0, 0, 0, 1], 360.0, 1.0),
    ("rpm", [0, 0, -1, 1], 6.0, 1.0),
    ("fps", [0, 0, -1, 0], 1.0, 1.0),
    ("mph", [1, 0, -1, 0], 1397.0, 3125.0),
    ("1", [0; 4], 1.0, 1.0),
];

const PREFIXES: [(&str, f64, f64); 10] = [
    ("n", 1.0, 1e9),
    ("µ", 1.0, 1e6),
    ("μ", 1.0, 1e6),
    ("u", 1.0, 1e6),
    ("m", 1.0, 1e3),
    ("c", 1.0, 1e2),
    ("d", 1.0, 10.0),
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
];

impl Unit {
    fn of((_, powers, many, of): (&str, [i32; 4], f64, f64)) -> Self {
        Unit { powers, many, of }
    }

    /// A unit by its symbol, with or without a prefix.
    fn symbol(name: &str) -> Option<Self> {
        let known = |table: &[(&str, [i32; 4], f64, f64)], name: &str| {
            table.iter().find(|entry| entry.0 == name).copied().map(Unit::of)
        };
        known(&WHOLES, name).or_else(|| known(&BASES, name)).or_else(|| {
            PREFIXES.iter().find_map(|(prefix, many, of)| {
                let base = known(&BASES, name.strip_prefix(prefix)?)?;
                Some(Unit { many: base.many * many, of: base.of * of, ..base })
            })
        })
    }

    /// Times another one to a power.
    fn times(self, other: Unit, power: i32) -> Self {
        let (up, down) = if power < 0 { (other.of, other.many) } else { (other.many, other.of) };
        let powers = std::array::from_fn(|i| self.powers[i] + power * other.powers[i]);
        let raised = |x: f64| (0..power.abs()).fold(1.0, |product, _| product * x);
        Unit { powers, many: self.many * raised(up), of: self.of * raised(down) }
    }

    /// Reads "kg/m³", "g/cm3", "Pa·s", "m s^-2". What follows a stroke is below it up to the next sign.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut unit, mut side) = (NONE, 1);
        let mut rest = text.trim();
        if rest.is_empty() {
            return None;
        }
        loop {
            let end = rest.find(['/', '*', '·', '⋅', ' ']).unwrap_or(rest.len());
            let (symbol, power) = power(&rest[..end])?;
            unit = unit.times(Unit::symbol(symbol)?, side * power);
            rest = rest[end..].trim_start();
            let Some(sign) = rest.chars().next() else { return Some(unit) };
            side = if sign == '/' { -1 } else { 1 };
            rest = rest.trim_start_matches(['/', '*', '·', '⋅']).trim_start();
        }
    }
}

/// A symbol and the power that is written after it: m³, m3, m^3, s⁻², s-2.
fn power(factor: &str) -> Option<(&str, i32)> {
    if factor == "1" {
        return Some((factor, 1));
    }
    const HIGH: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];
    let is_power = |c: char| c.is_ascii_digit() || "^+-".contains(c) || HIGH.contains(&c);
    let symbol = factor.trim_end_matches(is_power);
    let plain = |c: char| match HIGH.iter().position(|high| *high == c) {
        Some(10) => '-',
        Some(digit) => char::from(b'0' + digit as u8),
        None => c,
    };
    let digits: String = factor[symbol.len()..].trim_start_matches('^').chars().map(plain).collect();
    let power = if digits.is_empty() && symbol == factor { 1 } else { digits.parse().ok()? };
    (i32::abs(power) <= 9).then_some((symbol, power))
}

/// The unit that a description names: in the first brackets that hold one.
pub(super) fn described(description: &str) -> Vec<&str> {
    let brackets = description.split('[').skip(1).filter_map(|part| part.split_once(']'));
    brackets.map(|(inside, _)| inside).filter(|inside| Unit::parse(inside).is_some()).collect()
}

/// Whether a text is a number with something after it.
pub(super) fn is_quantity(text: &str) -> bool {
    split(text.trim()).is_some()
}

/// The number that a text such as "5 cm" is in a unit.
pub(super) fn quantity(text: &str, wanted: &str) -> Result<f64, Wrong> {
    let text = text.trim();
    let (number, name) = split(text).ok_or(Wrong::NoQuantity)?;
    let unit = Unit::parse(name).ok_or_else(|| Wrong::Unknown(name.into()))?;
    let wanted = Unit::parse(wanted).ok_or_else(|| Wrong::Other(name.into()))?;
    if unit.powers != wanted.powers {
        return Err(Wrong::Other(name.into()));
    }
    Ok(number * (unit.many * wanted.of) / (unit.of * wanted.many))
}

/// The longest number at the beginning of a text, and what follows it. An e belongs to the number where digits follow.
fn split(text: &str) -> Option<(f64, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let longest = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let ends = (1..=longest).rev();
    let number = ends.filter_map(|end| Some((text[..end].parse::<f64>().ok()?, text[end..].trim_start())));
    number.into_iter().next().filter(|(_, rest)| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities_as_people_write_them() {
        for (text, wanted, found) in [
            ("5cm", "m", 0.05),
            ("2 mm", "m", 0.002),
            ("-1.5e-1 km", "m", -150.0),
            ("1 in", "m", 0.0254),
            ("30deg", "°", 30.0),
            ("30°", "°", 30.0),
            ("2 turn", "°", 720.0),
            ("10 rpm", "°/s", 60.0),
            ("1.5 g/cm3", "kg/m³", 1500.0),
            ("1.5 g/cm^3", "kg/m³", 1500.0),
            ("1 kg/L", "kg/m³", 1000.0),
            ("40 mN/m", "N/m", 0.04),
            ("72 dyn/cm", "N/m", 0.072),
            ("10 cP", "Pa·s", 0.01),
            ("10 mPa*s", "Pa·s", 0.01),
            ("3 kPa", "Pa", 3000.0),
            ("9.81 m s^-2", "m/s²", 9.81),
            ("9.81 m/s/s", "m/s²", 9.81),
            ("36 km/h", "m/s", 10.0),
            ("500ms", "s", 0.5),
            ("2 min", "s", 120.0),
            ("24 fps", "1/s", 24.0),
            ("5 Hz", "1/s", 5.0),
            ("100 g", "kg", 0.1),
        ] {
            assert_eq!(quantity(text, wanted), Ok(found), "{text}");
        }
        assert!((quantity("3.141592653589793 rad", "°").unwrap() - 180.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_wrong_is_told_apart() {
        for text in ["", "cm", "5", "-", "1e5", "water"] {
            assert_eq!(quantity(text, "m"), Err(Wrong::NoQuantity), "{text}");
        }
        for (text, name) in [("5 furlongs", "furlongs"), ("5 m/", "m/"), ("5 m^", "m^"), ("5 m^99", "m^99")] {
            assert_eq!(quantity(text, "m"), Err(Wrong::Unknown(name.into())), "{text}");
        }
        for (text, name) in [("5kg", "kg"), ("3 L/s", "L/s"), ("5 m2", "m2"), ("5 °", "°")] {
            assert_eq!(quantity(text, "m"), Err(Wrong::Other(name.into())), "{text}");
        }
    }

    #[test]
    fn descriptions_name_their_units() {
        assert_eq!(described("Gravity [m/s²]. Default [0, -9.81, 0]."), ["m/s²"]);
        assert_eq!(described("Of hinges [°], of sliders [m]."), ["°", "m"]);
        assert!(described("Share of light.").is_empty() && described("Exposure [stops]").is_empty());
    }

    proptest! {
        /// What is written with a unit is the number that is written without, to the bit.
        #[test]
        fn a_unit_changes_no_bit(whole in 0u32..10_000_000, power in 0u32..4) {
            let (prefix, many) = [("m", 3), ("c", 2), ("", 0), ("µ", 6)][power as usize];
            let plain: f64 = format!("{whole}e-{many}").parse().unwrap();
            prop_assert_eq!(quantity(&format!("{whole} {prefix}m"), "m"), Ok(plain));
        }

        /// Whatever is written, there is an answer.
        #[test]
        fn any_text_is_answered(text in "\\PC{0,12}", number in any::<f64>()) {
            let _ = quantity(&text, "m");
            let _ = quantity(&format!("{number}{text}"), "kg/m³");
        }
    }
}
