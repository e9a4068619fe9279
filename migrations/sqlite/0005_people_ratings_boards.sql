-- A player may have several devices, or none (house bots): the tokens move into a table of their own. SQLite cannot
-- drop a column that is UNIQUE, so the table is built anew. erased is 0 only while a deletion is under way.
CREATE TABLE player_new (
    player_id       BLOB    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    skeleton        TEXT    UNIQUE,
    bot             INTEGER NOT NULL,
    strength        INTEGER,
    password        TEXT,
    standing        INTEGER NOT NULL DEFAULT 0,
    standing_at_ms  INTEGER NOT NULL DEFAULT 0,
    erased          INTEGER NOT NULL DEFAULT 1,
    created_at_ms   INTEGER NOT NULL
) STRICT;
INSERT INTO player_new (player_id, name, bot, created_at_ms) SELECT player_id, name, bot, created_at_ms FROM player;
CREATE TABLE device (
    token_hash     BLOB    NOT NULL PRIMARY KEY,
    player_id      BLOB    NOT NULL,
    created_at_ms  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO device (token_hash, player_id, created_at_ms) SELECT token_hash, player_id, created_at_ms FROM player;
DROP TABLE player;
ALTER TABLE player_new RENAME TO player;
CREATE INDEX player_standing ON player (standing_at_ms) WHERE standing <> 0;
CREATE INDEX player_nameless ON player (player_id) WHERE skeleton IS NULL AND standing <> 3;
CREATE INDEX player_to_erase ON player (player_id) WHERE NOT erased;
CREATE INDEX device_of_player ON device (player_id);

CREATE TABLE link_code (
    code_hash      BLOB    NOT NULL PRIMARY KEY,
    player_id      BLOB    NOT NULL UNIQUE,
    expires_at_ms  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the host did about a player, and why.
CREATE TABLE flag (
    player_id  BLOB    NOT NULL,
    at_ms      INTEGER NOT NULL,
    standing   INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    PRIMARY KEY (player_id, at_ms)
) STRICT, WITHOUT ROWID;

-- What a room's events cannot say: opened by quick match, who was brought to it, who was sent away.
ALTER TABLE room ADD COLUMN matched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE room ADD COLUMN guests TEXT NOT NULL DEFAULT '[]';
ALTER TABLE room ADD COLUMN kicked TEXT NOT NULL DEFAULT '[]';

-- number counts the rounds from which ratings and boards follow, in the order in which they do.
ALTER TABLE round_result ADD COLUMN matched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE round_result ADD COLUMN number INTEGER;
CREATE UNIQUE INDEX round_number ON round_result (number) WHERE number IS NOT NULL;

ALTER TABLE seat_result ADD COLUMN bot INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seat_result ADD COLUMN suspicion INTEGER NOT NULL DEFAULT 0;
UPDATE seat_result SET bot = 1 WHERE player_id IN (SELECT player_id FROM player WHERE bot);
CREATE INDEX seat_suspected ON seat_result (finished_at_ms, round_id, seat) WHERE suspicion <> 0;

-- The lists of rounds opened by hand end here: boards follow from quick match alone.
DROP TABLE sprint_points;
DROP INDEX seat_fastest;
DROP INDEX seat_fastest_of_player;
DROP INDEX seat_fewest;

-- One row, made by the first use: which generation of ratings and boards counts, and how many rounds do.
CREATE TABLE ladder (
    id              INTEGER NOT NULL PRIMARY KEY,
    generation      INTEGER NOT NULL,
    rounds          INTEGER NOT NULL,
    building        INTEGER,
    building_at_ms  INTEGER
) STRICT;

-- mu and sigma in millionths. series is a preset, or '' for all of them.
CREATE TABLE rating (
    generation  INTEGER NOT NULL,
    series      TEXT    NOT NULL,
    player_id   BLOB    NOT NULL,
    mu          INTEGER NOT NULL,
    sigma       INTEGER NOT NULL,
    rounds      INTEGER NOT NULL,
    last_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (generation, series, player_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE seat_rating (
    generation    INTEGER NOT NULL,
    round_id      BLOB    NOT NULL,
    series        TEXT    NOT NULL,
    seat          INTEGER NOT NULL,
    player_id     BLOB    NOT NULL,
    mu_before     INTEGER NOT NULL,
    sigma_before  INTEGER NOT NULL,
    mu_after      INTEGER NOT NULL,
    sigma_after   INTEGER NOT NULL,
    PRIMARY KEY (generation, round_id, series, seat)
) STRICT, WITHOUT ROWID;

-- Rounds that two players raced against each other on a UTC day; player_a < player_b.
CREATE TABLE pair_day (
    generation  INTEGER NOT NULL,
    day         INTEGER NOT NULL,
    player_a    BLOB    NOT NULL,
    player_b    BLOB    NOT NULL,
    rounds      INTEGER NOT NULL,
    PRIMARY KEY (generation, day, player_a, player_b)
) STRICT, WITHOUT ROWID;

-- place is smaller for better on every board. list: 0 people, 1 bots, 2 those set apart.
CREATE TABLE board_entry (
    generation     INTEGER NOT NULL,
    board          TEXT    NOT NULL,
    list           INTEGER NOT NULL,
    player_id      BLOB    NOT NULL,
    place          INTEGER NOT NULL,
    reached_at_ms  INTEGER NOT NULL,
    round_id       BLOB    NOT NULL,
    rounds         INTEGER NOT NULL,
    wins           INTEGER NOT NULL,
    PRIMARY KEY (generation, board, list, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX board_order ON board_entry
    (generation, board, list, place, reached_at_ms, player_id, round_id, rounds, wins);
CREATE INDEX board_of_player ON board_entry (player_id, generation);
