//! Deals and proofs off the async threads: a few at a time, the rest wait their turn.
//!
//! No board of a race is kept ready: its seed is made of the nonces that its players give once they are ready, so that
//! nobody can know it before.
//!
//! Must never bound a deal by time: the same seed gives the same board everywhere. Only the proof of a blueprint is
//! bounded, and an unproven blueprint merely has no par.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sprint_shared::board::Board;
use sprint_shared::bot::Line;
use sprint_shared::deal::{Seed, deal_or_cancel};
use sprint_shared::options::RoomOptions;
use sprint_shared::preset::Preset;
use sprint_shared::solo::Solo;
use sprint_shared::solver::{Budget, Cancel, Outcome, solve};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// How long the proof of a blueprint may take.
const PROOF: Duration = Duration::from_secs(5);
/// How long a new blueprint is looked at before its room is made, the wait for a turn included.
const LOOK: Duration = Duration::from_secs(1);
/// Memory for the proof of a blueprint, in bytes.
const PROOF_BYTES: usize = 256 << 20;

/// Threads that deal. Clones share them.
#[derive(Clone)]
pub struct Dealers {
    light: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    long: Arc<Semaphore>,
    place: Place,
    ready: Arc<Mutex<Ready>>,
    /// Places of those who wait to deal ahead.
    ahead: Arc<Semaphore>,
    /// Who deals ahead.
    one_ahead: Arc<tokio::sync::Mutex<()>>,
    /// Ends the deal ahead that is under way.
    ahead_now: Arc<Mutex<Cancel>>,
}

/// Boards of seeds that will be asked for next, the oldest first.
type Ready = VecDeque<((Preset, Seed), ProvenBoard)>;

/// Boards that are kept ready: so many players of Infinite Shuffle find their next one dealt.
const READY_MAX: usize = 512;

/// Boards that wait to be dealt ahead; beyond that, whoever asks for one has it dealt then.
const AHEAD_MAX: usize = 64;
/// How long one of them waits for a turn that nobody else wants, and how often it looks.
const AHEAD: Duration = Duration::from_secs(30);
const AHEAD_LOOK: Duration = Duration::from_millis(50);

/// Where the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Threads,
    #[cfg(feature = "simulation")]
    OnTheSpot,
}

