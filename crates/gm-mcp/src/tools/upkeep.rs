//! Tools that look after a graph.

use gm_engine::resolve::{self, Purpose};
use gm_engine::search::ObservationQuery;
use gm_engine::upkeep::{self, Finding};
use gm_model::{Observation, limits};
use gm_store::ReadTx;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::read::{MIN_SCORE, MIN_SIMILARITY, SEARCHED_OPTIONAL, Told, as_searched, searched};
use super::{read_arguments, shapes};
use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;
use crate::spec::{
    Effect, Kind, ToolSpec, boolean, integer, list_of, number, object, object_with, optional, required, text,
};

const NAME: Kind = Kind::Text { max_chars: limits::MAX_NAME_CHARS };
const TYPE: Kind = Kind::Text { max_chars: limits::MAX_TYPE_CHARS };

pub(crate) static SEARCH_OBSERVATIONS: ToolSpec = ToolSpec {
    name: "search_observations",
    title: "Search observations",
    description: "Find observations by words and meaning, of all entities or of one. For exact statements; search_nodes finds entities.",
    fields: &[
        required("query", Kind::Text { max_chars: limits::MAX_QUERY_CHARS }, "What to look for."),
        optional(
            "limit",
            Kind::Integer { min: 1, max: limits::MAX_SEARCH_LIMIT as i64, default: 10 },
            "At most so many.",
        ),
        optional("entity_name", NAME, "Only observations of this entity."),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
        MIN_SCORE,
        MIN_SIMILARITY,
    ],
    output: || {
        let mut hit = shapes::observation_schema()["properties"].clone();
        hit["relevance_score"] = number();
        Told::describe(&mut hit);
        hit["entity_name"] = text();
        hit["entity_type"] = text();
        object_with(searched(object_with(hit, Told::FIELDS)), SEARCHED_OPTIONAL)
    },
    effect: Effect::Read,
    run: search_observations,
};

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    limit: u32,
    entity_name: Option<String>,
    entity_type: Option<String>,
    min_score: Option<f64>,
    min_similarity: Option<f64>,
}

fn search_observations(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: SearchArguments = read_arguments(arguments);
    let query = ObservationQuery {
        text: arguments.query.clone(),
        limit: arguments.limit,
        entity: arguments.entity_name.map(|name| (name, arguments.entity_type)),
        min_score: arguments.min_score,
        min_similarity: arguments.min_similarity,
        ..ObservationQuery::default()
    };
    let graph = call.graph()?;
    let found = graph.search_observations(&query)?;
    call.recalled(&arguments.query, found.hits.iter().map(|hit| &hit.observation.entity_id));
    let results = found.hits.iter().map(|hit| FoundObservation {
        observation: &hit.observation,
        relevance_score: hit.relevance_score,
        evidence: Told::of(&hit.evidence, &hit.matched_words),
        entity_name: &hit.entity_name,
        entity_type: &hit.entity_type,
    });
    let answer = Answer::default()
        .with("truncated", false)
        .with("count", found.hits.len())
        .with_list("results", results);
    as_searched(answer, &arguments.query, arguments.limit, &found, &graph)
}

#[derive(Serialize)]
struct FoundObservation<'a> {
    #[serde(flatten)]
    observation: &'a Observation,
    relevance_score: f64,
    #[serde(flatten)]
    evidence: Told<'a>,
    entity_name: &'a str,
    entity_type: &'a str,
}

pub(crate) static GRAPH_HEALTH: ToolSpec = ToolSpec {
    name: "graph_health",
    title: "Health of the graph",
    description: "Counts, entities with many observations or without description, and what to do about it. Cheap at any size.",
    fields: &[],
    output: || {
        object(json!({
            "counts": shapes::counts_schema(),
            "entity_types": shapes::counts_by_type_schema(),
            "observation_hotspots": list_of(object(json!({ "name": text(), "entity_type": text(), "observations": integer() }))),
            "missing_descriptions": list_of(text()),
            "missing_description_count": integer(),
            "suggested_actions": list_of(text()),
        }))
    },
    effect: Effect::Read,
    run: graph_health,
};

fn graph_health(call: &Call<'_>, _: Value) -> Result<Answer, Failure> {
    let health = call.graph()?.read(upkeep::health)?;
    let hotspots: Vec<Value> = health
        .observation_hotspots
        .iter()
        .map(|(name, entity_type, n)| json!({ "name": name, "entity_type": entity_type, "observations": n }))
        .collect();
    Ok(json!({
        "counts": shapes::counts(&health.counts),
        "entity_types": shapes::counts_by_type(health.entity_types),
        "observation_hotspots": hotspots,
        "missing_descriptions": health.missing_descriptions,
        "missing_description_count": health.missing_description_count,
        "suggested_actions": health.suggested_actions,
    })
    .into())
}

