//! A* with bucket queues over shards: the proven optimum of one board, or that it has none.
//!
//! Uses no pruning without a proof: the bound of `bound.rs`, settled disks that stay (plain boards only, see `expand`) and
//! transfers that could have come before (`order.rs`). Positions are reopened when met on a shorter way, so the answer
//! does not rest on the bound being consistent, only the speed does.
//!
//! Each position belongs to one shard by its hash. A round takes a batch of the least depth + bound from every shard,
//! expands it, and hands what it finds to the shards that own it; on several threads each shard is worked on by one at a
//! time, so there is nothing to lock.

use std::cell::OnceCell;

use rayon::prelude::*;

use super::bound::Lattice;
use super::key::Key;
use super::order::Before;
use super::queue::Queue;
use super::space::{Position, Space, Step};
use super::store::{Id, Store};
use super::{Budget, Outcome, line, quick};
use crate::board::Board;

/// Solves a board whose keys take `N` words, if its optimum is at most `most`.
pub(crate) fn solve<const N: usize>(board: &Board, space: &Space, made: u32, most: u16, budget: &Budget) -> Outcome {
    let mut search = Search::<N>::new(space, most, budget.shards());
    let end = search.run(made, budget);
    let positions = search.positions() as u64;
    match end {
        End::Harmony(at) => {
            let path = search.path(at);
            let optimum = path.len() as u32;
            Outcome::Solved { optimum, line: line::replay(board, space, made, &path), positions }
        }
        End::Exhausted if search.is_beyond() => {
            Outcome::Exceeded { lower: u32::from(most) + 1, upper: None, line: None, positions }
        }
        End::Exhausted => Outcome::Unsolvable { positions },
        End::Stopped { lower } => {
            // The memory of the search is given back first.
            search.shards.clear();
            quick::exceeded::<N>(board, space, &search.lattice, made, (lower, positions), budget)
        }
    }
}

enum End {
    Harmony(At),
    Exhausted,
    Stopped { lower: u32 },
}

/// Where a position is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    shard: u8,
    id: Id,
}

/// Positions that a shard expands at a time, on one thread and on several.
const BATCH_ALONE: usize = 32;
const BATCH: usize = 2048;
/// Set in a position's depth once it is expanded.
const CLOSED: u16 = 1 << 15;
/// Fewer positions than this are not worth waking other threads.
const ALONE: usize = 1 << 14;

/// What is kept of each position: 8 bytes.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Transfers of the shortest way known, and `CLOSED`.
    depth: u16,
    last: Last,
    /// The number of the position that this way comes from, in its shard.
    parent: Id,
}

/// The last transfer of a way: the disk that moved (6 bits), the code of what it rested on before (4 bits), and the shard
/// of the position before (6 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last(u16);

impl Last {
    /// The start has no parent; no disk has that number.
    const NONE: Last = Last(u16::MAX);

    fn new(disk: u8, code: u8, shard: u8) -> Last {
        Last(u16::from(disk) | u16::from(code) << 6 | u16::from(shard) << 10)
    }

    fn before(self, space: &Space) -> Before {
        match self {
            Last::NONE => Before::UNKNOWN,
            Last(last) => Before::new(space, (last & 63) as u8, (last >> 6 & 15) as u8),
        }
    }

    fn shard(self) -> u8 {
        (self.0 >> 10) as u8
    }
}

/// A position found, on its way to the shard that owns it.
#[derive(Clone, Copy)]
struct Candidate<const N: usize> {
    key: Key<N>,
    hash: u64,
    bound: u16,
    way: Way,
}

/// What a batch is made of.
struct Limits {
    /// Positions of this depth + bound.
    least: u32,
    /// What they lead to, up to this depth + bound.
    most: u16,
    /// So many of them at most.
    batch: usize,
}

struct Shard<const N: usize> {
    store: Store<N, Way>,
    queue: Queue,
    batch: Vec<Id>,
    /// What the last batch led to, by the shard that owns it.
    found: Vec<Vec<Candidate<N>>>,
    harmony: Option<Id>,
    /// Positions were left out whose depth + bound is more than is asked for.
    is_beyond: bool,
}

