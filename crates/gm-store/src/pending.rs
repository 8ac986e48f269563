//! Changes of the text index, gathered while a transaction goes on.
//!
//! FTS5 keeps what it is told in memory until a savepoint or the commit, and then writes it as one
//! part. Statements with triggers, or of several rows, open savepoints: told row by row among them, it
//! would write, and later merge, a part for every row.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::search::TextIndex;
use crate::{Result, WriteTx};

/// Bytes of text after which what was gathered is written: an import must not hold all its texts.
const MOST_BYTES: usize = 8 << 20;

/// The indexed texts of a row: of an entity its name and body, of an observation its body alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts {
    pub name: String,
    pub body: String,
}

/// What the index holds of a row, and what it shall hold.
struct Change {
    before: Option<Texts>,
    after: Option<Texts>,
}

#[derive(Default)]
pub(crate) struct PendingTexts {
    changes: BTreeMap<(TextIndex, i64), Change>,
    bytes: usize,
}

/// Notes that a row's texts changed. `before` is what the table held, `None` for a new row: at a
/// row's first change in a transaction that is what the index holds.
pub(crate) fn note(
    tx: &WriteTx<'_>,
    index: TextIndex,
    rid: i64,
    before: Option<Texts>,
    after: Option<Texts>,
) -> Result<()> {
    let is_full = {
        let mut pending = tx.texts();
        pending.bytes += after.as_ref().map_or(0, |texts| texts.name.len() + texts.body.len());
        pending.changes.entry((index, rid)).or_insert(Change { before, after: None }).after = after;
        pending.bytes > MOST_BYTES
    };
    if is_full { write(tx) } else { Ok(()) }
}

/// Tells the index what was gathered.
pub(crate) fn write(tx: &WriteTx<'_>) -> Result<()> {
    let PendingTexts { changes, .. } = std::mem::take(&mut *tx.texts());
    for ((index, rid), change) in &changes {
        if change.before == change.after {
            continue;
        }
        if let Some(texts) = &change.before {
            remove(tx, *index, *rid, texts)?;
        }
        if let Some(texts) = &change.after {
            add(tx, *index, *rid, texts)?;
        }
    }
    Ok(())
}

fn add(tx: &WriteTx<'_>, index: TextIndex, rid: i64, texts: &Texts) -> Result<()> {
    match index {
        TextIndex::Entities => tx
            .prepare_cached("INSERT INTO entities_fts (rowid, search_name, search_body) VALUES (?1, ?2, ?3)")?
            .execute(params![rid, texts.name, texts.body])?,
        TextIndex::Observations => tx
            .prepare_cached("INSERT INTO observations_fts (rowid, search_text) VALUES (?1, ?2)")?
            .execute(params![rid, texts.body])?,
    };
    Ok(())
}

fn remove(tx: &WriteTx<'_>, index: TextIndex, rid: i64, texts: &Texts) -> Result<()> {
    match index {
        TextIndex::Entities => tx
            .prepare_cached(
                "INSERT INTO entities_fts (entities_fts, rowid, search_name, search_body) VALUES ('delete', ?1, ?2, ?3)",
            )?
            .execute(params![rid, texts.name, texts.body])?,
        TextIndex::Observations => tx
            .prepare_cached(
                "INSERT INTO observations_fts (observations_fts, rowid, search_text) VALUES ('delete', ?1, ?2)",
            )?
            .execute(params![rid, texts.body])?,
    };
    Ok(())
}
