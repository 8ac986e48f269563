//! What a file is, found out without changing a byte of it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::connection::open_untouched;
use crate::error::{Error, Result, at};
use crate::migrate::{FORMAT, MIN_READER, MIN_WRITER, SCHEMA};

/// `GMEM`: the application id in the header of our files.
pub(crate) const APPLICATION_ID: i64 = 0x474d_454d;

/// Tables without which a file is not one of graph-mem 1.0's.
const LEGACY_TABLES: [&str; 4] = ["entities", "relationships", "observations", "schema_version"];

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recognised {
    /// Nothing, or a file of no bytes: a graph may be made there.
    Empty,
    /// One of ours; `pending` migrations would be applied on opening for writing.
    Ours { format: u32, min_reader: u32, min_writer: u32 },
    /// A file of graph-mem 1.0, which opens in place after a backup.
    GraphMemOne,
    /// A sound SQLite file of somebody else.
    Foreign(String),
    /// Not readable as SQLite.
    Damaged(String),
}

/// Looks at a file read-only. Only a missing permission or a lock is an error; everything else is
/// an answer.
pub fn recognise(path: &Path) -> Result<Recognised> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Recognised::Empty),
        Err(error) => return Err(Error::io(path)(error)),
        Ok(meta) if meta.is_dir() => return Ok(Recognised::Foreign("it is a folder".into())),
        Ok(meta) if meta.len() == 0 => return Ok(Recognised::Empty),
        Ok(_) => {}
    }
    match open_untouched(path).and_then(|connection| inspect(&connection)) {
        Ok(found) => Ok(found),
        Err(Error::NotAGraph { reason, .. }) => Ok(Recognised::Damaged(reason)),
        Err(Error::Damaged { .. }) => Ok(Recognised::Damaged("its pages are damaged".into())),
        Err(error) => Err(at(path)(error)),
    }
}

/// Tables whose pages are looked at before a file is trusted. The text index is not among them: when
/// it is damaged it is made anew from these.
const CORE_TABLES: [&str; 8] =
    ["meta", "entities", "relationships", "observations", "aliases", "counters", "entity_stats", "journal"];

/// What a look at the pages of a file found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    Sound,
    Damaged,
    /// The time was up before everything had been looked at; nothing was found so far.
    Unfinished,
}

/// Looks at the pages of a file's tables and their indexes, for no longer than `most` (about 3 ms a
/// megabyte are needed), without changing a byte.
pub fn look_for_damage(path: &Path, most: Duration) -> Result<Soundness> {
    let outcome = open_untouched(path).and_then(|mut connection| {
        let give_up = Instant::now() + most;
        connection.progress_handler(CHECK_STEPS, Some(move || Instant::now() > give_up))?;
        let tables = schema_names(&connection, "table")?;
        for table in CORE_TABLES.iter().filter(|table| tables.iter().any(|t| t == *table)) {
            let verdict: String =
                connection.query_row(&format!("PRAGMA quick_check('{table}')"), [], |row| row.get(0))?;
            if verdict != "ok" {
                return Ok(Soundness::Damaged);
            }
        }
        Ok(Soundness::Sound)
    });
    match outcome {
        Err(Error::Damaged { .. } | Error::NotAGraph { .. }) => Ok(Soundness::Damaged),
        Err(Error::Sqlite { source, .. })
            if source.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) =>
        {
            Ok(Soundness::Unfinished)
        }
        Err(error) => Err(at(path)(error)),
        Ok(found) => Ok(found),
    }
}

/// Steps of SQLite's machine between two looks at the clock.
const CHECK_STEPS: i32 = 1_000;

/// How many entities, relationships and observations a file holds, without changing it.
pub fn peek(path: &Path) -> Result<(u64, u64, u64)> {
    let found = recognise(path)?;
    accept(path, &found, false)?;
    let sql = match found {
        Recognised::Ours { .. } => {
            "SELECT (SELECT n FROM counters WHERE kind = 'entity' AND key = ''),
                    (SELECT n FROM counters WHERE kind = 'relationship' AND key = ''),
                    (SELECT n FROM counters WHERE kind = 'observation' AND key = '')"
        }
        Recognised::GraphMemOne => {
            "SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM relationships), (SELECT count(*) FROM observations)"
        }
        _ => return Ok((0, 0, 0)),
    };
    let count = |row: &rusqlite::Row<'_>, column| -> rusqlite::Result<u64> {
        Ok(row.get::<_, Option<i64>>(column)?.unwrap_or(0).max(0) as u64)
    };
    let connection = open_untouched(path).map_err(at(path))?;
    let counts = connection.query_row(sql, [], |row| Ok((count(row, 0)?, count(row, 1)?, count(row, 2)?)));
    counts.map_err(|error| at(path)(error.into()))
}

