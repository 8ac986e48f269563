//! Vectors of texts, which of them are still wanted, and the log of their changes.
//!
//! A file that has an embedding model wants a vector for every entity and every observation. Whoever
//! writes a text notes in the same transaction that its vector is wanted, and takes the old one away;
//! making vectors is for later, and for anybody who has the model.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::recognise::meta_value;
use crate::search::TextIndex;
use crate::{ReadTx, Result, WriteTx};

const MODEL: &str = "embedding_model";
/// Rows of the log that are kept: an index that is further behind is made anew.
const LOG_ROWS: i64 = 50_000;
/// More texts than this without a vector are not counted for an answer.
const COUNTED: i64 = 10_000;
/// A text that failed so often is left alone until its text changes or all are made anew.
pub const MOST_FAILURES: u32 = 3;

/// The model whose vectors a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileModel {
    pub id: String,
    pub revision: String,
    pub dimension: usize,
    /// Counts how often the vectors were begun anew.
    pub epoch: u64,
}

/// One part of a text as a vector: each number is `scale` times a byte.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub scale: f32,
    pub bytes: Vec<i8>,
}

/// A text without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub which: TextIndex,
    pub rid: i64,
    pub failures: u32,
    /// Of the entity, or of the one that the observation is about.
    pub name: String,
    pub entity_type: String,
    /// The description, or what the observation says.
    pub text: String,
}

/// How far the vectors of a file are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub wanted: u64,
    /// Of those, the ones that failed too often.
    pub failed: u64,
}

/// A row that can be read as a vector: damaged ones are passed over, and found by `validate`.
pub(crate) const SOUND: &str =
    "typeof(vector) = 'blob' AND typeof(scale) = 'real' AND scale > 0.0 AND scale <= 1.0";

pub(crate) fn kind(which: TextIndex) -> i64 {
    match which {
        TextIndex::Entities => 0,
        TextIndex::Observations => 1,
    }
}

fn which(kind: i64) -> TextIndex {
    if kind == 0 { TextIndex::Entities } else { TextIndex::Observations }
}

