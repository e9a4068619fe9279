//! What is committed together: at most one append a room.
//!
//! Must never split an append, nor let one pass an earlier one of its room.

use std::collections::{HashSet, VecDeque};

use uuid::Uuid;

use super::{Append, Job};
use crate::store::dialect::{Advance, EventInsert};

/// Events in a batch at most, unless a single append has more.
const EVENTS: usize = 256;

/// Takes the next batch from the front of what waits. What stays behind keeps its order.
pub(super) fn take(waiting: &mut VecDeque<Job>) -> Vec<Job> {
    let mut batch: Vec<Job> = Vec::new();
    let mut rooms: HashSet<Uuid> = HashSet::default();
    let mut behind = VecDeque::new();
    let mut events = 0;
    while let Some(job) = waiting.pop_front() {
        let fits = batch.is_empty() || events + job.append.events.len() <= EVENTS;
        if !fits {
            behind.push_back(job);
            break;
        }
        if rooms.insert(job.append.room_id) {
            events += job.append.events.len();
            batch.push(job);
        } else {
            behind.push_back(job);
        }
    }
    behind.append(waiting);
    *waiting = behind;
    batch
}

/// The rows of a batch, as the dialects take them.
pub(super) fn rows(appends: &[Append]) -> (Vec<Advance<'_>>, Vec<EventInsert<'_>>) {
    let rooms = appends
        .iter()
        .map(|append| Advance {
            room_id: append.room_id,
            epoch: append.epoch,
            first_seq: append.first_seq,
            last_seq: append.last_seq(),
            state: append.change.state.as_deref(),
            listing: append.change.listing.as_deref(),
            finished_at_ms: append.change.finished_at_ms,
            kicked: append.change.kicked.as_deref(),
        })
        .collect();
    let events = appends
        .iter()
        .flat_map(|append| append.events.iter().map(|event| event.insert(append.room_id, append.epoch)))
        .collect();
    (rooms, events)
}