pub(crate) static SUGGEST_CONNECTIONS: ToolSpec = ToolSpec {
    name: "suggest_connections",
    title: "Suggest connections",
    description: "Entities near one in words and meaning, and whether they are linked to it already. Judge before linking.",
    fields: &[
        required("entity_name", NAME, "Name of the entity."),
        optional(
            "limit",
            Kind::Integer { min: 1, max: limits::MAX_SEARCH_LIMIT as i64, default: 10 },
            "At most so many.",
        ),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        let mut suggestion = json!({
            "name": text(), "entity_type": text(), "description": text(), "already_connected": boolean(), "score": number(),
        });
        Told::describe(&mut suggestion);
        let told = json!({
            "suggestions": list_of(object_with(suggestion, Told::FIELDS)),
            "unconnected_count": integer(),
            "already_connected_count": integer(),
            "hint": text(),
            "mode": text(),
            "mode_reason": text(),
        });
        object_with(told, &["mode_reason"])
    },
    effect: Effect::Read,
    run: suggest_connections,
};

#[derive(Deserialize)]
struct SuggestArguments {
    entity_name: String,
    limit: u32,
    entity_type: Option<String>,
}

fn suggest_connections(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: SuggestArguments = read_arguments(arguments);
    let find = |tx: &ReadTx<'_>| {
        let entity_type = arguments.entity_type.as_deref();
        resolve::entity(tx, "entity_name", &arguments.entity_name, entity_type, Purpose::Use)
    };
    let (found, unmeant) = call.graph()?.suggest_connections(find, arguments.limit)?;
    call.recalled(&arguments.entity_name, found.iter().map(|s| &s.row.entity.id));
    let connected = found.iter().filter(|s| s.already_connected).count();
    let suggestions = found.iter().map(|s| Suggested {
        name: &s.row.entity.name,
        entity_type: &s.row.entity.entity_type,
        description: &s.row.entity.description,
        already_connected: s.already_connected,
        score: s.score,
        evidence: Told::of(&s.evidence, &s.matched_words),
    });
    let unconnected = found.len() - connected;
    let hint = if unconnected == 0 {
        "Nothing near it is left unlinked."
    } else {
        "Link those that truly belong together with add_relationships."
    };
    let answer = Answer::default()
        .with_list("suggestions", suggestions)
        .with("unconnected_count", unconnected)
        .with("already_connected_count", connected)
        .with("hint", hint)
        .with("mode", if unmeant.is_some() { "text" } else { "hybrid" });
    Ok(match unmeant {
        Some(unmeant) => answer.with("mode_reason", unmeant.reason()),
        None => answer,
    })
}

#[derive(Serialize)]
struct Suggested<'a> {
    name: &'a str,
    entity_type: &'a str,
    description: &'a str,
    already_connected: bool,
    score: f64,
    #[serde(flatten)]
    evidence: Told<'a>,
}

pub(crate) static AUDIT_GRAPH: ToolSpec = ToolSpec {
    name: "audit_graph",
    title: "Audit the graph",
    description: "What the content lacks, entity by entity: unlinked, undescribed, without observations, possible duplicates. Nothing is changed.",
    fields: &[],
    output: || {
        let finding = || object(json!({ "count": integer(), "names": list_of(text()) }));
        object(json!({
            "counts": shapes::counts_schema(),
            "scanned_entities": integer(),
            "scan_truncated": boolean(),
            "disconnected": finding(),
            "missing_descriptions": finding(),
            "missing_observations": finding(),
            "missing_properties": finding(),
            "weakly_connected": finding(),
            "duplicate_candidates": finding(),
            "quality_score": number(),
            "report": text(),
        }))
    },
    effect: Effect::Read,
    run: audit_graph,
};

fn audit_graph(call: &Call<'_>, _: Value) -> Result<Answer, Failure> {
    let audit = call
        .graph()?
        .read(|tx| upkeep::audit(tx, &mut |done, total| call.step(done as usize, total as usize)))?;
    let finding = |finding: &Finding| json!({ "count": finding.count, "names": finding.names });
    Ok(json!({
        "counts": shapes::counts(&audit.counts),
        "scanned_entities": audit.scanned,
        "scan_truncated": audit.scan_truncated,
        "disconnected": finding(&audit.disconnected),
        "missing_descriptions": finding(&audit.missing_descriptions),
        "missing_observations": finding(&audit.missing_observations),
        "missing_properties": finding(&audit.missing_properties),
        "weakly_connected": finding(&audit.weakly_connected),
        "duplicate_candidates": finding(&audit.duplicate_candidates),
        "quality_score": audit.quality_score,
        "report": audit.report(),
    })
    .into())
}
