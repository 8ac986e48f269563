//! Tools that look.

use gm_engine::resolve::{self, Purpose};
use gm_engine::search::{Answer as Searched, Evidence, SearchQuery};
use gm_engine::{Graph, entities, overview};
use gm_model::{Entity, Observation, limits};
use gm_store::entities::EntityOrder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{read_arguments, shapes};
use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;
use crate::spec::{
    Effect, Field, Kind, ToolSpec, boolean, integer, list_of, number, object, object_with, optional,
    required, text,
};

const NAME: Kind = Kind::Text { max_chars: limits::MAX_NAME_CHARS };
const TYPE: Kind = Kind::Text { max_chars: limits::MAX_TYPE_CHARS };

pub(super) const MIN_SCORE: Field =
    optional("min_score", Kind::Number { min: 0.0, max: 1.0 }, "Least relevance_score of a hit.");
pub(super) const MIN_SIMILARITY: Field = optional(
    "min_similarity",
    Kind::Number { min: 0.0, max: 1.0 },
    "Least cosine of what counts as near; else 0.2.",
);

/// The schema of what [`as_searched`] makes.
pub(super) fn searched(hit: Value) -> Value {
    json!({
        "results": list_of(hit),
        "count": integer(),
        "truncated": boolean(),
        "query": text(),
        "limit": integer(),
        "fusion": text(),
        "mode": { "type": "string", "enum": ["hybrid", "text"] },
        "mode_reason": text(),
        "vectors_pending": integer(),
    })
}

pub(super) const SEARCHED_OPTIONAL: &[&str] = &["mode_reason", "vectors_pending"];

pub(crate) static SEARCH_NODES: ToolSpec = ToolSpec {
    name: "search_nodes",
    title: "Search the graph",
    description: "Find entities by the words and meaning of their texts. Use it before adding, to see what is known. Plain sentences work; quotes ask for a phrase, word* for a beginning.",
    fields: &[
        required("query", Kind::Text { max_chars: limits::MAX_QUERY_CHARS }, "What to look for."),
        optional(
            "limit",
            Kind::Integer { min: 1, max: limits::MAX_SEARCH_LIMIT as i64, default: 5 },
            "At most this many.",
        ),
        optional("entity_types", Kind::Texts { max_items: 100 }, "Only entities of these types."),
        optional("include_observations", Kind::Boolean, "Also tell the observations that matched."),
        MIN_SCORE,
        MIN_SIMILARITY,
    ],
    output: || {
        let mut hit = shapes::entity_properties();
        hit["relevance_score"] = number();
        Told::describe(&mut hit);
        hit["relationships"] = list_of(shapes::link_schema());
        hit["relationships_truncated"] = boolean();
        hit["observations"] = list_of(shapes::observation_schema());
        let results = object_with(hit, &[&["observations"], Told::FIELDS].concat());
        object_with(searched(results), SEARCHED_OPTIONAL)
    },
    effect: Effect::Read,
    run: search_nodes,
};

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    limit: u32,
    #[serde(default)]
    entity_types: Vec<String>,
    #[serde(default)]
    include_observations: bool,
    min_score: Option<f64>,
    min_similarity: Option<f64>,
}

fn search_nodes(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: SearchArguments = read_arguments(arguments);
    let query = SearchQuery {
        text: arguments.query.clone(),
        limit: arguments.limit,
        entity_types: arguments.entity_types,
        min_score: arguments.min_score,
        min_similarity: arguments.min_similarity,
        ..SearchQuery::default()
    };
    let graph = call.graph()?;
    let found = graph.search(&query)?;
    call.recalled(&arguments.query, found.hits.iter().map(|hit| &hit.row.entity.id));
    let results = found.hits.iter().map(|hit| FoundEntity {
        entity: &hit.row.entity,
        relevance_score: hit.relevance_score,
        evidence: Told::of(&hit.evidence, &hit.matched_words),
        relationships: hit.relationships.iter().map(|r| shapes::link(r, &hit.row.entity.id)).collect(),
        relationships_truncated: hit.relationships_truncated,
        observations: arguments.include_observations.then_some(&hit.observations[..]),
    });
    let answer = Answer::default()
        .with("count", found.hits.len())
        .with_list("results", results)
        .with("truncated", false);
    as_searched(answer, &arguments.query, arguments.limit, &found, &graph)
}

