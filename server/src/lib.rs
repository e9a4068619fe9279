//! Technomancer Sprint: the authoritative server.

pub mod journal;
pub mod store;
