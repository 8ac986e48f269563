//! Copies of a live file, and giving back its free space.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::connection::{open_untouched, open_writer};
use crate::error::{Error, Result, at};
use crate::file::create_private_file;
use crate::recognise::{Recognised, accept, recognise};

/// Pages copied between two reports of progress: 16 MiB.
const PAGES_PER_STEP: i32 = 4_096;
/// How long [`vacuum`] waits for a writer; a person stands before it.
const VACUUM_BUSY_SECONDS: u64 = 2;

/// Told how many pages of how many are done.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// Copies all of one database over another. The source is read in one transaction: whoever
/// writes meanwhile neither waits nor makes the copy begin anew.
pub(crate) fn copy_pages(source: &Connection, target: &mut Connection, progress: Progress<'_>) -> Result<()> {
    let moment = source.unchecked_transaction()?;
    let _: i64 = moment.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    copy_moment(&moment, target, progress)
}

fn copy_moment(moment: &Transaction<'_>, target: &mut Connection, progress: Progress<'_>) -> Result<()> {
    let backup = Backup::new(moment, target)?;
    loop {
        let step = backup.step(PAGES_PER_STEP)?;
        let state = backup.progress();
        progress((state.pagecount - state.remaining) as u64, state.pagecount as u64);
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// What a verified copy holds: entities, relationships, observations.
pub type Contents = (u64, u64, u64);

/// Copies a graph, others writing or not, into one file that needs nothing beside it. The copy is
/// looked at before it gets its name; an existing file is kept unless `replace` is set.
pub fn back_up(from: &Path, to: &Path, replace: bool, progress: Progress<'_>) -> Result<Contents> {
    let found = recognise(from)?;
    accept(from, &found, false)?;
    if found == Recognised::Empty {
        return Err(Error::Missing { path: from.into() });
    }
    // A copy that was cut off must not look like a good one.
    let mut draft = to.as_os_str().to_owned();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let _ = std::fs::remove_file(&draft);
    let made = copy_verified(from, &draft, progress).and_then(|contents| {
        let placed = if replace { std::fs::rename(&draft, to) } else { place(&draft, to) };
        placed.map_err(Error::io(to))?;
        Ok(contents)
    });
    if made.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    made
}

/// Gives a finished draft its name, unless something has that name.
fn place(draft: &Path, to: &Path) -> std::io::Result<()> {
    // Unlike a rename, a link never takes another file's name; not every file system has links.
    match std::fs::hard_link(draft, to) {
        Ok(()) => std::fs::remove_file(draft),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists || to.exists() => Err(error),
        Err(_) => std::fs::rename(draft, to),
    }
}

fn copy_verified(from: &Path, draft: &Path, progress: Progress<'_>) -> Result<Contents> {
    create_private_file(draft)?;
    let source = open_untouched(from).map_err(at(from))?;
    let moment = source.unchecked_transaction()?;
    let wanted = contents(&moment).map_err(at(from))?;
    let mut copy = Connection::open(draft)?;
    copy_moment(&moment, &mut copy, progress).map_err(at(from))?;
    // The copied header says WAL; a file meant to travel alone must not.
    let _mode: String = copy.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    let verdict: String = copy
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| at(from)(error.into()))?;
    if verdict != "ok" || contents(&copy).map_err(at(from))? != wanted {
        return Err(Error::Damaged { path: from.into() });
    }
    copy.close().map_err(|(_, error)| Error::from(error))?;
    std::fs::File::open(draft).and_then(|file| file.sync_all()).map_err(Error::io(draft))?;
    Ok(wanted)
}

fn contents(connection: &Connection) -> Result<Contents> {
    let count = |table: &str| -> Result<u64> {
        let sql = format!("SELECT count(*) FROM {table}");
        Ok(connection.query_row(&sql, [], |row| row.get::<_, i64>(0))? as u64)
    };
    Ok((count("entities")?, count("relationships")?, count("observations")?))
}

/// Bytes of a graph's file and log before and after [`vacuum`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacuumed {
    pub before: u64,
    pub after: u64,
    /// Somebody was reading, so that the log could not be emptied; it will be when they end.
    pub log_left: bool,
}

/// Merges the text indexes' parts, writes the file anew without free pages, and empties the log.
/// Readers go on; a writer makes it answer busy.
pub fn vacuum(path: &Path) -> Result<Vacuumed> {
    let found = recognise(path)?;
    accept(path, &found, true)?;
    let busy = |error: rusqlite::Error| match at(path)(error.into()) {
        Error::Busy { .. } => Error::Busy { seconds: VACUUM_BUSY_SECONDS },
        error => error,
    };
    let before = size(path);
    let mut connection = open_writer(path).map_err(at(path))?;
    connection.busy_timeout(Duration::from_secs(VACUUM_BUSY_SECONDS))?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(busy)?;
    tx.execute_batch(
        "INSERT INTO entities_fts (entities_fts) VALUES ('optimize');
         INSERT INTO observations_fts (observations_fts) VALUES ('optimize');",
    )
    .map_err(busy)?;
    tx.commit().map_err(busy)?;
    connection.execute_batch("VACUUM").map_err(busy)?;
    let log_left: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(busy)?;
    drop(connection);
    Ok(Vacuumed { before, after: size(path), log_left })
}

/// The file with its log; looked up, never opened.
fn size(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    [path, Path::new(&log)]
        .iter()
        .filter_map(|file| std::fs::metadata(file).ok())
        .map(|meta| meta.len())
        .sum()
}
