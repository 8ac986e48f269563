//! One write transaction as the verbs see it: every change to an object is stored and journalled
//! by the same call, so that neither can be forgotten.

use std::cell::Cell;

use gm_model::{Entity, EntityId, ObjectKind, Observation, Relationship, Timestamp, TransactionId, text};
use gm_store::journal::Stamp;
use gm_store::positions::Position;
use gm_store::trash::{self, Discard};
use gm_store::{ReadTx, WriteTx, aliases, entities, journal, observations, positions, relationships};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Result;

/// Operations whose deletes can be had back from the trash. A merge keeps what it takes apart, and what takes
/// back or restores leaves only what was never meant.
const DISCARDING: [&str; 4] =
    ["delete_entities", "delete_relationships", "delete_observations", "compact_observations"];

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
    /// Whether what is deleted goes to the trash.
    discards: Cell<bool>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(write: &'a WriteTx<'a>, stamp: Stamp) -> Self {
        let discards = DISCARDING.contains(&stamp.operation.as_str()) && !stamp.actor.deletes_for_good;
        Self { write, read: write.as_read(), stamp, changes: Cell::new(0), discards: Cell::new(discards) }
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
            self.remove_relationship(&relationship, Some(&entity.id))?;
        }
        for observation in observations::of_entity(&self.read, &entity.id, u32::MAX)? {
            self.remove_observation(&observation, Some(&entity.id))?;
        }
        let mut record = self.record_of(entity.clone())?;
        record.position = positions::of_entity(&self.read, &entity.id)?.map(|p| (p.x, p.y, p.pinned));
        let id = entity.id.as_str();
        self.discard(ObjectKind::Entity, id, (id, None), None, &record)?;
        entities::delete(self.write, entity)?;
        self.journal(ObjectKind::Entity, id, Some(&record), None)
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
        self.remove_relationship(relationship, None)
    }

    fn remove_relationship(&self, relationship: &Relationship, with: Option<&EntityId>) -> Result<()> {
        let ends = (relationship.source_id.as_str(), Some(relationship.target_id.as_str()));
        self.discard(ObjectKind::Relationship, relationship.id.as_str(), ends, with, relationship)?;
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
        self.remove_observation(observation, None)
    }

    fn remove_observation(&self, observation: &Observation, with: Option<&EntityId>) -> Result<()> {
        let about = (observation.entity_id.as_str(), None);
        self.discard(ObjectKind::Observation, observation.id.as_str(), about, with, observation)?;
        observations::delete(self.write, observation)?;
        self.journal(ObjectKind::Observation, observation.id.as_str(), Some(observation), None)
    }

    /// Puts what is about to go into the trash, unless it goes for good.
    fn discard<T: Serialize>(
        &self,
        kind: ObjectKind,
        id: &str,
        (entity_id, target_id): (&str, Option<&str>),
        went_with: Option<&EntityId>,
        object: &T,
    ) -> Result<()> {
        if !self.discards.get() {
            return Ok(());
        }
        if self.changes() == 0 {
            trash::expire(self.write, self.stamp.time - trash::KEPT_SECONDS)?;
        }
        let content = as_json(object);
        let went_with = went_with.map(EntityId::as_str);
        let object = Discard { id, kind, entity_id, target_id, went_with, content: &content };
        Ok(trash::put(self.write, &self.stamp, &object)?)
    }

    /// Lets what is deleted from now on go to the trash: where restoring from it is taken back.
    pub(crate) fn discard_from_now(&self) {
        self.discards.set(true);
    }

    /// Makes whole things of what this transaction put there piece by piece.
    pub(crate) fn gather_discarded(&self) -> Result<()> {
        Ok(trash::gather(self.write, &self.stamp.transaction)?)
    }

    /// Takes what is there again out of the trash; its text gets back the vectors it had.
    pub(crate) fn revive(&self, id: &str) -> Result<()> {
        Ok(trash::revive(self.write, id)?)
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
        let (before, after) = (before.map(as_json), after.map(as_json));
        journal::append(self.write, &self.stamp, kind, id, before.as_deref(), after.as_deref())?;
        self.changes.set(self.changes.get() + 1);
        Ok(())
    }
}

fn as_json<T: Serialize>(object: &T) -> String {
    serde_json::to_string(object).expect("objects of a graph are plain data")
}

impl From<Entity> for EntityRecord {
    fn from(entity: Entity) -> Self {
        Self { entity, aliases: Vec::new(), position: None }
    }
}