/// An answer with what was asked, the query as far as it was read, and how it was looked for.
pub(super) fn as_searched<T>(
    answer: Answer,
    query: &str,
    limit: u32,
    found: &Searched<T>,
    graph: &Graph,
) -> Result<Answer, Failure> {
    let stalled = if found.pending > 0 { graph.stalled()? } else { None };
    let answer = answer
        .with("query", query.chars().take(limits::MAX_QUERY_CHARS).collect::<String>())
        .with("limit", limit)
        .with("fusion", found.fusion.as_str())
        .with("mode", if found.unmeant.is_some() { "text" } else { "hybrid" });
    let answer = match found.unmeant.or(stalled) {
        Some(unmeant) => answer.with("mode_reason", unmeant.reason()),
        None => answer,
    };
    Ok(if found.pending > 0 { answer.with("vectors_pending", found.pending) } else { answer })
}

/// Why a hit was found.
#[derive(Serialize)]
pub(super) struct Told<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text_rank: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vector_rank: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    matched_words: &'a [String],
}

impl<'a> Told<'a> {
    pub(super) fn of(evidence: &Evidence, matched_words: &'a [String]) -> Self {
        Self {
            text_rank: evidence.text_rank,
            vector_rank: evidence.vector_rank,
            // More digits would say nothing.
            similarity: evidence.similarity.map(|similarity| (similarity * 1e4).round() / 1e4),
            matched_words,
        }
    }

    pub(super) const FIELDS: &'static [&'static str] =
        &["text_rank", "vector_rank", "similarity", "matched_words"];

    /// The fields of [`Told`] in a hit's schema.
    pub(super) fn describe(hit: &mut Value) {
        hit["text_rank"] = integer();
        hit["vector_rank"] = integer();
        hit["similarity"] = number();
        hit["matched_words"] = list_of(text());
    }
}

#[derive(Serialize)]
struct FoundEntity<'a> {
    #[serde(flatten)]
    entity: &'a Entity,
    relevance_score: f64,
    #[serde(flatten)]
    evidence: Told<'a>,
    relationships: Vec<shapes::Link<'a>>,
    relationships_truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    observations: Option<&'a [Observation]>,
}

pub(crate) static GET_ENTITY: ToolSpec = ToolSpec {
    name: "get_entity",
    title: "Get one entity",
    description: "All that is known about one entity: description, properties, newest observations, relationships with both names.",
    fields: &[
        required("name", NAME, "Name of the entity; case does not matter, earlier names work too."),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        let mut properties = shapes::entity_properties();
        properties["aliases"] = list_of(text());
        properties["observations"] = list_of(shapes::observation_schema());
        properties["observation_count"] = integer();
        properties["observations_truncated"] = boolean();
        properties["relationships"] = list_of(shapes::relationship_schema());
        properties["relationship_count"] = integer();
        properties["relationships_truncated"] = boolean();
        object(properties)
    },
    effect: Effect::Read,
    run: get_entity,
};

#[derive(Deserialize)]
struct GetArguments {
    name: String,
    entity_type: Option<String>,
}

