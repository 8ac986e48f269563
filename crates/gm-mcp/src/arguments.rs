//! The check every call's arguments pass: known keys, right types, bounds. Numbers sent as
//! strings and lists sent as JSON text are taken for what they say; null counts as absent, and so does
//! an empty list that need not be there.

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::spec::{Field, GRAPH, Kind};

/// Checks arguments against a tool's fields; the result holds only known, well-typed values with
/// defaults filled in. `graph` is taken out and returned beside it.
pub(crate) fn check(
    fields: &[Field],
    arguments: Map<String, Value>,
) -> Result<(Value, Option<String>), Failure> {
    let mut arguments = arguments;
    let graph = match arguments.shift_remove(GRAPH.name) {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return Err(Failure::argument(GRAPH.name, "must be text")),
    };
    Ok((Value::Object(record("", fields, arguments)?), graph))
}

fn record(
    path: &str,
    fields: &[Field],
    mut given: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    // First: a name that is spelled otherwise explains what is missing.
    if let Some(unknown) = given.keys().find(|key| fields.iter().all(|field| field.name != *key)) {
        return Err(unknown_key(path, unknown, fields));
    }
    let mut checked = Map::new();
    for field in fields {
        let path = join(path, field.name);
        let value = given.shift_remove(field.name);
        match value.filter(|value| !value.is_null() && (field.required || !is_empty_list(&field.kind, value)))
        {
            None => {
                if let Kind::Integer { default, .. } = field.kind {
                    checked.insert(field.name.into(), default.into());
                } else if let Kind::Choice(words) = field.kind {
                    checked.insert(field.name.into(), words[0].into());
                } else if field.required {
                    return Err(Failure::argument(&path, format!("is missing: {}", expected(&field.kind))));
                }
            }
            Some(value) => {
                checked.insert(field.name.into(), value_of(&path, &field.kind, value)?);
            }
        }
    }
    Ok(checked)
}

fn unknown_key(path: &str, key: &str, fields: &[Field]) -> Failure {
    let key: String = key.chars().take(MAX_ECHOED_KEY).collect();
    let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let mut failure =
        Failure::argument(&join(path, &key), format!("is not an argument here; known: {}", known.join(", ")));
    failure.suggestions.extend(nearest(&key, known.into_iter()).map(str::to_owned));
    failure
}

/// Likeness (Jaro and Winkler, 0 to 1) from which a word may be another spelling of one we know.
const ALIKE: f64 = 0.8;

/// The word that was most likely meant, if one is near: case and separators do not count.
pub(crate) fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| -> String {
        word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let given = plain(given);
    let near = known.map(|word| (strsim::jaro_winkler(&given, &plain(word)), word));
    near.filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, word)| word)
}

/// Characters of an unknown key that are told back.
const MAX_ECHOED_KEY: usize = 64;

fn value_of(path: &str, kind: &Kind, value: Value) -> Result<Value, Failure> {
    let wrong = || Failure::argument(path, format!("must be {}", expected(kind)));
    match kind {
        Kind::Text { .. } => match value {
            Value::String(_) => Ok(value),
            _ => Err(wrong()),
        },
        Kind::Boolean => match value {
            Value::Bool(_) => Ok(value),
            Value::String(text) if text == "true" || text == "false" => Ok(Value::Bool(text == "true")),
            _ => Err(wrong()),
        },
        Kind::Choice(words) => match value {
            Value::String(text) if words.contains(&text.as_str()) => Ok(Value::String(text)),
            _ => Err(wrong()),
        },
        Kind::Integer { min, max, .. } => {
            let number = number_of(&value).ok_or_else(wrong)?;
            if number.fract() != 0.0 {
                return Err(wrong());
            }
            Ok(Value::from(number.clamp(*min as f64, *max as f64) as i64))
        }
        Kind::Number { min, max } => {
            let number =
                number_of(&value).filter(|number| (*min..=*max).contains(number)).ok_or_else(wrong)?;
            Ok(serde_json::Number::from_f64(number).map(Value::Number).ok_or_else(wrong)?)
        }
        Kind::Object => match parsed_if_text(value) {
            Value::Object(map) => Ok(Value::Object(map)),
            _ => Err(wrong()),
        },
        Kind::AnyTexts { .. } if matches!(&value, Value::Array(items) if items.is_empty()) => Ok(value),
        Kind::Texts { max_items } | Kind::AnyTexts { max_items } => {
            let items = items_of(path, kind, value, *max_items)?;
            if let Some(i) = items.iter().position(|item| !item.is_string()) {
                return Err(Failure::argument(&format!("{path}[{i}]"), "must be text"));
            }
            Ok(Value::Array(items))
        }
        Kind::Records { fields, max_items } => {
            let items = items_of(path, kind, value, *max_items)?;
            let mut checked = Vec::with_capacity(items.len());
            for (i, item) in items.into_iter().enumerate() {
                let path = format!("{path}[{i}]");
                let Value::Object(map) = parsed_if_text(item) else {
                    return Err(Failure::argument(&path, "must be an object"));
                };
                checked.push(Value::Object(record(&path, fields, map)?));
            }
            Ok(Value::Array(checked))
        }
    }
}

