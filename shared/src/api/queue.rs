//! Quick match: who waits.

use serde::{Deserialize, Serialize};

use crate::bot::Strength;
use crate::preset::Preset;

/// `GET /queue`: how many wait for a quick match, by kind of race. Kinds for which nobody waits are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueInfo {
    /// The kinds of race.
    pub pools: Vec<PoolInfo>,
}

/// `POST /practice`: a room with bots, for the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPractice {
    /// The kind of board.
    pub preset: Preset,
    /// How strong the bots are, 1 to 10 each: one to three of them, no two alike.
    pub strengths: Vec<Strength>,
}

/// How many wait for one kind of race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PoolInfo {
    /// Seats of the race, 2 to 4.
    pub seats: u8,
    /// The kind of board.
    pub preset: Preset,
    /// Whether programs race here.
    pub bots: bool,
    /// How many wait.
    pub waiting: u32,
}
