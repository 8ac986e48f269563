//! Bringing a file to the present schema: under the write lock, after a backup, all or nothing.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::connection::open_untouched;
use crate::error::{Error, Result};
use crate::legacy::{self, RepairReport};
use crate::recognise::{APPLICATION_ID, Recognised, accept, inspect};
use crate::{WriteTx, repair};

/// The format this program writes.
pub const FORMAT: u32 = 5;
/// The oldest format whose tables this program reads as they are.
pub(crate) const OLDEST_READ: u32 = 2;
/// The oldest program format that can still read what this program writes.
pub const MIN_READER: u32 = 2;
/// The oldest program format that may write beside this program: whatever every writer must
/// maintain (journal, counters, search text) raises it.
pub const MIN_WRITER: u32 = 5;

/// The format since which the text index holds what `gm_model::text::segment` makes today; the search
/// texts of older files are made anew.
const SEGMENTED_SINCE: u32 = 4;

pub(crate) const SCHEMA: &str = include_str!("../../../migrations/0001_init.sql");

/// Applied in order; what a file has had is recorded in it by name.
const MIGRATIONS: [(&str, &str); 5] = [
    ("0001_init", SCHEMA),
    ("0002_transactions", include_str!("../../../migrations/0002_transactions.sql")),
    ("0003_fewer_pages", include_str!("../../../migrations/0003_fewer_pages.sql")),
    ("0004_vectors", include_str!("../../../migrations/0004_vectors.sql")),
    ("0005_trash", include_str!("../../../migrations/0005_trash.sql")),
];

/// What opening did to a file.
#[derive(Debug, Clone, Default)]
pub struct Migrated {
    pub applied: Vec<String>,
    pub backup: Option<PathBuf>,
    pub repaired: Option<RepairReport>,
}

/// Applies what is missing. `connection` is a writer on a file that was recognised before.
pub(crate) fn migrate(connection: &mut Connection, path: &Path, now: f64) -> Result<Migrated> {
    let found = inspect(connection)?;
    accept(path, &found, true)?;
    if found_is_current(connection, &found)? {
        return Ok(Migrated::default());
    }
    let mut tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited for the lock.
    let found = inspect(&tx)?;
    accept(path, &found, true)?;
    if found_is_current(&tx, &found)? {
        return Ok(Migrated::default());
    }
    let mut done = Migrated::default();
    if found != Recognised::Empty {
        done.backup = Some(back_up(path, now)?);
    }
    let old = match found {
        Recognised::GraphMemOne => Some(legacy::take_apart(&tx, path)?),
        _ => None,
    };
    let applied = applied_names(&tx)?;
    for (name, sql) in MIGRATIONS.iter().filter(|(name, _)| !applied.iter().any(|a| a == name)) {
        tx.execute_batch(sql)?;
        tx.execute("INSERT INTO applied_migrations (name, applied_at) VALUES (?1, ?2)", params![name, now])?;
        done.applied.push((*name).to_owned());
    }
    stamp(&tx, now)?;
    if let Recognised::Ours { format, .. } = found
        && format < SEGMENTED_SINCE
    {
        let write = WriteTx::from_transaction(tx);
        repair::search_texts(&write)?;
        tx = write.finish()?;
    }
    if let Some(old) = old {
        let (filled, report) = legacy::fill(tx, old, now)?;
        tx = filled;
        done.repaired = Some(report);
    }
    tx.commit()?;
    Ok(done)
}

fn found_is_current(connection: &Connection, found: &Recognised) -> Result<bool> {
    if !matches!(found, Recognised::Ours { .. }) {
        return Ok(false);
    }
    let applied = applied_names(connection)?;
    Ok(MIGRATIONS.iter().all(|(name, _)| applied.iter().any(|a| a == name)))
}

fn applied_names(connection: &Connection) -> Result<Vec<String>> {
    let exists: bool = connection.query_row(
        "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = 'applied_migrations'",
        [],
        |row| row.get(0),
    )?;
    if !exists {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare("SELECT name FROM applied_migrations")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

fn stamp(tx: &Transaction<'_>, now: f64) -> Result<()> {
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    let mut statement =
        tx.prepare("INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")?;
    statement.execute(params!["format", FORMAT.to_string()])?;
    statement.execute(params!["min_reader", MIN_READER.to_string()])?;
    statement.execute(params!["min_writer", MIN_WRITER.to_string()])?;
    tx.execute(
        "INSERT INTO meta (key, value) VALUES ('created_at', ?1) ON CONFLICT (key) DO NOTHING",
        [now.to_string()],
    )?;
    Ok(())
}

/// A whole copy beside the file, log included, through SQLite's backup of a second connection.
fn back_up(path: &Path, now: f64) -> Result<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(".")).join("backups");
    crate::file::create_private_folder(&folder)?;
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("graph");
    let target = (0..)
        .map(|n| {
            let suffix = if n == 0 { String::new() } else { format!("-{n}") };
            folder.join(format!("{stem}-before-migration-{}{suffix}.db", now as u64))
        })
        .find(|candidate| !candidate.exists())
        .expect("an unused name is found before the integers end");
    // A copy that was cut off must not look like a good one.
    let mut draft = target.clone().into_os_string();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let copied = copy_database(path, &draft)
        .and_then(|()| std::fs::rename(&draft, &target).map_err(Error::io(&target)));
    if let Err(error) = copied {
        let _ = std::fs::remove_file(&draft);
        return Err(error);
    }
    Ok(target)
}

/// Copies a whole database into a new private file that needs no log beside it.
pub fn copy_database(from: &Path, to: &Path) -> Result<()> {
    crate::file::create_private_file(to)?;
    let source = open_untouched(from)?;
    let mut copy = Connection::open(to)?;
    crate::maintain::copy_pages(&source, &mut copy, &mut |_, _| {})?;
    // The copied header says WAL; a file meant to travel alone must not.
    let _mode: String = copy.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    copy.close().map_err(|(_, error)| Error::from(error))?;
    std::fs::File::open(to).and_then(|file| file.sync_all()).map_err(Error::io(to))
}