/// Ends a search that nobody waits for any more.
pub(crate) struct EndOnDrop(pub Cancel);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
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
    /// As many turns as cores but one, at least one, for boards that take long to deal; as many besides for those that take
    /// some time and for blueprints, and for all others, which wait for none of the former. Rooms run on threads of their own, for which the system finds time beside all
    /// dealers: long deals leave a core free where there are several, the others are over soon.
    pub fn new() -> Dealers {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let turns = cores.saturating_sub(1).max(1);
        Dealers::with(turns, Place::Threads)
    }

    /// Dealers that hold up whoever asks until they are done: for simulations, where nothing may depend on threads.
    #[cfg(feature = "simulation")]
    pub fn on_the_spot() -> Dealers {
        Dealers::with(1, Place::OnTheSpot)
    }

    fn with(turns: usize, place: Place) -> Dealers {
        Dealers {
            light: Arc::new(Semaphore::new(turns)),
            heavy: Arc::new(Semaphore::new(turns)),
            long: Arc::new(Semaphore::new(turns)),
            place,
            ready: Arc::default(),
            ahead: Arc::new(Semaphore::new(AHEAD_MAX)),
            one_ahead: Arc::default(),
            ahead_now: Arc::default(),
        }
    }

    /// A line of play of a board of these options, the shortest that is found in bounded memory. `None` once it was
    /// cancelled, or if there is none.
    pub async fn line(&self, options: &RoomOptions, board: Board, cancel: Cancel) -> Option<Line> {
        let turn = self.turn(self.turns(options)).await?;
        let budget = Budget { memory: PROOF_BYTES, threads: 1, cancel };
        let searching = self.place.work(move || {
            let _turn = turn;
            Line::of(&board, &budget)
        });
        searching.await?
    }

    /// The board of these options and this seed, or of the seed that the options give. `None` once it was cancelled.
    pub async fn board(&self, options: &RoomOptions, seed: Seed, cancel: Cancel) -> Option<ProvenBoard> {
        let Some(blueprint) = &options.blueprint else {
            let seed = match options.solo {
                Some(Solo::Shuffle { seed }) => seed,
                _ => seed,
            };
            return self.dealt(options.preset, seed, cancel).await;
        };
        let board: Board = blueprint.parse().ok()?;
        let printed = options.solo.and_then(|solo| solo.printed());
        if let Some((_, optimum)) = printed.filter(|(printed, _)| **printed == board) {
            return Some(ProvenBoard { board, optimum: Some(optimum) });
        }
        let turn = self.turn(self.turns(options)).await?;
        let optimum = match timeout(PROOF, self.prove(board.clone(), turn, cancel)).await {
            Ok(outcome) => match outcome? {
                Outcome::Solved { optimum, .. } => Some(optimum),
                Outcome::Unsolvable { .. } | Outcome::Exceeded { .. } => None,
            },
            Err(_) => None,
        };
        Some(ProvenBoard { board, optimum })
    }

    /// The board of a preset and a seed. `None` if the work on it broke off.
    pub async fn deal(&self, preset: Preset, seed: Seed) -> Option<ProvenBoard> {
        self.dealt(preset, seed, Cancel::default()).await
    }

    /// Has a board dealt that may be asked for soon, and keeps it. One is dealt ahead at a time, in a turn that nobody waits
    /// for, and is given up once somebody does; then it is dealt when it is asked for.
    pub async fn make_ready(&self, preset: Preset, seed: Seed) {
        let Ok(_place) = self.ahead.try_acquire() else { return };
        let _one = self.one_ahead.lock().await;
        if self.is_ready(preset, seed).is_some() {
            return;
        }
        let free = async {
            loop {
                // Whoever queues for a turn has it before this finds one.
                match self.turns_of(preset).clone().try_acquire_owned() {
                    Ok(turn) => return turn,
                    Err(_) => sleep(AHEAD_LOOK).await,
                }
            }
        };
        // Before there is a turn to be had: whoever waits for it afterwards ends this.
        let cancel = Cancel::default();
        *self.ahead_now.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
        let Ok(turn) = timeout(AHEAD, free).await else { return };
        if let Some(board) = self.deal_in(turn, preset, seed, cancel).await {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            ready.truncate(READY_MAX - 1);
            ready.push_front(((preset, seed), board));
        }
    }

    /// A turn of these; a deal ahead gives way to whoever has to wait for one.
    async fn turn(&self, turns: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
        if let Ok(turn) = turns.clone().try_acquire_owned() {
            return Some(turn);
        }
        self.ahead_now.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        turns.clone().acquire_owned().await.ok()
    }

    fn is_ready(&self, preset: Preset, seed: Seed) -> Option<ProvenBoard> {
        let ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.iter().find(|(of, _)| *of == (preset, seed)).map(|(_, board)| board.clone())
    }

    async fn dealt(&self, preset: Preset, seed: Seed, cancel: Cancel) -> Option<ProvenBoard> {
        if let Some(ready) = self.is_ready(preset, seed) {
            return Some(ready);
        }
        let turn = self.turn(self.turns_of(preset)).await?;
        self.deal_in(turn, preset, seed, cancel).await
    }

    async fn deal_in(
        &self,
        turn: OwnedSemaphorePermit,
        preset: Preset,
        seed: Seed,
        cancel: Cancel,
    ) -> Option<ProvenBoard> {
        let dealing = self.place.work(move || {
            let _turn = turn;
            deal_or_cancel(preset, &seed, &cancel)
        });
        let deal = dealing.await??;
        Some(ProvenBoard { board: deal.board, optimum: Some(deal.optimum) })
    }

    fn turns(&self, options: &RoomOptions) -> &Arc<Semaphore> {
        if options.blueprint.is_some() { &self.heavy } else { self.turns_of(options.preset) }
    }

    fn turns_of(&self, preset: Preset) -> &Arc<Semaphore> {
        match preset {
            Preset::Initiate | Preset::Apprentice | Preset::Standard | Preset::Expert => &self.light,
            Preset::Master | Preset::Grandmaster => &self.heavy,
            // Seconds each, and more.
            Preset::Spire | Preset::Marathon => &self.long,
        }
    }

    /// Whether it is proven, in the short time that a request may take, that this blueprint has no solution. False
    /// where no turn is to be had in that time.
    pub async fn is_unsolvable(&self, blueprint: Board) -> bool {
        let look = async {
            let turn = self.turn(&self.heavy).await?;
            self.prove(blueprint, turn, Cancel::default()).await
        };
        matches!(timeout(LOOK, look).await, Ok(Some(Outcome::Unsolvable { .. })))
    }

    /// Solves in a turn of the dealers; dropping the answer ends the search. `None` if the search panicked.
    async fn prove(&self, board: Board, turn: OwnedSemaphorePermit, cancel: Cancel) -> Option<Outcome> {
        let budget = Budget { memory: PROOF_BYTES, threads: 1, cancel: cancel.clone() };
        let _end = EndOnDrop(cancel);
        let proof = self.place.work(move || {
            let _turn = turn;
            solve(&board, &budget)
        });
        proof.await
    }
}

