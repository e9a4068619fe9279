//! The queue's part of the protocol: what is said on `/ws/v1/queue`, JSON objects with a `type`.
//!
//! Nothing here tells one player of another before both are in their room.

use serde::{Deserialize, Serialize};

use crate::bot::Strength;
use crate::preset::Preset;

/// What somebody says who wants a race. Unknown fields and types are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum QueueClientMessage {
    /// A race of that kind, please. The first message, within 5 s; again for another kind.
    Join {
        /// The player's bearer token; needed the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        token: Option<String>,
        /// Seats of the race, 2 to 4.
        #[serde(default = "two")]
        seats: u8,
        /// The kind of board.
        #[serde(default)]
        preset: Preset,
    },
    /// The bot that was offered will do.
    Accept {},
    /// No race after all.
    Leave {},
}

/// What the queue says. Clients ignore fields and types that they do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum QueueServerMessage {
    /// You wait. Said at once, and again when something of it changes, once a second at most.
    Waiting {
        /// Seats of the race.
        seats: u8,
        /// The kind of board.
        preset: Preset,
        /// How many wait for such a race, you among them.
        waiting: u32,
        /// How long you have waited, in milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        since_ms: u64,
        /// How far opponents' ratings may be from each other by now; absent once any will do.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        window: Option<u32>,
    },
    /// Nobody has come yet: a race against this bot? It would not be rated.
    Offer {
        /// How strong it is, 1 to 10.
        strength: Strength,
        /// Its name.
        name: String,
        /// Its rating among bots.
        #[cfg_attr(test, ts(type = "number"))]
        rating: i64,
    },
    /// A room is open for you: say hello there within 15 s. The queue closes this socket.
    Matched {
        /// The room's code.
        code: String,
        /// Whether you race bots.
        bots: bool,
    },
    /// A race came to nothing before it began: you wait on, as long as before.
    Back {},
    /// You wait by a newer connection. The queue closes this one.
    Replaced {},
    /// A request that changed nothing.
    Refused {
        /// A stable code.
        code: String,
        /// What was wrong, and what would be right.
        message: String,
    },
    /// Something that ends the connection, or nearly.
    Error {
        /// A stable code.
        code: String,
        /// What was wrong, and what would be right.
        message: String,
    },
}

fn two() -> u8 {
    2
}