/// The model of the file; `None` where nobody has made vectors yet.
pub fn model(tx: &ReadTx<'_>) -> Result<Option<FileModel>> {
    Ok(meta_value(tx, MODEL)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Gives the file a model: vectors of another go, and every text wants one.
pub fn begin_anew(tx: &WriteTx<'_>, id: &str, revision: &str, dimension: usize) -> Result<FileModel> {
    let epoch = model(&tx.as_read())?.map_or(0, |model| model.epoch) + 1;
    let model = FileModel { id: id.into(), revision: revision.into(), dimension, epoch };
    let text = serde_json::to_string(&model).expect("a model is plain data");
    tx.execute_batch(
        "DELETE FROM vectors; DELETE FROM vectors_wanted;
         INSERT INTO vectors_wanted (kind, rid) SELECT 0, rid FROM entities;
         INSERT INTO vectors_wanted (kind, rid) SELECT 1, rid FROM observations;",
    )?;
    tx.execute(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        params![MODEL, text],
    )?;
    tx.forget_vector_state();
    Ok(model)
}

/// A text is new.
pub(crate) fn note_new(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    if tx.wants_vectors()? {
        want(tx, which, rid)?;
    }
    Ok(())
}

/// A text has changed.
pub(crate) fn note_changed(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    if tx.wants_vectors()? {
        remove(tx, which, rid)?;
        want(tx, which, rid)?;
    }
    Ok(())
}

/// The name of an entity has changed, which the vectors of its observations know too.
pub(crate) fn note_renamed(tx: &WriteTx<'_>, entity_id: &str) -> Result<()> {
    if !tx.wants_vectors()? {
        return Ok(());
    }
    let rids: Vec<i64> = {
        let mut statement = tx.prepare_cached("SELECT rid FROM observations WHERE entity_id = ?1")?;
        let rids = statement.query_map([entity_id], |row| row.get(0))?;
        rids.collect::<rusqlite::Result<_>>()?
    };
    rids.into_iter().try_for_each(|rid| note_changed(tx, TextIndex::Observations, rid))
}

/// A text is gone.
pub(crate) fn note_gone(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    if tx.wants_vectors()? {
        remove(tx, which, rid)?;
        tx.prepare_cached("DELETE FROM vectors_wanted WHERE kind = ?1 AND rid = ?2")?
            .execute(params![kind(which), rid])?;
    }
    Ok(())
}

fn want(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO vectors_wanted (kind, rid) VALUES (?1, ?2)")?
        .execute(params![kind(which), rid])?;
    Ok(())
}

fn remove(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    let removed = tx
        .prepare_cached("DELETE FROM vectors WHERE kind = ?1 AND rid = ?2")?
        .execute(params![kind(which), rid])?;
    if removed > 0 { log(tx, which, rid) } else { Ok(()) }
}

fn log(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    tx.prepare_cached("INSERT INTO vector_log (kind, rid) VALUES (?1, ?2)")?
        .execute(params![kind(which), rid])?;
    Ok(())
}

const WANTED: &str =
    "SELECT w.kind, w.rid, w.failures, e.name, e.entity_type, ifnull(o.content, e.description)
     FROM vectors_wanted w
     LEFT JOIN observations o ON w.kind = 1 AND o.rid = w.rid
     JOIN entities e ON e.rid = CASE w.kind WHEN 1 THEN o.entity_rid ELSE w.rid END";

/// The first texts that want a vector and have not failed too often, observations and entities alike.
pub fn wanted(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<Wanted>> {
    let mut statement =
        tx.prepare_cached(&format!("{WANTED} WHERE w.failures < ?1 ORDER BY w.kind, w.rid LIMIT ?2"))?;
    let rows = statement.query_map(params![MOST_FAILURES, limit], read_wanted)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// What a row that wants a vector says now; `None` if it wants none, or is gone.
pub fn wanted_row(tx: &ReadTx<'_>, which: TextIndex, rid: i64) -> Result<Option<Wanted>> {
    let mut statement = tx.prepare_cached(&format!("{WANTED} WHERE w.kind = ?1 AND w.rid = ?2"))?;
    Ok(statement.query_row(params![kind(which), rid], read_wanted).optional()?)
}

fn read_wanted(row: &rusqlite::Row<'_>) -> rusqlite::Result<Wanted> {
    Ok(Wanted {
        which: which(row.get(0)?),
        rid: row.get(1)?,
        failures: row.get(2)?,
        name: row.get(3)?,
        entity_type: row.get(4)?,
        text: row.get(5)?,
    })
}

/// Stores the vectors of a text, which then wants none.
pub fn put(tx: &WriteTx<'_>, which: TextIndex, rid: i64, parts: &[Part]) -> Result<()> {
    tx.prepare_cached("DELETE FROM vectors WHERE kind = ?1 AND rid = ?2")?
        .execute(params![kind(which), rid])?;
    for (part, Part { scale, bytes }) in parts.iter().enumerate() {
        let bytes: Vec<u8> = bytes.iter().map(|byte| byte.cast_unsigned()).collect();
        tx.prepare_cached(
            "INSERT INTO vectors (kind, rid, part, scale, vector) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![kind(which), rid, part as i64, f64::from(*scale), bytes])?;
    }
    tx.prepare_cached("DELETE FROM vectors_wanted WHERE kind = ?1 AND rid = ?2")?
        .execute(params![kind(which), rid])?;
    log(tx, which, rid)
}

/// Notes that no vector could be made of a text.
pub fn put_failure(tx: &WriteTx<'_>, which: TextIndex, rid: i64) -> Result<()> {
    tx.prepare_cached("UPDATE vectors_wanted SET failures = failures + 1 WHERE kind = ?1 AND rid = ?2")?
        .execute(params![kind(which), rid])?;
    Ok(())
}

/// Forgets the oldest rows of the log.
pub fn trim_log(tx: &WriteTx<'_>) -> Result<()> {
    let newest = log_head(&tx.as_read())?;
    tx.prepare_cached("DELETE FROM vector_log WHERE seq <= ?1")?.execute([newest - LOG_ROWS])?;
    Ok(())
}

/// The newest row of the log.
pub fn log_head(tx: &ReadTx<'_>) -> Result<i64> {
    Ok(tx.prepare_cached("SELECT ifnull(max(seq), 0) FROM vector_log")?.query_row([], |row| row.get(0))?)
}

/// Rows whose vectors changed after a row of the log; `None` if the log does not go back so far.
pub fn changed_since(tx: &ReadTx<'_>, seq: i64) -> Result<Option<Vec<(TextIndex, i64)>>> {
    let oldest: Option<i64> =
        tx.prepare_cached("SELECT min(seq) FROM vector_log")?.query_row([], |row| row.get(0))?;
    if oldest.is_some_and(|oldest| oldest > seq + 1) {
        return Ok(None);
    }
    let mut statement =
        tx.prepare_cached("SELECT DISTINCT kind, rid FROM vector_log WHERE seq > ?1 ORDER BY kind, rid")?;
    let rows = statement.query_map([seq], |row| Ok((which(row.get(0)?), row.get(1)?)))?;
    Ok(Some(rows.collect::<rusqlite::Result<_>>()?))
}

/// The vectors of one row, with the row of the entity it is about; `None` if the row is gone.
pub fn of_row(tx: &ReadTx<'_>, which: TextIndex, rid: i64) -> Result<Option<(i64, Vec<Part>)>> {
    let entity_rid = match which {
        TextIndex::Entities => Some(rid),
        TextIndex::Observations => tx
            .prepare_cached("SELECT entity_rid FROM observations WHERE rid = ?1")?
            .query_row([rid], |row| row.get(0))
            .optional()?,
    };
    let Some(entity_rid) = entity_rid else { return Ok(None) };
    let mut statement = tx.prepare_cached(&format!(
        "SELECT scale, vector FROM vectors WHERE kind = ?1 AND rid = ?2 AND {SOUND} ORDER BY part"
    ))?;
    let parts = statement.query_map(params![kind(which), rid], |row| {
        Ok(Part { scale: row.get::<_, f64>(0)? as f32, bytes: signed(row.get_ref(1)?.as_blob()?) })
    })?;
    Ok(Some((entity_rid, parts.collect::<rusqlite::Result<_>>()?)))
}

/// Every vector with its row and the row of the entity it is about.
pub fn each(tx: &ReadTx<'_>, mut visit: impl FnMut(TextIndex, i64, i64, f32, &[u8])) -> Result<()> {
    for sql in [
        format!("SELECT 0, rid, rid, scale, vector FROM vectors WHERE kind = 0 AND {SOUND} ORDER BY rid, part"),
        format!(
            "SELECT 1, v.rid, o.entity_rid, v.scale, v.vector FROM vectors v JOIN observations o ON o.rid = v.rid
             WHERE v.kind = 1 AND {SOUND} ORDER BY v.rid, v.part"
        ),
    ] {
        let mut statement = tx.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?;
            visit(which(row.get(0)?), row.get(1)?, row.get(2)?, row.get::<_, f64>(3)? as f32, bytes);
        }
    }
    Ok(())
}

fn signed(bytes: &[u8]) -> Vec<i8> {
    bytes.iter().map(|byte| byte.cast_signed()).collect()
}

/// How far the vectors are.
pub fn progress(tx: &ReadTx<'_>) -> Result<Progress> {
    let (wanted, failed): (i64, i64) = tx
        .prepare_cached("SELECT count(*), ifnull(sum(failures >= ?1), 0) FROM vectors_wanted")?
        .query_row([MOST_FAILURES], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Progress { wanted: wanted as u64, failed: failed as u64 })
}

/// Texts whose vectors are still to come, counted no further than an answer needs to tell. A file without
/// a model, or of an older format, has none.
pub fn pending(tx: &ReadTx<'_>) -> Result<u64> {
    if model(tx)?.is_none() {
        return Ok(0);
    }
    let count: i64 = tx
        .prepare_cached("SELECT count(*) FROM (SELECT 1 FROM vectors_wanted WHERE failures < ?1 LIMIT ?2)")?
        .query_row(params![MOST_FAILURES, COUNTED], |row| row.get(0))?;
    Ok(count as u64)
}

/// Whether a text has its vectors, or waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorState {
    /// The file has no model, or the object is not there.
    None,
    Pending,
    /// It failed too often, and is not tried again by itself.
    Failed,
    Ready,
}

impl VectorState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Ready => "ready",
        }
    }
}

