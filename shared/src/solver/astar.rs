//! A* with a bucket queue: the proven optimum of one board, or that it has none.
//!
//! Uses no pruning without a proof. The bound never exceeds the distance (`Space::needs`); positions are reopened when met
//! on a shorter way, so the bound need not be consistent for the answer to be right.

use super::key::Key;
use super::space::Space;
use super::store::{Id, Store};
use super::{Budget, Outcome, line};
use crate::board::Board;

/// Solves a board whose keys fit `K`.
pub(crate) fn solve<K: Key>(board: &Board, space: &Space, made: u32, budget: &Budget) -> Outcome {
    let mut search = Search::<K>::new(space, made);
    match search.run(budget) {
        End::Harmony(id) => {
            let optimum = u32::from(search.depth[id as usize]);
            let path = search.path(id);
            Outcome::Solved {
                optimum,
                line: line::replay(board, space, made, &path),
                positions: search.store.len() as u64,
            }
        }
        End::Exhausted => Outcome::Unsolvable { positions: search.store.len() as u64 },
        End::Stopped { lower } => Outcome::Exceeded { lower, upper: None, positions: search.store.len() as u64 },
    }
}

enum End {
    Harmony(Id),
    Exhausted,
    Stopped { lower: u32 },
}

struct Search<'a, K> {
    space: &'a Space,
    store: Store<K>,
    /// Transfers of the shortest way known, by position.
    depth: Vec<u16>,
    /// The bound, by position.
    bound: Vec<u16>,
    /// Where the shortest way known comes from, by position.
    parent: Vec<Id>,
    closed: Vec<bool>,
    /// By depth + bound, then by bound.
    queue: Vec<Vec<Vec<Id>>>,
}

impl<'a, K: Key> Search<'a, K> {
    fn new(space: &'a Space, made: u32) -> Self {
        let mut search = Search {
            space,
            store: Store::new(1 << 10),
            depth: Vec::new(),
            bound: Vec::new(),
            parent: Vec::new(),
            closed: Vec::new(),
            queue: Vec::new(),
        };
        let key = space.start(made);
        let needs = space.needs(&space.unpack(key));
        search.meet(key, 0, needs as u16, Id::MAX);
        search
    }

    fn meet(&mut self, key: K, depth: u16, bound: u16, parent: Id) {
        let (id, fresh) = self.store.insert(key);
        let i = id as usize;
        if fresh {
            self.depth.push(depth);
            self.bound.push(bound);
            self.parent.push(parent);
            self.closed.push(false);
        } else if depth < self.depth[i] {
            self.depth[i] = depth;
            self.parent[i] = parent;
            self.closed[i] = false;
        } else {
            return;
        }
        let (f, h) = (usize::from(depth + bound), usize::from(bound));
        if self.queue.len() <= f {
            self.queue.resize_with(f + 1, Vec::new);
        }
        if self.queue[f].len() <= h {
            self.queue[f].resize_with(h + 1, Vec::new);
        }
        self.queue[f][h].push(id);
    }

    fn run(&mut self, budget: &Budget) -> End {
        let mut f = 0;
        let mut since_look = 0_u32;
        while f < self.queue.len() {
            let Some(h) = self.queue[f].iter().position(|bucket| !bucket.is_empty()) else {
                f += 1;
                continue;
            };
            let id = self.queue[f][h].pop().expect("a bucket that is not empty");
            let i = id as usize;
            // A stale entry: met again on a shorter way since, or done.
            if self.closed[i] || usize::from(self.depth[i] + self.bound[i]) != f {
                continue;
            }
            self.closed[i] = true;
            let position = self.space.unpack(self.store.key(id));
            if self.space.is_harmony(&position) {
                return End::Harmony(id);
            }
            since_look += 1;
            if since_look == 1024 {
                since_look = 0;
                if budget.is_cancelled() || self.bytes() > budget.memory {
                    return End::Stopped { lower: f as u32 };
                }
            }
            let (depth, bound) = (self.depth[i], self.bound[i]);
            let plain = self.space.plain;
            let space = self.space;
            space.steps(&position, |step| {
                // Proven for plain boards only: a settled disk never needs to move.
                if plain && position.settled >> step.disk & 1 == 1 {
                    return;
                }
                let bound = bound.wrapping_add_signed(step.delta.into());
                self.meet(step.key, depth + 1, bound, id);
                f = f.min(usize::from(depth + 1 + bound));
            });
        }
        End::Exhausted
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.store.len() * 13
    }

    /// The keys from the first position after the start to this one.
    fn path(&self, id: Id) -> Vec<K> {
        let mut path = Vec::with_capacity(usize::from(self.depth[id as usize]));
        let mut at = id;
        while self.parent[at as usize] != Id::MAX {
            path.push(self.store.key(at));
            at = self.parent[at as usize];
        }
        path.reverse();
        path
    }
}
