-- Beside the points: rounds won, and the fastest clean finish, in milliseconds.
ALTER TABLE sprint_points ADD COLUMN wins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sprint_points ADD COLUMN best_raw_ms INTEGER;
ALTER TABLE sprint_points ADD COLUMN best_credit_ms INTEGER;
ALTER TABLE sprint_points ADD COLUMN best_official_ms INTEGER;
