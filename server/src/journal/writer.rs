//! The writer task: batches, tries again, and answers each append by the class of what happened.
//!
//! Must never answer before the attempt is over, except that the outcome is unknown.

use std::collections::VecDeque;
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
        match self.try_until_settled(appends.clone()).await {
            Ok(accepted) => {
                for (append, reply) in appends.iter().zip(replies) {
                    answer(reply, fenced_or_ok(&accepted, append.room_id));
                }
            }
            Err(Failure::Data(_) | Failure::BoardTaken) if appends.len() > 1 => {
                for (append, reply) in appends.into_iter().zip(replies) {
                    let room_id = append.room_id;
                    let alone = self.try_until_settled(vec![append]).await;
                    answer(reply, alone.map_err(refusal).and_then(|accepted| fenced_or_ok(&accepted, room_id)));
                }
            }
            Err(failure) => {
                let error = refusal(failure);
                replies.into_iter().for_each(|reply| answer(reply, Err(error.clone())));
            }
        }
    }

    /// Tries until the batch is committed, refused or doubtful, or the time for trying is over.
    async fn try_until_settled(&self, appends: Vec<Append>) -> Result<Vec<Uuid>, Failure> {
        let appends: Arc<[Append]> = appends.into();
        let give_up = Instant::now() + self.options.retry_for;
        let mut pause = PAUSE;
        loop {
            if let Err(StoreError::ReadOnly(reason)) = self.store.check_writable() {
                return Err(Failure::Fatal(reason));
            }
            let outcome = self.attempt(&appends).await;
            match &outcome {
                Ok(_) | Err(Failure::Data(_) | Failure::BoardTaken) => self.store.set_health(Health::Ok),
                Err(Failure::Fatal(reason)) => self.store.set_health(Health::Failed(reason.clone())),
                Err(Failure::Unknown(reason)) => {
                    tracing::warn!(reason, appends = appends.len(), "a commit's outcome is unknown");
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
                    tracing::error!(reason, appends = appends.len(), "a batch could not be committed in time");
                }
            }
            return outcome;
        }
    }

    /// One attempt, in a task of its own so that nothing can cancel it.
    async fn attempt(&self, appends: &Arc<[Append]>) -> Result<Vec<Uuid>, Failure> {
        let (store, appends, faults) = (self.store.clone(), appends.clone(), self.options.faults.clone());
        let mut commit = tokio::spawn(async move { commit(&store, &appends, &faults).await });
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
