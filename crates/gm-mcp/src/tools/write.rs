//! Tools that add, change and delete.

use gm_engine::entities::{self, AddedEntity, NewEntity, Status};
use gm_engine::relationships::{self, NewRelationship};
use gm_engine::resolve::{self, Purpose};
use gm_engine::{embed, observations};
use gm_model::{EntityId, ObservationId, Properties, RelationshipId, limits};
use gm_store::search::TextIndex;
use gm_store::vectors::VectorState;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::read_arguments;
use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;
use crate::spec::{
    Effect, Field, Kind, ToolSpec, integer, list_of, object, object_with, optional, required, text,
};

const NAME: Kind = Kind::Text { max_chars: limits::MAX_NAME_CHARS };
const TYPE: Kind = Kind::Text { max_chars: limits::MAX_TYPE_CHARS };
const TEXT: Kind = Kind::Text { max_chars: limits::MAX_TEXT_BYTES };

/// Warnings told in one answer.
const MOST_WARNINGS: usize = 20;

const ENTITY_FIELDS: &[Field] = &[
    required("name", NAME, "Name of the thing, as people say it."),
    required("entity_type", TYPE, "Kind of thing in one word, such as person, service, decision."),
    optional("description", TEXT, "One or two sentences that say what it is."),
    optional("properties", Kind::Object, "Key-value facts, such as version or url."),
    optional(
        "observations",
        Kind::Texts { max_items: limits::MAX_BATCH_ITEMS },
        "Single statements about it, one fact each.",
    ),
];

pub(crate) static ADD_ENTITIES: ToolSpec = ToolSpec {
    name: "add_entities",
    title: "Add entities",
    description: "Store things worth remembering, with a type, a description and single-fact observations. Search first; the same name and type is merged, not doubled. All items are stored, or none.",
    fields: &[required(
        "entities",
        Kind::Records { fields: ENTITY_FIELDS, max_items: limits::MAX_BATCH_ITEMS },
        "The entities to add.",
    )],
    output: || {
        object_with(
            json!({
                "results": list_of(object(json!({
                    "id": text(), "name": text(), "entity_type": text(), "status": status(), "embedding": embedding(),
                }))),
                "count": integer(),
                "warnings": list_of(text()),
                "screening": object_with(
                    json!({ "missing_description": list_of(text()), "missing_observations": list_of(text()), "hint": text() }),
                    &[],
                ),
            }),
            &["screening"],
        )
    },
    effect: Effect::Write,
    run: add_entities,
};

#[derive(Deserialize)]
struct EntitiesArguments {
    entities: Vec<EntityArgument>,
}

#[derive(Deserialize)]
struct EntityArgument {
    name: String,
    entity_type: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    properties: Properties,
    #[serde(default)]
    observations: Vec<String>,
}

fn add_entities(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: EntitiesArguments = read_arguments(arguments);
    let news: Vec<NewEntity> = arguments
        .entities
        .into_iter()
        .map(|e| NewEntity {
            name: e.name,
            entity_type: e.entity_type,
            description: e.description,
            properties: e.properties,
            observations: e.observations,
        })
        .collect();
    let graph = call.graph()?;
    let applied = graph.transact(&call.actor, "add_entities", |tx| {
        let adds = news.iter().enumerate();
        adds.map(|(i, new)| {
            call.step(i, news.len())?;
            entities::add(tx, &format!("entities[{i}]"), new, "")
        })
        .collect::<Result<Vec<_>, _>>()
    })?;
    let written: Vec<_> = applied
        .value
        .iter()
        .map(|added| (TextIndex::Entities, added.id.as_str(), added.status == Status::Created))
        .collect();
    let vectors = graph.vectors_of(&written)?;
    let results = applied.value.iter().zip(&vectors).map(|(added, vectors)| WrittenEntity {
        id: added.id.as_str(),
        name: &added.name,
        entity_type: &added.entity_type,
        status: added.status.as_str(),
        embedding: Some(vectors.as_str()),
    });
    let texts = news.iter().enumerate().flat_map(|(i, new)| {
        let said = new.observations.iter().enumerate();
        let said = said.map(move |(j, text)| (format!("entities[{i}].observations[{j}]"), text.as_str()));
        said.chain([(format!("entities[{i}].description"), new.description.as_str())])
    });
    let answer = Answer::default()
        .with_list("results", results)
        .with("count", applied.value.len())
        .with("warnings", taken_apart(texts, &vectors));
    Ok(match screening(&applied.value) {
        Some(screening) => answer.with("screening", screening),
        None => answer,
    })
}

#[derive(Serialize)]
struct WrittenEntity<'a> {
    id: &'a str,
    name: &'a str,
    entity_type: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<&'static str>,
}

