//! Rebuilding the ratings and boards from the stored rounds, beside a server that runs or without one.
//!
//! Whoever was flagged or banned meanwhile is then counted as now; otherwise a rebuild comes to the same numbers, bit
//! for bit. Must never show anybody half a rebuild: the new generation counts from one instant on, or never.

use std::time::Duration;

use thiserror::Error;
use tokio::time::{Instant, sleep};

use crate::clock::Clock;
use crate::store::{Building, Store, StoreError};

/// The longest pause between two steps.
const PAUSE_MAX: Duration = Duration::from_millis(100);

/// What is to come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The rebuilt numbers count from now on.
    Replace,
    /// They are compared with those that count, and removed.
    Check,
}

/// What a rebuild has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Rounds counted.
    pub rounds: u64,
    /// Players with a rating.
    pub players: u64,
    /// Ratings, and movements of ratings, that are not as they were before.
    pub differing: u64,
}

/// Why ratings were not rebuilt; those that count are as they were.
#[derive(Debug, Error)]
pub enum RebuildError {
    /// Another one is at work.
    #[error(
        "the ratings are being rebuilt already: wait for that; if it has died, a minute after its last step will do"
    )]
    Busy,
    /// Another one has taken over.
    #[error("this rebuild was silent for a minute, and another has taken over: see what that one says")]
    Lost,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Counts every numbered round anew.
pub async fn rebuild(store: &Store, clock: &Clock, purpose: Purpose) -> Result<Report, RebuildError> {
    let now_ms = || clock.now().0 as i64;
    let mut building = store.claim_building(now_ms()).await?.ok_or(RebuildError::Busy)?;
    let flip = purpose == Purpose::Replace;
    let mut report = Report { rounds: 0, players: 0, differing: 0 };
    let mut last = 0;
    loop {
        let begun = Instant::now();
        let step = store.build(&mut building, last, flip, now_ms()).await?.ok_or(RebuildError::Lost)?;
        (report.rounds, report.differing, last) =
            (report.rounds + step.rounds, report.differing + step.differing, step.last);
        if step.is_last {
            break;
        }
        make_way(begun).await;
    }
    let Building { current, next, .. } = building;
    report.players = store.players_rated(next).await?;
    match purpose {
        Purpose::Replace => {
            report.differing += store.ratings_differing(current, next, last).await?;
            loop {
                let begun = Instant::now();
                if !store.remove_past(next).await? {
                    break;
                }
                make_way(begun).await;
            }
        }
        Purpose::Check => {
            report.differing += store.ratings_differing(next, current, last).await?;
            remove_unfinished(store, &mut building, clock).await?;
            store.release_building(building).await?;
        }
    }
    Ok(report)
}

async fn remove_unfinished(store: &Store, building: &mut Building, clock: &Clock) -> Result<(), RebuildError> {
    loop {
        let begun = Instant::now();
        if !store.remove_unfinished(building, clock.now().0 as i64).await?.ok_or(RebuildError::Lost)? {
            return Ok(());
        }
        make_way(begun).await;
    }
}

/// Pauses for as long as a step took: who waits for the writer of a SQLite file asks now and then only, and must find
/// it free as often as not.
async fn make_way(begun: Instant) {
    sleep(begun.elapsed().min(PAUSE_MAX)).await;
}
