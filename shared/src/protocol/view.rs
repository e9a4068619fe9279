//! Snapshots: everything that one viewer may know of a room, in one object.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{CurveView, Reveal};
use crate::options::RoomOptions;
use crate::result::{FinishTimes, RoundResult, SeriesRank};
use crate::time::Seat;

/// A room as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// The code that people type.
    pub code: String,
    /// The room's options.
    pub options: RoomOptions,
    /// What the room is doing.
    pub phase: PhaseView,
    /// The host's seat.
    pub host: Option<Seat>,
    /// The taken seats.
    pub seats: Vec<SeatView>,
    /// The round at work or the last one.
    pub round: Option<RoundView>,
    /// The ranking of the last series, once it is over.
    pub ranking: Option<Vec<SeriesRank>>,
}

/// What a room is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PhaseView {
    /// Waiting for players to be ready.
    Lobby,
    /// The seed is being made and the board dealt.
    Dealing,
    /// The board is dealt; T0 is ahead.
    Countdown,
    /// The race is on.
    Racing,
    /// The server was interrupted; the race stands still.
    Paused,
    /// A round of a series is over, the next one is ahead.
    Break,
    /// The series is over; votes for a rematch are open.
    Over,
    /// The room is closed.
    Closed,
}

/// A taken seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// The player's id.
    pub player: Uuid,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// Whether the player is connected.
    pub present: bool,
    /// Ready, or for a rematch.
    pub ready: bool,
    /// Left the room during the series.
    pub left: bool,
    /// Rounds of this series taken.
    pub taken: u32,
}

/// A round as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundView {
    /// The round's number in its room, from 1.
    pub round: u32,
    /// The round's id.
    pub round_id: Uuid,
    /// The published commitment, 64 hex digits.
    pub commitment: String,
    /// From now until the boards are shown, in milliseconds; 0 once they are, absent while that is not known.
    pub in_ms: Option<u32>,
    /// Race time from T0 in milliseconds; absent before.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub clock_ms: Option<u64>,
    /// The timer in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub limit_ms: u64,
    /// The viewer's own lag credit in milliseconds.
    pub credit_ms: Option<u32>,
    /// The board of every seat at the start, once it is shown.
    pub board: Option<String>,
    /// The proven least number of transfers, once the board is shown.
    pub optimum: Option<u32>,
    /// Par, once the board is shown.
    pub par: Option<u32>,
    /// Whether the server interrupted the round.
    pub interrupted: bool,
    /// One entry a racer.
    pub plays: Vec<PlayView>,
    /// The result, once the round is over.
    pub result: Option<RoundResult>,
    /// What was secret, once the round is over.
    pub reveal: Option<Reveal>,
    /// Each racer's distance to harmony over time, for those who watch; absent where it is not reckoned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub curves: Option<Vec<CurveView>>,
}

/// One racer's play as a viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayView {
    /// The seat.
    pub seat: Seat,
    /// The board as it stands, in notation; a held disk is still on its source. Absent where it is hidden.
    pub board: Option<String>,
    /// The source of the held disk.
    pub held: Option<u8>,
    /// Accepted acts; absent where the board is hidden.
    pub ply: Option<u32>,
    /// Transfers of this attempt that can be undone; absent where the board is hidden.
    pub transfers: Option<u32>,
    /// The official counter.
    pub moves: u32,
    /// Placement errors.
    pub errors: u32,
    /// Settled disks.
    pub settled: u32,
    /// No undo and no reset so far.
    pub flawless: bool,
    /// The finish.
    pub finish: Option<FinishTimes>,
    /// Gave up or left.
    pub gave_up: bool,
}