struct Search<'a, const N: usize> {
    space: &'a Space,
    lattice: Lattice,
    /// Nothing is wanted of longer ways than this.
    most: u16,
    shards: Vec<Shard<N>>,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(space: &'a Space, most: u16, shards: usize) -> Self {
        let shard = || Shard {
            store: Store::new(),
            queue: Queue::new(),
            batch: Vec::new(),
            found: vec![Vec::new(); shards],
            harmony: None,
            is_beyond: false,
        };
        Search { space, lattice: Lattice::new(space), most, shards: (0..shards).map(|_| shard()).collect() }
    }

    fn run(&mut self, made: u32, budget: &Budget) -> End {
        let key = self.space.start(made);
        let position = self.space.unpack::<N>(key);
        let Some(bound) = self.lattice.bound(position.point, self.space.stacked(&position)) else {
            return End::Exhausted;
        };
        let bound = bound + self.space.untangled_needs(&position) as u16;
        if bound > self.most {
            self.shards[0].is_beyond = true;
            return End::Exhausted;
        }
        let hash = key.mix(0);
        let owner = owner(hash, self.shards.len());
        self.shards[owner].absorb(&[Candidate {
            key,
            hash,
            bound,
            way: Way { depth: 0, last: Last::NONE, parent: 0 },
        }]);
        let pool = OnceCell::new();
        loop {
            let Some(least) = self.shards.iter_mut().filter_map(|shard| shard.queue.least()).min() else {
                return End::Exhausted;
            };
            if budget.is_cancelled() {
                return End::Stopped { lower: least };
            }
            let is_large =
                self.shards.len() > 1 && self.positions() > ALONE && self.has_room_for_batches(budget.memory);
            let pool = if is_large { pool.get_or_init(|| budget.pool()).as_ref() } else { None };
            let fits = match pool {
                Some(pool) => pool.install(|| self.round_side_by_side(least, budget.memory)),
                None => self.round(least, budget.memory),
            };
            let ended = |(shard, s): (usize, &Shard<N>)| s.harmony.map(|id| At { shard: shard as u8, id });
            if let Some(at) = self.shards.iter().enumerate().find_map(ended) {
                return End::Harmony(at);
            }
            if !fits {
                return End::Stopped { lower: least };
            }
        }
    }

    /// One batch from each shard in turn; false, and not all that it led to is taken in, if that would not fit.
    fn round(&mut self, least: u32, memory: usize) -> bool {
        let mut held = self.bytes();
        for number in 0..self.shards.len() {
            let limits = Limits { least, most: self.most, batch: BATCH_ALONE };
            self.shards[number].work(number, &limits, self.space, &self.lattice);
            for target in 0..self.shards.len() {
                let mut found = std::mem::take(&mut self.shards[number].found[target]);
                let shard = &mut self.shards[target];
                let others = held - shard.bytes();
                let fits = others.saturating_add(shard.bytes_for(found.len())) < memory;
                if !fits {
                    return false;
                }
                shard.absorb(&found);
                held = others + shard.bytes();
                found.clear();
                self.shards[number].found[target] = found;
            }
        }
        true
    }

    /// The same with larger batches, each shard worked on by one thread at a time.
    fn round_side_by_side(&mut self, least: u32, memory: usize) -> bool {
        let (space, lattice) = (self.space, &self.lattice);
        let limits = Limits { least, most: self.most, batch: BATCH };
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| shard.work(number, &limits, space, lattice));
        let mut found: Vec<Vec<Vec<Candidate<N>>>> =
            self.shards.iter_mut().map(|shard| std::mem::take(&mut shard.found)).collect();
        let buffers: usize = found.iter().flatten().map(|found| found.capacity() * size_of::<Candidate<N>>()).sum();
        let after = self
            .shards
            .iter()
            .enumerate()
            .map(|(number, shard)| shard.bytes_for(found.iter().map(|by_target| by_target[number].len()).sum()));
        let fits = after.fold(buffers + self.lattice.bytes(), usize::saturating_add) < memory;
        if !fits {
            return false;
        }
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            found.iter().for_each(|by_target| shard.absorb(&by_target[number]));
        });
        for (shard, mut by_target) in self.shards.iter_mut().zip(found.drain(..)) {
            by_target.iter_mut().for_each(Vec::clear);
            shard.found = by_target;
        }
        true
    }

    /// Whether all that the largest batches can lead to would fit, before it is taken in.
    fn has_room_for_batches(&self, memory: usize) -> bool {
        let transfers = self.space.pegs() * (self.space.pegs() - 1);
        let batches = self.shards.len() * BATCH * transfers * size_of::<Candidate<N>>();
        self.bytes().saturating_add(batches) < memory
    }

    /// Whether some way was not followed because it would be longer than is asked for.
    fn is_beyond(&self) -> bool {
        self.shards.iter().any(|shard| shard.is_beyond)
    }

    fn positions(&self) -> usize {
        self.shards.iter().map(|shard| shard.store.len()).sum()
    }

    fn bytes(&self) -> usize {
        let found = |shard: &Shard<N>| shard.found.iter().map(Vec::capacity).sum::<usize>() * size_of::<Candidate<N>>();
        let shards: usize = self.shards.iter().map(|shard| shard.bytes() + found(shard)).sum();
        shards + self.lattice.bytes()
    }

    /// The keys from the first position after the start to this one.
    fn path(&self, mut at: At) -> Vec<Key<N>> {
        let mut path = Vec::new();
        loop {
            let entry = self.shards[usize::from(at.shard)].store.entry(at.id);
            if entry.value.last == Last::NONE {
                path.reverse();
                return path;
            }
            path.push(entry.key);
            at = At { shard: entry.value.last.shard(), id: entry.value.parent };
        }
    }
}

/// The shard that owns a hash; by bits that the store's index does not use.
fn owner(hash: u64, shards: usize) -> usize {
    ((hash & 0xffff) as usize * shards) >> 16
}

