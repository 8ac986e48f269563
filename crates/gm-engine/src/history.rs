//! What happened to a graph, from its journal.

use gm_model::Change;
use gm_store::journal::{self, TransactionRow};
use gm_store::ReadTx;

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
