//! Integration tests of the pure crate: one binary.

mod boards;
mod deals;
mod labelled;
mod notation;
mod play;
mod race;
mod rules;
mod table;
