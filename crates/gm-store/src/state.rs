//! `state.sqlite` in the home library: identities, living processes with the graphs they hold
//! open, recent libraries, shared settings.

mod attendance;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gm_model::{Timestamp, new_ulid};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::connection::open_writer;
use crate::error::{Error, Result, at};
use crate::file::{create_private_file, create_private_folder};

pub use attendance::{MAX_PRESENT, Presence, Recall, RecallFilter};

/// Applied in order. Older programs go on with what they know.
const MIGRATIONS: [(&str, &str); 2] = [
    ("state_0001_init", include_str!("../../../migrations/state_0001_init.sql")),
    ("state_0002_attendance", include_str!("../../../migrations/state_0002_attendance.sql")),
];
const FILE_NAME: &str = "state.sqlite";
const LOCKS: &str = "processes";
const ASIDE_LOCK: &str = "state.lock";
/// How long one waits for another process that writes the state; such writes are tiny.
const PATIENCE: Duration = Duration::from_secs(5);
/// Libraries remembered as recent.
const MAX_RECENTS: u32 = 20;

/// What an attached agent may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    pub write: bool,
    pub delete: bool,
    /// What it deletes passes by the trash.
    #[serde(default)]
    pub delete_for_good: bool,
    /// Graphs the agent may use; empty means all.
    #[serde(default)]
    pub graphs: Vec<String>,
}

impl Default for Rights {
    fn default() -> Self {
        Self { write: true, delete: true, delete_for_good: false, graphs: Vec::new() }
    }
}

/// A named agent with a token of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    pub name: String,
    pub rights: Rights,
    /// Without, it only comes as a process of its own.
    pub has_token: bool,
    pub created_at: Timestamp,
    pub last_seen: Option<Timestamp>,
}

/// A living process of this user that has registered here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessRow {
    pub id: String,
    pub pid: u32,
    pub kind: String,
    pub label: String,
}

/// The user's one state file, open in this process.
pub struct StateFile {
    folder: PathBuf,
    connection: Mutex<Connection>,
    /// Other processes see what is written here.
    is_shared: bool,
}

impl StateFile {
    /// Opens or makes the state file of a home library. A graph can be used without it: where it
    /// cannot be written, what belongs there is kept for this process alone, and what needs other
    /// processes to know refuses. A damaged one is put aside under another name, never deleted.
    pub fn open(home: &Path, now: Timestamp) -> Result<Self> {
        let opened = match Self::open_file(home, now) {
            Err(Error::Damaged { .. } | Error::NotAGraph { .. }) => {
                set_damaged_aside(home)?;
                Self::open_file(home, now)
            }
            outcome => outcome,
        };
        match opened {
            Err(error) if error.forbids_writing() || matches!(error, Error::Busy { .. }) => {
                tracing::info!(code = error.code(), "state.sqlite cannot be written; going on without it");
                let state = Self::of_this_process(home, now)?;
                state.take_over(home, now)?;
                Ok(state)
            }
            outcome => outcome,
        }
    }

    /// What the person allowed and paused, as far as it can be read. What is there and cannot be read allows no
    /// agent to write.
    fn take_over(&self, home: &Path, now: Timestamp) -> Result<()> {
        let path = home.join(FILE_NAME);
        let is_there = std::fs::metadata(&path).is_ok_and(|meta| meta.len() > 0);
        if is_there && self.copy_rights(&path).is_err() {
            self.connection
                .lock()
                .execute("INSERT INTO pauses (name, since) VALUES ('', ?1) ON CONFLICT DO NOTHING", [now])?;
        }
        Ok(())
    }

    fn copy_rights(&self, path: &Path) -> Result<()> {
        let source = crate::connection::open_untouched(path)?;
        let has = |table: &str| -> rusqlite::Result<bool> {
            source.query_row("SELECT count(*) > 0 FROM sqlite_master WHERE name = ?1", [table], |row| {
                row.get(0)
            })
        };
        let connection = self.connection.lock();
        if has("identities")? {
            let mut rows = source.prepare("SELECT name, rights, created_at FROM identities")?;
            let mut rows = rows.query([])?;
            while let Some(row) = rows.next()? {
                connection.execute(
                    "INSERT INTO identities (name, token_hash, has_token, rights, created_at) VALUES (?1, randomblob(32), 0, ?2, ?3)",
                    params![row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, f64>(2)?],
                )?;
            }
        }
        if has("pauses")? {
            let mut rows = source.prepare("SELECT name, since FROM pauses")?;
            let mut rows = rows.query([])?;
            while let Some(row) = rows.next()? {
                connection.execute(
                    "INSERT INTO pauses (name, since) VALUES (?1, ?2)",
                    params![row.get::<_, String>(0)?, row.get::<_, f64>(1)?],
                )?;
            }
        }
        Ok(())
    }

