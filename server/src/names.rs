//! Names of players: what is allowed, and what a guest is called who gives none.
//!
//! Must never let a name through that could be read as something else on a screen: no control, bidi, zero-width or blank
//! characters, none that Unicode has not assigned, no mark without a letter under it. Names that look alike have one
//! skeleton, and the store gives a skeleton to one player alone.

use std::sync::LazyLock;

use sprint_shared::bot::Strength;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_security::confusable_detection;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_segmentation::UnicodeSegmentation;

use crate::chance::random;
use crate::house;

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
    #[error("name: the character U+{0:04X} is not allowed: give letters, digits, signs or emoji that show on a screen")]
    Character(u32),
    /// A combining mark that does not stand on a letter of its script.
    #[error("name: the mark U+{0:04X} needs a letter of its own script before it")]
    Mark(u32),
    /// Marks in a heap, which would paint over the lines above and below.
    #[error("name: the mark U+{0:04X} is one too many: at most {MARKS_MAX} on a letter, and none twice in a row")]
    Heap(u32),
}

/// The name in NFKC with single inner spaces, if it is allowed.
pub fn checked(name: &str) -> Result<String, BadName> {
    // Far beyond any allowed name: not worth normalising.
    if name.len() > LOOKED_AT_MAX {
        return Err(BadName::TooLong { graphemes: name.graphemes(true).count(), bytes: name.len() });
    }
    let normal: String = name.nfkc().collect();
    if let Some(hidden) = normal.chars().find(|c| is_hidden(*c)) {
        return Err(BadName::Character(hidden.into()));
    }
    let name = single_spaced(&normal);
    if let Some(mark) = loose_mark(&name) {
        return Err(BadName::Mark(mark.into()));
    }
    if name.is_empty() {
        return Err(BadName::Empty);
    }
    let (graphemes, bytes) = (name.graphemes(true).count(), name.len());
    if graphemes > GRAPHEMES_MAX || bytes > BYTES_MAX {
        return Err(BadName::TooLong { graphemes, bytes });
    }
    if let Some(mark) = heaped_mark(&name) {
        return Err(BadName::Heap(mark.into()));
    }
    if is_reserved(&name) { Err(BadName::Reserved(name)) } else { Ok(name) }
}

/// The name as it would be stored, allowed or not: whoever had it before there was a rule logs in with it. Empty for
/// what is far too long.
pub fn normal(name: &str) -> String {
    if name.len() > LOOKED_AT_MAX { String::new() } else { single_spaced(&name.nfkc().collect::<String>()) }
}

/// Bytes of a name that is looked at at all.
const LOOKED_AT_MAX: usize = 16 * BYTES_MAX;

fn single_spaced(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a ghost's name begins with.
pub const GHOST: &str = "Ghost of";
/// What the name of a bot of the house begins with.
pub const AUTOMATON: &str = "Automaton";
/// What is shown of a player who has deleted everything.
pub const DELETED: &str = "Deleted player";

/// Whether a name says what nobody is but those whom the server makes; marks and signs around it do not help.
fn is_reserved(name: &str) -> bool {
    static KEPT: LazyLock<[String; 3]> = LazyLock::new(|| [GHOST, AUTOMATON, DELETED].map(letters));
    let ([ghost, automaton, deleted], letters) = (&*KEPT, letters(name));
    letters == *deleted || letters.starts_with(ghost) || letters.starts_with(automaton)
}

/// Whether nothing but marks and signs tells a name from one that the server gives. Nobody can take such a name any
/// more; whoever has one from before is to be told apart.
pub fn is_disguised(name: &str) -> bool {
    static MADE: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let house = Strength::ALL.map(house::name);
        house.into_iter().chain([DELETED.to_owned()]).map(|name| (letters(&name), skeleton(&name))).collect()
    });
    let (letters, skeleton) = (letters(name), skeleton(name));
    MADE.iter().any(|(made, plain)| letters == *made && skeleton != *plain)
}

