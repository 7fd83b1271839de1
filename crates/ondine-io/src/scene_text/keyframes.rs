//! Numbers keyframed in place: `linear = { keys = [[0, 1], [2, 5]] }` becomes a track with the number's path, and the
//! first key's value stands in its place.

use super::document::{Content, Entry, Node, number};
use super::form::{Form, Rule};
use super::limits::Limits;
use super::reading::Reader;
use ondine::scene::Track;
use serde_json::{Value, json};

const EXAMPLE: &str = "write pairs of time [s] and value: keys = [[0, 1], [2, 5]]";

impl Reader {
    /// Reads the keyframes of a number with these limits.
    pub(super) fn keyframes(&mut self, node: &Node, entries: &[Entry], rule: Rule, limits: Limits) -> Value {
        let faults_before = self.reading.faults.len();
        let Form::Table(table) = rule.definition("Keyframes").form() else { return Value::Null };
        self.keyed = self.unit[0].clone();
        let mut track = self.table(node, entries, &table, &Value::Null);
        self.keyed = None;
        if self.reading.faults.len() > faults_before {
            return Value::Null;
        }
        track["path"] = json!(self.path);
        let track: Track = match serde_json::from_value(track) {
            Ok(track) => track,
            Err(error) => return self.fault(&node.place, error.to_string(), EXAMPLE),
        };
        self.check_keys(node, &track, rule, limits);
        let first = track.keys.first().map_or(Value::Null, |key| number(f64::from(key[1])));
        self.reading.tracks.push((track, node.place.clone()));
        first
    }

    fn check_keys(&mut self, node: &Node, track: &Track, rule: Rule, limits: Limits) {
        let Some(keys) = node.get("keys") else { return };
        let Content::Array(pairs) = &keys.content else { return };
        if track.keys.is_empty() {
            self.fault(&keys.place, "there are no keys", EXAMPLE);
        }
        for (i, (pair, key)) in pairs.iter().zip(&track.keys).enumerate() {
            if i > 0 && key[0] <= track.keys[i - 1][0] {
                let reason =
                    format!("time {} is not after the key before it, at {}", key[0], track.keys[i - 1][0]);
                self.fault(&pair.place, reason, "put the keys in increasing order of time");
            }
            self.check(f64::from(key[1]), &pair.place, rule, limits);
        }
    }
}
