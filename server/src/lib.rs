//! Technomancer Sprint: the authoritative server.

pub mod backup;
pub mod copy;
pub mod journal;
pub mod store;
