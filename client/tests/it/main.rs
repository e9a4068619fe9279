//! Integration tests of the client: one binary.

mod account;
mod commands;
mod hanoi;
mod hostile;
mod mirror;
mod page;
mod quick;
mod real;
mod replay;
mod screen;
mod session;
mod table;
mod terminal;
