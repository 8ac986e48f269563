//! Completions of what a person types into an address or a prompt: names of graphs and of entities.

use gm_model::text::fold_key;
use gm_store::entities;
use rmcp::model::{CompleteRequestParams, CompletionInfo, ErrorData, Reference};

use crate::caller::Caller;
use crate::server::GraphMemServer;
use crate::{prompts, resources};

const MAX_VALUES: usize = CompletionInfo::MAX_VALUES;

pub(crate) fn complete(
    server: &GraphMemServer,
    caller: Caller,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let (argument, begun) = (request.argument.name.as_str(), request.argument.value.as_str());
    let known: Vec<&str> = match &request.r#ref {
        Reference::Resource(resource) if resource.uri == resources::OVERVIEW_TEMPLATE => vec!["graph"],
        Reference::Resource(resource) if resource.uri == resources::ENTITY_TEMPLATE => vec!["graph", "name"],
        Reference::Prompt(prompt) => prompts::arguments_of(&prompt.name)
            .ok_or_else(|| ErrorData::invalid_params("`ref.name` is no prompt of this server", None))?,
        _ => return Err(ErrorData::invalid_params("`ref` is no template or prompt of this server", None)),
    };
    if !known.contains(&argument) {
        let message = format!("`argument.name` must be one of {}", known.join(", "));
        return Err(ErrorData::invalid_params(message, None));
    }
    let mut values = match argument {
        "graph" => {
            let begun = begun.to_lowercase();
            let mut names = resources::graphs(server, caller)?;
            names.retain(|name| name.to_lowercase().starts_with(&begun));
            names
        }
        "name" => {
            let given = request.context.as_ref().and_then(|context| context.arguments.as_ref());
            let graph = given.and_then(|given| given.get("graph")).map(String::as_str);
            entity_names(server, caller, graph, begun)?
        }
        // Free text.
        _ => Vec::new(),
    };
    let has_more = values.len() > MAX_VALUES;
    values.truncate(MAX_VALUES);
    CompletionInfo::with_pagination(values, None, has_more)
        .map_err(|message| ErrorData::internal_error(message, None))
}

fn entity_names(
    server: &GraphMemServer,
    caller: Caller,
    graph: Option<&str>,
    begun: &str,
) -> Result<Vec<String>, ErrorData> {
    let graph = graph.unwrap_or(gm_engine::library::DEFAULT_GRAPH);
    let allowed = resources::graphs(server, caller)?;
    // What is not there, or not for this caller, has no names.
    let Some(name) = allowed.into_iter().find(|name| name.eq_ignore_ascii_case(graph)) else {
        return Ok(Vec::new());
    };
    let graph = server.library().graph(&name).map_err(resources::storage)?;
    let key = fold_key(begun);
    let names = graph.read(|tx| Ok(entities::names_by_key_prefix(tx, &key, MAX_VALUES as u32 + 1)?));
    names.map_err(resources::storage)
}
