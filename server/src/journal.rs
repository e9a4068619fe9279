//! The journal: one writer for all rooms, group commit, fenced by the room row.
//!
//! What queues while one commit runs is the next batch. Must never acknowledge an append before its commit, never
//! cancel a commit, never split an append, and never let an append pass whose epoch or sequence does not follow the
//! room row.

mod batch;
mod commit;
mod faults;
mod writer;

use std::time::Duration;

use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use uuid::Uuid;

pub use faults::{Fault, Faults, Gate};

use crate::store::dialect::EventInsert;
use crate::store::{DealtBoard, EVENT_FORMAT, Health, RoundRecord, Store};

/// Appends that may wait for the writer; a room that finds the queue full waits.
const QUEUE: usize = 1024;

/// A handle on the journal; clones share its writer.
#[derive(Clone)]
pub struct Journal {
    queue: mpsc::Sender<Job>,
    health: watch::Receiver<Health>,
}

/// How the journal behaves.
#[derive(Clone, Debug)]
pub struct JournalOptions {
    /// For how long a write that is known not to be committed is tried again.
    pub retry_for: Duration,
    /// A commit that takes longer than this is reported as [`Health::Stalled`].
    pub stalled_after: Duration,
    /// On Postgres: a commit without an answer for this long has an unknown outcome. It goes on by itself.
    pub unknown_after: Duration,
    /// Failures to inject; none unless asked for.
    pub faults: Faults,
}

impl Default for JournalOptions {
    fn default() -> Self {
        JournalOptions {
            retry_for: Duration::from_secs(5),
            stalled_after: Duration::from_secs(1),
            unknown_after: Duration::from_secs(20),
            faults: Faults::default(),
        }
    }
}

/// What one room commits at once: all of it or nothing.
#[derive(Clone, Debug, Default)]
pub struct Append {
    /// The room.
    pub room_id: Uuid,
    /// The ownership under which the room runs.
    pub epoch: i64,
    /// The `seq` of the first event: one more than the last committed.
    pub first_seq: i64,
    /// At least one event, counting from `first_seq` without gaps.
    pub events: Vec<EventRow>,
    /// What changes on the room row.
    pub change: RoomChange,
    /// Boards that these events show for the first time.
    pub dealt: Vec<DealtBoard>,
    /// Rounds that these events end; a round that is already stored stays as it is.
    pub outcomes: Vec<RoundRecord>,
    /// Players whom these events seat.
    pub seated: Vec<Uuid>,
}

/// One event to be committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// Its place in the room, from 1.
    pub seq: i64,
    /// Milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The event, encoded in the format [`EVENT_FORMAT`].
    pub body: String,
}

/// What an append changes on the room row; `None` leaves a value as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomChange {
    /// The room's phase in the words of the protocol.
    pub state: Option<String>,
    /// What the public list shows of it, encoded.
    pub listing: Option<String>,
    /// The room is over: milliseconds since the Unix epoch.
    pub finished_at_ms: Option<i64>,
    /// The ids of players who were sent away for good, encoded.
    pub kicked: Option<String>,
}

/// Why an append was not acknowledged. Except for `Unknown`, nothing of it is in the database.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AppendError {
    /// The room row has another epoch or sequence: somebody else owns the room. Stop, and say nothing.
    #[error("the room has another owner")]
    Fenced,
    /// The database was away or busy for too long; rebuild the room when it is back.
    #[error("the database did not answer in time: {0}")]
    Unavailable(String),
    /// The database would refuse this append for ever: close the room.
    #[error("the database refuses this append: {0}")]
    Rejected(String),
    /// The board was shown before by another round: deal another.
    #[error("the board was dealt before")]
    BoardTaken,
    /// It may be committed or not. Claim the room first, then read its events: the claim waits for the doubtful
    /// transaction and shuts it out.
    #[error("it is unknown whether the append was committed: {0}")]
    Unknown(String),
    /// The disk failed: nothing is acknowledged any more.
    #[error("the store is read-only: {0}")]
    Failed(String),
    /// The append contradicts itself: an error in the caller.
    #[error("the append is malformed: {0}")]
    Malformed(&'static str),
    /// The journal has ended.
    #[error("the journal has ended")]
    Closed,
}

/// An append on its way, with the place for its answer.
pub(crate) struct Job {
    append: Append,
    reply: oneshot::Sender<Result<(), AppendError>>,
}

impl Journal {
    /// Starts the writer. It ends, with everything queued committed, once all handles are gone.
    pub fn start(store: Store, options: JournalOptions) -> (Journal, JoinHandle<()>) {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let health = store.health();
        let task = tokio::spawn(writer::run(store, jobs, options));
        (Journal { queue, health }, task)
    }

    /// Commits an append; returns once it is durable. Dropping the future does not take the append back.
    pub async fn append(&self, append: Append) -> Result<(), AppendError> {
        append.check()?;
        if let Health::Failed(reason) = &*self.health.borrow() {
            return Err(AppendError::Failed(reason.clone()));
        }
        let (reply, answer) = oneshot::channel();
        self.queue.send(Job { append, reply }).await.map_err(|_| AppendError::Closed)?;
        answer.await.map_err(|_| AppendError::Closed)?
    }

    /// How the store is; sockets answer `unavailable` while it is not [`Health::Ok`].
    pub fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }
}

impl Append {
    fn check(&self) -> Result<(), AppendError> {
        if self.events.is_empty() {
            return Err(AppendError::Malformed("it has no events"));
        }
        if self.events.iter().zip(self.first_seq..).any(|(event, seq)| event.seq != seq) {
            return Err(AppendError::Malformed("its events do not count from first_seq"));
        }
        Ok(())
    }

    fn last_seq(&self) -> i64 {
        self.first_seq + self.events.len() as i64 - 1
    }
}

impl EventRow {
    pub(crate) fn insert(&self, room_id: Uuid, epoch: i64) -> EventInsert<'_> {
        EventInsert { room_id, seq: self.seq, epoch, format: EVENT_FORMAT, at_ms: self.at_ms, body: &self.body }
    }
}
