//! Seeds of 32 bytes, written as 64 hex digits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// 32 bytes: a board's seed, a server's secret or a commitment. 64 hex digits in text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(pub [u8; 32]);

/// A text that is no seed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a seed is 64 hex digits or a decimal number below 2^64, not {0:?}")]
pub struct BadSeed(pub String);

impl Seed {
    /// The seed of a small number: its first word, little endian; the rest is zero.
    pub fn from_number(number: u64) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }
}

impl FromStr for Seed {
    type Err = BadSeed;

    /// 64 hex digits, or a decimal number as in [`Seed::from_number`].
    fn from_str(text: &str) -> Result<Seed, BadSeed> {
        let mut bytes = [0; 32];
        if text.len() == 64 && hex::decode_to_slice(text, &mut bytes).is_ok() {
            return Ok(Seed(bytes));
        }
        text.parse().map(Seed::from_number).map_err(|_| BadSeed(text.to_owned()))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Seed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
