//! What can be watched, live and later.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::MatchSummary;
use crate::options::RoomOptions;
use crate::protocol::view::PhaseView;

/// An entry of `GET /live`: a room that can be watched, as those who watch know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveMatch {
    /// The code to watch by.
    pub code: String,
    /// The room's id.
    pub room_id: Uuid,
    /// The room's options.
    pub options: RoomOptions,
    /// What the room is doing.
    pub phase: PhaseView,
    /// Who sits there.
    pub players: Vec<LivePlayer>,
    /// How many watch who have no seat there.
    pub viewers: u32,
    /// Where the race clock stands, in milliseconds from T0; absent outside a race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub clock_ms: Option<u64>,
    /// Whether this is the one to show first.
    pub featured: bool,
}

/// Somebody who sits in a room that can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LivePlayer {
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// The player's rating, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating: Option<i32>,
}

/// `GET /matches`: a page of rounds that are over, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchPage {
    /// The rounds.
    pub rounds: Vec<MatchSummary>,
    /// The key of the next page, if there is one: `?after=`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub next: Option<String>,
}
