//! The three primitives of a knowledge graph.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{EntityId, ObservationId, RelationshipId, Timestamp};

/// Free key-value facts on an entity or a relationship.
pub type Properties = Map<String, Value>;

/// A named thing. Unique by (name without case, entity type).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub id: EntityId,
    pub name: String,
    pub entity_type: String,
    pub description: String,
    pub properties: Properties,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A typed, directed, weighted edge. Unique by (source, target, type).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relationship {
    pub id: RelationshipId,
    pub source_id: EntityId,
    pub target_id: EntityId,
    pub relationship_type: String,
    /// Strength, 0 to 1.
    pub weight: f64,
    pub properties: Properties,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// One factual statement about an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    pub id: ObservationId,
    pub entity_id: EntityId,
    pub content: String,
    /// Where the statement came from, in the words of whoever made it.
    pub source: String,
    pub created_at: Timestamp,
}
