//! The `journal` and `undo_links` tables.

use gm_model::{Actor, Change, ObjectKind, Timestamp, TransactionId};
use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use crate::{Error, ReadTx, Result, WriteTx};

/// What every row of one transaction shares.
#[derive(Debug, Clone)]
pub struct Stamp {
    pub transaction: TransactionId,
    pub time: Timestamp,
    pub actor: Actor,
    pub operation: String,
}

/// One transaction of the journal, in brief.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactionRow {
    pub transaction: TransactionId,
    pub first_seq: i64,
    pub last_seq: i64,
    pub time: Timestamp,
    pub actor: Actor,
    pub operation: String,
    pub changes: u64,
    /// The transaction that took this one back and still stands.
    pub undone_by: Option<String>,
}

/// How one transaction relates to the one it takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    Undo,
    Redo,
    Revert,
}

impl LinkKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Revert => "revert",
        }
    }
}

const COLUMNS: &str =
    "seq, transaction_id, time, actor, client, operation, object_kind, object_id, before, after";

/// The newest sequence number ever given, also if its row was trimmed since.
pub fn head(tx: &ReadTx<'_>) -> Result<i64> {
    let head: Option<i64> = tx
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'journal'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(head.unwrap_or(0))
}

/// The oldest row still kept; `None` when the journal is empty.
pub fn tail(tx: &ReadTx<'_>) -> Result<Option<i64>> {
    Ok(tx.prepare_cached("SELECT min(seq) FROM journal")?.query_row([], |row| row.get(0))?)
}

pub fn append(
    tx: &WriteTx<'_>,
    stamp: &Stamp,
    kind: ObjectKind,
    object_id: &str,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Result<i64> {
    tx.prepare_cached(
        "INSERT INTO journal (transaction_id, time, actor, client, operation, object_kind, object_id, before, after)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        stamp.transaction.as_str(),
        stamp.time,
        stamp.actor.to_string(),
        stamp.actor.client,
        stamp.operation,
        kind.as_str(),
        object_id,
        before.map(Value::to_string),
        after.map(Value::to_string),
    ])?;
    Ok(tx.last_insert_rowid())
}

/// Rows after `seq`, oldest first.
pub fn since(tx: &ReadTx<'_>, seq: i64, limit: u32) -> Result<Vec<Change>> {
    collect(
        tx,
        &format!("SELECT {COLUMNS} FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2"),
        params![seq, limit],
    )
}

pub fn of_transaction(tx: &ReadTx<'_>, transaction: &TransactionId) -> Result<Vec<Change>> {
    collect(
        tx,
        &format!("SELECT {COLUMNS} FROM journal WHERE transaction_id = ?1 ORDER BY seq"),
        params![transaction.as_str()],
    )
}

/// The first rows of a transaction about entities, or else about anything.
pub fn first_of_transaction(tx: &ReadTx<'_>, transaction: &TransactionId, limit: u32) -> Result<Vec<Change>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM journal WHERE transaction_id = ?1 AND object_kind = 'entity' ORDER BY seq LIMIT ?2"
    );
    let entities = collect(tx, &sql, params![transaction.as_str(), limit])?;
    if !entities.is_empty() {
        return Ok(entities);
    }
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE transaction_id = ?1 ORDER BY seq LIMIT ?2");
    collect(tx, &sql, params![transaction.as_str(), limit])
}

/// The newest row about one object.
pub fn latest_of_object(tx: &ReadTx<'_>, object_id: &str) -> Result<Option<Change>> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE object_id = ?1 ORDER BY seq DESC LIMIT 1");
    tx.prepare_cached(&sql)?.query_row([object_id], |row| Ok(read(row))).optional()?.transpose()
}

/// Every row that is about one object or names it, such as those of an entity's observations,
/// oldest first. Reads the whole journal.
pub fn about(tx: &ReadTx<'_>, id: &str) -> Result<Vec<Change>> {
    collect(
        tx,
        &format!(
            "SELECT {COLUMNS} FROM journal WHERE object_id = ?1 OR instr(before, ?1) OR instr(after, ?1) ORDER BY seq"
        ),
        [id],
    )
}

/// Rows by which entities were deleted, newest first.
pub fn deleted_entities(tx: &ReadTx<'_>, mut visit: impl FnMut(Change) -> bool) -> Result<()> {
    let sql = format!(
        "SELECT {COLUMNS} FROM journal WHERE object_kind = 'entity' AND after IS NULL ORDER BY seq DESC"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if !visit(read(row)?) {
            break;
        }
    }
    Ok(())
}

/// How many objects of a kind one transaction made, changed and deleted.
pub fn tally(tx: &ReadTx<'_>, transaction: &TransactionId) -> Result<Vec<(ObjectKind, [u64; 3])>> {
    let mut statement = tx.prepare_cached(
        "SELECT object_kind, sum(before IS NULL), sum(before IS NOT NULL AND after IS NOT NULL), sum(after IS NULL)
         FROM journal WHERE transaction_id = ?1 GROUP BY object_kind",
    )?;
    let rows = statement.query_map([transaction.as_str()], |row| {
        let n = |column| row.get::<_, i64>(column).map(|n| n as u64);
        Ok((row.get::<_, String>(0)?, [n(1)?, n(2)?, n(3)?]))
    })?;
    let mut found = Vec::new();
    for row in rows {
        let (kind, counts) = row?;
        found.extend(ObjectKind::parse(&kind).map(|kind| (kind, counts)));
    }
    Ok(found)
}

