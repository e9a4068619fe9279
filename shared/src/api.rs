//! The REST API under `/api/v1`: what requests and answers are made of.
//!
//! Errors are problem+json ([`Problem`]). Instants are milliseconds since the Unix epoch.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::options::RoomOptions;
use crate::preset::Preset;
use crate::protocol::view::PhaseView;
use crate::protocol::{Reveal, WireEvent};
use crate::result::RoundResult;

mod account;
mod board;
mod queue;
mod solo;
mod watch;

pub use account::*;
pub use board::*;
pub use queue::*;
pub use solo::*;
pub use watch::*;

/// `GET /rooms/{code}`, and an entry of `GET /rooms`; also the answer to `POST /rooms`, whose body is [`RoomOptions`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomInfo {
    /// The room's id.
    pub room_id: Uuid,
    /// The code that people type.
    pub code: String,
    /// The room's options.
    pub options: RoomOptions,
    /// What the room is doing.
    pub phase: PhaseView,
    /// The names of those seated.
    pub players: Vec<String>,
    /// Whether somebody can still sit down.
    pub joinable: bool,
}

/// `GET /matches/{round_id}`: a round that is over, with everything needed to verify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Match {
    /// The format of this object: what [`replay::file`](crate::replay::file) brings up to date. Absent means 0.
    #[serde(default)]
    pub format: u16,
    /// The round's id.
    pub round_id: Uuid,
    /// The room that it was raced in.
    pub room_id: Uuid,
    /// When it ended.
    #[cfg_attr(test, ts(type = "number"))]
    pub finished_at_ms: i64,
    /// The room's options.
    pub options: RoomOptions,
    /// The stored result.
    pub result: RoundResult,
    /// What was secret.
    pub reveal: Reveal,
    /// The round's own events as spectators saw them, for showing.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Object>))]
    pub events: Vec<TimedEvent>,
    /// The round's stored events as they are: what [`replay`](crate::replay) proves the result from.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Object>))]
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub record: Vec<serde_json::Value>,
}

/// An event of a round with its place on the race clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimedEvent {
    /// Milliseconds from T0 on the race clock; negative before.
    #[cfg_attr(test, ts(type = "number"))]
    pub clock_ms: i64,
    /// The event.
    pub event: WireEvent,
}

/// An entry of `GET /matches`: a round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchSummary {
    /// The round's id.
    pub round_id: Uuid,
    /// When it ended.
    #[cfg_attr(test, ts(type = "number"))]
    pub finished_at_ms: i64,
    /// The kind of board that was dealt; `None` on a blueprint.
    pub preset: Option<Preset>,
    /// The stored result.
    pub result: RoundResult,
}

/// An entry of `GET /presets`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PresetInfo {
    /// The name.
    pub preset: Preset,
    /// Active spectra.
    pub spectra: u8,
    /// Disks of each spectrum.
    pub sizes: u8,
    /// Pegs.
    pub pegs: u8,
    /// Free pegs at the start.
    pub free: u8,
    /// The least optimum that is dealt.
    pub optimum_min: u32,
    /// The greatest optimum that is dealt.
    pub optimum_max: u32,
    /// The default timer in seconds.
    pub time_limit_s: u32,
}

/// An error, as `application/problem+json` (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// A stable code.
    pub code: String,
    /// What is wrong, in a few words.
    pub title: String,
    /// What was wrong here, and what would be right.
    pub detail: String,
}
