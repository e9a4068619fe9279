-- Beside the points: rounds won, and the fastest clean finish, in milliseconds.
ALTER TABLE sprint_points ADD COLUMN wins BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sprint_points ADD COLUMN best_raw_ms BIGINT;
ALTER TABLE sprint_points ADD COLUMN best_credit_ms BIGINT;
ALTER TABLE sprint_points ADD COLUMN best_official_ms BIGINT;
