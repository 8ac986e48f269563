-- Whoever writes a single fact waits for the pages that change with it.
--
-- Lists of the best connected and the most observed entities never tell of those that have none.
DROP INDEX entity_stats_by_degree;
CREATE INDEX entity_stats_by_degree ON entity_stats (degree) WHERE degree > 0;
DROP INDEX entity_stats_by_observations;
CREATE INDEX entity_stats_by_observations ON entity_stats (observations) WHERE observations > 0;

-- Entities of a type are listed as they came in: by row, which every index ends with.
DROP INDEX entities_by_type;
CREATE INDEX entities_by_type ON entities (entity_type);

-- A part of the text index is written with each transaction, and parts are merged: sixty-four at a
-- time in one go instead of sixteen, since going on with a merge bit by bit, as FTS5 does by itself,
-- keeps them few enough.
INSERT INTO entities_fts (entities_fts, rank) VALUES ('crisismerge', 64);
INSERT INTO observations_fts (observations_fts, rank) VALUES ('crisismerge', 64);
