//! Noticing that somebody wrote, cheaply enough to look many times a second.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use rusqlite::Connection;

use crate::error::Result;
use crate::file::ReadTx;

/// Whatever the log's times say, `SQLite` itself is asked this often: not every file system keeps
/// them well.
const ASKED_EACH: Duration = Duration::from_millis(500);
/// A time of change so fresh may stand for a second change as well: systems count it in steps of
/// some milliseconds.
const FRESH: Duration = Duration::from_millis(50);

/// Looks for commits of others, over a connection of its own.
pub struct GraphWatch {
    connection: Connection,
    last: i64,
    log: PathBuf,
    seen: Option<Stamp>,
    asked: Instant,
}

/// What every commit changes about the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    changed: SystemTime,
}

impl GraphWatch {
    /// `log` is the write-ahead log of the connection's file. It is never opened: closing it would
    /// let go of the locks this process holds on it.
    pub(crate) fn new(connection: Connection, log: PathBuf) -> Result<Self> {
        let mut watch = Self { connection, last: 0, log, seen: None, asked: Instant::now() };
        watch.ask()?;
        Ok(watch)
    }

    /// Whether anything was committed since the last call. Costs a few microseconds.
    pub fn changed(&mut self) -> Result<bool> {
        // Read before asking: what comes between is seen the next time.
        let stamp = self.stamp();
        if stamp.is_some() && stamp == self.seen && self.asked.elapsed() < ASKED_EACH {
            return Ok(false);
        }
        self.seen = stamp.filter(|stamp| stamp.changed.elapsed().is_ok_and(|age| age > FRESH));
        self.asked = Instant::now();
        self.ask()
    }

    /// The newest journal row.
    pub fn journal_head(&self) -> Result<i64> {
        crate::journal::head(&ReadTx { connection: &self.connection, word_counts: None })
    }

    fn ask(&mut self) -> Result<bool> {
        let version: i64 = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let changed = version != self.last;
        self.last = version;
        Ok(changed)
    }

    /// None where there is no log, which is no reason to believe that nothing happens.
    fn stamp(&self) -> Option<Stamp> {
        let meta = fs::metadata(&self.log).ok()?;
        Some(Stamp { length: meta.len(), changed: meta.modified().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_commit_of_another_is_noticed_once_and_quiet_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let writer = Connection::open(&path).unwrap();
        writer
            .execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (n); INSERT INTO t VALUES (0)")
            .unwrap();
        let mut watch =
            GraphWatch::new(Connection::open(&path).unwrap(), folder.path().join("a.db-wal")).unwrap();
        for n in 0..200 {
            // Some right after each other, some after the log's time is trusted, some after a checkpoint
            // has begun the log anew.
            if n % 20 == 0 {
                std::thread::sleep(FRESH + Duration::from_millis(20));
                assert!(!watch.changed().unwrap());
                assert!(!watch.changed().unwrap());
            }
            if n % 50 == 49 {
                writer.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
            }
            writer.execute("INSERT INTO t VALUES (?1)", [n]).unwrap();
            assert!(watch.changed().unwrap(), "commit {n}");
        }
    }

    #[test]
    fn a_log_whose_time_stands_still_is_asked_about_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (n)").unwrap();
        // Somebody else's log: its times tell nothing.
        let elsewhere = folder.path().join("still");
        fs::write(&elsewhere, "x").unwrap();
        std::thread::sleep(FRESH + Duration::from_millis(20));
        let mut watch = GraphWatch::new(Connection::open(&path).unwrap(), elsewhere).unwrap();
        assert!(!watch.changed().unwrap());
        writer.execute("INSERT INTO t VALUES (1)", []).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while !watch.changed().unwrap() {
            assert!(Instant::now() < until, "never noticed");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
