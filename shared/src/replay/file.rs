//! Stored rounds as files: every format that was ever written is read, for good.
//!
//! Must never guess: what is newer than this program is refused by name, and every older format has a step of its own.

use serde_json::Value;
use thiserror::Error;

use crate::api::Match;

/// The format of a [`Match`] that this program writes.
pub const REPLAY_FORMAT: u16 = 1;

/// Why a text is no stored round.
#[derive(Debug, Error)]
pub enum NotARound {
    /// No JSON, or not that of a round.
    #[error("not a stored round: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It names no format that a number can be.
    #[error("format: {0} is no format; a number from 0 to {REPLAY_FORMAT} would be")]
    NoFormat(Value),
    /// A newer program wrote it.
    #[error("format: {0} is newer than this program reads ({REPLAY_FORMAT})")]
    Newer(u16),
    /// It holds what its format did not have yet.
    #[error("format: rounds of format {format} had no {what} yet")]
    TooEarly {
        /// The format that it names.
        format: u16,
        /// What it holds.
        what: &'static str,
    },
}

/// Reads a stored round of any format up to [`REPLAY_FORMAT`]; it comes back in that format.
pub fn read(text: &str) -> Result<Match, NotARound> {
    of_value(serde_json::from_str(text)?)
}

/// The same from JSON that is parsed already.
pub fn of_value(mut round: Value) -> Result<Match, NotARound> {
    let format = match round.get("format") {
        None => 0,
        Some(format) => {
            let number = format.as_u64().and_then(|format| u16::try_from(format).ok());
            number.ok_or_else(|| NotARound::NoFormat(format.clone()))?
        }
    };
    if format > REPLAY_FORMAT {
        return Err(NotARound::Newer(format));
    }
    for from in format..REPLAY_FORMAT {
        upgrade(&mut round, from)?;
    }
    Ok(serde_json::from_value(round)?)
}

/// One step: from a format to the next one.
fn upgrade(round: &mut Value, from: u16) -> Result<(), NotARound> {
    match from {
        0 => from_0(round),
        _ => Ok(()),
    }
}

/// Format 1 names itself and may have a chain.
fn from_0(round: &mut Value) -> Result<(), NotARound> {
    if round["reveal"].get("chain").is_some() {
        return Err(NotARound::TooEarly { format: 0, what: "chain" });
    }
    if let Some(round) = round.as_object_mut() {
        round.insert("format".to_owned(), 1.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first() -> Value {
        serde_json::from_str(include_str!("../../data/replay-0.json")).expect("JSON")
    }

    #[test]
    fn a_round_without_a_format_is_of_the_first_and_comes_back_in_this_one() {
        assert_eq!(first().get("format"), None, "as it was written");
        let round = of_value(first()).expect("read for good");
        assert_eq!((round.format, round.reveal.chain), (REPLAY_FORMAT, None));
        let again = read(&serde_json::to_string(&round).expect("plain")).expect("what is written is read");
        assert_eq!(again, round);
    }

    #[test]
    fn a_newer_format_is_refused_by_name() {
        for (format, expected) in [
            (Value::from(9), "format: 9 is newer than this program reads (1)"),
            (Value::from("1"), "format: \"1\" is no format; a number from 0 to 1 would be"),
            (Value::from(-1), "format: -1 is no format; a number from 0 to 1 would be"),
        ] {
            let mut round = first();
            round["format"] = format;
            assert_eq!(of_value(round).expect_err("no round").to_string(), expected);
        }
    }

    #[test]
    fn what_a_format_did_not_have_yet_is_not_taken_from_it() {
        let mut round = first();
        round["reveal"]["chain"] = "00".repeat(32).into();
        let refused = of_value(round).expect_err("no round").to_string();
        assert_eq!(refused, "format: rounds of format 0 had no chain yet");
    }

    #[test]
    fn what_is_no_round_is_refused_with_what_is_missing() {
        for text in ["", "[]", "7", "{}", "null"] {
            let refused = read(text).expect_err("no round").to_string();
            assert!(refused.starts_with("not a stored round: "), "{text}: {refused}");
        }
    }
}
