//! The store contract: one story, told on SQLite and on Postgres.
