//! Ghosts: who races as somebody did in a stored round, each act at its place on the race clock.
//!
//! Must never race by a round that does not prove its result, nor by one that those who watch have not seen.

use std::fmt::Write as _;

use sprint_shared::api::Match;
use sprint_shared::options::RoomOptions;
use sprint_shared::peg::PegId;
use sprint_shared::play::{Act, Deed};
use sprint_shared::result::SeatResult;
use sprint_shared::time::SEATS_MAX;
use thiserror::Error;
use unicode_segmentation::UnicodeSegmentation;
use uuid::Uuid;

use crate::erase::ghost_of;
use crate::names;
use crate::store::{GhostRow, Guest};

/// The format in which it is stored what ghosts do.
const FORMAT: i64 = 1;
/// So many characters of a word that is not understood are told.
const TOLD: usize = 40;

/// Why it is not known what a ghost does.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum Unknown {
    /// Nothing is stored of it: an older version made its room, or the row is gone.
    #[error("what it does is not stored")]
    NotStored,
    /// It is stored in another format.
    #[error("what it does is stored in format {0}, and this program reads format {FORMAT}")]
    Format(i64),
    /// What is stored cannot be read.
    #[error("what it does cannot be read: act {n} is {word:?}")]
    Act {
        /// Which, from 1.
        n: usize,
        /// What stands there.
        word: String,
    },
}

/// The ghosts of a round, the first of its ranking first: everybody who came to harmony, as many as find a seat beside
/// somebody who races them. A ghost has no ghost of its own.
pub fn guests(round: &Match) -> Vec<Guest> {
    let is_ghost = |seat: &SeatResult| seat.bot && seat.name.starts_with(names::GHOST);
    let mut finishers: Vec<_> =
        round.result.seats.iter().filter(|seat| seat.finish.is_some() && !is_ghost(seat)).collect();
    finishers.sort_by_key(|seat| (seat.rank, seat.seat));
    let ghost = |seat: &&SeatResult| {
        let (round_id, name) = (round.round_id, name_of(&seat.name));
        Guest::Ghost { player: ghost_of(seat.player), name, round_id, seat: seat.seat.number() }
    };
    finishers.iter().take(SEATS_MAX - 1).map(ghost).collect()
}

/// The room in which ghosts of a round are raced: its board, its rules, nobody's rating.
pub fn options(round: &Match, ghosts: usize) -> RoomOptions {
    let RoomOptions { contest, placement, .. } = round.options;
    RoomOptions {
        seats: 1 + ghosts as u8,
        preset: round.options.preset,
        blueprint: round.reveal.board.clone(),
        time_limit_s: Some(round.options.time_limit_s()),
        contest,
        placement,
        ..RoomOptions::default()
    }
}

/// What these ghosts of a round do, to be stored with their room.
pub fn rows(round: &Match, ghosts: &[Guest]) -> Vec<GhostRow> {
    let of = |ghost: &Guest| match ghost {
        Guest::Ghost { player, seat, .. } => Some(row(*player, &acts(round, *seat))),
        Guest::Person { .. } | Guest::Bot { .. } => None,
    };
    ghosts.iter().filter_map(of).collect()
}

/// What a ghost does, to be stored with its room: each act with its place on the race clock in milliseconds, none before
/// the one before it. A word an act, parted by spaces: `850:1-3` moves from peg 1 to peg 3, 850 ms after the act before;
/// `850:1-` lifts, `850:-3` places, `850:u` is an undo and `850:r` a reset.
pub fn row(player_id: Uuid, acts: &[(u64, Act)]) -> GhostRow {
    let (mut text, mut before_ms) = (String::with_capacity(8 * acts.len()), 0);
    for &(at_ms, act) in acts {
        let gap = if text.is_empty() { "" } else { " " };
        let after_ms = at_ms.saturating_sub(before_ms);
        before_ms += after_ms;
        let written = match act {
            Act::Move { from, to } => write!(text, "{gap}{after_ms}:{from}-{to}"),
            Act::Lift { peg } => write!(text, "{gap}{after_ms}:{peg}-"),
            Act::Place { peg } => write!(text, "{gap}{after_ms}:-{peg}"),
            Act::Undo => write!(text, "{gap}{after_ms}:u"),
            Act::Reset => write!(text, "{gap}{after_ms}:r"),
        };
        written.expect("a text takes whatever is written");
    }
    GhostRow { player_id, format: FORMAT, acts: text }
}

/// What a ghost does by the rows of its room, as it was given to [`row`].
pub fn read(rows: &[GhostRow], player: Uuid) -> Result<Vec<(u64, Act)>, Unknown> {
    let row = rows.iter().find(|row| row.player_id == player).ok_or(Unknown::NotStored)?;
    if row.format != FORMAT {
        return Err(Unknown::Format(row.format));
    }
    let mut at_ms = 0_u64;
    let acts = row.acts.split(' ').zip(1..).map(|(word, n)| {
        let read = word.split_once(':').and_then(|(after_ms, act)| {
            at_ms = at_ms.checked_add(number(after_ms)?)?;
            Some((at_ms, act_of_word(act)?))
        });
        read.ok_or_else(|| Unknown::Act { n, word: word.chars().take(TOLD).collect() })
    });
    acts.collect()
}

