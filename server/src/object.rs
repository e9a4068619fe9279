//! Bodies and messages: one JSON object each.

use serde::de::{DeserializeOwned, Error, IgnoredAny};

/// Reads an object. Other JSON is refused in the same words, a list of an object's values too, which serde would take.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    let is_object = text.trim_ascii_start().starts_with(b"{");
    if !is_object && serde_json::from_slice::<IgnoredAny>(text).is_ok() {
        return Err(serde_json::Error::custom("an object is expected, {\"name\": value, …}: give each value its name"));
    }
    serde_json::from_slice(text)
}
