//! Leaderboards: who stands where.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::preset::Preset;
use crate::result::FinishTimes;

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
