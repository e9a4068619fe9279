-- What one player plays alone: 'stage/12', 'lesson/3', 'shuffle', 'daily/2026-11-30', 'practice/2026-11-30'; null in
-- races. Seats repeat it, so that what a player did alone is found by one index, and races by another. Its order is that
-- of bytes: all days lie between 'daily/' and 'daily0'.
ALTER TABLE round_result ADD COLUMN solo text COLLATE "C";
ALTER TABLE seat_result ADD COLUMN solo text COLLATE "C";
CREATE INDEX round_raced ON round_result (finished_at_ms, round_id) WHERE solo IS NULL;
CREATE INDEX seat_raced ON seat_result (player_id, finished_at_ms, round_id) WHERE solo IS NULL;
CREATE INDEX seat_alone ON seat_result (player_id, solo, round_id) WHERE solo IS NOT NULL;
DROP INDEX seat_of_player;

-- The boards of the Daily Spire. day counts from 1970-01-01; commitment and server_seed in hexadecimal.
CREATE TABLE daily (
    day              bigint NOT NULL PRIMARY KEY,
    preset           text   NOT NULL,
    deal_version     bigint NOT NULL,
    commitment       text   NOT NULL,
    server_seed      text   NOT NULL,
    redeals          bigint NOT NULL,
    board            text   NOT NULL,
    optimum          bigint NOT NULL,
    committed_at_ms  bigint NOT NULL
);

-- In which room a player has the one rated try of a day.
CREATE TABLE daily_try (
    day        bigint NOT NULL,
    player_id  uuid   NOT NULL,
    room_id    uuid   NOT NULL,
    PRIMARY KEY (day, player_id)
);
