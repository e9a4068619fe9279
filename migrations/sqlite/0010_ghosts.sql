-- What the ghosts of a room do: each act with its place on the race clock, as `ghost.rs` writes it in this format. A row is
-- written with its room and goes when that is over and compacted.
CREATE TABLE ghost (
    room_id    BLOB    NOT NULL,
    player_id  BLOB    NOT NULL,
    format     INTEGER NOT NULL,
    acts       TEXT    NOT NULL,
    PRIMARY KEY (room_id, player_id)
) STRICT;
