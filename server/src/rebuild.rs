//! Rebuilding the ratings and boards from the stored rounds, beside a server that runs or without one.
//!
//! Whoever was flagged or banned meanwhile is then counted as now; otherwise a rebuild comes to the same numbers, bit
//! for bit. Must never show anybody half a rebuild: the new generation counts from one instant on, or never.

use std::fmt;
use std::time::Duration;

use thiserror::Error;
use tokio::time::{Instant, sleep};

use crate::clock::Clock;
use crate::store::{Building, Difference, Store, StoreError, make_way};

/// How many of the things that differ are named.
pub const NAMED_MAX: usize = 100;

/// How often a step is tried that comes to nothing.
const TRIES: u32 = 5;
/// The pause before a step is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// What is to come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The rebuilt numbers count from now on.
    Replace,
    /// They are compared with those that count, and removed.
    Check,
}

/// What a rebuild has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Rounds counted.
    pub rounds: u64,
    /// Players with a rating.
    pub players: u64,
    /// Ratings, and movements of ratings, that are not as they were before; `None` if the new ones count and could not
    /// be compared any more.
    pub differing: Option<u64>,
    /// Entries of boards, and counts of them, that are not as they are to be; `None` unless this was a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// What of all that differs, [`NAMED_MAX`] of it at most.
    pub what: Vec<Difference>,
}

impl Report {
    /// Whether everything was as it is to be, as far as it was compared.
    pub fn is_same(&self) -> bool {
        self.differing == Some(0) && self.entries.unwrap_or_default() == 0
    }

    /// Names what differs; returns how much of it there is.
    fn name(&mut self, differences: Vec<Difference>) -> u64 {
        let rows = differences.iter().map(|difference| difference.rows).sum();
        let room = NAMED_MAX - self.what.len();
        self.what.extend(differences.into_iter().take(room));
        rows
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { rounds, players, differing, entries, .. } = self;
        write!(f, "rounds {rounds} players {players} differing ")?;
        match differing {
            Some(differing) => write!(f, "{differing}")?,
            None => f.write_str("unknown")?,
        }
        entries.map_or(Ok(()), |entries| write!(f, " entries {entries}"))
    }
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
    #[error(
        "another command has taken this rebuild over, because it changes who counts or this one was silent for a \
         minute; it finishes it, and counts what this one was to count"
    )]
    Lost,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Counts every numbered round anew.
pub async fn rebuild(store: &Store, clock: &Clock, purpose: Purpose) -> Result<Report, RebuildError> {
    let building = store.claim_building(clock.now().0 as i64).await?.ok_or(RebuildError::Busy)?;
    rebuild_as(store, clock, purpose, building).await
}

/// Counts every numbered round anew, with the claim in hand.
pub(crate) async fn rebuild_as(
    store: &Store,
    clock: &Clock,
    purpose: Purpose,
    mut building: Building,
) -> Result<Report, RebuildError> {
    let outcome = match build(store, clock, purpose, &mut building).await {
        Ok((report, last)) => finish(store, clock, purpose, &mut building, report, last).await,
        Err(error) => Err(error),
    };
    if let Err(RebuildError::Store(_)) = &outcome
        && let Err(error) = store.let_building_go(building).await
    {
        tracing::warn!(%error, "others must wait a minute before they can rebuild");
    }
    outcome
}

/// Fills the next generation, which counts from the last step on if that is the purpose; with the number of the last
/// round.
async fn build(
    store: &Store,
    clock: &Clock,
    purpose: Purpose,
    building: &mut Building,
) -> Result<(Report, i64), RebuildError> {
    let (mut report, mut last) = (Report { differing: Some(0), ..Report::default() }, 0);
    let mut failed = None;
    let mut tries = 0;
    loop {
        let begun = Instant::now();
        match store.build(building, last, purpose == Purpose::Replace, clock.now().0 as i64).await {
            Ok(Some(step)) => {
                last = step.last;
                report.rounds += step.rounds;
                let moves = report.name(step.differing);
                report.differing = report.differing.map(|differing| differing + moves);
                if step.is_last {
                    report.players = step.players;
                    return Ok((report, last));
                }
                (failed, tries) = (None, 0);
                make_way(begun).await;
            }
            // Whether a commit without an answer was one shows in the claim.
            Ok(None) => return Err(failed.map_or(RebuildError::Lost, RebuildError::Store)),
            Err(error @ (StoreError::Database(_) | StoreError::Busy(_))) if tries < TRIES => {
                tracing::warn!(%error, "a step of the rebuild came to nothing; trying again");
                (failed, tries) = (Some(error), tries + 1);
                sleep(PAUSE).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Compares the two generations, and removes the one that does not count.
async fn finish(
    store: &Store,
    clock: &Clock,
    purpose: Purpose,
    building: &mut Building,
    mut report: Report,
    last: i64,
) -> Result<Report, RebuildError> {
    let Building { current, next, .. } = *building;
    if purpose == Purpose::Check {
        let ratings = report.name(store.ratings_differing(next, current, last).await?);
        report.differing = report.differing.map(|moves| moves + ratings);
        let boards = store.boards_differing(building, || clock.now().0 as i64).await?.ok_or(RebuildError::Lost)?;
        report.entries = Some(report.name(boards));
        remove_unfinished(store, building, clock).await?;
        store.release_building(*building).await?;
        return Ok(report);
    }
    // The new numbers count: what fails from here on changes nothing of that.
    match store.ratings_differing(current, next, last).await {
        Ok(ratings) => {
            let ratings = report.name(ratings);
            report.differing = report.differing.map(|moves| moves + ratings);
        }
        Err(error) => {
            tracing::warn!(%error, "the new ratings count, but could not be compared with the old ones");
            report.differing = None;
        }
    }
    if let Err(error) = remove_past(store, next).await {
        tracing::warn!(%error, "the new ratings count; old rows are left, and the next rebuild removes them");
    }
    Ok(report)
}

async fn remove_past(store: &Store, current: i64) -> Result<(), StoreError> {
    loop {
        let begun = Instant::now();
        if !store.remove_past(current).await? {
            return Ok(());
        }
        make_way(begun).await;
    }
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
