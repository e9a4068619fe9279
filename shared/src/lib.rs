//! Technomancer Sprint, the pure part: pieces, rules, solver, the sprint as a state machine, the wire protocol.
//!
//! Nothing here does I/O, reads a clock or draws random numbers: time, seeds, ids and nonces are arguments.

pub mod almanac;
pub mod analysis;
pub mod api;
pub mod board;
pub mod bot;
pub mod certificate;
pub mod classic;
pub mod daily;
pub mod day;
pub mod deal;
pub mod disk;
pub mod event;
pub mod fairness;
pub mod lesson;
pub mod notation;
pub mod options;
pub mod pairing;
pub mod peg;
pub mod play;
pub mod preset;
pub mod protocol;
pub mod race;
pub mod replay;
pub mod result;
pub mod review;
pub mod rules;
pub mod score;
pub mod solo;
pub mod solver;
pub mod time;
pub mod verify;

#[cfg(test)]
mod legality;
#[cfg(test)]
mod typescript;
