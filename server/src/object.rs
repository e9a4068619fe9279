//! Bodies and messages: one JSON object each.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};
use thiserror::Error;

/// Fields of an object that are looked at for the one that is wrong; ours have fewer.
const FIELDS: usize = 32;
/// The field that says which message an object is, and so what its other fields may be.
const KIND: &str = "type";

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
            Ok(_) => NotRead::Other(in_words::<T>(&error, text)),
            Err(error) => NotRead::Json(error),
        });
    }
    match serde_json::from_slice::<IgnoredAny>(text) {
        Ok(_) => Err(NotRead::NoObject),
        Err(error) => Err(NotRead::Json(error)),
    }
}

/// What is wrong with an object, without Rust's own names. What stands in it is told as it was sent.
fn in_words<T: DeserializeOwned>(error: &serde_json::Error, text: &[u8]) -> String {
    let (said, place) = parts(error);
    let expects = |number: &&str| said.strip_suffix(&format!(", expected {number}"));
    // What was found stands before what is expected, and may be any text.
    let found = ["u8", "u16", "u32", "u64"].iter().find_map(expects).filter(|found| found.starts_with("invalid "));
    let words = match found {
        Some(found) => format!("{found}, expected a whole number from 0 that is not too large"),
        // Said where a name is expected and something else stands.
        None if said == "expected value" => "another value is expected".to_owned(),
        None => said.clone(),
    };
    // These name the field themselves.
    let is_named = ["missing", "unknown", "duplicate"].iter().any(|what| said.starts_with(&format!("{what} field ")));
    match if is_named { None } else { wrong_field::<T>(&said, text) } {
        Some(field) => format!("{field}: {words}{place}"),
        None => format!("{words}{place}"),
    }
}

/// What an error says, and where that is.
fn parts(error: &serde_json::Error) -> (String, String) {
    let (text, place) = (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    match text.strip_suffix(&place) {
        Some(said) => (said.to_owned(), place),
        None => (text, String::new()),
    }
}

/// The field that is wrong: by itself it is so in the same words.
fn wrong_field<T: DeserializeOwned>(said: &str, text: &[u8]) -> Option<String> {
    let fields: Map<String, Value> = serde_json::from_slice(text).ok()?;
    let mut names: Vec<&String> = fields.keys().take(FIELDS).collect();
    names.sort_by_key(|name| *name != KIND);
    let is_wrong = |name: &&&String| {
        let own = fields.iter().filter(|(field, _)| field == *name || *field == KIND);
        let alone: Map<_, _> = own.map(|(field, value)| (field.clone(), value.clone())).collect();
        serde_json::from_str::<T>(&Value::Object(alone).to_string()).is_err_and(|error| parts(&error).0 == said)
    };
    names.iter().find(is_wrong).map(|name| (*name).clone())
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
            ("{\"seats\":null}", "seats: invalid type: null, expected a whole number"),
            (
                "{\"seats\":300}",
                "seats: invalid value: integer `300`, expected a whole number from 0 that is not too large",
            ),
            ("{\"seats\":-1}", "expected a whole number from 0"),
            ("{\"seats\":2.5}", "expected a whole number"),
            ("{\"seats\":2,\"role\":7}", "role: another value is expected at line 1 column 19"),
            ("{\"seats\":null,\"role\":7}", "seats: invalid type: null"),
            ("{\"role\":7,\"seats\":null}", "role: another value is expected"),
            ("{}", "missing field `seats`"),
            ("{\"seats\":2,\"x\":1}", "unknown field `x`"),
        ] {
            let error = read::<Wanted>(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(said) && !error.contains("u8") && !error.contains("struct"), "{text}: {error}");
        }
        assert!(read::<Wanted>(b" {\"seats\": 2}").is_ok());
    }

    #[test]
    fn what_was_sent_is_told_as_it_was_sent() {
        for (text, said) in [
            ("{\"seats\":\"no, expected u8\"}", "string \"no, expected u8\", expected a whole number"),
            ("{\"seats\":2,\"role\":\"expected u8\"}", "role: unknown variant `expected u8`, expected `player`"),
            ("{\"seats\":2,\"role\":\"expected value\"}", "role: unknown variant `expected value`, expected"),
            ("{\"seats\":2,\"expected u64\":1}", "unknown field `expected u64`, expected"),
            ("{\"seats\":2,\"expected value\":1}", "unknown field `expected value`, expected"),
        ] {
            let error = read::<Wanted>(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn the_wrong_field_of_a_message_is_named_too() {
        #[derive(Debug, Deserialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Message {
            Join {
                #[serde(rename = "seats")]
                _seats: u8,
                #[serde(rename = "role")]
                _role: Role,
            },
        }
        for (text, said) in [
            ("{\"type\":\"join\",\"seats\":null,\"role\":\"player\"}", "seats: invalid type: null, expected a whole"),
            ("{\"type\":\"join\",\"seats\":2,\"role\":null}", "role: invalid type: "),
            ("{\"a\":1,\"type\":\"jion\"}", "type: unknown variant `jion`"),
            ("{\"type\":\"join\",\"seats\":2}", "missing field `role`"),
            ("{\"seats\":2}", "missing field `type`"),
        ] {
            let error = read::<Message>(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(said) && !error.contains("u8"), "{text}: {error}");
        }
    }
}
