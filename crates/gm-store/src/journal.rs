//! The `journal`, `transactions` and `undo_links` tables.

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

/// Every row with what it shares with the others of its transaction.
const ROWS: &str = "SELECT j.seq, t.id, t.time, t.actor, t.client, t.operation, j.object_kind, j.object_id, j.before, j.after
     FROM journal j JOIN transactions t ON t.first_seq = j.first_seq";
/// The rows of the transaction with the id `?1`.
const OF_TRANSACTION: &str = "j.seq BETWEEN (SELECT first_seq FROM transactions WHERE id = ?1)
     AND (SELECT last_seq FROM transactions WHERE id = ?1)";

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

/// Adds a row; `before` and `after` are the object as JSON.
pub fn append(
    tx: &WriteTx<'_>,
    stamp: &Stamp,
    kind: ObjectKind,
    object_id: &str,
    before: Option<&str>,
    after: Option<&str>,
) -> Result<i64> {
    let (first_seq, seq) = tx.next_row(&stamp.transaction)?;
    if seq == first_seq {
        tx.prepare_cached(
            "INSERT INTO transactions (first_seq, last_seq, id, time, actor, client, operation)
             VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            first_seq,
            stamp.transaction.as_str(),
            stamp.time,
            stamp.actor.to_string(),
            stamp.actor.client,
            stamp.operation,
        ])?;
    }
    tx.prepare_cached(
        "INSERT INTO journal (seq, first_seq, object_kind, object_id, before, after) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        seq,
        first_seq,
        kind.as_str(),
        object_id,
        before,
        after,
    ])?;
    Ok(seq)
}

/// Notes where a transaction ended.
pub(crate) fn close(tx: &WriteTx<'_>, first_seq: i64, last_seq: i64) -> Result<()> {
    tx.prepare_cached("UPDATE transactions SET last_seq = ?2 WHERE first_seq = ?1")?
        .execute([first_seq, last_seq])?;
    Ok(())
}

/// Transactions and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    pub transactions: u64,
    pub rows: u64,
}

/// What was written before a time. The journal is cut at its beginning alone, so that what is left
/// has no gaps: a clock that went back keeps earlier transactions.
pub fn written_before(tx: &ReadTx<'_>, time: Timestamp) -> Result<Extent> {
    let first_kept = first_since(tx, time)?;
    Ok(tx
        .prepare_cached(
            "SELECT count(*), ifnull(sum(last_seq - first_seq + 1), 0) FROM transactions WHERE first_seq < ?1",
        )?
        .query_row([first_kept], |row| {
            let n = |column| row.get::<_, i64>(column).map(|n| n as u64);
            Ok(Extent { transactions: n(0)?, rows: n(1)? })
        })?)
}

/// Forgets what was written before a time; sequence numbers are not given again.
pub fn trim(tx: &WriteTx<'_>, time: Timestamp) -> Result<Extent> {
    let extent = written_before(&tx.as_read(), time)?;
    let first_kept = first_since(&tx.as_read(), time)?;
    for sql in [
        "DELETE FROM undo_links WHERE transaction_id IN (SELECT id FROM transactions WHERE first_seq < ?1)",
        "DELETE FROM meta WHERE key IN (SELECT 'purged:' || id FROM transactions WHERE first_seq < ?1)",
        "DELETE FROM journal WHERE seq < ?1",
        "DELETE FROM transactions WHERE first_seq < ?1",
    ] {
        tx.prepare_cached(sql)?.execute([first_kept])?;
    }
    Ok(extent)
}

/// Number of the first row since a time, or one that no row has yet.
fn first_since(tx: &ReadTx<'_>, time: Timestamp) -> Result<i64> {
    let first: Option<i64> = tx
        .prepare_cached("SELECT min(first_seq) FROM transactions WHERE time >= ?1")?
        .query_row([time], |row| row.get(0))?;
    first.map_or_else(|| Ok(head(tx)? + 1), Ok)
}

/// Rows after `seq`, oldest first.
pub fn since(tx: &ReadTx<'_>, seq: i64, limit: u32) -> Result<Vec<Change>> {
    collect(tx, &format!("{ROWS} WHERE j.seq > ?1 ORDER BY j.seq LIMIT ?2"), params![seq, limit])
}

pub fn of_transaction(tx: &ReadTx<'_>, transaction: &TransactionId) -> Result<Vec<Change>> {
    collect(tx, &format!("{ROWS} WHERE {OF_TRANSACTION} ORDER BY j.seq"), params![transaction.as_str()])
}

/// The first rows of a transaction about entities, or else about anything.
pub fn first_of_transaction(tx: &ReadTx<'_>, transaction: &TransactionId, limit: u32) -> Result<Vec<Change>> {
    let sql = format!("{ROWS} WHERE {OF_TRANSACTION} AND j.object_kind = 'entity' ORDER BY j.seq LIMIT ?2");
    let entities = collect(tx, &sql, params![transaction.as_str(), limit])?;
    if !entities.is_empty() {
        return Ok(entities);
    }
    let sql = format!("{ROWS} WHERE {OF_TRANSACTION} ORDER BY j.seq LIMIT ?2");
    collect(tx, &sql, params![transaction.as_str(), limit])
}

