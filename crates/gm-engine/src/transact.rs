//! One write transaction as the verbs see it: every change to an object is stored and journalled
//! by the same call, so that neither can be forgotten.

use std::cell::Cell;

use gm_model::{Entity, EntityId, ObjectKind, Observation, Relationship, Timestamp, TransactionId, text};
use gm_store::journal::Stamp;
use gm_store::positions::Position;
use gm_store::{ReadTx, WriteTx, aliases, entities, journal, observations, positions, relationships};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Result;

/// What a write did.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied<T> {
    pub value: T,
    pub transaction: TransactionId,
    /// The journal's head after the write.
    pub seq: i64,
    /// Journal rows written; 0 when nothing had to change.
    pub changes: u64,
}

/// An entity with what belongs to it alone: the form in which the journal keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityRecord {
    #[serde(flatten)]
    pub entity: Entity,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// x, y, pinned; told when the entity is deleted, so that it can come back to its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(f64, f64, bool)>,
}

impl EntityRecord {
    /// With its aliases in the one form in which the table gives them back: one per key, by key. What
    /// the journal tells must equal what is read later, or undo would see a change that nobody made.
    fn as_stored(&self) -> Self {
        let mut aliases = self.aliases.clone();
        aliases.sort_by_cached_key(|alias| text::fold_key(alias));
        aliases.dedup_by_key(|alias| text::fold_key(alias));
        Self { aliases, ..self.clone() }
    }
}

/// The open transaction of a verb.
pub struct Tx<'a> {
    write: &'a WriteTx<'a>,
    read: ReadTx<'a>,
    stamp: Stamp,
    changes: Cell<u64>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(write: &'a WriteTx<'a>, stamp: Stamp) -> Self {
        Self { write, read: write.as_read(), stamp, changes: Cell::new(0) }
    }

    /// For reads that must see this transaction's own writes.
    pub fn read(&self) -> &ReadTx<'a> {
        &self.read
    }

    /// For what is no object of the graph, and so not journalled.
    pub(crate) fn write(&self) -> &WriteTx<'a> {
        self.write
    }

    /// The one time of everything in this transaction.
    pub fn now(&self) -> Timestamp {
        self.stamp.time
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.get()
    }

    pub fn create_entity(&self, record: &EntityRecord) -> Result<()> {
        let record = &record.as_stored();
        entities::insert(self.write, &record.entity)?;
        for alias in &record.aliases {
            aliases::insert(self.write, &record.entity.id, alias)?;
        }
        if let Some((x, y, pinned)) = record.position {
            positions::put(self.write, &record.entity.id, Position { x, y, pinned })?;
        }
        self.journal(ObjectKind::Entity, record.entity.id.as_str(), None, Some(&record))
    }

    pub fn update_entity(&self, before: &EntityRecord, after: &EntityRecord) -> Result<()> {
        let after = &after.as_stored();
        if before == after {
            return Ok(());
        }
        let id = &after.entity.id;
        entities::update(self.write, &before.entity, &after.entity)?;
        for gone in before.aliases.iter().filter(|alias| !after.aliases.contains(alias)) {
            aliases::delete(self.write, id, gone)?;
        }
        for new in after.aliases.iter().filter(|alias| !before.aliases.contains(alias)) {
            aliases::insert(self.write, id, new)?;
        }
        self.journal(ObjectKind::Entity, id.as_str(), Some(&before), Some(&after))
    }

    /// Deletes an entity with its relationships and observations, each journalled before it.
    pub fn delete_entity(&self, entity: &Entity) -> Result<()> {
        for relationship in relationships::touching(&self.read, &entity.id)? {
            self.delete_relationship(&relationship)?;
        }
        for observation in observations::of_entity(&self.read, &entity.id, u32::MAX)? {
            self.delete_observation(&observation)?;
        }
        let mut record = self.record_of(entity.clone())?;
        record.position = positions::of_entity(&self.read, &entity.id)?.map(|p| (p.x, p.y, p.pinned));
        entities::delete(self.write, entity)?;
        self.journal(ObjectKind::Entity, entity.id.as_str(), Some(&record), None)
    }

    pub fn create_relationship(&self, relationship: &Relationship) -> Result<()> {
        relationships::insert(self.write, relationship)?;
        self.journal(ObjectKind::Relationship, relationship.id.as_str(), None, Some(relationship))
    }

    pub fn update_relationship(&self, before: &Relationship, after: &Relationship) -> Result<()> {
        if before == after {
            return Ok(());
        }
        relationships::update(self.write, before, after)?;
        self.journal(ObjectKind::Relationship, after.id.as_str(), Some(before), Some(after))
    }

    pub fn delete_relationship(&self, relationship: &Relationship) -> Result<()> {
        relationships::delete(self.write, relationship)?;
        self.journal(ObjectKind::Relationship, relationship.id.as_str(), Some(relationship), None)
    }

    pub fn create_observation(&self, observation: &Observation) -> Result<()> {
        observations::insert(self.write, observation)?;
        self.journal(ObjectKind::Observation, observation.id.as_str(), None, Some(observation))
    }

    pub fn update_observation(&self, before: &Observation, after: &Observation) -> Result<()> {
        if before == after {
            return Ok(());
        }
        observations::update(self.write, after)?;
        self.journal(ObjectKind::Observation, after.id.as_str(), Some(before), Some(after))
    }

    pub fn delete_observation(&self, observation: &Observation) -> Result<()> {
        observations::delete(self.write, observation)?;
        self.journal(ObjectKind::Observation, observation.id.as_str(), Some(observation), None)
    }

    /// Pins a node at a place, or lets it go where it stands.
    pub fn set_pin(&self, entity: &EntityId, pin: Option<(f64, f64)>) -> Result<()> {
        let before = positions::of_entity(&self.read, entity)?;
        let pinned_before = before.filter(|p| p.pinned).map(|p| json!({ "x": p.x, "y": p.y }));
        let after = match (pin, before) {
            (Some((x, y)), _) => Position { x, y, pinned: true },
            (None, Some(p)) => Position { pinned: false, ..p },
            (None, None) => return Ok(()),
        };
        let pinned_after = after.pinned.then(|| json!({ "x": after.x, "y": after.y }));
        if pinned_before == pinned_after {
            return Ok(());
        }
        positions::put(self.write, entity, after)?;
        self.journal(ObjectKind::Pin, entity.as_str(), pinned_before.as_ref(), pinned_after.as_ref())
    }

    /// Saves where the layout put nodes; not journalled.
    pub fn save_position(&self, entity: &EntityId, x: f64, y: f64) -> Result<()> {
        Ok(positions::save(self.write, entity, x, y)?)
    }

    /// An entity as the journal keeps it while it lives.
    pub fn record_of(&self, entity: Entity) -> Result<EntityRecord> {
        let aliases = aliases::of_entity(&self.read, &entity.id)?;
        Ok(EntityRecord { entity, aliases, position: None })
    }

    fn journal<T: Serialize>(
        &self,
        kind: ObjectKind,
        id: &str,
        before: Option<&T>,
        after: Option<&T>,
    ) -> Result<()> {
        let json = |object: &T| -> String {
            serde_json::to_string(object).expect("objects of a graph are plain data")
        };
        let (before, after) = (before.map(json), after.map(json));
        journal::append(self.write, &self.stamp, kind, id, before.as_deref(), after.as_deref())?;
        self.changes.set(self.changes.get() + 1);
        Ok(())
    }
}

impl From<Entity> for EntityRecord {
    fn from(entity: Entity) -> Self {
        Self { entity, aliases: Vec::new(), position: None }
    }
}
