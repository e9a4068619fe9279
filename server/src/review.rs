//! Reviews of rounds that are over, worked out when somebody asks: a few at a time, on threads that the system serves
//! after all others.
//!
//! Must never run where a room or a socket does, hold a request up, or keep more rounds waiting than a few.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::api::Match;
use sprint_shared::review::{Effort, NoReview, REVIEW_FORMAT, Review, review};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use uuid::Uuid;

use crate::store::Store;

/// Reviews that are worked out at once.
const AT_ONCE: usize = 2;
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
    /// Works the review of this round out and stores it, by and by.
    pub fn begin(self, round: Match) {
        tokio::spawn(async move {
            let Shared { store, effort, turns, .. } = &*self.reviewers.0;
            let Ok(_turn) = turns.acquire().await else { return };
            let (round_id, spent) = (self.round_id, effort.clone());
            let found = at_low_priority(move || review(&round, &spent)).await;
            if effort.budget.cancel.is_cancelled() {
                return;
            }
            match found {
                Some(Ok(review)) => keep(store, round_id, &review).await,
                Some(Err(error @ (NoReview::NoBoard | NoReview::Unreadable { .. } | NoReview::Impossible(_)))) => {
                    self.reviewers.failed(round_id, error.to_string());
                }
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

    use sprint_shared::replay::file;
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
    async fn a_round_without_a_review_is_tried_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let reviewers = reviewers(&directory).await;
        let mut round = file::read(include_str!("../../shared/data/replay-1.json")).expect("a round");
        let round_id = round.round_id;
        round.record.truncate(3);
        open(reviewers.ask(round_id)).begin(round);
        at_rest(&reviewers).await;
        assert!(matches!(reviewers.ask(round_id), Asked::Failed(_)));
    }

    #[tokio::test]
    async fn of_what_a_stopping_server_breaks_off_nothing_is_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let reviewers = reviewers(&directory).await;
        let round = file::read(include_str!("../../shared/data/replay-1.json")).expect("a round");
        let round_id = round.round_id;
        reviewers.stop();
        open(reviewers.ask(round_id)).begin(round);
        at_rest(&reviewers).await;
        let stored = reviewers.0.store.review(round_id, REVIEW_FORMAT.into()).await;
        assert_eq!(stored.expect("it can be read"), None);
    }
}
