-- What is not a graph: who may attach, which processes live and what they hold open, settings
-- that processes share. One file for a user, in the home library.

CREATE TABLE applied_migrations (
    name       TEXT PRIMARY KEY,
    applied_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE identities (
    name       TEXT PRIMARY KEY COLLATE NOCASE,
    token_hash BLOB NOT NULL UNIQUE,
    rights     TEXT NOT NULL,
    created_at REAL NOT NULL,
    last_seen  REAL,
    -- Stateless callers have no session of their own: their choice of graph stays with the name.
    active_graph TEXT
) WITHOUT ROWID;

-- A process is alive while it holds the lock of its lock file; its row dies with it.
CREATE TABLE processes (
    id         TEXT PRIMARY KEY,
    pid        INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    label      TEXT NOT NULL,
    started_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE leases (
    process_id TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
    file       TEXT NOT NULL,
    PRIMARY KEY (process_id, file)
) WITHOUT ROWID;

CREATE TABLE recents (
    folder    TEXT PRIMARY KEY,
    opened_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
