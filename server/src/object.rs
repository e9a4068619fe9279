//! Bodies and messages: one JSON object each.

use serde::de::{DeserializeOwned, IgnoredAny};
use thiserror::Error;

/// Why a text is not understood.
#[derive(Debug, Error)]
pub(crate) enum NotRead {
    /// It is no JSON.
    #[error(transparent)]
    Json(serde_json::Error),
    /// It is JSON, and no object. A list of an object's values is none either, though serde would take it.
    #[error("an object is expected, {{\"name\": value, …}}: give each value its name")]
    NoObject,
    /// It is an object, and not the one that is expected; what is wrong is said without Rust's own names.
    #[error("{0}")]
    Other(String),
}

/// Reads an object.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, NotRead> {
    if text.trim_ascii_start().starts_with(b"{") {
        return serde_json::from_slice(text).map_err(|error| match serde_json::from_slice::<IgnoredAny>(text) {
            Ok(_) => NotRead::Other(in_words(error.to_string())),
            Err(error) => NotRead::Json(error),
        });
    }
    match serde_json::from_slice::<IgnoredAny>(text) {
        Ok(_) => Err(NotRead::NoObject),
        Err(error) => Err(NotRead::Json(error)),
    }
}

fn in_words(mut error: String) -> String {
    for number in ["u8", "u16", "u32", "u64"] {
        error = error.replace(&format!("expected {number}"), "expected a whole number from 0 that is not too large");
    }
    // Said where a name is expected and something else stands.
    error.replace("expected value", "another value is expected")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use sprint_shared::protocol::Role;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wanted {
        #[serde(rename = "seats")]
        _seats: u8,
        #[serde(rename = "role", default)]
        _role: Option<Role>,
    }

    #[test]
    fn whatever_is_wrong_is_said_in_words_of_ours() {
        for (text, said) in [
            ("{", "EOF while parsing"),
            ("seats", "expected value"),
            ("[3]", "an object is expected"),
            ("null", "an object is expected"),
            (" \"3\" ", "an object is expected"),
            ("{\"seats\":null}", "invalid type: null, expected a whole number"),
            ("{\"seats\":300}", "expected a whole number from 0 that is not too large"),
            ("{\"seats\":-1}", "expected a whole number from 0"),
            ("{\"seats\":2.5}", "expected a whole number"),
            ("{\"seats\":2,\"role\":7}", "another value is expected at line 1 column 19"),
            ("{}", "missing field `seats`"),
            ("{\"seats\":2,\"x\":1}", "unknown field `x`"),
        ] {
            let error = read::<Wanted>(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(said) && !error.contains("u8") && !error.contains("struct"), "{text}: {error}");
        }
        assert!(read::<Wanted>(b" {\"seats\": 2}").is_ok());
    }
}
