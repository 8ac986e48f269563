//! Who is at work, whose writes are paused, and what was asked.

use std::path::Path;

use gm_model::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{LOCKS, StateFile, is_alive};
use crate::error::Result;

/// Questions that are remembered; the oldest go.
const MAX_RECALLS: i64 = 5_000;
/// A question is remembered for thirty days, in seconds.
const RECALLS_KEPT_SECONDS: f64 = 30.0 * 24.0 * 60.0 * 60.0;
/// Agents and clients of one process that are told apart.
pub const MAX_PRESENT: usize = 256;
/// The name under which all agents are paused.
const EVERYBODY: &str = "";

/// An agent at work, as one client of one process.
#[derive(Debug, Clone, PartialEq)]
pub struct Presence {
    pub process_id: String,
    pub pid: u32,
    pub agent: String,
    /// Client program and version as it introduced itself; may be empty.
    pub client: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// The folder of its library.
    pub library: String,
    /// The graph it used last.
    pub graph: String,
    pub connected_at: Timestamp,
    pub last_seen: Timestamp,
    pub reads: u64,
    pub writes: u64,
    /// In the minute before `last_seen`.
    pub reads_minute: u64,
    pub writes_minute: u64,
}

/// A question of an agent, and what it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Recall {
    pub id: i64,
    pub time: Timestamp,
    pub agent: String,
    pub client: String,
    pub library: String,
    pub graph: String,
    pub tool: String,
    pub query: String,
    /// Ids of the entities that were told, the best first.
    pub found: Vec<String>,
    pub hits: u64,
}

/// Which questions are wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecallFilter {
    pub agent: Option<String>,
    /// Folder of a library and a graph in it.
    pub graph: Option<(String, String)>,
    /// Only those asked before this one.
    pub before: Option<i64>,
    /// Only those that told of this entity.
    pub entity: Option<String>,
}

impl StateFile {
    /// Pauses the writes of an agent, or of all for `None`; `false` lets them go on.
    pub fn pause(&self, agent: Option<&str>, paused: bool, now: Timestamp) -> Result<()> {
        self.require_shared()?;
        let name = agent.unwrap_or(EVERYBODY);
        let connection = self.connection.lock();
        if paused {
            connection.execute(
                "INSERT INTO pauses (name, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![name, now],
            )?;
        } else {
            connection.execute("DELETE FROM pauses WHERE name = ?1", [name])?;
        }
        Ok(())
    }

