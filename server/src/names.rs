//! Names of players: what is allowed, and what a guest is called who gives none.
//!
//! Must never let a name through that could be read as something else on a screen: no control, bidi or zero-width
//! characters. Names that look alike have one skeleton, and the store gives a skeleton to one player alone.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection;
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
    /// Names that say what their bearer is not.
    #[error("name: `{0}` is kept for what the server itself makes")]
    Reserved(String),
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
    let skeleton = skeleton(&name);
    if RESERVED.iter().any(|reserved| skeleton == self::skeleton(reserved))
        || skeleton.starts_with(&self::skeleton(GHOST))
    {
        return Err(BadName::Reserved(name));
    }
    Ok(name)
}

/// What a ghost's name begins with.
pub const GHOST: &str = "Ghost of";
/// What is shown of a player who has deleted everything.
pub const DELETED: &str = "Deleted player";
/// Names that nobody may take.
const RESERVED: [&str; 1] = [DELETED];

/// What names that can be taken for each other have in common: letter case, spaces and dashes do not count, nor does
/// from which script a letter is (Unicode's confusables, UTS 39). It is compared, never shown.
pub fn skeleton(name: &str) -> String {
    let shaped: String = name.chars().map(as_capital).collect::<String>().to_lowercase();
    // A capital I is a small L to the eye, and letter case does not count.
    let alike = |c: char| if c == 'i' { 'l' } else { c };
    let whole: String = confusables(&shaped).to_lowercase().chars().map(alike).collect();
    let joined: String = whole.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.')).collect();
    // A name of dots alone is still a name.
    if joined.is_empty() { whole } else { joined }
}

/// A letter of another script that looks like a Latin capital, or whose capital does, as that capital: small letters
/// of it may look like nothing Latin.
fn as_capital(c: char) -> String {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    let as_it_is = confusables(&c.to_string());
    if c.is_ascii() || !c.is_alphabetic() || plain(&as_it_is) {
        return if c.is_ascii() { c.to_string() } else { as_it_is };
    }
    let capital = confusables(&c.to_uppercase().to_string());
    if plain(&capital) { capital } else { c.to_string() }
}

fn confusables(text: &str) -> String {
    confusable_detection::skeleton(text).collect()
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

/// How often a name is made up before a guest is told that there is none.
pub const TRIES: u32 = 8;

/// A name for a guest, on the so-manyth try, from 0: two words and two digits, such as "Quiet Orrery 42". There are
/// 102,400 of these; once three were taken, a word and eight digits.
pub fn made_up(tries: u32) -> String {
    let [a, b, c, d, e, f] = random::<6>();
    let word = |words: &'static str, draw: u8| words.split(' ').nth((draw % 32).into()).unwrap_or("Spire");
    if tries < 3 {
        return format!("{} {} {:02}", word(ADJECTIVES, a), word(NOUNS, b), c % 100);
    }
    let number = u32::from_le_bytes([c, d, e, f]);
    format!("{} {:08}", word(NOUNS, b), number % 100_000_000)
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
    fn names_that_look_alike_have_one_skeleton() {
        let alike = [
            &["Ada", "ada", "ADA", "A da", "a-d_a.", "\u{410}d\u{430}"][..],
            &["PayPal", "PayPaI", "paypa1", "P\u{430}yPal", "Pay|Pal".trim_matches('|')],
            &["Ben", "\u{412}en", "\u{392}en", "BEN"],
            &["Nick", "\u{39d}ick", "N\u{456}ck", "Nlck"],
            &["O0", "0O", "oo", "\u{41e}\u{3bf}"],
            &["Mia", "rnia", "MIA", "\u{41c}ia"],
            &["\u{412}\u{415}\u{420}\u{410}", "\u{432}\u{435}\u{440}\u{430}", "BEPA"],
        ];
        for names in alike {
            for name in names.iter().filter(|name| !name.contains('|')) {
                assert_eq!(skeleton(name), skeleton(names[0]), "{name} looks like {}", names[0]);
            }
        }
        let names =
            ["Ada", "Adam", "Eda", "\u{c9}douard", "Edouard", "河内塔", "河外塔", "🗼", "Ada 2", "Ada 3", "...", "-"];
        let skeletons: std::collections::BTreeSet<_> = names.iter().map(|name| skeleton(name)).collect();
        assert_eq!(skeletons.len(), names.len(), "names that can be told apart are told apart: {skeletons:?}");
    }

    #[test]
    fn nobody_passes_for_a_ghost_or_for_somebody_who_is_gone() {
        for name in
            ["Ghost of Ada", "ghost-of", "GH0ST OF me", "Gh\u{43e}st of Ben", "Deleted player", "deleted PIayer"]
        {
            assert_eq!(checked(name), Err(BadName::Reserved(name.to_owned())), "{name}");
        }
        assert!(checked("Ghost").is_ok() && checked("Deleted players").is_ok());
    }

    #[test]
    fn a_name_that_is_made_up_often_is_another_one() {
        let (early, late) = (made_up(2), made_up(3));
        assert_eq!((early.split(' ').count(), late.split(' ').count()), (3, 2));
        assert_eq!(late.split(' ').nth(1).map(str::len), Some(8));
        assert_eq!(checked(&late), Ok(late));
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
