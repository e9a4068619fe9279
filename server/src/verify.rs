//! Proves stored rounds again, each from its own events alone.

use uuid::Uuid;

use crate::store::{MatchAfter, Store, StoreError};
use crate::web::proven;

/// Rounds of a page.
const PAGE: i64 = 100;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Rounds whose result follows from their events.
    pub verified: u64,
    /// The others, with what differs.
    pub differing: Vec<(Uuid, String)>,
}

/// Proves every stored round.
pub async fn all(store: &Store) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut after = None;
    loop {
        let rounds = store.rounds(after, PAGE).await?;
        let Some(last) = rounds.last() else { return Ok(report) };
        after = Some(MatchAfter { finished_at_ms: last.finished_at_ms, round_id: last.round_id });
        for round in rounds {
            let rows = store.replay(&round).await?;
            match proven(&round, &rows) {
                Ok(_) => report.verified += 1,
                Err(damage) => report.differing.push((round.round_id, damage.to_string())),
            }
        }
    }
}
