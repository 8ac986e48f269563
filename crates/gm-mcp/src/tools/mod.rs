//! The tools, by what they do.

mod change;
mod follow;
mod graphs;
mod read;
mod shapes;
mod upkeep;
mod write;

use crate::arguments::nearest;
use crate::spec::ToolSpec;

/// Every tool, in the order agents see them.
pub(crate) static ALL: &[&ToolSpec] = &[
    &read::SEARCH_NODES,
    &upkeep::SEARCH_OBSERVATIONS,
    &read::GET_ENTITY,
    &follow::FIND_CONNECTIONS,
    &follow::FIND_PATHS,
    &follow::GET_SUBGRAPH,
    &read::LIST_ENTITIES,
    &follow::LIST_RELATIONSHIPS,
    &read::READ_GRAPH,
    &write::ADD_ENTITIES,
    &write::ADD_RELATIONSHIPS,
    &write::ADD_OBSERVATIONS,
    &change::UPDATE_ENTITY,
    &change::UPDATE_RELATIONSHIP,
    &change::UPDATE_OBSERVATION,
    &write::DELETE_ENTITIES,
    &change::DELETE_RELATIONSHIPS,
    &change::DELETE_OBSERVATIONS,
    &change::MERGE_ENTITIES,
    &upkeep::GRAPH_HEALTH,
    &upkeep::AUDIT_GRAPH,
    &change::COMPACT_OBSERVATIONS,
    &upkeep::SUGGEST_CONNECTIONS,
    &graphs::LIST_GRAPHS,
    &graphs::CREATE_GRAPH,
    &graphs::SWITCH_GRAPH,
    &graphs::DELETE_GRAPH,
    &graphs::OPEN_DASHBOARD,
];

/// Enough to remember and to find, and no two for one purpose: for models that choose badly among many.
const CORE: &[&str] = &[
    "search_nodes",
    "get_entity",
    "find_connections",
    "find_paths",
    "read_graph",
    "add_entities",
    "add_relationships",
    "add_observations",
    "update_entity",
    "delete_entities",
    "merge_entities",
];

/// What the official memory server calls its tools, and ours for the same purpose.
const ELSEWHERE: &[(&str, &str)] = &[
    ("create_entities", "add_entities"),
    ("create_relations", "add_relationships"),
    ("delete_relations", "delete_relationships"),
    ("open_nodes", "get_entity"),
];

/// The tool that was most likely meant by a name that none has.
pub(crate) fn meant(name: &str, set: ToolSet) -> Option<&'static str> {
    let elsewhere = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
    elsewhere.filter(|ours| set.has(ours)).or_else(|| nearest(name, set.tools().map(|tool| tool.name)))
}

/// Which tools a client is shown and may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolSet(u32);

impl Default for ToolSet {
    fn default() -> Self {
        Self::ALL
    }
}

impl ToolSet {
    pub const ALL: Self = Self(u32::MAX);

    /// Of `all`, `core` (a dozen at most, for clients that choose badly among many), or names with commas
    /// between. Fails with what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(|name| name.trim().to_ascii_lowercase());
        let set =
            names.filter(|name| !name.is_empty()).try_fold(Self(0), |set, name| match name.as_str() {
                "all" => Ok(Self::ALL),
                "core" => CORE.iter().try_fold(set, |set, name| set.and(name)),
                name => set.and(name),
            })?;
        if set.0 == 0 { Err("names no tool; say `all`, `core` or some names".into()) } else { Ok(set) }
    }

    fn and(self, name: &str) -> Result<Self, String> {
        let place = ALL.iter().position(|tool| tool.name == name).ok_or_else(|| {
            let meant = meant(name, Self::ALL).map(|near| format!("; did you mean `{near}`?"));
            format!("knows no tool `{name}`{}", meant.unwrap_or_default())
        })?;
        Ok(Self(self.0 | 1 << place))
    }

    pub(crate) fn tools(self) -> impl Iterator<Item = &'static ToolSpec> {
        ALL.iter().copied().filter(move |tool| self.has(tool.name))
    }

    pub(crate) fn has(self, tool: &str) -> bool {
        ALL.iter().position(|known| known.name == tool).is_some_and(|place| self.0 & (1 << place) != 0)
    }
}

pub(crate) fn by_name(name: &str) -> Option<&'static ToolSpec> {
    ALL.iter().copied().find(|tool| tool.name == name)
}

/// Reads checked arguments into a tool's own struct.
fn read_arguments<T: serde::de::DeserializeOwned>(arguments: serde_json::Value) -> T {
    serde_json::from_value(arguments).expect("arguments were checked against the same fields")
}
