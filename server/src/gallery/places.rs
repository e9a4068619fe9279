//! Which rooms may keep what they found out of their boards: as many as the memory is enough for, and of more those that
//! most people watch.
//!
//! Must never let more rooms keep anything than there are places: who is to give way keeps the place until it is free.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The places of all rooms. Clones share them.
#[derive(Clone)]
pub(super) struct Places(Arc<Shared>);

struct Shared {
    max: usize,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    by: Vec<Arc<Claim>>,
    /// For whom somebody gives way, or has.
    promised: Weak<Claim>,
}

/// What a room has to say for itself.
#[derive(Debug, Default)]
pub(super) struct Claim {
    viewers: AtomicUsize,
    has_to_give_way: AtomicBool,
}

/// A room's place; dropping it gives it back.
pub(super) struct Place {
    places: Places,
    claim: Arc<Claim>,
}

impl Claim {
    /// How many watch the room now.
    pub fn is_watched_by(&self, viewers: usize) {
        self.viewers.store(viewers, Ordering::Relaxed);
    }

    fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    /// Whether the room is to give its place to one that more people watch.
    pub fn has_to_give_way(&self) -> bool {
        self.has_to_give_way.load(Ordering::Relaxed)
    }
}

impl Places {
    /// So many places.
    pub fn new(max: usize) -> Places {
        Places(Arc::new(Shared { max, held: Mutex::default() }))
    }

    /// Takes a place. Where none is free, the room that the fewest watch is to give way, if fewer watch it than this one:
    /// ask again.
    pub fn take(&self, claim: &Arc<Claim>) -> Option<Place> {
        let mut held = self.held();
        let promised = held.promised.upgrade().filter(|other| !Arc::ptr_eq(other, claim));
        if held.by.len() < self.0.max {
            // Who has given way does not come back before the other has come.
            if promised.is_some_and(|other| claim.viewers() <= other.viewers()) {
                return None;
            }
            held.promised = Weak::new();
            held.by.push(claim.clone());
            return Some(Place { places: self.clone(), claim: claim.clone() });
        }
        // One at a time.
        if !held.by.iter().any(|other| other.has_to_give_way()) {
            let least = held.by.iter().min_by_key(|other| other.viewers());
            if let Some(least) = least.filter(|least| least.viewers() < claim.viewers()) {
                least.has_to_give_way.store(true, Ordering::Relaxed);
                held.promised = Arc::downgrade(claim);
            }
        }
        None
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.held().by.retain(|claim| !Arc::ptr_eq(claim, &self.claim));
        self.claim.has_to_give_way.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(viewers: usize) -> Arc<Claim> {
        let claim = Arc::new(Claim::default());
        claim.is_watched_by(viewers);
        claim
    }

    #[test]
    fn the_room_that_fewest_watch_gives_way_to_one_that_more_do_and_never_before_its_place_is_free() {
        let places = Places::new(2);
        let [one, other, featured] = [3, 2, 40].map(claim);
        let _held = places.take(&one).expect("nobody has a place");
        let least = places.take(&other).expect("there are two");
        assert!(places.take(&featured).is_none(), "there is no third");
        assert_eq!((one.has_to_give_way(), other.has_to_give_way()), (false, true));
        assert!(places.take(&featured).is_none() && !one.has_to_give_way(), "one place is all that it needs");
        drop(least);
        assert!(!other.has_to_give_way() && places.take(&other).is_none(), "it has, and for somebody else");
        let _place = places.take(&featured).expect("a place is free");
        assert!(places.take(&other).is_none());
        assert!(!one.has_to_give_way() && !featured.has_to_give_way(), "both are watched by more");
        other.is_watched_by(4);
        assert!(places.take(&other).is_none() && one.has_to_give_way(), "things have changed");
    }

    #[test]
    fn a_place_that_was_promised_is_anybodys_once_nobody_wants_it() {
        let places = Places::new(1);
        let [one, gone] = [1, 2].map(claim);
        let held = places.take(&one);
        assert!(places.take(&gone).is_none());
        drop(held);
        assert!(places.take(&one).is_none(), "it is promised");
        drop(gone);
        assert!(places.take(&one).is_some());
    }

    #[test]
    fn where_as_many_watch_who_came_first_stays_and_no_places_are_none() {
        let places = Places::new(1);
        let [one, other] = [1, 1].map(claim);
        let _held = places.take(&one).expect("nobody has a place");
        assert!(places.take(&other).is_none() && !one.has_to_give_way());
        assert!(Places::new(0).take(&claim(9)).is_none());
    }
}
