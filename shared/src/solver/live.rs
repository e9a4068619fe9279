//! Distances of one position after another of one board, where the reachable set is too large to list: A* that reuses
//! what it found out, with bounds at once and the exact value after a search.
//!
//! Of each position met it keeps two bounds, `lower` and `upper`, and raises and lowers them by these arguments only.
//! Let d(p) be the distance of p, and p → q a legal transfer.
//!
//! 1. *Searches.* If a search from s proved d(s) ≥ C, then d(n) ≥ C − g for every position n that it met on a way of g
//!    transfers: that way and the shortest from n make a way from s, so C ≤ d(s) ≤ g + d(n). It does not matter how the
//!    way was found, or which ways were left out.
//! 2. *Neighbours.* d(p) ≤ 1 + d(q), so q is at most one nearer than p; and a position that is not harmony is one
//!    further than the nearest it leads to. If q → p is legal too, the same holds the other way round.
//! 3. *Ways.* Every position of a way to harmony is at most as far as what is left of it. If a way of d(s) transfers leads
//!    from s through n after g, then d(n) = d(s) − g.
//! 4. *Lost.* From a lost position only lost ones are reached; so all that an exhausted search met is lost.
//!
//! So along an optimal line, and back from a transfer that can be taken back, no search is needed, and a new one starts
//! from better bounds. These need not be consistent: positions are reopened when met on a shorter way. Of the transfers
//! that A* leaves out (`astar::expand`) none is needed, since from every position some shortest way remains.

use super::astar::expand;
use super::bound::Lattice;
use super::key::Key;
use super::order::Before;
use super::queue::Queue;
use super::quick;
use super::space::Space;
use super::store::{Id, Store};
use super::{Budget, Distance};
use crate::board::Board;
use crate::rules::Transfers;

/// Answers for the positions of one board, in any order; each answer makes the next ones cheaper.
#[derive(Clone, Debug)]
pub struct Live(Inner);

#[derive(Clone, Debug)]
enum Inner {
    One(Memory<1>),
    Two(Memory<2>),
    Three(Memory<3>),
}

macro_rules! each {
    ($inner:expr, $m:ident => $body:expr) => {
        match $inner {
            Inner::One($m) => $body,
            Inner::Two($m) => $body,
            Inner::Three($m) => $body,
        }
    };
}

impl Live {
    /// Prepares the answers for a board; nothing is searched yet. Searches on the caller's thread, whatever the budget
    /// says of threads.
    pub fn new(board: &Board, budget: Budget) -> Live {
        let space = Space::new(board);
        Live(match space.words() {
            1 => Inner::One(Memory::new(space, budget)),
            2 => Inner::Two(Memory::new(space, budget)),
            _ => Inner::Three(Memory::new(space, budget)),
        })
    }

    /// What can be said at once, in some ten milliseconds at most, of a position that is reachable by `made` transfers;
    /// of others the answer means nothing. Within one of what is known of a neighbour from which it can be reached and
    /// to which it leads.
    pub fn bounds(&mut self, position: &Board, made: Transfers) -> Distance {
        each!(&mut self.0, m => m.space.key_of(position, made).map_or(Distance::Lost, |key| m.bounds(key)))
    }

    /// The exact distance of such a position, searched for where it is not known; bounds if the budget ends first.
    pub fn distance(&mut self, position: &Board, made: Transfers) -> Distance {
        each!(&mut self.0, m => m.space.key_of(position, made).map_or(Distance::Lost, |key| m.distance(key)))
    }

    /// Positions that the searches have expanded so far: the work done.
    pub fn expanded(&self) -> u64 {
        each!(&self.0, m => m.expanded)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        each!(&self.0, m => m.bytes())
    }
}

/// As `lower`: harmony cannot be reached. As `upper`: no way is known.
const NEVER: u16 = u16::MAX;
/// Of a position that no search has met since its bounds were last reckoned.
const NO_SEARCH: u16 = u16::MAX;
/// Set in a position's depth once it is expanded.
const CLOSED: u16 = 1 << 15;
const NO_PARENT: Id = Id::MAX;
/// Once a search has expanded as many positions as this, a way is sought quickly, so that only shorter ones are followed;
/// and another one, with more patience, whenever that number has grown by so much.
const SEEK_AFTER: usize = 1 << 13;
const SEEK_AGAIN: usize = 16;

