//! Integration tests of the client: one binary.

mod account;
mod almanac;
mod alone;
mod commands;
mod hanoi;
mod hostile;
mod looks;
mod mirror;
mod page;
mod pointer;
mod pty;
mod quick;
mod quits;
mod real;
mod replay;
mod screen;
mod session;
mod table;
mod terminal;
