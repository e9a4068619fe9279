//! The whole reachable set of a board with the exact distance of every position, or that it is lost.
//!
//! Asked only about positions that can be reached; then an answer is one hash and two reads.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::Budget;
use super::key::Key;
use super::perfect::{KEYS_PER_PART, PerfectHash};
use super::space::Space;
use super::store::{Entry, Id, Store};
use crate::board::Board;
use crate::rules::{Transfer, Transfers};

/// Exact distances for every position that can be reached from a board.
#[derive(Clone, Debug)]
pub struct Table {
    board: Board,
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    One(Distances<1>),
    Two(Distances<2>),
    Three(Distances<3>),
}

macro_rules! each {
    ($inner:expr, $d:ident => $body:expr) => {
        match $inner {
            Inner::One($d) => $body,
            Inner::Two($d) => $body,
            Inner::Three($d) => $body,
        }
    };
}

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    /// The reachable set does not fit, or a distance is above 65,534.
    #[error("the reachable set does not fit into the budget")]
    TooLarge,
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What the whole reachable set tells about a board (RULES section 6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// Positions that can be reached, pegs of equal kind interchangeable.
    pub positions: u64,
    /// Positions among them from which harmony cannot be reached.
    pub lost: u64,
    /// Positions on the optimal line where some legal transfer loses the board; 0 if it cannot be solved.
    pub traps: u32,
    /// The mean number of legal transfers, over all positions.
    pub transfers_mean: f64,
    /// The greatest number of legal transfers of a position.
    pub transfers_max: u32,
    /// The least of the plain bound over all positions: 0 if harmony can be reached.
    pub needs_min: u32,
}

impl Facts {
    /// The share of lost positions, 0 to 1.
    pub fn lost_share(&self) -> f64 {
        self.lost as f64 / self.positions as f64
    }
}

impl Table {
    /// Lists the reachable set of a board; at most `positions_max` positions.
    pub fn build(board: &Board, positions_max: u64, budget: &Budget) -> Result<Table, NoTable> {
        let space = Space::new(board);
        let inner = match space.words() {
            1 => Inner::One(Distances::build(space, positions_max, budget)?),
            2 => Inner::Two(Distances::build(space, positions_max, budget)?),
            _ => Inner::Three(Distances::build(space, positions_max, budget)?),
        };
        Ok(Table { board: board.clone(), inner })
    }

    /// The board that it is of.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The exact distance of a position to harmony, `None` if it is lost.
    ///
    /// The position must be reachable from the board by `made` transfers; of others the answer means nothing.
    pub fn distance(&self, position: &Board, made: Transfers) -> Option<u32> {
        each!(&self.inner, d => d.distance(d.space.key_of(position, made)?))
    }

    /// The optimum of the board, `None` if it cannot be solved.
    pub fn optimum(&self) -> Option<u32> {
        self.distance(&self.board, 0)
    }

    /// The optimal line: of all, the first in the order of its transfers by source and then by target.
    pub fn line(&self) -> Option<Vec<Transfer>> {
        self.line_from(&self.board, 0)
    }

    /// The optimal line from a reachable position, the first in order; `None` if it is lost.
    pub fn line_from(&self, position: &Board, made: Transfers) -> Option<Vec<Transfer>> {
        let mut left = self.distance(position, made)?;
        let mut board = position.clone();
        let mut line = Vec::with_capacity(left as usize);
        while left > 0 {
            let made = made + line.len() as Transfers;
            let closer = |t: &Transfer| self.after(&board, *t, made) == Some(left - 1);
            let transfer = board.legal_transfers(made).into_iter().find(closer)?;
            board.play_unchecked(transfer);
            line.push(transfer);
            left -= 1;
        }
        Some(line)
    }

    /// The distance after a legal transfer of a reachable position, `None` if it is lost.
    pub fn after(&self, position: &Board, transfer: Transfer, made: Transfers) -> Option<u32> {
        let mut next = position.clone();
        next.play_unchecked(transfer);
        self.distance(&next, made + 1)
    }