impl Place {
    /// Does work that takes its time. `None` if it panicked.
    async fn work<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        match self {
            Place::Threads => tokio::task::spawn_blocking(work).await.ok(),
            #[cfg(feature = "simulation")]
            Place::OnTheSpot => Some(work()),
        }
    }
}

impl Default for Dealers {
    fn default() -> Self {
        Dealers::new()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use futures_util::FutureExt;

    use super::*;

    /// Small, and it can be solved.
    fn board() -> Board {
        "R1S2/S1R2/-/- 4".parse().expect("it is in notation")
    }

    #[tokio::test]
    async fn a_blueprint_is_looked_at_for_a_second_at_most_although_no_dealer_is_free() {
        let dealers = Dealers::new();
        let turns = dealers.heavy.available_permits();
        let held = dealers.heavy.clone().acquire_many_owned(turns as u32).await.expect("it is open");
        let asked = Instant::now();
        let answer = timeout(5 * LOOK, dealers.is_unsolvable(board())).await;
        assert_eq!(answer, Ok(false), "what is not proven is no reason to refuse it");
        assert!(asked.elapsed() >= LOOK, "it had its time");
        drop(held);
        assert_eq!(dealers.heavy.available_permits(), turns, "and waits for no turn any more");
    }

    #[tokio::test]
    async fn a_proof_that_nobody_waits_for_any_more_is_given_up() {
        let (dealers, cancel) = (Dealers::new(), Cancel::default());
        let turn = dealers.heavy.clone().acquire_owned().await.expect("it is open");
        // Begun, and dropped at once.
        let _ = dealers.prove(board(), turn, cancel.clone()).now_or_never();
        assert!(cancel.is_cancelled());
    }
}

// On virtual time, which simulations alone have.
#[cfg(all(test, feature = "simulation"))]
mod simulation {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_deal_ahead_gives_way_to_whoever_waits() {
        let dealers = Dealers::with(1, Place::Threads);
        let turn = dealers.heavy.clone().acquire_owned().await.expect("it is open");
        let cancel = Cancel::default();
        *dealers.ahead_now.lock().expect("nobody panicked") = cancel.clone();
        let waiting = tokio::spawn({
            let dealers = dealers.clone();
            async move { dealers.deal(Preset::Master, Seed::from(1)).await }
        });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(cancel.is_cancelled());
        drop(turn);
        assert!(waiting.await.expect("nobody ends it").is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_board_is_dealt_ahead_in_a_turn_that_nobody_else_wants_or_not_at_all() {
        let (dealers, seed) = (Dealers::with(1, Place::Threads), Seed::from(5));
        let held = dealers.light.clone().acquire_owned().await.expect("it is open");
        dealers.make_ready(Preset::Initiate, seed).await;
        assert!(dealers.is_ready(Preset::Initiate, seed).is_none(), "it gave up");
        drop(held);
        dealers.make_ready(Preset::Initiate, seed).await;
        let ready = dealers.is_ready(Preset::Initiate, seed).expect("it is kept");
        let dealt = dealers.deal(Preset::Initiate, seed).await.expect("nobody ends it");
        assert_eq!(ready.board, dealt.board);
        for number in 0..READY_MAX as u64 {
            let mut kept = dealers.ready.lock().expect("nobody panicked");
            kept.truncate(READY_MAX - 1);
            kept.push_front(((Preset::Initiate, Seed::from(1_000 + number)), ready.clone()));
        }
        assert!(dealers.is_ready(Preset::Initiate, seed).is_none(), "the oldest makes room");
    }
}
