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

use super::bound::Lattice;
use super::key::Key;
use super::quick;
use super::space::Space;
use super::store::{Id, Store};
use super::{Budget, Distance, FAR};
use crate::board::Board;
use crate::peg::PEGS_MAX;
use crate::rules::Transfers;

mod search;

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
