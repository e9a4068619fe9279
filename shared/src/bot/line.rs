//! A line of play, and where a play stands beside it.
//!
//! It looks only at the board as it is shown, so it goes on from anywhere: after a refusal, a reconnect, a crash.

use crate::board::Board;
use crate::play::{Act, Play};
use crate::rules::{CannotPlace, Illegal, Transfer};
use crate::solver::{Budget, Outcome, solve};

/// A line of play to harmony with every position on it. Solved once a board; all its bots may share it.
#[derive(Debug)]
pub struct Line {
    line: Vec<Transfer>,
    positions: Vec<Board>,
}

impl Line {
    /// A line of the proven least length, or the best that was found within the budget. `None` if there is none.
    pub fn of(board: &Board, budget: &Budget) -> Option<Line> {
        let line = match solve(board, budget) {
            Outcome::Solved { line, .. } | Outcome::Exceeded { line: Some(line), .. } => line,
            Outcome::Unsolvable { .. } | Outcome::Exceeded { line: None, .. } => return None,
        };
        let mut positions = vec![board.clone()];
        for transfer in &line {
            let mut next = positions.last().expect("it begins with the board").clone();
            next.play_unchecked(*transfer);
            positions.push(next);
        }
        Some(Line { line, positions })
    }

    /// The board that it begins with.
    pub fn start(&self) -> &Board {
        &self.positions[0]
    }

    /// The transfer that the line makes next, if the play is on the line.
    pub fn next(&self, play: &Play) -> Option<Transfer> {
        let made = play.transfers() as usize;
        let on_line = self.positions.get(made).is_some_and(|position| position == play.board());
        self.line.get(made).copied().filter(|_| on_line)
    }

    /// Where the held disk goes: as the line has it, else wherever it may.
    pub(super) fn place(&self, play: &Play) -> Option<Act> {
        let held = play.held()?;
        let planned = self.next(play).filter(|t| t.from == held);
        let mut legal = play.board().legal_transfers(play.transfers()).into_iter();
        let target = planned.or_else(|| legal.find(|t| t.from == held)).map_or(held, |t| t.to);
        Some(Act::Place { peg: target.number().into() })
    }

    /// Off the line: back by undoing, or from the start where a lockout bars that.
    pub(super) fn back(play: &Play) -> Act {
        if play.transfers() == 0 || play.is_lockout() { Act::Reset } else { Act::Undo }
    }
}

/// Placements that cost an error: a disk can be lifted, and the target will not take it.
pub(super) fn illegal(play: &Play) -> Vec<Transfer> {
    let pegs = play.board().pegs();
    let pairs = pegs.ids().flat_map(|from| pegs.ids().map(move |to| Transfer { from, to }));
    let is_error = |t: &Transfer| {
        let why = play.board().check(*t, play.transfers());
        matches!(why, Err(Illegal::Place(why)) if why != CannotPlace::SamePeg)
    };
    pairs.filter(is_error).collect()
}

/// Legal transfers beside the right one, none of which ends in a lockout.
pub(super) fn slips(play: &Play, next: Transfer) -> Vec<Transfer> {
    let escapes = |t: &Transfer| {
        let mut after = play.board().clone();
        after.play_unchecked(*t);
        !after.is_lockout(play.transfers() + 1)
    };
    let legal = play.board().legal_transfers(play.transfers()).into_iter();
    legal.filter(|&t| t != next).filter(escapes).collect()
}
