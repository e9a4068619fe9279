//! Codes that people type and links carry, in Crockford's base 32: those of rooms, and how any is read.
//!
//! Must never be drawn from anything that can be guessed: the code of a private room is what keeps it private.

use crate::chance::random;

/// Digits and letters without I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Letters of a public room's code: 30 bits.
pub const PUBLIC_LEN: usize = 6;
/// Letters of a private room's code: 60 bits.
pub const PRIVATE_LEN: usize = 12;

/// Draws a code.
pub fn draw(public: bool) -> String {
    let len = if public { PUBLIC_LEN } else { PRIVATE_LEN };
    letters(&random::<PRIVATE_LEN>()[..len])
}

/// A letter for each of these bytes, five bits of it.
pub fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|b| char::from(ALPHABET[usize::from(b % 32)])).collect()
}

/// The room code that somebody meant, as [`plain`] reads it. `None` if no room can have it.
pub fn read(text: &str) -> Option<String> {
    plain(text).filter(|code| matches!(code.len(), PUBLIC_LEN | PRIVATE_LEN))
}

/// The letters that somebody meant: letter case, dashes and spaces do not count, I and L read as 1, O as 0. `None` for
/// a text with anything else in it, or one too long for any code.
pub fn plain(text: &str) -> Option<String> {
    if text.len() > 4 * PRIVATE_LEN {
        return None;
    }
    let mut code = String::with_capacity(PRIVATE_LEN);
    for letter in text.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let letter = match letter.to_ascii_uppercase() {
            'I' | 'L' => '1',
            'O' => '0',
            other => other,
        };
        if !letter.is_ascii() || !ALPHABET.contains(&(letter as u8)) {
            return None;
        }
        code.push(letter);
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_codes_have_6_letters_and_private_ones_12() {
        assert_eq!(draw(true).len(), 6);
        assert_eq!(draw(false).len(), 12);
        assert_ne!(draw(false), draw(false));
    }

    #[test]
    fn a_code_is_read_as_it_was_drawn() {
        for public in [true, false] {
            let code = draw(public);
            assert_eq!(read(&code), Some(code));
        }
    }

    #[test]
    fn what_people_mistype_is_forgiven() {
        assert_eq!(read("7k-3oil").as_deref(), Some("7K3011"));
    }

    #[test]
    fn what_no_room_can_have_is_refused() {
        for text in ["", "ABC", "ABCDEFG", "ABCDE!", "ÄBCDEF", "UUUUUU", "../../etc", &"A".repeat(1000)] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
