-- Boards follow rounds later than ratings do: shown is the number of the last round that stands on the boards of the
-- generation that counts. Until now every counted round did.
ALTER TABLE ladder ADD COLUMN shown bigint NOT NULL DEFAULT 0;
UPDATE ladder SET shown = rounds;

-- Rounds of the series, this one included; 0 in rounds from before.
ALTER TABLE seat_rating ADD COLUMN rounds bigint NOT NULL DEFAULT 0;

-- How many entries of a list stand in each stretch of places, so that a rank counts those of one stretch only. A stretch
-- is 256 places long; of ratings, which are millionths, 16,384.
CREATE TABLE board_count (
    generation  bigint NOT NULL,
    board       text   NOT NULL,
    list        bigint NOT NULL,
    stretch     bigint NOT NULL,
    entries     bigint NOT NULL,
    PRIMARY KEY (generation, board, list, stretch)
) WITH (fillfactor = 70);
INSERT INTO board_count (generation, board, list, stretch, entries)
    SELECT generation, board, list, place >> CASE WHEN substr(board, 1, 7) = 'rating/' THEN 14 ELSE 8 END, count(*)
    FROM board_entry GROUP BY 1, 2, 3, 4;

-- The index alone is read only where a vacuum has been since the last change: it comes after every fiftieth entry.
ALTER TABLE board_entry SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
