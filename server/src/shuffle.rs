//! Infinite Shuffle: which board comes next, and that it is ready before it is asked for.
//!
//! A seed leads to the next one, so that whoever shares a seed shares all boards that follow.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::deal::Seed;
use sprint_shared::fairness::next_seed;
use sprint_shared::preset::Preset;
use uuid::Uuid;

use crate::chance::random;
use crate::pool::Dealers;

/// Players whose next seed is kept; whoever is not among them is given a fresh one.
const KEPT: usize = 10_000;

/// The next seed of every player. Clones share them.
#[derive(Clone, Default)]
pub struct Shuffles {
    next: Arc<Mutex<HashMap<Uuid, Seed>>>,
}

impl Shuffles {
    /// The seed of a player's next board, where the player asks for none.
    pub fn seed(&self, player: Uuid) -> Seed {
        self.lock().get(&player).copied().unwrap_or_else(|| Seed(random()))
    }

    /// A player was given a board of this seed.
    pub fn given(&self, player: Uuid, seed: Seed) {
        let mut all = self.lock();
        if all.len() >= KEPT {
            all.clear();
        }
        all.insert(player, next_seed(&seed));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Seed>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the boards dealt that may follow one of this kind and seed: as likely as any, and the likeliest once it is restored.
pub async fn deal_ahead(dealers: &Dealers, preset: Preset, seed: Seed) {
    let next = next_seed(&seed);
    for preset in [preset, harder(preset)] {
        dealers.make_ready(preset, next).await;
    }
}

/// The kind of board that follows a player's last one: harder after one that was restored, the same if that was shown,
/// easier after one that was left; the easiest to begin with.
pub fn following(last: Option<(Preset, bool)>, helped: bool) -> Preset {
    match last {
        None => Preset::ALL[0],
        Some((preset, true)) if helped => preset,
        Some((preset, true)) => harder(preset),
        Some((preset, false)) => easier(preset),
    }
}

/// Marathon is for who asks for it: a round of it takes half an hour, and its deal much memory.
fn harder(preset: Preset) -> Preset {
    Preset::ALL.into_iter().find(|other| *other > preset && *other < Preset::Marathon).unwrap_or(preset)
}

fn easier(preset: Preset) -> Preset {
    Preset::ALL.into_iter().rev().find(|other| *other < preset).unwrap_or(preset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_follow_the_player_one_step_at_a_time() {
        assert_eq!(following(None, false), Preset::Initiate);
        assert_eq!(following(Some((Preset::Initiate, true)), false), Preset::Apprentice);
        assert_eq!(following(Some((Preset::Apprentice, true)), true), Preset::Apprentice, "the way was shown");
        assert_eq!(following(Some((Preset::Apprentice, false)), false), Preset::Initiate);
        assert_eq!(following(Some((Preset::Initiate, false)), true), Preset::Initiate, "there is none easier");
        assert_eq!(following(Some((Preset::Spire, true)), false), Preset::Spire, "nobody is led to a marathon");
        assert_eq!(following(Some((Preset::Marathon, true)), false), Preset::Marathon, "who asked for it stays there");
    }

    #[test]
    fn a_seed_leads_to_the_next_one() {
        let (shuffles, player, seed) = (Shuffles::default(), Uuid::from_u128(1), Seed::from(5));
        shuffles.given(player, seed);
        assert_eq!(shuffles.seed(player), next_seed(&seed));
        assert_ne!(shuffles.seed(Uuid::from_u128(2)), next_seed(&seed), "whoever was given none has a fresh one");
    }
}
