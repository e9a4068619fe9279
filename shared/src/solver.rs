//! The optimal solver: what it says is proven.
//!
//! It uses no pruning and no bound without a proof, keeps exact positions, and answers either with the least number
//! of transfers and a line of play, or that harmony cannot be reached, or that its budget ended first.

mod astar;
mod bound;
mod certify;
mod key;
mod line;
mod live;
mod order;
mod perfect;
mod queue;
mod quick;
mod space;
mod store;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Board;
use crate::rules::{Transfer, Transfers};

pub use certify::certify;
pub use live::Live;
pub use table::{Facts, NoTable, Table};

use space::Space;

/// What a search found out about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The least number of transfers to harmony, proven, with a line of play of that length.
    Solved {
        /// The least number of transfers.
        optimum: u32,
        /// A line of that length, legal on the board as given.
        line: Vec<Transfer>,
        /// Positions that the search met.
        positions: u64,
    },
    /// Harmony cannot be reached, proven.
    Unsolvable {
        /// Positions that the search met.
        positions: u64,
    },
    /// The budget ended first, the search was cancelled, or no way of up to 16,384 transfers was found.
    Exceeded {
        /// The optimum is at least this, if there is one.
        lower: u32,
        /// The optimum is at most this, where a line is known.
        upper: Option<u32>,
        /// A line of `upper` transfers, legal on the board as given.
        line: Option<Vec<Transfer>>,
        /// Positions that the search met.
        positions: u64,
    },
}

/// What is known of a position's distance to harmony.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Exactly that many transfers.
    Exact(u32),
    /// Harmony can no longer be reached.
    Lost,
    /// At least `lower` if it can be reached at all, and at most `upper` where a way is known.
    Between {
        /// No way is shorter.
        lower: u32,
        /// Some way is no longer.
        upper: Option<u32>,
    },
}

/// What a search may use. It never decides a deal: those rest on proven facts alone (RULES section 5).
#[derive(Clone, Debug)]
pub struct Budget {
    /// Memory for positions, in bytes. A search stops before a growth that would not fit. What lies outside: one batch of
    /// some hundred kibibytes, what the board's own bound takes (7 MiB at most), and two mebibytes of a quick look.
    pub memory: usize,
    /// Threads to search with, 32 at most; 1 searches on the caller's.
    pub threads: usize,
    /// Ends the search from another thread.
    pub cancel: Cancel,
}

impl Default for Budget {
    /// 2 GiB and one thread.
    fn default() -> Budget {
        Budget { memory: 2 << 30, threads: 1, cancel: Cancel::default() }
    }
}

impl Budget {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// How many parts a search is in: one a thread.
    fn shards(&self) -> usize {
        self.threads.clamp(1, THREADS_MAX)
    }

    /// A pool of its own with that many threads; `None` where one is enough, or none could be made.
    fn pool(&self) -> Option<rayon::ThreadPool> {
        let build = || rayon::ThreadPoolBuilder::new().num_threads(self.shards()).build().ok();
        (self.shards() > 1).then(build).flatten()
    }
}

/// More threads than this are not used.
const THREADS_MAX: usize = 32;

/// A shared switch that ends searches; clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends every search that holds this switch, at its next look.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was switched.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Solves a board at the start of an attempt.
pub fn solve(board: &Board, budget: &Budget) -> Outcome {
    solve_from(board, 0, budget)
}

/// A lower bound on the distance of a position, at once; also a bound for lost ones, which have no distance.
pub fn least_needed(position: &Board) -> u32 {
    let space = Space::new(position);
    space.needs(&space.unpack::<3>(space.start(0)))
}

/// Solves a board if its optimum is at most `most`; else [`Outcome::Exceeded`] with a greater lower bound and no upper one,
/// as soon as that much is proven, or [`Outcome::Unsolvable`].
pub fn solve_at_most(board: &Board, most: u32, budget: &Budget) -> Outcome {
    search(board, 0, most.min(FAR.into()) as u16, budget)
}

/// Solves a position in which `made` transfers were made in this attempt.
pub fn solve_from(board: &Board, made: Transfers, budget: &Budget) -> Outcome {
    search(board, made, FAR, budget)
}

/// No longer ways are looked for: a limit of these searches, and not one of boards. It leaves room above the longest wait of a
/// ring, and keeps sums of two lengths within 16 bits.
const FAR: u16 = 1 << 14;

fn search(board: &Board, made: Transfers, most: u16, budget: &Budget) -> Outcome {
    let space = Space::new(board);
    if space.has_no_room_for_a_tower() {
        return Outcome::Unsolvable { positions: 1 };
    }
    match space.words() {
        1 => astar::solve::<1>(board, &space, made, most, budget),
        2 => astar::solve::<2>(board, &space, made, most, budget),
        _ => astar::solve::<3>(board, &space, made, most, budget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_no_more_threads_than_a_search_can_use() {
        for (asked, expected) in [(0, None), (1, None), (2, Some(2)), (32, Some(32)), (33, Some(32)), (100, Some(32))] {
            let pool = Budget { threads: asked, ..Budget::default() }.pool();
            assert_eq!(pool.map(|pool| pool.current_num_threads()), expected, "{asked}");
        }
    }
}
