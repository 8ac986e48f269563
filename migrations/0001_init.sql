-- The first schema of a graph file.
--
-- Core columns are those of graph-mem 1.0, so that its readers find what they know. Beside each
-- text id stands an integer `rid`, by which the text index, the positions and the adjacency
-- index address a row. Keys without case and segmented search text are computed by the program
-- and stored: no custom function, collation or tokenizer is needed to check or read this file
-- with a plain sqlite3.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE applied_migrations (
    name       TEXT PRIMARY KEY,
    applied_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE entities (
    rid         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    entity_type TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    properties  TEXT NOT NULL DEFAULT '{}',
    created_at  REAL NOT NULL,
    updated_at  REAL NOT NULL,
    -- Without default on purpose: a writer that does not know the journal fails here.
    name_key    TEXT NOT NULL,
    search_name TEXT NOT NULL,
    search_body TEXT NOT NULL,
    UNIQUE (name_key, entity_type)
);
CREATE INDEX entities_by_type ON entities (entity_type, updated_at);
CREATE INDEX entities_by_update ON entities (updated_at);
CREATE INDEX entities_without_description ON entities (created_at, id) WHERE description = '';

CREATE TABLE relationships (
    rid               INTEGER PRIMARY KEY,
    id                TEXT NOT NULL UNIQUE,
    source_id         TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    target_id         TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    relationship_type TEXT NOT NULL,
    weight            REAL NOT NULL DEFAULT 1.0 CHECK (weight >= 0.0 AND weight <= 1.0),
    properties        TEXT NOT NULL DEFAULT '{}',
    created_at        REAL NOT NULL,
    updated_at        REAL NOT NULL,
    source_rid        INTEGER NOT NULL,
    target_rid        INTEGER NOT NULL
);
CREATE UNIQUE INDEX relationships_by_ends ON relationships (source_id, target_id, relationship_type);
CREATE INDEX relationships_by_target ON relationships (target_id);

CREATE TABLE observations (
    rid         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    entity_id   TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    content     TEXT NOT NULL,
    source      TEXT NOT NULL DEFAULT '',
    created_at  REAL NOT NULL,
    entity_rid  INTEGER NOT NULL,
    search_text TEXT NOT NULL
);
CREATE INDEX observations_by_entity ON observations (entity_id, created_at);

-- Earlier names of an entity, and the names of entities merged into it.
CREATE TABLE aliases (
    alias_key TEXT NOT NULL,
    entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    alias     TEXT NOT NULL,
    PRIMARY KEY (alias_key, entity_id)
) WITHOUT ROWID;
CREATE INDEX aliases_by_entity ON aliases (entity_id);

-- Maintained counts, so that an overview costs the same at any size.
-- kind: entity, relationship, observation, without_description; key: a type, or '' for all of the kind.
CREATE TABLE counters (
    kind TEXT NOT NULL,
    key  TEXT NOT NULL,
    n    INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;

-- Maintained per entity: how many relationships touch it, how many observations it has.
CREATE TABLE entity_stats (
    entity_rid   INTEGER PRIMARY KEY REFERENCES entities (rid) ON DELETE CASCADE,
    degree       INTEGER NOT NULL DEFAULT 0,
    observations INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entity_stats_by_degree ON entity_stats (degree);
CREATE INDEX entity_stats_by_observations ON entity_stats (observations);

-- Where the picture stands. Not journalled; a person's pins are.
CREATE TABLE positions (
    entity_rid INTEGER PRIMARY KEY REFERENCES entities (rid) ON DELETE CASCADE,
    x          REAL NOT NULL,
    y          REAL NOT NULL,
    pinned     INTEGER NOT NULL DEFAULT 0
);

-- The change journal: written in the transaction of every change it tells of.
CREATE TABLE journal (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    transaction_id TEXT NOT NULL,
    time           REAL NOT NULL,
    actor          TEXT NOT NULL,
    client         TEXT NOT NULL DEFAULT '',
    operation      TEXT NOT NULL,
    object_kind    TEXT NOT NULL,
    object_id      TEXT NOT NULL,
    before         TEXT,
    after          TEXT
);
CREATE INDEX journal_by_transaction ON journal (transaction_id);
CREATE INDEX journal_by_object ON journal (object_id, seq);
CREATE INDEX journal_by_actor ON journal (actor, seq);

-- Which transaction took back which; undone work can be found and redone.
CREATE TABLE undo_links (
    transaction_id TEXT PRIMARY KEY,
    undoes         TEXT NOT NULL,
    kind           TEXT NOT NULL CHECK (kind IN ('undo', 'redo', 'revert'))
) WITHOUT ROWID;
CREATE INDEX undo_links_by_target ON undo_links (undoes);

CREATE VIRTUAL TABLE entities_fts USING fts5 (
    search_name, search_body,
    content = 'entities', content_rowid = 'rid',
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER entities_fts_insert AFTER INSERT ON entities BEGIN
    INSERT INTO entities_fts (rowid, search_name, search_body)
    VALUES (new.rid, new.search_name, new.search_body);
END;
CREATE TRIGGER entities_fts_delete AFTER DELETE ON entities BEGIN
    INSERT INTO entities_fts (entities_fts, rowid, search_name, search_body)
    VALUES ('delete', old.rid, old.search_name, old.search_body);
END;
CREATE TRIGGER entities_fts_update AFTER UPDATE OF search_name, search_body ON entities BEGIN
    INSERT INTO entities_fts (entities_fts, rowid, search_name, search_body)
    VALUES ('delete', old.rid, old.search_name, old.search_body);
    INSERT INTO entities_fts (rowid, search_name, search_body)
    VALUES (new.rid, new.search_name, new.search_body);
END;

CREATE VIRTUAL TABLE observations_fts USING fts5 (
    search_text,
    content = 'observations', content_rowid = 'rid',
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER observations_fts_insert AFTER INSERT ON observations BEGIN
    INSERT INTO observations_fts (rowid, search_text) VALUES (new.rid, new.search_text);
END;
CREATE TRIGGER observations_fts_delete AFTER DELETE ON observations BEGIN
    INSERT INTO observations_fts (observations_fts, rowid, search_text)
    VALUES ('delete', old.rid, old.search_text);
END;
CREATE TRIGGER observations_fts_update AFTER UPDATE OF search_text ON observations BEGIN
    INSERT INTO observations_fts (observations_fts, rowid, search_text)
    VALUES ('delete', old.rid, old.search_text);
    INSERT INTO observations_fts (rowid, search_text) VALUES (new.rid, new.search_text);
END;
