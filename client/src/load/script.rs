//! What a bot does next: along a proven line of play, with slips, errors on purpose, and the way back.
//!
//! It looks only at the board as it is shown, so it goes on from anywhere: after a refusal, a reconnect, a crash.

use sprint_shared::board::Board;
use sprint_shared::deal::Draws;
use sprint_shared::play::{Act, Play};
use sprint_shared::rules::{CannotPlace, Illegal, Transfer};
use sprint_shared::solver::{Budget, Outcome, solve};

/// A proven line of play with every position on it. Solved once a room; all its bots share it.
#[derive(Debug)]
pub struct Script {
    line: Vec<Transfer>,
    positions: Vec<Board>,
}

/// How a bot plays.
#[derive(Clone, Debug)]
pub struct Habit {
    /// Lifts and places as two acts, or moves in one.
    pub two_handed_moves: bool,
    /// Of a hundred transfers, how many are slips that are undone at once.
    pub slips_percent: u64,
    /// Of ten thousand acts, how many are illegal placements on purpose.
    pub errors_per_10_000: u64,
    /// The bot's own chance.
    pub draws: Draws,
}

impl Script {
    /// Solves the board. `None` if it cannot be solved.
    pub fn of(board: &Board) -> Option<Script> {
        let Outcome::Solved { line, .. } = solve(board, &Budget::default()) else { return None };
        let mut positions = vec![board.clone()];
        for transfer in &line {
            let mut next = positions.last().expect("it begins with the board").clone();
            next.play_unchecked(*transfer);
            positions.push(next);
        }
        Some(Script { line, positions })
    }

    /// The transfer that the line makes next, if the play is on the line.
    fn next(&self, play: &Play) -> Option<Transfer> {
        let made = play.transfers() as usize;
        let on_line = self.positions.get(made).is_some_and(|position| position == play.board());
        self.line.get(made).copied().filter(|_| on_line)
    }

    /// The next act on the play that is shown.
    pub fn act(&self, play: &Play, habit: &mut Habit) -> Act {
        let next = self.next(play);
        if let Some(held) = play.held() {
            let planned = next.filter(|t| t.from == held);
            let mut legal = play.board().legal_transfers(play.transfers()).into_iter();
            let target = planned.or_else(|| legal.find(|t| t.from == held)).map_or(held, |t| t.to);
            return Act::Place { peg: target.number().into() };
        }
        let Some(next) = next else {
            // Off the line: back by undoing, or from the start where a lockout bars that.
            return if play.transfers() == 0 || play.is_lockout() { Act::Reset } else { Act::Undo };
        };
        if habit.draws.below(10_000) < habit.errors_per_10_000
            && let Some(error) = draw(&illegal(play), habit)
        {
            return of(error);
        }
        if habit.draws.below(100) < habit.slips_percent
            && let Some(slip) = draw(&slips(play, next), habit)
        {
            return of(slip);
        }
        if habit.two_handed_moves { Act::Lift { peg: next.from.number().into() } } else { of(next) }
    }
}

fn of(transfer: Transfer) -> Act {
    Act::Move { from: transfer.from.number().into(), to: transfer.to.number().into() }
}

fn draw(among: &[Transfer], habit: &mut Habit) -> Option<Transfer> {
    let bound = u64::try_from(among.len()).ok().filter(|&n| n > 0)?;
    among.get(habit.draws.below(bound) as usize).copied()
}

/// Placements that cost an error: a disk can be lifted, and the target will not take it.
fn illegal(play: &Play) -> Vec<Transfer> {
    let pegs = play.board().pegs();
    let pairs = pegs.ids().flat_map(|from| pegs.ids().map(move |to| Transfer { from, to }));
    let is_error = |t: &Transfer| {
        let why = play.board().check(*t, play.transfers());
        matches!(why, Err(Illegal::Place(why)) if why != CannotPlace::SamePeg)
    };
    pairs.filter(is_error).collect()
}

/// Legal transfers beside the right one, none of which ends in a lockout.
fn slips(play: &Play, next: Transfer) -> Vec<Transfer> {
    let escapes = |t: &Transfer| {
        let mut after = play.board().clone();
        after.play_unchecked(*t);
        !after.is_lockout(play.transfers() + 1)
    };
    let legal = play.board().legal_transfers(play.transfers()).into_iter();
    legal.filter(|&t| t != next).filter(escapes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprint_shared::deal::{Seed, deal};
    use sprint_shared::options::Placement;
    use sprint_shared::play::House;
    use sprint_shared::preset::Preset;

    const HOUSE: House = House { placement: Placement::Strict, relaxed: false };

    fn played_out(seed: u64, habit: &mut Habit) -> (Play, u32) {
        let dealt = deal(Preset::Apprentice, &Seed::from(seed));
        let script = Script::of(&dealt.board).expect("dealt boards can be solved");
        let mut play = Play::new(dealt.board);
        for _ in 0..2_000 {
            if play.is_harmony() {
                break;
            }
            let act = script.act(&play, habit);
            let deed = play.judge(&act, HOUSE).unwrap_or_else(|why| panic!("{act:?}: {why}"));
            play.apply(&deed);
        }
        (play, dealt.optimum)
    }

    #[test]
    fn a_bot_without_slips_plays_the_optimum() {
        for seed in 0..10 {
            let draws = Draws::new(&Seed::from(seed));
            let two_handed_moves = seed % 2 == 0;
            let mut habit = Habit { two_handed_moves, slips_percent: 0, errors_per_10_000: 0, draws };
            let (play, optimum) = played_out(seed, &mut habit);
            assert!(play.is_harmony());
            assert_eq!((play.moves(), play.errors(), play.is_flawless()), (optimum, 0, true));
        }
    }

    #[test]
    fn a_bot_that_slips_and_errs_comes_to_harmony_all_the_same() {
        let mut errors = 0;
        for seed in 0..20 {
            let draws = Draws::new(&Seed::from(seed));
            let mut habit = Habit { two_handed_moves: true, slips_percent: 20, errors_per_10_000: 2_000, draws };
            let (play, _) = played_out(seed, &mut habit);
            assert!(play.is_harmony(), "seed {seed}");
            errors += play.errors();
        }
        assert!(errors > 20, "{errors}");
    }
}
