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
use super::{Budget, Distance, FAR};
use crate::board::Board;
use crate::peg::PEGS_MAX;
use crate::rules::Transfers;

/// Answers for the positions of one board, in any order; each answer makes the next ones cheaper.
#[derive(Clone, Debug)]
pub struct Live(Inner);

#[derive(Clone, Debug)]
enum Inner {
    One(Bounds<1>),
    Two(Bounds<2>),
    Three(Bounds<3>),
}

macro_rules! each {
    ($inner:expr, $b:ident => $body:expr) => {
        match $inner {
            Inner::One($b) => $body,
            Inner::Two($b) => $body,
            Inner::Three($b) => $body,
        }
    };
}

impl Live {
    /// Prepares the answers for a board; nothing is searched yet. Searches on the caller's thread, whatever the budget
    /// says of threads.
    pub fn new(board: &Board, budget: Budget) -> Live {
        let space = Space::new(board);
        Live(match space.words() {
            1 => Inner::One(Bounds::new(space, budget)),
            2 => Inner::Two(Bounds::new(space, budget)),
            _ => Inner::Three(Bounds::new(space, budget)),
        })
    }

    /// What can be said at once, with a quick look at most, of a position that is reachable by `made` transfers; of others
    /// the answer means nothing. Within one of what is known of a neighbour from which it can be reached and
    /// to which it leads.
    pub fn bounds(&mut self, position: &Board, made: Transfers) -> Distance {
        each!(&mut self.0, b => b.space.key_of(position, made).map_or(Distance::Lost, |key| b.bounds(key)))
    }

    /// The exact distance of such a position, searched for where it is not known; bounds if the budget ends first.
    pub fn distance(&mut self, position: &Board, made: Transfers) -> Distance {
        each!(&mut self.0, b => b.space.key_of(position, made).map_or(Distance::Lost, |key| b.distance(key)))
    }

    /// Searches end, as a cancelled one does, once all of them together have expanded so many positions. Unlike time,
    /// that comes out the same everywhere.
    pub fn expand_at_most(&mut self, positions: u64) {
        each!(&mut self.0, b => b.expanded_max = positions);
    }

    /// Positions that the searches have expanded so far: the work done.
    pub fn expanded(&self) -> u64 {
        each!(&self.0, b => b.expanded)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        each!(&self.0, b => b.bytes())
    }
}

/// As `lower`: harmony cannot be reached. As `upper`: no way is known.
const NEVER: u16 = u16::MAX;
/// Of a position that no search has met since its bounds were last reckoned.
const NO_SEARCH: u16 = u16::MAX;
/// Set in a position's depth once it is expanded.
const CLOSED: u16 = 1 << 15;
const NO_PARENT: Id = Id::MAX;
/// Greater lower bounds are not kept, so that the sum with a depth is never taken for `NEVER`.
const LOWER_MAX: u16 = 2 * FAR;
/// A position and all that it can lead to.
const NEIGHBOURS: usize = 1 + PEGS_MAX * (PEGS_MAX - 1);
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
struct Bounds<const N: usize> {
    space: Space,
    lattice: Lattice,
    /// Some tower has no peg that could carry it.
    is_lost: bool,
    budget: Budget,
    store: Store<N, Known>,
    /// For each search that ended, what it proved its start to be away at least.
    proven: Vec<u16>,
    expanded: u64,
    expanded_max: u64,
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
    /// Longer ways than `FAR` were not followed.
    is_beyond: bool,
}

impl Search {
    /// Keeps a position for later, unless no way through it is short enough.
    fn offer(&mut self, id: Id, depth: u16, lower: u16) {
        let sum = depth.saturating_add(lower);
        if sum >= self.upper {
            return;
        }
        if sum > FAR {
            self.is_beyond = true;
        } else {
            self.queue.push(id, depth, lower);
        }
    }

    /// What is proven once nothing is left to follow: no way is shorter than the one known; and if none is known, there is
    /// none, or none that is not longer than `FAR`.
    fn proven(&self) -> u16 {
        if self.is_beyond { self.upper.min(FAR + 1) } else { self.upper }
    }
}

impl<const N: usize> Bounds<N> {
    fn new(space: Space, budget: Budget) -> Self {
        let lattice = Lattice::new(&space);
        let is_lost = space.has_no_room_for_a_tower();
        let (store, proven) = (Store::new(), Vec::new());
        Bounds { space, lattice, is_lost, budget, store, proven, expanded: 0, expanded_max: u64::MAX }
    }

    /// Whether no search goes on.
    fn is_ended(&self) -> bool {
        self.budget.is_cancelled() || self.expanded >= self.expanded_max
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.lattice.bytes()
    }

    /// Bytes held at most once so many more positions are noted.
    fn bytes_for(&self, more: usize) -> usize {
        self.store.bytes_for(more).saturating_add(self.lattice.bytes())
    }

    fn bounds(&mut self, key: Key<N>) -> Distance {
        self.make_room();
        let mut id = self.look(key);
        let known = self.known(id);
        if !known.is_decided() && known.upper == NEVER && !known.is_sought {
            known.is_sought = true;
            let lower = known.lower.into();
            self.seek(key, lower, quick::AT_ONCE, 0);
            id = self.look(key);
        }
        self.known(id).distance()
    }

