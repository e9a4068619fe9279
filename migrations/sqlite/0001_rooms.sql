-- The room row is the fence of its journal and outlives the events.
CREATE TABLE room (
    room_id         BLOB    NOT NULL PRIMARY KEY,
    code            TEXT    NOT NULL UNIQUE,
    public          INTEGER NOT NULL,
    options         TEXT    NOT NULL,
    listing         TEXT    NOT NULL,
    state           TEXT    NOT NULL,
    format          INTEGER NOT NULL,
    epoch           INTEGER NOT NULL,
    last_seq        INTEGER NOT NULL,
    owner           TEXT    NOT NULL,
    lease_until_ms  INTEGER,
    created_at_ms   INTEGER NOT NULL,
    finished_at_ms  INTEGER,
    compacted       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX room_unfinished ON room (room_id) WHERE finished_at_ms IS NULL;
CREATE INDEX room_listed ON room (created_at_ms, room_id) WHERE public AND finished_at_ms IS NULL;
CREATE INDEX room_to_compact ON room (finished_at_ms) WHERE finished_at_ms IS NOT NULL AND compacted = 0;

CREATE TABLE room_event (
    room_id  BLOB    NOT NULL,
    seq      INTEGER NOT NULL,
    epoch    INTEGER NOT NULL,
    format   INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (room_id, seq)
) STRICT, WITHOUT ROWID;

-- A finished room's events, moved here in slices: one row holds the events first_seq to last_seq.
CREATE TABLE replay (
    room_id    BLOB    NOT NULL,
    first_seq  INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    body       TEXT    NOT NULL,
    PRIMARY KEY (room_id, first_seq)
) STRICT;
