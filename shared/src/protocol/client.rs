//! What clients say in a room.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Emote;
use crate::event::Nonce;
use crate::play::Act;
use crate::time::Seat;

/// What a client says. Unknown fields and types are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ClientMessage {
    /// Who connects, and as what. The first message, within 5 s.
    Hello {
        /// The player's bearer token.
        token: String,
        /// To play or to watch.
        role: Role,
        /// The last `seq` seen of this room, to be sent only what came after.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        last_seq: Option<u32>,
    },
    /// Ready for the round, or not any more.
    Ready {
        /// Ready or not.
        ready: bool,
    },
    /// This player's part of the board's seed, in answer to `committed`.
    Nonce {
        /// 32 hex digits.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        #[cfg_attr(test, ts(as = "String"))]
        nonce: Nonce,
    },
    /// Take the top disk of a peg into the empty hand.
    Lift {
        /// This seat's running number of acts.
        n: u32,
        /// The number of accepted acts that the sender believes in; another number makes the act void.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ply: Option<u32>,
        /// The peg, from 1.
        peg: u32,
    },
    /// Put the held disk on a peg.
    Place {
        /// See `lift`.
        n: u32,
        /// See `lift`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ply: Option<u32>,
        /// The peg, from 1.
        peg: u32,
    },
    /// Lift and place at once.
    Move {
        /// See `lift`.
        n: u32,
        /// See `lift`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ply: Option<u32>,
        /// The source, from 1.
        from: u32,
        /// The target, from 1.
        to: u32,
    },
    /// Take back the last transfer.
    Undo {
        /// See `lift`.
        n: u32,
        /// See `lift`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ply: Option<u32>,
    },
    /// Start a new attempt.
    Reset {
        /// See `lift`.
        n: u32,
        /// See `lift`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ply: Option<u32>,
    },
    /// Give the round up, keep the seat.
    GiveUp {},
    /// Leave the room; in a round that is giving up.
    Leave {},
    /// Vote for a rematch after the series.
    Rematch {},
    /// The host starts with those who are connected; the others lose their seats.
    Start {},
    /// The host takes a player's seat away; that player does not come back into this room.
    Kick {
        /// The player's seat.
        seat: Seat,
        /// The player's id: if somebody else sits there by now, the request is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        player: Option<Uuid>,
    },
    /// The host sends everybody away and closes the room.
    Close {},
    /// The host makes another player the host.
    HandOver {
        /// That player's seat.
        seat: Seat,
        /// See `kick`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        player: Option<Uuid>,
    },
    /// Shows the others at the table something.
    Emote {
        /// What.
        emote: Emote,
    },
}

impl ClientMessage {
    /// The act in the message with its running number and its ply, if it is one.
    pub fn act(&self) -> Option<(u32, Option<u32>, Act)> {
        Some(match *self {
            ClientMessage::Lift { n, ply, peg } => (n, ply, Act::Lift { peg }),
            ClientMessage::Place { n, ply, peg } => (n, ply, Act::Place { peg }),
            ClientMessage::Move { n, ply, from, to } => (n, ply, Act::Move { from, to }),
            ClientMessage::Undo { n, ply } => (n, ply, Act::Undo),
            ClientMessage::Reset { n, ply } => (n, ply, Act::Reset),
            _ => return None,
        })
    }

    /// The message that carries an act.
    pub fn of_act(n: u32, ply: Option<u32>, act: Act) -> ClientMessage {
        match act {
            Act::Lift { peg } => ClientMessage::Lift { n, ply, peg },
            Act::Place { peg } => ClientMessage::Place { n, ply, peg },
            Act::Move { from, to } => ClientMessage::Move { n, ply, from, to },
            Act::Undo => ClientMessage::Undo { n, ply },
            Act::Reset => ClientMessage::Reset { n, ply },
        }
    }
}

/// To play or to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Role {
    /// Take a seat, or come back to it.
    Player,
    /// Watch.
    Spectator,
}