/// How it is with the text of one object; of an entity, also with its observations'.
pub fn state_of(tx: &ReadTx<'_>, which: TextIndex, id: &str) -> Result<VectorState> {
    let (table, said) = match which {
        TextIndex::Entities => (
            "entities",
            "UNION ALL SELECT w.failures FROM observations o JOIN vectors_wanted w ON w.kind = 1 AND w.rid = o.rid WHERE o.entity_id = ?2",
        ),
        TextIndex::Observations => ("observations", ""),
    };
    let is_there: Option<i64> = tx
        .prepare_cached(&format!("SELECT 1 FROM {table} WHERE id = ?1"))?
        .query_row([id], |row| row.get(0))
        .optional()?;
    if is_there.is_none() {
        return Ok(VectorState::None);
    }
    let least: Option<u32> = tx
        .prepare_cached(&format!(
            "SELECT min(failures) FROM (
               SELECT w.failures FROM {table} t JOIN vectors_wanted w ON w.kind = ?1 AND w.rid = t.rid WHERE t.id = ?2 {said})"
        ))?
        .query_row(params![kind(which), id], |row| row.get(0))?;
    Ok(match least {
        None => VectorState::Ready,
        Some(failures) if failures < MOST_FAILURES => VectorState::Pending,
        Some(_) => VectorState::Failed,
    })
}

/// Ids of the objects whose texts failed too often: kind and id.
pub fn failed(tx: &ReadTx<'_>, limit: u32) -> Result<Vec<(TextIndex, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT w.kind, ifnull(o.id, e.id) FROM vectors_wanted w
         LEFT JOIN observations o ON w.kind = 1 AND o.rid = w.rid
         LEFT JOIN entities e ON w.kind = 0 AND e.rid = w.rid
         WHERE w.failures >= ?1 ORDER BY w.kind, w.rid LIMIT ?2",
    )?;
    let rows = statement.query_map(params![MOST_FAILURES, limit], |row| {
        Ok((which(row.get(0)?), row.get::<_, Option<String>>(1)?.unwrap_or_default()))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Lets texts that failed be tried again.
pub fn retry(tx: &WriteTx<'_>) -> Result<()> {
    tx.execute("UPDATE vectors_wanted SET failures = 0 WHERE failures > 0", [])?;
    Ok(())
}