/// Which texts a model cannot read at once. They are found all the same, but short ones are found better.
fn taken_apart<'a>(texts: impl Iterator<Item = (String, &'a str)>, vectors: &[VectorState]) -> Vec<String> {
    if vectors.iter().all(|vectors| *vectors == VectorState::None) {
        return Vec::new();
    }
    let long = texts.filter_map(|(field, text)| {
        let parts = embed::parts(text).len();
        (parts > 1).then(|| {
            format!("{field} is long: its {parts} parts are searched each for itself; single facts are found better")
        })
    });
    long.take(MOST_WARNINGS).collect()
}

/// Which of the entities are hard to find or to understand as they are now.
fn screening(added: &[AddedEntity]) -> Option<Value> {
    let names = |missing: fn(&AddedEntity) -> bool| -> Vec<&str> {
        added.iter().filter(|added| missing(added)).map(|added| added.name.as_str()).collect()
    };
    let missing_description = names(|added| !added.has_description);
    let missing_observations = names(|added| !added.has_observations);
    if missing_description.is_empty() && missing_observations.is_empty() {
        return None;
    }
    Some(json!({
        "missing_description": missing_description,
        "missing_observations": missing_observations,
        "hint": "A description and at least one observation make an entity findable; add them with add_entities (it merges) or add_observations.",
    }))
}

const RELATIONSHIP_FIELDS: &[Field] = &[
    required("source", NAME, "Name of the entity the relationship starts from."),
    required("target", NAME, "Name of the entity it leads to."),
    required("relationship_type", TYPE, "Verb such as uses, depends_on, works_at."),
    optional("weight", Kind::Number { min: 0.0, max: 1.0 }, "Strength from 0 to 1; 1 if left out."),
    optional("properties", Kind::Object, "Key-value facts about the relationship."),
    optional("source_type", TYPE, "Its type, if the name is shared."),
    optional("target_type", TYPE, "Its type, if the name is shared."),
];

pub(crate) static ADD_RELATIONSHIPS: ToolSpec = ToolSpec {
    name: "add_relationships",
    title: "Add relationships",
    description: "Link entities that exist by typed, directed relationships. The same source, target and type is merged: the higher weight stays. All items are stored, or none.",
    fields: &[required(
        "relationships",
        Kind::Records { fields: RELATIONSHIP_FIELDS, max_items: limits::MAX_BATCH_ITEMS },
        "The relationships to add.",
    )],
    output: || {
        object(json!({
            "results": list_of(object(json!({
                "id": text(), "status": status(), "source": text(), "target": text(), "relationship_type": text(),
            }))),
            "count": integer(),
        }))
    },
    effect: Effect::Write,
    run: add_relationships,
};

#[derive(Deserialize)]
struct RelationshipsArguments {
    relationships: Vec<RelationshipArgument>,
}

#[derive(Deserialize)]
struct RelationshipArgument {
    source: String,
    target: String,
    relationship_type: String,
    #[serde(default = "full_weight")]
    weight: f64,
    #[serde(default)]
    properties: Properties,
    source_type: Option<String>,
    target_type: Option<String>,
}

fn full_weight() -> f64 {
    1.0
}

fn add_relationships(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: RelationshipsArguments = read_arguments(arguments);
    let applied = call.graph()?.transact(&call.actor, "add_relationships", |tx| {
        let mut results = Vec::with_capacity(arguments.relationships.len());
        for (i, new) in arguments.relationships.iter().enumerate() {
            call.step(i, arguments.relationships.len())?;
            let path = format!("relationships[{i}]");
            let end = |side: &str, name: &str, entity_type: &Option<String>| {
                let found = resolve::entity(
                    tx.read(),
                    &format!("{path}.{side}"),
                    name,
                    entity_type.as_deref(),
                    Purpose::Use,
                );
                found.map(|row| row.entity).map_err(|error| at_item(error, &format!("{path}.{side}")))
            };
            let source = end("source", &new.source, &new.source_type)?;
            let target = end("target", &new.target, &new.target_type)?;
            let (stored, status) = relationships::add(
                tx,
                &path,
                &NewRelationship {
                    source_id: source.id,
                    target_id: target.id,
                    relationship_type: new.relationship_type.clone(),
                    weight: new.weight,
                    properties: new.properties.clone(),
                },
            )?;
            results.push(WrittenRelationship {
                id: stored.id,
                status: status.as_str(),
                source: source.name,
                target: target.name,
                relationship_type: stored.relationship_type,
            });
        }
        Ok(results)
    })?;
    Ok(Answer::default().with("count", applied.value.len()).with_list("results", &applied.value))
}

#[derive(Serialize)]
struct WrittenRelationship {
    id: RelationshipId,
    status: &'static str,
    source: String,
    target: String,
    relationship_type: String,
}

/// Says which item of a batch named what was not found.
fn at_item(error: gm_engine::Error, path: &str) -> gm_engine::Error {
    match error {
        gm_engine::Error::NotFound { name, suggestions, .. } => {
            let problem = format!("names no entity of this graph: `{name}`");
            gm_engine::Error::Argument { field: path.to_owned(), problem, suggestions }
        }
        other => other,
    }
}

