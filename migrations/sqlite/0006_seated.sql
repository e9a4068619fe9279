-- In which rooms a player's name stands: everybody who ever sat there, raced or not. A row goes once the name is erased.
CREATE TABLE seated (
    room_id    BLOB NOT NULL,
    player_id  BLOB NOT NULL,
    PRIMARY KEY (room_id, player_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX seated_of_player ON seated (player_id, room_id);

-- From what is stored; what cannot be read names nobody.
INSERT OR IGNORE INTO seated (room_id, player_id)
SELECT room_id, id FROM (
    SELECT room_id, unhex(replace(body ->> '$.player', '-', '')) AS id
    FROM (SELECT room_id, CASE WHEN json_valid(body) THEN body ELSE '{}' END AS body FROM room_event
          WHERE body LIKE '{"type":"seat_taken"%')
) WHERE id IS NOT NULL;
INSERT OR IGNORE INTO seated (room_id, player_id)
SELECT room_id, id FROM (
    SELECT room_id, unhex(replace(body ->> '$.player', '-', '')) AS id
    FROM (SELECT room_id, CASE WHEN json_valid(body) THEN body ELSE '{}' END AS body
          FROM (SELECT r.room_id, s.value ->> 4 AS body
                FROM replay r, json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE '[]' END) s)
          WHERE body LIKE '{"type":"seat_taken"%')
) WHERE id IS NOT NULL;

-- Deletions of before looked only where their player had raced.
UPDATE player SET erased = 0 WHERE standing IN (3, 4);

-- Skeletons are made anew at the start: more names that look alike have one than had.
UPDATE player SET skeleton = NULL WHERE standing NOT IN (3, 4);
