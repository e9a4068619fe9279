//! Erasing the names of deleted players from stored rounds, in the background and after every start.
//!
//! Must never give a player up half erased: one is done only once all rooms that were open at the deletion are over and
//! gone through.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;

use crate::app::App;
use crate::store::{Store, StoreError};

/// How often players are looked for who could not be done yet.
const OFTEN: Duration = Duration::from_secs(60);
/// Players taken at a time.
const PLAYERS: i64 = 100;

/// Players who were gone through once and wait for rooms to end.
#[derive(Default)]
pub struct Eraser {
    waiting: BTreeSet<Uuid>,
}

impl Eraser {
    /// Goes through the rounds of those who are to be erased; returns how many are done for good.
    pub async fn pass(&mut self, store: &Store) -> Result<usize, StoreError> {
        let players = store.players_to_erase(PLAYERS).await?;
        self.waiting.retain(|waiting| players.iter().any(|player| player.player_id == *waiting));
        let mut done = 0;
        for player in players {
            // Asked before the rounds are gone through: what ends meanwhile is gone through again.
            let is_last = !store.is_room_open_since(player.deleted_at_ms).await?;
            if !is_last && self.waiting.contains(&player.player_id) {
                continue;
            }
            store.erase_in_rounds(player.player_id).await?;
            if is_last {
                store.set_erased(player.player_id).await?;
                done += 1;
            } else {
                self.waiting.insert(player.player_id);
            }
        }
        Ok(done)
    }
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
        match eraser.pass(&app.store).await {
            Ok(0) => {}
            Ok(players) => tracing::info!(players, "deleted players are named nowhere any more"),
            Err(error) => tracing::warn!(%error, "names of deleted players could not be erased; trying again later"),
        }
    }
}
