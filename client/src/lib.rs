//! Technomancer Sprint.
