//! Integration tests of the client: one binary.

mod session;
mod table;