/// What is kept of each position.
#[derive(Clone, Copy, Debug)]
struct Known {
    lower: u16,
    upper: u16,
    /// The last search that met it, on a way of `depth` transfers whose last but one position is `parent`.
    search: u16,
    depth: u16,
    parent: Id,
    /// A way was sought from here in vain.
    is_sought: bool,
    /// Some search said more of it than the bound of `bound.rs`.
    is_raised: bool,
}

impl Known {
    fn distance(&self) -> Distance {
        match (self.lower, self.upper) {
            (NEVER, _) => Distance::Lost,
            (lower, upper) if lower == upper => Distance::Exact(lower.into()),
            (lower, upper) => {
                Distance::Between { lower: lower.into(), upper: (upper != NEVER).then_some(upper.into()) }
            }
        }
    }

    fn is_decided(&self) -> bool {
        self.lower == NEVER || self.lower == self.upper
    }
}

#[derive(Clone, Debug)]
struct Memory<const N: usize> {
    space: Space,
    lattice: Lattice,
    /// Some tower has no peg that could carry it.
    is_lost: bool,
    budget: Budget,
    store: Store<N, Known>,
    /// For each search that ended, what it proved its start to be away at least.
    proven: Vec<u16>,
    expanded: u64,
}

/// A position found, on its way into the store.
struct Candidate<const N: usize> {
    key: Key<N>,
    hash: u64,
    depth: u16,
    lower: u16,
    parent: Id,
}

/// How a search stands.
struct Search {
    number: u16,
    queue: Queue,
    /// Some way from the start is as long as this, and only shorter ones are looked for.
    upper: u16,
    /// Where that way leaves the positions that this search met.
    through: Option<Id>,
    expanded: usize,
    /// Positions to expand before a way is sought quickly.
    seek_after: usize,
}

impl<const N: usize> Memory<N> {
    fn new(space: Space, budget: Budget) -> Self {
        let lattice = Lattice::new(&space);
        let is_lost = space.has_no_room_for_a_tower();
        Memory { space, lattice, is_lost, budget, store: Store::new(), proven: Vec::new(), expanded: 0 }
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.lattice.bytes()
    }

    fn bounds(&mut self, key: Key<N>) -> Distance {
        let id = self.look(key);
        let known = self.known(id);
        if !known.is_decided() && known.upper == NEVER && !known.is_sought {
            known.is_sought = true;
            self.seek(key, quick::AT_ONCE);
            self.look(key);
        }
        self.known(id).distance()
    }

    fn distance(&mut self, key: Key<N>) -> Distance {
        let mut id = self.look(key);
        if !self.known(id).is_decided() {
            if self.is_full() {
                self.forget();
                id = self.look(key);
            }
            let earlier = self.store.len();
            if !self.search(id) && earlier > self.store.len() / 4 && !self.budget.is_cancelled() {
                // What earlier searches left took too much of the memory.
                self.forget();
                id = self.look(key);
                self.search(id);
            }
            self.look(key);
        }
        self.known(id).distance()
    }

    fn known(&mut self, id: Id) -> &mut Known {
        self.store.value_mut(id)
    }

    /// The position's number; if it is new, with the bound of `bound.rs`.
    fn note(&mut self, key: Key<N>) -> Id {
        let hash = key.mix(0);
        let (id, is_fresh) = self.store.insert(key, hash, Known::bounded(NEVER));
        if is_fresh {
            let position = self.space.unpack(key);
            let tangled = self.lattice.bound(position.point, self.space.stacked(&position));
            let bound = tangled.map_or(NEVER, |bound| bound + self.space.untangled_needs(&position) as u16);
            *self.known(id) = Known::bounded(if self.is_lost { NEVER } else { bound });
        } else {
            let proven = &self.proven;
            self.store.value_mut(id).reckon(proven);
        }
        id
    }