fn is_empty_list(kind: &Kind, value: &Value) -> bool {
    let is_list = matches!(kind, Kind::Texts { .. } | Kind::AnyTexts { .. } | Kind::Records { .. });
    is_list
        && match value {
            Value::Array(items) => items.is_empty(),
            Value::String(text) => text.trim() == "[]",
            _ => false,
        }
}

fn items_of(path: &str, kind: &Kind, value: Value, max_items: usize) -> Result<Vec<Value>, Failure> {
    let Value::Array(items) = parsed_if_text(value) else {
        return Err(Failure::argument(path, format!("must be {}", expected(kind))));
    };
    if items.is_empty() {
        return Err(Failure::argument(path, "is empty; give at least one item"));
    }
    if items.len() > max_items {
        return Err(Failure::argument(
            path,
            format!("has {} items; send at most {max_items} in one call", items.len()),
        ));
    }
    Ok(items)
}

/// Several clients send lists and objects as JSON text.
fn parsed_if_text(value: Value) -> Value {
    match &value {
        Value::String(text) if text.trim_start().starts_with(['[', '{']) => {
            serde_json::from_str(text).unwrap_or(value)
        }
        _ => value,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number| number.is_finite())
}

fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Text { .. } => "text".into(),
        Kind::Boolean => "true or false".into(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
        Kind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
        Kind::Number { min, max } => format!("a number from {min} to {max}"),
        Kind::Object => "an object of key-value pairs".into(),
        Kind::Texts { .. } | Kind::AnyTexts { .. } => "a list of texts".into(),
        Kind::Records { .. } => "a list of objects".into(),
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{optional, required};
    use serde_json::json;

    const FIELDS: &[Field] = &[
        required("names", Kind::Texts { max_items: 3 }, ""),
        optional("limit", Kind::Integer { min: 1, max: 100, default: 5 }, ""),
        optional("weight", Kind::Number { min: 0.0, max: 1.0 }, ""),
        optional(
            "items",
            Kind::Records { fields: &[required("name", Kind::Text { max_chars: 9 }, "")], max_items: 2 },
            "",
        ),
    ];

    fn run(arguments: Value) -> Result<Value, String> {
        let Value::Object(map) = arguments else { panic!("arguments are an object") };
        check(FIELDS, map).map(|(value, _)| value).map_err(|failure| failure.message)
    }

    #[test]
    fn numbers_in_text_and_lists_in_text_are_taken() {
        let checked = run(json!({ "names": "[\"a\"]", "limit": "10", "weight": "0.5" })).unwrap();
        assert_eq!(checked, json!({ "names": ["a"], "limit": 10, "weight": 0.5 }));
    }

    #[test]
    fn limits_are_clamped_and_null_is_absent() {
        for (given, used) in [(json!(0), 1), (json!(-1), 1), (json!(1_000_000_000u64), 100), (Value::Null, 5)]
        {
            assert_eq!(run(json!({ "names": ["a"], "limit": given })).unwrap()["limit"], used);
        }
    }

    #[test]
    fn every_kind_takes_what_says_the_same() {
        const KINDS: &[Field] = &[
            required("keep", Kind::AnyTexts { max_items: 2 }, ""),
            optional("deep", Kind::Boolean, ""),
            optional("way", Kind::Choice(&["both", "out"]), ""),
            optional("facts", Kind::Object, ""),
        ];
        let run = |mut arguments: Value| {
            arguments["keep"] = arguments.get("keep").cloned().unwrap_or(json!([]));
            let Value::Object(map) = arguments else { panic!("arguments are an object") };
            check(KINDS, map).map(|(value, _)| value).map_err(|failure| failure.message)
        };
        assert_eq!(run(json!({})).unwrap(), json!({ "keep": [], "way": "both" }));
        for (given, taken) in [(json!(["a"]), json!(["a"])), (json!("[\"a\"]"), json!(["a"]))] {
            assert_eq!(run(json!({ "keep": given })).unwrap()["keep"], taken);
        }
        for (given, taken) in
            [(json!(true), true), (json!(false), false), (json!("true"), true), (json!("false"), false)]
        {
            assert_eq!(run(json!({ "deep": given })).unwrap()["deep"], taken);
        }
        assert_eq!(run(json!({ "way": "out" })).unwrap()["way"], "out");
        for given in [json!({ "a": 1 }), json!("{\"a\": 1}")] {
            assert_eq!(run(json!({ "facts": given })).unwrap()["facts"], json!({ "a": 1 }));
        }
        for wrong in [
            json!({ "keep": ["a", "b", "c"] }),
            json!({ "keep": "a" }),
            json!({ "deep": "yes" }),
            json!({ "deep": 1 }),
            json!({ "way": "up" }),
            json!({ "facts": [1] }),
            json!({ "facts": "a" }),
        ] {
            assert!(run(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_empty_list_is_absent_where_it_may_be() {
        for empty in [json!([]), json!("[]"), Value::Null] {
            let checked = run(json!({ "names": ["a"], "items": empty })).unwrap();
            assert_eq!(checked, json!({ "names": ["a"], "limit": 5 }));
        }
        assert!(run(json!({ "names": [] })).unwrap_err().starts_with("`names` is empty"));
    }

    #[test]
    fn the_word_that_was_meant_is_told() {
        let known = ["entity_type", "name", "entity_names", "relationship_types"];
        for (given, meant) in [
            ("entityType", Some("entity_type")),
            ("type_of_entity", None),
            ("Name", Some("name")),
            ("entity-names", Some("entity_names")),
            ("relationship_type", Some("relationship_types")),
            ("x", None),
        ] {
            assert_eq!(nearest(given, known.into_iter()), meant, "{given}");
        }
    }

    #[test]
    fn errors_name_the_field_and_what_was_expected() {
        for (arguments, field) in [
            (json!({}), "`names` is missing"),
            (json!({ "names": "a" }), "`names` must be a list of texts"),
            (json!({ "names": [1] }), "`names[0]` must be text"),
            (json!({ "names": ["a"], "limit": 1.5 }), "`limit` must be a whole number"),
            (json!({ "names": ["a"], "limit": "ten" }), "`limit` must be a whole number"),
            (json!({ "names": ["a"], "weight": true }), "`weight` must be a number"),
            (json!({ "names": ["a"], "top_k": 3 }), "`top_k` is not an argument here"),
            (json!({ "Names": ["a"] }), "`Names` is not an argument here"),
            (
                json!({ "names": ["a"], "items": [{ "name": "n" }, { "nam": "n" }] }),
                "`items[1].nam` is not an argument here; known: name",
            ),
            (
                json!({ "names": ["a"], "items": [{ "name": "n", "x": 1 }] }),
                "`items[0].x` is not an argument",
            ),
            (json!({ "names": ["a", "b", "c", "d"] }), "`names` has 4 items"),
            (json!({ "names": "[broken" }), "`names` must be a list of texts"),
        ] {
            let message = run(arguments).unwrap_err();
            assert!(message.starts_with(field), "{message}");
        }
    }
}
