//! What a room is asked to do, what it asks for, and how it refuses.

use thiserror::Error;
use uuid::Uuid;

use crate::deal::Seed;
use crate::event::Nonce;
use crate::play::{Act, ActRefused};
use crate::time::Seat;

/// What a seat asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A connection now controls the seat.
    Connect,
    /// No connection controls the seat any more.
    Disconnect,
    /// Ready, or not any more; after a series, the vote for a rematch.
    Ready(bool),
    /// The player's part of the seed.
    Nonce(Nonce),
    /// An act on the board.
    Act {
        /// The seat's running number.
        n: u32,
        /// The accepted acts that the sender believes in.
        ply: Option<u32>,
        /// The act.
        act: Act,
    },
    /// Give the round up.
    GiveUp,
    /// Leave the room.
    Leave,
    /// Vote for a rematch.
    Rematch,
    /// Of the host: start with those who are present.
    Start,
    /// Of the host: take a player's seat away.
    Kick(Whom),
    /// Of the host: send everybody away and close the room.
    Close,
    /// Of the host: make another player the host.
    HandOver(Whom),
}

/// Somebody at the table: a seat, and who is thought to sit there. Between two messages it may be somebody else's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whom {
    /// The seat.
    pub seat: Seat,
    /// The player's id, where the sender names it.
    pub player: Option<Uuid>,
}

impl Whom {
    /// Whoever sits there.
    pub const fn at(seat: Seat) -> Whom {
        Whom { seat, player: None }
    }
}

/// What the room needs from outside to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// A round id and 32 random bytes: [`Race::commit`](super::Race::commit).
    Commit,
    /// A board: [`Race::deal`](super::Race::deal).
    Deal {
        /// The round that it is for; an answer for another round is void.
        round_id: Uuid,
        /// The board's seed.
        seed: Seed,
    },
}

/// A request that changed nothing, and why. See [`Refusal::code`] for the stable code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The act was judged before.
    #[error("act {n} was judged before")]
    AlreadyJudged {
        /// Its running number.
        n: u32,
    },
    /// An act that comes before the one expected.
    #[error("act {n} is out of order: the next act of this seat is {next}")]
    OutOfOrder {
        /// Its running number.
        n: u32,
        /// The number expected.
        next: u32,
    },
    /// The sender believed in another position.
    #[error("the position has changed: ply is {ply}")]
    Stale {
        /// The accepted acts so far.
        ply: u32,
    },
    /// Before T0.
    #[error("the race has not started")]
    NotStarted,
    /// Outside a round.
    #[error("no race is on")]
    NotRacing,
    /// The server was interrupted.
    #[error("the race is paused and goes on in a moment")]
    Paused,
    /// The player has finished.
    #[error("this seat has finished")]
    Finished,
    /// The player has given up.
    #[error("this seat has given up")]
    GaveUp,
    /// A room of one has taken as many acts as it may.
    #[error("this room has taken all the acts that it may: give up or leave, and begin anew")]
    UsedUp,
    /// The timer has run out.
    #[error("the time is up")]
    TimeUp,
    /// The rules forbid the act.
    #[error(transparent)]
    Act(#[from] ActRefused),
    /// The seat is not taken, or left.
    #[error("take a seat first: say hello as a player")]
    NotSeated,
    /// No seat is free, or a round is on.
    #[error("no seat is free in this room now; you may watch")]
    NoSeat,
    /// Asked by somebody else than the host.
    #[error("only the host of the room can do that")]
    NotHost,
    /// The seat is another player's by now.
    #[error("somebody else sits there now: nothing was done")]
    SomebodyElse,
    /// Asked at another time.
    #[error("not now: {0}")]
    NotNow(&'static str),
    /// The room is closed.
    #[error("the room is closed")]
    Closed,
}

impl Refusal {
    /// The stable code on the wire.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::AlreadyJudged { .. } => "already_judged",
            Refusal::OutOfOrder { .. } => "out_of_order",
            Refusal::Stale { .. } => "stale",
            Refusal::NotStarted => "not_started",
            Refusal::NotRacing => "not_racing",
            Refusal::Paused => "paused",
            Refusal::Finished => "finished",
            Refusal::GaveUp => "gave_up",
            Refusal::UsedUp => "used_up",
            Refusal::TimeUp => "time_up",
            Refusal::Act(refused) => refused.code(),
            Refusal::NotSeated => "not_seated",
            Refusal::NoSeat => "no_seat",
            Refusal::NotHost => "not_host",
            Refusal::SomebodyElse => "somebody_else",
            Refusal::NotNow(_) => "not_now",
            Refusal::Closed => "closed",
        }
    }

    /// Whether the act's running number is used up, so that the next act has the next number.
    pub fn is_judged(&self) -> bool {
        !matches!(
            self,
            Refusal::AlreadyJudged { .. } | Refusal::OutOfOrder { .. } | Refusal::NotSeated | Refusal::Closed
        )
    }
}
