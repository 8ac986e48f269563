//! Every bound of the product, by name. A value that was cut by one of these says so.

/// Characters of an entity's name.
pub const MAX_NAME_CHARS: usize = 512;
/// Characters of an entity type or relationship type.
pub const MAX_TYPE_CHARS: usize = 128;
/// Bytes of one description or one observation.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Bytes of one object's properties, written as JSON.
pub const MAX_PROPERTIES_BYTES: usize = 256 * 1024;
/// Levels of lists and objects inside one object's properties.
pub const MAX_PROPERTIES_DEPTH: usize = 32;
/// Characters of an id in a file; ours have 26.
pub const MAX_ID_CHARS: usize = 64;
/// Characters of an observation's source.
pub const MAX_SOURCE_CHARS: usize = 512;
/// Items in one batch of a tool call.
pub const MAX_BATCH_ITEMS: usize = 1_000;
/// Bytes of one HTTP request body, and of one line on stdio.
pub const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of a file that is read for import.
pub const MAX_IMPORT_BYTES: u64 = 512 * 1024 * 1024;

/// The same for a person, who asks for more by and by.
pub const MAX_SHOWN_NESTED_ITEMS: u32 = 20_000;

/// Rows of one listing.
pub const MAX_LIST_LIMIT: u32 = 500;
/// Rows of one search.
pub const MAX_SEARCH_LIMIT: u32 = 100;
/// Observations or relationships nested in one entity's answer.
pub const MAX_NESTED_ITEMS: u32 = 50;
/// Furthest offset of a listing.
pub const MAX_OFFSET: u32 = 1_000_000;
/// Characters of a graph's name.
pub const MAX_GRAPH_NAME_LENGTH: usize = 64;
/// Characters of an agent's name.
pub const MAX_AGENT_NAME_LENGTH: usize = 64;
/// Words of a query that take part in a search; later ones are ignored.
pub const MAX_QUERY_TERMS: usize = 64;
/// Characters of a query that are read.
pub const MAX_QUERY_CHARS: usize = 10_000;
/// Names offered when a name was not found.
pub const MAX_SUGGESTIONS: usize = 5;
/// Journal rows answered at once to a reader that follows a graph; past that it loads anew.
pub const MAX_DELTA_ROWS: u32 = 20_000;
/// Bad records shown one by one in the window; the rest is counted.
pub const MAX_SHOWN_PROBLEMS: usize = 1_000;
/// Bytes of one tool answer as JSON; it travels as text and as structure.
pub const MAX_ANSWER_BYTES: usize = 400 * 1024;

/// Hops of a traversal.
pub const MAX_HOPS_LIMIT: u32 = 10;
/// Radius of a subgraph.
pub const MAX_RADIUS_LIMIT: u32 = 5;
/// Shortest paths returned.
pub const MAX_SHORTEST_PATHS: usize = 10;
/// Entities returned by a traversal.
pub const MAX_TRAVERSAL_RESULTS: usize = 200;
/// Relationships returned with a subgraph.
pub const MAX_SUBGRAPH_RELATIONSHIPS: usize = 2_000;
/// Nodes a breadth-first walk may reach, unless `GRAPHMEM_TRAVERSAL_NODE_BUDGET` says otherwise.
pub const TRAVERSAL_NODE_BUDGET: usize = 5_000;
/// Nodes a search for paths may reach from both ends together.
pub const PATH_NODE_BUDGET: usize = 200_000;

static BUDGET: std::sync::OnceLock<usize> = std::sync::OnceLock::new();

/// Sets the walk's node budget of this process, before the first walk; later it has no effect.
pub fn set_traversal_node_budget(budget: usize) {
    let _ = BUDGET.set(budget.max(1));
}

/// The walk's node budget of this process: what was set, else what the environment says; read once.
pub fn traversal_node_budget() -> usize {
    *BUDGET.get_or_init(|| {
        let set = std::env::var("GRAPHMEM_TRAVERSAL_NODE_BUDGET").ok().and_then(|text| text.parse().ok());
        set.filter(|budget| *budget > 0).unwrap_or(TRAVERSAL_NODE_BUDGET)
    })
}
