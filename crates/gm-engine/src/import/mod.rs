//! Reading graphs from files: recognised by content, read and checked outside any transaction,
//! applied in one. With a bad record nothing is imported, unless the caller asked to skip; either
//! way every bad record is reported by its place and the reason.

mod apply;
mod database;
mod graph_json;
mod server_memory;

pub use database::{SeenDatabase, Source, adopt_database, look_at_database, merge_database, read_source};

use gm_model::{Actor, Observation, Properties, Relationship, limits};
use serde::Serialize;
use serde_json::Value;

use crate::export::ExportedEntity;
use crate::graph::Graph;
use crate::{Error, Result};

/// The kinds of files we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportFormat {
    /// `memory.jsonl` of the official memory server, or the same as one array or object.
    ServerMemory,
    /// Our own export, or that of graph-mem 1.0.
    GraphMem,
}

/// How bad records are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Leave bad records out and import the rest.
    pub skip_invalid: bool,
    /// Report, but change nothing.
    pub dry_run: bool,
}

/// How many of a kind of object were new, changed or there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
}

/// One bad record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Line of the file, from 1; for files that are one JSON value, the record's place in its list.
    pub line: u64,
    /// `line`, or the list, such as `relationships`.
    pub place: &'static str,
    pub reason: String,
    /// The record itself, so that it can be saved and mended. Never logged.
    #[serde(skip)]
    pub record: String,
}

/// What an import did or found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportReport {
    pub format: ImportFormat,
    pub entities: Tally,
    pub relationships: Tally,
    pub observations: Tally,
    pub problem_count: u64,
    pub problems: Vec<Problem>,
    /// Whether the graph was changed.
    pub applied: bool,
    /// The transaction by which it was, if anything was new.
    pub transaction: Option<String>,
}

/// A file's content, checked record by record but not yet against a graph.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub entities: Vec<ParsedEntity>,
    pub relationships: Vec<ParsedRelationship>,
    pub problems: Vec<Problem>,
}

#[derive(Debug)]
pub(crate) struct ParsedEntity {
    pub at: Place,
    /// With id and times when the file has them.
    pub stored: Option<ExportedEntity>,
    pub name: String,
    pub entity_type: String,
    pub description: String,
    pub properties: Properties,
    pub observations: Vec<ParsedObservation>,
}

#[derive(Debug)]
pub(crate) struct ParsedObservation {
    pub at: Place,
    pub stored: Option<Observation>,
    pub content: String,
    pub source: String,
}

#[derive(Debug)]
pub(crate) struct ParsedRelationship {
    pub at: Place,
    pub stored: Option<Relationship>,
    pub source: End,
    pub target: End,
    pub relationship_type: String,
    pub weight: f64,
    pub properties: Properties,
}

/// How a file names an end of a relationship.
#[derive(Debug)]
pub(crate) enum End {
    Name(String),
    Id(String),
}

/// Where a record stands, and the record itself for the report.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub list: &'static str,
    pub number: u64,
    pub record: String,
}

impl Place {
    pub(crate) fn problem(&self, reason: impl Into<String>) -> Problem {
        Problem { line: self.number, place: self.list, reason: reason.into(), record: self.record.clone() }
    }
}

/// Imports the text of a file into a graph.
pub fn import(graph: &Graph, actor: &Actor, bytes: &[u8], options: ImportOptions) -> Result<ImportReport> {
    if bytes.len() as u64 > limits::MAX_IMPORT_BYTES {
        return Err(Error::ImportFormat(format!("it is larger than {} MiB", limits::MAX_IMPORT_BYTES >> 20)));
    }
    let (format, parsed) = parse(bytes)?;
    apply::apply(graph, actor, format, parsed, options)
}

fn parse(bytes: &[u8]) -> Result<(ImportFormat, Parsed)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"SQLite format 3\0") {
        return Err(Error::ImportFormat(
            "it is a database; put it into a library as NAME.db, or open it with `--db FILE`: it is migrated in place, after a backup".into(),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::ImportFormat(format!("it is not UTF-8 text (byte {})", error.valid_up_to()))
    })?;
    if text.trim().is_empty() {
        return Err(Error::ImportFormat("it is empty".into()));
    }
    // One JSON value for the whole file, or lines.
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(map)) if map.contains_key("relationships") || map.contains_key("format") => {
            Ok((ImportFormat::GraphMem, graph_json::parse(map)?))
        }
        Ok(Value::Object(map)) if map.contains_key("entities") && !map.contains_key("type") => {
            Ok((ImportFormat::ServerMemory, server_memory::parse_lists(map)?))
        }
        Ok(Value::Array(records)) => Ok((ImportFormat::ServerMemory, server_memory::parse_array(records))),
        Ok(Value::Object(map)) if map.contains_key("type") => {
            Ok((ImportFormat::ServerMemory, server_memory::parse_lines(text)))
        }
        Ok(_) => Err(Error::ImportFormat(
            "it holds none of the forms we read: memory-server JSONL, graph-mem JSON".into(),
        )),
        Err(error) if looks_like_one_value(text) => Err(Error::ImportFormat(format!(
            "its JSON breaks at line {}, column {}",
            error.line(),
            error.column()
        ))),
        Err(_) => Ok((ImportFormat::ServerMemory, server_memory::parse_lines(text))),
    }
}

/// Pretty-printed JSON opens with a brace or bracket alone; JSON lines open with a whole record.
fn looks_like_one_value(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default().trim();
    first == "{"
        || first == "["
        || first.starts_with("[{")
        || first.starts_with("{\"entities\"")
        || first.starts_with("{\"format\"")
        || first.starts_with("{\"version\"")
}

/// A string field of a record, or why there is none.
pub(crate) fn string_field(record: &serde_json::Map<String, Value>, field: &str) -> Result<String, String> {
    match record.get(field) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{field}` must be text")),
        None => Err(format!("`{field}` is missing")),
    }
}

/// As [`string_field`], but absent and null are empty.
pub(crate) fn optional_string(
    record: &serde_json::Map<String, Value>,
    field: &str,
) -> Result<String, String> {
    match record.get(field) {
        None | Some(Value::Null) => Ok(String::new()),
        _ => string_field(record, field),
    }
}
