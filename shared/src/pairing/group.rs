//! Who of those who wait in one pool race each other.
//!
//! Must never put anybody into two groups, and never let the one who has waited longest be passed over for a closer
//! match of others.

use uuid::Uuid;

use super::window;
use crate::time::Millis;

/// Somebody who waits, as far as pairing looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub rating: i64,
    pub uncertainty: u32,
    pub since: Millis,
    pub player: Uuid,
}

/// The groups of `seats` that may race at `now`: the longest waiting is served first, with those nearest in rating.
pub(super) fn groups(mut candidates: Vec<Candidate>, seats: usize, now: Millis) -> Vec<Vec<Uuid>> {
    candidates.sort_unstable_by_key(|c| (c.rating, c.since, c.player));
    let mut served: Vec<Candidate> = candidates.clone();
    served.sort_unstable_by_key(|c| (c.since, c.player));
    let mut groups = Vec::new();
    for candidate in served {
        // Whoever is in a group already is no candidate any more.
        let place = candidates.binary_search_by_key(&(candidate.rating, candidate.since, candidate.player), |c| {
            (c.rating, c.since, c.player)
        });
        let Ok(at) = place else { continue };
        if let Some(start) = nearest(&candidates, at, seats)
            && is_allowed(&candidate, &candidates[start..start + seats], now)
        {
            groups.push(candidates.drain(start..start + seats).map(|c| c.player).collect());
        }
    }
    groups
}

/// Where the group begins that holds `at` and has the least spread of ratings; candidates ascend by rating, so it is
/// one of those that stand together.
fn nearest(candidates: &[Candidate], at: usize, seats: usize) -> Option<usize> {
    let last = candidates.len().checked_sub(seats)?.min(at);
    let first = (at + 1).saturating_sub(seats);
    (first..=last).min_by_key(|start| spread(&candidates[*start..start + seats]))
}

fn spread(group: &[Candidate]) -> i64 {
    let ends = group.first().zip(group.last());
    ends.map_or(0, |(lowest, highest)| highest.rating.saturating_sub(lowest.rating))
}

/// Whether the one who is served accepts the spread: the longer the wait and the less certain the ratings at the ends,
/// the wider it may be.
fn is_allowed(served: &Candidate, group: &[Candidate], now: Millis) -> bool {
    let Some(window) = window(served.since, now) else { return true };
    let uncertainty = group
        .first()
        .zip(group.last())
        .map_or(0, |(low, high)| (i64::from(low.uncertainty) + i64::from(high.uncertainty)) / 2);
    spread(group) <= i64::from(window) + uncertainty
}
