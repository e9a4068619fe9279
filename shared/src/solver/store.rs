//! Positions met by a search, numbered in the order they were met, and a flat index to find them again.
//!
//! Eight bytes a word of the key and whatever the search keeps beside it, and eleven to twenty-one bytes for finding it.
//! Half of each entry of the index is part of the hash, so that hardly ever another position is looked at in vain; equal
//! positions are told by their whole keys.

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
        // By a quarter and not by doubling: the last growth of a large search would ask for memory that it never fills.
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(self.entries.len() / 4 + 256);
        }
        let id = self.entries.len() as Id;
        self.index[slot] = tag(hash) | u64::from(id);
        self.entries.push(Entry { key, value });
        (id, true)
    }

    /// Reads where the keys of those hashes will be looked for, so that the memory is at hand when they are. The reads do
    /// not wait for one another.
    pub fn warm(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let mask = self.index.len() - 1;
        let mut ids = [0; 32];
        for (id, hash) in ids.iter_mut().zip(hashes.clone()) {
            let entry = self.index[hash as usize & mask];
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

    /// The slot of the key, or the empty one where it belongs.
    fn slot(&self, key: Key<N>, hash: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
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
        self.index_anew((self.entries.len() * 2).next_power_of_two().max(SLOTS));
    }

    fn grow(&mut self) {
        self.index_anew(self.index.len() * 2);
    }

    fn index_anew(&mut self, slots: usize) {
        self.index.clear();
        self.index.resize(slots, EMPTY);
        let mask = slots - 1;
        for (id, entry) in self.entries.iter().enumerate() {
            let hash = entry.key.mix(0);
            let mut slot = hash as usize & mask;
            while self.index[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.index[slot] = tag(hash) | id as u64;
        }
    }
}

fn tag(hash: u64) -> u64 {
    hash >> 32 << 32
}
