//! The directed search for boards that uniform draws do not give: full of traps, or of an optimum asked for.
//!
//! From a uniform draw, two random disks change places; the solver scores the board; the change is kept if the score is
//! not worse, and now and then if it is. Every score is a proven fact and every draw comes from the seed, so the walk is
//! the same everywhere. It starts afresh after a fixed number of boards, never after a time.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::{Draws, Seed, draw};
use crate::board::{Board, PEGS_MIN};
use crate::disk::{SIZE_MAX, SPECTRA};
use crate::peg::{CAPACITY_MAX, PEGS_MAX};
use crate::solver::{Budget, Cancel, NoTable, Outcome, Table, solve};

/// What a board asked for is made of, and what must be proven of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Active spectra, the first of R, S, E, A, V.
    pub spectra: u8,
    /// Disks of each spectrum, sizes 1 to this.
    pub sizes: u8,
    /// Capacities, one a peg.
    pub capacities: Vec<u8>,
    /// Pegs without a disk at the start, the last ones.
    pub free: u8,
    /// The optimum must lie in here, in transfers.
    pub optimum: RangeInclusive<u32>,
    /// Of a thousand positions on the optimal line, those that are traps must lie in here; `None`: as it comes.
    pub traps_permille: Option<RangeInclusive<u32>>,
    /// Traps on the optimal line at least.
    pub traps_min: u32,
}

/// A board found by search, with what was proven of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The board.
    pub board: Board,
    /// Its optimum.
    pub optimum: u32,
    /// Traps on its optimal line, where they were asked for.
    pub traps: Option<u32>,
    /// Boards judged until it was found, itself included.
    pub judged: u32,
}

/// Why no board can be, or was, found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFound {
    /// A part is out of range; the text says which and what would be right.
    #[error("{0}")]
    Wanted(String),
    /// None of the boards judged was in the band.
    #[error("{}", out_of_reach(*judged, met))]
    OutOfReach {
        /// Boards judged.
        judged: u32,
        /// What they were like.
        met: Met,
    },
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What a search met: the optima within reach of boards of that make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// The least and the greatest optimum; `None` if no board could be solved.
    pub optima: Option<RangeInclusive<u32>>,
}

impl Met {
    fn take_in(&mut self, optimum: u32) {
        let (least, greatest) = self.optima.take().map_or((optimum, optimum), RangeInclusive::into_inner);
        self.optima = Some(least.min(optimum)..=greatest.max(optimum));
    }
}

fn out_of_reach(judged: u32, met: &Met) -> String {
    match judged {
        0 => "no board was judged: allow at least 1".to_owned(),
        _ => format!("none of {judged} boards was in the band; {met}; try a wider band, another seed or more boards"),
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.optima {
            Some(met) if met.start() == met.end() => write!(f, "those that can be solved need {}", met.start()),
            Some(met) => write!(f, "those that can be solved need {} to {}", met.start(), met.end()),
            None => f.write_str("none of them can be solved"),
        }
    }
}

/// Boards judged before the walk starts from a fresh draw.
const JUDGED_PER_START: u32 = 4_000;
/// A worse board is kept once in so many.
const WORSE_ONCE_IN: u64 = 200;
/// Reachable sets are listed for traps only up to this size; a larger one counts as out of the band. A fixed number,
/// so the same everywhere.
const POSITIONS_MAX: u64 = 4_000_000;

impl Wanted {
    /// Whether a search can begin: every part in range and the disks find room.
    pub fn check(&self) -> Result<(), NotFound> {
        let refuse = |text: String| Err(NotFound::Wanted(text));
        let pegs = self.capacities.len();
        if !(1..=SPECTRA as u8).contains(&self.spectra) {
            return refuse(format!("{} spectra: 1 to 5 would be right", self.spectra));
        }
        if !(1..=SIZE_MAX).contains(&self.sizes) {
            return refuse(format!("{} sizes: 1 to 7 would be right", self.sizes));
        }
        if !(PEGS_MIN..=PEGS_MAX).contains(&pegs) {
            return refuse(format!("{pegs} pegs: 3 to 9 would be right"));
        }
        if let Some(capacity) = self.capacities.iter().find(|c| !(1..=CAPACITY_MAX).contains(*c)) {
            return refuse(format!("capacity {capacity}: 1 to 7 would be right"));
        }
        if usize::from(self.free) >= pegs {
            return refuse(format!("{} free of {pegs} pegs: at least one must carry disks", self.free));
        }
        let loaded = pegs - usize::from(self.free);
        let places: u32 = self.capacities[..loaded].iter().map(|c| u32::from(*c)).sum();
        let disks = u32::from(self.spectra) * u32::from(self.sizes);
        if disks > places || disks < loaded as u32 {
            return refuse(format!(
                "{disks} disks on {loaded} loaded pegs with {places} places: they must fill each, and fit"
            ));
        }
        if self.capacities.iter().filter(|c| **c >= self.sizes).count() < usize::from(self.spectra) {
            return refuse(format!("too few pegs can carry a tower of {} disks", self.sizes));
        }
        if self.optimum.is_empty() {
            return refuse("an empty range of optima: give the lower end first".to_owned());
        }
        if *self.optimum.start() == 0 {
            return refuse("an optimum of 0 is a solved board, which is never dealt: begin at 1".to_owned());
        }
        Ok(())
    }
}

