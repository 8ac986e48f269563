//! Where a graph came from: what a database held when it was brought in, so that bringing the same
//! again is noticed.

use std::path::Path;

use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

use crate::connection::open_untouched;
use crate::recognise::meta_value;
use crate::{Result, WriteTx};

/// The columns that graph-mem 1.0 and ours share.
const CONTENT: [&str; 3] = [
    "SELECT id, name, entity_type, description, properties, created_at, updated_at FROM entities ORDER BY id",
    "SELECT id, source_id, target_id, relationship_type, weight, properties, created_at, updated_at
     FROM relationships ORDER BY id",
    "SELECT id, entity_id, content, source, created_at FROM observations ORDER BY id",
];

/// SHA-256 of what a database holds, whatever its pages look like; the file stays as it is.
pub fn content_digest(path: &Path) -> Result<String> {
    let connection = open_untouched(path)?;
    let mut digest = Sha256::new();
    for sql in CONTENT {
        let mut statement = connection.prepare(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                put(&mut digest, row.get_ref(column)?);
            }
        }
        digest.update([0xff]);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A value with its kind and length, so that no two rows read alike.
fn put(digest: &mut Sha256, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => digest.update([0]),
        ValueRef::Integer(n) => {
            digest.update([1]);
            digest.update(n.to_le_bytes());
        }
        ValueRef::Real(n) => {
            digest.update([2]);
            digest.update(n.to_le_bytes());
        }
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            digest.update([3]);
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
    }
}

/// What the graph of a file was made from, if it was brought in.
pub fn of(path: &Path) -> Result<Option<String>> {
    meta_value(&open_untouched(path)?, "origin")
}

/// Notes what a graph was made from.
pub fn set(tx: &WriteTx<'_>, digest: &str) -> Result<()> {
    tx.execute(
        "INSERT INTO meta (key, value) VALUES ('origin', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [digest],
    )?;
    Ok(())
}
