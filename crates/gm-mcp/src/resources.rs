//! What agents can read by address: a graph's overview, an entity, and which embedding model is in use.
//!
//! `graphmem://{graph}/overview` and `graphmem://{graph}/entity/{name}` hold what `read_graph` and `get_entity`
//! answer; names are percent-encoded. An address is no more than a way to call those two: rights,
//! limits and the log of what was asked are theirs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    ErrorData, JsonObject, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::server::GraphMemServer;
use crate::tools;

const SCHEME: &str = "graphmem://";
pub(crate) const EMBEDDING: &str = "graphmem://embedding";
pub(crate) const OVERVIEW_TEMPLATE: &str = "graphmem://{graph}/overview";
pub(crate) const ENTITY_TEMPLATE: &str = "graphmem://{graph}/entity/{name}";
const JSON: &str = "application/json";
/// Bytes of an address that are read at all: a name, percent-encoded, and a graph's.
pub(crate) const MAX_URI_BYTES: usize = 8 * 1024;
/// Characters that stand for themselves in an address (RFC 3986, unreserved).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What an address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Embedding,
    Overview { graph: String },
    Entity { graph: String, name: String },
}

impl Place {
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        if uri.len() > MAX_URI_BYTES {
            return None;
        }
        if uri == EMBEDDING {
            return Some(Self::Embedding);
        }
        let rest = uri.strip_prefix(SCHEME)?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(|text| text.into_owned());
        let (graph, rest) = rest.split_once('/')?;
        let graph = decoded(graph).filter(|graph| !graph.is_empty())?;
        if rest == "overview" {
            return Some(Self::Overview { graph });
        }
        let name = decoded(rest.strip_prefix("entity/")?).filter(|name| !name.trim().is_empty())?;
        Some(Self::Entity { graph, name })
    }

    pub(crate) fn graph(&self) -> Option<&str> {
        match self {
            Self::Embedding => None,
            Self::Overview { graph } | Self::Entity { graph, .. } => Some(graph),
        }
    }
}

pub(crate) fn overview_of(graph: &str) -> String {
    format!("{SCHEME}{}/overview", utf8_percent_encode(graph, ENCODED))
}

/// One overview per graph the caller may use, and the embedding model. Entities are too many to be listed:
/// they have a template.
pub(crate) fn list(server: &GraphMemServer, caller: Caller) -> Result<ListResourcesResult, ErrorData> {
    let names = graphs(server, caller)?;
    let mut resources: Vec<Resource> = names
        .iter()
        .map(|name| {
            Resource::new(overview_of(name), format!("{name}/overview"))
                .with_title(format!("Overview of {name}"))
                .with_description("Counts, types, best connected and newest entities of this graph.")
                .with_mime_type(JSON)
        })
        .collect();
    resources.push(
        Resource::new(EMBEDDING, "embedding")
            .with_title("Embedding model")
            .with_description("The model by which search finds meaning: id, revision, dimension, tokens it reads of a text.")
            .with_mime_type(JSON),
    );
    Ok(ListResourcesResult::with_all_items(resources))
}

pub(crate) fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::with_all_items(vec![
        ResourceTemplate::new(ENTITY_TEMPLATE, "entity")
            .with_title("Entity")
            .with_description("An entity by name, with its newest observations and its relationships.")
            .with_mime_type(JSON),
        ResourceTemplate::new(OVERVIEW_TEMPLATE, "overview")
            .with_title("Overview")
            .with_description("Counts, types, best connected and newest entities of a graph.")
            .with_mime_type(JSON),
    ])
}

/// The graphs a caller may use, by name.
pub(crate) fn graphs(server: &GraphMemServer, caller: Caller) -> Result<Vec<String>, ErrorData> {
    let rights = server.rights(&caller)?;
    let mut names = server.library().names().map_err(storage)?;
    if let Some(rights) = rights
        && !rights.graphs.is_empty()
    {
        names.retain(|name| rights.graphs.iter().any(|allowed| allowed.eq_ignore_ascii_case(name)));
    }
    Ok(names)
}

pub(crate) fn read(
    server: &GraphMemServer,
    caller: Caller,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let place = Place::parse(uri).ok_or_else(|| {
        not_found(
            uri,
            &format!("no such resource; there are {OVERVIEW_TEMPLATE}, {ENTITY_TEMPLATE} and {EMBEDDING}"),
        )
    })?;
    let text = text_of(server, caller, &place).map_err(|message| not_found(uri, &message))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
}

/// What stands at a place, or why nothing does.
pub(crate) fn text_of(server: &GraphMemServer, caller: Caller, place: &Place) -> Result<String, String> {
    let (tool, arguments) = match place {
        Place::Embedding => return Ok(embedding(server).to_string()),
        Place::Overview { graph } => ("read_graph", json!({ "graph": graph })),
        Place::Entity { graph, name } => ("get_entity", json!({ "graph": graph, "name": name })),
    };
    let Value::Object(arguments) = arguments else { return Err("no arguments".into()) };
    let arguments: JsonObject = arguments;
    let tool = tools::by_name(tool).ok_or("no such tool")?;
    server.run(tool, caller, arguments).map_err(|failure| {
        let meant = match failure.suggestions.as_slice() {
            [] => String::new(),
            names => format!("; near it: {}", names.join(", ")),
        };
        format!("{}{meant}", failure.message)
    })
}

fn embedding(server: &GraphMemServer) -> Value {
    let embeddings = server.library().embeddings();
    match embeddings.identity() {
        Ok(model) => json!({
            "works": true, "model": model.id, "revision": model.revision, "dimension": model.dimension,
            "max_tokens": model.max_tokens,
        }),
        Err(error) => json!({ "works": false, "reason": error.to_string() }),
    }
}

fn not_found(uri: &str, message: &str) -> ErrorData {
    ErrorData::resource_not_found(message.to_owned(), Some(json!({ "uri": uri })))
}

pub(crate) fn storage(error: gm_engine::Error) -> ErrorData {
    ErrorData::internal_error(crate::failure::Failure::from(error).message, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_back() {
        let entity = |graph: &str, name: &str| Some(Place::Entity { graph: graph.into(), name: name.into() });
        assert_eq!(
            Place::parse("graphmem://default/entity/Ada%20Lovelace"),
            entity("default", "Ada Lovelace")
        );
        assert_eq!(Place::parse("graphmem://notes/entity/a%2Fb%3Fc"), entity("notes", "a/b?c"));
        assert_eq!(Place::parse("graphmem://notes/entity/a/b"), entity("notes", "a/b"));
        assert_eq!(Place::parse(&overview_of("notes")), Some(Place::Overview { graph: "notes".into() }));
        assert_eq!(Place::parse(EMBEDDING), Some(Place::Embedding));
        for wrong in [
            "",
            "graphmem://",
            "graphmem:///overview",
            "graphmem://a/entity/",
            "file:///etc/passwd",
            "graphmem://a/entity/%ff",
        ] {
            assert_eq!(Place::parse(wrong), None, "{wrong}");
        }
    }
}
