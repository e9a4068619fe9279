//! Deals and proofs off the async threads: a few at a time, the rest wait their turn.
//!
//! Must never bound a deal by time: the same seed gives the same board everywhere. Only the proof of a blueprint is
//! bounded, and an unproven blueprint merely has no par.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sprint_shared::board::Board;
use sprint_shared::deal::{Seed, deal_or_cancel};
use sprint_shared::options::RoomOptions;
use sprint_shared::preset::Preset;
use sprint_shared::solver::{Budget, Cancel, Outcome, solve};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long the proof of a blueprint may take.
const PROOF: Duration = Duration::from_secs(5);
/// How long a new blueprint is looked at, before its room is made.
const LOOK: Duration = Duration::from_secs(1);
/// Memory for the proof of a blueprint, in bytes.
const PROOF_BYTES: usize = 256 << 20;

/// Threads that deal. Clones share them.
#[derive(Clone)]
pub struct Dealers {
    light: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    place: Place,
}

/// Where the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Threads,
    OnTheSpot,
}

/// A board for a round, with what is proven of it.
#[derive(Clone, Debug)]
pub struct ProvenBoard {
    /// The board.
    pub board: Board,
    /// The proven least number of transfers, if it is proven.
    pub optimum: Option<u32>,
}

impl Dealers {
    /// As many dealers as cores but one, so that rooms always have a thread to run on. Boards that take long to deal
    /// wait for one another, and no other board waits for them.
    pub fn new() -> Dealers {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let turns = cores.saturating_sub(1).max(1);
        Dealers::with(turns, Place::Threads)
    }

    /// Dealers that hold up whoever asks until they are done: for simulations, where nothing may depend on threads.
    pub fn on_the_spot() -> Dealers {
        Dealers::with(1, Place::OnTheSpot)
    }

    fn with(turns: usize, place: Place) -> Dealers {
        Dealers { light: Arc::new(Semaphore::new(turns)), heavy: Arc::new(Semaphore::new(turns)), place }
    }

    /// The board of these options and this seed. `None` once it was cancelled.
    pub async fn board(&self, options: &RoomOptions, seed: Seed, cancel: Cancel) -> Option<ProvenBoard> {
        let is_light = options.blueprint.is_none()
            && matches!(options.preset, Preset::Initiate | Preset::Apprentice | Preset::Standard | Preset::Expert);
        let turns = if is_light { &self.light } else { &self.heavy };
        let turn = turns.clone().acquire_owned().await.ok()?;
        let preset = options.preset;
        let Some(blueprint) = &options.blueprint else {
            let dealing = self.place.work(move || {
                let _turn = turn;
                deal_or_cancel(preset, &seed, &cancel)
            });
            let deal = dealing.await??;
            return Some(ProvenBoard { board: deal.board, optimum: Some(deal.optimum) });
        };
        let board: Board = blueprint.parse().ok()?;
        let optimum = match self.prove(board.clone(), turn, cancel, PROOF).await? {
            Outcome::Solved { optimum, .. } => Some(optimum),
            Outcome::Unsolvable { .. } | Outcome::Exceeded { .. } => None,
        };
        Some(ProvenBoard { board, optimum })
    }

    /// Whether it is proven, in the short time that a request may take, that this blueprint has no solution.
    pub async fn is_unsolvable(&self, blueprint: Board) -> bool {
        let Ok(turn) = self.heavy.clone().acquire_owned().await else { return false };
        let outcome = self.prove(blueprint, turn, Cancel::default(), LOOK).await;
        matches!(outcome, Some(Outcome::Unsolvable { .. }))
    }

    /// Solves in a turn of the dealers, for so long at most. `None` if the proof panicked.
    async fn prove(
        &self,
        board: Board,
        turn: OwnedSemaphorePermit,
        cancel: Cancel,
        limit: Duration,
    ) -> Option<Outcome> {
        let budget = Budget { memory: PROOF_BYTES, threads: 1, cancel: cancel.clone() };
        let mut proof = pin!(self.place.work(move || {
            let _turn = turn;
            solve(&board, &budget)
        }));
        match tokio::time::timeout(limit, &mut proof).await {
            Ok(outcome) => outcome,
            Err(_) => {
                cancel.cancel();
                proof.await
            }
        }
    }
}

impl Place {
    /// Does work that takes its time. `None` if it panicked.
    async fn work<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        match self {
            Place::Threads => tokio::task::spawn_blocking(work).await.ok(),
            Place::OnTheSpot => Some(work()),
        }
    }
}

impl Default for Dealers {
    fn default() -> Self {
        Dealers::new()
    }
}
