//! Ghosts: who races as somebody did in a stored round, each act at its place on the race clock.
//!
//! Must never race by a round that does not prove its result, nor by one that those who watch have not seen.

use std::collections::HashMap;

use sprint_shared::api::Match;
use sprint_shared::options::RoomOptions;
use sprint_shared::peg::PegId;
use sprint_shared::play::{Act, Deed};
use sprint_shared::result::SeatResult;
use sprint_shared::time::SEATS_MAX;
use unicode_segmentation::UnicodeSegmentation;
use uuid::Uuid;

use crate::erase::ghost_of;
use crate::names;
use crate::store::Guest;

/// What ghosts do, by player: each act with its place on the race clock, in milliseconds.
pub type Played = HashMap<Uuid, Vec<(u64, Act)>>;

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

/// What these ghosts of a round do.
pub fn played(round: &Match, ghosts: &[Guest]) -> Played {
    let of = |ghost: &Guest| match ghost {
        Guest::Ghost { player, seat, .. } => Some((*player, acts(round, *seat))),
        Guest::Person { .. } | Guest::Bot { .. } => None,
    };
    ghosts.iter().filter_map(of).collect()
}

/// What a seat of a round did, each act with its place on the race clock in milliseconds. The lag credit of its finish
/// is taken off: a ghost has no line, so that it comes to harmony at its official time.
pub fn acts(round: &Match, seat: u8) -> Vec<(u64, Act)> {
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
}
