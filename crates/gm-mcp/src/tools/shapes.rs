//! The objects of results, and their schemas.

use gm_model::{EntityId, Relationship};
use gm_store::relationships::NamedRelationship;
use serde::Serialize;
use serde_json::{Value, json};

use crate::spec::{integer, number, object, text};

/// An entity as it is stored.
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

/// An observation as it is stored.
pub(super) fn observation_schema() -> Value {
    object(
        json!({ "id": text(), "entity_id": text(), "content": text(), "source": text(), "created_at": number() }),
    )
}

/// A relationship with its ends.
#[derive(Serialize)]
pub(super) struct Between<'a> {
    #[serde(flatten)]
    relationship: &'a Relationship,
    source_name: &'a str,
    source_type: &'a str,
    target_name: &'a str,
    target_type: &'a str,
    /// As seen from one of the ends; absent when seen from nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
}

/// A relationship as listed on one of its ends.
pub(super) fn relationship<'a>(named: &'a NamedRelationship, from: &EntityId) -> Between<'a> {
    Between { direction: Some(direction(named, from)), ..between(named) }
}

/// A relationship seen from nowhere.
pub(super) fn between(named: &NamedRelationship) -> Between<'_> {
    Between {
        relationship: &named.relationship,
        source_name: &named.source_name,
        source_type: &named.source_type,
        target_name: &named.target_name,
        target_type: &named.target_type,
        direction: None,
    }
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
#[derive(Serialize)]
pub(super) struct Link<'a> {
    relationship_type: &'a str,
    direction: &'static str,
    connected_entity: &'a str,
    weight: f64,
}

pub(super) fn link<'a>(named: &'a NamedRelationship, from: &EntityId) -> Link<'a> {
    let direction = direction(named, from);
    let other = if direction == "outgoing" { &named.target_name } else { &named.source_name };
    Link {
        relationship_type: &named.relationship.relationship_type,
        direction,
        connected_entity: other,
        weight: named.relationship.weight,
    }
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
