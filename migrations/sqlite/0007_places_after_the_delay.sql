-- Boards follow rounds later than ratings do: shown is the number of the last round that stands on the boards of the
-- generation that counts. Until now every counted round did.
ALTER TABLE ladder ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE ladder SET shown = rounds;

-- Rounds of the series, this one included; 0 in rounds from before.
ALTER TABLE seat_rating ADD COLUMN rounds INTEGER NOT NULL DEFAULT 0;

-- How many entries of a list stand in each stretch of places, so that a rank counts those of one stretch only. A stretch
-- is 256 places long; of ratings, which are millionths, 16,384.
CREATE TABLE board_count (
    generation  INTEGER NOT NULL,
    board       TEXT    NOT NULL,
    list        INTEGER NOT NULL,
    stretch     INTEGER NOT NULL,
    entries     INTEGER NOT NULL,
    PRIMARY KEY (generation, board, list, stretch)
) STRICT, WITHOUT ROWID;
INSERT INTO board_count (generation, board, list, stretch, entries)
    SELECT generation, board, list, place >> CASE WHEN substr(board, 1, 7) = 'rating/' THEN 14 ELSE 8 END, count(*)
    FROM board_entry GROUP BY 1, 2, 3, 4;
