//! What those who watch are told beside the events: distances to harmony.
//!
//! Must never reach a seat's connection: a racing player may not know them (RULES section 2).

use serde::{Deserialize, Serialize};

use crate::analysis::Distance;
use crate::time::Seat;

/// How many transfers a board is from harmony: a number, two bounds of which the second may be unknown, or `"lost"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ToGo {
    /// Exactly so many.
    Exact(u32),
    /// At least so many, and at most so many where a way is known.
    Between(u32, Option<u32>),
    /// Harmony can no longer be reached.
    Lost(Lost),
}

/// The word for a board on which harmony can no longer be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Lost {
    /// Lost.
    Lost,
}

impl ToGo {
    /// The least that it can be; `None` if the board is lost.
    pub fn lower(self) -> Option<u32> {
        match self {
            ToGo::Exact(transfers) => Some(transfers),
            ToGo::Between(lower, _) => Some(lower),
            ToGo::Lost(_) => None,
        }
    }

    /// The most that it can be; `None` if that is not known, or if the board is lost.
    pub fn upper(self) -> Option<u32> {
        match self {
            ToGo::Exact(transfers) => Some(transfers),
            ToGo::Between(_, upper) => upper,
            ToGo::Lost(_) => None,
        }
    }
}

impl From<Distance> for ToGo {
    fn from(distance: Distance) -> ToGo {
        match distance {
            Distance::Exact(transfers) => ToGo::Exact(transfers),
            Distance::Between { lower, upper } => ToGo::Between(lower, upper),
            Distance::Lost => ToGo::Lost(Lost::Lost),
        }
    }
}

/// One racer's distance to harmony over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CurveView {
    /// The seat.
    pub seat: Seat,
    /// Where the race clock stood, in milliseconds from T0, and the distance from then on.
    #[cfg_attr(test, ts(type = "[number, ToGo][]"))]
    pub points: Vec<(u64, ToGo)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_a_number_two_bounds_or_the_word() {
        let cases = [
            (Distance::Exact(14), "14"),
            (Distance::Between { lower: 12, upper: Some(17) }, "[12,17]"),
            (Distance::Between { lower: 12, upper: None }, "[12,null]"),
            (Distance::Lost, "\"lost\""),
        ];
        for (distance, text) in cases {
            let to_go = ToGo::from(distance);
            assert_eq!(serde_json::to_string(&to_go).expect("plain"), text);
            assert_eq!(serde_json::from_str::<ToGo>(text).expect("read"), to_go);
        }
        let point = (12_345, ToGo::Exact(14));
        let curve = CurveView { seat: Seat::ALL[1], points: vec![point] };
        assert_eq!(serde_json::to_string(&curve).expect("plain"), r#"{"seat":2,"points":[[12345,14]]}"#);
    }
}