    /// Whether an agent's writes are paused, by itself or with all.
    pub fn is_paused(&self, agent: &str) -> Result<bool> {
        let connection = self.connection.lock();
        let mut statement =
            connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM pauses WHERE name IN (?1, ''))")?;
        Ok(statement.query_row([agent], |row| row.get(0))?)
    }

    /// The agents that are paused by name, and whether all are.
    pub fn pauses(&self) -> Result<(Vec<String>, bool)> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached("SELECT name FROM pauses ORDER BY name")?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
        let everybody = names.iter().any(|name| name.is_empty());
        Ok((names.into_iter().filter(|name| !name.is_empty()).collect(), everybody))
    }

    /// Tells who is at work in this process. An agent that is unknown by name stays so.
    pub fn attend(&self, presences: &[Presence]) -> Result<()> {
        let mut connection = self.connection.lock();
        let tx = connection.transaction()?;
        for presence in presences {
            tx.prepare_cached(
                "INSERT INTO presence (process_id, agent, client, transport, library, graph, connected_at, last_seen, reads, writes, reads_minute, writes_minute)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                 ON CONFLICT (process_id, agent, client) DO UPDATE SET
                   graph = excluded.graph, last_seen = excluded.last_seen, reads = excluded.reads, writes = excluded.writes,
                   reads_minute = excluded.reads_minute, writes_minute = excluded.writes_minute",
            )?
            .execute(params![
                presence.process_id,
                presence.agent,
                presence.client,
                presence.transport,
                presence.library,
                presence.graph,
                presence.connected_at,
                presence.last_seen,
                presence.reads as i64,
                presence.writes as i64,
                presence.reads_minute as i64,
                presence.writes_minute as i64
            ])?;
            tx.prepare_cached("UPDATE identities SET last_seen = ?2 WHERE name = ?1")?
                .execute(params![presence.agent, presence.last_seen])?;
        }
        if let Some(presence) = presences.first() {
            tx.prepare_cached(
                "DELETE FROM presence WHERE process_id = ?1 AND last_seen < (
                     SELECT last_seen FROM presence WHERE process_id = ?1 ORDER BY last_seen DESC LIMIT 1 OFFSET ?2)",
            )?
            .execute(params![presence.process_id, MAX_PRESENT as i64])?;
        }
        tx.commit()?;
        Ok(())
    }

    /// Everybody at work in living processes, the last seen first.
    pub fn present(&self) -> Result<Vec<Presence>> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT p.process_id, q.pid, p.agent, p.client, p.transport, p.library, p.graph, p.connected_at, p.last_seen,
                    p.reads, p.writes, p.reads_minute, p.writes_minute
             FROM presence p JOIN processes q ON q.id = p.process_id ORDER BY p.last_seen DESC",
        )?;
        let count = |row: &rusqlite::Row<'_>, at| row.get::<_, i64>(at).map(|n| n as u64);
        let rows = statement.query_map([], |row| {
            Ok(Presence {
                process_id: row.get(0)?,
                pid: row.get(1)?,
                agent: row.get(2)?,
                client: row.get(3)?,
                transport: row.get(4)?,
                library: row.get(5)?,
                graph: row.get(6)?,
                connected_at: row.get(7)?,
                last_seen: row.get(8)?,
                reads: count(row, 9)?,
                writes: count(row, 10)?,
                reads_minute: count(row, 11)?,
                writes_minute: count(row, 12)?,
            })
        })?;
        let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(rows.into_iter().filter(|row| is_alive(&self.folder.join(LOCKS).join(&row.process_id))).collect())
    }

    /// Remembers questions; the oldest are forgotten.
    pub fn remember_recalls(&self, recalls: &[Recall]) -> Result<()> {
        let Some(newest) = recalls.last() else { return Ok(()) };
        let mut connection = self.connection.lock();
        let tx = connection.transaction()?;
        for recall in recalls {
            tx.prepare_cached(
                "INSERT INTO recalls (time, agent, client, library, graph, tool, query, found, hits) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                recall.time,
                recall.agent,
                recall.client,
                recall.library,
                recall.graph,
                recall.tool,
                recall.query,
                serde_json::to_string(&recall.found).expect("ids are plain data"),
                recall.hits as i64
            ])?;
        }
        tx.prepare_cached("DELETE FROM recalls WHERE id <= (SELECT max(id) FROM recalls) - ?1 OR (id < (SELECT min(id) FROM recalls) + 100 AND time < ?2)")?
            .execute(params![MAX_RECALLS, newest.time - RECALLS_KEPT_SECONDS])?;
        tx.commit()?;
        Ok(())
    }

    /// What was asked, the newest first.
    pub fn recalls(&self, filter: &RecallFilter, limit: u32) -> Result<Vec<Recall>> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT id, time, agent, client, library, graph, tool, query, found, hits FROM recalls
             WHERE (?1 IS NULL OR agent = ?1 COLLATE NOCASE) AND (?2 IS NULL OR (library = ?2 AND graph = ?3))
               AND (?4 IS NULL OR id < ?4) AND (?5 IS NULL OR instr(found, ?5) > 0)
             ORDER BY id DESC LIMIT ?6",
        )?;
        let (library, graph) = filter.graph.clone().unzip();
        // Ids hold nothing that JSON would write otherwise.
        let entity = filter.entity.as_ref().map(|id| format!("\"{id}\""));
        let rows = statement.query_map(
            params![filter.agent, library, graph, filter.before, entity, limit],
            |row| {
                let found: String = row.get(8)?;
                Ok(Recall {
                    id: row.get(0)?,
                    time: row.get(1)?,
                    agent: row.get(2)?,
                    client: row.get(3)?,
                    library: row.get(4)?,
                    graph: row.get(5)?,
                    tool: row.get(6)?,
                    query: row.get(7)?,
                    found: serde_json::from_str(&found).unwrap_or_default(),
                    hits: row.get::<_, i64>(9)? as u64,
                })
            },
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Forgets the questions that hold one of some texts, or told of one of some ids; how many those were.
    pub fn forget_recalls(&self, library: &Path, graph: &str, texts: &[String], really: bool) -> Result<u64> {
        let mut connection = self.connection.lock();
        let tx = connection.transaction()?;
        let ids = {
            let mut statement = tx.prepare_cached(
                "SELECT id, query, found FROM recalls WHERE library = ?1 AND graph = ?2 COLLATE NOCASE",
            )?;
            let mut rows = statement.query([library.to_string_lossy().as_ref(), graph])?;
            let mut ids = Vec::new();
            while let Some(row) = rows.next()? {
                let (query, found): (String, String) = (row.get(1)?, row.get(2)?);
                // People do not mind the case when they ask.
                let query = query.to_lowercase();
                let holds =
                    |text: &String| query.contains(&text.to_lowercase()) || found.contains(text.as_str());
                if texts.iter().any(holds) {
                    ids.push(row.get::<_, i64>(0)?);
                }
            }
            ids
        };
        if really {
            for id in &ids {
                tx.execute("DELETE FROM recalls WHERE id = ?1", [id])?;
            }
        }
        tx.commit()?;
        if really && !ids.is_empty() {
            // The log would still hold it; deleted rows are overwritten.
            let _: Option<i64> =
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).optional()?;
        }
        Ok(ids.len() as u64)
    }
}
