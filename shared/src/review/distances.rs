//! The distances that a review asks for, as exact as its effort allows.
//!
//! Must never depend on time: the nearest positions are searched from first, for they cost least, and what the searches
//! found out bounds the rest.

use std::collections::HashMap;

use crate::analysis::{Analyst, Distance};
use crate::board::Board;
use crate::peg::Pegs;
use crate::play::Play;
use crate::rules::{Transfer, Transfers};
use crate::solver::{Budget, least_needed};

/// What a review may cost.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Memory, and the switch that ends the work early; what a review that was ended so says depends on when.
    pub budget: Budget,
    /// Positions that all searches together may expand, where the reachable set is too large to list.
    pub positions: u64,
}

impl Effort {
    /// So many bytes of memory, and as many positions as some seconds allow.
    pub fn within(bytes: u64) -> Effort {
        let memory = usize::try_from(bytes).unwrap_or(usize::MAX);
        Effort { budget: Budget { memory, ..Budget::default() }, positions: 2_000_000 }
    }
}

impl Default for Effort {
    /// 256 MiB, as a server takes unless it is told otherwise.
    fn default() -> Effort {
        Effort::within(256 << 20)
    }
}

/// What a distance is asked of.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub board: Board,
    /// Transfers made in the attempt.
    pub made: Transfers,
}

/// A position's number, in the order in which they were met; the first is the start.
pub(super) type Number = usize;

/// The positions of a round, each once.
#[derive(Default)]
pub(super) struct Positions {
    met: Vec<Position>,
    numbers: HashMap<(Pegs, Transfers), Number>,
}

/// What is known of the positions of a round.
pub(super) struct Distances {
    analyst: Analyst,
    positions: Vec<Position>,
    known: Vec<Distance>,
}

impl Position {
    pub fn of(play: &Play) -> Position {
        Position { board: play.board().clone(), made: play.transfers() }
    }
}

impl Positions {
    pub fn meet(&mut self, position: Position) -> Number {
        let key = (position.board.pegs().clone(), position.made);
        *self.numbers.entry(key).or_insert_with(|| {
            self.met.push(position);
            self.met.len() - 1
        })
    }

    /// Reckons them all, of which the first is the start of a board; `optimum` is proven, where it is given.
    pub fn reckoned(self, optimum: Option<u32>, effort: &Effort) -> Option<Distances> {
        let positions = self.met;
        let start = &positions.first()?.board;
        let mut analyst = Analyst::new(start, effort.budget.clone());
        analyst.expand_at_most(effort.positions);
        let mut nearest: Vec<&Position> = positions.iter().collect();
        nearest.sort_by_key(|position| least_needed(&position.board));
        for position in nearest {
            analyst.distance(&position.board, position.made);
        }
        // From the last one back, so that each is bounded by what it led to.
        let bounds = positions.iter().rev().map(|p| {
            let known = analyst.bounds(&p.board, p.made);
            optimum.map_or(known, |optimum| no_nearer(known, optimum.saturating_sub(p.made)))
        });
        let mut known: Vec<Distance> = bounds.collect();
        known.reverse();
        if let (Some(optimum), Distance::Between { .. }) = (optimum, known[0]) {
            known[0] = Distance::Exact(optimum);
        }
        Some(Distances { analyst, positions, known })
    }
}

impl Distances {
    /// A position's distance.
    pub fn of(&self, number: Number) -> Distance {
        self.known[number]
    }

    /// Whether all are exact.
    pub fn are_exact(&self) -> bool {
        !self.known.iter().any(|known| matches!(known, Distance::Between { .. }))
    }

    /// Whether the reachable set is listed, so that every further question is cheap.
    pub fn are_listed(&self) -> bool {
        self.analyst.table().is_some()
    }

    /// The transfers that begin a shortest way from a position; none if they cannot all be told.
    pub fn better(&mut self, number: Number) -> Vec<Transfer> {
        let Distance::Exact(left) = self.known[number] else { return Vec::new() };
        let Position { board, made } = self.positions[number].clone();
        let mut better = Vec::new();
        for transfer in board.legal_transfers(made) {
            let mut next = board.clone();
            next.play_unchecked(transfer);
            match self.is_nearer(&next, made + 1, left) {
                Some(true) => better.push(transfer),
                Some(false) => {}
                None => return Vec::new(),
            }
        }
        better
    }

    /// Whether a position is less than so far from harmony.
    fn is_nearer(&mut self, position: &Board, made: Transfers, than: u32) -> Option<bool> {
        let decided = |distance: Distance| match distance {
            Distance::Exact(left) => Some(left < than),
            Distance::Lost => Some(false),
            Distance::Between { lower, .. } if lower >= than => Some(false),
            Distance::Between { upper, .. } => upper.filter(|upper| *upper < than).map(|_| true),
        };
        decided(self.analyst.bounds(position, made)).or_else(|| decided(self.analyst.distance(position, made)))
    }
}

/// The same, and no way is shorter than that.
fn no_nearer(known: Distance, least: u32) -> Distance {
    match known {
        Distance::Between { lower, upper } if lower < least => match upper {
            Some(upper) if upper <= least => Distance::Exact(upper),
            upper => Distance::Between { lower: least, upper },
        },
        known => known,
    }
}
