//! Plain data of a knowledge graph: ids, entities, relationships, observations, actors and
//! changes, with the normal form of every text a caller may bring.
//!
//! No I/O happens here. A new field of an object starts in this crate and in a migration.

pub mod actor;
pub mod change;
pub mod id;
pub mod limits;
pub mod object;
pub mod text;

pub use actor::{Actor, ActorKind};
pub use change::{Change, ObjectKind};
pub use id::{EntityId, ObservationId, RelationshipId, TransactionId, new_ulid};
pub use object::{Entity, Observation, Properties, Relationship};
pub use text::{Invalid, InvalidKind};

/// Seconds since the Unix epoch; the unit of every time in graph-mem.
pub type Timestamp = f64;
