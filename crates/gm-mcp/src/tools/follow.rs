//! Tools that follow relationships.

use gm_engine::connections::{self, ConnectionQuery, Direction};
use gm_engine::resolve::{self, Purpose};
use gm_model::{limits, text as normal};
use gm_store::relationships::{self, RelationshipFilter};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{read_arguments, shapes};
use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;
use crate::spec::{Effect, Kind, ToolSpec, boolean, integer, list_of, object, optional, required, text};

const NAME: Kind = Kind::Text { max_chars: limits::MAX_NAME_CHARS };
const TYPE: Kind = Kind::Text { max_chars: limits::MAX_TYPE_CHARS };

pub(crate) static FIND_CONNECTIONS: ToolSpec = ToolSpec {
    name: "find_connections",
    title: "Find what is connected",
    description: "Everything within some hops of an entity, nearest first, each with one shortest path to it.",
    fields: &[
        required("entity_name", NAME, "Name of the entity to start from."),
        optional(
            "max_hops",
            Kind::Integer { min: 1, max: limits::MAX_HOPS_LIMIT as i64, default: 2 },
            "How far to go.",
        ),
        optional("relationship_types", Kind::Texts { max_items: 100 }, "Follow only these types."),
        optional(
            "direction",
            Kind::Choice(&["both", "outgoing", "incoming"]),
            "Which way relationships are followed.",
        ),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object(json!({
            "source": text(),
            "results": list_of(object(json!({
                "entity": object(shapes::entity_properties()), "depth": integer(), "path": path_schema(),
            }))),
            "count": integer(),
            "total": integer(),
            "max_hops": integer(),
            "truncated": boolean(),
        }))
    },
    effect: Effect::Read,
    run: find_connections,
};

#[derive(Deserialize)]
struct ConnectionsArguments {
    entity_name: String,
    max_hops: u32,
    #[serde(default)]
    relationship_types: Vec<String>,
    direction: String,
    entity_type: Option<String>,
}

fn find_connections(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: ConnectionsArguments = read_arguments(arguments);
    let mut relationship_types = Vec::new();
    for (i, name) in arguments.relationship_types.iter().enumerate() {
        let name =
            normal::type_name(&format!("relationship_types[{i}]"), name).map_err(gm_engine::Error::from)?;
        relationship_types.push(name);
    }
    let query = ConnectionQuery {
        max_hops: arguments.max_hops,
        relationship_types,
        direction: match arguments.direction.as_str() {
            "outgoing" => Direction::Outgoing,
            "incoming" => Direction::Incoming,
            _ => Direction::Both,
        },
    };
    let entity_type = arguments.entity_type.as_deref();
    let (origin, found) = connections::connections(
        &*call.graph()?,
        |tx| resolve::entity(tx, "entity_name", &arguments.entity_name, entity_type, Purpose::Use),
        &query,
    )?;
    call.recalled(&origin.name, found.results.iter().map(|reached| &reached.entity.id));
    Ok(Answer::default()
        .with("source", origin.name)
        .with("count", found.results.len())
        .with_list("results", &found.results)
        .with("total", found.reached)
        .with("max_hops", arguments.max_hops)
        .with("truncated", found.truncated))
}

pub(crate) static FIND_PATHS: ToolSpec = ToolSpec {
    name: "find_paths",
    title: "Find paths",
    description: "How two entities are linked: up to 10 paths of the shortest length, following relationships both ways. No paths: none within max_hops.",
    fields: &[
        required("source", NAME, "Name of the first entity."),
        required("target", NAME, "Name of the second entity."),
        optional(
            "max_hops",
            Kind::Integer { min: 1, max: limits::MAX_HOPS_LIMIT as i64, default: 5 },
            "Longest path looked for.",
        ),
        optional("source_type", TYPE, "Its type, if the name is shared."),
        optional("target_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object(json!({
            "source": text(), "target": text(), "paths": list_of(path_schema()), "count": integer(),
            "max_hops": integer(), "truncated": boolean(),
        }))
    },
    effect: Effect::Read,
    run: find_paths,
};

#[derive(Deserialize)]
struct PathsArguments {
    source: String,
    target: String,
    max_hops: u32,
    source_type: Option<String>,
    target_type: Option<String>,
}

fn find_paths(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: PathsArguments = read_arguments(arguments);
    let found = connections::paths(
        &*call.graph()?,
        |tx| {
            let end = |field: &str, name: &str, entity_type: &Option<String>| {
                resolve::entity(tx, field, name, entity_type.as_deref(), Purpose::Use)
            };
            let source = end("source", &arguments.source, &arguments.source_type)?;
            Ok((source, end("target", &arguments.target, &arguments.target_type)?))
        },
        arguments.max_hops,
    )?;
    Ok(json!({
        "source": found.source.name,
        "target": found.target.name,
        "count": found.paths.len(),
        "paths": found.paths,
        "max_hops": arguments.max_hops,
        "truncated": found.truncated,
    })
    .into())
}

