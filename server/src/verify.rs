//! Proves stored rounds again, each from its own events alone.
//!
//! Must hold no transaction over a page: the host may be racing meanwhile.

use sprint_shared::verify::differences;
use uuid::Uuid;

use crate::store::{MatchAfter, RoundResult, Store, StoreError, StoredEvent};
use crate::web::as_stored;

/// Rounds of a page.
const PAGE: i64 = 100;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Rounds of which everything follows from their events.
    pub verified: u64,
    /// The others, each with everything that differs.
    pub differing: Vec<(Uuid, Vec<String>)>,
}

/// Proves every stored round: its events by the rules, its times, its result, its deal, its chain.
pub async fn all(store: &Store) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut after = None;
    loop {
        let rounds = store.rounds(after, PAGE).await?;
        let Some(last) = rounds.last() else { return Ok(report) };
        after = Some(MatchAfter { finished_at_ms: last.finished_at_ms, round_id: last.round_id });
        for round in rounds {
            let rows = store.replay(&round).await?;
            let found = found(&round, &rows);
            if found.is_empty() {
                report.verified += 1;
            } else {
                report.differing.push((round.round_id, found));
            }
        }
    }
}

/// What differs of one round, a line each.
fn found(round: &RoundResult, rows: &[StoredEvent]) -> Vec<String> {
    match as_stored(round, rows) {
        Ok(told) => differences(&told).iter().map(ToString::to_string).collect(),
        Err(damage) => vec![damage.to_string()],
    }
}