    /// Positions on the optimal line where some legal transfer loses the board.
    pub fn traps(&self) -> u32 {
        let mut board = self.board.clone();
        let mut traps = 0;
        for (made, transfer) in (0..).zip(self.line().unwrap_or_default()) {
            let loses = board.legal_transfers(made).iter().any(|&t| self.after(&board, t, made).is_none());
            traps += u32::from(loses);
            board.play_unchecked(transfer);
        }
        traps
    }

    /// What the reachable set tells about the board.
    pub fn facts(&self) -> Facts {
        let counts = each!(&self.inner, d => d.counts);
        Facts {
            positions: counts.positions,
            lost: counts.lost,
            traps: self.traps(),
            transfers_mean: counts.transfers as f64 / counts.positions as f64,
            transfers_max: counts.transfers_max,
            needs_min: counts.needs_min,
        }
    }

    /// Bytes held for all positions.
    pub fn bytes(&self) -> usize {
        each!(&self.inner, d => d.hash.bytes() + d.distance.len() * 2)
    }
}

/// No distance: harmony cannot be reached.
pub(super) const LOST: u16 = u16::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    positions: u64,
    lost: u64,
    transfers: u64,
    transfers_max: u32,
    needs_min: u32,
}

#[derive(Clone, Debug)]
struct Distances<const N: usize> {
    space: Space,
    hash: PerfectHash,
    distance: Vec<u16>,
    counts: Counts,
}

impl<const N: usize> Distances<N> {
    fn build(space: Space, positions_max: u64, budget: &Budget) -> Result<Self, NoTable> {
        let pool = budget.pool();
        let mut graph = Graph::<N>::list(&space, positions_max, budget, pool.as_ref())?;
        let by_id = graph.distances()?;
        graph.counts.lost = by_id.iter().filter(|d| **d == LOST).count() as u64;
        let counts = graph.counts;
        let keys = graph.into_keys();
        let hash = PerfectHash::build(&keys, pool.as_ref());
        let mut distance = vec![LOST; hash.places()];
        for (key, d) in keys.iter().zip(by_id) {
            distance[hash.place(*key)] = d;
        }
        Ok(Distances { space, hash, distance, counts })
    }

    fn distance(&self, key: Key<N>) -> Option<u32> {
        let d = self.distance[self.hash.place(key)];
        (d != LOST).then_some(d.into())
    }
}

/// The reachable set and its transfers.
pub(super) struct Graph<const N: usize> {
    store: Store<N, ()>,
    /// Where each position's transfers begin in `edges`.
    starts: Vec<u32>,
    /// Targets; the highest bit is set where the transfer cannot be taken back.
    edges: Vec<Id>,
    harmonies: Vec<Id>,
    /// Transfers that cannot be taken back.
    one_way: usize,
    counts: Counts,
}

const ONE_WAY: Id = 1 << 31;
/// What comes after the listing takes at most so many bytes a position beside it: distances, offsets and a queue. What comes
/// after that, hashes and pilots, takes less than the transfers and the index, which are dropped first.
const LATER: usize = 2 * size_of::<Id>() + size_of::<u16>();
/// What a thread needs to place the keys of one part of the perfect hash.
const PART_BYTES: usize = 1 << 20;
/// Positions expanded before any is taken in, and by one thread at a time.
const BATCH: usize = 1 << 13;
const PART: usize = 1 << 9;

/// Whether so many positions and transfers can be numbered: a position's number leaves the highest bit free.
fn has_numbers(positions: usize, edges: usize) -> bool {
    positions <= ONE_WAY as usize && edges <= Id::MAX as usize
}

/// Makes room for so many more; by a quarter at least, and not by doubling.
fn reserve(list: &mut Vec<Id>, more: usize) {
    list.reserve_exact(after(list, more) - list.len());
}

/// The places of a list once there is room for so many more.
fn after(list: &Vec<Id>, more: usize) -> usize {
    let len = list.len() + more;
    if len <= list.capacity() { list.capacity() } else { len.max(list.capacity() / 4 * 5) }
}

/// What the transfers of some positions lead to.
struct Expanded<const N: usize> {
    /// Key, hash, and whether the transfer cannot be taken back.
    steps: Vec<(Key<N>, u64, bool)>,
    /// Where the steps of each position end.
    ends: Vec<u32>,
    /// Which of the positions are harmony.
    harmonies: Vec<usize>,
    counts: Counts,
}

