//! Technomancer Sprint.
fn main() {}
