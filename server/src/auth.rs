//! Bearer tokens: 256 random bits, known to the player alone; the store sees only their SHA-256.
//!
//! Must never log a token, and never compare tokens themselves.

use sha2::{Digest, Sha256};

use crate::chance::random;

/// A player's secret, 64 hex digits.
pub struct Token(String);

impl Token {
    /// Draws a token from the operating system.
    pub fn draw() -> Token {
        Token(hex::encode(random::<32>()))
    }

    /// The text that the player gets, once.
    pub fn reveal(self) -> String {
        self.0
    }
}

/// What a token is looked up by. A text of any other shape is hashed as well, and then found nowhere.
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_64_hex_digits_and_no_two_are_alike() {
        let (one, other) = (Token::draw().reveal(), Token::draw().reveal());
        assert_eq!(one.len(), 64);
        assert!(one.bytes().all(|b| b.is_ascii_hexdigit()));
        assert_ne!(one, other);
    }

    #[test]
    fn the_hash_of_a_token_is_the_sha_256_of_its_text() {
        // FIPS 180-2, appendix B.1: SHA-256("abc").
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex::encode(token_hash("abc")), expected);
    }
}
