//! What a round that is over looks like to the solver: distances, what each transfer cost, where the lead changed.
//!
//! Facts for those who may know them; a racing player never may (RULES section 2).

use serde::{Deserialize, Serialize};

use crate::protocol::CurveView;
use crate::time::Seat;

mod distances;
mod reckon;

pub use distances::Effort;
pub use reckon::{NoReview, review};

/// The format of reviews that this program writes.
pub const REVIEW_FORMAT: u16 = 1;

/// `GET /matches/{round_id}/review`: a round's analysis. It follows from the round's events alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Review {
    /// The format: 1.
    pub format: u16,
    /// Whether every distance is exact; otherwise the effort ended first, and some are bounds.
    pub complete: bool,
    /// The proven least number of transfers, where it is proven.
    pub optimum: Option<u32>,
    /// Each racer's distance to harmony over time.
    pub curves: Vec<CurveView>,
    /// Each racer's figures.
    pub seats: Vec<SeatReview>,
    /// Transfers that wasted something or lost the board, in order.
    pub marks: Vec<Mark>,
    /// Where the lead changed, in order.
    pub leads: Vec<Lead>,
}

/// One racer's figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatReview {
    /// The seat.
    pub seat: Seat,
    /// Transfers made, undone ones and those of earlier attempts included.
    pub transfers: u32,
    /// Of those, the ones that were the start of a shortest way.
    pub optimal: u32,
    /// Of those, the ones that were not, such as all on a lost board; where bounds leave it open, a transfer is neither.
    pub wasteful: u32,
    /// What the transfers of the last attempt wasted in all, in transfers: without those taken back, up to the one that
    /// lost the board, as far as it is known.
    pub wasted: u32,
    /// Transfers taken back.
    pub undone: u32,
    /// New attempts begun.
    pub resets: u32,
    /// Placement errors.
    pub errors: u32,
    /// Penalty moves.
    pub penalty_moves: u32,
    /// Since when the board of the last attempt was lost, in milliseconds from T0; absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub lost_since_ms: Option<u64>,
    /// The time that transfers took; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pace: Option<Pace>,
}

/// The time that transfers took, each from the one before it or from T0, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pace {
    /// The first one.
    #[cfg_attr(test, ts(type = "number"))]
    pub first_ms: u64,
    /// The one in the middle; of two, the shorter.
    #[cfg_attr(test, ts(type = "number"))]
    pub median_ms: u64,
    /// The longest one.
    #[cfg_attr(test, ts(type = "number"))]
    pub longest_ms: u64,
}

/// A transfer that wasted something, or that lost the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mark {
    /// The event's number in its room.
    pub seq: u32,
    /// The seat.
    pub seat: Seat,
    /// Where the race clock stood, in milliseconds from T0.
    #[cfg_attr(test, ts(type = "number"))]
    pub clock_ms: u64,
    /// The transfer, `3-5`.
    pub transfer: String,
    /// What it cost.
    pub cost: MarkCost,
    /// Transfers that would have wasted nothing, by source and then by target; empty where that was not asked.
    pub better: Vec<String>,
}

impl Mark {
    /// Whether it is a mistake to jump to: it lost the board or wasted two transfers or more.
    pub fn is_mistake(&self) -> bool {
        !matches!(self.cost, MarkCost::Wastes(0 | 1))
    }
}

/// What a transfer cost: the transfers that it wasted, or `"loses"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum MarkCost {
    /// So many transfers.
    Wastes(u32),
    /// The board.
    Loses(Loses),
}

/// The word for a transfer that loses the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Loses {
    /// Loses.
    Loses,
}

/// Who leads from an instant on: whose distance is surely the least, of those who have not given up and whose board is
/// not lost. Whoever comes to harmony first leads from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lead {
    /// Where the race clock stood, in milliseconds from T0.
    #[cfg_attr(test, ts(type = "number"))]
    pub clock_ms: u64,
    /// The seat; `null` while it is shared or not known.
    pub seat: Option<Seat>,
}
