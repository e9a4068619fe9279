//! Erasing the names of deleted players from stored rounds, in the background and after every start.
//!
//! Must never give a player up half erased: one is done only once every room in which the player or the player's ghost
//! ever sat is over and gone through. What is still to do is in the database: a pass needs no memory of the one before.

use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::app::App;
use crate::store::{Store, StoreError};

/// How often players are looked for who could not be done yet.
const OFTEN: Duration = Duration::from_secs(60);
/// Players taken at a time.
const PLAYERS: i64 = 100;
/// What was under way when a player was deleted may still seat the player, or a ghost: nobody is done before so many
/// milliseconds have passed.
const UNDER_WAY_MS: i64 = 60_000;

/// Goes once through all who are to be erased, and through all their rooms that are over; returns how many are done for
/// good. The others sit in a room that is open, or have only just gone. `now_ms` is milliseconds since the Unix epoch.
pub async fn pass(store: &Store, now_ms: i64) -> Result<usize, StoreError> {
    let (mut done, mut after) = (0, None);
    loop {
        let players = store.players_to_erase(after, PLAYERS).await?;
        let Some((last, _)) = players.last() else { return Ok(done) };
        after = Some(*last);
        for (player, deleted_at_ms) in players {
            let ghost = ghost_of(player);
            store.erase_in_rooms(player).await?;
            store.erase_in_rooms(ghost).await?;
            let is_settled = deleted_at_ms.saturating_add(UNDER_WAY_MS) <= now_ms;
            done += usize::from(is_settled && store.set_erased(player, ghost).await?);
        }
    }
}

/// The id of whoever races as this player did: the same for good, so that a ghost's rounds are found by the player.
pub fn ghost_of(player: Uuid) -> Uuid {
    let hash = Sha256::new_with_prefix(b"ghost ").chain_update(player).finalize();
    Builder::from_custom_bytes(hash[..16].try_into().expect("a hash has 32 bytes")).into_uuid()
}

/// Erases for as long as it is left to run; stopping it loses nothing.
pub async fn keep_erasing(app: App) {
    let mut often = tokio::time::interval(OFTEN);
    loop {
        tokio::select! {
            biased;
            () = app.deleted.notified() => {}
            _ = often.tick() => {}
        }
        match pass(&app.store, app.clock.now().0 as i64).await {
            Ok(0) => {}
            Ok(players) => tracing::info!(players, "deleted players are named nowhere any more"),
            Err(error) => tracing::warn!(%error, "names of deleted players could not be erased; trying again later"),
        }
    }
}
