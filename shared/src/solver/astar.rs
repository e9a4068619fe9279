//! A* with bucket queues over shards: the proven optimum of one board, or that it has none.
//!
//! Uses no pruning without a proof: the bound of `bound.rs`, settled disks that stay (plain boards only, see `expand`) and
//! transfers that could have come before (`order.rs`). Positions are reopened when met on a shorter way, so the answer
//! does not rest on the bound being consistent, only the speed does.
//!
//! Each position belongs to one shard by its hash. A round takes a batch of the least depth + bound from every shard,
//! expands it, and hands what it finds to the shards that own it; on several threads each shard is worked on by one at a
//! time, so there is nothing to lock.

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
    let mut search = Search::<N>::new(space, most, budget.threads.clamp(1, SHARDS_MAX));
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

/// More threads than this are not used.
const SHARDS_MAX: usize = 32;
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
        let mut pool = None;
        loop {
            let Some(least) = self.shards.iter_mut().filter_map(|shard| shard.queue.least()).min() else {
                return End::Exhausted;
            };
            if budget.is_cancelled() || self.bytes() > budget.memory {
                return End::Stopped { lower: least };
            }
            let is_large = self.shards.len() > 1 && self.positions() > ALONE;
            if is_large && pool.is_none() {
                pool = budget.pool();
            }
            match &pool {
                Some(pool) if is_large => pool.install(|| self.round_side_by_side(least)),
                _ => self.round(least),
            }
            let ended = |(shard, s): (usize, &Shard<N>)| s.harmony.map(|id| At { shard: shard as u8, id });
            if let Some(at) = self.shards.iter().enumerate().find_map(ended) {
                return End::Harmony(at);
            }
        }
    }

    fn round(&mut self, least: u32) {
        for number in 0..self.shards.len() {
            let limits = Limits { least, most: self.most, batch: 32 };
            self.shards[number].work(number, &limits, self.space, &self.lattice);
            for target in 0..self.shards.len() {
                let mut found = std::mem::take(&mut self.shards[number].found[target]);
                self.shards[target].absorb(&found);
                found.clear();
                self.shards[number].found[target] = found;
            }
        }
    }

    fn round_side_by_side(&mut self, least: u32) {
        let (space, lattice) = (self.space, &self.lattice);
        let limits = Limits { least, most: self.most, batch: 2048 };
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| shard.work(number, &limits, space, lattice));
        let mut found: Vec<Vec<Vec<Candidate<N>>>> =
            self.shards.iter_mut().map(|shard| std::mem::take(&mut shard.found)).collect();
        self.shards.par_iter_mut().enumerate().for_each(|(number, shard)| {
            found.iter().for_each(|by_target| shard.absorb(&by_target[number]));
        });
        for (shard, mut by_target) in self.shards.iter_mut().zip(found.drain(..)) {
            by_target.iter_mut().for_each(Vec::clear);
            shard.found = by_target;
        }
    }

    /// Whether some way was not followed because it would be longer than is asked for.
    fn is_beyond(&self) -> bool {
        self.shards.iter().any(|shard| shard.is_beyond)
    }

    fn positions(&self) -> usize {
        self.shards.iter().map(|shard| shard.store.len()).sum()
    }

    fn bytes(&self) -> usize {
        let shards: usize = self.shards.iter().map(|shard| shard.store.bytes() + shard.queue.bytes()).sum();
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
    // On plain boards a settled disk never needs to move: let a copy of the board follow a line that moves one, x, to a
    // floor, and leave x where it is. While the line has disks X on x and Y where x was, the copy has X on x and Y on that
    // floor; when the line brings x back, both are the same, and the copy has saved transfers. If x is the largest of its
    // spectrum and stays there, the two pegs have changed names only.
    let settled = if space.plain { position.settled } else { 0 };
    let needs = space.untangled_needs(position) as u16;
    let stacked = space.stacked(position);
    space.steps_of(position, before.sources() & !settled, |step| {
        if before.leaves_out(space, position, &step) {
            return;
        }
        let stacked = (stacked & !(1 << step.disk)) | u64::from(step.stacks) << step.disk;
        // No bound: lost, whatever follows.
        if let Some(bound) = lattice.bound(position.point - step.point, stacked) {
            visit(step, bound + needs.wrapping_add_signed(step.needs.into()));
        }
    });
}
