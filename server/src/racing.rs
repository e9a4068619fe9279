//! Who has a rated race at work, and where: whoever joins the queue meanwhile is sent back to it.
//!
//! Each room says for itself who is at work in it, after what it says is committed. Must never be the ground of a
//! decision about a race: it says only where to look.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// Rated races at work by player. Clones share them.
#[derive(Clone, Default)]
pub struct Racing {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    by_player: HashMap<Uuid, Arc<str>>,
    by_code: HashMap<Arc<str>, Vec<Uuid>>,
}

impl Racing {
    /// The room in which this player has a rated race at work.
    pub fn code_of(&self, player: Uuid) -> Option<Arc<str>> {
        self.lock().by_player.get(&player).cloned()
    }

    /// These and no others are at work in the room with this code.
    pub fn tell(&self, code: &str, players: Vec<Uuid>) {
        let mut inner = self.lock();
        inner.clear(code);
        if players.is_empty() {
            return;
        }
        let code: Arc<str> = code.into();
        players.iter().for_each(|player| drop(inner.by_player.insert(*player, code.clone())));
        inner.by_code.insert(code, players);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Nobody is at work there any more; who is at work elsewhere by now still is.
    fn clear(&mut self, code: &str) {
        for player in self.by_code.remove(code).unwrap_or_default() {
            if self.by_player.get(&player).is_some_and(|at| **at == *code) {
                self.by_player.remove(&player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_says_who_is_at_work_in_it_and_nobody_else_is() {
        let (racing, [ada, ben]) = (Racing::default(), [1, 2].map(Uuid::from_u128));
        racing.tell("SPIRE1", vec![ada, ben]);
        assert_eq!(racing.code_of(ada).as_deref(), Some("SPIRE1"));
        racing.tell("SPIRE1", vec![ben]);
        assert_eq!((racing.code_of(ada), racing.code_of(ben).as_deref()), (None, Some("SPIRE1")));
        racing.tell("SPIRE2", vec![ben]);
        racing.tell("SPIRE1", vec![]);
        assert_eq!(racing.code_of(ben).as_deref(), Some("SPIRE2"), "what an older room forgets is not the newer one");
        racing.tell("SPIRE2", vec![]);
        let inner = racing.lock();
        assert!(inner.by_player.is_empty() && inner.by_code.is_empty(), "nothing is left over");
    }
}
