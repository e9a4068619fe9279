//! What the server says in a room: messages to one viewer, and events as that viewer may see them.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Emote, ToGo, view};
use crate::deal::Seed;
use crate::event::{CloseReason, Nonce};
use crate::result::{FinishTimes, RoundResult, SeriesRank};
use crate::time::Seat;

/// What the server says. Clients ignore fields and types that they do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The room's last event.
        seq: u32,
        /// The seat, for a player.
        seat: Option<Seat>,
        /// The last act judged of this seat: the next is `n + 1`.
        n: u32,
        /// Everything this viewer may know. Absent if only the events after `last_seq` follow.
        state: Option<Box<view::View>>,
    },
    /// Everything anew, where single events would be too many.
    Snapshot {
        /// The room's last event.
        seq: u32,
        /// Everything this viewer may know.
        state: Box<view::View>,
    },
    /// Go: T0, or the end of an interruption. The boards are in the state.
    Start {
        /// The room's last event.
        seq: u32,
        /// Everything this viewer may know.
        state: Box<view::View>,
    },
    /// An act or a request that changed nothing.
    Refused {
        /// The act's running number, for an act.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        n: Option<u32>,
        /// The next running number that will be judged, where `n` was not used up.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        next: Option<u32>,
        /// A stable code.
        code: String,
        /// What was wrong, and what would be right.
        message: String,
    },
    /// A newer connection of the same player has the seat; this one is a spectator now.
    Replaced {},
    /// A player shows something. No event: it has no `seq`, is stored nowhere, and those who watch do not get it.
    Emote {
        /// Who.
        seat: Seat,
        /// What.
        emote: Emote,
    },
    /// How far a racer is from harmony. For those who watch alone; no event, so it has no `seq`. They may come out of
    /// order: the one of a seat where the race clock stood latest counts, the others are its history.
    Distance {
        /// Whose board.
        seat: Seat,
        /// Where the race clock stood, in milliseconds from T0.
        #[cfg_attr(test, ts(type = "number"))]
        clock_ms: u64,
        /// The distance.
        to_go: ToGo,
    },
    /// How many watch the room. For those who watch alone; no event, so it has no `seq`.
    Watching {
        /// Those who have no seat there; whoever is told this included, where that is so.
        viewers: u32,
    },
    /// Something that ends the connection, or nearly.
    Error {
        /// A stable code.
        code: String,
        /// What was wrong, and what would be right.
        message: String,
    },
    /// An event of the room.
    #[serde(untagged)]
    Event(WireEvent),
}

