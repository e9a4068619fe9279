//! Integration tests of the client: one binary.

mod commands;
mod session;
mod table;
