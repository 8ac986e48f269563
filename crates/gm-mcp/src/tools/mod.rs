//! The tools, by what they do.

mod graphs;
mod read;
mod shapes;
mod write;

use crate::spec::ToolSpec;

/// Every tool, in the order agents see them.
pub(crate) static ALL: &[&ToolSpec] = &[
    &read::SEARCH_NODES,
    &read::GET_ENTITY,
    &read::LIST_ENTITIES,
    &read::READ_GRAPH,
    &write::ADD_ENTITIES,
    &write::ADD_RELATIONSHIPS,
    &write::ADD_OBSERVATIONS,
    &write::DELETE_ENTITIES,
    &graphs::LIST_GRAPHS,
    &graphs::CREATE_GRAPH,
    &graphs::SWITCH_GRAPH,
];

pub(crate) fn by_name(name: &str) -> Option<&'static ToolSpec> {
    ALL.iter().copied().find(|tool| tool.name == name)
}

/// Reads checked arguments into a tool's own struct.
fn read_arguments<T: serde::de::DeserializeOwned>(arguments: serde_json::Value) -> T {
    serde_json::from_value(arguments).expect("arguments were checked against the same fields")
}
