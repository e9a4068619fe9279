//! Integration tests of the pure crate: one binary.

mod deals;
mod labelled;
