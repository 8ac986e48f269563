//! Work on a file that no write waits for, on a thread of its own: the log is copied back into the
//! file, and when nobody has written for a while the parts of the text index are merged, of which every
//! transaction leaves one. Done by a write, as SQLite and FTS5 do by themselves, that write waits for
//! the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::Result;
use crate::connection::defend;
use crate::file::Writing;

/// Pages by which a log grows before it is copied back, and copied again if it grew on: 8 MiB.
pub(crate) const COPIED_PAGES: u32 = 2_000;
/// Pages of a log from which writes copy what is left themselves: where one follows another without a
/// pause, the thread never comes to the end of the log, and only from there can it begin anew. 24 MiB.
pub(crate) const MOST_PAGES: u32 = 6_000;
/// How long nobody has written when merging begins.
const QUIET: Duration = Duration::from_millis(100);
/// Pages of the text index merged in one transaction: two or three milliseconds, for which a write
/// that comes meanwhile waits.
const MERGED_PAGES: u32 = 64;

pub(crate) struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    /// Writes so far.
    writes: AtomicU64,
    wanted: Mutex<Wanted>,
    wake: Condvar,
}

#[derive(Default)]
struct Wanted {
    copy: bool,
    merge: bool,
    end: bool,
}

impl Keeper {
    pub(crate) fn start(writing: Arc<Writing>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let keep = move || theirs.keep(&writing);
        let thread = std::thread::Builder::new().name("file keeper".into()).spawn(keep)?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Tells of a write, and whether the log is to be copied.
    pub(crate) fn written(&self, copy: bool) {
        self.shared.writes.fetch_add(1, Ordering::Relaxed);
        let mut wanted = self.shared.wanted.lock();
        if copy || !wanted.merge {
            wanted.copy |= copy;
            wanted.merge = true;
            self.shared.wake.notify_one();
        }
    }
}

impl Drop for Keeper {
    /// Its connection is closed when this returns.
    fn drop(&mut self) {
        self.shared.wanted.lock().end = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn keep(&self, writing: &Writing) {
        let mut copier = None;
        let mut wanted = self.wanted.lock();
        while !wanted.end {
            if std::mem::take(&mut wanted.copy) {
                drop(wanted);
                // A failure loses nothing: the log stays, and so does everything in it.
                if let Err(error) = copy(writing, &mut copier) {
                    tracing::debug!(code = error.code(), "a log was not copied");
                }
                wanted = self.wanted.lock();
            } else if wanted.merge {
                let seen = self.writes.load(Ordering::Relaxed);
                let waited = self.wake.wait_for(&mut wanted, QUIET);
                if waited.timed_out() && self.writes.load(Ordering::Relaxed) == seen {
                    wanted.merge = false;
                    drop(wanted);
                    if let Err(error) = self.merge(writing, seen) {
                        tracing::debug!(code = error.code(), "a text index was not merged");
                    }
                    wanted = self.wanted.lock();
                }
            } else {
                self.wake.wait(&mut wanted);
            }
        }
    }

    /// Merges bit by bit, until nothing is left to merge or somebody writes.
    fn merge(&self, writing: &Writing, seen: u64) -> Result<()> {
        for index in ["entities_fts", "observations_fts"] {
            let sql = format!("INSERT INTO {index} ({index}, rank) VALUES ('merge', {MERGED_PAGES})");
            loop {
                if self.writes.load(Ordering::Relaxed) != seen || self.wanted.lock().end {
                    return Ok(());
                }
                let merged = writing.in_passing(|connection| {
                    let before = connection.total_changes();
                    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                    tx.prepare_cached(&sql)?.execute([])?;
                    tx.commit()?;
                    // FTS5's own word for nothing done: fewer than two rows changed.
                    Ok(connection.total_changes() - before >= 2)
                })?;
                if !merged {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Copies what no reader stands in the way of; waits for nobody.
fn copy(writing: &Writing, copier: &mut Option<Connection>) -> Result<()> {
    let connection = match copier.take() {
        Some(connection) => connection,
        None => {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let opened = Connection::open_with_flags(writing.path(), flags)?;
            defend(&opened)?;
            opened.pragma_update(None, "synchronous", "NORMAL")?;
            opened
        }
    };
    let connection = copier.insert(connection);
    Ok(connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
}
