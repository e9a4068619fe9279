//! Everything that was secret, worked out again: commitment, seed, board. A blueprint, which nobody dealt, is solved.

use super::Found;
use crate::api::Match;
use crate::board::Board;
use crate::deal::{DEAL_VERSION, Seed, deal};
use crate::fairness;
use crate::preset::Preset;
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
    let source = match &round.options.blueprint {
        Some(board) => format!("blueprint {board}"),
        None => round.options.preset.name().to_owned(),
    };
    found.expect(source == reveal.source, "source", || {
        format!("{:?}, the room's options ask for {source:?}", reveal.source)
    });
    if round.options.blueprint.is_some() {
        found.0.not_checked.push("deal");
        solved_again(round, found);
    }
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
    if round.options.blueprint.is_none() {
        dealt_again(round, seed, found);
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
    let reveal = &round.reveal;
    let Ok(preset) = reveal.source.parse::<Preset>() else { return };
    if reveal.deal_version != DEAL_VERSION {
        let version = reveal.deal_version;
        return found
            .add("deal_version", format!("this program deals version {DEAL_VERSION}, the round is of {version}"));
    }
    let dealt = deal(preset, seed);
    let board = reveal.board.as_ref().and_then(|text| text.parse::<Board>().ok());
    found.expect(board.as_ref() == Some(&dealt.board), "board", || format!("the deal gives {}", dealt.board));
    found.expect(round.result.optimum == Some(dealt.optimum), "optimum", || {
        format!("the deal proves {}", dealt.optimum)
    });
}
