//! What was deleted by hand or by an agent, for thirty days, and having it back.
//!
//! Restoring is an ordinary, journalled write: objects come back under their own ids, an entity with its
//! aliases, its place, its observations and those relationships whose other end is there. A
//! relationship whose other end is in the trash as well comes back with that.

use gm_model::{Actor, Entity, EntityId, ObjectKind, Observation, Relationship, Timestamp};
use gm_store::trash::{self, Discarded};
use gm_store::{ReadTx, entities};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use gm_store::trash::KEPT_SECONDS;

use crate::graph::Graph;
use crate::transact::{Applied, EntityRecord, Tx};
use crate::undo::{Conflict, Journalled};
use crate::{Error, Result, now};

/// What restoring is called in the journal.
pub(crate) const RESTORE: &str = "restore_from_trash";

/// Most things of the trash that are told at once.
pub const MAX_LISTED: u32 = 500;

/// One thing that was deleted by itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    pub id: String,
    pub kind: ObjectKind,
    /// What it was: an entity's name, what an observation said, a relationship's type.
    pub label: String,
    /// An entity's type; for others the names of the entities they belong to, as far as they are known.
    pub detail: String,
    /// What went with an entity.
    pub observations: u64,
    pub relationships: u64,
    pub transaction: String,
    pub deleted_at: Timestamp,
    /// When it goes for good.
    pub expires_at: Timestamp,
    pub actor: Actor,
}

/// What came back.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Restored {
    pub entities: u64,
    pub observations: u64,
    pub relationships: u64,
    /// What hung on them and stays in the trash.
    pub left: Vec<Conflict>,
}

/// What can be had back now, the newest first, and how much that is in all.
pub fn list(tx: &ReadTx<'_>, limit: u32) -> Result<(Vec<Entry>, u64)> {
    let since = now() - KEPT_SECONDS;
    let entries = trash::list(tx, since, limit.clamp(1, MAX_LISTED))?;
    let entries = entries.into_iter().map(|object| entry(tx, object)).collect::<Result<_>>()?;
    Ok((entries, trash::count(tx, since)?))
}

fn entry(tx: &ReadTx<'_>, object: Discarded) -> Result<Entry> {
    let (label, detail) = match object.kind {
        ObjectKind::Entity => {
            let record: EntityRecord = content(&object)?;
            (record.entity.name, record.entity.entity_type)
        }
        ObjectKind::Observation => {
            let observation: Observation = content(&object)?;
            (observation.content, name_of(tx, &object.entity_id)?)
        }
        ObjectKind::Relationship | ObjectKind::Pin => {
            let relationship: Relationship = content(&object)?;
            let source = name_of(tx, &object.entity_id)?;
            let target = name_of(tx, relationship.target_id.as_str())?;
            (relationship.relationship_type, format!("{source} → {target}"))
        }
    };
    let (observations, relationships) = match object.kind {
        ObjectKind::Entity => trash::tally(tx, &object.id)?,
        _ => (0, 0),
    };
    Ok(Entry {
        id: object.id,
        kind: object.kind,
        label,
        detail,
        observations,
        relationships,
        transaction: object.transaction,
        deleted_at: object.deleted_at,
        expires_at: object.deleted_at + KEPT_SECONDS,
        actor: object.actor,
    })
}

/// The name of an entity, wherever it is.
fn name_of(tx: &ReadTx<'_>, id: &str) -> Result<String> {
    if let Some(row) = entities::by_id(tx, &EntityId::from_string(id))? {
        return Ok(row.entity.name);
    }
    #[derive(Deserialize)]
    struct Named {
        #[serde(flatten)]
        entity: Entity,
    }
    Ok(match trash::get(tx, id)? {
        Some(object) => content::<Named>(&object)?.entity.name,
        None => String::new(),
    })
}

/// Brings things back. All of those that were named, or none: what stands in the way is told.
pub fn restore(graph: &Graph, actor: &Actor, ids: &[String]) -> Result<Applied<Restored>> {
    graph.transact(actor, RESTORE, |tx| {
        let mut restored = Restored::default();
        let mut wanted = ids
            .iter()
            .map(|id| {
                trash::get(tx.read(), id)?.ok_or_else(|| Error::NotFound {
                    what: "object in the trash with id",
                    name: id.clone(),
                    suggestions: Vec::new(),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        // Entities first: the others stand on them.
        wanted.sort_by_key(|object| object.kind != ObjectKind::Entity);
        let mut conflicts = Vec::new();
        for object in &wanted {
            // It came back with an entity meanwhile.
            if trash::get(tx.read(), &object.id)?.is_none() {
                continue;
            }
            if let Some(reason) = bring_back(tx, object, &mut restored)? {
                conflicts.push(conflict(object, reason));
            } else if object.kind == ObjectKind::Entity {
                for hanging in trash::hanging_on(tx.read(), &object.id)? {
                    if let Some(reason) = bring_back(tx, &hanging, &mut restored)? {
                        restored.left.push(conflict(&hanging, reason));
                    }
                }
            }
        }
        if !conflicts.is_empty() {
            return Err(Error::Obstructed(conflicts));
        }
        // A later one of the list may have been the other end.
        let mut left = Vec::new();
        for conflict in std::mem::take(&mut restored.left) {
            if trash::get(tx.read(), &conflict.object_id)?.is_some() {
                left.push(conflict);
            }
        }
        restored.left = left;
        Ok(restored)
    })
}

/// Takes things out of the trash for good, or all of them; the number of objects. The journal still
/// knows them: `purge` is for secrets.
pub fn empty(graph: &Graph, actor: &Actor, ids: Option<&[String]>) -> Result<u64> {
    let applied = graph.transact(actor, "empty_trash", |tx| match ids {
        Some(ids) => ids.iter().map(|id| Ok(trash::forget_whole(tx.write(), id)?)).sum::<Result<u64>>(),
        None => {
            let mut all = Vec::new();
            trash::each(tx.read(), |object| all.push(object.id))?;
            all.iter().try_for_each(|id| trash::forget(tx.write(), id))?;
            Ok(all.len() as u64)
        }
    })?;
    Ok(applied.value)
}

/// Creates an object again, or tells why it cannot be.
fn bring_back(tx: &Tx<'_>, object: &Discarded, restored: &mut Restored) -> Result<Option<&'static str>> {
    let (reason, count) = match object.kind {
        ObjectKind::Entity => (create::<EntityRecord>(tx, object)?, &mut restored.entities),
        ObjectKind::Observation => (create::<Observation>(tx, object)?, &mut restored.observations),
        ObjectKind::Relationship | ObjectKind::Pin => {
            (create::<Relationship>(tx, object)?, &mut restored.relationships)
        }
    };
    if reason.is_none() {
        *count += 1;
    }
    Ok(reason)
}

fn create<T: Journalled>(tx: &Tx<'_>, object: &Discarded) -> Result<Option<&'static str>> {
    if T::current(tx, &object.id)?.is_some() {
        return Ok(Some("it exists again"));
    }
    let wanted: T = content(object)?;
    if let Some(reason) = wanted.obstacle(tx)? {
        return Ok(Some(reason));
    }
    wanted.create(tx)?;
    Ok(None)
}

fn conflict(object: &Discarded, reason: &'static str) -> Conflict {
    Conflict { object_kind: object.kind, object_id: object.id.clone(), field: String::new(), reason }
}

fn content<T: DeserializeOwned>(object: &Discarded) -> Result<T> {
    serde_json::from_str(&object.content)
        .map_err(|_| gm_store::Error::Corrupt { kind: "trash", id: object.id.clone() }.into())
}
