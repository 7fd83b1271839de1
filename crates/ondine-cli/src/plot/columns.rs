//! The columns of a ledger: every number in it, by its path.

use ondine_io::bake::LedgerLine;
use serde_json::Value;
use std::collections::BTreeMap;

/// All numbers of a ledger, by their paths, each in order of frames.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Time of each frame [s].
    pub time: Vec<f64>,
    /// The numbers; None where a frame has none.
    pub all: BTreeMap<String, Vec<Option<f64>>>,
}

/// What is no measure, or what all is plotted against.
const LEFT_OUT: [&str; 5] = ["frame", "time", "hash", "name", "kind"];

impl Columns {
    /// Those of the lines of a ledger.
    pub fn of(lines: &[LedgerLine]) -> Self {
        let mut columns = Self::default();
        for (n, line) in lines.iter().enumerate() {
            columns.time.push(line.measured.time);
            let numbers = serde_json::to_value(line).map(|line| numbers(&line)).unwrap_or_default();
            for (path, number) in numbers {
                let column = columns.all.entry(path).or_default();
                column.resize(n, None);
                column.push(Some(number));
            }
        }
        columns.all.values_mut().for_each(|column| column.resize(lines.len(), None));
        columns
    }

    /// The paths that a pattern names: its own, or those that differ only where it has a `*` for a part.
    pub fn named(&self, pattern: &str) -> Vec<&str> {
        let wanted: Vec<&str> = pattern.split('.').collect();
        let is_meant = |path: &&String| {
            let parts: Vec<&str> = path.split('.').collect();
            parts.len() == wanted.len() && parts.iter().zip(&wanted).all(|(part, w)| *w == "*" || part == w)
        };
        self.all.keys().filter(is_meant).map(String::as_str).collect()
    }
}

/// Every number of a line, with its path: systems by kind and name, objects and springs by name, vectors by axis.
fn numbers(line: &Value) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let Some(line) = line.as_object() else { return found };
    for (key, value) in line {
        match (key.as_str(), value) {
            ("systems", Value::Array(all)) => all.iter().for_each(|one| {
                let kind = one["kind"].as_str().unwrap_or("liquid");
                within(&format!("{kind}.{}", name(one)), one, &mut found);
            }),
            ("objects", Value::Array(all)) => {
                all.iter().for_each(|one| within(&format!("object.{}", name(one)), one, &mut found));
            }
            ("springs", Value::Array(all)) => {
                all.iter().for_each(|one| within(&format!("spring.{}", name(one)), one, &mut found));
            }
            (key, value) => number(key, value, &mut found),
        }
    }
    found
}

fn name(one: &Value) -> &str {
    one["name"].as_str().unwrap_or_default()
}

fn within(path: &str, one: &Value, found: &mut Vec<(String, f64)>) {
    for (key, value) in one.as_object().into_iter().flatten().filter(|(k, _)| !LEFT_OUT.contains(&k.as_str()))
    {
        match value {
            Value::Array(parts) => parts.iter().zip(["x", "y", "z", "w"]).for_each(|(part, axis)| {
                found.extend(part.as_f64().map(|x| (format!("{path}.{key}.{axis}"), x)));
            }),
            value => found.extend(value.as_f64().map(|x| (format!("{path}.{key}"), x))),
        }
    }
}

fn number(key: &str, value: &Value, found: &mut Vec<(String, f64)>) {
    if !LEFT_OUT.contains(&key) {
        found.extend(value.as_f64().map(|x| (key.to_string(), x)));
    }
}

/// What a column measures, without who it is of: its key, and its axis.
pub fn measure(path: &str) -> &str {
    let dots: Vec<usize> = path.match_indices('.').map(|(i, _)| i).collect();
    dots.get(1).map_or(path, |dot| &path[dot + 1..])
}

/// The unit of a column; empty for counts and fractions.
pub fn unit(path: &str) -> &'static str {
    let measure = measure(path);
    match measure.split('.').next().unwrap_or(measure) {
        "ms" => "ms",
        "mass" => "kg",
        "volume" => "m³",
        "momentum" | "deferred" => "kg·m/s",
        "angular_momentum" => "kg·m²/s",
        "kinetic_energy" | "potential_energy" | "energy" => "J",
        "max_speed" | "velocity" => "m/s",
        "center" | "at" | "length" => "m",
        "spin" => "rad/s",
        "force" | "tension" => "N",
        "torque" => "N·m",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::{Ledger, ObjectLedger, SystemLedger};

    fn line(frame: u32, systems: Vec<SystemLedger>) -> LedgerLine {
        let object =
            ObjectLedger { name: "block".into(), at: [1.0, 2.0, frame as f64], ..ObjectLedger::default() };
        let measured = Ledger {
            frame,
            time: 0.5 * frame as f64,
            substeps: 4,
            hash: String::new(),
            systems,
            objects: vec![object],
            springs: Vec::new(),
        };
        LedgerLine { measured, ms: 1.5 }
    }

    #[test]
    fn every_number_has_a_path() {
        let water = SystemLedger { name: "water".into(), kinetic_energy: 7.0, ..SystemLedger::default() };
        let columns = Columns::of(&[line(0, vec![]), line(1, vec![water])]);
        assert_eq!(columns.time, [0.0, 0.5]);
        assert_eq!(columns.all["object.block.at.z"], [Some(0.0), Some(1.0)]);
        assert_eq!(columns.all["liquid.water.kinetic_energy"], [None, Some(7.0)]);
        assert_eq!(columns.all["substeps"], [Some(4.0); 2]);
        assert!(columns.all.keys().all(|path| !path.contains("hash") && !path.ends_with("name")));
        assert_eq!(columns.named("*.*.at.y"), ["object.block.at.y"]);
        assert_eq!(columns.named("object.*.at.*").len(), 3);
        assert!(columns.named("at").is_empty());
    }

    #[test]
    fn columns_have_units() {
        assert_eq!(
            (unit("object.block.at.x"), unit("substeps"), unit("liquid.a.momentum.z")),
            ("m", "", "kg·m/s")
        );
        assert_eq!((measure("object.block.at.x"), measure("ms")), ("at.x", "ms"));
    }
}