fn get_entity(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: GetArguments = read_arguments(arguments);
    let detail = call.graph()?.read(|tx| {
        let row =
            resolve::entity(tx, "name", &arguments.name, arguments.entity_type.as_deref(), Purpose::Use)?;
        entities::detail(tx, row, limits::MAX_NESTED_ITEMS)
    })?;
    call.recalled(&arguments.name, [&detail.entity.id]);
    let Entity { id, name, entity_type, description, properties, created_at, updated_at } = detail.entity;
    let (observations, relationships) = (&detail.observations, &detail.relationships);
    Ok(Answer::default()
        .with("id", id.as_str())
        .with("name", name)
        .with("entity_type", entity_type)
        .with("description", description)
        .with("properties", properties)
        .with("created_at", created_at)
        .with("updated_at", updated_at)
        .with("aliases", detail.aliases)
        .with_list("observations", observations)
        .with("observation_count", detail.observation_count)
        .with("observations_truncated", (observations.len() as u64) < detail.observation_count)
        .with_list("relationships", relationships.iter().map(|r| shapes::relationship(r, &id)))
        .with("relationship_count", detail.relationship_count)
        .with("relationships_truncated", (relationships.len() as u64) < detail.relationship_count))
}

pub(crate) static LIST_ENTITIES: ToolSpec = ToolSpec {
    name: "list_entities",
    title: "List entities",
    description: "Page through all entities as they came in, optionally of one type. To find something, search_nodes is better.",
    fields: &[
        optional("entity_type", TYPE, "Only entities of this type."),
        optional(
            "limit",
            Kind::Integer { min: 1, max: limits::MAX_LIST_LIMIT as i64, default: 50 },
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
            "results": list_of(object(shapes::entity_properties())),
            "count": integer(),
            "truncated": boolean(),
            "total": integer(),
            "limit": integer(),
            "offset": integer(),
            "entity_type": text(),
        }))
    },
    effect: Effect::Read,
    run: list_entities,
};

#[derive(Deserialize)]
struct ListArguments {
    entity_type: Option<String>,
    limit: u32,
    offset: u32,
}

fn list_entities(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: ListArguments = read_arguments(arguments);
    let entity_type = arguments.entity_type.as_deref();
    let (rows, total) = call.graph()?.read(|tx| {
        entities::list(tx, entity_type, None, EntityOrder::Created, arguments.limit, arguments.offset)
    })?;
    Ok(Answer::default()
        .with("count", rows.len())
        .with_list("results", rows.iter().map(|row| &row.entity))
        .with("truncated", false)
        .with("total", total)
        .with("limit", arguments.limit)
        .with("offset", arguments.offset)
        .with("entity_type", arguments.entity_type.unwrap_or_default()))
}

pub(crate) static READ_GRAPH: ToolSpec = ToolSpec {
    name: "read_graph",
    title: "Overview of the graph",
    description: "Counts, the most frequent types, the best connected and the newest entities. A cheap first look at any size.",
    fields: &[],
    output: || {
        object(json!({
            "entities": integer(),
            "relationships": integer(),
            "observations": integer(),
            "entity_types": shapes::counts_by_type_schema(),
            "relationship_types": shapes::counts_by_type_schema(),
            "most_connected": list_of(object(json!({ "name": text(), "entity_type": text(), "degree": integer() }))),
            "recent_entities": list_of(object(shapes::entity_properties())),
        }))
    },
    effect: Effect::Read,
    run: read_graph,
};

fn read_graph(call: &Call<'_>, _: Value) -> Result<Answer, Failure> {
    let seen = call.graph()?.read(overview::overview)?;
    let most_connected = seen.most_connected.iter().map(
        |(name, entity_type, degree)| json!({ "name": name, "entity_type": entity_type, "degree": degree }),
    );
    Ok(Answer::default()
        .with("entities", seen.counts.entities)
        .with("relationships", seen.counts.relationships)
        .with("observations", seen.counts.observations)
        .with("entity_types", shapes::counts_by_type(seen.entity_types))
        .with("relationship_types", shapes::counts_by_type(seen.relationship_types))
        .with_list("most_connected", most_connected)
        .with_list("recent_entities", seen.recent_entities.iter().map(|row| &row.entity)))
}
