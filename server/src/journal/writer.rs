//! The writer task: batches, tries again, and answers each append by the class of what happened.
//!
//! Must never answer before the attempt is over, except that the outcome is unknown.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::commit::commit;
use super::{Append, AppendError, Job, JournalOptions, QUEUE, batch};
use crate::store::{Failure, Health, Store, StoreError};

/// First pause before a write is tried again; it doubles up to [`PAUSE_MAX`].
const PAUSE: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_millis(500);

/// Commits batch after batch until all handles are gone and nothing waits.
pub(super) async fn run(store: Store, mut jobs: mpsc::Receiver<Job>, options: JournalOptions) {
    let writer = Writer { store, options };
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            match writer.next(&mut jobs).await {
                Some(job) => waiting.push_back(job),
                None => return,
            }
        }
        while waiting.len() < QUEUE
            && let Ok(job) = jobs.try_recv()
        {
            waiting.push_back(job);
        }
        writer.settle(batch::take(&mut waiting)).await;
    }
}

struct Writer {
    store: Store,
    options: JournalOptions,
}

impl Writer {
    /// Waits for an append. While the store is stalled nobody may send one, so the database is asked by itself
    /// whether it is back.
    async fn next(&self, jobs: &mut mpsc::Receiver<Job>) -> Option<Job> {
        let health = self.store.health();
        loop {
            if *health.borrow() != Health::Stalled {
                return jobs.recv().await;
            }
            match timeout(PAUSE_MAX, jobs.recv()).await {
                Ok(job) => return job,
                Err(_) => {
                    if self.store.probe_write().await.is_ok() {
                        self.store.set_health(Health::Ok);
                    }
                }
            }
        }
    }

    /// Commits a batch and answers each of its appends.
    async fn settle(&self, batch: Vec<Job>) {
        let (appends, replies): (Vec<Append>, Vec<_>) = batch.into_iter().map(|job| (job.append, job.reply)).unzip();
        let appends: Arc<[Append]> = appends.into();
        match self.try_until_settled(&appends, 0..appends.len()).await {
            Ok(accepted) => {
                for (append, reply) in appends.iter().zip(replies) {
                    answer(reply, fenced_or_ok(&accepted, append.room_id));
                }
            }
            Err(Failure::Data(_) | Failure::BoardTaken) if appends.len() > 1 => {
                for (index, reply) in replies.into_iter().enumerate() {
                    let room_id = appends[index].room_id;
                    let alone = self.try_until_settled(&appends, index..index + 1).await;
                    answer(reply, alone.map_err(refusal).and_then(|accepted| fenced_or_ok(&accepted, room_id)));
                }
            }
            Err(failure) => {
                let error = refusal(failure);
                replies.into_iter().for_each(|reply| answer(reply, Err(error.clone())));
            }
        }
    }

    /// Tries until these appends are committed, refused or doubtful, or the time for trying is over.
    async fn try_until_settled(&self, appends: &Arc<[Append]>, range: Range<usize>) -> Result<Vec<Uuid>, Failure> {
        let give_up = Instant::now() + self.options.retry_for;
        let mut pause = PAUSE;
        loop {
            if let Err(StoreError::ReadOnly(reason)) = self.store.check_writable() {
                return Err(Failure::Fatal(reason));
            }
            let outcome = self.attempt(appends, range.clone()).await;
            match &outcome {
                Ok(_) | Err(Failure::Data(_) | Failure::BoardTaken) => self.store.set_health(Health::Ok),
                Err(Failure::Fatal(reason)) => self.store.set_health(Health::Failed(reason.clone())),
                Err(Failure::Unknown(reason)) => {
                    tracing::warn!(reason, appends = range.len(), "a commit's outcome is unknown");
                    self.store.set_health(Health::Stalled);
                }
                Err(Failure::NotCommitted(reason)) => {
                    self.store.set_health(Health::Stalled);
                    if Instant::now() + pause < give_up {
                        tracing::warn!(reason, "a batch was not committed; trying again");
                        sleep(pause).await;
                        pause = (pause * 2).min(PAUSE_MAX);
                        continue;
                    }
                    tracing::error!(reason, appends = range.len(), "a batch could not be committed in time");
                }
            }
            return outcome;
        }
    }

    /// One attempt, in a task of its own so that nothing can cancel it.
    async fn attempt(&self, appends: &Arc<[Append]>, range: Range<usize>) -> Result<Vec<Uuid>, Failure> {
        let (store, appends, faults) = (self.store.clone(), appends.clone(), self.options.faults.clone());
        let mut commit = tokio::spawn(async move { commit(&store, &appends[range], &faults).await });
        let mut done = timeout(self.options.stalled_after, &mut commit).await.ok();
        if done.is_none() {
            self.store.set_health(Health::Stalled);
            done = match self.store.is_sqlite() {
                // A stalled disk is waited for: there is no other connection that could tell the outcome.
                true => Some(commit.await),
                false => timeout(self.options.unknown_after, commit).await.ok(),
            };
        }
        match done {
            Some(Ok(outcome)) => outcome,
            Some(Err(error)) => Err(Failure::Unknown(format!("the commit broke off: {error}"))),
            None => Err(Failure::Unknown("no answer from the database".to_owned())),
        }
    }
}