pub(crate) static GET_SUBGRAPH: ToolSpec = ToolSpec {
    name: "get_subgraph",
    title: "Get the surroundings",
    description: "The entities within a radius of some entities, and all relationships between them. If truncated, ask for a smaller radius or fewer entities.",
    fields: &[
        required("entity_names", Kind::Texts { max_items: 100 }, "Names of the entities in the middle."),
        optional(
            "radius",
            Kind::Integer { min: 1, max: limits::MAX_RADIUS_LIMIT as i64, default: 2 },
            "How many hops around them.",
        ),
    ],
    output: || {
        object(json!({
            "entities": list_of(object(shapes::entity_properties())),
            "relationships": list_of(shapes::between_schema()),
            "entity_count": integer(),
            "relationship_count": integer(),
            "radius": integer(),
            "truncated": boolean(),
        }))
    },
    effect: Effect::Read,
    run: get_subgraph,
};

#[derive(Deserialize)]
struct SubgraphArguments {
    entity_names: Vec<String>,
    radius: u32,
}

fn get_subgraph(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: SubgraphArguments = read_arguments(arguments);
    let found = connections::subgraph(
        &*call.graph()?,
        |tx| {
            let names = arguments.entity_names.iter().enumerate();
            let seeds = names.map(|(i, name)| {
                resolve::entity(tx, &format!("entity_names[{i}]"), name, None, Purpose::Use)
            });
            seeds.collect()
        },
        arguments.radius,
    )?;
    call.recalled(&arguments.entity_names.join(", "), found.entities.iter().map(|entity| &entity.id));
    Ok(Answer::default()
        .with_list("entities", &found.entities)
        .with_list("relationships", found.relationships.iter().map(shapes::between))
        .with("entity_count", found.reached)
        .with("relationship_count", found.relationship_count)
        .with("radius", arguments.radius)
        .with("truncated", found.truncated))
}

pub(crate) static LIST_RELATIONSHIPS: ToolSpec = ToolSpec {
    name: "list_relationships",
    title: "List relationships",
    description: "Page through relationships as they came in, of all entities or of one, optionally of one type.",
    fields: &[
        optional("entity_name", NAME, "Only relationships that touch this entity."),
        optional("relationship_type", TYPE, "Only this type."),
        optional(
            "limit",
            Kind::Integer { min: 1, max: limits::MAX_LIST_LIMIT as i64, default: 100 },
            "At most this many.",
        ),
        optional(
            "offset",
            Kind::Integer { min: 0, max: limits::MAX_OFFSET as i64, default: 0 },
            "How many to pass over.",
        ),
    ],
    output: || {
        object(json!({
            "results": list_of(shapes::between_schema()), "count": integer(), "total": integer(),
            "truncated": boolean(),
            "limit": integer(), "offset": integer(),
        }))
    },
    effect: Effect::Read,
    run: list_relationships,
};

#[derive(Deserialize)]
struct ListArguments {
    entity_name: Option<String>,
    relationship_type: Option<String>,
    limit: u32,
    offset: u32,
}

fn list_relationships(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: ListArguments = read_arguments(arguments);
    let relationship_type = arguments.relationship_type.as_deref();
    let relationship_type = relationship_type
        .map(|t| normal::type_name("relationship_type", t))
        .transpose()
        .map_err(gm_engine::Error::from)?;
    let (rows, total) = call.graph()?.read(|tx| {
        let entity = match &arguments.entity_name {
            Some(name) => Some(resolve::entity(tx, "entity_name", name, None, Purpose::Use)?.entity.id),
            None => None,
        };
        let filter = RelationshipFilter { entity, relationship_type: relationship_type.clone() };
        Ok(relationships::list(tx, &filter, arguments.limit, arguments.offset)?)
    })?;
    Ok(Answer::default()
        .with("truncated", false)
        .with("count", rows.len())
        .with_list("results", rows.iter().map(shapes::between))
        .with("total", total)
        .with("limit", arguments.limit)
        .with("offset", arguments.offset))
}

fn path_schema() -> Value {
    list_of(object(json!({
        "entity_id": text(),
        "entity_name": text(),
        "relationship_type": text(),
        "direction": { "type": "string", "enum": ["", "outgoing", "incoming"] },
    })))
}