/// The same answer for a connection that is already open.
pub(crate) fn inspect(connection: &Connection) -> Result<Recognised> {
    let application_id: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables = schema_names(connection, "table")?;
    if application_id == APPLICATION_ID && tables.iter().any(|t| t == "meta") {
        let number = |key: &str, default: u32| -> Result<u32> {
            let value = meta_value(connection, key)?;
            Ok(value.and_then(|v| v.parse().ok()).unwrap_or(default))
        };
        let min_writer = number("min_writer", 1)?;
        // A later format may bring code of its own; this program will not write there anyway.
        if min_writer <= MIN_WRITER
            && let Some(stranger) = unknown_code(connection, Known::of_format(number("format", 1)?))?
        {
            return Ok(Recognised::Foreign(format!("it holds an unknown {stranger}")));
        }
        return Ok(Recognised::Ours {
            format: number("format", 1)?,
            min_reader: number("min_reader", 1)?,
            min_writer,
        });
    }
    if LEGACY_TABLES.iter().all(|wanted| tables.iter().any(|t| t == wanted)) {
        if let Some(stranger) = unknown_code(connection, Known::ByName)? {
            return Ok(Recognised::Foreign(format!("it holds an unknown {stranger}; drop it first")));
        }
        return Ok(Recognised::GraphMemOne);
    }
    if tables.is_empty() && application_id == 0 {
        return Ok(Recognised::Empty);
    }
    Ok(Recognised::Foreign("its tables are not those of a graph".into()))
}

pub(crate) fn meta_value(connection: &Connection, key: &str) -> Result<Option<String>> {
    use rusqlite::OptionalExtension;
    Ok(connection
        .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?)
}

/// Refuses what this program must not touch: damaged, foreign or too new files.
pub(crate) fn accept(path: &Path, found: &Recognised, write: bool) -> Result<()> {
    let path = PathBuf::from(path);
    match found {
        Recognised::Empty | Recognised::GraphMemOne => Ok(()),
        Recognised::Ours { min_reader, min_writer, .. } => {
            let (needed, known) = if write { (*min_writer, MIN_WRITER) } else { (*min_reader, MIN_READER) };
            if needed > known {
                return Err(Error::TooNew { path, needed, known: FORMAT });
            }
            Ok(())
        }
        Recognised::Foreign(reason) => Err(Error::NotAGraph { path, reason: reason.clone() }),
        Recognised::Damaged(_) => Err(Error::Damaged { path }),
    }
}

/// Which triggers of a file are known. Views never are.
#[derive(Clone, Copy)]
enum Known {
    /// Those of graph-mem 1.0, which are dropped; they are called as ours were.
    ByName,
    /// Ours of the first format, to the letter.
    ByText,
    /// Later formats have none.
    No,
}

impl Known {
    fn of_format(format: u32) -> Self {
        if format == 1 { Self::ByText } else { Self::No }
    }
}

/// A trigger or view that we did not make would run inside our transactions.
fn unknown_code(connection: &Connection, known: Known) -> Result<Option<String>> {
    let mut statement =
        connection.prepare("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, name, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let is_known = kind == "trigger"
            && match known {
                Known::ByName => SCHEMA.contains(&format!("CREATE TRIGGER {name} ")),
                Known::ByText => SCHEMA.contains(sql.trim()),
                Known::No => false,
            };
        if !is_known {
            return Ok(Some(format!("{kind} `{}`", name.escape_debug())));
        }
    }
    Ok(None)
}

fn schema_names(connection: &Connection, kind: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM sqlite_master WHERE type = ?1")?;
    let names = statement.query_map([kind], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
