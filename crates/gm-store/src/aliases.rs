//! The `aliases` table: earlier names under which an entity is still found.

use gm_model::{EntityId, text};
use rusqlite::params;

use crate::{ReadTx, Result, WriteTx};

/// Ids of the entities that carry this alias, the most recently updated first.
pub fn entities_of(tx: &ReadTx<'_>, alias_key: &str) -> Result<Vec<EntityId>> {
    let mut statement = tx.prepare_cached(
        "SELECT e.id FROM aliases a JOIN entities e ON e.id = a.entity_id WHERE a.alias_key = ?1
         ORDER BY e.updated_at DESC, e.id DESC",
    )?;
    let ids = statement.query_map([alias_key], |row| row.get::<_, String>(0))?;
    Ok(ids.map(|id| id.map(EntityId::from_string)).collect::<rusqlite::Result<_>>()?)
}

pub fn of_entity(tx: &ReadTx<'_>, entity: &EntityId) -> Result<Vec<String>> {
    let mut statement =
        tx.prepare_cached("SELECT alias FROM aliases WHERE entity_id = ?1 ORDER BY alias_key")?;
    let names = statement.query_map([entity.as_str()], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

pub fn insert(tx: &WriteTx<'_>, entity: &EntityId, alias: &str) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO aliases (alias_key, entity_id, alias) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )?
    .execute(params![text::fold_key(alias), entity.as_str(), alias])?;
    Ok(())
}

pub fn delete(tx: &WriteTx<'_>, entity: &EntityId, alias: &str) -> Result<()> {
    tx.prepare_cached("DELETE FROM aliases WHERE alias_key = ?1 AND entity_id = ?2")?
        .execute(params![text::fold_key(alias), entity.as_str()])?;
    Ok(())
}
