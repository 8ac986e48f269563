-- What all rows of one transaction share is stored once. A row of the journal had repeated the
-- transaction's id, time, actor, client and operation, and three indexes on them: a quarter of a
-- file, and as much of the time of a write.
--
-- A transaction's rows stand together, since a file has one writer at a time; its first row's number
-- is its key.

CREATE TABLE transactions (
    first_seq INTEGER PRIMARY KEY,
    last_seq  INTEGER NOT NULL,
    id        TEXT NOT NULL UNIQUE,
    time      REAL NOT NULL,
    actor     TEXT NOT NULL,
    client    TEXT NOT NULL DEFAULT '',
    operation TEXT NOT NULL
);
CREATE INDEX transactions_by_actor ON transactions (actor, first_seq);

INSERT INTO transactions (first_seq, last_seq, id, time, actor, client, operation)
SELECT min(seq), max(seq), transaction_id, time, actor, client, operation
FROM journal GROUP BY transaction_id ORDER BY min(seq);

CREATE TABLE journal_rows (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The first row of its transaction.
    first_seq   INTEGER NOT NULL,
    object_kind TEXT NOT NULL,
    object_id   TEXT NOT NULL,
    before      TEXT,
    after       TEXT
);
INSERT INTO journal_rows (seq, first_seq, object_kind, object_id, before, after)
SELECT j.seq, t.first_seq, j.object_kind, j.object_id, j.before, j.after
FROM journal j JOIN transactions t ON t.id = j.transaction_id ORDER BY j.seq;

-- Numbers go on from the newest ever given, also where the newest rows were trimmed.
DELETE FROM sqlite_sequence WHERE name = 'journal_rows';
INSERT INTO sqlite_sequence (name, seq) SELECT 'journal_rows', seq FROM sqlite_sequence WHERE name = 'journal';

DROP TABLE journal;
ALTER TABLE journal_rows RENAME TO journal;
CREATE INDEX journal_by_object ON journal (object_id, seq);

-- The text index is written at the end of each transaction, by the program: a statement with
-- triggers opens a savepoint, and FTS5 writes what it has gathered to disk at each of them.
DROP TRIGGER entities_fts_insert;
DROP TRIGGER entities_fts_delete;
DROP TRIGGER entities_fts_update;
DROP TRIGGER observations_fts_insert;
DROP TRIGGER observations_fts_delete;
DROP TRIGGER observations_fts_update;