pub(crate) static ADD_OBSERVATIONS: ToolSpec = ToolSpec {
    name: "add_observations",
    title: "Add observations",
    description: "Add single-fact statements to an entity that exists. A statement it already has is not stored twice.",
    fields: &[
        required("entity_name", NAME, "Name of the entity."),
        required(
            "observations",
            Kind::Texts { max_items: limits::MAX_BATCH_ITEMS },
            "The statements, one fact each.",
        ),
        optional(
            "source",
            Kind::Text { max_chars: limits::MAX_SOURCE_CHARS },
            "Where they come from, such as a document or conversation.",
        ),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object(json!({
            "results": list_of(object(json!({
                "id": text(), "entity_id": text(), "content": text(), "status": status(), "embedding": embedding(),
            }))),
            "count": integer(),
            "warnings": list_of(text()),
        }))
    },
    effect: Effect::Write,
    run: add_observations,
};

#[derive(Deserialize)]
struct ObservationsArguments {
    entity_name: String,
    observations: Vec<String>,
    #[serde(default)]
    source: String,
    entity_type: Option<String>,
}

fn add_observations(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: ObservationsArguments = read_arguments(arguments);
    let graph = call.graph()?;
    let applied = graph.transact(&call.actor, "add_observations", |tx| {
        let row = resolve::entity(
            tx.read(),
            "entity_name",
            &arguments.entity_name,
            arguments.entity_type.as_deref(),
            Purpose::Use,
        )?;
        let mut results = Vec::with_capacity(arguments.observations.len());
        for (i, content) in arguments.observations.iter().enumerate() {
            let field = format!("observations[{i}]");
            let (stored, status) = observations::add(tx, &field, &row.entity.id, content, &arguments.source)?;
            results.push(WrittenObservation {
                id: stored.id,
                entity_id: stored.entity_id,
                content: stored.content,
                status: status.as_str(),
                embedding: VectorState::None.as_str(),
            });
        }
        Ok(results)
    })?;
    let mut results = applied.value;
    let written: Vec<_> = results
        .iter()
        .map(|said| (TextIndex::Observations, said.id.as_str(), said.status == Status::Created.as_str()))
        .collect();
    let vectors = graph.vectors_of(&written)?;
    results.iter_mut().zip(&vectors).for_each(|(said, vectors)| said.embedding = vectors.as_str());
    let texts = arguments.observations.iter().enumerate();
    let texts = texts.map(|(i, text)| (format!("observations[{i}]"), text.as_str()));
    let warnings = taken_apart(texts, &vectors);
    Ok(Answer::default()
        .with("count", results.len())
        .with_list("results", &results)
        .with("warnings", warnings))
}

#[derive(Serialize)]
struct WrittenObservation {
    id: ObservationId,
    entity_id: EntityId,
    content: String,
    status: &'static str,
    embedding: &'static str,
}

pub(crate) static DELETE_ENTITIES: ToolSpec = ToolSpec {
    name: "delete_entities",
    title: "Delete entities",
    description: "Delete entities by exact name, with their observations and relationships. Names that match nothing are reported; nothing similar is touched.",
    fields: &[
        required("names", Kind::Texts { max_items: limits::MAX_BATCH_ITEMS }, "Names of the entities."),
        optional("entity_type", TYPE, "Type, when a name is shared by several entities."),
    ],
    output: || {
        object(json!({
            "deleted": integer(),
            "not_found": list_of(text()),
            "count": integer(),
            "results": list_of(object(json!({ "id": text(), "name": text(), "entity_type": text(), "status": text() }))),
        }))
    },
    effect: Effect::Delete,
    run: delete_entities,
};

#[derive(Deserialize)]
struct DeleteArguments {
    names: Vec<String>,
    entity_type: Option<String>,
}

fn delete_entities(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: DeleteArguments = read_arguments(arguments);
    let applied = call.graph()?.transact(&call.actor, "delete_entities", |tx| {
        entities::delete_by_name(tx, &arguments.names, arguments.entity_type.as_deref())
    })?;
    let deleted = applied.value.deleted;
    let results = deleted.iter().map(|entity| WrittenEntity {
        id: entity.id.as_str(),
        name: &entity.name,
        entity_type: &entity.entity_type,
        status: "deleted",
        embedding: None,
    });
    Ok(Answer::default()
        .with("deleted", deleted.len())
        .with("not_found", applied.value.not_found)
        .with("count", deleted.len())
        .with_list("results", results))
}

/// Whether a text can be found by its meaning yet.
fn embedding() -> Value {
    // One of `VectorState`'s words; a list of them would be paid for by every model that reads it.
    text()
}

fn status() -> Value {
    json!({ "type": "string", "enum": ["created", "merged"] })
}
