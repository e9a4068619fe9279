//! Erasing the names of deleted players from stored rounds, in the background and after every start.
//!
//! Must never give a player up half erased: one is done only once all rooms that may know the name are over and gone
//! through.

use std::collections::BTreeMap;
use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::app::App;
use crate::store::{Store, StoreError};

/// How often players are looked for who could not be done yet.
const OFTEN: Duration = Duration::from_secs(60);
/// Players taken at a time.
const PLAYERS: i64 = 100;

/// Players who were gone through once and wait for rooms to end: those that were open by then, in milliseconds since
/// the Unix epoch.
#[derive(Default)]
pub struct Eraser {
    waiting: BTreeMap<Uuid, i64>,
}

impl Eraser {
    /// Goes through the rounds of those who are to be erased; returns how many are done for good. `now_ms` is
    /// milliseconds since the Unix epoch.
    pub async fn pass(&mut self, store: &Store, now_ms: impl Fn() -> i64) -> Result<usize, StoreError> {
        let players = store.players_to_erase(PLAYERS).await?;
        self.waiting.retain(|waiting, _| players.contains(waiting));
        let mut done = 0;
        for player in players {
            if !self.waiting.contains_key(&player) {
                erase(store, player).await?;
            }
            // From here on no room is opened that knows the name.
            let since_ms = *self.waiting.entry(player).or_insert_with(&now_ms);
            if store.is_room_open_since(since_ms).await? {
                continue;
            }
            // What has ended meanwhile.
            erase(store, player).await?;
            store.set_erased(player).await?;
            self.waiting.remove(&player);
            done += 1;
        }
        Ok(done)
    }
}

/// A player's ghosts bear the name as well.
async fn erase(store: &Store, player: Uuid) -> Result<(), StoreError> {
    store.erase_in_rounds(player).await?;
    store.erase_in_rounds(ghost_of(player)).await
}

/// The id of whoever races as this player did: the same for good, so that a ghost's rounds are found by the player.
pub fn ghost_of(player: Uuid) -> Uuid {
    let hash = Sha256::new_with_prefix(b"ghost ").chain_update(player).finalize();
    Builder::from_custom_bytes(hash[..16].try_into().expect("a hash has 32 bytes")).into_uuid()
}

/// Erases for as long as it is left to run; stopping it loses nothing.
pub async fn keep_erasing(app: App) {
    let (mut often, mut eraser) = (tokio::time::interval(OFTEN), Eraser::default());
    loop {
        tokio::select! {
            biased;
            () = app.deleted.notified() => {}
            _ = often.tick() => {}
        }
        match eraser.pass(&app.store, || app.clock.now().0 as i64).await {
            Ok(0) => {}
            Ok(players) => tracing::info!(players, "deleted players are named nowhere any more"),
            Err(error) => tracing::warn!(%error, "names of deleted players could not be erased; trying again later"),
        }
    }
}
