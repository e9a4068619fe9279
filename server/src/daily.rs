//! The Daily Spire: whose seeds the server binds itself to, a day ahead.
//!
//! Must never tell a seed or a board before its day: the commitment is all that is known of a day to come.

use std::time::Duration;

use sprint_shared::daily::{REDEALS_MAX, board_seed, commitment, preset};
use sprint_shared::day::Day;
use sprint_shared::deal::{DEAL_VERSION, Seed};
use thiserror::Error;

use crate::chance::random;
use crate::clock::Clock;
use crate::pool::{Dealers, ProvenBoard};
use crate::store::{DailyBoard, MadeDaily, Store, StoreError};

/// How often the server looks whether today and tomorrow have their boards.
const OFTEN: Duration = Duration::from_secs(60);

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

/// Binds the server to today's and tomorrow's seeds, for as long as it is left to run; stopping it loses nothing.
pub async fn keep_days(store: &Store, dealers: &Dealers, clock: Clock) {
    let mut often = tokio::time::interval(OFTEN);
    loop {
        often.tick().await;
        let today = Day::of(clock.now().0 as i64);
        for day in [today, today.next()] {
            if let Err(error) = made(store, dealers, clock, day).await {
                tracing::warn!(%day, %error, "the daily board could not be made; trying again in a minute");
            }
        }
    }
}

/// What is stored of a day; dealt first if nothing is.
pub async fn made(store: &Store, dealers: &Dealers, clock: Clock, day: Day) -> Result<DailyBoard, NoDaily> {
    let server_seed = Seed(random());
    for redeals in 0..REDEALS_MAX {
        if let Some(stored) = store.daily(day).await? {
            return Ok(stored);
        }
        let preset = preset(day);
        let dealt = dealers.deal(preset, board_seed(&server_seed, redeals)).await;
        let ProvenBoard { board, optimum } = dealt.ok_or(NoDaily::NotDealt(day))?;
        let daily = DailyBoard {
            day: day.number().into(),
            preset: preset.name().to_owned(),
            deal_version: DEAL_VERSION.into(),
            commitment: commitment(DEAL_VERSION, day, preset, &server_seed).to_string(),
            server_seed: server_seed.to_string(),
            redeals: redeals.into(),
            board: board.to_string(),
            optimum: i64::from(optimum.ok_or(NoDaily::NotDealt(day))?),
            committed_at_ms: clock.now().0 as i64,
        };
        if store.make_daily(&daily).await? == MadeDaily::Stored {
            tracing::info!(%day, commitment = daily.commitment, "the daily board is dealt");
        }
    }
    Err(NoDaily::NotDealt(day))
}

/// The board of a day as a room asks for it; `None` if there is none.
pub async fn board_of(store: &Store, day: Day) -> Option<ProvenBoard> {
    let stored = store.daily(day).await.inspect_err(|error| tracing::warn!(%day, %error, "no daily board")).ok()??;
    Some(ProvenBoard { board: stored.board.parse().ok()?, optimum: Some(stored.optimum as u32) })
}