    /// Settles what a position and those it leads to say of one another (argument 2); gives its number.
    fn look(&mut self, key: Key<N>) -> Id {
        let id = self.note(key);
        let position = self.space.unpack(key);
        let mut steps = Vec::new();
        let reversible = self.space.reversible;
        self.space.steps(&position, |step| steps.push((step.key, reversible && !step.untangles)));
        let mut here = *self.known(id);
        let mut nearest = NEVER;
        let mut next = Vec::with_capacity(steps.len());
        for (key, is_reversible) in steps {
            let at = self.note(key);
            let there = *self.known(at);
            nearest = nearest.min(further(there.lower));
            here.upper = here.upper.min(further(there.upper));
            if is_reversible {
                here.lower = here.lower.max(nearer(there.lower));
            }
            next.push((at, is_reversible));
        }
        if here.upper != 0 {
            here.lower = here.lower.max(nearest);
        }
        for (at, is_reversible) in next {
            let there = self.known(at);
            there.lower = there.lower.max(nearer(here.lower));
            if is_reversible {
                there.upper = there.upper.min(further(here.upper));
            }
        }
        *self.known(id) = here;
        id
    }

    /// Takes the way of a quick search into account, where it finds one.
    fn seek(&mut self, key: Key<N>, most: usize) {
        let (space, lattice, budget) = (&self.space, &self.lattice, &self.budget);
        let Some(way) = quick::seek(space, lattice, key, 0, most, &|_| budget.is_cancelled()) else { return };
        for (left, &key) in (0..=way.len() as u16).rev().zip(std::iter::once(&key).chain(&way)) {
            let id = self.note(key);
            let known = self.known(id);
            known.upper = known.upper.min(left);
        }
    }

    /// Searches from a position; whether it was decided before the budget ended.
    fn search(&mut self, start: Id) -> bool {
        let known = *self.known(start);
        let number = self.proven.len() as u16;
        let (upper, seek_after) = (known.upper, SEEK_AFTER);
        let mut search = Search { number, queue: Queue::new(), upper, through: None, expanded: 0, seek_after };
        *self.known(start) = Known { search: number, depth: 0, parent: NO_PARENT, ..known };
        search.queue.push(start, 0, known.lower);
        let mut batch = Vec::new();
        let mut found = Vec::new();
        let (proven, is_decided) = loop {
            match search.queue.least() {
                // No way is shorter than the one known; and if none is known, there is none.
                None => break (search.upper, true),
                Some(least) if least >= search.upper.into() => break (search.upper, true),
                Some(least) if self.budget.is_cancelled() || self.is_over(&search) => break (least as u16, false),
                Some(least) => {
                    self.round(&mut search, least, &mut batch, &mut found);
                    self.seek_for(&mut search, start);
                }
            }
        };
        self.proven.push(proven);
        let known = self.store.value_mut(start);
        known.lower = known.lower.max(proven);
        self.mark(&search, is_decided);
        is_decided
    }

    /// Seeks a way quickly where a search turns out to be long.
    fn seek_for(&mut self, search: &mut Search, start: Id) {
        if search.expanded < search.seek_after {
            return;
        }
        search.seek_after *= SEEK_AGAIN;
        self.seek(self.store.entry(start).key, 3 * search.expanded);
        let known = self.known(start).upper;
        if known < search.upper {
            (search.upper, search.through) = (known, None);
        }
    }

    fn is_over(&self, search: &Search) -> bool {
        self.bytes() + search.queue.bytes() > self.budget.memory
    }

