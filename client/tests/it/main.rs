//! Integration tests of the client: one binary.

mod account;
mod commands;
mod mirror;
mod page;
mod real;
mod screen;
mod session;
mod table;
