//! Positions met by a search, numbered in the order they were met, and a flat index to find them again.
//!
//! Sixteen bytes a position for the largest boards (eight for smaller ones) and, with the index at most three
//! quarters full, five and a half to eleven bytes for finding it.

use super::key::Key;

/// The number of a position within one search.
pub(crate) type Id = u32;

const EMPTY: Id = Id::MAX;

/// An insert-only set of keys with stable numbers.
#[derive(Clone, Debug)]
pub(crate) struct Store<K> {
    keys: Vec<K>,
    index: Vec<Id>,
}

impl<K: Key> Store<K> {
    /// An empty store with room for `expected` positions before it first grows.
    pub fn new(expected: usize) -> Store<K> {
        let slots = (expected * 2).next_power_of_two().max(64);
        Store { keys: Vec::with_capacity(expected), index: vec![EMPTY; slots] }
    }

    /// The number of the key, and whether it is new.
    pub fn insert(&mut self, key: K) -> (Id, bool) {
        if self.keys.len() * 4 >= self.index.len() * 3 {
            self.grow();
        }
        let slot = self.slot(key);
        if self.index[slot] != EMPTY {
            return (self.index[slot], false);
        }
        let id = self.keys.len() as Id;
        self.index[slot] = id;
        self.keys.push(key);
        (id, true)
    }

    /// The key of a number.
    pub fn key(&self, id: Id) -> K {
        self.keys[id as usize]
    }

    /// The keys by number.
    pub fn into_keys(self) -> Vec<K> {
        self.keys
    }

    /// Positions met.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<K>() + self.index.len() * size_of::<Id>()
    }

    /// The slot of the key, or the empty one where it belongs.
    fn slot(&self, key: K) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = key.mix(0) as usize & mask;
        while self.index[slot] != EMPTY && self.keys[self.index[slot] as usize] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let slots = self.index.len() * 2;
        self.index.clear();
        self.index.resize(slots, EMPTY);
        let mask = slots - 1;
        for (id, key) in self.keys.iter().enumerate() {
            let mut slot = key.mix(0) as usize & mask;
            while self.index[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.index[slot] = id as Id;
        }
    }
}
