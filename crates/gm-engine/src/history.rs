//! What happened to a graph, from its journal.

use gm_model::{Change, ObjectKind};
use gm_store::ReadTx;
use gm_store::journal::{self, TransactionRow};

use crate::Result;

/// The newest transactions first.
pub fn transactions(tx: &ReadTx<'_>, before: Option<i64>, limit: u32) -> Result<Vec<TransactionRow>> {
    Ok(journal::transactions(tx, before, limit.clamp(1, gm_model::limits::MAX_LIST_LIMIT))?)
}

/// What followed a journal position.
#[derive(Debug, Clone, PartialEq)]
pub enum Since {
    /// The rows after it, and the position they lead to.
    Changes { changes: Vec<Change>, seq: i64 },
    /// Too many, or rows in between were trimmed: the reader must load anew.
    Reload,
}

pub fn since(tx: &ReadTx<'_>, seq: i64) -> Result<Since> {
    let limit = gm_model::limits::MAX_DELTA_ROWS;
    let head = journal::head(tx)?;
    if head <= seq {
        return Ok(if head < seq { Since::Reload } else { Since::Changes { changes: Vec::new(), seq } });
    }
    if journal::tail(tx)?.is_none_or(|tail| tail > seq + 1) {
        return Ok(Since::Reload);
    }
    let changes = journal::since(tx, seq, limit + 1)?;
    if changes.len() > limit as usize {
        return Ok(Since::Reload);
    }
    Ok(Since::Changes { changes, seq: head })
}

/// Ids and names of the first entities a transaction touched, as they were then; those of
/// observations and relationships are told as they are now.
pub fn subjects(tx: &ReadTx<'_>, row: &TransactionRow, limit: usize) -> Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for change in journal::first_of_transaction(tx, &row.transaction, SUBJECT_ROWS)? {
        let value = change.after.as_ref().or(change.before.as_ref());
        let field = |name: &str| value.and_then(|v| v[name].as_str());
        let subjects = match change.kind {
            ObjectKind::Entity => vec![field("name").map(|name| (change.object_id.clone(), name.to_owned()))],
            ObjectKind::Observation => vec![named(tx, field("entity_id"))?],
            ObjectKind::Relationship => vec![named(tx, field("source_id"))?, named(tx, field("target_id"))?],
            ObjectKind::Pin => vec![named(tx, Some(&change.object_id))?],
        };
        for subject in subjects.into_iter().flatten() {
            if found.len() < limit && !found.iter().any(|(id, _)| *id == subject.0) {
                found.push(subject);
            }
        }
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// Rows looked at for subjects: enough for an entity with many observations to be followed by
/// another.
const SUBJECT_ROWS: u32 = 40;

fn named(tx: &ReadTx<'_>, id: Option<&str>) -> Result<Option<(String, String)>> {
    let Some(id) = id else { return Ok(None) };
    let row = gm_store::entities::by_id(tx, &gm_model::EntityId::from_string(id))?;
    Ok(row.map(|row| (id.to_owned(), row.entity.name)))
}
