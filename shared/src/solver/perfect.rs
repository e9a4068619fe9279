//! A perfect hash: each of the keys it was built of has a place of its own, others have nonsense.
//!
//! Hash and displace, in parts that are built side by side: the keys of a part fall into small buckets; for each bucket,
//! fullest first, the smallest pilot is sought that sends all its keys to free places. It costs about half a byte a key;
//! one place in nine stays empty, so that the last buckets find a pilot soon.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::key::{Key, mix64};

/// A perfect hash over the keys it was built of.
#[derive(Clone, Debug)]
pub(crate) struct PerfectHash {
    salt: u64,
    parts: Vec<Part>,
    places: usize,
}

#[derive(Clone, Debug)]
struct Part {
    pilots: Vec<u16>,
    base: u32,
    places: u32,
}

/// Keys of one part, on average.
pub(crate) const KEYS_PER_PART: usize = 1 << 15;
const KEYS_PER_BUCKET: usize = 4;

impl PerfectHash {
    /// Builds it, on the pool's threads if there is one; the keys must differ.
    pub fn build<const N: usize>(keys: &[Key<N>], pool: Option<&ThreadPool>) -> PerfectHash {
        // Two keys with one 64-bit hash cannot be told apart under that salt; the next salt parts them.
        (0..).find_map(|salt| PerfectHash::try_build(keys, salt, pool)).expect("some salt parts all keys")
    }

    fn try_build<const N: usize>(keys: &[Key<N>], salt: u64, pool: Option<&ThreadPool>) -> Option<PerfectHash> {
        let count = keys.len().div_ceil(KEYS_PER_PART).max(1);
        let mut hashes = vec![Vec::with_capacity(keys.len() / count + 1024); count];
        for key in keys {
            let hash = key.mix(salt);
            hashes[reduce(hash, count)].push(hash);
        }
        let built: Option<Vec<Part>> = match pool {
            Some(pool) if count > 1 => pool.install(|| hashes.par_iter().map(|hashes| Part::build(hashes)).collect()),
            _ => hashes.iter().map(|hashes| Part::build(hashes)).collect(),
        };
        let mut parts = built?;
        let mut places = 0;
        for part in &mut parts {
            part.base = places;
            places += part.places;
        }
        Some(PerfectHash { salt, parts, places: places as usize })
    }

    /// The place of a key, below [`places`](PerfectHash::places).
    pub fn place<const N: usize>(&self, key: Key<N>) -> usize {
        let hash = key.mix(self.salt);
        let part = &self.parts[reduce(hash, self.parts.len())];
        let pilot = part.pilots[bucket(hash, part.pilots.len())];
        part.base as usize + place(hash, pilot, part.places)
    }

    /// Places, a few more than keys.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| size_of::<Part>() + part.pilots.len() * 2).sum()
    }
}

/// The high bits choose the part; the low half, the bucket; all of them with the pilot, the place.
fn reduce(hash: u64, below: usize) -> usize {
    ((u128::from(hash) * below as u128) >> 64) as usize
}

fn bucket(hash: u64, buckets: usize) -> usize {
    ((u64::from(hash as u32) * buckets as u64) >> 32) as usize
}

fn place(hash: u64, pilot: u16, places: u32) -> usize {
    reduce(mix64(hash ^ u64::from(pilot).wrapping_mul(0x9e37_79b9_7f4a_7c15)), places as usize)
}

impl Part {
    /// `None` if two hashes are equal, or a bucket finds no pilot.
    fn build(hashes: &[u64]) -> Option<Part> {
        let places = (hashes.len() + hashes.len() / 8 + 1) as u32;
        let mut buckets = vec![Vec::new(); hashes.len() / KEYS_PER_BUCKET + 1];
        for &hash in hashes {
            buckets[bucket(hash, hashes.len() / KEYS_PER_BUCKET + 1)].push(hash);
        }
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&b| std::cmp::Reverse(buckets[b].len()));
        let mut pilots = vec![0; buckets.len()];
        let mut taken = vec![false; places as usize];
        let mut chosen = Vec::new();
        for b in order {
            let fits = |pilot: &u16| {
                chosen.clear();
                for &hash in &buckets[b] {
                    let place = place(hash, *pilot, places);
                    if taken[place] || chosen.contains(&place) {
                        return false;
                    }
                    chosen.push(place);
                }
                true
            };
            pilots[b] = (0..=u16::MAX).find(fits)?;
            chosen.iter().for_each(|&place| taken[place] = true);
        }
        Some(Part { pilots, base: 0, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_place_of_its_own() {
        for count in [0, 1, 2, 100, 70_000] {
            let key = |i: u32| Key::<2>::ZERO.flip(0, i).flip(64, i.wrapping_mul(i));
            let keys: Vec<Key<2>> = (0..count).map(key).collect();
            let hash = PerfectHash::build(&keys, None);
            let mut taken = vec![false; hash.places()];
            for key in keys {
                assert!(!std::mem::replace(&mut taken[hash.place(key)], true), "{count}: {key:?}");
            }
        }
    }
}