/// An event as a viewer sees it. Every event of the room arrives with its `seq`, by ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WireEvent {
    /// The event's number in its room, from 1.
    pub seq: u32,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened, as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum EventKind {
    /// Something that this viewer may not see, or that says nothing to a client.
    Hidden {},
    /// A player sat down.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// The player's id.
        player: Uuid,
        /// The player's name.
        name: String,
        /// Whether a program plays.
        bot: bool,
    },
    /// A player left the room.
    Left {
        /// The seat.
        seat: Seat,
    },
    /// The room has another host.
    HostChanged {
        /// The host's seat.
        seat: Seat,
    },
    /// The seat's player is connected.
    Connected {
        /// The seat.
        seat: Seat,
    },
    /// The seat's player is not connected.
    Disconnected {
        /// The seat.
        seat: Seat,
    },
    /// Ready, or a vote for a rematch.
    Readied {
        /// The seat.
        seat: Seat,
        /// Ready or not.
        ready: bool,
    },
    /// A round begins: answer with `nonce` within a second.
    Committed {
        /// The round's number.
        round: u32,
        /// The round's id.
        round_id: Uuid,
        /// Whether it opens a new series.
        opens_series: bool,
        /// SHA-256 over the deal's inputs, the server's secret seed among them.
        commitment: String,
    },
    /// A player gave a part of the seed.
    NonceGiven {
        /// The seat.
        seat: Seat,
    },
    /// The seed is fixed; the board is being dealt.
    Dealing {},
    /// Fewer than two racers are left before the countdown: there is no round.
    RoundDropped {
        /// What the room is doing now.
        phase: view::PhaseView,
    },
    /// The board is dealt and T0 is fixed.
    CountdownStarted {
        /// From now to T0, in milliseconds.
        in_ms: u32,
        /// The viewer's own lag credit in milliseconds, for a racer.
        credit_ms: Option<u32>,
    },
    /// A disk is in the hand.
    Lifted {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// Its source.
        peg: u8,
    },
    /// A transfer was made.
    Transferred {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The source.
        from: u8,
        /// The target.
        to: u8,
        /// The official counter.
        moves: u32,
    },
    /// An illegal placement: the disk is back on its source.
    Erred {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The source.
        from: u8,
        /// The target that would not take it.
        to: u8,
        /// Placement errors of the round.
        errors: u32,
        /// Why the target would not take it.
        message: String,
    },
    /// An illegal placement in a guarded room: the disk is back on its source, at no cost.
    Returned {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The source.
        from: u8,
        /// The target that would not take it.
        to: u8,
        /// Why the target would not take it.
        message: String,
    },
    /// The held disk was put back.
    PutBack {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// Its source.
        peg: u8,
    },
    /// A second lift while holding: five penalty moves.
    TwoHanded {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The official counter.
        moves: u32,
    },
    /// The last transfer was taken back.
    Undone {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The transfer's source, where the disk is again.
        from: u8,
        /// The transfer's target.
        to: u8,
        /// The official counter.
        moves: u32,
    },
    /// A new attempt has begun.
    Reset {
        /// The seat.
        seat: Seat,
        /// The act's running number.
        n: u32,
        /// The official counter.
        moves: u32,
    },
    /// How far a racer is whose board this viewer may not see.
    Progress {
        /// The seat.
        seat: Seat,
        /// Settled disks.
        settled: u32,
        /// The official counter.
        moves: u32,
        /// Placement errors.
        errors: u32,
    },
    /// Spire Restored!
    Finished {
        /// The seat.
        seat: Seat,
        /// Its times.
        finish: FinishTimes,
    },
    /// A player gave the round up.
    GaveUp {
        /// The seat.
        seat: Seat,
    },
    /// First place is decided; the result follows in a moment.
    FirstDecided {},
    /// The round is over.
    RoundOver {
        /// The result.
        result: RoundResult,
        /// What was secret: anyone can deal the board again.
        reveal: Box<Reveal>,
    },
    /// The series is over.
    SeriesOver {
        /// Everybody's rank.
        ranking: Vec<SeriesRank>,
    },
    /// The server was interrupted outside a round: nobody is connected until that is said again.
    Interrupted {},
    /// The server was interrupted: nobody is connected, clocks stand still, boards are hidden.
    Paused {},
    /// Play resumes.
    Resumed {
        /// From now until the clocks run, in milliseconds.
        in_ms: u32,
        /// Added to all clocks alike, in milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        outage_ms: u64,
    },
    /// The room is closed.
    Closed {
        /// Why.
        reason: CloseReason,
    },
}

/// What was secret in a round, so that anyone can deal its board again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reveal {
    /// The version of the deal.
    pub deal_version: u16,
    /// The preset's name, or `blueprint` and the board.
    pub source: String,
    /// The commitment that was published.
    #[cfg_attr(feature = "schema", schemars(with = "String"), schema(value_type = String))]
    #[cfg_attr(test, ts(as = "String"))]
    pub commitment: Seed,
    /// The server's secret, 64 hex digits.
    #[cfg_attr(feature = "schema", schemars(with = "String"), schema(value_type = String))]
    #[cfg_attr(test, ts(as = "String"))]
    pub server_seed: Seed,
    /// The nonces by seat, 32 hex digits each.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<String>>"), schema(value_type = Vec<Option<String>>))]
    #[cfg_attr(test, ts(as = "Vec<Option<String>>"))]
    pub nonces: Vec<Option<Nonce>>,
    /// How often the seed was replaced by its SHA-256, because its board was dealt before.
    pub redeals: u32,
    /// The board's seed after that, 64 hex digits; absent if the round ended before it was fixed.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"), schema(value_type = Option<String>))]
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub seed: Option<Seed>,
    /// The board.
    pub board: Option<String>,
    /// The hash over everything that happened in the round, 64 hex digits; absent in rounds from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"), schema(value_type = Option<String>))]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub chain: Option<Seed>,
}
