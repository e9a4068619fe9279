//! Positions met by a search, numbered in the order they were met, and a flat index to find them again.
//!
//! Eight bytes a word of the key and whatever the search keeps beside it, and eleven to twenty-one bytes for finding it.
//! The upper half of the hash stands in the index beside the number, so that hardly ever another position is looked at in
//! vain; equal positions are told by their whole keys. The first bits of that half say where an entry belongs: so the
//! index grows in one pass from front to back, without a look at the positions.

use super::key::Key;

/// The number of a position within one store.
pub(crate) type Id = u32;

const EMPTY: u64 = u64::MAX;
/// Slots of the index of an empty store.
const SLOTS: usize = 256;

/// A position and what the search keeps of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<const N: usize, T> {
    pub key: Key<N>,
    pub value: T,
}

/// An insert-only map of keys with stable numbers.
#[derive(Clone, Debug)]
pub(crate) struct Store<const N: usize, T> {
    entries: Vec<Entry<N, T>>,
    /// The high half of the hash and the number.
    index: Vec<u64>,
}

impl<const N: usize, T: Copy> Store<N, T> {
    /// An empty store.
    pub fn new() -> Store<N, T> {
        Store { entries: Vec::new(), index: vec![EMPTY; SLOTS] }
    }

    /// The number of the key; if it is new, it is kept with `value`, and the second answer is true.
    pub fn insert(&mut self, key: Key<N>, hash: u64, value: T) -> (Id, bool) {
        if self.entries.len() * 4 >= self.index.len() * 3 {
            self.grow();
        }
        let slot = self.slot(key, hash);
        if self.index[slot] != EMPTY {
            return (self.index[slot] as Id, false);
        }
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(step(self.entries.len()));
        }
        let id = self.entries.len() as Id;
        self.index[slot] = tag(hash) | u64::from(id);
        self.entries.push(Entry { key, value });
        (id, true)
    }

    /// Reads where the keys of those hashes will be looked for, so that the memory is at hand when they are. The reads do
    /// not wait for one another.
    pub fn warm(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let shift = self.shift();
        let mut ids = [0; 32];
        for (id, hash) in ids.iter_mut().zip(hashes.clone()) {
            let entry = self.index[(hash >> shift) as usize];
            let is_hit = entry != EMPTY && entry >> 32 == hash >> 32;
            *id = if is_hit { entry as Id } else { 0 };
        }
        for id in ids {
            std::hint::black_box(self.entries.get(id as usize).map(|entry| entry.key));
        }
    }

    /// A position by its number.
    pub fn entry(&self, id: Id) -> &Entry<N, T> {
        &self.entries[id as usize]
    }

    /// What is kept of a position.
    pub fn value_mut(&mut self, id: Id) -> &mut T {
        &mut self.entries[id as usize].value
    }

    /// All positions by number.
    pub fn entries(&self) -> &[Entry<N, T>] {
        &self.entries
    }

    /// Positions met.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<N, T>>() + self.index.len() * 8
    }

    /// Bytes held at most while so many more are inserted: with the old index too where it grows. `usize::MAX` where the
    /// numbers run out.
    pub fn bytes_for(&self, more: usize) -> usize {
        let len = self.entries.len() + more;
        if len >= Id::MAX as usize {
            return usize::MAX;
        }
        let mut places = self.entries.capacity();
        while places < len {
            places += step(places);
        }
        let (mut slots, mut old) = (self.index.len(), 0);
        while len * 4 >= slots * 3 {
            (slots, old) = (slots * 2, slots);
        }
        places * size_of::<Entry<N, T>>() + (slots + old) * 8
    }

    /// All positions by number; the index is dropped.
    pub fn into_entries(self) -> Vec<Entry<N, T>> {
        self.entries
    }

    /// The slot of the key, or the empty one where it belongs.
    fn slot(&self, key: Key<N>, hash: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = (hash >> self.shift()) as usize;
        loop {
            let entry = self.index[slot];
            let is_it = entry != EMPTY && entry >> 32 == hash >> 32 && self.entries[entry as Id as usize].key == key;
            if entry == EMPTY || is_it {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Drops all positions but those that `keep` accepts, which may alter what is kept of them. The others get new numbers.
    pub fn retain(&mut self, keep: impl FnMut(&mut Entry<N, T>) -> bool) {
        self.entries.retain_mut(keep);
        self.entries.shrink_to_fit();
        self.index = Vec::new();
        let entries = (0..).zip(&self.entries).map(|(id, entry)| tag(entry.key.mix(0)) | id);
        self.index = indexed(entries, (self.entries.len() * 2).next_power_of_two().max(SLOTS));
    }

    /// By how much a hash is shifted to be a slot.
    fn shift(&self) -> u32 {
        u64::BITS - self.index.len().trailing_zeros()
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.index);
        let slots = old.len() * 2;
        self.index = indexed(old.into_iter().filter(|entry| *entry != EMPTY), slots);
    }
}

/// By how many places a full list of positions grows. A large one by a quarter and not by doubling: the last growth of a
/// large search would ask for memory that it never fills.
fn step(places: usize) -> usize {
    const FEW: usize = 1 << 15;
    if places < FEW { places.max(256) } else { places / 4 }
}

/// An index of so many slots, a power of two.
fn indexed(entries: impl Iterator<Item = u64>, slots: usize) -> Vec<u64> {
    let mut index = vec![EMPTY; slots];
    let (shift, mask) = (u64::BITS - slots.trailing_zeros(), slots - 1);
    for entry in entries {
        let mut slot = (entry >> shift) as usize;
        while index[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        index[slot] = entry;
    }
    index
}

fn tag(hash: u64) -> u64 {
    hash >> 32 << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_never_takes_more_than_was_said_before() {
        let mut store = Store::<2, u32>::new();
        for round in 0..2_000_u32 {
            let (before, most) = (store.bytes(), store.bytes_for(100));
            let slots = store.index.len();
            for number in 0..100 {
                let key = Key::<2>::ZERO.flip(0, round).flip(64, number);
                store.insert(key, key.mix(0), number);
            }
            let old = if store.index.len() > slots { slots * 8 } else { 0 };
            assert!(before <= most && store.bytes() + old <= most, "{round}: {} and {old} of {most}", store.bytes());
        }
        assert_eq!(store.bytes_for(Id::MAX as usize - 200_000), usize::MAX);
        assert!(store.bytes_for(Id::MAX as usize - 200_001) < usize::MAX);
    }
}