    /// Expands some positions of that depth + bound.
    fn round(&mut self, search: &mut Search, least: u32, batch: &mut Vec<Id>, found: &mut Vec<Candidate<N>>) {
        batch.clear();
        while batch.len() < 32 {
            let Some((id, depth)) = search.queue.pop(least) else { break };
            let known = self.store.value_mut(id);
            // A stale entry is left out: met again on a shorter way since, or expanded.
            if known.depth != depth {
                continue;
            }
            if known.lower != NEVER && u32::from(depth + known.lower) > least {
                search.queue.push(id, depth, known.lower);
            } else if known.lower != NEVER {
                known.depth |= CLOSED;
                batch.push(id);
            }
        }
        found.clear();
        for &id in &*batch {
            let entry = self.store.entry(id);
            let position = self.space.unpack(entry.key);
            let depth = (entry.value.depth & !CLOSED) + 1;
            let at_least = nearer(entry.value.lower);
            expand(&self.space, &self.lattice, &position, Before::UNKNOWN, |step, bound| {
                let lower = bound.max(at_least);
                if depth + lower < search.upper {
                    found.push(Candidate { key: step.key, hash: step.key.mix(0), depth, lower, parent: id });
                }
            });
        }
        search.expanded += batch.len();
        self.expanded += batch.len() as u64;
        for some in found.chunks(32) {
            self.store.warm(some.iter().map(|candidate| candidate.hash));
            some.iter().for_each(|candidate| self.absorb(search, candidate));
        }
    }

    fn absorb(&mut self, search: &mut Search, candidate: &Candidate<N>) {
        let Candidate { key, hash, depth, lower, parent } = *candidate;
        let (id, _) = self.store.insert(key, hash, Known::bounded(lower));
        let known = self.store.value_mut(id);
        known.reckon(&self.proven);
        known.lower = known.lower.max(lower);
        if known.lower == NEVER || (known.search == search.number && depth >= known.depth & !CLOSED) {
            return;
        }
        *known = Known { search: search.number, depth, parent, ..*known };
        if known.upper != NEVER && depth + known.upper < search.upper {
            search.upper = depth + known.upper;
            search.through = Some(id);
        }
        if depth + known.lower < search.upper {
            search.queue.push(id, depth, known.lower);
        }
    }

    /// Marks the positions on the way that a search found, if it found one (argument 3).
    fn mark(&mut self, search: &Search, is_shortest: bool) {
        let mut at = search.through;
        while let Some(id) = at {
            let known = self.known(id);
            let left = search.upper - (known.depth & !CLOSED);
            known.upper = known.upper.min(left);
            if is_shortest {
                known.lower = left;
            }
            at = (known.parent != NO_PARENT).then_some(known.parent);
        }
    }

    /// Whether hardly any memory, or no number for a search, is left.
    fn is_full(&self) -> bool {
        self.bytes() > self.budget.memory / 16 * 15 || self.proven.len() >= usize::from(NO_SEARCH) - 1
    }

    /// Drops positions until half of the memory is free: first those of which no more is known than the bound of `bound.rs`,
    /// then those from which no way is known, then all.
    fn forget(&mut self) {
        let proven = std::mem::take(&mut self.proven);
        self.store.retain(|entry| {
            entry.value.reckon(&proven);
            entry.value.search = NO_SEARCH;
            entry.value.is_raised || entry.value.upper != NEVER
        });
        if self.bytes() > self.budget.memory / 2 {
            self.store.retain(|entry| entry.value.upper != NEVER);
        }
        if self.bytes() > self.budget.memory / 2 {
            self.store = Store::new();
        }
    }
}

impl Known {
    /// A position that was not met before, with the bound of `bound.rs`: 0 is harmony.
    fn bounded(lower: u16) -> Known {
        let upper = if lower == 0 { 0 } else { NEVER };
        Known { lower, upper, search: NO_SEARCH, depth: 0, parent: NO_PARENT, is_sought: false, is_raised: false }
    }

    /// Takes what the last search that met it proved into its lower bound (arguments 1 and 4).
    fn reckon(&mut self, proven: &[u16]) {
        let Some(&start) = proven.get(usize::from(self.search)) else { return };
        let depth = self.depth & !CLOSED;
        let lower = if start == NEVER { NEVER } else { start.saturating_sub(depth) };
        self.is_raised |= lower > self.lower;
        self.lower = self.lower.max(lower);
        self.search = NO_SEARCH;
    }
}

/// One more, and never is never.
fn further(distance: u16) -> u16 {
    distance.saturating_add(1)
}

/// One less, and never is never.
fn nearer(distance: u16) -> u16 {
    if distance == NEVER { NEVER } else { distance.saturating_sub(1) }
}
