//! Tools that change, remove and merge what is there.

use gm_engine::entities::{self, EntityUpdate};
use gm_engine::relationships::{self, RelationshipUpdate};
use gm_engine::resolve::{self, Purpose};
use gm_engine::{Tx, merge, observations};
use gm_model::{Entity, ObservationId, Properties, limits};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{read_arguments, shapes};
use crate::answer::Answer;
use crate::call::Call;
use crate::failure::Failure;
use crate::spec::{
    Effect, Field, Kind, ToolSpec, integer, list_of, number, object, object_with, optional, required, text,
};

const NAME: Kind = Kind::Text { max_chars: limits::MAX_NAME_CHARS };
const TYPE: Kind = Kind::Text { max_chars: limits::MAX_TYPE_CHARS };
const TEXT: Kind = Kind::Text { max_chars: limits::MAX_TEXT_BYTES };
const ID: Kind = Kind::Text { max_chars: 64 };
const IDS: Kind = Kind::Texts { max_items: limits::MAX_BATCH_ITEMS };

pub(crate) static UPDATE_ENTITY: ToolSpec = ToolSpec {
    name: "update_entity",
    title: "Update an entity",
    description: "Change an entity's name, type, description or properties. Only what is given changes; id, observations and relationships stay, and the old name is still found. A null property value deletes its key.",
    fields: &[
        required("name", NAME, "Present name of the entity."),
        optional("current_type", TYPE, "Present type, when the name is shared by several."),
        optional("new_name", NAME, "New name."),
        optional("description", TEXT, "New description; replaces the old one."),
        optional("properties", Kind::Object, "Properties to set; merged key by key."),
        optional("entity_type", TYPE, "New type."),
    ],
    output: || object(json!({ "result": object(shapes::entity_properties()), "status": word("updated") })),
    effect: Effect::Write,
    run: update_entity,
};

#[derive(Deserialize)]
struct UpdateEntityArguments {
    name: String,
    current_type: Option<String>,
    new_name: Option<String>,
    description: Option<String>,
    properties: Option<Properties>,
    entity_type: Option<String>,
}

fn update_entity(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: UpdateEntityArguments = read_arguments(arguments);
    // Renaming and retyping need to be sure of the entity; other changes go to the usual one.
    let changes_identity = arguments.new_name.is_some() || arguments.entity_type.is_some();
    let purpose = if changes_identity { Purpose::Change } else { Purpose::Use };
    let update = EntityUpdate {
        name: arguments.new_name,
        entity_type: arguments.entity_type,
        description: arguments.description,
        properties: arguments.properties,
    };
    let applied = call.graph()?.transact(&call.actor, "update_entity", |tx| {
        let row =
            resolve::entity(tx.read(), "name", &arguments.name, arguments.current_type.as_deref(), purpose)?;
        entities::update(tx, &row.entity.id, &update)
    })?;
    Ok(json!({ "result": applied.value, "status": "updated" }).into())
}

const SOURCE: Field = required("source", NAME, "Name of the entity the relationship starts from.");
const TARGET: Field = required("target", NAME, "Name of the entity it leads to.");
const SOURCE_TYPE: Field = optional("source_type", TYPE, "Its type, if the name is shared.");
const TARGET_TYPE: Field = optional("target_type", TYPE, "Its type, if the name is shared.");

#[derive(Deserialize)]
struct Ends {
    source: String,
    target: String,
    source_type: Option<String>,
    target_type: Option<String>,
}

impl Ends {
    fn resolve(&self, tx: &Tx<'_>, purpose: Purpose) -> gm_engine::Result<(Entity, Entity)> {
        let end = |field: &str, name: &str, entity_type: &Option<String>| {
            resolve::entity(tx.read(), field, name, entity_type.as_deref(), purpose).map(|row| row.entity)
        };
        Ok((end("source", &self.source, &self.source_type)?, end("target", &self.target, &self.target_type)?))
    }
}

pub(crate) static UPDATE_RELATIONSHIP: ToolSpec = ToolSpec {
    name: "update_relationship",
    title: "Update a relationship",
    description: "Change the weight, type or properties of one relationship.",
    fields: &[
        SOURCE,
        TARGET,
        required("relationship_type", TYPE, "Present type of the relationship."),
        optional("new_weight", Kind::Number { min: 0.0, max: 1.0 }, "New strength from 0 to 1."),
        optional("new_type", TYPE, "New type."),
        optional("properties", Kind::Object, "Properties to set; merged key by key, null deletes."),
        SOURCE_TYPE,
        TARGET_TYPE,
    ],
    output: || {
        object(json!({
            "id": text(), "source": text(), "target": text(), "relationship_type": text(), "weight": number(),
            "status": word("updated"),
        }))
    },
    effect: Effect::Write,
    run: update_relationship,
};

#[derive(Deserialize)]
struct UpdateRelationshipArguments {
    #[serde(flatten)]
    ends: Ends,
    relationship_type: String,
    new_weight: Option<f64>,
    new_type: Option<String>,
    properties: Option<Properties>,
}

