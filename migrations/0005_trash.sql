-- What a person or an agent deleted, for thirty days. A table of its own: the journal may be trimmed without
-- ending it. Every writer keeps it, or an older one's deletes would be final.
CREATE TABLE trash (
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('entity', 'relationship', 'observation')),
    -- The entity it is, is about, or begins at; and where a relationship ends.
    entity_id      TEXT NOT NULL,
    target_id      TEXT,
    -- The entity with which it went, if it was not deleted by itself.
    went_with      TEXT,
    transaction_id TEXT NOT NULL,
    deleted_at     REAL NOT NULL,
    actor          TEXT NOT NULL,
    client         TEXT NOT NULL DEFAULT '',
    -- As the journal tells it: an entity with its aliases and its place.
    content        TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX trash_by_time ON trash (deleted_at, id);
CREATE INDEX trash_by_entity ON trash (entity_id);
CREATE INDEX trash_by_target ON trash (target_id) WHERE target_id IS NOT NULL;

-- Vectors of what is in there. They are good as long as the file's vectors are of the same making.
CREATE TABLE trash_vectors (
    id     TEXT NOT NULL REFERENCES trash (id) ON DELETE CASCADE,
    part   INTEGER NOT NULL,
    epoch  INTEGER NOT NULL,
    scale  REAL NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (id, part)
) WITHOUT ROWID;
