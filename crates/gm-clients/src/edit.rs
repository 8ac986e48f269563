//! Putting an entry into a file of somebody else, and taking it out, with every other byte left as it is:
//! comments, order, indentation, line ends, a byte order mark.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table};

use crate::client::Form;

/// Why a file is left alone.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EditError {
    #[error("it is not text")]
    NotText,
    #[error("it is not valid {form} ({problem})")]
    Syntax { form: &'static str, problem: String },
    #[error("`{key}` in it is not what its documentation says")]
    Shape { key: String },
}

const MARK: &str = "\u{feff}";

/// The text with an entry under a name; what stood there before is replaced.
pub(crate) fn set(form: Form, before: &[u8], name: &str, entry: &Value) -> Result<Vec<u8>, EditError> {
    let (mark, text) = text_of(before)?;
    let after = match form {
        Form::Json(keys) => set_json(text, keys, name, entry)?,
        Form::Toml(table) => with_line_ends_of(text, set_toml(text, table, name, entry)?),
    };
    Ok(format!("{mark}{after}").into_bytes())
}

/// The text without the entry of a name; `None` if there is none.
pub(crate) fn remove(form: Form, before: &[u8], name: &str) -> Result<Option<Vec<u8>>, EditError> {
    let (mark, text) = text_of(before)?;
    let after = match form {
        Form::Json(keys) => remove_json(text, keys, name)?,
        Form::Toml(table) => remove_toml(text, table, name)?.map(|after| with_line_ends_of(text, after)),
    };
    Ok(after.map(|after| format!("{mark}{after}").into_bytes()))
}

/// The entry of a name, if there is one.
pub(crate) fn get(form: Form, text: &[u8], name: &str) -> Result<Option<Value>, EditError> {
    let (_, text) = text_of(text)?;
    match form {
        Form::Json(keys) => {
            let root = parse_json(text)?;
            let Some(object) = root.object_value() else { return Ok(None) };
            let servers = keys.iter().try_fold(object, |object, key| object.object_value(key));
            Ok(servers
                .and_then(|servers| servers.get(name))
                .and_then(|entry| entry.value()?.to_serde_value()))
        }
        Form::Toml(table) => {
            let document = parse_toml(text)?;
            let entry = document.get(table).and_then(|servers| servers.get(name));
            Ok(entry.map(|entry| Value::String(entry.to_string())))
        }
    }
}

fn text_of(bytes: &[u8]) -> Result<(&'static str, &str), EditError> {
    let text = std::str::from_utf8(bytes).map_err(|_| EditError::NotText)?;
    Ok(match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    })
}

fn parse_json(text: &str) -> Result<CstRootNode, EditError> {
    let lenient = ParseOptions::default();
    CstRootNode::parse(text, &lenient)
        .map_err(|error| EditError::Syntax { form: "JSON", problem: place(&error.to_string()) })
}

/// The place of an error, without the text around it.
fn place(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(120).collect()
}

fn shape(key: &str) -> EditError {
    EditError::Shape { key: key.to_owned() }
}

fn set_json(text: &str, keys: &[&str], name: &str, entry: &Value) -> Result<String, EditError> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = parse_json(text)?;
    let mut object: CstObject = root.object_value_or_create().ok_or_else(|| shape("the whole"))?;
    for key in keys {
        object = object.object_value_or_create(key).ok_or_else(|| shape(key))?;
    }
    match object.get(name) {
        Some(known) => known.set_value(input(entry)),
        None => {
            object.append(name, input(entry));
        }
    }
    Ok(root.to_string())
}

fn remove_json(text: &str, keys: &[&str], name: &str) -> Result<Option<String>, EditError> {
    let root = parse_json(text)?;
    let Some(mut object) = root.object_value() else { return Ok(None) };
    for key in keys {
        match object.object_value(key) {
            Some(inner) => object = inner,
            None => return Ok(None),
        }
    }
    let Some(entry) = object.get(name) else { return Ok(None) };
    entry.remove();
    Ok(Some(root.to_string()))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

/// The library writes the line ends of Unix; a file that has Windows' throughout keeps them.
fn with_line_ends_of(before: &str, after: String) -> String {
    let (all, windows) = (before.matches('\n').count(), before.matches("\r\n").count());
    if windows == 0 || windows != all { after } else { after.replace("\r\n", "\n").replace('\n', "\r\n") }
}

fn parse_toml(text: &str) -> Result<DocumentMut, EditError> {
    text.parse::<DocumentMut>()
        .map_err(|error| EditError::Syntax { form: "TOML", problem: place(error.message()) })
}

fn set_toml(text: &str, table: &str, name: &str, entry: &Value) -> Result<String, EditError> {
    let mut document = parse_toml(text)?;
    let servers = document.entry(table).or_insert_with(|| {
        let mut servers = Table::new();
        // `[mcp_servers.graph-mem]` says it all.
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = servers.as_table_like_mut().ok_or_else(|| shape(table))?;
    let Value::Object(fields) = entry else { return Err(shape(name)) };
    let mut made = Table::new();
    for (field, value) in fields {
        made.insert(field, toml_edit::value(toml_value(value)));
    }
    servers.insert(name, Item::Table(made));
    Ok(document.to_string())
}

fn remove_toml(text: &str, table: &str, name: &str) -> Result<Option<String>, EditError> {
    let mut document = parse_toml(text)?;
    let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) else { return Ok(None) };
    Ok(servers.remove(name).map(|_| document.to_string()))
}

fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(toml_value).collect::<toml_edit::Array>().into(),
        Value::Object(map) => {
            let mut table = toml_edit::InlineTable::new();
            for (name, value) in map {
                table.insert(name, toml_value(value));
            }
            table.into()
        }
        Value::Null => "".into(),
    }
}
