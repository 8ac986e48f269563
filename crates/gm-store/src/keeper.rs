//! Copies a file's log back into it beside the writes, on a thread and a connection of its own: done
//! by a write, as SQLite does by itself, that write waits for the disk.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::{Connection, OpenFlags};

use crate::Result;
use crate::connection::defend;

/// Pages by which a log grows before it is copied back, and copied again if it grew on: 8 MiB.
pub(crate) const COPIED_PAGES: u32 = 2_000;
/// Pages of a log from which the write that made it so long waits until it is copied: the thread
/// does not keep up, and a log nobody cuts back grows without end.
pub(crate) const MOST_PAGES: u32 = 16_000;

pub(crate) struct Keeper {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(crate) fn start(file: &Path) -> std::io::Result<Self> {
        let (wake, woken) = sync_channel(1);
        let file = file.to_owned();
        let thread =
            std::thread::Builder::new().name("log keeper".into()).spawn(move || keep(&file, &woken))?;
        Ok(Self { wake: Some(wake), thread: Some(thread) })
    }

    /// Asks for the log to be copied, unless that is asked for already.
    pub(crate) fn nudge(&self) {
        if let Some(wake) = &self.wake {
            let _ = wake.try_send(());
        }
    }
}

impl Drop for Keeper {
    /// Its connection is closed when this returns.
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn keep(file: &Path, woken: &Receiver<()>) {
    let mut connection = None;
    while woken.recv().is_ok() {
        // A failure here loses nothing: the log stays, and so does everything in it.
        if let Err(error) = copy(file, &mut connection) {
            tracing::debug!(code = error.code(), "a log was not copied");
        }
    }
}

/// Copies what no reader stands in the way of; waits for nobody.
fn copy(file: &Path, connection: &mut Option<Connection>) -> Result<()> {
    let open = match connection.take() {
        Some(open) => open,
        None => {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let opened = Connection::open_with_flags(file, flags)?;
            defend(&opened)?;
            opened.pragma_update(None, "synchronous", "NORMAL")?;
            opened
        }
    };
    let open = connection.insert(open);
    Ok(open.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
}
