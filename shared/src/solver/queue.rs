//! The bucket queue of A*: by depth + bound, and among equals the deepest first.

use super::store::Id;

/// Positions waiting to be expanded, with the depth at which they were met. An entry may be stale.
pub(crate) struct Queue {
    /// By depth + bound, then by bound.
    buckets: Vec<Vec<Vec<Id>>>,
    least: usize,
    /// Of the least sum, no bucket of a smaller bound has an entry.
    nearest: usize,
    bytes: usize,
}

/// Up to as many entries a bucket grows by doubling, then by a quarter: the last growth of a large search would ask for
/// memory that it never fills.
const FEW: usize = 256;

impl Queue {
    /// An empty queue.
    pub fn new() -> Queue {
        Queue { buckets: Vec::new(), least: 0, nearest: 0, bytes: 0 }
    }

    /// Adds a position met at `depth` that needs at least `bound` more.
    pub fn push(&mut self, id: Id, depth: u16, bound: u16) {
        let bound = usize::from(bound);
        let sum = usize::from(depth) + bound;
        if self.buckets.len() <= sum {
            self.bytes += lengthen(&mut self.buckets, sum + 1);
        }
        if self.buckets[sum].len() <= bound {
            self.bytes += lengthen(&mut self.buckets[sum], bound + 1);
        }
        let bucket = &mut self.buckets[sum][bound];
        if bucket.len() == bucket.capacity() {
            let before = bucket.capacity();
            bucket.reserve_exact(if before < FEW { before.max(4) } else { before / 4 });
            self.bytes += (bucket.capacity() - before) * size_of::<Id>();
        }
        bucket.push(id);
        if sum < self.least || (sum == self.least && bound < self.nearest) {
            (self.least, self.nearest) = (sum, bound);
        }
    }

    /// The least depth + bound of all entries, `None` if there is none.
    pub fn least(&mut self) -> Option<u32> {
        while self.least < self.buckets.len() {
            if self.find().is_some() {
                return Some(self.least as u32);
            }
            let passed = std::mem::take(&mut self.buckets[self.least]);
            let ids: usize = passed.iter().map(Vec::capacity).sum();
            self.bytes -= ids * size_of::<Id>() + passed.capacity() * size_of::<Vec<Id>>();
            self.least += 1;
            self.nearest = 0;
        }
        None
    }

    /// The next position of that depth + bound, which must be no more than the least, and the depth at which it was met.
    pub fn pop(&mut self, sum: u32) -> Option<(Id, u16)> {
        if self.least != sum as usize {
            return None;
        }
        self.nearest = self.find()?;
        let id = self.buckets[self.least][self.nearest].pop()?;
        Some((id, (self.least - self.nearest) as u16))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes held at most once so many more are added; a few kibibytes more for each sum that was not met before.
    pub fn bytes_for(&self, more: usize) -> usize {
        let small = self.bytes.min(more * FEW * size_of::<Id>());
        self.bytes + small.max(self.bytes / 4) + more * 8 * size_of::<Id>()
    }

    /// The first bucket of the least sum that is not empty.
    fn find(&self) -> Option<usize> {
        let buckets = self.buckets.get(self.least)?;
        (self.nearest..buckets.len()).find(|&bound| !buckets[bound].is_empty())
    }
}

/// Lengthens a list of lists; by how many bytes it grew.
fn lengthen<T>(lists: &mut Vec<Vec<T>>, length: usize) -> usize {
    let before = lists.capacity();
    lists.resize_with(length, Vec::new);
    (lists.capacity() - before) * size_of::<Vec<T>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_sum_comes_first_and_of_it_the_deepest_and_no_memory_is_left_at_the_end() {
        let mut queue = Queue::new();
        // (depth, bound), with numbers in the order in which they must come out.
        for (id, depth, bound) in [(4, 2, 9), (1, 5, 2), (0, 7, 0), (3, 0, 8), (2, 1, 6)] {
            queue.push(id, depth, bound);
        }
        let mut order = Vec::new();
        while let Some(least) = queue.least() {
            let (id, depth) = queue.pop(least).expect("there is one of the least sum");
            order.push((id, depth, least));
        }
        assert_eq!(order, [(0, 7, 7), (1, 5, 7), (2, 1, 7), (3, 0, 8), (4, 2, 11)]);
        assert_eq!(queue.bytes(), queue.buckets.capacity() * size_of::<Vec<Vec<Id>>>());
    }

    #[test]
    fn bytes_are_those_of_all_lists_and_never_more_than_was_said_before() {
        let mut queue = Queue::new();
        (0..=40).for_each(|sum| (0..=10.min(sum)).for_each(|bound| queue.push(0, sum - bound, bound)));
        for round in 0..2_000_u32 {
            let more = (round % 40) as usize;
            let most = queue.bytes_for(more);
            for number in 0..more as u32 {
                queue.push(number, (round * 7 % 23) as u16, (number * round % 11) as u16);
            }
            assert!(queue.bytes() <= most, "{round}: {} of {most}", queue.bytes());
        }
        let lists =
            |list: &Vec<Vec<Id>>| list.capacity() * 24 + list.iter().map(|ids| ids.capacity() * 4).sum::<usize>();
        assert_eq!(queue.bytes(), queue.buckets.capacity() * 24 + queue.buckets.iter().map(lists).sum::<usize>());
    }
}
