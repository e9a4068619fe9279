//! Instants and the numbers of seats: the small units of a race.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An instant in milliseconds since the Unix epoch, as the server's monotonic clock continues it.
///
/// Never compared with a client's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// This instant and `ms` more.
    pub fn after(self, ms: u64) -> Millis {
        Millis(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this instant; 0 if `earlier` is later.
    pub fn since(self, earlier: Millis) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A place at the table, 0..=3 inside and 1..=4 wherever a person or the wire sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u8))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(as = "u8"))]
pub struct Seat(u8);

/// The greatest number of seats in a room.
pub const SEATS_MAX: usize = 4;

impl Seat {
    /// All seats of the largest room.
    pub const ALL: [Seat; SEATS_MAX] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    /// The seat at `index`, 0..=3.
    pub fn from_index(index: usize) -> Option<Seat> {
        Seat::ALL.get(index).copied()
    }

    /// The index, 0..=3.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The number as people count, 1..=4.
    pub fn number(self) -> u8 {
        self.0 + 1
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;
    fn try_from(number: u8) -> Result<Seat, String> {
        let index = usize::from(number).wrapping_sub(1);
        Seat::from_index(index).ok_or_else(|| format!("a seat is 1 to 4, not {number}"))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.number()
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}
