//! Integration tests of the client: one binary.

mod commands;
mod mirror;
mod page;
mod real;
mod screen;
mod session;
mod table;
