//! Technomancer Sprint, the pure part: pieces, rules, solver, the sprint as a state machine, the wire protocol.
//!
//! Nothing here does I/O, reads a clock or draws random numbers: time, seeds, ids and nonces are arguments.

pub mod board;
pub mod disk;
pub mod notation;
pub mod peg;
pub mod preset;
pub mod rules;
