CREATE TABLE player (
    player_id      BLOB    NOT NULL PRIMARY KEY,
    name           TEXT    NOT NULL,
    token_hash     BLOB    NOT NULL UNIQUE,
    bot            INTEGER NOT NULL,
    created_at_ms  INTEGER NOT NULL
) STRICT;

CREATE TABLE round_result (
    round_id        BLOB    NOT NULL PRIMARY KEY,
    room_id         BLOB    NOT NULL,
    round           INTEGER NOT NULL,
    first_seq       INTEGER NOT NULL,
    last_seq        INTEGER NOT NULL,
    preset          TEXT,
    board           TEXT    NOT NULL,
    optimum         INTEGER,
    par             INTEGER,
    seed            TEXT    NOT NULL,
    deal_version    INTEGER NOT NULL,
    contest         TEXT    NOT NULL,
    placement       TEXT    NOT NULL,
    rated           INTEGER NOT NULL,
    interrupted     INTEGER NOT NULL,
    started_at_ms   INTEGER NOT NULL,
    finished_at_ms  INTEGER NOT NULL,
    body            TEXT    NOT NULL
) STRICT;
CREATE INDEX round_of_room ON round_result (room_id, round);
CREATE INDEX round_finished ON round_result (finished_at_ms, round_id);
CREATE INDEX round_preset ON round_result (preset);

-- preset, interrupted and finished_at_ms repeat the round's, so that the lists need one index each;
-- ratio_ppm is moves * 1000000 / optimum.
CREATE TABLE seat_result (
    round_id        BLOB    NOT NULL,
    seat            INTEGER NOT NULL,
    player_id       BLOB    NOT NULL,
    rank            INTEGER NOT NULL,
    finished        INTEGER NOT NULL,
    clean           INTEGER NOT NULL,
    moves           INTEGER NOT NULL,
    errors          INTEGER NOT NULL,
    raw_ms          INTEGER,
    credit_ms       INTEGER,
    official_ms     INTEGER,
    score           INTEGER NOT NULL,
    stars           INTEGER,
    flawless        INTEGER NOT NULL,
    crown           INTEGER NOT NULL,
    preset          TEXT,
    ratio_ppm       INTEGER,
    interrupted     INTEGER NOT NULL,
    finished_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (round_id, seat)
) STRICT;
CREATE INDEX seat_of_player ON seat_result (player_id, finished_at_ms, round_id);
CREATE INDEX seat_fastest ON seat_result (preset, official_ms, finished_at_ms, round_id);
CREATE INDEX seat_fastest_of_player ON seat_result (player_id, preset, official_ms, finished_at_ms, round_id);
CREATE INDEX seat_fewest ON seat_result (preset, ratio_ppm, finished_at_ms, round_id);

-- Points a player has gathered in a span ('all', 'dN', 'wN') with a preset ('' for all of them).
CREATE TABLE sprint_points (
    span           TEXT    NOT NULL,
    preset         TEXT    NOT NULL,
    player_id      BLOB    NOT NULL,
    points         INTEGER NOT NULL,
    rounds         INTEGER NOT NULL,
    reached_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (span, preset, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sprint_points_order ON sprint_points (span, preset, points DESC, reached_at_ms, player_id);

CREATE TABLE dealt_board (
    board     TEXT NOT NULL PRIMARY KEY,
    round_id  BLOB NOT NULL
) STRICT, WITHOUT ROWID;
