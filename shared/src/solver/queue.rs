//! The bucket queue of A*: by depth + bound, and among equals the deepest first.

use super::store::Id;

/// Positions waiting to be expanded, with the depth at which they were met. An entry may be stale.
pub(crate) struct Queue {
    buckets: Vec<Vec<Vec<Id>>>,
    least: usize,
    deepest: usize,
    entries: usize,
}

impl Queue {
    /// An empty queue.
    pub fn new() -> Queue {
        Queue { buckets: Vec::new(), least: 0, deepest: 0, entries: 0 }
    }

    /// Adds a position met at `depth` that needs at least `bound` more.
    pub fn push(&mut self, id: Id, depth: u16, bound: u16) {
        let (sum, depth) = (usize::from(depth + bound), usize::from(depth));
        if self.buckets.len() <= sum {
            self.buckets.resize_with(sum + 1, Vec::new);
        }
        if self.buckets[sum].len() <= depth {
            self.buckets[sum].resize_with(depth + 1, Vec::new);
        }
        self.buckets[sum][depth].push(id);
        self.entries += 1;
        if sum < self.least || (sum == self.least && depth > self.deepest) {
            (self.least, self.deepest) = (sum, depth);
        }
    }

    /// The least depth + bound of all entries, `None` if there is none.
    pub fn least(&mut self) -> Option<u32> {
        while self.least < self.buckets.len() {
            if self.find().is_some() {
                return Some(self.least as u32);
            }
            self.buckets[self.least] = Vec::new();
            self.least += 1;
            self.deepest = usize::MAX;
        }
        None
    }

    /// The next position of that depth + bound, which must be no more than the least, and the depth at which it was met.
    pub fn pop(&mut self, sum: u32) -> Option<(Id, u16)> {
        if self.least != sum as usize {
            return None;
        }
        let depth = self.find()?;
        let id = self.buckets[self.least][depth].pop()?;
        self.deepest = depth;
        self.entries -= 1;
        Some((id, depth as u16))
    }

    /// Bytes held; vectors grow by doubling.
    pub fn bytes(&self) -> usize {
        self.entries * 2 * size_of::<Id>()
    }

    /// The deepest bucket of the least sum that is not empty.
    fn find(&self) -> Option<usize> {
        let buckets = self.buckets.get(self.least)?;
        (0..buckets.len().min(self.deepest.saturating_add(1))).rev().find(|&depth| !buckets[depth].is_empty())
    }
}
