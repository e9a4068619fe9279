-- A player may have several devices, or none (house bots): the tokens move into a table of their own.
-- erased is false only while a deletion is under way.
CREATE TABLE device (
    token_hash     bytea  NOT NULL PRIMARY KEY,
    player_id      uuid   NOT NULL,
    created_at_ms  bigint NOT NULL
);
INSERT INTO device (token_hash, player_id, created_at_ms) SELECT token_hash, player_id, created_at_ms FROM player;
CREATE INDEX device_of_player ON device (player_id);
ALTER TABLE player
    DROP COLUMN token_hash,
    ADD COLUMN skeleton        text UNIQUE,
    ADD COLUMN strength        bigint,
    ADD COLUMN password        text,
    ADD COLUMN standing        bigint  NOT NULL DEFAULT 0,
    ADD COLUMN standing_at_ms  bigint  NOT NULL DEFAULT 0,
    ADD COLUMN erased          boolean NOT NULL DEFAULT true;
CREATE INDEX player_standing ON player (standing_at_ms) WHERE standing <> 0;
CREATE INDEX player_nameless ON player (player_id) WHERE skeleton IS NULL AND standing <> 3;
CREATE INDEX player_to_erase ON player (player_id) WHERE NOT erased;

CREATE TABLE link_code (
    code_hash      bytea  NOT NULL PRIMARY KEY,
    player_id      uuid   NOT NULL UNIQUE,
    expires_at_ms  bigint NOT NULL
);

-- What the host did about a player, and why.
CREATE TABLE flag (
    player_id  uuid   NOT NULL,
    at_ms      bigint NOT NULL,
    standing   bigint NOT NULL,
    reason     text   NOT NULL,
    PRIMARY KEY (player_id, at_ms)
);

-- What a room's events cannot say: opened by quick match, who was brought to it, who was sent away.
ALTER TABLE room
    ADD COLUMN matched boolean NOT NULL DEFAULT false,
    ADD COLUMN guests  text    NOT NULL DEFAULT '[]',
    ADD COLUMN kicked  text    NOT NULL DEFAULT '[]';

-- number counts the rounds from which ratings and boards follow, in the order in which they do.
ALTER TABLE round_result
    ADD COLUMN matched boolean NOT NULL DEFAULT false,
    ADD COLUMN number  bigint;
CREATE UNIQUE INDEX round_number ON round_result (number) WHERE number IS NOT NULL;

ALTER TABLE seat_result
    ADD COLUMN bot       boolean NOT NULL DEFAULT false,
    ADD COLUMN suspicion bigint  NOT NULL DEFAULT 0;
UPDATE seat_result SET bot = true WHERE player_id IN (SELECT player_id FROM player WHERE bot);
CREATE INDEX seat_suspected ON seat_result (finished_at_ms, round_id, seat) WHERE suspicion <> 0;

-- The lists of rounds opened by hand end here: boards follow from quick match alone.
DROP TABLE sprint_points;
DROP INDEX seat_fastest;
DROP INDEX seat_fastest_of_player;
DROP INDEX seat_fewest;

-- One row, made by the first use: which generation of ratings and boards counts, and how many rounds do.
CREATE TABLE ladder (
    id              bigint NOT NULL PRIMARY KEY,
    generation      bigint NOT NULL,
    rounds          bigint NOT NULL,
    building        bigint,
    building_at_ms  bigint
);

-- mu and sigma in millionths. series is a preset, or '' for all of them.
CREATE TABLE rating (
    generation  bigint NOT NULL,
    series      text   NOT NULL,
    player_id   uuid   NOT NULL,
    mu          bigint NOT NULL,
    sigma       bigint NOT NULL,
    rounds      bigint NOT NULL,
    last_at_ms  bigint NOT NULL,
    PRIMARY KEY (generation, series, player_id)
);
CREATE TABLE seat_rating (
    generation    bigint NOT NULL,
    round_id      uuid   NOT NULL,
    series        text   NOT NULL,
    seat          bigint NOT NULL,
    player_id     uuid   NOT NULL,
    mu_before     bigint NOT NULL,
    sigma_before  bigint NOT NULL,
    mu_after      bigint NOT NULL,
    sigma_after   bigint NOT NULL,
    PRIMARY KEY (generation, round_id, series, seat)
);

-- Rounds that two players raced against each other on a UTC day; player_a < player_b.
CREATE TABLE pair_day (
    generation  bigint NOT NULL,
    day         bigint NOT NULL,
    player_a    uuid   NOT NULL,
    player_b    uuid   NOT NULL,
    rounds      bigint NOT NULL,
    PRIMARY KEY (generation, day, player_a, player_b)
);

-- place is smaller for better on every board. list: 0 people, 1 bots, 2 those set apart.
CREATE TABLE board_entry (
    generation     bigint NOT NULL,
    board          text   NOT NULL,
    list           bigint NOT NULL,
    player_id      uuid   NOT NULL,
    place          bigint NOT NULL,
    reached_at_ms  bigint NOT NULL,
    round_id       uuid   NOT NULL,
    rounds         bigint NOT NULL,
    wins           bigint NOT NULL,
    PRIMARY KEY (generation, board, list, player_id)
);
CREATE INDEX board_order ON board_entry (generation, board, list, place, reached_at_ms, player_id)
    INCLUDE (round_id, rounds, wins);
CREATE INDEX board_of_player ON board_entry (player_id, generation);