fn update_relationship(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: UpdateRelationshipArguments = read_arguments(arguments);
    let update = RelationshipUpdate {
        relationship_type: arguments.new_type,
        weight: arguments.new_weight,
        properties: arguments.properties,
    };
    let applied = call.graph()?.transact(&call.actor, "update_relationship", |tx| {
        let (source, target) = arguments.ends.resolve(tx, Purpose::Use)?;
        let found = relationships::between(tx, &source.id, &target.id, Some(&arguments.relationship_type))?;
        let found = found.into_iter().next().ok_or_else(|| gm_engine::Error::NotFound {
            what: "relationship",
            name: arguments.relationship_type.clone(),
            suggestions: Vec::new(),
        })?;
        Ok((source, target, relationships::update(tx, &found.id, &update).map_err(new_names)?))
    })?;
    let (source, target, relationship) = applied.value;
    Ok(json!({
        "id": relationship.id.as_str(),
        "source": source.name,
        "target": target.name,
        "relationship_type": relationship.relationship_type,
        "weight": relationship.weight,
        "status": "updated",
    })
    .into())
}

/// Says an error of the engine's fields by this tool's names for them.
fn new_names(error: gm_engine::Error) -> gm_engine::Error {
    match error {
        gm_engine::Error::Argument { field, problem, .. } if field == "weight" => {
            gm_engine::Error::argument("new_weight", problem)
        }
        other => other,
    }
}

pub(crate) static UPDATE_OBSERVATION: ToolSpec = ToolSpec {
    name: "update_observation",
    title: "Reword an observation",
    description: "Replace the text of one observation. Its id, from get_entity or add_observations, stays.",
    fields: &[
        required("entity_name", NAME, "Name of the entity it is about."),
        required("observation_id", ID, "Id of the observation."),
        required("content", TEXT, "The new text."),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object(json!({ "id": text(), "entity_id": text(), "content": text(), "status": word("updated") }))
    },
    effect: Effect::Write,
    run: update_observation,
};

#[derive(Deserialize)]
struct UpdateObservationArguments {
    entity_name: String,
    observation_id: String,
    content: String,
    entity_type: Option<String>,
}

fn update_observation(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: UpdateObservationArguments = read_arguments(arguments);
    let id = ObservationId::from_string(arguments.observation_id);
    let applied = call.graph()?.transact(&call.actor, "update_observation", |tx| {
        let entity_type = arguments.entity_type.as_deref();
        let row =
            resolve::entity(tx.read(), "entity_name", &arguments.entity_name, entity_type, Purpose::Use)?;
        observations::update_of(tx, &row.entity.id, &id, &arguments.content)
    })?;
    let observation = applied.value;
    Ok(json!({
        "id": observation.id.as_str(),
        "entity_id": observation.entity_id.as_str(),
        "content": observation.content,
        "status": "updated",
    })
    .into())
}

pub(crate) static DELETE_RELATIONSHIPS: ToolSpec = ToolSpec {
    name: "delete_relationships",
    title: "Delete relationships",
    description: "Delete the relationships from one entity to another, of one type or of all.",
    fields: &[
        SOURCE,
        TARGET,
        optional("relationship_type", TYPE, "Only this type; leave out for all types."),
        SOURCE_TYPE,
        TARGET_TYPE,
    ],
    output: || {
        object(json!({
            "deleted": integer(), "status": words(&["deleted", "not_found"]), "source": text(), "target": text(),
            "relationship_types": list_of(text()),
        }))
    },
    effect: Effect::Delete,
    run: delete_relationships,
};

#[derive(Deserialize)]
struct DeleteRelationshipsArguments {
    #[serde(flatten)]
    ends: Ends,
    relationship_type: Option<String>,
}

fn delete_relationships(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: DeleteRelationshipsArguments = read_arguments(arguments);
    let applied = call.graph()?.transact(&call.actor, "delete_relationships", |tx| {
        let (source, target) = arguments.ends.resolve(tx, Purpose::Change)?;
        let wanted = arguments.relationship_type.as_deref();
        let deleted = relationships::delete_between(tx, &source.id, &target.id, wanted)?;
        Ok((source, target, deleted))
    })?;
    let (source, target, deleted) = applied.value;
    Ok(json!({
        "deleted": deleted.len(),
        "status": if deleted.is_empty() { "not_found" } else { "deleted" },
        "source": source.name,
        "target": target.name,
        "relationship_types": deleted.iter().map(|r| r.relationship_type.as_str()).collect::<Vec<_>>(),
    })
    .into())
}

pub(crate) static DELETE_OBSERVATIONS: ToolSpec = ToolSpec {
    name: "delete_observations",
    title: "Delete observations",
    description: "Delete observations of one entity by id. An id of another entity is left alone.",
    fields: &[
        required("entity_name", NAME, "Name of the entity."),
        required("observation_ids", IDS, "Ids of the observations, from get_entity."),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object(
            json!({ "deleted": integer(), "requested": integer(), "status": words(&["deleted", "not_found"]) }),
        )
    },
    effect: Effect::Delete,
    run: delete_observations,
};

#[derive(Deserialize)]
struct DeleteObservationsArguments {
    entity_name: String,
    observation_ids: Vec<String>,
    entity_type: Option<String>,
}

