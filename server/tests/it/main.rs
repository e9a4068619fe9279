//! The server's integration tests: one binary.

mod database;
mod journal;
mod rows;
mod store;
