//! The wire protocol `sprint.v1`: what clients and server say to each other, JSON objects with a `type`.
//!
//! Server messages are made from events by [`wire`], one viewer at a time, so that nothing hidden can leak.
//! Seats and pegs count from 1; boards are notation; times are milliseconds, always relative.

use serde::{Deserialize, Serialize};

mod client;
mod hear;
pub mod queue;
mod server;
pub mod view;
mod watch;
pub mod wire;

pub use client::*;
pub use server::*;
pub use watch::*;

/// The WebSocket subprotocol.
pub const SUBPROTOCOL: &str = "sprint.v1";

/// What players can show each other: a fixed set, so that nobody can be told anything that nobody wants to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Emote {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Well played!
    WellPlayed,
    /// Wow!
    Wow,
    /// Oops!
    Oops,
    /// Let me think …
    Thinking,
    /// Hurry up!
    Hurry,
    /// Thanks!
    Thanks,
}

impl Emote {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Emote; 8] = [
        Emote::Hello,
        Emote::GoodLuck,
        Emote::WellPlayed,
        Emote::Wow,
        Emote::Oops,
        Emote::Thinking,
        Emote::Hurry,
        Emote::Thanks,
    ];
}