impl<const N: usize> Shard<N> {
    /// Takes a batch of positions and expands them into `found`.
    fn work(&mut self, number: usize, limits: &Limits, space: &Space, lattice: &Lattice) {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        while batch.len() < limits.batch {
            let Some((id, depth)) = self.queue.pop(limits.least) else { break };
            let way = self.store.value_mut(id);
            // A stale entry is left out: met again on a shorter way since, or expanded.
            if way.depth == depth {
                way.depth |= CLOSED;
                batch.push(id);
            }
        }
        for &id in &batch {
            let entry = self.store.entry(id);
            let position = space.unpack(entry.key);
            if space.is_harmony(&position) {
                self.harmony = Some(id);
                break;
            }
            let depth = (entry.value.depth & !CLOSED) + 1;
            let before = entry.value.last.before(space);
            let (found, is_beyond) = (&mut self.found, &mut self.is_beyond);
            expand(space, lattice, &position, before, |step, bound| {
                if depth + bound > limits.most {
                    *is_beyond = true;
                    return;
                }
                let hash = step.key.mix(0);
                let target = owner(hash, found.len());
                let last = Last::new(step.disk, position.code[usize::from(step.disk)], number as u8);
                found[target].push(Candidate { key: step.key, hash, bound, way: Way { depth, last, parent: id } });
            });
        }
        self.batch = batch;
    }

    /// Bytes held, but for what the last batch led to.
    fn bytes(&self) -> usize {
        self.store.bytes() + self.queue.bytes()
    }

    /// Bytes held at most while so many positions are taken in.
    fn bytes_for(&self, more: usize) -> usize {
        self.store.bytes_for(more).saturating_add(self.queue.bytes_for(more))
    }

    /// Takes in positions that this shard owns.
    fn absorb(&mut self, found: &[Candidate<N>]) {
        for some in found.chunks(32) {
            self.store.warm(some.iter().map(|candidate| candidate.hash));
            for candidate in some {
                let Candidate { key, hash, bound, way } = *candidate;
                let (id, fresh) = self.store.insert(key, hash, way);
                if !fresh {
                    let known = self.store.value_mut(id);
                    if way.depth >= known.depth & !CLOSED {
                        continue;
                    }
                    *known = way;
                }
                self.queue.push(id, way.depth, bound);
            }
        }
    }
}

/// Calls `visit` with the transfers of a position that some optimal line may need after the one before, each with the bound
/// of where it leads.
pub(super) fn expand<const N: usize>(
    space: &Space,
    lattice: &Lattice,
    position: &Position<N>,
    before: Before,
    mut visit: impl FnMut(Step<N>, u16),
) {
    // On plain boards no shortest line moves a settled disk. Suppose that one does, and of the settled disks of that peg
    // that it ever moves let x be the lowest. What lies below x never moves. All larger disks of its spectrum are among
    // that, so x only ever goes to floors, and back. Let a copy of the board follow the line but leave x where it is: while
    // the line has disks X on x and Y where x was, the copy has X on x and Y on a floor of its own. Whatever X and Y do is
    // as legal there: pegs are alike and carry a whole tower, which is all that can come to lie on x where it is settled;
    // and if the line takes x from floor to floor, pegs have changed names only. In the end x is back, for what is below
    // it waits there, and both are the same; or nothing is below x, and two pegs have changed names. So the copy comes to
    // harmony without the first move of x at least, and the line was not shortest.
    let settled = if space.plain { position.settled } else { 0 };
    let needs = space.untangled_needs(position) as u16;
    let stacked = space.stacked(position);
    let leaves_out = |disk, code| before.leaves_out(space, position, disk, code);
    space.steps_of(position, before.sources() & !settled, leaves_out, |step| {
        let stacked = (stacked & !(1 << step.disk)) | u64::from(step.stacks) << step.disk;
        // No bound: lost, whatever follows.
        if let Some(bound) = lattice.bound(position.point - step.point, stacked) {
            visit(step, bound + needs.wrapping_add_signed(step.needs.into()));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_holds_no_more_than_its_memory_on_any_number_of_threads() {
        let board: Board = "V3A6E1R5V6R2A3/E5E7S2R1V7A4R4/S4A2V2A7V5V4S7/E2R6S5S6A1S1E6/E3S3V1A5R7E4R3/-/-/-/- 7"
            .parse()
            .expect("valid");
        let space = Space::new(&board);
        for threads in [1, 2, 5] {
            for mebibytes in [1, 3, 8, 24] {
                let budget = Budget { memory: mebibytes << 20, threads, ..Budget::default() };
                let mut search = Search::<2>::new(&space, 200, budget.shards());
                let end = search.run(0, &budget);
                assert!(matches!(end, End::Stopped { lower: 52..=70 }), "the optimum is 70");
                assert!(search.bytes() <= budget.memory, "{} of {mebibytes} MiB", search.bytes());
                // A growth by doubling of the index alone would not have fitted, hardly ever more.
                assert!(search.bytes() * 3 > budget.memory, "{} of {mebibytes} MiB", search.bytes());
            }
        }
    }
}