/// The newest transactions first; `before` (a sequence number) continues a listing. A
/// transaction's rows stand together, since a file has one writer at a time.
pub fn transactions(tx: &ReadTx<'_>, before: Option<i64>, limit: u32) -> Result<Vec<TransactionRow>> {
    let mut newest = tx.prepare_cached(
        "SELECT seq, transaction_id, time, actor, client, operation FROM journal WHERE seq < ?1 ORDER BY seq DESC LIMIT 1",
    )?;
    let mut extent = tx.prepare_cached("SELECT min(seq), count(*) FROM journal WHERE transaction_id = ?1")?;
    let mut undone = tx.prepare_cached(
        "SELECT l.transaction_id FROM undo_links l WHERE l.undoes = ?1
         AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = l.transaction_id) LIMIT 1",
    )?;
    let mut found = Vec::new();
    let mut below = before.unwrap_or(i64::MAX);
    while found.len() < limit as usize {
        let row = newest
            .query_row([below], |row| {
                let id: String = row.get(1)?;
                Ok(TransactionRow {
                    transaction: TransactionId::from_string(id),
                    first_seq: 0,
                    last_seq: row.get(0)?,
                    time: row.get(2)?,
                    actor: Actor::from_label(&row.get::<_, String>(3)?, &row.get::<_, String>(4)?),
                    operation: row.get(5)?,
                    changes: 0,
                    undone_by: None,
                })
            })
            .optional()?;
        let Some(mut row) = row else { break };
        (row.first_seq, row.changes) =
            extent.query_row([row.transaction.as_str()], |r| Ok((r.get(0)?, r.get::<_, i64>(1)? as u64)))?;
        row.undone_by = undone.query_row([row.transaction.as_str()], |r| r.get(0)).optional()?;
        below = row.first_seq;
        found.push(row);
    }
    Ok(found)
}

/// The newest own transaction that is neither an undo nor undone nor purged: what `undo` would
/// take back.
pub fn undoable(tx: &ReadTx<'_>, actor: &Actor) -> Result<Option<(TransactionId, String)>> {
    next(
        tx,
        "SELECT j.transaction_id, j.operation FROM journal j
         WHERE j.actor = ?1
           AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'purged:' || j.transaction_id)
           AND NOT EXISTS (SELECT 1 FROM undo_links l WHERE l.transaction_id = j.transaction_id AND l.kind = 'undo')
           AND NOT EXISTS (SELECT 1 FROM undo_links l WHERE l.undoes = j.transaction_id AND l.kind IN ('undo', 'revert')
                AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = l.transaction_id AND r.kind IN ('redo', 'revert')))
           AND NOT EXISTS (SELECT 1 FROM undo_links l WHERE l.transaction_id = j.transaction_id AND l.kind = 'redo')
         ORDER BY j.seq DESC LIMIT 1",
        actor,
    )
}

/// The newest own undo that nothing own has been done since: what `redo` would bring back.
/// The operation told is that of the transaction the undo took back.
pub fn redoable(tx: &ReadTx<'_>, actor: &Actor) -> Result<Option<(TransactionId, String)>> {
    next(
        tx,
        "SELECT j.transaction_id, (SELECT o.operation FROM journal o WHERE o.transaction_id = u.undoes LIMIT 1)
         FROM journal j JOIN undo_links u ON u.transaction_id = j.transaction_id AND u.kind = 'undo'
         WHERE j.actor = ?1
           AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'purged:' || j.transaction_id)
           AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = j.transaction_id AND r.kind = 'redo')
           AND NOT EXISTS (SELECT 1 FROM journal later WHERE later.actor = ?1 AND later.seq > j.seq
                AND NOT EXISTS (SELECT 1 FROM undo_links k WHERE k.transaction_id = later.transaction_id AND k.kind IN ('undo', 'redo')))
         ORDER BY j.seq DESC LIMIT 1",
        actor,
    )
}

/// Notes that one transaction takes back another.
pub fn link(
    tx: &WriteTx<'_>,
    transaction: &TransactionId,
    undoes: &TransactionId,
    kind: LinkKind,
) -> Result<()> {
    tx.prepare_cached("INSERT INTO undo_links (transaction_id, undoes, kind) VALUES (?1, ?2, ?3)")?
        .execute([transaction.as_str(), undoes.as_str(), kind.as_str()])?;
    Ok(())
}

fn next(tx: &ReadTx<'_>, sql: &str, actor: &Actor) -> Result<Option<(TransactionId, String)>> {
    let found = tx
        .prepare_cached(sql)?
        .query_row([actor.to_string()], |row| {
            Ok((TransactionId::from_string(row.get::<_, String>(0)?), row.get::<_, String>(1)?))
        })
        .optional()?;
    Ok(found)
}

fn collect(tx: &ReadTx<'_>, sql: &str, parameters: impl rusqlite::Params) -> Result<Vec<Change>> {
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Change> {
    let seq: i64 = row.get(0)?;
    let corrupt = || Error::Corrupt { kind: "journal row", id: seq.to_string() };
    let value = |column: usize| -> Result<Option<Value>> {
        let text: Option<String> = row.get(column)?;
        text.map(|t| serde_json::from_str(&t).map_err(|_| corrupt())).transpose()
    };
    Ok(Change {
        seq,
        transaction: TransactionId::from_string(row.get::<_, String>(1)?),
        time: row.get(2)?,
        actor: Actor::from_label(&row.get::<_, String>(3)?, &row.get::<_, String>(4)?),
        operation: row.get(5)?,
        kind: ObjectKind::parse(&row.get::<_, String>(6)?).ok_or_else(corrupt)?,
        object_id: row.get(7)?,
        before: value(8)?,
        after: value(9)?,
    })
}
