//! A room: one task around the pure `Race`, with a bounded inbox.
//!
//! It drains its inbox, decides and evolves in order, commits one append, and only then publishes. Must never show
//! what is not committed, never wait for a client, and never know of HTTP or sockets.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use axum::extract::ws::Utf8Bytes;
use sprint_shared::board::Board;
use sprint_shared::event::CloseReason;
use sprint_shared::protocol::Emote;
use sprint_shared::protocol::view::PhaseView;
use sprint_shared::race::Command;
use sprint_shared::time::Millis;
use tokio::sync::{mpsc, oneshot, watch};
use uuid::Uuid;

use crate::gallery::Gallery;

mod drain;
mod emotes;
mod frames;
mod history;
mod lines;
mod outside;
mod record;
mod start;
mod task;

pub(crate) use frames::text;
pub use history::{Damaged, History};
pub use record::{StoredRound, record_of};
pub(crate) use task::close_damaged;
pub use task::{Room, RoomContext};

/// Messages that may wait for a room.
pub const INBOX: usize = 256;
/// Turns of a room whose messages may wait for a socket.
pub const OUTBOX: usize = 64;
/// Events and outcomes that a room keeps for clients that come back.
const KEPT: usize = 64;

/// A number that no two connections of this process share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// What reaches a room.
pub enum Inbound {
    /// A player says hello. Who watches goes to the room's gallery.
    Join(Box<Join>),
    /// A request of a connection that has joined.
    Say {
        /// Which one.
        connection: ConnectionId,
        /// Its receipt.
        at: Millis,
        /// The request.
        command: Command,
    },
    /// A connection that has joined shows something.
    Emote {
        /// Which one.
        connection: ConnectionId,
        /// Its receipt.
        at: Millis,
        /// What.
        emote: Emote,
    },
    /// A connection is gone.
    Gone {
        /// Which one.
        connection: ConnectionId,
        /// Since when.
        at: Millis,
    },
    /// Nobody of those who were brought to the room wants it any more.
    Abandon,
    /// A connection has lost messages and needs everything anew.
    Resync {
        /// Which one.
        connection: ConnectionId,
    },
    /// A player asks where their board stands; answered once what was received before is committed.
    Ask {
        /// Who.
        player: Uuid,
        /// `None` if no board is on.
        answer: oneshot::Sender<Option<Stands>>,
    },
    /// A board was dealt for this room's round.
    Dealt(Box<Dealt>),
    /// No board came of a deal.
    NotDealt {
        /// The round that asked for one.
        round_id: Uuid,
    },
}

/// Where a board stands in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands {
    /// The board; a held disk is on its source.
    pub board: Board,
    /// Transfers of this attempt.
    pub transfers: u32,
    /// Accepted acts.
    pub ply: u32,
}

/// A hello, checked: the player is known.
pub struct Join {
    /// The connection.
    pub connection: ConnectionId,
    /// Receipt of the hello.
    pub at: Millis,
    /// Who.
    pub player: Uuid,
    /// From where; `None` for what plays inside the server.
    pub address: Option<IpAddr>,
    /// Whether nobody from there is let in but to a seat of their own: too many codes were wrong.
    pub seated_only: bool,
    /// By what name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// The last event that the client has seen.
    pub last_seq: Option<u32>,
    /// Where its messages go.
    pub line: Line,
}

/// The room's end of a connection.
pub struct Line {
    /// Messages for the client.
    pub outbox: mpsc::Sender<Out>,
    /// Ends the connection. Dropped without a word, it means that the room has stopped: come again.
    pub end: oneshot::Sender<Ending>,
    /// Set when the outbox was full and a message was lost; the socket then asks for everything anew.
    pub lost: Arc<AtomicBool>,
    /// The shortest round trip seen.
    pub round_trip: Arc<RoundTrip>,
}

/// What a connection is to send.
pub enum Out {
    /// A message.
    Frame(Utf8Bytes),
    /// All messages of one turn.
    Frames(Vec<Utf8Bytes>),
}

/// Why a room ends a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The room is closed.
    Closed,
    /// The player left.
    Left,
    /// The host has sent the player away.
    Kicked,
    /// Nobody else came to the race that the player was brought to.
    NoOpponent,
    /// A newer connection has the seat: this one may watch, where that is allowed.
    Replaced,
    /// The client could not be let in; a refusal says why.
    Refused,
    /// The client may not learn whether there is such a room.
    Barred,
    /// The client did not keep up.
    TooSlow,
}

/// The shortest round trip of a connection, measured by pings with random nonces.
#[derive(Debug)]
pub struct RoundTrip(AtomicU32);

/// A board for the round that asked for one.
pub struct Dealt {
    /// The round.
    pub round_id: Uuid,
    /// Its board.
    pub board: crate::pool::ProvenBoard,
    /// Whether it was shown before in some room.
    pub taken: bool,
}

/// What everybody may know of a room from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it is doing.
    pub phase: PhaseView,
    /// Those seated.
    pub players: Vec<Seated>,
    /// Whether somebody can still sit down.
    pub joinable: bool,
    /// The room's instant at which the race clock stood at 0, while it runs.
    pub zero: Option<Millis>,
}

/// Somebody in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// Who.
    pub player: Uuid,
    /// By what name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
}

/// The way to a room that runs. Clones reach the same room.
#[derive(Clone)]
pub struct RoomHandle {
    /// The room's id.
    pub room_id: Uuid,
    /// The code that people type.
    pub code: Arc<str>,
    /// Its options.
    pub options: Arc<sprint_shared::options::RoomOptions>,
    inbox: mpsc::Sender<Inbound>,
    summary: watch::Receiver<Summary>,
    gallery: Arc<Gallery>,
}

impl RoomHandle {
    /// Where messages for the room go.
    pub fn inbox(&self) -> &mpsc::Sender<Inbound> {
        &self.inbox
    }

    /// Where those who watch go.
    pub fn gallery(&self) -> &Arc<Gallery> {
        &self.gallery
    }

    /// What everybody may know of it now.
    pub fn summary(&self) -> Summary {
        self.summary.borrow().clone()
    }
}

impl RoundTrip {
    /// Takes a measurement in microseconds; only a shorter one counts.
    pub fn saw(&self, us: u32) {
        self.0.fetch_min(us, Ordering::Relaxed);
    }

    /// The shortest so far in microseconds, if there was any.
    pub fn lowest_us(&self) -> Option<u32> {
        Some(self.0.load(Ordering::Relaxed)).filter(|us| *us != u32::MAX)
    }
}

impl Default for RoundTrip {
    fn default() -> Self {
        RoundTrip(AtomicU32::new(u32::MAX))
    }
}

/// The reason for closing a room whose stored events cannot have happened.
pub const DAMAGED: CloseReason = CloseReason::Damaged;
