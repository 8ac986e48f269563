//! Taking text out of the journal for good, and finding files that still hold it.
//!
//! A scrubbed side of a row becomes a tombstone: ids stay, so that the row can still be placed, and
//! nothing else does. The transaction is noted in `meta`: it cannot be taken back any more.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use gm_model::{Change, TransactionId};
use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};

use crate::connection::open_untouched;
use crate::error::{Error, Result};
use crate::{ReadTx, WriteTx};

const MARK: &str = "purged:";
/// Fields of a tombstone: ids, never text.
const KEPT: [&str; 4] = ["id", "entity_id", "source_id", "target_id"];

/// Replaces one or both sides of a journal row by tombstones.
pub fn scrub(tx: &WriteTx<'_>, change: &Change, before: bool, after: bool) -> Result<()> {
    let side = |value: &Option<Value>, scrubbed: bool| match value {
        Some(value) if scrubbed => Some(tombstone(value).to_string()),
        Some(value) => Some(value.to_string()),
        None => None,
    };
    tx.prepare_cached("UPDATE journal SET before = ?2, after = ?3 WHERE seq = ?1")?.execute(params![
        change.seq,
        side(&change.before, before),
        side(&change.after, after)
    ])?;
    tx.prepare_cached("INSERT INTO meta (key, value) VALUES (?1, '1') ON CONFLICT DO NOTHING")?
        .execute([format!("{MARK}{}", change.transaction)])?;
    Ok(())
}

fn tombstone(value: &Value) -> Value {
    let mut kept = Map::new();
    kept.insert(gm_model::change::PURGED.into(), true.into());
    for field in KEPT {
        if let Some(id) = value.get(field) {
            kept.insert(field.into(), id.clone());
        }
    }
    Value::Object(kept)
}

/// Takes out what else may hold a secret: counts of types that none has any more, and what clients called
/// themselves.
pub fn tidy(tx: &WriteTx<'_>, texts: &[String]) -> Result<()> {
    tx.execute("DELETE FROM counters WHERE n = 0 AND key <> ''", [])?;
    for text in texts {
        tx.execute("UPDATE transactions SET client = '' WHERE instr(client, ?1) > 0", [text])?;
    }
    Ok(())
}

/// Whether text of this transaction was purged.
pub fn is_purged(tx: &ReadTx<'_>, transaction: &TransactionId) -> Result<bool> {
    let found = tx
        .prepare_cached("SELECT 1 FROM meta WHERE key = ?1")?
        .query_row([format!("{MARK}{transaction}")], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

/// Whether a file that is not open in this process holds one of some texts. A database is asked
/// value by value, since its pages may cut a text in two; any other file is read.
pub fn holds(path: &Path, texts: &[String]) -> Result<bool> {
    if holds_bytes(path, texts)? {
        return Ok(true);
    }
    match open_untouched(path).and_then(|connection| holds_values(&connection, texts)) {
        // No database, or a damaged one: its bytes are all there is.
        Err(Error::NotAGraph { .. } | Error::Damaged { .. } | Error::Sqlite { .. }) => Ok(false),
        outcome => outcome,
    }
}

fn holds_bytes(path: &Path, texts: &[String]) -> Result<bool> {
    const PIECE: usize = 1 << 20;
    let overlap = texts.iter().map(String::len).max().unwrap_or(0);
    let mut file = File::open(path).map_err(Error::io(path))?;
    let mut window: Vec<u8> = Vec::with_capacity(PIECE + overlap);
    loop {
        // What a text may have begun in stays before the next piece.
        let keep = window.len().saturating_sub(overlap);
        window.drain(..keep);
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut window).map_err(Error::io(path))?;
        if read == 0 {
            return Ok(false);
        }
        if texts.iter().any(|text| contains(&window, text.as_bytes())) {
            return Ok(true);
        }
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else { return false };
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| byte == first) {
        at += found + 1;
        if bytes[at..].starts_with(rest) {
            return true;
        }
    }
    false
}

fn holds_values(connection: &rusqlite::Connection, texts: &[String]) -> Result<bool> {
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")?;
    let names: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for name in names {
        let mut statement =
            connection.prepare(&format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))?;
        let n_columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..n_columns {
                let value = match row.get_ref(column)? {
                    rusqlite::types::ValueRef::Text(bytes) | rusqlite::types::ValueRef::Blob(bytes) => bytes,
                    _ => continue,
                };
                if texts.iter().any(|text| contains(value, text.as_bytes())) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
