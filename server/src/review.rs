//! Reviews of rounds that are over, worked out when somebody asks: one at a time, on a thread that the system serves
//! after all others.
//!
//! Must never run where a room or a socket does, hold a request up, or hold a round in memory before its turn has come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::review::{Effort, REVIEW_FORMAT, Review, review};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use uuid::Uuid;

use crate::store::{RoundResult, Store, StoreError, StoredEvent};
use crate::web::proven;

/// Reviews that are worked out at once: each may take the memory of its effort.
const AT_ONCE: usize = 1;
/// Rounds that may wait for their review or be under way.
const PLACES: usize = 64;
/// Rounds without a review that are remembered, so that nobody tries them over and over.
const FAILED_MAX: usize = 1_000;
/// How much later than others the system serves these threads, on the scale of `nice`.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

/// Whoever works reviews out. Clones are the same.
#[derive(Clone)]
pub struct Reviewers(Arc<Shared>);

struct Shared {
    store: Store,
    effort: Effort,
    places: Arc<Semaphore>,
    turns: Semaphore,
    rounds: Mutex<Rounds>,
}

/// Rounds that were asked about and have no stored review.
#[derive(Default)]
struct Rounds {
    under_way: HashMap<Uuid, OwnedSemaphorePermit>,
    failed: HashMap<Uuid, String>,
}

/// What becomes of a round without a review.
pub enum Asked {
    /// It is worked out already.
    UnderWay,
    /// It is this caller's to begin.
    Open(Place),
    /// As many rounds wait as may.
    Full,
    /// It was tried, and cannot be worked out.
    Failed(String),
}

/// A round whose review is to be worked out; given back when it is dropped.
pub struct Place {
    reviewers: Reviewers,
    round_id: Uuid,
}

impl Reviewers {
    /// Nothing runs before somebody asks.
    pub fn new(store: Store, effort: Effort) -> Reviewers {
        let (places, turns) = (Arc::new(Semaphore::new(PLACES)), Semaphore::new(AT_ONCE));
        Reviewers(Arc::new(Shared { store, effort, places, turns, rounds: Mutex::default() }))
    }

    /// Asks for a round's review, which is not stored.
    pub fn ask(&self, round_id: Uuid) -> Asked {
        let mut rounds = self.rounds();
        if rounds.under_way.contains_key(&round_id) {
            return Asked::UnderWay;
        }
        if let Some(reason) = rounds.failed.get(&round_id) {
            return Asked::Failed(reason.clone());
        }
        let Ok(place) = self.0.places.clone().try_acquire_owned() else { return Asked::Full };
        rounds.under_way.insert(round_id, place);
        Asked::Open(Place { reviewers: self.clone(), round_id })
    }

    /// Ends what is under way; nothing of it is kept.
    pub fn stop(&self) {
        self.0.effort.budget.cancel.cancel();
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, round_id: Uuid, reason: String) {
        tracing::error!(%round_id, reason, "a round has no review");
        let mut rounds = self.rounds();
        if rounds.failed.len() >= FAILED_MAX {
            rounds.failed.clear();
        }
        rounds.failed.insert(round_id, reason);
    }
}

impl Place {
    /// Reads the round, proves it, works its review out and stores it, by and by.
    pub fn begin(self) {
        tokio::spawn(async move {
            let Shared { store, effort, turns, .. } = &*self.reviewers.0;
            let Ok(_turn) = turns.acquire().await else { return };
            let round_id = self.round_id;
            let (round, rows) = match read(store, round_id).await {
                Ok(Some(read)) => read,
                Ok(None) => return,
                Err(error) => return tracing::error!(%round_id, %error, "a round to be reviewed cannot be read now"),
            };
            let spent = effort.clone();
            let found = at_low_priority(move || {
                let round = proven(&round, &rows).map_err(|damage| damage.to_string())?;
                review(&round, &spent).map_err(|error| error.to_string())
            });
            let found = found.await;
            if effort.budget.cancel.is_cancelled() {
                return;
            }
            match found {
                Some(Ok(review)) => keep(store, round_id, &review).await,
                Some(Err(reason)) => self.reviewers.failed(round_id, reason),
                None => self.reviewers.failed(round_id, "the work on it broke off".to_owned()),
            }
        });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.reviewers.rounds().under_way.remove(&self.round_id);
    }
}

async fn read(store: &Store, round_id: Uuid) -> Result<Option<(RoundResult, Vec<StoredEvent>)>, StoreError> {
    let Some((round, _)) = store.round(round_id).await? else { return Ok(None) };
    let rows = store.replay(&round).await?;
    Ok(Some((round, rows)))
}

async fn keep(store: &Store, round_id: Uuid, review: &Review) {
    let body = serde_json::to_string(review).expect("reviews always encode");
    if let Err(error) = store.put_review(round_id, REVIEW_FORMAT.into(), &body).await {
        tracing::error!(%round_id, %error, "a review is not kept: it is worked out again when somebody asks");
    }
}

/// Does work on a thread of its own. `None` if it panicked, or if there is no thread to be had.
async fn at_low_priority<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, answer) = oneshot::channel();
    let thread = std::thread::Builder::new().name("review".to_owned()).spawn(move || {
        step_back();
        let _ = done.send(work());
    });
    if let Err(error) = thread {
        tracing::error!(%error, "no thread for a review");
        return None;
    }
    answer.await.ok()
}

/// Lowers the priority of the calling thread: on Linux `nice` is a thread's own, elsewhere the whole process's.
#[cfg(target_os = "linux")]
fn step_back() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::warn!(%error, "a review is worked out at the priority of everything else");
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;
    use crate::store::{Durability, StoreOptions};

    async fn reviewers(directory: &tempfile::TempDir) -> Reviewers {
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        let options = StoreOptions { durability: Durability::Process, ..StoreOptions::default() };
        Reviewers::new(Store::open(&url, options).await.expect("a new file"), Effort::default())
    }

    fn open(asked: Asked) -> Place {
        match asked {
            Asked::Open(place) => place,
            _ => panic!("it is this caller's to begin"),
        }
    }

    /// Waits until nothing is under way.
    async fn at_rest(reviewers: &Reviewers) {
        let resting = async {
            while !reviewers.rounds().under_way.is_empty() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), resting).await.expect("the work ends");
    }

    #[tokio::test]
    async fn as_many_rounds_wait_as_may_and_each_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let reviewers = reviewers(&directory).await;
        let mut places: Vec<Place> = (0..PLACES).map(|n| open(reviewers.ask(Uuid::from_u128(n as u128)))).collect();
        assert!(matches!(reviewers.ask(Uuid::from_u128(0)), Asked::UnderWay));
        assert!(matches!(reviewers.ask(Uuid::max()), Asked::Full));
        drop(places.pop());
        open(reviewers.ask(Uuid::max()));
    }

    #[tokio::test]
    async fn a_round_that_is_not_there_leaves_its_place_to_others() {
        let directory = tempfile::tempdir().expect("a directory");
        let reviewers = reviewers(&directory).await;
        open(reviewers.ask(Uuid::max())).begin();
        at_rest(&reviewers).await;
        open(reviewers.ask(Uuid::max()));
    }
}
