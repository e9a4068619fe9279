//! Integration tests of the client: one binary.

mod commands;
mod screen;
mod session;
mod table;
