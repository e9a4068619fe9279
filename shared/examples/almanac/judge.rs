//! How near a board is to what a slot asks for, by proven facts alone.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;

use sprint_shared::almanac::{Features, difficulty_s, target_s};
use sprint_shared::board::Board;
use sprint_shared::notation::PegsNotation;
use sprint_shared::peg::CAPACITY_MAX;
use sprint_shared::rules::{Transfer, Transfers};
use sprint_shared::solver::{Budget, Outcome, Table, solve, solve_from};

use crate::slot::{Slot, Wanted};

/// A board in its slot, with what was proven of it.
pub struct Verdict {
    pub board: Board,
    pub optimum: u32,
    /// Without rings and homes.
    pub bare_optimum: u32,
    /// Difficulty and whatever was looked at, for people.
    pub facts: String,
}

/// The lines of the data file.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board {}\noptimum {}", self.board, self.optimum)?;
        let features = Features::of(&self.board);
        if features.collars + features.seals + features.homes > 0 {
            write!(f, "\nbare {}", self.bare_optimum)?;
        }
        Ok(())
    }
}

/// A board without an optimum is worse than any with one.
const LOST: u32 = 1 << 20;
/// An optimum or a difficulty out of its band is worse than anything that is asked for beside it.
const OUT: u32 = 1 << 12;
/// Difficulty in hundredths of the stage's target, where the slot asks for no optimum.
const PERCENT: RangeInclusive<u32> = 94..=106;
/// Reachable sets are listed up to this size; larger ones do not fit.
const POSITIONS_MAX: u64 = 3_000_000;

/// The board with the slot's rings and homes if all holds; else how far it is from that, 1 or more.
pub fn judge(slot: &Slot, bare: &Board) -> Result<Verdict, u32> {
    let bare_optimum = optimum(bare)?;
    let text = format!("{} {CAPACITY_MAX} {} {}", PegsNotation(bare.pegs()), slot.rings, slot.homes);
    let board: Board = text.parse().unwrap_or_else(|e| panic!("stage {}: {text}: {e}", slot.stage));
    let is_bare = board == *bare;
    let percent = |optimum| (100.0 * difficulty_s(&board, optimum, bare_optimum) / target_s(slot.stage)).round() as u32;
    // A board that is too hard already is not solved again with rings and homes: they make it harder.
    let too_hard = if is_bare { 0 } else { percent(bare_optimum).saturating_sub(*PERCENT.end()) };
    if too_hard > 0 {
        return Err(OUT + too_hard);
    }
    let optimum = if is_bare { bare_optimum } else { optimum(&board).map_err(|_| LOST - 1)? };
    let away = match &slot.optimum {
        Some(_) => 8 * beyond(&slot.optimum, optimum),
        None => beyond(&Some(PERCENT), percent(optimum)),
    };
    if away > 0 {
        return Err(OUT + away);
    }
    let mut asked = Asked { facts: String::new(), missed: 4 * (bare_optimum + slot.adds).saturating_sub(optimum) };
    asked.take("difficulty", &None, difficulty_s(&board, optimum, bare_optimum).round() as u32);
    ask_start(slot, &board, optimum, &mut asked);
    ask_table(slot, &board, &mut asked)?;
    let Asked { facts, missed } = asked;
    if missed > 0 { Err(missed) } else { Ok(Verdict { board, optimum, bare_optimum, facts }) }
}

/// What was found, and how far it is from what was asked for.
struct Asked {
    facts: String,
    missed: u32,
}

impl Asked {
    fn take(&mut self, what: &str, wanted: &Wanted, found: u32) {
        self.facts += &format!("{what} {found} ");
        self.missed += beyond(wanted, found);
    }
}