    fn open_file(home: &Path, now: Timestamp) -> Result<Self> {
        create_private_folder(home)?;
        let path = home.join(FILE_NAME);
        create_private_file(&path)?;
        // It may have been made by hand, or by an older program.
        close_to_others(home, 0o700);
        close_to_others(&path, 0o600);
        let mut connection = open_writer(&path).map_err(at(&path))?;
        connection.busy_timeout(PATIENCE)?;
        // It holds what agents asked for: what is deleted is overwritten.
        connection.pragma_update(None, "secure_delete", true)?;
        prepare(&mut connection, now).map_err(at(&path))?;
        Ok(Self { folder: home.to_owned(), connection: Mutex::new(connection), is_shared: true })
    }

    /// Known to nobody else, and gone with this value.
    pub fn of_this_process(home: &Path, now: Timestamp) -> Result<Self> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&mut connection, now)?;
        Ok(Self { folder: home.to_owned(), connection: Mutex::new(connection), is_shared: false })
    }

    fn require_shared(&self) -> Result<()> {
        if self.is_shared {
            return Ok(());
        }
        Err(Error::ReadOnly { path: self.folder.join(FILE_NAME) })
    }

    /// Makes or replaces an agent's token. The token itself is returned once and never stored.
    pub fn issue_token(&self, name: &str, now: Timestamp) -> Result<String> {
        self.require_shared()?;
        let token = random_token();
        self.connection.lock().execute(
            "INSERT INTO identities (name, token_hash, rights, created_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, has_token = 1",
            params![name, hash(&token), to_json(&Rights::default()), now],
        )?;
        Ok(token)
    }

    /// Who carries this token. The lookup is by hash, so its time tells nothing of stored tokens.
    pub fn identity_by_token(&self, token: &str) -> Result<Option<Identity>> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name, rights, created_at, last_seen, has_token FROM identities WHERE token_hash = ?1 AND has_token = 1",
        )?;
        Ok(statement.query_row([hash(token)], read_identity).optional()?)
    }

    /// What the person allowed an agent of this name, whatever way it comes; `None` if there is none.
    pub fn identity(&self, name: &str) -> Result<Option<Identity>> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name, rights, created_at, last_seen, has_token FROM identities WHERE name = ?1",
        )?;
        Ok(statement.query_row([name], read_identity).optional()?)
    }

    /// Changes what an agent may do, from its next call on. True if there is such an agent.
    pub fn set_rights(&self, name: &str, rights: &Rights) -> Result<bool> {
        self.require_shared()?;
        let changed = self
            .connection
            .lock()
            .execute("UPDATE identities SET rights = ?2 WHERE name = ?1", params![name, to_json(rights)])?;
        Ok(changed > 0)
    }

    pub fn identities(&self) -> Result<Vec<Identity>> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name, rights, created_at, last_seen, has_token FROM identities ORDER BY name",
        )?;
        let rows = statement.query_map([], read_identity)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Makes an agent known by its name, without a token; one that is known stays as it is.
    pub fn know(&self, name: &str, now: Timestamp) -> Result<()> {
        self.require_shared()?;
        // No token hashes to these: they are no hash.
        self.connection.lock().execute(
            "INSERT INTO identities (name, token_hash, has_token, rights, created_at) VALUES (?1, randomblob(32), 0, ?2, ?3)
             ON CONFLICT (name) DO NOTHING",
            params![name, to_json(&Rights::default()), now],
        )?;
        Ok(())
    }

    /// Ends an agent's token. What it may do stays as it was said: it may come as a process of its own. True if
    /// it had one.
    pub fn revoke(&self, name: &str) -> Result<bool> {
        self.require_shared()?;
        let ended = self.connection.lock().execute(
            "UPDATE identities SET token_hash = randomblob(32), has_token = 0 WHERE name = ?1 AND has_token = 1",
            [name],
        )?;
        Ok(ended > 0)
    }

    /// Forgets an agent, with its token and what it may do. True if there was such an agent.
    pub fn forget(&self, name: &str) -> Result<bool> {
        self.require_shared()?;
        let connection = self.connection.lock();
        connection.execute("DELETE FROM pauses WHERE name = ?1", [name])?;
        Ok(connection.execute("DELETE FROM identities WHERE name = ?1", [name])? > 0)
    }

    /// The graph an identity chose without a session.
    pub fn active_graph(&self, name: &str) -> Result<Option<String>> {
        let connection = self.connection.lock();
        let found: Option<Option<String>> = connection
            .prepare_cached("SELECT active_graph FROM identities WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        Ok(found.flatten())
    }

    pub fn set_active_graph(&self, name: &str, graph: &str) -> Result<()> {
        self.connection
            .lock()
            .execute("UPDATE identities SET active_graph = ?2 WHERE name = ?1", [name, graph])?;
        Ok(())
    }

    pub fn setting(&self, key: &str) -> Result<Option<String>> {
        let connection = self.connection.lock();
        let found = connection
            .prepare_cached("SELECT value FROM settings WHERE key = ?1")?
            .query_row([key], |row| row.get(0))
            .optional()?;
        Ok(found)
    }

    pub fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        self.connection.lock().execute(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [key, value],
        )?;
        Ok(())
    }

    pub fn note_recent(&self, folder: &Path, now: Timestamp) -> Result<()> {
        let connection = self.connection.lock();
        connection.execute(
            "INSERT INTO recents (folder, opened_at) VALUES (?1, ?2) ON CONFLICT (folder) DO UPDATE SET opened_at = excluded.opened_at",
            params![folder.to_string_lossy(), now],
        )?;
        connection.execute(
            "DELETE FROM recents WHERE folder NOT IN (SELECT folder FROM recents ORDER BY opened_at DESC LIMIT ?1)",
            [MAX_RECENTS],
        )?;
        Ok(())
    }

    pub fn recents(&self) -> Result<Vec<PathBuf>> {
        let connection = self.connection.lock();
        let mut statement =
            connection.prepare_cached("SELECT folder FROM recents ORDER BY opened_at DESC")?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        Ok(rows.map(|folder| folder.map(PathBuf::from)).collect::<rusqlite::Result<_>>()?)
    }

    /// Registers this process as alive until the returned registration is dropped, or the process
    /// ends in whatever way: the system then lets go of the lock.
    pub fn register(&self, kind: &str, label: &str, now: Timestamp) -> Result<Registration<'_>> {
        let id = new_ulid();
        let folder = self.folder.join(LOCKS);
        let path = folder.join(&id);
        let mut lock = None;
        if self.is_shared {
            create_private_folder(&folder)?;
            let file = create_private_file(&path)?;
            file.try_lock().map_err(|error| Error::io(&path)(error.into()))?;
            lock = Some(file);
            self.forget_dead()?;
        }
        self.connection.lock().execute(
            "INSERT INTO processes (id, pid, kind, label, started_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, std::process::id(), kind, label, now],
        )?;
        Ok(Registration { state: self, id, path, _lock: lock })
    }

    /// Removes the rows and lock files of processes that ended without doing so themselves.
    fn forget_dead(&self) -> Result<()> {
        let connection = self.connection.lock();
        let ids = {
            let mut statement = connection.prepare_cached("SELECT id FROM processes")?;
            let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
            ids.collect::<rusqlite::Result<Vec<_>>>()?
        };
        for id in ids {
            let lock = self.folder.join(LOCKS).join(&id);
            if !is_alive(&lock) {
                connection.execute("DELETE FROM processes WHERE id = ?1", [&id])?;
                let _ = std::fs::remove_file(lock);
            }
        }
        Ok(())
    }

    pub fn lease(&self, process: &str, file: &Path) -> Result<()> {
        self.connection.lock().execute(
            "INSERT INTO leases (process_id, file) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![process, file.to_string_lossy()],
        )?;
        Ok(())
    }

    pub fn release(&self, process: &str, file: &Path) -> Result<()> {
        self.connection.lock().execute(
            "DELETE FROM leases WHERE process_id = ?1 AND file = ?2",
            params![process, file.to_string_lossy()],
        )?;
        Ok(())
    }

    /// Makes a process the one that gives a file's texts their vectors, unless a living one is it already.
    pub fn take_lead(&self, process: &str, file: &Path) -> Result<bool> {
        let key = lead_key(file);
        let mut connection = self.connection.lock();
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let leader: Option<String> =
            tx.query_row("SELECT value FROM settings WHERE key = ?1", [&key], |row| row.get(0)).optional()?;
        match leader {
            Some(leader) if leader == process => return Ok(true),
            Some(leader) if is_alive(&self.folder.join(LOCKS).join(&leader)) => return Ok(false),
            _ => {}
        }
        tx.execute(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            params![key, process],
        )?;
        tx.commit()?;
        Ok(true)
    }

    /// Leaves that to others.
    pub fn give_up_lead(&self, process: &str, file: &Path) -> Result<()> {
        self.connection.lock().execute(
            "DELETE FROM settings WHERE key = ?1 AND value = ?2",
            params![lead_key(file), process],
        )?;
        Ok(())
    }

    /// Living processes that have a graph file open. Rows of dead ones are removed on the way.
    pub fn holders(&self, file: &Path) -> Result<Vec<ProcessRow>> {
        // Who else has it open cannot be known then; nobody may act as if none did.
        self.require_shared()?;
        let connection = self.connection.lock();
        let rows = {
            let mut statement = connection.prepare_cached(
                "SELECT p.id, p.pid, p.kind, p.label FROM leases l JOIN processes p ON p.id = l.process_id WHERE l.file = ?1 ORDER BY p.id",
            )?;
            let rows = statement.query_map([file.to_string_lossy()], |row| {
                Ok(ProcessRow { id: row.get(0)?, pid: row.get(1)?, kind: row.get(2)?, label: row.get(3)? })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()?
        };
        let mut living = Vec::new();
        for row in rows {
            if is_alive(&self.folder.join(LOCKS).join(&row.id)) {
                living.push(row);
            } else {
                connection.execute("DELETE FROM processes WHERE id = ?1", [&row.id])?;
                // A leftover lock file tells nothing any more; failing to remove it harms nobody.
                let _ = std::fs::remove_file(self.folder.join(LOCKS).join(&row.id));
            }
        }
        Ok(living)
    }
}

/// This process's entry among the living.
pub struct Registration<'a> {
    state: &'a StateFile,
    id: String,
    path: PathBuf,
    _lock: Option<File>,
}

