-- In which rooms a player's name stands: everybody who ever sat there, raced or not. A row goes once the name is erased.
CREATE TABLE seated (
    room_id    uuid NOT NULL,
    player_id  uuid NOT NULL,
    PRIMARY KEY (room_id, player_id)
);
CREATE INDEX seated_of_player ON seated (player_id, room_id);

-- From what is stored; what cannot be read names nobody.
INSERT INTO seated (room_id, player_id)
SELECT room_id, id::uuid FROM (
    SELECT room_id, substring(body FROM '^\{"type":"seat_taken","seat":[0-9]+,"player":"([0-9a-f-]{36})"') AS id
    FROM room_event WHERE body LIKE '{"type":"seat_taken"%'
) AS found WHERE id IS NOT NULL
ON CONFLICT DO NOTHING;
-- Here each event is a JSON text inside another.
INSERT INTO seated (room_id, player_id)
SELECT room_id, id[1]::uuid FROM (
    SELECT room_id, regexp_matches(
        body, '"\{\\"type\\":\\"seat_taken\\",\\"seat\\":[0-9]+,\\"player\\":\\"([0-9a-f-]{36})\\"', 'g') AS id
    FROM replay
) AS found
ON CONFLICT DO NOTHING;

-- Deletions of before looked only where their player had raced.
UPDATE player SET erased = false WHERE standing IN (3, 4);

-- Skeletons are made anew at the start: more names that look alike have one than had.
UPDATE player SET skeleton = NULL WHERE standing NOT IN (3, 4);
