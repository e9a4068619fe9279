//! Leaderboards: who stands where.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::day::Day;
use crate::preset::Preset;

/// What a leaderboard compares. Of races only rounds of quick match count, of people with people and of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Board {
    /// Ratings that are settled, over all time.
    Rating,
    /// Sums of round scores.
    Sprint,
    /// The fastest clean finish with a preset.
    Fastest,
    /// The clean finish with the fewest moves for its optimum, with a preset.
    Fewest,
    /// The highest score on a stage of Campaign Master; equal ones by official time.
    Stage,
    /// The highest score of a Daily Spire; equal ones by official time.
    Daily,
}

/// Which list of a leaderboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum List {
    /// People.
    #[default]
    People,
    /// Programs.
    Bots,
    /// Flagged players, and results that no hand seems to have made.
    Apart,
}

/// `GET /leaderboards/{board}`: a page of a leaderboard. Who reached a value first stays first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Leaderboard {
    /// What is compared.
    pub board: Board,
    /// The preset, or all.
    pub preset: Option<Preset>,
    /// Day, week or all time; days and weeks turn over at 00:00 UTC, weeks on Monday.
    pub period: Period,
    /// On `stage`: which one.
    pub stage: Option<u8>,
    /// On `daily`: which one.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub day: Option<Day>,
    /// Whose entries.
    pub list: List,
    /// The entries of this page, best first.
    pub entries: Vec<LeaderboardEntry>,
    /// The key of the next page, if there is one: `?after=`.
    pub next: Option<String>,
}

/// `GET /leaderboards/{board}/me`: one's own place, and who stands around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    /// What is compared.
    pub board: Board,
    /// The preset, or all.
    pub preset: Option<Preset>,
    /// Day, week or all time.
    pub period: Period,
    /// On `stage`: which one.
    pub stage: Option<u8>,
    /// On `daily`: which one.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub day: Option<Day>,
    /// Whose entries.
    pub list: List,
    /// The own rank, from 1; null without an entry.
    pub rank: Option<u32>,
    /// The own entry between its neighbours, best first; empty without an entry.
    pub entries: Vec<LeaderboardEntry>,
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
    /// What the board compares: the rating, the sum of scores or the score, the official time in milliseconds, or moves
    /// in millionths of the optimum.
    #[cfg_attr(test, ts(type = "number"))]
    pub value: i64,
    /// On a board of ratings: the standard deviation.
    pub uncertainty: Option<i32>,
    /// Rounds that count on this board.
    pub rounds: u32,
    /// Those of them that were won.
    pub wins: u32,
    /// Official moves in the round that brought the entry there.
    pub moves: Option<u32>,
    /// The optimum of its board.
    pub optimum: Option<u32>,
    /// The official time in it, in milliseconds; null without a finish.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub official_ms: Option<u64>,
    /// Placement errors in it: a finish with errors is marked.
    #[serde(default)]
    pub errors: Option<u32>,
    /// Whether the server interrupted it.
    #[serde(default)]
    pub interrupted: bool,
    /// That round's id.
    pub round_id: Uuid,
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
