//! Verbs on observations.

use gm_model::{EntityId, Observation, ObservationId, text};
use gm_store::observations as table;

use crate::entities::Status;
use crate::transact::Tx;
use crate::{Error, Result};

/// Adds an observation to an entity that exists; the same text is not stored twice.
pub fn add(
    tx: &Tx<'_>,
    field: &str,
    entity: &EntityId,
    content: &str,
    source: &str,
) -> Result<(Observation, Status)> {
    let content = text::observation(field, content)?;
    let source = text::source("source", source)?;
    if let Some(existing) = table::with_content(tx.read(), entity, &content)? {
        return Ok((existing, Status::Merged));
    }
    let observation = Observation {
        id: ObservationId::generate(),
        entity_id: entity.clone(),
        content,
        source,
        created_at: tx.now(),
    };
    tx.create_observation(&observation)?;
    Ok((observation, Status::Created))
}

pub fn update(tx: &Tx<'_>, id: &ObservationId, content: &str) -> Result<Observation> {
    let before = require(tx, id)?;
    let after = Observation { content: text::observation("content", content)?, ..before.clone() };
    let twin = table::with_content(tx.read(), &before.entity_id, &after.content)?;
    if twin.is_some_and(|twin| twin.id != before.id) {
        return Err(Error::Collision { what: "observation", field: "content", other: "same text".into() });
    }
    tx.update_observation(&before, &after)?;
    Ok(after)
}

/// Deletes observations by id. Unknown ids are returned.
pub fn delete(tx: &Tx<'_>, ids: &[ObservationId]) -> Result<Vec<ObservationId>> {
    let mut unknown = Vec::new();
    for id in ids {
        match table::by_id(tx.read(), id)? {
            Some(observation) => tx.delete_observation(&observation)?,
            None => unknown.push(id.clone()),
        }
    }
    Ok(unknown)
}

fn require(tx: &Tx<'_>, id: &ObservationId) -> Result<Observation> {
    table::by_id(tx.read(), id)?.ok_or_else(|| Error::NotFound {
        what: "observation with id",
        name: id.to_string(),
        suggestions: Vec::new(),
    })
}

/// Updates an observation that must belong to an entity.
pub fn update_of(tx: &Tx<'_>, entity: &EntityId, id: &ObservationId, content: &str) -> Result<Observation> {
    check_owner(tx, entity, "observation_id", id)?;
    update(tx, id, content)
}

/// Deletes those of the observations that belong to an entity; how many there were.
pub fn delete_of(tx: &Tx<'_>, entity: &EntityId, ids: &[ObservationId]) -> Result<u64> {
    let mut deleted = 0;
    for id in ids {
        if let Some(observation) = table::by_id(tx.read(), id)?.filter(|o| o.entity_id == *entity) {
            tx.delete_observation(&observation)?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

/// What compacting did.
#[derive(Debug, Clone, PartialEq)]
pub struct Compacted {
    pub deleted: u64,
    pub kept: u64,
    pub added: Vec<(Observation, Status)>,
}

/// Everything not kept goes, the new ones come, in one step. A kept id that is not on the entity
/// is an error and nothing changes.
pub fn compact(tx: &Tx<'_>, entity: &EntityId, keep: &[ObservationId], new: &[String]) -> Result<Compacted> {
    for (i, id) in keep.iter().enumerate() {
        check_owner(tx, entity, &format!("keep_ids[{i}]"), id)?;
    }
    let mut compacted = Compacted { deleted: 0, kept: 0, added: Vec::new() };
    for observation in table::of_entity(tx.read(), entity, u32::MAX)? {
        if keep.contains(&observation.id) {
            compacted.kept += 1;
        } else {
            tx.delete_observation(&observation)?;
            compacted.deleted += 1;
        }
    }
    for (i, content) in new.iter().enumerate() {
        compacted.added.push(add(tx, &format!("new_observations[{i}]"), entity, content, "")?);
    }
    Ok(compacted)
}

fn check_owner(tx: &Tx<'_>, entity: &EntityId, field: &str, id: &ObservationId) -> Result<()> {
    let owned = table::by_id(tx.read(), id)?.is_some_and(|observation| observation.entity_id == *entity);
    if owned {
        return Ok(());
    }
    Err(Error::argument(field, "is no observation of this entity; get_entity lists their ids"))
}