impl<const N: usize> Expanded<N> {
    fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<(Key<N>, u64, bool)>() + self.ends.capacity() * size_of::<u32>()
    }

    fn of(space: &Space, part: &[Entry<N, ()>]) -> Expanded<N> {
        let counts = Counts { needs_min: u32::MAX, ..Counts::default() };
        let mut expanded = Expanded { steps: Vec::new(), ends: Vec::new(), harmonies: Vec::new(), counts };
        for (at, entry) in part.iter().enumerate() {
            let position = space.unpack(entry.key);
            if space.is_harmony(&position) {
                expanded.harmonies.push(at);
            }
            let mut onto_disks = 0;
            let steps = &mut expanded.steps;
            space.steps(&position, |step| {
                onto_disks += u32::from(step.code <= space.larger[usize::from(step.disk)]);
                steps.push((step.key, step.key.mix(0), step.untangles || !space.reversible));
            });
            let transfers = space.legal_count(&position, onto_disks);
            let counts = &mut expanded.counts;
            counts.transfers += u64::from(transfers);
            counts.transfers_max = counts.transfers_max.max(transfers);
            counts.needs_min = counts.needs_min.min(space.needs(&position));
            expanded.ends.push(steps.len() as u32);
        }
        expanded
    }
}

impl<const N: usize> Graph<N> {
    pub(super) fn list(
        space: &Space,
        positions_max: u64,
        budget: &Budget,
        pool: Option<&ThreadPool>,
    ) -> Result<Self, NoTable> {
        let counts = Counts { needs_min: u32::MAX, ..Counts::default() };
        let mut graph = Graph {
            store: Store::new(),
            starts: vec![0],
            edges: Vec::new(),
            harmonies: Vec::new(),
            one_way: 0,
            counts,
        };
        let start = space.start(0);
        graph.store.insert(start, start.mix(0), ());
        let mut done = 0;
        while done < graph.store.len() {
            if budget.is_cancelled() {
                return Err(NoTable::Cancelled);
            }
            if graph.store.len() as u64 > positions_max {
                return Err(NoTable::TooLarge);
            }
            let size = if pool.is_some() { BATCH } else { PART };
            let batch = &graph.store.entries()[done..graph.store.len().min(done + size)];
            let expand = |part: &[Entry<N, ()>]| Expanded::of(space, part);
            let expanded: Vec<Expanded<N>> = match pool {
                Some(pool) if batch.len() > PART => pool.install(|| batch.par_chunks(PART).map(expand).collect()),
                _ => batch.chunks(PART).map(expand).collect(),
            };
            let waiting: usize = expanded.iter().map(Expanded::bytes).sum();
            for part in expanded {
                if graph.bytes_for(&part, budget.threads).saturating_add(waiting) >= budget.memory {
                    return Err(NoTable::TooLarge);
                }
                graph.take_in(done, part);
                done = graph.starts.len() - 1;
            }
        }
        graph.counts.positions = done as u64;
        if graph.counts.positions > positions_max { Err(NoTable::TooLarge) } else { Ok(graph) }
    }

    fn take_in(&mut self, first: usize, part: Expanded<N>) {
        self.harmonies.extend(part.harmonies.iter().map(|at| (first + at) as Id));
        self.counts.transfers += part.counts.transfers;
        self.counts.transfers_max = self.counts.transfers_max.max(part.counts.transfers_max);
        self.counts.needs_min = self.counts.needs_min.min(part.counts.needs_min);
        let before = self.edges.len() as u32;
        self.one_way += part.steps.iter().filter(|(_, _, one_way)| *one_way).count();
        reserve(&mut self.edges, part.steps.len());
        reserve(&mut self.starts, part.ends.len());
        for some in part.steps.chunks(32) {
            self.store.warm(some.iter().map(|(_, hash, _)| *hash));
            for &(key, hash, one_way) in some {
                let (target, _) = self.store.insert(key, hash, ());
                self.edges.push(target | if one_way { ONE_WAY } else { 0 });
            }
        }
        self.starts.extend(part.ends.iter().map(|end| before + end));
    }