fn act_of_word(word: &str) -> Option<Act> {
    let peg = |text| number(text).and_then(|peg| PegId::new(peg.try_into().ok()?)).map(|peg| peg.number().into());
    Some(match word.split_once('-') {
        Some((from, "")) => Act::Lift { peg: peg(from)? },
        Some(("", to)) => Act::Place { peg: peg(to)? },
        Some((from, to)) => Act::Move { from: peg(from)?, to: peg(to)? },
        None if word == "u" => Act::Undo,
        None if word == "r" => Act::Reset,
        None => return None,
    })
}

/// A number as it is written here: its digits and nothing else.
fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// What a seat of a round did, each act with its place on the race clock in milliseconds. The lag credit of its finish
/// is taken off: a ghost has no line, so that it comes to harmony at its official time.
fn acts(round: &Match, seat: u8) -> Vec<(u64, Act)> {
    let own = round.result.seats.iter().find(|of| of.seat.number() == seat);
    let credit_ms = own.and_then(|own| own.finish).map_or(0, |finish| i64::from(finish.credit_ms));
    let mut held = None;
    let deeds = round.events.iter().filter_map(|timed| match timed.event.kind.deed() {
        Some((at, _, deed)) if at.number() == seat => Some((timed.clock_ms, deed)),
        _ => None,
    });
    deeds.map(|(clock_ms, deed)| ((clock_ms - credit_ms).max(0) as u64, act_of(&deed, &mut held))).collect()
}

/// The act that a deed came of.
fn act_of(deed: &Deed, held: &mut Option<PegId>) -> Act {
    match *deed {
        Deed::Lifted { peg } => {
            *held = Some(peg);
            Act::Lift { peg: peg.number().into() }
        }
        Deed::Transferred { from, to } | Deed::Erred { from, to } | Deed::Returned { from, to } => match held.take() {
            Some(_) => Act::Place { peg: to.number().into() },
            None => Act::Move { from: from.number().into(), to: to.number().into() },
        },
        Deed::PutBack { peg } => {
            *held = None;
            Act::Place { peg: peg.number().into() }
        }
        // Whatever peg it was: the hand was full.
        Deed::TwoHanded => Act::Lift { peg: 1 },
        Deed::Undone { .. } => Act::Undo,
        Deed::Reset => Act::Reset,
    }
}

fn name_of(racer: &str) -> String {
    let name: String = format!("{} {racer}", names::GHOST).graphemes(true).take(names::GRAPHEMES_MAX).collect();
    name.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ghosts_name_says_so_and_is_no_longer_than_a_name_may_be() {
        assert_eq!(name_of("Ada"), "Ghost of Ada");
        assert_eq!(name_of("Automaton 10"), "Ghost of Automaton 1");
        assert!(names::checked(&name_of("Ada")).is_err(), "nobody can take it");
    }

    #[test]
    fn acts_are_what_a_hand_did() {
        let [one, two] = [1, 2].map(|number| PegId::new(number).expect("a peg"));
        let deeds = [
            Deed::Lifted { peg: one },
            Deed::TwoHanded,
            Deed::Erred { from: one, to: two },
            Deed::Transferred { from: one, to: two },
            Deed::Lifted { peg: two },
            Deed::Transferred { from: two, to: one },
            Deed::Undone { from: two, to: one },
            Deed::Reset,
        ];
        let mut held = None;
        let acts: Vec<Act> = deeds.iter().map(|deed| act_of(deed, &mut held)).collect();
        let expected = [
            Act::Lift { peg: 1 },
            Act::Lift { peg: 1 },
            Act::Place { peg: 2 },
            Act::Move { from: 1, to: 2 },
            Act::Lift { peg: 2 },
            Act::Place { peg: 1 },
            Act::Undo,
            Act::Reset,
        ];
        assert_eq!(acts, expected);
    }

    #[test]
    fn what_a_ghost_does_is_read_back_as_it_was_written() {
        let ghost = Uuid::from_u128(1);
        let acts = [
            (850, Act::Lift { peg: 1 }),
            (850, Act::Place { peg: 9 }),
            (2_000, Act::Move { from: 1, to: 2 }),
            (2_001, Act::Undo),
            (86_402_001, Act::Reset),
        ];
        let written = row(ghost, &acts);
        assert_eq!((written.format, written.acts.as_str()), (1, "850:1- 0:-9 1150:1-2 1:u 86400000:r"));
        assert_eq!(read(&[row(Uuid::nil(), &acts[..1]), written], ghost).as_deref(), Ok(&acts[..]));
    }

    #[test]
    fn what_cannot_be_read_is_told_and_never_guessed() {
        let ghost = Uuid::from_u128(1);
        assert_eq!(read(&[], ghost), Err(Unknown::NotStored));
        let newer = GhostRow { format: 2, ..row(ghost, &[(1, Act::Undo)]) };
        assert_eq!(read(&[newer], ghost), Err(Unknown::Format(2)));
        for word in ["", "5", "5:", "5:x", "5:1", "5:-", "5:0-1", "5:10-", "5:1-2-3", "+5:u", "05:u", "5:01-", "-5:u"]
            .into_iter()
            .chain(["5:u ", "5:uu", "18446744073709551616:u", "18446744073709551615:u"])
        {
            let damaged = GhostRow { acts: format!("1:u {word}"), ..row(ghost, &[]) };
            let error = read(&[damaged], ghost).expect_err(word);
            assert!(matches!(error, Unknown::Act { n: 2 | 3, .. }), "{word:?}: {error}");
        }
        assert!(read(&[row(ghost, &[])], ghost).is_err(), "who does nothing came to no harmony");
    }
}
