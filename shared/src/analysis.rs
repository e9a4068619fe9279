//! Hints and analysis: how far a position is from harmony, what each transfer costs, and since when a board is lost.
//!
//! Facts for those who may know them. Nothing here decides who that is; a racing player never may (RULES section 2).

use crate::board::Board;
use crate::rules::{Illegal, Transfer, Transfers};
use crate::solver::{Budget, Live, Table};

pub use crate::solver::Distance;

/// What a transfer does to the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The transfers it wastes: 0 on an optimal line, 1 beside it, 2 away from harmony, more where no way leads back.
    Wastes(u32),
    /// It loses the board.
    Loses,
    /// Not known within the budget.
    Unknown,
}

/// Answers questions about the positions of one board.
#[derive(Clone, Debug)]
pub struct Analyst {
    board: Board,
    known: Known,
}

#[derive(Clone, Debug)]
enum Known {
    Whole(Table),
    /// The reachable set is too large to list.
    Live(Live),
}

/// Reachable sets up to this size are listed at once; above it, positions are searched for when asked about.
const TABLE_POSITIONS_MAX: u64 = 4_000_000;
/// With that many pegs beyond the spectra, and more disks than this, the set is larger: there is no use in trying.
const SPARE_PEGS_MANY: usize = 4;
const DISKS_FEW: usize = 14;

impl Analyst {
    /// Prepares the answers for a board; lists its reachable set if that is small enough.
    pub fn new(board: &Board, budget: Budget) -> Analyst {
        let spare = board.pegs().len().saturating_sub(board.disks().spectra().count());
        let is_large = spare >= SPARE_PEGS_MANY && board.disks().count() > DISKS_FEW;
        let table = if is_large { None } else { Table::build(board, TABLE_POSITIONS_MAX, &budget).ok() };
        let known = table.map_or_else(|| Known::Live(Live::new(board, budget)), Known::Whole);
        Analyst { board: board.clone(), known }
    }

    /// Bounds what is searched for: all searches together expand so many positions at most. Nothing is searched for where
    /// the reachable set is listed.
    pub fn expand_at_most(&mut self, positions: u64) {
        if let Known::Live(live) = &mut self.known {
            live.expand_at_most(positions);
        }
    }

    /// The table of the whole reachable set, where there is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.known {
            Known::Whole(table) => Some(table),
            Known::Live(_) => None,
        }
    }

    /// What can be said at once of a reachable position: exact where the set is listed or the value is known, else bounds.
    pub fn bounds(&mut self, position: &Board, made: Transfers) -> Distance {
        match &mut self.known {
            Known::Whole(table) => table.distance(position, made).map_or(Distance::Lost, Distance::Exact),
            Known::Live(live) => live.bounds(position, made),
        }
    }

    /// The distance of a reachable position, searched for where it is not known; bounds if the budget ends first.
    pub fn distance(&mut self, position: &Board, made: Transfers) -> Distance {
        match &mut self.known {
            Known::Whole(table) => table.distance(position, made).map_or(Distance::Lost, Distance::Exact),
            Known::Live(live) => live.distance(position, made),
        }
    }

    /// Every legal transfer of a reachable position with its cost, by source and then by target.
    pub fn costs(&mut self, position: &Board, made: Transfers) -> Vec<(Transfer, Cost)> {
        let here = self.distance(position, made);
        let mut cost = |transfer: Transfer| {
            let mut next = position.clone();
            next.play_unchecked(transfer);
            match (here, self.distance(&next, made + 1)) {
                (_, Distance::Lost) => Cost::Loses,
                (Distance::Exact(from), Distance::Exact(to)) => Cost::Wastes((to + 1).saturating_sub(from)),
                _ => Cost::Unknown,
            }
        };
        position.legal_transfers(made).into_iter().map(|t| (t, cost(t))).collect()
    }

    /// The transfers that begin an optimal line from here; none if the position is lost, solved or not known.
    pub fn best(&mut self, position: &Board, made: Transfers) -> Vec<Transfer> {
        if self.distance(position, made) == Distance::Exact(0) {
            return Vec::new();
        }
        self.costs(position, made).into_iter().filter(|(_, cost)| *cost == Cost::Wastes(0)).map(|(t, _)| t).collect()
    }

    /// The distance at the start of the board and after each transfer of a line; an error names the first transfer,
    /// counted from 1, that is not legal.
    pub fn along(&mut self, line: &[Transfer]) -> Result<Vec<Distance>, IllegalAt> {
        let mut board = self.board.clone();
        let mut distances = vec![self.distance(&board, 0)];
        for (made, &transfer) in (0..).zip(line) {
            board.play(transfer, made).map_err(|reason| IllegalAt { number: made + 1, transfer, reason })?;
            distances.push(self.distance(&board, made + 1));
        }
        Ok(distances)
    }

    /// The number, counted from 1, of the transfer of a line that lost the board; `None` if it is not lost, 0 if it was
    /// from the start.
    pub fn lost_since(&mut self, line: &[Transfer]) -> Result<Option<u32>, IllegalAt> {
        Ok(lost_since(&self.along(line)?))
    }
}

/// The same from the distances that [`Analyst::along`] gives.
pub fn lost_since(along: &[Distance]) -> Option<u32> {
    // A lost board stays lost, so the first lost position is the answer.
    along.iter().position(|d| *d == Distance::Lost).map(|number| number as u32)
}

/// A transfer of a line that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("transfer {number}, {transfer}: {reason}")]
pub struct IllegalAt {
    /// Which one, counted from 1.
    pub number: u32,
    /// The transfer.
    pub transfer: Transfer,
    /// Why.
    pub reason: Illegal,
}
