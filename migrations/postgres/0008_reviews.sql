-- What the solver says of a round that is over. It follows from the round's events, and is worked out again where the
-- format is another.
CREATE TABLE round_review (
    round_id  uuid   NOT NULL PRIMARY KEY,
    format    bigint NOT NULL,
    body      text   NOT NULL
);
