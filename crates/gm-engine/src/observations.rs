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
