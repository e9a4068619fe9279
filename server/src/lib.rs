//! Technomancer Sprint: the authoritative server.

pub mod app;
pub mod auth;
pub mod backup;
pub mod chance;
pub mod clock;
pub mod code;
pub mod config;
pub mod copy;
pub mod fair;
pub mod healthcheck;
pub mod journal;
pub mod limits;
pub mod lobby;
pub mod names;
pub mod pool;
pub mod problem;
pub mod room;
pub mod schema;
pub mod server;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod socket;
pub mod stop;
pub mod store;
pub mod verify;
pub mod web;
