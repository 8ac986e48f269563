//! The `trash` table: what was deleted, for a while.

use gm_model::{Actor, ObjectKind, Timestamp, TransactionId};
use rusqlite::{OptionalExtension, Row, params};

use crate::journal::Stamp;
use crate::search::TextIndex;
use crate::vectors::{self, Part};
use crate::{ReadTx, Result, WriteTx};

/// How long what was deleted can be had back, in seconds: thirty days.
pub const KEPT_SECONDS: f64 = 30.0 * 24.0 * 60.0 * 60.0;

/// One object in the trash.
#[derive(Debug, Clone, PartialEq)]
pub struct Discarded {
    pub id: String,
    pub kind: ObjectKind,
    /// The entity it is, is about, or begins at.
    pub entity_id: String,
    /// Where a relationship ends.
    pub target_id: Option<String>,
    /// The entity with which it went; `None` if it was deleted by itself.
    pub went_with: Option<String>,
    pub transaction: String,
    pub deleted_at: Timestamp,
    pub actor: Actor,
    /// As the journal tells it, in JSON.
    pub content: String,
}

/// What is put in, before the object goes.
#[derive(Debug, Clone, Copy)]
pub struct Discard<'a> {
    pub id: &'a str,
    pub kind: ObjectKind,
    pub entity_id: &'a str,
    pub target_id: Option<&'a str>,
    pub went_with: Option<&'a str>,
    pub content: &'a str,
}

/// Keeps an object that is about to be deleted, with the vectors of its text.
pub fn put(tx: &WriteTx<'_>, stamp: &Stamp, object: &Discard<'_>) -> Result<()> {
    forget(tx, object.id)?;
    tx.prepare_cached(
        "INSERT INTO trash (id, kind, entity_id, target_id, went_with, transaction_id, deleted_at, actor, client, content)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        object.id,
        object.kind.as_str(),
        object.entity_id,
        object.target_id,
        object.went_with,
        stamp.transaction.as_str(),
        stamp.time,
        stamp.actor.to_string(),
        stamp.actor.client,
        object.content,
    ])?;
    let (Some(which), Some(model)) = (text_index(object.kind), vectors::model(&tx.as_read())?) else {
        return Ok(());
    };
    let Some(rid) = rid_of(tx, which, object.id)? else { return Ok(()) };
    tx.prepare_cached(
        "INSERT INTO trash_vectors (id, part, epoch, scale, vector)
         SELECT ?1, part, ?2, scale, vector FROM vectors WHERE kind = ?3 AND rid = ?4",
    )?
    .execute(params![object.id, model.epoch as i64, vectors::kind(which), rid])?;
    Ok(())
}

/// Gives the text of an object that is there again the vectors it had, if they are still good, and
/// takes the object out of the trash. Nothing happens if it is not in there.
pub fn revive(tx: &WriteTx<'_>, id: &str) -> Result<()> {
    let Some(object) = get(&tx.as_read(), id)? else { return Ok(()) };
    if let (Some(which), Some(model)) = (text_index(object.kind), vectors::model(&tx.as_read())?)
        && let Some(rid) = rid_of(tx, which, id)?
        && !is_renamed_since(tx, &object)?
    {
        let parts = {
            let mut statement = tx.prepare_cached(&format!(
                "SELECT scale, vector FROM trash_vectors WHERE id = ?1 AND epoch = ?2 AND {} ORDER BY part",
                vectors::SOUND
            ))?;
            let parts = statement.query_map(params![id, model.epoch as i64], |row| {
                let bytes = row.get_ref(1)?.as_blob()?;
                let bytes = bytes.iter().map(|byte| byte.cast_signed()).collect();
                Ok(Part { scale: row.get::<_, f64>(0)? as f32, bytes })
            })?;
            parts.collect::<rusqlite::Result<Vec<_>>>()?
        };
        if !parts.is_empty() {
            vectors::put(tx, which, rid, &parts)?;
        }
    }
    forget(tx, id)
}

/// The vectors of an observation know the name of its entity, which may have changed meanwhile.
fn is_renamed_since(tx: &WriteTx<'_>, object: &Discarded) -> Result<bool> {
    if object.kind != ObjectKind::Observation {
        return Ok(false);
    }
    let changed: Option<f64> = tx
        .prepare_cached("SELECT updated_at FROM entities WHERE id = ?1")?
        .query_row([&object.entity_id], |row| row.get(0))
        .optional()?;
    Ok(object.went_with.is_none() && changed.is_some_and(|changed| changed > object.deleted_at))
}