/// Searches for a board; judges at most `judged_max`. Deterministic; callable from any thread.
pub fn search(wanted: &Wanted, seed: &Seed, judged_max: u32, cancel: &Cancel) -> Result<Found, NotFound> {
    wanted.check()?;
    let mut draws = Draws::new(seed);
    let mut judged = 0;
    let mut met = Met::default();
    loop {
        let mut board = draw(wanted.spectra, wanted.sizes, &wanted.capacities, wanted.free, &mut draws);
        let mut score = u32::MAX;
        for _ in 0..JUDGED_PER_START {
            if judged >= judged_max {
                return Err(NotFound::OutOfReach { judged, met });
            }
            let next = if score == u32::MAX { board.clone() } else { swap_two(&board, &mut draws) };
            judged += 1;
            let verdict = judge(wanted, &next, cancel)?;
            verdict.optimum.into_iter().for_each(|optimum| met.take_in(optimum));
            if verdict.score == 0 {
                let optimum = verdict.optimum.expect("a board in the band has an optimum");
                return Ok(Found { board: next, optimum, traps: verdict.traps, judged });
            }
            if verdict.score <= score || draws.below(WORSE_ONCE_IN) == 0 {
                score = verdict.score;
                board = next;
            }
        }
    }
}

struct Verdict {
    /// 0: in the band; else the less the nearer.
    score: u32,
    optimum: Option<u32>,
    traps: Option<u32>,
}

/// A lost board scores by how far from harmony the nearest position of its whole reachable set is, a solvable one by
/// how far its optimum and its traps are from the band; any solvable board is better than any lost one.
fn judge(wanted: &Wanted, board: &Board, cancel: &Cancel) -> Result<Verdict, NotFound> {
    const LOST: u32 = 1 << 20;
    let budget = Budget { memory: usize::MAX, threads: 1, cancel: cancel.clone() };
    let asks_traps = wanted.traps_min > 0 || wanted.traps_permille.is_some();
    let spare = wanted.capacities.len() - usize::from(wanted.spectra);
    let (optimum, traps, needs_min) = if asks_traps || spare <= 2 {
        match Table::build(board, POSITIONS_MAX, &budget) {
            Ok(table) => {
                let facts = table.facts();
                (table.optimum(), Some(facts.traps), facts.needs_min)
            }
            Err(NoTable::TooLarge) => (None, None, LOST),
            Err(NoTable::Cancelled) => return Err(NotFound::Cancelled),
        }
    } else {
        match solve(board, &budget) {
            Outcome::Solved { optimum, .. } => (Some(optimum), None, 0),
            Outcome::Unsolvable { .. } => (None, None, 0),
            Outcome::Exceeded { .. } => return Err(NotFound::Cancelled),
        }
    };
    let Some(optimum) = optimum else { return Ok(Verdict { score: LOST + needs_min, optimum, traps }) };
    let mut score = 8 * beyond(&wanted.optimum, optimum);
    let found = traps.unwrap_or(0);
    score += wanted.traps_min.saturating_sub(found);
    if let Some(band) = &wanted.traps_permille {
        score += beyond(band, 1000 * found / optimum.max(1)).div_ceil(10);
    }
    Ok(Verdict { score, optimum: Some(optimum), traps })
}

/// How far outside of a range a number is.
fn beyond(range: &RangeInclusive<u32>, number: u32) -> u32 {
    range.start().saturating_sub(number) + number.saturating_sub(*range.end())
}

/// The board with two random disks, of all equally likely pairs, in each other's place.
fn swap_two(board: &Board, draws: &mut Draws) -> Board {
    let count = board.disks().count() as u64;
    if count < 2 {
        return board.clone();
    }
    let first = draws.below(count) as usize;
    let second = (first + 1 + draws.below(count - 1) as usize) % count as usize;
    board.with_swapped(first, second)
}
