//! The REST API under `/api/v1`: what requests and answers are made of.
//!
//! Errors are problem+json ([`Problem`]). Instants are milliseconds since the Unix epoch.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::options::RoomOptions;
use crate::preset::Preset;
use crate::protocol::view::PhaseView;
use crate::protocol::{Reveal, WireEvent};
use crate::result::{FinishTimes, RoundResult};

/// `POST /players`: a guest, at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPlayer {
    /// The name; one is made up if left out.
    pub name: Option<String>,
    /// Whether a program plays.
    pub bot: bool,
}

/// A player as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Player {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
}

/// A new player with the token that proves it; the token is shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPlayerCreated {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// The bearer token, 64 hex digits.
    pub token: String,
}

/// `PATCH /players/me`: another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rename {
    /// The new name.
    pub name: String,
}

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

/// `GET /matches?player=ID`: rounds, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchSummary {
    /// The round's id.
    pub round_id: Uuid,
    /// When it ended.
    #[cfg_attr(test, ts(type = "number"))]
    pub finished_at_ms: i64,
    /// The preset.
    pub preset: Preset,
    /// The stored result.
    pub result: RoundResult,
}

/// `GET /leaderboards/sprint`: sprint points, the sum of round scores. Who reached a value first stays first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Leaderboard {
    /// The preset, or all.
    pub preset: Option<Preset>,
    /// Day, week or all time; days and weeks turn over at 00:00 UTC, weeks on Monday.
    pub period: Period,
    /// The entries of this page, best first.
    pub entries: Vec<LeaderboardEntry>,
    /// The key of the next page, if there is one: `?after=`.
    pub next: Option<String>,
}

/// A stretch of time that a leaderboard counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Period {
    /// Since 00:00 UTC.
    Day,
    /// Since Monday 00:00 UTC.
    Week,
    /// All time.
    #[default]
    All,
}

/// One player on a leaderboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeaderboardEntry {
    /// From 1.
    pub rank: u32,
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// The sum of round scores.
    #[cfg_attr(test, ts(type = "number"))]
    pub points: i64,
    /// Rounds raced.
    pub rounds: u32,
    /// Rounds won.
    pub wins: u32,
    /// The player's fastest clean finish, if any.
    pub best: Option<FinishTimes>,
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