    /// The keys by number; all else is dropped.
    pub(super) fn into_keys(self) -> Vec<Key<N>> {
        drop((self.starts, self.edges));
        self.store.into_entries().into_iter().map(|entry| entry.key).collect()
    }

    /// Bytes held at most until the table is done, if nothing else is taken in after this part; `usize::MAX` where numbers
    /// run out.
    fn bytes_for(&self, part: &Expanded<N>, threads: usize) -> usize {
        let (steps, positions) = (part.steps.len(), self.store.len() + part.steps.len());
        if !has_numbers(positions, self.edges.len() + steps) {
            return usize::MAX;
        }
        let lists = after(&self.starts, part.ends.len()) + after(&self.edges, steps) + self.harmonies.capacity();
        let parts = if positions > KEYS_PER_PART { threads.max(1) * PART_BYTES } else { 0 };
        let one_way = (self.one_way + steps) * size_of::<Id>();
        self.store.bytes_for(steps) + lists * size_of::<Id>() + positions * LATER + one_way + parts
    }

    fn edges_of(&self, id: Id) -> &[Id] {
        &self.edges[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// The distance of every position, by breadth-first search from all harmonies against the transfers.
    ///
    /// A transfer that can be taken back is listed at its target too, as its own reverse; only the others need lists.
    pub(super) fn distances(&self) -> Result<Vec<u16>, NoTable> {
        let count = self.store.len();
        let mut starts = vec![0_u32; count + 1];
        for edge in self.edges.iter().filter(|e| **e & ONE_WAY != 0) {
            starts[(edge & !ONE_WAY) as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; starts[count] as usize];
        for source in 0..count as Id {
            for edge in self.edges_of(source).iter().filter(|e| **e & ONE_WAY != 0) {
                let slot = &mut next[(edge & !ONE_WAY) as usize];
                sources[*slot as usize] = source;
                *slot += 1;
            }
        }
        drop(next);
        let mut distance = vec![LOST; count];
        let mut queue = Vec::with_capacity(count);
        queue.extend(&self.harmonies);
        queue.iter().for_each(|&id| distance[id as usize] = 0);
        let mut done = 0;
        while done < queue.len() {
            let at = queue[done];
            done += 1;
            let further = distance[at as usize] + 1;
            let reached = queue.len();
            let mut reach = |id: Id| {
                if distance[id as usize] == LOST {
                    distance[id as usize] = further;
                    queue.push(id);
                }
            };
            self.edges_of(at).iter().filter(|e| **e & ONE_WAY == 0).for_each(|&id| reach(id));
            sources[starts[at as usize] as usize..starts[at as usize + 1] as usize].iter().for_each(|&id| reach(id));
            if further == LOST && queue.len() > reached {
                return Err(NoTable::TooLarge);
            }
        }
        Ok(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions in a row, each reached from the one before and not the other way, with harmony at the end.
    fn row(positions: u32) -> Graph<1> {
        let mut store = Store::new();
        for id in 0..positions {
            let key = Key::<1>::ZERO.flip(0, id);
            store.insert(key, key.mix(0), ());
        }
        let edges = (1..positions).map(|id| id | ONE_WAY).collect();
        let starts = (0..=positions).map(|id| id.min(positions - 1)).collect();
        Graph { store, starts, edges, harmonies: vec![positions - 1], one_way: 0, counts: Counts::default() }
    }

    #[test]
    fn positions_and_transfers_are_no_more_than_can_be_numbered() {
        let (positions, edges) = (1 << 31, (1 << 32) - 1);
        assert!(has_numbers(positions, edges));
        assert!(!has_numbers(positions + 1, 0) && !has_numbers(1, edges + 1));
    }

    #[test]
    fn a_distance_that_would_be_taken_for_lost_is_too_large() {
        let distances = row(65_535).distances().expect("each fits");
        assert!((0..65_535).rev().eq(distances.into_iter().map(u32::from)));
        for positions in [65_536, 65_537, 70_000] {
            assert_eq!(row(positions).distances(), Err(NoTable::TooLarge), "{positions}");
        }
    }
}
