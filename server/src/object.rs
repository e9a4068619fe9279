//! Bodies and messages: one JSON object each.

use serde::de::{DeserializeOwned, Error};

/// Reads an object. A list of its values without their names, which serde would take as well, is refused.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    if text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(serde_json::Error::custom("a list, where an object is expected: give each value its name"));
    }
    serde_json::from_slice(text)
}
