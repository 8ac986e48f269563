//! One row of the change journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Actor, Timestamp, TransactionId};

/// What a journal row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    Entity,
    Relationship,
    Observation,
    /// A person's pin on a node; the object id is the entity's.
    Pin,
}

impl ObjectKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Relationship => "relationship",
            Self::Observation => "observation",
            Self::Pin => "pin",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "entity" => Some(Self::Entity),
            "relationship" => Some(Self::Relationship),
            "observation" => Some(Self::Observation),
            "pin" => Some(Self::Pin),
            _ => None,
        }
    }
}

/// One object before and after one atomic write. Created: no `before`; deleted: no `after`.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Position in the graph's journal; grows with every row.
    pub seq: i64,
    pub transaction: TransactionId,
    pub time: Timestamp,
    pub actor: Actor,
    /// The verb, such as `add_entities` or `undo`.
    pub operation: String,
    pub kind: ObjectKind,
    pub object_id: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// The field by which a purged side of a row is known.
pub const PURGED: &str = "purged";

/// Whether a side of a row was purged: only ids are left of it.
pub fn is_purged(value: &Value) -> bool {
    value.get(PURGED) == Some(&Value::Bool(true))
}

impl Change {
    /// Whether anything of this row was purged.
    pub fn is_purged(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(is_purged)
    }
}
