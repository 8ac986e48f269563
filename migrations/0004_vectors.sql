-- Vectors of texts, for search by meaning. Not journalled: they follow from the texts, and arrive after
-- the commit that brings those.
--
-- kind: 0 an entity, 1 an observation; rid: its row. A long text has several parts.
CREATE TABLE vectors (
    kind   INTEGER NOT NULL,
    rid    INTEGER NOT NULL,
    part   INTEGER NOT NULL,
    -- A number of the vector is scale times a signed byte.
    scale  REAL NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (kind, rid, part)
) WITHOUT ROWID;

-- Rows whose text has no vector yet. Written with the text, by whoever writes it, once the file has a
-- model (`embedding_model` in meta).
CREATE TABLE vectors_wanted (
    kind     INTEGER NOT NULL,
    rid      INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, rid)
) WITHOUT ROWID;

-- Which rows' vectors came, changed or went, for the indexes that programs keep in memory. The newest
-- row stays, so that numbers are never given twice.
CREATE TABLE vector_log (
    seq  INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    rid  INTEGER NOT NULL
);