/// What the board at the start shows.
fn ask_start(slot: &Slot, board: &Board, optimum: u32, asked: &mut Asked) {
    let settled = board.settled().count() as u32;
    let unsettled = board.disks().count() as u32 - settled;
    asked.take("settled", &slot.settled, settled);
    asked.take("detours", &slot.detours, optimum.saturating_sub(unsettled));
    asked.take("first", &slot.first, board.pegs().iter().next().map_or(0, |(_, peg)| peg.len() as u32));
    asked.take("crossed", &slot.crossed, crossed(board));
    if slot.lures.is_some() || slot.best.is_some() {
        let transfers = board.legal_transfers(0);
        let (best, others): (Vec<_>, Vec<_>) =
            transfers.into_iter().partition(|transfer| begins_optimal(board, *transfer, optimum));
        let lures = others.iter().filter(|transfer| !board.peg(transfer.to).is_empty());
        asked.take("lures", &slot.lures, lures.count() as u32);
        asked.take("best", &slot.best, best.len() as u32);
    }
}

/// Homes that carry the largest disk of another spectrum with a home.
fn crossed(board: &Board) -> u32 {
    let homes = || board.disks().spectra().filter_map(|spectrum| Some((spectrum, board.home(spectrum)?)));
    let base = |spectrum| board.disks().of(spectrum).iter().last();
    let carries = |spectrum, home| {
        let bases = homes().filter(|(other, _)| *other != spectrum).filter_map(|(other, _)| base(other));
        bases.into_iter().any(|base| board.peg(home).disks().contains(&base))
    };
    homes().filter(|&(spectrum, home)| carries(spectrum, home)).count() as u32
}

/// Whether an optimal line begins with that transfer.
fn begins_optimal(board: &Board, transfer: Transfer, optimum: u32) -> bool {
    let mut next = board.clone();
    next.play_unchecked(transfer);
    matches!(solve_from(&next, 1, &Budget::default()), Outcome::Solved { optimum: left, .. } if left + 1 == optimum)
}

/// What only the whole reachable set shows. Staging is looked at last: its search takes the longest.
fn ask_table(slot: &Slot, board: &Board, asked: &mut Asked) -> Result<(), u32> {
    let asks_staged = slot.staged.is_some() && asked.missed == 0;
    if slot.traps.is_some() || slot.lost.is_some() || asks_staged {
        let Ok(table) = Table::build(board, POSITIONS_MAX, &Budget::default()) else { return Err(OUT - 1) };
        let facts = table.facts();
        asked.take("traps", &slot.traps, facts.traps);
        asked.take("lost", &slot.lost, (facts.lost_share() * 1000.0).ceil() as u32);
        if asks_staged && asked.missed == 0 {
            asked.take("staged", &slot.staged, least_staged(&table, board, 0, &mut HashMap::new()));
        }
    }
    Ok(())
}

/// Placings onto a disk that is not settled: on the line with the fewest of all optimal lines.
fn least_staged(table: &Table, board: &Board, made: Transfers, known: &mut HashMap<(String, u32), u32>) -> u32 {
    let left = table.distance(board, made).expect("a position of an optimal line is not lost");
    if left == 0 {
        return 0;
    }
    let key = (PegsNotation(board.pegs()).to_string(), made);
    if let Some(least) = known.get(&key) {
        return *least;
    }
    let settled = board.settled();
    let mut least = u32::MAX;
    for transfer in board.legal_transfers(made) {
        if table.after(board, transfer, made) == Some(left - 1) {
            let stages = board.peg(transfer.to).top().is_some_and(|below| !settled.contains(below));
            let mut next = board.clone();
            next.play_unchecked(transfer);
            least = least.min(u32::from(stages) + least_staged(table, &next, made + 1, known));
        }
    }
    known.insert(key, least);
    least
}

/// The optimum; for a lost board how far it is from one that can be solved.
fn optimum(board: &Board) -> Result<u32, u32> {
    let spare = board.pegs().len() - board.disks().spectra().count();
    match solve(board, &Budget::default()) {
        Outcome::Solved { optimum, .. } => Ok(optimum),
        Outcome::Unsolvable { .. } if spare <= 2 => {
            let table = Table::build(board, POSITIONS_MAX, &Budget::default());
            Err(LOST + table.map_or(LOST, |table| table.facts().needs_min))
        }
        Outcome::Unsolvable { .. } | Outcome::Exceeded { .. } => Err(2 * LOST),
    }
}

/// How far outside of a band a number is.
fn beyond(wanted: &Wanted, number: u32) -> u32 {
    wanted.as_ref().map_or(0, |range| range.start().saturating_sub(number) + number.saturating_sub(*range.end()))
}
