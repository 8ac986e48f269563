-- Who is at work, who was told to pause, and what was asked.

-- An agent that the person knows by name, and said something of, whether or not it has a token.
ALTER TABLE identities ADD COLUMN has_token INTEGER NOT NULL DEFAULT 1;

-- An agent whose writes wait until the person lets them go on; '' stands for every agent.
CREATE TABLE pauses (
    name  TEXT PRIMARY KEY COLLATE NOCASE,
    since REAL NOT NULL
) WITHOUT ROWID;

-- An agent as one client of one process; it goes with the process.
CREATE TABLE presence (
    process_id    TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
    agent         TEXT NOT NULL,
    client        TEXT NOT NULL,
    transport     TEXT NOT NULL,
    library       TEXT NOT NULL,
    graph         TEXT NOT NULL,
    connected_at  REAL NOT NULL,
    last_seen     REAL NOT NULL,
    reads         INTEGER NOT NULL,
    writes        INTEGER NOT NULL,
    -- In the minute before last_seen.
    reads_minute  INTEGER NOT NULL,
    writes_minute INTEGER NOT NULL,
    PRIMARY KEY (process_id, agent, client)
) WITHOUT ROWID;

-- What agents searched for, and what they were given.
CREATE TABLE recalls (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    time    REAL NOT NULL,
    agent   TEXT NOT NULL,
    client  TEXT NOT NULL,
    library TEXT NOT NULL,
    graph   TEXT NOT NULL,
    tool    TEXT NOT NULL,
    query   TEXT NOT NULL,
    -- Ids of entities, in their order, as a JSON list; `hits` is how many there were.
    found   TEXT NOT NULL,
    hits    INTEGER NOT NULL
);
CREATE INDEX recalls_by_agent ON recalls (agent, id);
CREATE INDEX recalls_by_graph ON recalls (library, graph, id);
