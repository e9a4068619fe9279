//! What happened in a room: the one list that journal, broadcast and replay share.
//!
//! An event holds everything that [`Race::evolve`](crate::race::Race::evolve) needs, secrets included. It never goes
//! on the wire as it is; [`protocol`](crate::protocol) converts it for each viewer.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::board::Board;
use crate::deal::Seed;
use crate::options::RoomOptions;
use crate::play::Deed;
use crate::result::{RoundResult, SeriesRank};
use crate::time::{Millis, SEATS_MAX, Seat};

/// The format of stored events that this program writes.
pub const EVENT_FORMAT: u16 = 1;

/// One thing that happened. Times are race-server instants; everything else is a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The room exists. Always the first event.
    RoomOpened {
        /// When.
        at: Millis,
        /// The room's id.
        room: Uuid,
        /// The code that people type.
        code: String,
        /// Its options, checked.
        options: RoomOptions,
        /// From the start signal to T0, in milliseconds.
        countdown_ms: u32,
        /// How long a lobby or a finished room stays open without any event, in milliseconds.
        idle_ms: u64,
    },
    /// A node has taken the room over; whoever was connected is not any more.
    Owned {
        /// When.
        at: Millis,
        /// When the last event before it was committed: where the clocks stopped.
        last_at: Millis,
    },
    /// Play resumes after an interruption by the server.
    Resumed {
        /// When.
        at: Millis,
        /// When the boards are shown again and the clocks run.
        resume_at: Millis,
        /// Added to T0 and all deadlines of the round, for all alike.
        outage_ms: u64,
    },
    /// A player sat down.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// The player's id.
        player: Uuid,
        /// The player's name at that time.
        name: String,
        /// Whether a program plays.
        bot: bool,
        /// When.
        at: Millis,
    },
    /// A player left the room; in a round that is giving up.
    Left {
        /// The seat.
        seat: Seat,
    },
    /// The room has another host.
    HostChanged {
        /// The host's seat.
        seat: Seat,
    },
    /// A connection controls the seat.
    Connected {
        /// The seat.
        seat: Seat,
        /// When.
        at: Millis,
    },
    /// No connection controls the seat any more.
    Disconnected {
        /// The seat.
        seat: Seat,
        /// When.
        at: Millis,
    },
    /// A player is ready, or is not any more; after a series, the vote for a rematch.
    Readied {
        /// The seat.
        seat: Seat,
        /// Ready or not.
        ready: bool,
        /// When.
        at: Millis,
    },
    /// A round begins: the server has committed itself to its seed.
    Committed {
        /// When.
        at: Millis,
        /// The round's number in this room, from 1.
        round: u32,
        /// The round's id.
        round_id: Uuid,
        /// Whether it opens a new series.
        opens_series: bool,
        /// The version of the deal.
        deal_version: u16,
        /// Published: SHA-256 over the deal's inputs.
        commitment: Seed,
        /// Secret until the round is over.
        server_seed: Seed,
    },
    /// A player's part of the seed.
    NonceGiven {
        /// The seat.
        seat: Seat,
        /// 16 bytes in hex digits.
        nonce: Nonce,
    },
    /// No more nonces: the board's seed is fixed.
    SeedFixed {
        /// SHA-256(server seed, nonces by seat). Secret until the round is over.
        seed: Seed,
    },
    /// The board of that seed was dealt before in some room: the seed is now the last one's SHA-256. Secret until the
    /// round is over.
    Redealt {
        /// The new seed.
        seed: Seed,
    },
    /// Fewer than two racers are left before the countdown: there is no round.
    RoundDropped {
        /// When.
        at: Millis,
    },
    /// The board is dealt. Secret until T0.
    BoardDealt {
        /// The board of every seat.
        board: Board,
        /// The proven least number of transfers; `None` where it is not proven.
        optimum: Option<u32>,
    },
    /// T0 and the lag credits are fixed.
    CountdownStarted {
        /// The instant at which the board is shown to all.
        t0: Millis,
        /// One-way delay of each seat in milliseconds, capped: the lag credit.
        credits_ms: [u32; SEATS_MAX],
    },
    /// An act was judged and had an effect.
    Acted {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// What it did.
        deed: Deed,
    },
    /// The act before it brought harmony.
    Finished {
        /// The seat.
        seat: Seat,
        /// Receipt of the finishing act, from T0, in milliseconds.
        raw_ms: u64,
        /// The lag credit in milliseconds.
        credit_ms: u32,
        /// Raw time less credit.
        official_ms: u64,
    },
    /// A player gave the round up.
    GaveUp {
        /// The seat.
        seat: Seat,
    },
    /// First place is decided; the result stays open for slower lines.
    FirstDecided {
        /// The deciding receipt.
        at: Millis,
    },
    /// The round is over.
    RoundOver {
        /// When.
        at: Millis,
        /// The result, which the events before it prove.
        result: RoundResult,
    },
    /// The series is over.
    SeriesOver {
        /// When.
        at: Millis,
        /// Everybody's rank.
        ranking: Vec<SeriesRank>,
    },
    /// The room is closed. Always the last event.
    Closed {
        /// When.
        at: Millis,
        /// Why.
        reason: CloseReason,
    },
}

impl Event {
    /// Its `type`.
    pub fn name(&self) -> &'static str {
        match self {
            Event::RoomOpened { .. } => "room_opened",
            Event::Owned { .. } => "owned",
            Event::Resumed { .. } => "resumed",
            Event::SeatTaken { .. } => "seat_taken",
            Event::Left { .. } => "left",
            Event::HostChanged { .. } => "host_changed",
            Event::Connected { .. } => "connected",
            Event::Disconnected { .. } => "disconnected",
            Event::Readied { .. } => "readied",
            Event::Committed { .. } => "committed",
            Event::NonceGiven { .. } => "nonce_given",
            Event::SeedFixed { .. } => "seed_fixed",
            Event::Redealt { .. } => "redealt",
            Event::RoundDropped { .. } => "round_dropped",
            Event::BoardDealt { .. } => "board_dealt",
            Event::CountdownStarted { .. } => "countdown_started",
            Event::Acted { .. } => "acted",
            Event::Finished { .. } => "finished",
            Event::GaveUp { .. } => "gave_up",
            Event::FirstDecided { .. } => "first_decided",
            Event::RoundOver { .. } => "round_over",
            Event::SeriesOver { .. } => "series_over",
            Event::Closed { .. } => "closed",
        }
    }

    /// Whether it plans an instant at which clocks start to run. A room judges nothing after it in the same batch:
    /// if the commit comes too late, the instant is planned anew, and nobody may have acted on it.
    pub fn is_start(&self) -> bool {
        matches!(self, Event::CountdownStarted { .. } | Event::Resumed { .. })
    }
}

/// Why a room was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum CloseReason {
    /// Nobody is left.
    Empty,
    /// Nobody did anything for too long.
    Idle,
    /// Its stored events are torn or impossible.
    Damaged,
}

/// A client's 16 bytes towards the board's seed; hex digits in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nonce(pub [u8; 16]);

impl std::str::FromStr for Nonce {
    type Err = String;
    fn from_str(text: &str) -> Result<Nonce, String> {
        let mut bytes = [0; 16];
        let read = hex::decode_to_slice(text, &mut bytes);
        read.map(|()| Nonce(bytes)).map_err(|_| format!("a nonce is 32 hex digits, not {text:?}"))
    }
}

impl Serialize for Nonce {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Nonce {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Nonce, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
