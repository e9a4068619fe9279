//! Seeds: 32 bytes, written as 64 hex digits, or as a decimal number where a person types one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The seed of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub [u8; 32]);

/// A text that is no seed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no seed {0:?}: give a decimal number below 2^64, or 64 hex digits")]
pub struct InvalidSeed(pub String);

impl Seed {
    /// The seed as four little-endian words.
    pub fn words(&self) -> [u64; 4] {
        std::array::from_fn(|i| {
            let bytes = self.0[i * 8..][..8].try_into().expect("eight of 32 bytes");
            u64::from_le_bytes(bytes)
        })
    }
}

/// The number is the first word, little endian; the rest is zero.
impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }
}

impl FromStr for Seed {
    type Err = InvalidSeed;
    fn from_str(text: &str) -> Result<Seed, InvalidSeed> {
        let invalid = || InvalidSeed(text.to_owned());
        if text.len() == 64 {
            let mut bytes = [0; 32];
            hex::decode_to_slice(text, &mut bytes).map_err(|_| invalid())?;
            return Ok(Seed(bytes));
        }
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(invalid());
        }
        text.parse::<u64>().map(Seed::from).map_err(|_| invalid())
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(&text, &mut bytes).map_err(|_| serde::de::Error::custom(InvalidSeed(text)))?;
        Ok(Seed(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_seed_is_the_first_word_little_endian() {
        let seed: Seed = "258".parse().expect("a number");
        assert_eq!(seed.0[..3], [2, 1, 0]);
        assert!(seed.0[3..].iter().all(|b| *b == 0));
        assert_eq!(seed.words(), [258, 0, 0, 0]);
    }

    #[test]
    fn a_seed_survives_its_own_writing() {
        let seed = Seed(std::array::from_fn(|i| i as u8 * 7));
        assert_eq!(seed.to_string().parse(), Ok(seed));
        let json = serde_json::to_string(&seed).expect("a string");
        assert_eq!(json, format!("\"{seed}\""));
        assert_eq!(serde_json::from_str::<Seed>(&json).expect("a seed"), seed);
    }

    #[test]
    fn what_is_no_seed_is_refused() {
        for text in ["", "-1", "18446744073709551616", "0x10", "abc", &"g".repeat(64), "1 "] {
            assert_eq!(text.parse::<Seed>(), Err(InvalidSeed(text.to_owned())), "{text}");
        }
    }
}
