-- A part of the text index is written with each transaction, and parts are merged: sixty-four at a
-- time in one go instead of sixteen, since going on with a merge bit by bit, as FTS5 does by itself,
-- keeps them few enough, and whoever writes single facts waits less often.
INSERT INTO entities_fts (entities_fts, rank) VALUES ('crisismerge', 64);
INSERT INTO observations_fts (observations_fts, rank) VALUES ('crisismerge', 64);
