//! The Daily Spire: whose seeds the server binds itself to, days ahead.
//!
//! Must never tell a seed or a board before its day: the commitment is all that is known of a day to come.

use std::sync::Arc;
use std::time::Duration;

use sprint_shared::daily::{REDEALS_MAX, board_seed, commitment, preset};
use sprint_shared::day::Day;
use sprint_shared::deal::{DEAL_VERSION, Seed};
use thiserror::Error;
use tokio::sync::Mutex;

use crate::chance::random;
use crate::clock::Clock;
use crate::pool::{Dealers, ProvenBoard};
use crate::store::{DailyBoard, MadeDaily, Store, StoreError};

/// How often the server looks whether today and tomorrow have their boards.
const OFTEN: Duration = Duration::from_secs(60);

/// The pause before a store that did not answer is asked again for a board.
const PAUSE: Duration = Duration::from_millis(500);

/// Why a day has no board.
#[derive(Debug, Error)]
pub enum NoDaily {
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work on it broke off, or every board of the seed was shown before.
    #[error("no board came of the deal of {0}")]
    NotDealt(Day),
}

/// Days that are bound ahead of today.
const AHEAD: u32 = 2;

/// The boards of days. Clones share them.
#[derive(Clone)]
pub struct Days {
    store: Store,
    dealers: Dealers,
    clock: Clock,
    /// Who deals one: whoever asks for the same day waits, and finds it.
    one: Arc<Mutex<()>>,
}

impl Days {
    /// Days of a store.
    pub fn new(store: Store, dealers: Dealers, clock: Clock) -> Days {
        Days { store, dealers, clock, one: Arc::default() }
    }

    /// Binds the server to the seeds of today and the days after it, for as long as it is left to run; stopping it loses
    /// nothing.
    pub async fn keep(&self) {
        let mut often = tokio::time::interval(OFTEN);
        loop {
            often.tick().await;
            let today = Day::of(self.clock.now().0 as i64);
            for day in std::iter::successors(Some(today), |day| Some(day.next())).take(1 + AHEAD as usize) {
                if let Err(error) = self.made(day).await {
                    tracing::warn!(%day, %error, "the daily board could not be made; trying again in a minute");
                }
            }
        }
    }

    /// What is stored of a day; dealt first if nothing is.
    pub async fn made(&self, day: Day) -> Result<DailyBoard, NoDaily> {
        if let Some(stored) = self.store.daily(day).await? {
            return Ok(stored);
        }
        let _one = self.one.lock().await;
        let server_seed = Seed(random());
        for redeals in 0..REDEALS_MAX {
            if let Some(stored) = self.store.daily(day).await? {
                return Ok(stored);
            }
            let dealt = self.dealt(day, &server_seed, redeals).await.ok_or(NoDaily::NotDealt(day))?;
            if self.store.make_daily(&dealt).await? == MadeDaily::Stored {
                tracing::info!(%day, commitment = dealt.commitment, "the daily board is dealt");
            }
        }
        Err(NoDaily::NotDealt(day))
    }

    async fn dealt(&self, day: Day, server_seed: &Seed, redeals: u32) -> Option<DailyBoard> {
        let preset = preset(day);
        let ProvenBoard { board, optimum } = self.dealers.deal(preset, board_seed(server_seed, redeals)).await?;
        Some(DailyBoard {
            day: day.number().into(),
            preset: preset.name().to_owned(),
            deal_version: DEAL_VERSION.into(),
            commitment: commitment(DEAL_VERSION, day, preset, server_seed).to_string(),
            server_seed: server_seed.to_string(),
            redeals: redeals.into(),
            board: board.to_string(),
            optimum: optimum?.into(),
            committed_at_ms: self.clock.now().0 as i64,
        })
    }
}

/// The board of a day as a room asks for it, waiting for a store that does not answer; `None` if none is stored, or it
/// cannot be read.
pub async fn board_of(store: &Store, day: Day) -> Option<ProvenBoard> {
    loop {
        match store.daily(day).await {
            Ok(stored) => {
                let stored = stored?;
                let board = stored.board.parse().inspect_err(|error| tracing::error!(%day, %error, "no daily board"));
                return Some(ProvenBoard { board: board.ok()?, optimum: Some(stored.optimum as u32) });
            }
            Err(error) => {
                tracing::warn!(%day, %error, "a daily board cannot be read now; trying again");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
