//! Everything that was secret, worked out again: commitment, seed, board. A blueprint, which nobody dealt, is solved.

use super::Found;
use crate::api::Match;
use crate::board::Board;
use crate::daily::Revealed;
use crate::deal::{DEAL_VERSION, Deal, Seed, deal};
use crate::fairness;
use crate::solo::Solo;
use crate::solver::{Budget, Outcome, solve_at_most};
use crate::time::SEATS_MAX;

/// Redeals at most: a round that says more of them was never raced.
const REDEALS_MAX: u32 = 1_000_000;
/// Memory for the search on a blueprint, in bytes.
const SOLVE_MEMORY: usize = 256 << 20;

/// Holds what was revealed against the commitment and the deal.
pub(super) fn check(round: &Match, found: &mut Found) {
    let reveal = &round.reveal;
    let (version, number) = (reveal.deal_version, round.result.round);
    let commitment = fairness::commitment(version, round.room_id, number, &reveal.source, &reveal.server_seed);
    found.expect(commitment == reveal.commitment, "commitment", || {
        format!("it is not the hash of what was revealed, which is {commitment}")
    });
    let source = round.options.source();
    found.expect(source == reveal.source, "source", || {
        format!("{:?}, the room's options ask for {source:?}", reveal.source)
    });
    board(round, found);
    let Some(seed) = &reveal.seed else { return };
    let mut nonces = [None; SEATS_MAX];
    nonces.iter_mut().zip(&reveal.nonces).for_each(|(slot, nonce)| *slot = *nonce);
    let first = fairness::board_seed(&reveal.server_seed, &nonces);
    let follows =
        reveal.redeals <= REDEALS_MAX && (0..reveal.redeals).fold(first, |seed, _| fairness::next_seed(&seed)) == *seed;
    found.expect(follows, "seed", || {
        let redeals = reveal.redeals;
        format!("it does not follow from the server's seed, the players' nonces and {redeals} redeals")
    });
    if round.options.blueprint.is_none() && round.options.solo.is_none() {
        dealt_again(round, seed, found);
    }
}

/// The boards that follow from no seed of their round: those that are printed, and those of a seed that was given.
fn board(round: &Match, found: &mut Found) {
    match (&round.options.blueprint, &round.options.solo) {
        (Some(text), solo) => match solo.and_then(|solo| solo.printed()) {
            Some((board, optimum)) => {
                found.expect(board.to_string() == *text, "board", || format!("{board} is printed under this number"));
                found.expect(round.result.optimum == Some(optimum), "optimum", || {
                    format!("{optimum} is printed beside this board")
                });
            }
            None => {
                found.0.not_checked.push("deal");
                solved_again(round, found);
            }
        },
        (None, Some(Solo::Shuffle { seed })) => dealt_again(round, seed, found),
        // What the day's board follows from is revealed once the day is over: see `daily`.
        (None, Some(_)) => found.0.not_checked.push("deal"),
        (None, None) => {}
    }
}

/// Holds a round of the Daily Spire against what its day has revealed.
pub(super) fn daily(round: &Match, revealed: &Revealed, found: &mut Found) {
    let Some(Solo::Daily { day, commitment, .. }) = round.options.solo else {
        return found.add("options", "it is no round of the Daily Spire");
    };
    found.expect(day == revealed.day, "day", || format!("{day}, what is revealed is of {}", revealed.day));
    found.expect(commitment == revealed.commitment, "commitment of the day", || {
        format!("{commitment}, the day has {}", revealed.commitment)
    });
    let preset = round.options.preset;
    found.expect(preset == revealed.preset, "preset", || format!("{preset}, the day has {}", revealed.preset));
    match revealed.proven() {
        Ok(deal) => is_dealt(round, &deal, found),
        Err(why) => found.add("deal", why),
    }
}

/// The optimum of a blueprint is the solver's word. A server whose own search was too short says none, which is as good.
fn solved_again(round: &Match, found: &mut Found) {
    let board = round.reveal.board.as_ref().and_then(|text| text.parse::<Board>().ok());
    let (Some(told), Some(board)) = (round.result.optimum, board) else { return };
    let budget = Budget { memory: SOLVE_MEMORY, ..Budget::default() };
    match solve_at_most(&board, told, &budget) {
        Outcome::Solved { optimum, .. } if optimum == told => {}
        Outcome::Solved { optimum, .. } => found.add("optimum", format!("{told}, the solver proves {optimum}")),
        Outcome::Unsolvable { .. } => found.add("optimum", format!("{told}, the solver proves that there is none")),
        Outcome::Exceeded { lower, .. } if lower > told => {
            found.add("optimum", format!("{told}, the solver proves at least {lower}"));
        }
        Outcome::Exceeded { .. } => found.0.not_checked.push("optimum"),
    }
}

fn dealt_again(round: &Match, seed: &Seed, found: &mut Found) {
    let version = round.reveal.deal_version;
    if version != DEAL_VERSION {
        return found
            .add("deal_version", format!("this program deals version {DEAL_VERSION}, the round is of {version}"));
    }
    is_dealt(round, &deal(round.options.preset, seed), found);
}

fn is_dealt(round: &Match, dealt: &Deal, found: &mut Found) {
    let board = round.reveal.board.as_ref().and_then(|text| text.parse::<Board>().ok());
    found.expect(board.as_ref() == Some(&dealt.board), "board", || format!("the deal gives {}", dealt.board));
    found.expect(round.result.optimum == Some(dealt.optimum), "optimum", || {
        format!("the deal proves {}", dealt.optimum)
    });
}
