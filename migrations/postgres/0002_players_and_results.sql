CREATE TABLE player (
    player_id      uuid    NOT NULL PRIMARY KEY,
    name           text    NOT NULL,
    token_hash     bytea   NOT NULL UNIQUE,
    bot            boolean NOT NULL,
    created_at_ms  bigint  NOT NULL
);

CREATE TABLE round_result (
    round_id        uuid    NOT NULL PRIMARY KEY,
    room_id         uuid    NOT NULL,
    round           bigint  NOT NULL,
    first_seq       bigint  NOT NULL,
    last_seq        bigint  NOT NULL,
    preset          text,
    board           text    NOT NULL,
    optimum         bigint,
    par             bigint,
    seed            text    NOT NULL,
    deal_version    bigint  NOT NULL,
    contest         text    NOT NULL,
    placement       text    NOT NULL,
    rated           boolean NOT NULL,
    interrupted     boolean NOT NULL,
    started_at_ms   bigint  NOT NULL,
    finished_at_ms  bigint  NOT NULL,
    body            text    NOT NULL
);
CREATE INDEX round_of_room ON round_result (room_id, round);
CREATE INDEX round_finished ON round_result (finished_at_ms, round_id);
CREATE INDEX round_preset ON round_result (preset);

-- preset, interrupted and finished_at_ms repeat the round's, so that the lists need one index each;
-- ratio_ppm is moves * 1000000 / optimum.
CREATE TABLE seat_result (
    round_id        uuid    NOT NULL,
    seat            bigint  NOT NULL,
    player_id       uuid    NOT NULL,
    rank            bigint  NOT NULL,
    finished        boolean NOT NULL,
    clean           boolean NOT NULL,
    moves           bigint  NOT NULL,
    errors          bigint  NOT NULL,
    raw_ms          bigint,
    credit_ms       bigint,
    official_ms     bigint,
    score           bigint  NOT NULL,
    stars           bigint,
    flawless        boolean NOT NULL,
    crown           boolean NOT NULL,
    preset          text,
    ratio_ppm       bigint,
    interrupted     boolean NOT NULL,
    finished_at_ms  bigint  NOT NULL,
    PRIMARY KEY (round_id, seat)
);
CREATE INDEX seat_of_player ON seat_result (player_id, finished_at_ms, round_id);
CREATE INDEX seat_fastest ON seat_result (preset, official_ms, finished_at_ms, round_id);
CREATE INDEX seat_fastest_of_player ON seat_result (player_id, preset, official_ms, finished_at_ms, round_id);
CREATE INDEX seat_fewest ON seat_result (preset, ratio_ppm, finished_at_ms, round_id);

-- Points a player has gathered in a span ('all', 'dN', 'wN') with a preset ('' for all of them).
CREATE TABLE sprint_points (
    span           text    NOT NULL,
    preset         text    NOT NULL,
    player_id      uuid    NOT NULL,
    points         bigint  NOT NULL,
    rounds         bigint  NOT NULL,
    reached_at_ms  bigint  NOT NULL,
    PRIMARY KEY (span, preset, player_id)
);
CREATE INDEX sprint_points_order ON sprint_points (span, preset, points DESC, reached_at_ms, player_id);

CREATE TABLE dealt_board (
    board     text    NOT NULL PRIMARY KEY,
    round_id  uuid    NOT NULL
);
