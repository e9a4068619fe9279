//! Quick match: who waits.

use serde::{Deserialize, Serialize};

use crate::preset::Preset;

/// `GET /queue`: how many wait for a quick match, by kind of race. Kinds for which nobody waits are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueInfo {
    /// The kinds of race.
    pub pools: Vec<PoolInfo>,
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
