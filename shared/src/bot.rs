//! Players that are programs: how strong, what they do next, and what they know of their room.
//!
//! A bot plays by what its seat hears, like everybody: nothing here sees more than a client does. Its chance is an
//! argument ([`Draws`](crate::deal::Draws)), and it reads no clock: it says how long it thinks, and whoever drives it waits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

mod habit;
mod line;
mod seat;

pub use habit::Habit;
pub use line::Line;
pub use seat::{Call, Mind};

/// How strong a bot is: 1 is careless and slow, 10 plays the proven line without a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u8), schemars(with = "u8"))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(as = "u8"))]
pub struct Strength(u8);

impl Strength {
    /// All, the weakest first.
    pub const ALL: [Strength; 10] = {
        let mut all = [Strength(0); 10];
        let mut at = 0;
        while at < all.len() {
            all[at] = Strength(at as u8 + 1);
            at += 1;
        }
        all
    };

    /// The number, 1..=10.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// A number that is no strength.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a bot's strength is 1 to 10, not {0}")]
pub struct NoStrength(pub String);

impl TryFrom<u8> for Strength {
    type Error = NoStrength;
    fn try_from(number: u8) -> Result<Strength, NoStrength> {
        let index = usize::from(number).wrapping_sub(1);
        Strength::ALL.get(index).copied().ok_or_else(|| NoStrength(number.to_string()))
    }
}

impl From<Strength> for u8 {
    fn from(strength: Strength) -> u8 {
        strength.0
    }
}

impl FromStr for Strength {
    type Err = NoStrength;
    fn from_str(text: &str) -> Result<Strength, NoStrength> {
        let number: u8 = text.parse().map_err(|_| NoStrength(text.to_owned()))?;
        number.try_into()
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
