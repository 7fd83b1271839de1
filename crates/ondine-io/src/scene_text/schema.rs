//! The JSON Schema of scenes: as the walk uses it, and widened by the shorthands for editors.

use super::units;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// What a scene may hold, straight from the engine's types. The walk through the text follows it.
pub(super) static RULES: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = schemars::schema_for!(ondine::Scene).to_value();
    // A liquid has a default for everything, so that presets can be written as differences; but in a scene it is
    // nothing without a name.
    let liquid = &mut schema["$defs"]["Liquid"];
    liquid["required"] = json!(["name"]);
    liquid["properties"]["name"]["default"].take();
    let mut keyframes = schema["$defs"]["Track"].clone();
    keyframes["description"] = json!("A number that follows a curve.");
    keyframes["required"] = json!(["keys"]);
    if let Some(properties) = keyframes["properties"].as_object_mut() {
        properties.remove("path");
    }
    schema["$defs"]["Keyframes"] = keyframes;
    schema
});

/// Definitions whose numbers cannot be keyframed: they are about time themselves.
const TIMELESS: [&str; 4] = ["Event", "Keyframes", "Track", "Value"];

/// A number and a unit, at first sight.
const QUANTITY: &str = r"^\s*[+-]?[0-9.]+([eE][+-]?[0-9]+)?\s*[^0-9.\s].*$";

/// JSON Schema of the scene format, for editors: it completes keys and underlines faults as one types.
///
/// It allows what [`parse`](super::parse) does: numbers keyframed in place, or written with a unit, single tables for lists of tables, no
/// unknown keys.
pub fn schema() -> Value {
    let mut schema = RULES.clone();
    let definitions = schema["$defs"].take();
    widen(&mut schema, true, false);
    let Value::Object(mut definitions) = definitions else { return schema };
    for (name, definition) in &mut definitions {
        // What an event sets may have any unit.
        widen(definition, !TIMELESS.contains(&name.as_str()), name == "Value");
    }
    schema["title"] = json!("Ondine scene");
    schema["$defs"] = Value::Object(definitions);
    schema
}

/// Widens a schema and everything in it. `measured` is whether what is around it has a unit.
fn widen(schema: &mut Value, keyframed: bool, measured: bool) {
    let Value::Object(keywords) = schema else { return };
    let description = keywords.get("description").and_then(Value::as_str);
    let measured = measured || description.is_some_and(|text| !units::described(text).is_empty());
    drop_null(keywords);
    if let Some(default) = keywords.get_mut("default") {
        shorten(default);
    }
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        properties.values_mut().for_each(|property| widen(property, keyframed, false));
        keywords.insert("additionalProperties".into(), json!(false));
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(alternatives)) = keywords.get_mut(keyword) {
            alternatives.iter_mut().for_each(|alternative| widen(alternative, keyframed, measured));
        }
    }
    if let Some(items) = keywords.get_mut("items") {
        widen(items, keyframed, measured);
    }
    let number = keywords.get("type").is_some_and(|t| t == "number");
    let shorthand = match keywords.get("type").and_then(Value::as_str) {
        Some("number") if keyframed => Some(json!({"$ref": "#/$defs/Keyframes"})),
        Some("array") => keywords.get("items").filter(|items| items.get("$ref").is_some()).cloned(),
        _ => None,
    };
    let quantity = (number && measured).then(|| json!({"type": "string", "pattern": QUANTITY}));
    let others: Vec<Value> = shorthand.into_iter().chain(quantity).collect();
    if !others.is_empty() {
        allow(keywords, others);
    }
}

/// TOML has no null: an optional value is left out.
fn drop_null(keywords: &mut Map<String, Value>) {
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.remove("default");
    }
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            keywords.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(alternatives)) = keywords.get_mut("anyOf") {
        alternatives.retain(|a| a["type"] != "null");
    }
}

/// As people write it: without what is not given, and numbers short. They are f32 in the scene's types: as f64, 0.1 has become 0.10000000149011612.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(entries) => {
            entries.retain(|_, value| !value.is_null());
            entries.values_mut().for_each(shorten);
        }
        Value::Number(x) if x.is_f64() => {
            let short = x.as_f64().and_then(|x| (x as f32).to_string().parse::<f64>().ok());
            *value = json!(short);
        }
        _ => {}
    }
}

/// Allows other forms beside the one that the keywords describe.
fn allow(keywords: &mut Map<String, Value>, others: Vec<Value>) {
    let mut first = std::mem::take(keywords);
    for about in ["description", "default"] {
        if let Some(text) = first.remove(about) {
            keywords.insert(about.into(), text);
        }
    }
    let all = std::iter::once(Value::Object(first)).chain(others).collect();
    keywords.insert("anyOf".into(), Value::Array(all));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_liquid_needs_a_name() {
        assert_eq!(schema()["$defs"]["Liquid"]["required"], json!(["name"]));
    }

    #[test]
    fn numbers_may_be_keyframed_where_time_passes() {
        let schema = schema();
        let keyframes = json!({"$ref": "#/$defs/Keyframes"});
        assert_eq!(schema["$defs"]["Viscosity"]["properties"]["linear"]["anyOf"][1], keyframes);
        assert_eq!(schema["properties"]["gravity"]["items"]["anyOf"][1], keyframes);
        let at = &schema["$defs"]["Event"]["properties"]["at"]["anyOf"];
        assert_eq!((&at[0]["type"], &at[1]["type"]), (&json!("number"), &json!("string")));
        let keys = &schema["$defs"]["Keyframes"]["properties"]["keys"]["items"]["items"]["anyOf"];
        assert_eq!((&keys[0]["type"], &keys[1]["type"]), (&json!("number"), &json!("string")));
        let set = &schema["$defs"]["Value"]["anyOf"][0]["anyOf"];
        assert_eq!((&set[0]["type"], &set[1]["type"]), (&json!("number"), &json!("string")));
    }

    #[test]
    fn a_single_table_may_stand_for_a_list() {
        let schema = schema();
        assert_eq!(schema["properties"]["liquid"]["anyOf"][1], json!({"$ref": "#/$defs/Liquid"}));
        assert_eq!(schema["$defs"]["Liquid"]["properties"]["fill"]["anyOf"][0]["type"], "array");
    }

    #[test]
    fn defaults_are_as_people_write_them() {
        let schema = schema();
        assert_eq!(schema["properties"]["gravity"]["default"], json!([0.0, -9.81, 0.0]));
        assert_eq!(schema["$defs"]["Liquid"]["properties"]["viscosity"]["default"]["linear"], 0.001);
        assert_eq!(schema["properties"]["seed"]["default"], 1);
    }

    #[test]
    fn unknown_keys_and_nulls_are_refused() {
        let schema = schema();
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["$defs"]["Springs"]["additionalProperties"], false);
        assert!(schema["$defs"]["Event"]["properties"]["set"]["additionalProperties"].is_object());
        assert!(!schema.to_string().contains("null"));
    }
}
