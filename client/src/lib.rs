//! Clients of Technomancer Sprint: the library that the terminal screens, the bots and the tests are built on.
//!
//! It knows the server only through the public protocol. A client never decides anything: what it shows at once is a
//! guess that the server's next message puts right, and its own wall clock is never read.

pub mod account;
pub mod alone;
pub mod api;
pub mod bot;
pub mod connection;
pub mod hanoi;
pub mod leaderboard;
pub mod load;
pub mod queue;
pub mod screen;
pub mod session;
pub mod solve;
pub mod state;
pub mod text;
pub mod verify;
