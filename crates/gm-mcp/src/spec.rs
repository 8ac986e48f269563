//! How a tool describes itself, and the JSON schemas made from that.
//!
//! Schemas stay plain for strict clients: no `$ref`, no nullable unions, `items` on every array,
//! bounds stated.

use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;

/// One tool.
pub(crate) struct ToolSpec {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub fields: &'static [Field],
    /// JSON schema of the result; `graph` is added to it and to every result.
    pub output: fn() -> Value,
    pub effect: Effect,
    pub run: fn(&Call<'_>, Value) -> Result<Answer, Failure>,
}

/// What a tool may do, for annotations and rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Read,
    /// Adds or changes; the same call again changes nothing more.
    Write,
    Delete,
    /// Changes only where the caller's own calls go.
    Session,
}

pub(crate) struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub description: &'static str,
}

/// What a field holds.
pub(crate) enum Kind {
    Text {
        max_chars: usize,
    },
    /// Out of range is clamped, as the contract says.
    Integer {
        min: i64,
        max: i64,
        default: i64,
    },
    Number {
        min: f64,
        max: f64,
    },
    Boolean,
    /// One of some words; the first is the default.
    Choice(&'static [&'static str]),
    /// Free key-value pairs.
    Object,
    Texts {
        max_items: usize,
    },
    /// As `Texts`, but may be empty.
    AnyTexts {
        max_items: usize,
    },
    Records {
        fields: &'static [Field],
        max_items: usize,
    },
}

pub(crate) const fn required(name: &'static str, kind: Kind, description: &'static str) -> Field {
    Field { name, kind, required: true, description }
}

pub(crate) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Field {
    Field { name, kind, required: false, description }
}

impl ToolSpec {
    pub(crate) fn input_schema(&self) -> Map<String, Value> {
        let mut schema = record_schema(self.fields);
        let graph = field_schema(&GRAPH);
        let properties = schema["properties"].as_object_mut().expect("a record schema has properties");
        properties.insert("graph".into(), graph);
        as_map(schema)
    }

    pub(crate) fn output_schema(&self) -> Map<String, Value> {
        let mut schema = (self.output)();
        schema["properties"]["graph"] = text();
        schema["required"]
            .as_array_mut()
            .expect("an output schema lists what it requires")
            .push("graph".into());
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.values_mut().for_each(drop_required);
        }
        as_map(schema)
    }
}

/// What inner objects always have need not be said in a list of tools that models read.
fn drop_required(schema: &mut Value) {
    if let Value::Object(map) = schema {
        // A property may be called `required`; the keyword is a list.
        if map.get("required").is_some_and(Value::is_array) {
            map.remove("required");
        }
        map.values_mut().for_each(drop_required);
    }
}

/// The argument every tool takes.
pub(crate) const GRAPH: Field = optional(
    "graph",
    Kind::Text { max_chars: gm_model::limits::MAX_GRAPH_NAME_LENGTH },
    "Graph; else your active one.",
);

fn record_schema(fields: &[Field]) -> Value {
    let mut properties = Map::new();
    for field in fields {
        properties.insert(field.name.into(), field_schema(field));
    }
    let required: Vec<&str> = fields.iter().filter(|f| f.required).map(|f| f.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn field_schema(field: &Field) -> Value {
    let mut schema = match &field.kind {
        Kind::Text { max_chars } => json!({ "type": "string", "maxLength": max_chars }),
        Kind::Integer { min, max, default } => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
        }
        Kind::Number { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words, "default": words[0] }),
        Kind::Object => json!({ "type": "object", "additionalProperties": true }),
        Kind::Texts { max_items } | Kind::AnyTexts { max_items } => {
            json!({ "type": "array", "items": { "type": "string" }, "maxItems": max_items })
        }
        Kind::Records { fields, max_items } => {
            json!({ "type": "array", "items": record_schema(fields), "maxItems": max_items })
        }
    };
    schema["description"] = json!(field.description);
    schema
}

/// An object schema whose properties are all required.
pub(crate) fn object(properties: Value) -> Value {
    let required: Vec<String> =
        properties.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// An object schema with some properties that may be absent.
pub(crate) fn object_with(properties: Value, absent: &[&str]) -> Value {
    let mut schema = object(properties);
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|name| !absent.iter().any(|a| name == a));
    }
    schema
}

pub(crate) fn list_of(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

pub(crate) fn integer() -> Value {
    json!({ "type": "integer" })
}

pub(crate) fn number() -> Value {
    json!({ "type": "number" })
}

pub(crate) fn boolean() -> Value {
    json!({ "type": "boolean" })
}

fn as_map(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
