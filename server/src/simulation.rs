//! Chance for simulations: a thread that was given a seed draws all its random bytes from it.
//!
//! Must never be compiled into a server that people use: the feature `simulation` alone brings it in, and without a
//! seed on the thread nothing changes.

use std::cell::RefCell;

use sprint_shared::deal::{Draws, Seed};

thread_local! {
    static DRAWS: RefCell<Option<Draws>> = const { RefCell::new(None) };
}

/// From here on this thread's random bytes follow from `seed`; with `None` they are the operating system's again.
pub fn seed_thread(seed: Option<u64>) {
    DRAWS.set(seed.map(|seed| Draws::new(&Seed::from(seed))));
}

/// Fills `bytes` from the thread's seed; false if it has none.
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    DRAWS.with_borrow_mut(|draws| {
        let Some(draws) = draws else { return false };
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&draws.next_u64().to_le_bytes()[..chunk.len()]);
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::random;

    #[test]
    fn a_seed_makes_chance_repeatable_on_its_own_thread_only() {
        let drawn = |seed| {
            seed_thread(Some(seed));
            (random::<13>(), random::<32>())
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let elsewhere = || std::thread::spawn(random::<32>).join().expect("it draws");
        assert_ne!(elsewhere(), elsewhere());
        seed_thread(None);
        assert_ne!(random::<32>(), random::<32>());
    }
}
