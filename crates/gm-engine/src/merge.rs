//! Making one entity of two.

use std::collections::HashSet;

use gm_model::{EntityId, Observation, Relationship};
use gm_store::{entities, observations, relationships};

use crate::entities::require;
use crate::transact::Tx;
use crate::{Error, Result};

/// What a merge did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Merged {
    pub observations_moved: u64,
    /// The target had the same text already.
    pub observations_merged: u64,
    pub relationships_moved: u64,
    /// The target had the same relationship already; the higher weight stays.
    pub relationships_merged: u64,
    /// Relationships between the two: they would have become loops.
    pub relationships_dropped: Vec<Relationship>,
}

/// Merges `source` into `target`: observations and relationships move, what both have is kept
/// once, and the source's names stay findable as aliases. The target's own values win.
pub fn merge(tx: &Tx<'_>, target: &EntityId, source: &EntityId) -> Result<Merged> {
    if target == source {
        return Err(Error::argument("source", "is the target itself; name another entity"));
    }
    let source_record = tx.record_of(require(tx.read(), source)?.entity)?;
    let before = tx.record_of(require(tx.read(), target)?.entity)?;
    let mut merged = Merged::default();
    for relationship in relationships::touching(tx.read(), source)? {
        move_relationship(tx, relationship, source, target, &mut merged)?;
    }
    let mut known: HashSet<String> =
        observations::of_entity(tx.read(), target, u32::MAX)?.into_iter().map(|o| o.content).collect();
    let mut moving = observations::of_entity(tx.read(), source, u32::MAX)?;
    moving.reverse();
    for observation in moving {
        tx.delete_observation(&observation)?;
        if known.insert(observation.content.clone()) {
            tx.create_observation(&Observation { entity_id: target.clone(), ..observation })?;
            merged.observations_moved += 1;
        } else {
            merged.observations_merged += 1;
        }
    }
    tx.delete_entity(&source_record.entity)?;
    let mut after = crate::entities::merged(
        &before,
        "",
        &source_record.entity.description,
        &Default::default(),
        tx.now(),
    )?;
    for (key, value) in &source_record.entity.properties {
        if !after.entity.properties.contains_key(key) {
            after.entity.properties.insert(key.clone(), value.clone());
        }
    }
    let names = std::iter::once(&source_record.entity.name).chain(&source_record.aliases);
    for name in names.filter(|name| **name != before.entity.name) {
        if !after.aliases.contains(name) {
            after.aliases.push(name.clone());
        }
    }
    after.entity.updated_at = tx.now();
    tx.update_entity(&before, &after)?;
    debug_assert!(entities::by_id(tx.read(), source)?.is_none());
    Ok(merged)
}

fn move_relationship(
    tx: &Tx<'_>,
    relationship: Relationship,
    source: &EntityId,
    target: &EntityId,
    merged: &mut Merged,
) -> Result<()> {
    let moved_end = |end: &EntityId| if end == source { target.clone() } else { end.clone() };
    let was_loop = relationship.source_id == relationship.target_id;
    let moved = Relationship {
        source_id: moved_end(&relationship.source_id),
        target_id: moved_end(&relationship.target_id),
        ..relationship.clone()
    };
    tx.delete_relationship(&relationship)?;
    if moved.source_id == moved.target_id && !was_loop {
        merged.relationships_dropped.push(relationship);
        return Ok(());
    }
    let twin =
        relationships::by_ends(tx.read(), &moved.source_id, &moved.target_id, &moved.relationship_type)?;
    let Some(before) = twin else {
        tx.create_relationship(&moved)?;
        merged.relationships_moved += 1;
        return Ok(());
    };
    let mut after = before.clone();
    after.weight = after.weight.max(moved.weight);
    for (key, value) in moved.properties {
        after.properties.entry(key).or_insert(value);
    }
    if after != before {
        after.updated_at = tx.now();
        tx.update_relationship(&before, &after)?;
    }
    merged.relationships_merged += 1;
    Ok(())
}
