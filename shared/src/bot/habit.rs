//! How a bot plays: its pace, its slips, its errors.
//!
//! Must never slip into a lockout: a bot that is slow is an opponent, one that is stuck is none.

use super::line::{illegal, slips};
use super::{Line, Strength};
use crate::deal::Draws;
use crate::play::{Act, Play};
use crate::rules::Transfer;

/// How a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habit {
    /// From transfer to transfer, in milliseconds on average.
    pub pause_ms: u32,
    /// Lifts and places as two acts, or moves in one.
    pub two_handed_moves: bool,
    /// Of ten thousand transfers, how many are slips that are undone at once.
    pub slips_per_10_000: u64,
    /// Of ten thousand transfers, how many are illegal placements first.
    pub errors_per_10_000: u64,
}

/// From transfer to transfer by strength, in milliseconds. On a standard board the third comes to about 73 s, a casual
/// player's time, and the seventh to about 31 s, an expert's.
const PAUSES_MS: [u32; 10] = [3_400, 2_800, 2_300, 1_900, 1_600, 1_350, 1_150, 900, 650, 450];
/// Slips of the weakest; the strongest makes none, and those between them in proportion.
const SLIPS_PER_10_000: u64 = 2_500;
/// Errors of the weakest, likewise.
const ERRORS_PER_10_000: u64 = 400;
/// How much of a pause comes before a disk is lifted, in percent; the rest passes with the disk in the hand.
const BEFORE_LIFT_PERCENT: u64 = 65;

impl Habit {
    /// How a bot of that strength plays.
    pub fn of(strength: Strength) -> Habit {
        let index = usize::from(strength.number() - 1);
        let weakness = (Strength::ALL.len() - 1 - index) as u64;
        let share = |of_the_weakest: u64| of_the_weakest * weakness / (Strength::ALL.len() - 1) as u64;
        Habit {
            pause_ms: PAUSES_MS[index],
            two_handed_moves: true,
            slips_per_10_000: share(SLIPS_PER_10_000),
            errors_per_10_000: share(ERRORS_PER_10_000),
        }
    }

    /// The next act on the play that is shown, and how long the bot thinks before it, in milliseconds.
    pub fn next(&self, line: &Line, play: &Play, draws: &mut Draws) -> (Act, u64) {
        let act = self.act(line, play, draws);
        let share = match act {
            Act::Lift { .. } => BEFORE_LIFT_PERCENT,
            Act::Place { .. } => 100 - BEFORE_LIFT_PERCENT,
            Act::Move { .. } | Act::Undo | Act::Reset => 100,
        };
        // Give or take 40 %.
        let jitter = 600 + draws.below(801);
        (act, u64::from(self.pause_ms) * share * jitter / 100_000)
    }

    /// The next act on the play that is shown.
    pub fn act(&self, line: &Line, play: &Play, draws: &mut Draws) -> Act {
        if let Some(place) = line.place(play) {
            return place;
        }
        let Some(next) = line.next(play) else { return Line::back(play) };
        if draws.below(10_000) < self.errors_per_10_000
            && let Some(error) = draw(&illegal(play), draws)
        {
            return of(error);
        }
        if draws.below(10_000) < self.slips_per_10_000
            && let Some(slip) = draw(&slips(play, next), draws)
        {
            return of(slip);
        }
        if self.two_handed_moves { Act::Lift { peg: next.from.number().into() } } else { of(next) }
    }
}

fn of(transfer: Transfer) -> Act {
    Act::Move { from: transfer.from.number().into(), to: transfer.to.number().into() }
}

fn draw(among: &[Transfer], draws: &mut Draws) -> Option<Transfer> {
    let bound = u64::try_from(among.len()).ok().filter(|&n| n > 0)?;
    among.get(draws.below(bound) as usize).copied()
}
