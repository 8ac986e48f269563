//! The official memory server's file: a JSON object a line, entities by name, no ids or times.
//!
//! `{"type":"entity","name":…,"entityType":…,"observations":[…]}` and
//! `{"type":"relation","from":…,"to":…,"relationType":…}`; also as one array of these, or as one
//! object with the lists `entities` and `relations`.

use serde_json::{Map, Value};

use super::{
    End, Parsed, ParsedEntity, ParsedObservation, ParsedRelationship, Place, optional_string, string_field,
};
use crate::{Error, Result};

/// Lines end at `\n` alone: the server writes other Unicode line ends raw inside its strings.
/// Several objects glued onto one line are all read.
pub(super) fn parse_lines(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    for (i, line) in text.split('\n').enumerate() {
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.is_empty() {
            continue;
        }
        let place = Place { list: "line", number: i as u64 + 1, record: line.to_owned() };
        for value in serde_json::Deserializer::from_str(line).into_iter::<Value>() {
            match value {
                Ok(value) => record(&mut parsed, &place, value),
                Err(error) => {
                    parsed.problems.push(place.problem(json_reason(&error)));
                    break;
                }
            }
        }
    }
    parsed
}

pub(super) fn parse_array(records: Vec<Value>) -> Parsed {
    let mut parsed = Parsed::default();
    for (i, value) in records.into_iter().enumerate() {
        let place = Place { list: "record", number: i as u64 + 1, record: value.to_string() };
        record(&mut parsed, &place, value);
    }
    parsed
}

pub(super) fn parse_lists(mut map: Map<String, Value>) -> Result<Parsed> {
    let mut parsed = Parsed::default();
    for (list, kind) in [("entities", "entity"), ("relations", "relation")] {
        let Some(records) = map.remove(list) else { continue };
        let Value::Array(records) = records else {
            return Err(Error::ImportFormat(format!("its `{list}` is not a list")));
        };
        for (i, value) in records.into_iter().enumerate() {
            let place = Place { list, number: i as u64 + 1, record: value.to_string() };
            match value {
                Value::Object(object) => typed(&mut parsed, &place, kind, &object),
                _ => parsed.problems.push(place.problem("a record must be an object")),
            }
        }
    }
    Ok(parsed)
}

fn record(parsed: &mut Parsed, place: &Place, value: Value) {
    let Value::Object(object) = value else {
        parsed.problems.push(place.problem("a record must be an object"));
        return;
    };
    match object.get("type") {
        Some(Value::String(kind)) => typed(parsed, place, &kind.clone(), &object),
        Some(_) => parsed.problems.push(place.problem("`type` must be text")),
        None => parsed.problems.push(place.problem("`type` is missing")),
    }
}

fn typed(parsed: &mut Parsed, place: &Place, kind: &str, object: &Map<String, Value>) {
    let outcome = match kind {
        "entity" => entity(place, object).map(|entity| parsed.entities.push(entity)),
        "relation" => relation(place, object).map(|relation| parsed.relationships.push(relation)),
        _ => Err("`type` must be `entity` or `relation`".to_owned()),
    };
    if let Err(reason) = outcome {
        parsed.problems.push(place.problem(reason));
    }
}

fn entity(place: &Place, object: &Map<String, Value>) -> Result<ParsedEntity, String> {
    let mut observations = Vec::new();
    match object.get("observations") {
        None | Some(Value::Null) => {}
        Some(Value::Array(items)) => {
            for (i, item) in items.iter().enumerate() {
                let Value::String(content) = item else {
                    return Err(format!("`observations[{i}]` must be text"));
                };
                observations.push(ParsedObservation {
                    at: place.clone(),
                    stored: None,
                    content: content.clone(),
                    source: String::new(),
                });
            }
        }
        Some(_) => return Err("`observations` must be a list".into()),
    }
    Ok(ParsedEntity {
        at: place.clone(),
        stored: None,
        name: string_field(object, "name")?,
        entity_type: string_field(object, "entityType")?,
        description: optional_string(object, "description")?,
        properties: Map::new(),
        observations,
    })
}

fn relation(place: &Place, object: &Map<String, Value>) -> Result<ParsedRelationship, String> {
    Ok(ParsedRelationship {
        at: place.clone(),
        stored: None,
        source: End::Name(string_field(object, "from")?),
        target: End::Name(string_field(object, "to")?),
        relationship_type: string_field(object, "relationType")?,
        weight: 1.0,
        properties: Map::new(),
    })
}

/// Where a line breaks, without repeating what stands there.
fn json_reason(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "it ends in the middle of a value".into();
    }
    format!("it is not JSON (column {})", error.column())
}
