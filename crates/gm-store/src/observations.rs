//! The `observations` table.

use gm_model::{EntityId, Observation, ObservationId, text};
use rusqlite::{OptionalExtension, Row, params};

use crate::pending::{self, Texts};
use crate::search::TextIndex;
use crate::{Error, ReadTx, Result, WriteTx, counters, vectors};

const COLUMNS: &str = "id, entity_id, content, source, created_at";

pub fn by_id(tx: &ReadTx<'_>, id: &ObservationId) -> Result<Option<Observation>> {
    let sql = format!("SELECT {COLUMNS} FROM observations WHERE id = ?1");
    Ok(tx.prepare_cached(&sql)?.query_row([id.as_str()], read).optional()?)
}

/// An entity's observations, newest first.
pub fn of_entity(tx: &ReadTx<'_>, entity: &EntityId, limit: u32) -> Result<Vec<Observation>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM observations WHERE entity_id = ?1 ORDER BY created_at DESC, rid DESC LIMIT ?2"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(params![entity.as_str(), limit], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The observation of an entity with exactly this text.
pub fn with_content(tx: &ReadTx<'_>, entity: &EntityId, content: &str) -> Result<Option<Observation>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM observations WHERE entity_id = ?1 AND content = ?2 ORDER BY rid LIMIT 1"
    );
    Ok(tx.prepare_cached(&sql)?.query_row([entity.as_str(), content], read).optional()?)
}

pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(Observation) -> Result<()>) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM observations ORDER BY rid");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?)?;
    }
    Ok(())
}

pub fn insert(tx: &WriteTx<'_>, observation: &Observation) -> Result<()> {
    // Two plain statements: one of several rows would open a savepoint (see `pending`).
    let entity_rid: Option<i64> = tx
        .prepare_cached("SELECT rid FROM entities WHERE id = ?1")?
        .query_row([observation.entity_id.as_str()], |row| row.get(0))
        .optional()?;
    let entity_rid = entity_rid.ok_or(Error::Conflict)?;
    let search_text = text::segment(&observation.content);
    tx.prepare_cached(
        "INSERT INTO observations (id, entity_id, content, source, created_at, entity_rid, search_text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        observation.id.as_str(),
        observation.entity_id.as_str(),
        observation.content,
        observation.source,
        observation.created_at,
        entity_rid,
        search_text,
    ])?;
    let rid = tx.last_insert_rowid();
    pending::note(tx, TextIndex::Observations, rid, None, Some(body(search_text)))?;
    vectors::note_new(tx, TextIndex::Observations, rid)?;
    counters::add_observations(tx, &observation.entity_id, 1);
    Ok(())
}

fn body(search_text: String) -> Texts {
    Texts { name: String::new(), body: search_text }
}

/// Tells the text index and the vectors what becomes of an observation whose row still is as it was:
/// what it says then, or that it goes.
fn note_text(tx: &WriteTx<'_>, id: &ObservationId, after: Option<(&str, Texts)>) -> Result<()> {
    let stored = tx
        .prepare_cached("SELECT rid, search_text, content FROM observations WHERE id = ?1")?
        .query_row([id.as_str()], |row| {
            Ok((row.get::<_, i64>(0)?, body(row.get(1)?), row.get::<_, String>(2)?))
        })
        .optional()?;
    let Some((rid, before, content)) = stored else { return Ok(()) };
    match &after {
        None => vectors::note_gone(tx, TextIndex::Observations, rid)?,
        Some((text, _)) if *text != content => vectors::note_changed(tx, TextIndex::Observations, rid)?,
        Some(_) => {}
    }
    pending::note(tx, TextIndex::Observations, rid, Some(before), after.map(|(_, texts)| texts))
}

pub fn update(tx: &WriteTx<'_>, observation: &Observation) -> Result<()> {
    let search_text = text::segment(&observation.content);
    note_text(tx, &observation.id, Some((&observation.content, body(search_text.clone()))))?;
    tx.prepare_cached(
        "UPDATE observations SET content = ?2, source = ?3, created_at = ?4, search_text = ?5 WHERE id = ?1",
    )?
    .execute(params![
        observation.id.as_str(),
        observation.content,
        observation.source,
        observation.created_at,
        search_text,
    ])?;
    Ok(())
}

pub fn delete(tx: &WriteTx<'_>, observation: &Observation) -> Result<()> {
    note_text(tx, &observation.id, None)?;
    tx.prepare_cached("DELETE FROM observations WHERE id = ?1")?.execute([observation.id.as_str()])?;
    counters::add_observations(tx, &observation.entity_id, -1);
    Ok(())
}

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Observation> {
    Ok(Observation {
        id: ObservationId::from_string(row.get::<_, String>(0)?),
        entity_id: EntityId::from_string(row.get::<_, String>(1)?),
        content: row.get(2)?,
        source: row.get(3)?,
        created_at: row.get(4)?,
    })
}
