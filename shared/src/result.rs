//! What a round and a series come to: ranks, times, scores. Plain facts, public once the round is over.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::time::Seat;

/// The result of a round. Everything in it follows from the round's events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundResult {
    /// The round's number in its room, from 1.
    pub round: u32,
    /// The round's id: the match to look up.
    pub round_id: Uuid,
    /// Why the round ended.
    pub ended: Ended,
    /// Whether the server interrupted it: then it stays out of the fastest lists.
    pub interrupted: bool,
    /// The proven least number of transfers, where it is proven.
    pub optimum: Option<u32>,
    /// Par, where the optimum is proven.
    pub par: Option<u32>,
    /// One entry a racer, by rank and then by seat.
    pub seats: Vec<SeatResult>,
}

/// Why a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Ended {
    /// First place was decided.
    FirstDecided,
    /// Nobody could act any more.
    NobodyAtWork,
    /// The timer ran out.
    TimeUp,
}

/// One racer's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatResult {
    /// The seat.
    pub seat: Seat,
    /// The player's id.
    pub player: Uuid,
    /// The player's name in that round.
    pub name: String,
    /// Whether a program played.
    pub bot: bool,
    /// 1 for the winner; equal keys share a rank.
    pub rank: u8,
    /// The times of a finish.
    pub finish: Option<FinishTimes>,
    /// Gave up or left.
    pub gave_up: bool,
    /// Not connected when the round ended, and not finished.
    pub absent: bool,
    /// Settled disks.
    pub settled: u32,
    /// The official counter: transfers and penalty moves.
    pub moves: u32,
    /// Placement errors.
    pub errors: u32,
    /// No undo and no reset.
    pub flawless: bool,
    /// The score: 0 without harmony.
    pub score: u32,
    /// Stars, 1 to 3, for a finish on a board of proven optimum.
    pub stars: u8,
    /// Finished in exactly the optimum.
    pub crown: bool,
}

/// The times of a finish, in milliseconds from T0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FinishTimes {
    /// Receipt of the finishing act at the server.
    #[cfg_attr(test, ts(type = "number"))]
    pub raw_ms: u64,
    /// The lag credit.
    pub credit_ms: u32,
    /// Raw time less credit: what ranks.
    #[cfg_attr(test, ts(type = "number"))]
    pub official_ms: u64,
}

/// One player's rank in a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeriesRank {
    /// The seat.
    pub seat: Seat,
    /// The player's id.
    pub player: Uuid,
    /// The player's name.
    pub name: String,
    /// 1 for the Master Technomancer; equal keys share a rank.
    pub rank: u8,
    /// Rounds taken as sole first.
    pub taken: u32,
    /// Sum of the ranks of all rounds.
    pub ranks: u32,
    /// Sum of official times in milliseconds; a round without a finish counts its whole time limit.
    #[cfg_attr(test, ts(type = "number"))]
    pub official_ms: u64,
}