impl Registration<'_> {
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Keeps the registration for the rest of the process's life and returns its id.
    pub fn keep(self) -> String {
        let id = self.id.clone();
        std::mem::forget(self);
        id
    }
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        // Both are cleaned up by the next reader too, since the lock goes with the process.
        let _ = self.state.connection.lock().execute("DELETE FROM processes WHERE id = ?1", [&self.id]);
        let _ = std::fs::remove_file(&self.path);
    }
}

fn lead_key(file: &Path) -> String {
    format!("makes vectors: {}", file.to_string_lossy())
}

/// A process lives while somebody holds its lock file.
fn is_alive(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock))
}

/// Gives a damaged state file another name. Several processes may meet here: whoever has the lock
/// looks again before it moves anything.
fn set_damaged_aside(home: &Path) -> Result<()> {
    let guard = create_private_file(&home.join(ASIDE_LOCK))?;
    guard.lock().map_err(Error::io(home))?;
    let path = home.join(FILE_NAME);
    let is_damaged = match open_writer(&path).and_then(|mut connection| prepare(&mut connection, 0.0)) {
        Err(Error::Damaged { .. } | Error::NotAGraph { .. }) => true,
        Err(error) => return Err(at(&path)(error)),
        Ok(()) => false,
    };
    if is_damaged {
        let aside = (1..)
            .map(|n| home.join(format!("{FILE_NAME}.damaged-{n}")))
            .find(|aside| !aside.exists())
            .expect("a free name is found");
        std::fs::rename(&path, &aside).map_err(Error::io(&path))?;
        // The log belongs to it; the index of the log is made anew.
        let _ = std::fs::rename(home.join(format!("{FILE_NAME}-wal")), format!("{}-wal", aside.display()));
        let _ = std::fs::remove_file(home.join(format!("{FILE_NAME}-shm")));
        tracing::error!(kept_as = %aside.display(), "state.sqlite is damaged; agents need new tokens");
    }
    Ok(())
}

