//! Names of players: what is allowed, and what a guest is called who gives none.
//!
//! Must never let a name through that could be read as something else on a screen: no control, bidi or zero-width
//! characters.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::chance::random;

/// Graphemes of a name at most.
pub const GRAPHEMES_MAX: usize = 20;
/// Bytes of a name at most, in UTF-8.
pub const BYTES_MAX: usize = 80;

/// Why a name is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadName {
    /// Nothing is left of it.
    #[error("name: give at least one visible character")]
    Empty,
    /// Too long.
    #[error("name: at most {GRAPHEMES_MAX} characters and {BYTES_MAX} bytes, not {graphemes} and {bytes}")]
    TooLong {
        /// Its length in graphemes.
        graphemes: usize,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A character that does not show, or that turns others around.
    #[error("name: the character U+{0:04X} is not allowed: no control, bidi or zero-width characters")]
    Character(u32),
}

/// The name in NFKC with single inner spaces, if it is allowed.
pub fn checked(name: &str) -> Result<String, BadName> {
    // Far beyond any allowed name: not worth normalising.
    if name.len() > 16 * BYTES_MAX {
        return Err(BadName::TooLong { graphemes: name.graphemes(true).count(), bytes: name.len() });
    }
    let normal: String = name.nfkc().collect();
    if let Some(hidden) = normal.chars().find(|c| is_hidden(*c)) {
        return Err(BadName::Character(hidden.into()));
    }
    let name = normal.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(BadName::Empty);
    }
    let (graphemes, bytes) = (name.graphemes(true).count(), name.len());
    if graphemes > GRAPHEMES_MAX || bytes > BYTES_MAX {
        return Err(BadName::TooLong { graphemes, bytes });
    }
    Ok(name)
}

/// Control, format, unassigned-looking, private and invisible characters.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0xAD | 0x034F
                | 0x061C
                | 0x115F..=0x1160
                | 0x17B4..=0x17B5
                | 0x180B..=0x180F
                | 0x200B..=0x200F
                | 0x2028..=0x202E
                | 0x2060..=0x206F
                | 0x2800
                | 0x3164
                | 0xE000..=0xF8FF
                | 0xFE00..=0xFE0F
                | 0xFEFF
                | 0xFFA0
                | 0xFFF0..=0xFFFB
                | 0xFFFE..=0xFFFF
                | 0x1BCA0..=0x1BCA3
                | 0x1D173..=0x1D17A
                | 0xE0000..=0x10FFFF
        )
}

/// 32 words of at most eight letters each.
const ADJECTIVES: &str = "Amber Astral Brass Bright Calm Clever Cosmic Distant Emerald Gilded Golden Hidden Humming Ivory \
    Lunar Midnight Nimble Orbital Patient Quiet Radiant Ruby Runic Sapphire Silver Solar Steady Stellar Swift Velvet \
    Violet Walnut";
/// 32 words of at most eight letters each.
const NOUNS: &str = "Atlas Aurora Beacon Clock Comet Compass Cypher Eclipse Engine Equinox Falcon Gear Gnomon Heron Lantern \
    Lens Meteor Moth Nebula Orrery Otter Owl Pendulum Prism Quasar Raven Sextant Spire Tower Vertex Wren Zenith";

/// A name for a guest: two words and two digits, such as "Quiet Orrery 42".
pub fn made_up() -> String {
    let [a, b, c] = random::<3>();
    let word = |words: &'static str, draw: u8| words.split(' ').nth((draw % 32).into()).unwrap_or("Spire");
    format!("{} {} {:02}", word(ADJECTIVES, a), word(NOUNS, b), c % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_made_up_name_is_allowed() {
        assert_eq!((ADJECTIVES.split(' ').count(), NOUNS.split(' ').count()), (32, 32));
        for adjective in ADJECTIVES.split(' ') {
            for noun in NOUNS.split(' ') {
                let name = format!("{adjective} {noun} 99");
                assert_eq!(checked(&name), Ok(name));
            }
        }
    }

    #[test]
    fn names_of_any_script_are_allowed() {
        for name in ["Édouard", "河内塔", "Ханой", "हनोई", "برج", "Ω-7", "🗼"] {
            assert_eq!(checked(name).as_deref(), Ok(&*name.nfkc().collect::<String>()), "{name}");
        }
    }

    #[test]
    fn look_alike_forms_are_made_one() {
        assert_eq!(checked("Ｓｐｉｒｅ").as_deref(), Ok("Spire"));
        assert_eq!(checked("  a \u{2003} b  ").as_deref(), Ok("a b"));
    }

    #[test]
    fn characters_that_do_not_show_are_refused() {
        for hidden in ['\0', '\n', '\u{7f}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
            assert_eq!(checked(&format!("a{hidden}b")), Err(BadName::Character(hidden.into())), "{hidden:?}");
        }
    }

    #[test]
    fn names_end_at_20_graphemes_and_80_bytes() {
        assert!(checked(&"a".repeat(20)).is_ok());
        assert_eq!(checked(&"a".repeat(21)), Err(BadName::TooLong { graphemes: 21, bytes: 21 }));
        assert_eq!(checked(&"河".repeat(20)).map(|n| n.len()), Ok(60));
        let stacked = format!("a{}", "\u{0300}".repeat(50));
        assert!(matches!(checked(&stacked), Err(BadName::TooLong { .. })));
        assert_eq!(checked("   "), Err(BadName::Empty));
        assert_eq!(checked(""), Err(BadName::Empty));
    }
}