    fn distance(&mut self, key: Key<N>) -> Distance {
        self.make_room();
        let mut id = self.look(key);
        if !self.known(id).is_decided() {
            if self.is_full() {
                self.forget();
                id = self.look(key);
            }
            let earlier = self.store.len();
            if !self.search(id) && earlier > self.store.len() / 4 && !self.is_ended() {
                // What earlier searches left took too much of the memory.
                self.forget();
                id = self.look(key);
                self.search(id);
            }
            id = self.look(key);
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
            nearest = nearest.min(if there.lower == NEVER { NEVER } else { further(there.lower).min(LOWER_MAX) });
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

    /// Takes the way of a quick search into account, where it finds one; as much of it as there is room for, from its start,
    /// beside what a search holds.
    fn seek(&mut self, key: Key<N>, lower: u32, most: usize, held: usize) {
        let (space, lattice, budget) = (&self.space, &self.lattice, &self.budget);
        let Some(way) = quick::seek(space, lattice, key, lower, most, &|_| budget.is_cancelled()) else { return };
        for (left, &key) in (0..=way.len() as u16).rev().zip(std::iter::once(&key).chain(&way)) {
            let is_first = usize::from(left) == way.len();
            if !is_first && self.bytes_for(NEIGHBOURS + 1).saturating_add(held) > self.budget.memory {
                return;
            }
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
        let queue = Queue::new();
        let mut search = Search { number, queue, upper, through: None, expanded: 0, seek_after, is_beyond: false };
        *self.known(start) = Known { search: number, depth: 0, parent: NO_PARENT, ..known };
        search.offer(start, 0, known.lower);
        let mut batch = Vec::new();
        let mut found = Vec::new();
        let proven = loop {
            match search.queue.least() {
                None => break search.proven(),
                Some(least) if least >= search.upper.into() => break search.proven(),
                Some(least) if self.is_ended() => break least as u16,
                Some(least) => {
                    if !self.round(&mut search, least, &mut batch, &mut found) {
                        break least as u16;
                    }
                    self.seek_for(&mut search, start, least);
                }
            }
        };
        let is_decided = proven == search.upper;
        self.proven.push(proven);
        let known = self.store.value_mut(start);
        known.lower = known.lower.max(proven);
        self.mark(&search, is_decided);
        is_decided
    }

    /// Seeks a way quickly where a search turns out to be long.
    fn seek_for(&mut self, search: &mut Search, start: Id, least: u32) {
        if search.expanded < search.seek_after {
            return;
        }
        search.seek_after *= SEEK_AGAIN;
        let held = search.queue.bytes();
        let left = self.budget.memory.saturating_sub(self.bytes_for(NEIGHBOURS).saturating_add(held));
        let most = (3 * search.expanded).min(left / quick::BYTES);
        self.seek(self.store.entry(start).key, least, most, held);
        let known = self.known(start).upper;
        if known < search.upper {
            (search.upper, search.through) = (known, None);
        }
    }

    /// Expands some positions of that depth + bound; false, and what they lead to is left out, if that would not fit.
    fn round(&mut self, search: &mut Search, least: u32, batch: &mut Vec<Id>, found: &mut Vec<Candidate<N>>) -> bool {
        batch.clear();
        while batch.len() < 32 {
            let Some((id, depth)) = search.queue.pop(least) else { break };
            let known = self.store.value_mut(id);
            // A stale entry is left out: met again on a shorter way since, or expanded.
            if known.depth != depth {
                continue;
            }
            if known.lower == NEVER {
                continue;
            }
            if u32::from(depth.saturating_add(known.lower)) > least {
                let lower = known.lower;
                search.offer(id, depth, lower);
            } else {
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
                if depth.saturating_add(lower) < search.upper {
                    found.push(Candidate { key: step.key, hash: step.key.mix(0), depth, lower, parent: id });
                }
            });
        }
        search.expanded += batch.len();
        self.expanded += batch.len() as u64;
        let after = self.bytes_for(found.len() + NEIGHBOURS).saturating_add(search.queue.bytes_for(found.len()));
        if after > self.budget.memory {
            return false;
        }
        for some in found.chunks(32) {
            self.store.warm(some.iter().map(|candidate| candidate.hash));
            some.iter().for_each(|candidate| self.absorb(search, candidate));
        }
        true
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
        if known.upper != NEVER && depth.saturating_add(known.upper) < search.upper {
            search.upper = depth + known.upper;
            search.through = Some(id);
        }
        let lower = known.lower;
        search.offer(id, depth, lower);
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

    /// Forgets, if a position and all it leads to could not be noted any more.
    fn make_room(&mut self) {
        if self.bytes_for(NEIGHBOURS) > self.budget.memory || self.proven.len() >= usize::from(NO_SEARCH) - 1 {
            self.forget();
        }
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
        if self.is_tight() {
            self.store.retain(|entry| entry.value.upper != NEVER);
        }
        if self.is_tight() {
            self.store = Store::new();
        }
    }

    fn is_tight(&self) -> bool {
        self.bytes() > self.budget.memory / 2 || self.bytes_for(NEIGHBOURS) > self.budget.memory
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
