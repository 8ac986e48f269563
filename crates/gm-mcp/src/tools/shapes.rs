//! The objects of results, and their schemas.

use gm_model::{Entity, EntityId, Observation};
use gm_store::relationships::NamedRelationship;
use serde_json::{Value, json};

use crate::spec::{integer, number, object, text};

pub(super) fn entity(entity: &Entity) -> Value {
    json!({
        "id": entity.id.as_str(),
        "name": entity.name,
        "entity_type": entity.entity_type,
        "description": entity.description,
        "properties": entity.properties,
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
    })
}

pub(super) fn entity_properties() -> Value {
    json!({
        "id": text(),
        "name": text(),
        "entity_type": text(),
        "description": text(),
        "properties": { "type": "object", "additionalProperties": true },
        "created_at": number(),
        "updated_at": number(),
    })
}

pub(super) fn observation(observation: &Observation) -> Value {
    json!({
        "id": observation.id.as_str(),
        "entity_id": observation.entity_id.as_str(),
        "content": observation.content,
        "source": observation.source,
        "created_at": observation.created_at,
    })
}

pub(super) fn observation_schema() -> Value {
    object(
        json!({ "id": text(), "entity_id": text(), "content": text(), "source": text(), "created_at": number() }),
    )
}

/// A relationship as listed on one of its ends.
pub(super) fn relationship(named: &NamedRelationship, from: &EntityId) -> Value {
    let mut shape = between(named);
    shape["direction"] = json!(direction(named, from));
    shape
}

/// A relationship seen from nowhere.
pub(super) fn between(named: &NamedRelationship) -> Value {
    let relationship = &named.relationship;
    json!({
        "id": relationship.id.as_str(),
        "source_id": relationship.source_id.as_str(),
        "target_id": relationship.target_id.as_str(),
        "relationship_type": relationship.relationship_type,
        "weight": relationship.weight,
        "properties": relationship.properties,
        "created_at": relationship.created_at,
        "updated_at": relationship.updated_at,
        "source_name": named.source_name,
        "source_type": named.source_type,
        "target_name": named.target_name,
        "target_type": named.target_type,
    })
}

pub(super) fn relationship_schema() -> Value {
    let mut properties = between_properties();
    properties["direction"] = direction_schema();
    object(properties)
}

pub(super) fn between_schema() -> Value {
    object(between_properties())
}

fn between_properties() -> Value {
    json!({
        "id": text(),
        "source_id": text(),
        "target_id": text(),
        "relationship_type": text(),
        "weight": number(),
        "properties": { "type": "object", "additionalProperties": true },
        "created_at": number(),
        "updated_at": number(),
        "source_name": text(),
        "source_type": text(),
        "target_name": text(),
        "target_type": text(),
    })
}

/// A relationship in a search hit: its type and the other end.
pub(super) fn link(named: &NamedRelationship, from: &EntityId) -> Value {
    let direction = direction(named, from);
    let other = if direction == "outgoing" { &named.target_name } else { &named.source_name };
    json!({
        "relationship_type": named.relationship.relationship_type,
        "direction": direction,
        "connected_entity": other,
        "weight": named.relationship.weight,
    })
}

pub(super) fn link_schema() -> Value {
    object(json!({
        "relationship_type": text(),
        "direction": direction_schema(),
        "connected_entity": text(),
        "weight": number(),
    }))
}

fn direction(named: &NamedRelationship, from: &EntityId) -> &'static str {
    if named.relationship.source_id == *from { "outgoing" } else { "incoming" }
}

fn direction_schema() -> Value {
    json!({ "type": "string", "enum": ["outgoing", "incoming"] })
}

/// Counts by type: an object whose keys are the graph's own.
pub(super) fn counts_by_type(types: Vec<(String, u64)>) -> Value {
    Value::Object(types.into_iter().map(|(name, n)| (name, n.into())).collect())
}

pub(super) fn counts_by_type_schema() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "integer" } })
}

pub(super) fn counts(counts: &gm_engine::graph::Counts) -> Value {
    json!({
        "entities": counts.entities,
        "relationships": counts.relationships,
        "observations": counts.observations,
    })
}

pub(super) fn counts_schema() -> Value {
    object(json!({ "entities": integer(), "relationships": integer(), "observations": integer() }))
}