/// Takes from others what they may do with a file or folder of ours. One of somebody else's stays as it is.
fn close_to_others(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_open = std::fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
        if is_open {
            let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
        }
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}

fn prepare(connection: &mut Connection, now: Timestamp) -> Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let exists: bool = tx.query_row(
        "SELECT count(*) > 0 FROM sqlite_master WHERE name = 'applied_migrations'",
        [],
        |row| row.get(0),
    )?;
    for (name, sql) in MIGRATIONS {
        let is_applied = exists
            && tx.query_row(
                "SELECT count(*) > 0 FROM applied_migrations WHERE name = ?1",
                [name],
                |row| row.get(0),
            )?;
        if !is_applied {
            tx.execute_batch(sql)?;
            tx.execute(
                "INSERT INTO applied_migrations (name, applied_at) VALUES (?1, ?2)",
                params![name, now],
            )?;
        }
    }
    tx.commit()?;
    Ok(())
}

fn read_identity(row: &Row<'_>) -> rusqlite::Result<Identity> {
    let rights: String = row.get(1)?;
    Ok(Identity {
        name: row.get(0)?,
        // Rights that cannot be read grant nothing.
        rights: serde_json::from_str(&rights).unwrap_or(Rights {
            write: false,
            delete: false,
            ..Rights::default()
        }),
        created_at: row.get(2)?,
        last_seen: row.get(3)?,
        has_token: row.get(4)?,
    })
}

fn to_json(rights: &Rights) -> String {
    serde_json::to_string(rights).expect("rights are plain data")
}

/// 256 random bits in lower-case hex, with a prefix that secret scanners and people recognise.
pub fn random_token() -> String {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    format!("gmt_{hex}")
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
