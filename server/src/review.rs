//! Reviews of rounds that are over, worked out when somebody asks: a brief look at each in turn, which is enough for most,
//! and those that are hard one at a time, on a thread that the system serves after all others.
//!
//! Must never run where a room or a socket does, hold a request up, hold a round in memory before its turn has come, or let
//! hard rounds that wait keep easy ones out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::review::{Effort, REVIEW_FORMAT, Review, review};
use sprint_shared::solver::Budget;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use uuid::Uuid;

use crate::store::{RoundResult, Store, StoreError, StoredEvent};
use crate::web::proven;

/// Reviews of a kind, brief or thorough, that are worked out at once: each may take the memory of its effort.
const AT_ONCE: usize = 1;
/// What a brief look may cost: bytes of memory, and positions. A round that takes more keeps none waiting that takes less.
const BRIEF: (usize, u64) = (32 << 20, 100_000);
/// Rounds that may wait for a brief look or be at it.
const PLACES: usize = 64;
/// Rounds that may wait for a thorough one or be at it, minutes each.
const HARD_PLACES: usize = 16;
/// Bytes of the brief reviews that are kept of hard rounds, so that those are not looked at over and over.
const BRIEF_KEPT: usize = 32 << 20;
/// Rounds without a review that are remembered, so that nobody tries them over and over.
const FAILED_MAX: usize = 1_000;
/// How much later than others the system serves the threads of brief looks, on the scale of `nice`: people wait for these.
const BRIEF_NICE: i32 = 5;
/// The same of thorough ones.
const THOROUGH_NICE: i32 = 19;

/// Whoever works reviews out. Clones are the same.
#[derive(Clone)]
pub struct Reviewers(Arc<Shared>);

struct Shared {
    store: Store,
    brief: Lane,
    thorough: Lane,
    rounds: Mutex<Rounds>,
}

/// Where reviews of a kind are worked out, one after the other.
struct Lane {
    places: Arc<Semaphore>,
    turns: Semaphore,
    effort: Effort,
    nice: i32,
}

/// Rounds that were asked about and have no stored review.
#[derive(Default)]
struct Rounds {
    under_way: HashMap<Uuid, OwnedSemaphorePermit>,
    /// What a brief look found out about those for which it was not enough, encoded.
    hard: HashMap<Uuid, String>,
    failed: HashMap<Uuid, String>,
}

/// What becomes of a round without a review.
pub enum Asked {
    /// It is worked out already.
    UnderWay,
    /// It is this caller's to begin.
    Open(Place),
    /// As many hard rounds wait as may: so much is known of this one by now.
    Brief(String),
    /// As many rounds wait as may.
    Full,
    /// It was tried, and cannot be worked out.
    Failed(String),
}

/// A round whose review is to be worked out; given back when it is dropped.
pub struct Place {
    reviewers: Reviewers,
    round_id: Uuid,
    /// It is one among the hard ones: a brief look was not enough.
    is_hard: bool,
}

impl Reviewers {
    /// Nothing runs before somebody asks.
    pub fn new(store: Store, effort: Effort) -> Reviewers {
        let (memory, positions) = BRIEF;
        let budget = Budget { memory: effort.budget.memory.min(memory), ..effort.budget.clone() };
        let brief = Effort { budget, positions: effort.positions.min(positions) };
        let lane = |places, effort, nice| {
            let (places, turns) = (Arc::new(Semaphore::new(places)), Semaphore::new(AT_ONCE));
            Lane { places, turns, effort, nice }
        };
        let (brief, thorough) = (lane(PLACES, brief, BRIEF_NICE), lane(HARD_PLACES, effort, THOROUGH_NICE));
        Reviewers(Arc::new(Shared { store, brief, thorough, rounds: Mutex::default() }))
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
        let brief = rounds.hard.get(&round_id);
        let is_hard = brief.is_some();
        let lane = if is_hard { &self.0.thorough } else { &self.0.brief };
        let Ok(place) = lane.places.clone().try_acquire_owned() else {
            return brief.map_or(Asked::Full, |brief| Asked::Brief(brief.clone()));
        };
        rounds.under_way.insert(round_id, place);
        Asked::Open(Place { reviewers: self.clone(), round_id, is_hard })
    }

