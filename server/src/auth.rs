//! Bearer tokens: 256 random bits, known to the player alone; the store sees only their SHA-256. And the codes by
//! which one device logs another in: 50 bits, for minutes and once.
//!
//! Must never log a token, and never compare tokens themselves.

use sha2::{Digest, Sha256};

use crate::chance::random;
use crate::code;

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

/// Letters of a link code.
const LINK_LEN: usize = 10;

/// A code that logs another device in.
pub struct LinkCode(String);

impl LinkCode {
    /// Draws a code from the operating system.
    pub fn draw() -> LinkCode {
        LinkCode(code::letters(&random::<LINK_LEN>()))
    }

    /// The text that the player gets, once: two groups of five letters.
    pub fn reveal(self) -> String {
        let (left, right) = self.0.split_at(LINK_LEN / 2);
        format!("{left}-{right}")
    }
}

/// What a link code is looked up by, however it was typed; `None` for what cannot be one.
pub fn link_hash(code: &str) -> Option<[u8; 32]> {
    let letters = code::plain(code).filter(|letters| letters.len() == LINK_LEN)?;
    // Another use of the hash than that of tokens.
    Some(Sha256::new_with_prefix(b"link ").chain_update(letters).finalize().into())
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
    fn a_link_code_is_read_however_it_is_typed() {
        let code = LinkCode::draw().reveal();
        assert_eq!((code.len(), code.as_bytes()[5]), (11, b'-'));
        let hash = link_hash(&code);
        assert!(hash.is_some());
        assert_eq!(link_hash(&code.to_lowercase()), hash);
        assert_eq!(link_hash(&code.replace('-', " ").replace('0', "o").replace('1', "l")), hash);
        for other in ["", "ABCDE-FGHJ", "ABCDE-FGHJKM", "ABCDE-FGHJ!", &"A".repeat(10_000)] {
            assert_eq!(link_hash(other), None);
        }
        assert_ne!(link_hash("ABCDE-FGHJK"), link_hash("ABCDE-FGHJM"));
    }

    #[test]
    fn the_hash_of_a_token_is_the_sha_256_of_its_text() {
        // FIPS 180-2, appendix B.1: SHA-256("abc").
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex::encode(token_hash("abc")), expected);
    }
}
