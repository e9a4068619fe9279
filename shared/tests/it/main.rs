//! Integration tests of the pure crate: one binary.

#![allow(clippy::unwrap_used, reason = "a test that unwraps nothing fails, as it should")]

mod almanac;
mod blueprint_round;
mod boards;
mod bot;
mod certificate;
mod classic;
mod deals;
mod golden;
mod labelled;
mod live;
mod notation;
mod pairing;
mod play;
mod race;
mod review;
mod rules;
mod sim;
mod solo;
mod solver;
mod table;
mod tampering;
mod text_record;