fn delete_observations(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: DeleteObservationsArguments = read_arguments(arguments);
    let ids = ids(arguments.observation_ids);
    let applied = call.graph()?.transact(&call.actor, "delete_observations", |tx| {
        let entity_type = arguments.entity_type.as_deref();
        let row =
            resolve::entity(tx.read(), "entity_name", &arguments.entity_name, entity_type, Purpose::Change)?;
        observations::delete_of(tx, &row.entity.id, &ids)
    })?;
    let status = if applied.value > 0 { "deleted" } else { "not_found" };
    Ok(json!({ "deleted": applied.value, "requested": ids.len(), "status": status }).into())
}

pub(crate) static MERGE_ENTITIES: ToolSpec = ToolSpec {
    name: "merge_entities",
    title: "Merge two entities",
    description: "Make one entity of two that are the same thing: observations and relationships of the source move to the target, doubles are kept once, and the source's name finds the target.",
    fields: &[
        required("target", NAME, "Name of the entity that stays."),
        required("source", NAME, "Name of the entity that goes."),
        TARGET_TYPE,
        SOURCE_TYPE,
    ],
    output: || {
        object(json!({
            "result": object(json!({
                "target_id": text(),
                "observations_moved": integer(),
                "observations_merged": integer(),
                "relationships_moved": integer(),
                "relationships_merged": integer(),
                "relationships_dropped": integer(),
                "dropped": list_of(object(json!({ "id": text(), "relationship_type": text() }))),
            })),
            "status": word("merged"),
        }))
    },
    effect: Effect::Delete,
    run: merge_entities,
};

fn merge_entities(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let ends: Ends = read_arguments(arguments);
    let applied = call.graph()?.transact(&call.actor, "merge_entities", |tx| {
        let (source, target) = ends.resolve(tx, Purpose::Change)?;
        Ok((target.id.clone(), merge::merge(tx, &target.id, &source.id)?))
    })?;
    let (target_id, merged) = applied.value;
    let dropped: Vec<Value> = merged
        .relationships_dropped
        .iter()
        .map(|r| json!({ "id": r.id.as_str(), "relationship_type": r.relationship_type }))
        .collect();
    Ok(json!({
        "result": {
            "target_id": target_id.as_str(),
            "observations_moved": merged.observations_moved,
            "observations_merged": merged.observations_merged,
            "relationships_moved": merged.relationships_moved,
            "relationships_merged": merged.relationships_merged,
            "relationships_dropped": dropped.len(),
            "dropped": dropped,
        },
        "status": "merged",
    })
    .into())
}

pub(crate) static COMPACT_OBSERVATIONS: ToolSpec = ToolSpec {
    name: "compact_observations",
    title: "Condense observations",
    description: "Replace many observations of an entity by fewer, in one step: all but keep_ids go, new_observations come. Read them with get_entity first.",
    fields: &[
        required("entity_name", NAME, "Name of the entity."),
        required(
            "keep_ids",
            Kind::AnyTexts { max_items: limits::MAX_BATCH_ITEMS },
            "Ids to keep; may be empty.",
        ),
        required(
            "new_observations",
            Kind::AnyTexts { max_items: limits::MAX_BATCH_ITEMS },
            "Texts to add; may be empty.",
        ),
        optional("entity_type", TYPE, "Its type, if the name is shared."),
    ],
    output: || {
        object_with(
            json!({
                "deleted": integer(), "added": integer(), "kept": integer(),
                "results": list_of(object(json!({ "id": text(), "content": text(), "status": words(&["created", "merged"]) }))),
            }),
            &[],
        )
    },
    effect: Effect::Delete,
    run: compact_observations,
};

#[derive(Deserialize)]
struct CompactArguments {
    entity_name: String,
    keep_ids: Vec<String>,
    new_observations: Vec<String>,
    entity_type: Option<String>,
}

fn compact_observations(call: &Call<'_>, arguments: Value) -> Result<Answer, Failure> {
    let arguments: CompactArguments = read_arguments(arguments);
    let keep = ids(arguments.keep_ids);
    let applied = call.graph()?.transact(&call.actor, "compact_observations", |tx| {
        let entity_type = arguments.entity_type.as_deref();
        let row =
            resolve::entity(tx.read(), "entity_name", &arguments.entity_name, entity_type, Purpose::Change)?;
        observations::compact(tx, &row.entity.id, &keep, &arguments.new_observations)
    })?;
    let compacted = applied.value;
    let results: Vec<Value> = compacted
        .added
        .iter()
        .map(|(o, status)| json!({ "id": o.id.as_str(), "content": o.content, "status": status.as_str() }))
        .collect();
    Ok(Answer::default()
        .with("deleted", compacted.deleted)
        .with("added", results.len())
        .with("kept", compacted.kept)
        .with("results", results))
}

fn ids(texts: Vec<String>) -> Vec<ObservationId> {
    texts.into_iter().map(ObservationId::from_string).collect()
}

fn word(only: &str) -> Value {
    words(&[only])
}

fn words(allowed: &[&str]) -> Value {
    json!({ "type": "string", "enum": allowed })
}