    /// Ends what is under way; nothing of it is kept.
    pub fn stop(&self) {
        // Both lanes have the same switch.
        self.0.thorough.effort.budget.cancel.cancel();
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A brief look at a round was not enough: its place among those goes to another. False if it has none among the hard
    /// ones now: whoever asks again is told what the look found out.
    fn takes_a_hard_place(&self, round_id: Uuid, brief: String) -> bool {
        let mut rounds = self.rounds();
        let kept: usize = rounds.hard.values().map(String::len).sum();
        if kept + brief.len() > BRIEF_KEPT {
            rounds.hard.clear();
        }
        rounds.hard.insert(round_id, brief);
        let Ok(place) = self.0.thorough.places.clone().try_acquire_owned() else { return false };
        rounds.under_way.insert(round_id, place);
        true
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
            if let Some(review) = self.found().await {
                keep(&self.reviewers.0.store, self.round_id, &review).await;
            }
        });
    }

    /// What the lanes find out, the brief one first, if nobody knows yet that it is not enough.
    async fn found(&self) -> Option<Review> {
        let Shared { brief, thorough, .. } = &*self.reviewers.0;
        if !self.is_hard {
            let review = self.reckoned(brief).await?;
            if review.complete {
                return Some(review);
            }
            if !self.reviewers.takes_a_hard_place(self.round_id, json(&review)) {
                return None;
            }
        }
        let review = self.reckoned(thorough).await;
        self.reviewers.rounds().hard.remove(&self.round_id);
        review
    }

    /// What a lane finds out, once it is this round's turn; `None` if there is nothing to be kept, which is told.
    async fn reckoned(&self, lane: &Lane) -> Option<Review> {
        let _turn = lane.turns.acquire().await.ok()?;
        let round_id = self.round_id;
        let (round, rows) = match read(&self.reviewers.0.store, round_id).await {
            Ok(read) => read?,
            Err(error) => {
                tracing::error!(%round_id, %error, "a round to be reviewed cannot be read now");
                return None;
            }
        };
        let effort = lane.effort.clone();
        let found = at_low_priority(lane.nice, move || {
            let round = proven(&round, &rows).map_err(|damage| damage.to_string())?;
            review(&round, &effort).map_err(|error| error.to_string())
        });
        let found = found.await.unwrap_or_else(|| Err("the work on it broke off".to_owned()));
        if lane.effort.budget.cancel.is_cancelled() {
            return None;
        }
        found.map_err(|reason| self.reviewers.failed(round_id, reason)).ok()
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

fn json(review: &Review) -> String {
    serde_json::to_string(review).expect("reviews always encode")
}

async fn keep(store: &Store, round_id: Uuid, review: &Review) {
    if let Err(error) = store.put_review(round_id, REVIEW_FORMAT.into(), &json(review)).await {
        tracing::error!(%round_id, %error, "a review is not kept: it is worked out again when somebody asks");
    }
}

/// Does work on a thread of its own. `None` if it panicked, or if there is no thread to be had.
async fn at_low_priority<T: Send + 'static>(nice: i32, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, answer) = oneshot::channel();
    let thread = std::thread::Builder::new().name("review".to_owned()).spawn(move || {
        step_back(nice);
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
fn step_back(nice: i32) {
    // Said absolutely: a thread begins with the priority of the one that made it.
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        tracing::warn!(%error, "a review is worked out at the priority of everything else");
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back(_nice: i32) {}

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
    async fn hard_rounds_that_wait_keep_no_others_out() {
        let directory = tempfile::tempdir().expect("a directory");
        let reviewers = reviewers(&directory).await;
        let ids = || (0..100).map(Uuid::from_u128);
        let mut waiting = Vec::new();
        for round_id in ids().take(HARD_PLACES) {
            waiting.push(open(reviewers.ask(round_id)));
            assert!(reviewers.takes_a_hard_place(round_id, "{}".to_owned()));
        }
        for round_id in ids().skip(HARD_PLACES) {
            let place = open(reviewers.ask(round_id));
            let brief = format!("of {round_id}");
            assert!(
                !reviewers.takes_a_hard_place(round_id, brief.clone()),
                "a brief look is all that there is time for"
            );
            drop(place);
            assert!(matches!(reviewers.ask(round_id), Asked::Brief(known) if known == brief), "what it found is told");
        }
        open(reviewers.ask(Uuid::max()));
        drop(waiting.pop());
        let last = ids().next_back().expect("there are some");
        waiting.push(open(reviewers.ask(last)));
        assert!(matches!(reviewers.ask(last), Asked::UnderWay));
        assert!(matches!(reviewers.ask(ids().nth(50).expect("there are more")), Asked::Brief(_)));
        // What is kept of them is bounded; of one that is forgotten a brief look is taken again.
        let long = "x".repeat(BRIEF_KEPT / 2);
        assert!(!reviewers.takes_a_hard_place(ids().nth(60).expect("there are more"), long.clone()));
        assert!(!reviewers.takes_a_hard_place(ids().nth(61).expect("there are more"), long));
        assert!(matches!(reviewers.ask(ids().nth(60).expect("there are more")), Asked::Open(_)));
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
