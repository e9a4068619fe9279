-- The room row is the fence of its journal and outlives the events.
CREATE TABLE room (
    room_id         uuid    NOT NULL PRIMARY KEY,
    code            text    NOT NULL UNIQUE,
    public          boolean NOT NULL,
    options         text    NOT NULL,
    listing         text    NOT NULL,
    state           text    NOT NULL,
    format          bigint  NOT NULL,
    epoch           bigint  NOT NULL,
    last_seq        bigint  NOT NULL,
    owner           text    NOT NULL,
    lease_until_ms  bigint,
    created_at_ms   bigint  NOT NULL,
    finished_at_ms  bigint,
    compacted       boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX room_unfinished ON room (room_id) WHERE finished_at_ms IS NULL;
CREATE INDEX room_listed ON room (created_at_ms, room_id) WHERE public AND finished_at_ms IS NULL;
CREATE INDEX room_to_compact ON room (finished_at_ms) WHERE finished_at_ms IS NOT NULL AND NOT compacted;

CREATE TABLE room_event (
    room_id  uuid   NOT NULL,
    seq      bigint NOT NULL,
    epoch    bigint NOT NULL,
    format   bigint NOT NULL,
    at_ms    bigint NOT NULL,
    body     text   NOT NULL,
    PRIMARY KEY (room_id, seq)
);

-- A finished room's events, moved here in slices: one row holds the events first_seq to last_seq.
CREATE TABLE replay (
    room_id    uuid   NOT NULL,
    first_seq  bigint NOT NULL,
    last_seq   bigint NOT NULL,
    body       text   NOT NULL,
    PRIMARY KEY (room_id, first_seq)
);