/// The newest row about one object.
pub fn latest_of_object(tx: &ReadTx<'_>, object_id: &str) -> Result<Option<Change>> {
    let sql = format!("{ROWS} WHERE j.object_id = ?1 ORDER BY j.seq DESC LIMIT 1");
    tx.prepare_cached(&sql)?.query_row([object_id], |row| Ok(read(row))).optional()?.transpose()
}

/// Every row that is about one object or names it, such as those of an entity's observations,
/// oldest first. Reads the whole journal.
pub fn about(tx: &ReadTx<'_>, id: &str) -> Result<Vec<Change>> {
    collect(
        tx,
        &format!("{ROWS} WHERE j.object_id = ?1 OR instr(j.before, ?1) OR instr(j.after, ?1) ORDER BY j.seq"),
        [id],
    )
}

/// Rows by which entities were deleted, newest first.
pub fn deleted_entities(tx: &ReadTx<'_>, mut visit: impl FnMut(Change) -> bool) -> Result<()> {
    let sql = format!("{ROWS} WHERE j.object_kind = 'entity' AND j.after IS NULL ORDER BY j.seq DESC");
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
    let mut statement = tx.prepare_cached(&format!(
        "SELECT object_kind, sum(before IS NULL), sum(before IS NOT NULL AND after IS NOT NULL), sum(after IS NULL)
         FROM journal j WHERE {OF_TRANSACTION} GROUP BY object_kind"
    ))?;
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
    let mut statement = tx.prepare_cached(
        "SELECT t.id, t.first_seq, t.last_seq, t.time, t.actor, t.client, t.operation,
            (SELECT l.transaction_id FROM undo_links l WHERE l.undoes = t.id
             AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = l.transaction_id) LIMIT 1)
         FROM transactions t WHERE t.first_seq < ?1 ORDER BY t.first_seq DESC LIMIT ?2",
    )?;
    let rows = statement.query_map(params![before.unwrap_or(i64::MAX), limit], |row| {
        let (first_seq, last_seq): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(TransactionRow {
            transaction: TransactionId::from_string(row.get::<_, String>(0)?),
            first_seq,
            last_seq,
            time: row.get(3)?,
            actor: Actor::from_label(&row.get::<_, String>(4)?, &row.get::<_, String>(5)?),
            operation: row.get(6)?,
            changes: (last_seq - first_seq + 1) as u64,
            undone_by: row.get(7)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The transaction that took one back and still stands.
pub fn taken_back_by(tx: &ReadTx<'_>, transaction: &TransactionId) -> Result<Option<String>> {
    let mut statement = tx.prepare_cached(
        "SELECT l.transaction_id FROM undo_links l WHERE l.undoes = ?1
         AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = l.transaction_id) LIMIT 1",
    )?;
    Ok(statement.query_row([transaction.as_str()], |row| row.get(0)).optional()?)
}

/// The newest own transaction that is neither an undo nor undone nor purged: what `undo` would
/// take back.
pub fn undoable(tx: &ReadTx<'_>, actor: &Actor) -> Result<Option<(TransactionId, String)>> {
    next(
        tx,
        "SELECT t.id, t.operation FROM transactions t
         WHERE t.actor = ?1
           AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'purged:' || t.id)
           AND NOT EXISTS (SELECT 1 FROM undo_links l WHERE l.transaction_id = t.id AND l.kind IN ('undo', 'redo'))
           AND NOT EXISTS (SELECT 1 FROM undo_links l WHERE l.undoes = t.id AND l.kind IN ('undo', 'revert')
                AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = l.transaction_id AND r.kind IN ('redo', 'revert')))
         ORDER BY t.first_seq DESC LIMIT 1",
        actor,
    )
}

/// The newest own undo that nothing own has been done since: what `redo` would bring back.
/// The operation told is that of the transaction the undo took back.
pub fn redoable(tx: &ReadTx<'_>, actor: &Actor) -> Result<Option<(TransactionId, String)>> {
    next(
        tx,
        "SELECT t.id, o.operation FROM transactions t
         JOIN undo_links u ON u.transaction_id = t.id AND u.kind = 'undo'
         JOIN transactions o ON o.id = u.undoes
         WHERE t.actor = ?1
           AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'purged:' || t.id)
           AND NOT EXISTS (SELECT 1 FROM undo_links r WHERE r.undoes = t.id AND r.kind = 'redo')
           AND NOT EXISTS (SELECT 1 FROM transactions later WHERE later.actor = ?1 AND later.first_seq > t.first_seq
                AND NOT EXISTS (SELECT 1 FROM undo_links k WHERE k.transaction_id = later.id AND k.kind IN ('undo', 'redo')))
         ORDER BY t.first_seq DESC LIMIT 1",
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
