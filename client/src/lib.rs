//! Technomancer Sprint.

pub mod solve;
