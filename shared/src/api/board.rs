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

/// A rating: an estimate of skill from rounds of quick match. Somebody new has 1500 ± 500.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShownRating {
    /// The preset; all of them together if null.
    pub preset: Option<Preset>,
    /// The rating.
    pub rating: i32,
    /// Its standard deviation.
    pub uncertainty: i32,
    /// Whether too little is known for a place on the board.
    pub provisional: bool,
    /// Rounds counted.
    pub rounds: u32,
}

/// `GET /players/{player_id}`: a player as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Profile {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// The rating over all presets first, then those of the presets that the player has raced on.
    pub ratings: Vec<ShownRating>,
}

/// `GET /matches/{round_id}/ratings`: how a round moved ratings; empty if it moved none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchRatings {
    /// The round's id.
    pub round_id: Uuid,
    /// By seat, the ratings over all presets first.
    pub seats: Vec<SeatRating>,
}

/// How a rating moved in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatRating {
    /// The seat's number.
    pub seat: u8,
    /// Who sat there.
    pub player_id: Uuid,
    /// The preset; all of them together if null.
    pub preset: Option<Preset>,
    /// The rating before.
    pub rating_before: i32,
    /// Its standard deviation.
    pub uncertainty_before: i32,
    /// The rating after.
    pub rating_after: i32,
    /// Its standard deviation.
    pub uncertainty_after: i32,
}