/// The skeleton of a name's letters and digits alone.
fn letters(name: &str) -> String {
    let plain = |text: &str| text.nfd().filter(|c| !is_mark(*c)).collect::<String>();
    // Some letters come apart into a letter and a mark only here.
    plain(&skeleton(&plain(name))).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// What names that can be taken for each other have in common: letter case, spaces and dashes do not count, nor does
/// from which script a letter is (Unicode's confusables, UTS 39). It is compared, never shown.
pub fn skeleton(name: &str) -> String {
    // First of all what Unicode makes of the name as it stands: names that it calls confusable are one from here on.
    let shaped: String = confusables(name).chars().map(as_capital).collect::<String>().to_lowercase();
    // A capital I is a small L to the eye, and letter case does not count.
    let alike = |c: char| if c == 'i' { 'l' } else { c };
    let whole: String = confusables(&shaped).to_lowercase().chars().map(alike).collect();
    let joined: String = whole.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.')).collect();
    // Unicode's list has "rn" for "m", and lacks this one.
    let joined = joined.replace("vv", "w");
    // A name of dots alone is still a name.
    if joined.is_empty() { whole } else { joined }
}

/// A letter of another script that looks like a Latin capital, or whose capital does, as that capital: small letters
/// of it may look like nothing Latin.
fn as_capital(c: char) -> String {
    if let Some(at) = SMALL_CAPITALS.chars().position(|small| small == c) {
        return CAPITALS[at..=at].to_owned();
    }
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    let as_it_is = confusables(&c.to_string());
    if c.is_ascii() || !c.is_alphabetic() || plain(&as_it_is) {
        return if c.is_ascii() { c.to_string() } else { as_it_is };
    }
    let capital = confusables(&c.to_uppercase().to_string());
    if plain(&capital) { capital } else { c.to_string() }
}

/// Small letters in the shape of capitals, and the letters that they are read as: small Cyrillic letters are such to
/// Unicode.
const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ";
const CAPITALS: &str = "ABCDEFGHIJKKLMMNOPRSTUVWYZ";

fn confusables(text: &str) -> String {
    confusable_detection::skeleton(text).collect()
}

/// Control, format, unassigned and private characters, and those that show as nothing.
fn is_hidden(c: char) -> bool {
    let is_other = c.general_category_group() == GeneralCategoryGroup::Other;
    let is_line = matches!(c.general_category(), GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator);
    is_other || is_line || is_blank(c)
}

fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Letters, marks and signs that are drawn as nothing, or as a box for something else. Unicode lists most of them as to
/// be ignored; it has no list of the others, such as the notehead that is none.
fn is_blank(c: char) -> bool {
    matches!(
        u32::from(c),
        0x034F
            | 0x115F..=0x1160
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x2065
            | 0x2800
            | 0x2D7F
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFFA0
            | 0xFFF0..=0xFFFD
            | 0x1107F
            | 0x13441..=0x13446
            | 0x16FE4
            | 0x1BC9D
            | 0x1D159
            | 0xE0000..=0xE0FFF
    )
}

/// A combining mark that stands on nothing, or on a letter of a script that does not know it: it would show on
/// something else, or not at all.
fn loose_mark(name: &str) -> Option<char> {
    let mut base = None;
    for c in name.chars() {
        if !is_mark(c) {
            base = Some(c).filter(|c| !c.is_whitespace());
            continue;
        }
        let carries = |base: char| {
            let mut both = AugmentedScriptSet::for_char(base);
            both.intersect_with(AugmentedScriptSet::for_char(c));
            !both.is_empty()
        };
        if !base.is_some_and(carries) {
            return Some(c);
        }
    }
    None
}

/// Marks that a letter may carry, in whatever form they are written (UTS 39, section 5.4).
const MARKS_MAX: usize = 4;

/// The first mark that is too much for its letter.
fn heaped_mark(name: &str) -> Option<char> {
    let (mut before, mut marks) = (None, 0);
    name.nfd().find(|c| {
        marks = if is_mark(*c) { marks + 1 } else { 0 };
        let is_heaped = marks > MARKS_MAX || (marks > 1 && before == Some(*c));
        before = Some(*c);
        is_heaped
    })
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
            &["PayPal", "PayPaI", "paypa1", "P\u{430}yPal"],
            &["Ben", "\u{412}en", "\u{392}en", "BEN"],
            &["Nick", "\u{39d}ick", "N\u{456}ck", "Nlck"],
            &["O0", "0O", "oo", "\u{41e}\u{3bf}"],
            &["Mia", "rnia", "MIA", "\u{41c}ia"],
            &["Williams", "VVilliams", "vViIIiarns"],
            &["Élodie", "\u{388}lodie", "élodie"],
            &["Ðan", "D\u{335}an"],
            &["\u{412}\u{415}\u{420}\u{410}", "\u{432}\u{435}\u{440}\u{430}", "BEPA"],
        ];
        for names in alike {
            for name in names {
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
        for name in [
            "Ghost of Ada",
            "ghost-of",
            "GH0ST OF me",
            "Gh\u{43e}st of Ben",
            "Ghóst of Ben",
            "Deleted player",
            "deleted PIayer",
            "Deleted pláyer!",
            "Automaton",
            "Automaton 1",
            "Automaton 11",
            "AUTOMATON 5",
            "automat0n-5",
            "Autornaton 5",
            "\u{410}utomaton 5",
            "Äutomaton 5",
            "Automaton\u{301} 5",
            "A\u{334}utomaton 5",
            "«Automaton 5»",
            "A u t o m a t o n",
            "Automatøn 5",
        ] {
            assert_eq!(checked(name), Err(BadName::Reserved(name.nfkc().collect())), "{name}");
        }
        assert!(
            ["Ghost", "Deleted players", "Automata", "The Automaton"].into_iter().all(|name| checked(name).is_ok())
        );
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

    /// All characters of Unicode but most of the many letters of one kind (ideographs, syllables), of which every
    /// sixteenth stands for the others; those that are not assigned are refused at once.
    fn every_character() -> impl Iterator<Item = char> {
        ('\0'..='\u{10ffff}').filter(|c| match c.general_category() {
            GeneralCategory::Unassigned | GeneralCategory::PrivateUse => {
                assert!(is_hidden(*c), "{c:?}");
                false
            }
            GeneralCategory::OtherLetter => u32::from(*c) < 0x2000 || u32::from(*c) % 16 == 0,
            _ => true,
        })
    }

    #[test]
    fn whatever_is_allowed_shows_on_a_letter_or_sign_of_its_own() {
        // Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties, and what else is drawn as nothing.
        let invisible = |c: char| {
            matches!(u32::from(c), 0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
                | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8
                | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF | 0x2800 | 0x1D159)
        };
        let mut allowed = 0;
        for c in every_character() {
            for name in [format!("{c}"), format!("a{c}"), format!("a {c}")] {
                let Ok(name) = checked(&name) else { continue };
                allowed += 1;
                assert!(!name.chars().any(invisible), "U+{:04X} is in {name:?}", u32::from(c));
                // In a word marks follow a letter or sign; between words stands one space.
                for word in name.split(' ') {
                    let kinds: Vec<_> = word.chars().map(|c| c.general_category_group()).collect();
                    let is_visible =
                        |kind| !matches!(kind, GeneralCategoryGroup::Other | GeneralCategoryGroup::Separator);
                    let begins = kinds.first().is_some_and(|kind| *kind != GeneralCategoryGroup::Mark);
                    assert!(begins && kinds.into_iter().all(is_visible), "U+{:04X} in {name:?}", u32::from(c));
                }
            }
        }
        assert!(allowed > 50_000, "{allowed}");
    }

    #[test]
    fn names_that_unicode_calls_confusable_have_one_skeleton() {
        let mut alike = 0;
        for c in every_character() {
            let (one, other) = (format!("a{c}b"), format!("a{}b", confusables(&c.to_string())));
            // A name in another form is another name: it is looked at on its own.
            if one == other || checked(&one).as_ref() != Ok(&one) || checked(&other).as_ref() != Ok(&other) {
                continue;
            }
            alike += 1;
            assert_eq!(skeleton(&one), skeleton(&other), "U+{:04X}: {one} and {other}", u32::from(c));
        }
        assert!(alike > 1_000, "{alike}");
    }

    #[test]
    fn blanks_marks_without_a_letter_and_what_is_not_assigned_are_refused_with_their_number() {
        for hidden in ['\u{1d159}', '\u{2800}', '\u{13441}', '\u{fffc}', '\u{2d7f}', '\u{378}', '\u{e000}', '\u{600}'] {
            assert_eq!(checked(&format!("Ada{hidden}")), Err(BadName::Character(hidden.into())), "{hidden:?}");
        }
        for (name, mark) in [
            ("\u{301}Ada", 0x301),
            ("Ada \u{301}", 0x301),
            ("\u{b4}", 0x301),
            ("\u{20dd}", 0x20dd),
            ("Ada\u{1039}", 0x1039),
            ("Ada\u{94d}", 0x94d),
        ] {
            assert_eq!(checked(name), Err(BadName::Mark(mark)), "{name:?}");
        }
        for name in ["\u{2028}", "\u{3164}", "\u{2800}\u{2800}", "\u{115f}"] {
            assert!(matches!(checked(name), Err(BadName::Character(_))), "{name:?}");
        }
        for name in ["\u{a0}", "\u{3000} \u{2003}", "\u{1680}"] {
            assert_eq!(checked(name), Err(BadName::Empty), "{name:?}");
        }
    }

    #[test]
    fn a_letter_carries_four_marks_at_most_and_none_twice_in_a_row() {
        let heap = format!("a{}", "\u{300}\u{301}".repeat(18));
        // One of them is in the letter once it is composed; it counts all the same.
        assert_eq!(checked(&heap), Err(BadName::Heap(0x300)), "the fifth");
        assert_eq!(checked("\u{e01}\u{e49}\u{e49}"), Err(BadName::Heap(0xe49)), "twice");
        assert_eq!(checked("e\u{301}\u{301}"), Err(BadName::Heap(0x301)), "twice, composed");
        for name in ["Nguye\u{302}\u{303}n", "\u{e01}\u{e33}\u{e49}", "a\u{300}\u{301}\u{300}\u{301}", "Zoe\u{308}"] {
            assert!(checked(name).is_ok(), "{name:?}");
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