fn fenced_or_ok(accepted: &[Uuid], room_id: Uuid) -> Result<(), AppendError> {
    if accepted.contains(&room_id) { Ok(()) } else { Err(AppendError::Fenced) }
}

fn refusal(failure: Failure) -> AppendError {
    match failure {
        Failure::NotCommitted(reason) => AppendError::Unavailable(reason),
        Failure::Data(reason) => AppendError::Rejected(reason),
        Failure::BoardTaken => AppendError::BoardTaken,
        Failure::Unknown(reason) => AppendError::Unknown(reason),
        Failure::Fatal(reason) => AppendError::Failed(reason),
    }
}

/// A room that no longer waits for its answer has lost nothing: it rebuilds from the journal.
fn answer(reply: oneshot::Sender<Result<(), AppendError>>, outcome: Result<(), AppendError>) {
    let _ = reply.send(outcome);
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use uuid::Uuid;

    use super::*;
    use crate::journal::{EventRow, Journal};
    use crate::store::{Db, NewRoom, StoreOptions};

    /// A room in a real file, its journal, and the statement that the writer's connection ran first.
    async fn sqlite(first: &'static str) -> (TempDir, Store, Journal, Uuid) {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        let store = Store::open(&url, StoreOptions::default()).await.unwrap();
        let room_id = Uuid::now_v7();
        let room = NewRoom {
            room_id,
            code: "AAAAAA".to_owned(),
            public: true,
            options: String::new(),
            listing: String::new(),
            state: "lobby".to_owned(),
            owner: "here".to_owned(),
            lease_until_ms: None,
            created_at_ms: 0,
            matched: false,
            guests: "[]".to_owned(),
            ghosts: Vec::new(),
            seated: Vec::new(),
            try_of: None,
            events: Vec::new(),
        };
        store.create_room(&room).await.unwrap();
        let Db::Sqlite(pools) = store.db() else { unreachable!("a file was opened") };
        sqlx::query(first).execute(&pools.write).await.unwrap();
        let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
        (directory, store, journal, room_id)
    }

    /// Appends until the first refusal; returns how many were acknowledged, and the refusal.
    async fn append_until_refused(journal: &Journal, room_id: Uuid) -> (i64, AppendError) {
        let body = "x".repeat(10_000);
        for seq in 1..10_000 {
            let events = vec![EventRow { seq, at_ms: 0, body: body.clone() }];
            let append = Append { room_id, epoch: 1, first_seq: seq, events, ..Append::default() };
            if let Err(error) = journal.append(append).await {
                return (seq - 1, error);
            }
        }
        panic!("the limit was never reached");
    }

    #[tokio::test]
    async fn a_full_database_is_fatal_and_keeps_what_was_acknowledged() {
        let (_directory, store, journal, room_id) = sqlite("PRAGMA max_page_count = 200").await;
        let (acknowledged, error) = append_until_refused(&journal, room_id).await;
        assert!(matches!(&error, AppendError::Failed(reason) if reason.contains("full")), "{error:?}");
        assert!(matches!(&*store.health().borrow(), Health::Failed(_)));
        assert!(acknowledged > 0);
        assert_eq!(store.events(room_id, 1).await.unwrap().len() as i64, acknowledged);
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_written_is_fatal() {
        let (_directory, store, journal, room_id) = sqlite("PRAGMA query_only = 1").await;
        let (acknowledged, error) = append_until_refused(&journal, room_id).await;
        assert!(matches!(&error, AppendError::Failed(reason) if reason.contains("readonly")), "{error:?}");
        assert_eq!(acknowledged, 0);
        assert!(matches!(&*store.health().borrow(), Health::Failed(_)));
    }

    #[tokio::test]
    async fn a_damaged_file_is_fatal() {
        let (directory, store, journal, room_id) = sqlite("PRAGMA wal_checkpoint(TRUNCATE)").await;
        let file = std::fs::OpenOptions::new().write(true).open(directory.path().join("rooms.sqlite")).unwrap();
        // Every page but the first two: the tables are gone under the open connection's feet.
        file.set_len(8192).unwrap();
        let Db::Sqlite(pools) = store.db() else { unreachable!("a file was opened") };
        sqlx::query("PRAGMA shrink_memory").execute(&pools.write).await.unwrap();
        let (acknowledged, error) = append_until_refused(&journal, room_id).await;
        assert!(matches!(error, AppendError::Failed(_)), "{error:?}");
        assert_eq!(acknowledged, 0);
    }

    #[test]
    fn orders_for_faults_are_read_or_refused_with_what_would_be_right() {
        let faults: crate::journal::Faults = "busy@3, stall:1500@10,eio@20".parse().unwrap();
        assert_eq!(faults.attempts(), 0);
        for wrong in ["busy", "busy@0", "busy@x", "stall:x@1", "melt@1", "eio:5@1"] {
            let error = wrong.parse::<crate::journal::Faults>().unwrap_err();
            assert!(error.contains("busy") && error.contains(wrong.split('@').next().unwrap()), "{error}");
        }
    }
}
