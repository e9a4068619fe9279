//! One search from one position, by A*: what the bounds of all that it meets gain from it.

use super::{Bounds, CLOSED, Known, NEIGHBOURS, NEVER, NO_PARENT, nearer};
use crate::solver::astar::expand;
use crate::solver::key::Key;
use crate::solver::order::Before;
use crate::solver::queue::Queue;
use crate::solver::store::Id;
use crate::solver::{FAR, quick};

/// Once a search has expanded as many positions as this, a way is sought quickly, so that only shorter ones are followed;
/// and another one, with more patience, whenever that number has grown by so much.
const SEEK_AFTER: usize = 1 << 13;
const SEEK_AGAIN: usize = 16;

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
    /// Searches from a position; whether it was decided before the budget ended.
    pub(super) fn search(&mut self, start: Id) -> bool {
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
}