/// Takes an object out of the trash for good.
pub fn forget(tx: &WriteTx<'_>, id: &str) -> Result<()> {
    tx.prepare_cached("DELETE FROM trash_vectors WHERE id = ?1")?.execute([id])?;
    tx.prepare_cached("DELETE FROM trash WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Takes an object out for good with all that went with it; the number of objects.
pub fn forget_whole(tx: &WriteTx<'_>, id: &str) -> Result<u64> {
    let ids = {
        let mut statement = tx.prepare_cached(
            "SELECT id FROM trash WHERE id = ?1 OR (entity_id = ?1 AND went_with IS NOT NULL) OR (target_id = ?1 AND went_with IS NOT NULL)",
        )?;
        let ids = statement.query_map([id], |row| row.get::<_, String>(0))?;
        ids.collect::<rusqlite::Result<Vec<_>>>()?
    };
    ids.iter().try_for_each(|id| forget(tx, id))?;
    Ok(ids.len() as u64)
}

/// Takes out for good what was deleted before a time; the number of objects.
pub fn expire(tx: &WriteTx<'_>, before: Timestamp) -> Result<u64> {
    // The index tells at once, at each delete, that there is nothing.
    let due: bool = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM trash WHERE deleted_at < ?1)")?
        .query_row([before], |row| row.get(0))?;
    if !due {
        return Ok(0);
    }
    tx.execute(
        "DELETE FROM trash_vectors WHERE id IN (SELECT id FROM trash WHERE deleted_at < ?1)",
        [before],
    )?;
    Ok(tx.execute("DELETE FROM trash WHERE deleted_at < ?1", [before])? as u64)
}

const COLUMNS: &str =
    "id, kind, entity_id, target_id, went_with, transaction_id, deleted_at, actor, client, content";

pub fn get(tx: &ReadTx<'_>, id: &str) -> Result<Option<Discarded>> {
    if !exists(tx)? {
        return Ok(None);
    }
    let mut statement = tx.prepare_cached(&format!("SELECT {COLUMNS} FROM trash WHERE id = ?1"))?;
    Ok(statement.query_row([id], read).optional()?)
}

/// What was deleted by itself since a time, the newest first.
pub fn list(tx: &ReadTx<'_>, since: Timestamp, limit: u32) -> Result<Vec<Discarded>> {
    if !exists(tx)? {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM trash WHERE went_with IS NULL AND deleted_at >= ?1 ORDER BY deleted_at DESC, id DESC LIMIT ?2"
    );
    collect(tx, &sql, params![since, limit])
}

/// How many things were deleted by themselves since a time.
pub fn count(tx: &ReadTx<'_>, since: Timestamp) -> Result<u64> {
    if !exists(tx)? {
        return Ok(0);
    }
    let mut statement =
        tx.prepare_cached("SELECT count(*) FROM trash WHERE went_with IS NULL AND deleted_at >= ?1")?;
    Ok(statement.query_row([since], |row| row.get::<_, i64>(0))? as u64)
}

/// What went with an entity: its observations, and relationships that touch it, whichever of their ends
/// was deleted first.
pub fn hanging_on(tx: &ReadTx<'_>, entity_id: &str) -> Result<Vec<Discarded>> {
    if !exists(tx)? {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM trash WHERE went_with IS NOT NULL AND id <> ?1 AND (entity_id = ?1 OR target_id = ?1) ORDER BY id"
    );
    collect(tx, &sql, [entity_id])
}

/// Notes of what one transaction put in which went with which: single objects that hang on an entity that
/// went as well are found with that.
pub fn gather(tx: &WriteTx<'_>, transaction: &TransactionId) -> Result<()> {
    tx.prepare_cached(
        "UPDATE trash SET went_with = (
             SELECT e.id FROM trash e WHERE e.kind = 'entity' AND e.transaction_id = ?1 AND e.id IN (trash.entity_id, trash.target_id))
         WHERE transaction_id = ?1 AND kind <> 'entity' AND went_with IS NULL",
    )?
    .execute([transaction.as_str()])?;
    Ok(())
}

/// How many observations and relationships went with an entity.
pub fn tally(tx: &ReadTx<'_>, entity_id: &str) -> Result<(u64, u64)> {
    let mut statement = tx.prepare_cached(
        "SELECT ifnull(sum(kind = 'observation'), 0), ifnull(sum(kind = 'relationship'), 0)
         FROM trash WHERE went_with IS NOT NULL AND (entity_id = ?1 OR target_id = ?1)",
    )?;
    Ok(statement
        .query_row([entity_id], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)))?)
}

/// Every object in the trash.
pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(Discarded)) -> Result<()> {
    if !exists(tx)? {
        return Ok(());
    }
    let mut statement = tx.prepare_cached(&format!("SELECT {COLUMNS} FROM trash ORDER BY id"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(read(row)?);
    }
    Ok(())
}

/// A file of an older format that may only be read has none.
fn exists(tx: &ReadTx<'_>) -> Result<bool> {
    Ok(tx
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'trash')",
        )?
        .query_row([], |row| row.get(0))?)
}

fn text_index(kind: ObjectKind) -> Option<TextIndex> {
    match kind {
        ObjectKind::Entity => Some(TextIndex::Entities),
        ObjectKind::Observation => Some(TextIndex::Observations),
        ObjectKind::Relationship | ObjectKind::Pin => None,
    }
}

fn rid_of(tx: &WriteTx<'_>, which: TextIndex, id: &str) -> Result<Option<i64>> {
    let sql = match which {
        TextIndex::Entities => "SELECT rid FROM entities WHERE id = ?1",
        TextIndex::Observations => "SELECT rid FROM observations WHERE id = ?1",
    };
    Ok(tx.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
}

fn collect(tx: &ReadTx<'_>, sql: &str, parameters: impl rusqlite::Params) -> Result<Vec<Discarded>> {
    let mut statement = tx.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Discarded> {
    let kind: String = row.get(1)?;
    let (actor, client): (String, String) = (row.get(7)?, row.get(8)?);
    Ok(Discarded {
        id: row.get(0)?,
        kind: match kind.as_str() {
            "relationship" => ObjectKind::Relationship,
            "observation" => ObjectKind::Observation,
            _ => ObjectKind::Entity,
        },
        entity_id: row.get(2)?,
        target_id: row.get(3)?,
        went_with: row.get(4)?,
        transaction: row.get(5)?,
        deleted_at: row.get(6)?,
        actor: Actor::from_label(&actor, &client),
        content: row.get(9)?,
    })
}
