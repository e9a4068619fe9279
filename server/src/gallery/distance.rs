//! Distances to harmony for those who watch: a few searches at a time, in bounded memory, off every task.
//!
//! Must never be asked for anything but what is shown already: what comes of it goes to those who watch, at once.

use std::pin::Pin;
use std::sync::Arc;

use sprint_shared::board::Board;
use sprint_shared::protocol::ToGo;
use sprint_shared::solver::{Budget, Cancel, Distance, Live, least_needed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::curves::Position;
use super::threads::Threads;

/// Memory for the positions of one room, in bytes.
const ROOM_BYTES: usize = 32 << 20;
/// Searches in a row that may come to no exact value before no more are made in a round.
const VAIN_MAX: u32 = 3;

/// Who reckons, for all rooms. Clones share it.
#[derive(Clone)]
pub(super) struct Reckoners {
    threads: Threads,
    /// Searches at a time.
    turns: Arc<Semaphore>,
    /// Rooms that may keep what they found out.
    places: Arc<Semaphore>,
}

/// What was found out of a round's board; nothing for a room without a place.
#[derive(Default)]
struct Tool {
    live: Option<(Live, OwnedSemaphorePermit)>,
    vain: u32,
}

/// A room's reckoning: at most one search at a time.
pub(super) struct Reckoner {
    all: Reckoners,
    /// Whose board it knows.
    round: Option<Uuid>,
    /// Here while nothing is searched.
    tool: Option<Tool>,
    job: Option<Job>,
    /// Ends the search under way.
    cancel: EndOnDrop,
}

type Job = Pin<Box<dyn Future<Output = Option<(Tool, Reckoned)>> + Send>>;

/// The distances of some positions of one round.
pub(super) type Reckoned = Vec<(Position, ToGo)>;

/// Ends a search that nobody waits for any more.
#[derive(Default)]
struct EndOnDrop(Cancel);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Reckoners {
    /// Half as many searches at a time as there are cores, and as many rooms as the memory is enough for.
    pub fn new(threads: Threads, bytes_max: usize) -> Reckoners {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits));
        Reckoners { threads, turns: semaphore(cores.div_ceil(2)), places: semaphore(bytes_max / ROOM_BYTES) }
    }

    /// For one room.
    pub fn reckoner(&self) -> Reckoner {
        Reckoner { all: self.clone(), round: None, tool: None, job: None, cancel: EndOnDrop::default() }
    }
}

impl Reckoner {
    /// Whether nothing is searched at the moment.
    pub fn is_idle(&self) -> bool {
        self.job.is_none()
    }

    /// Forgets every round but this one, and ends a search in it.
    pub fn keep_to(&mut self, round: Option<Uuid>) {
        if self.round != round {
            *self = Reckoner { round, ..self.all.reckoner() };
        }
    }

    /// Gives back what was kept of its board.
    pub fn rest(&mut self) {
        self.tool = None;
    }

    /// Begins to reckon these positions of the round that it keeps to, whose board this is.
    pub fn begin(&mut self, start: &Board, positions: Vec<Position>) {
        let mut tool = self.tool.take().unwrap_or_default();
        if tool.live.is_none()
            && let Ok(place) = self.all.places.clone().try_acquire_owned()
        {
            let budget = Budget { memory: ROOM_BYTES, threads: 1, cancel: self.cancel.0.clone() };
            tool.live = Some((Live::new(start, budget), place));
        }
        let all = self.all.clone();
        self.job = Some(Box::pin(async move {
            let turn = all.turns.clone().acquire_owned().await.ok()?;
            let work = move || {
                let _turn = turn;
                let mut reckoned = Vec::with_capacity(positions.len());
                for position in positions {
                    let to_go = tool.reckon(&position);
                    reckoned.push((position, to_go));
                }
                (tool, reckoned)
            };
            all.threads.work(work).await
        }));
    }

    /// The distances that were begun; waits for ever where nothing is searched.
    pub async fn done(&mut self) -> Reckoned {
        let Some(job) = &mut self.job else { return std::future::pending().await };
        let done = job.await;
        self.job = None;
        match done {
            Some((tool, reckoned)) => {
                self.tool = Some(tool);
                reckoned
            }
            None => Vec::new(),
        }
    }
}

impl Tool {
    fn reckon(&mut self, Position { board, made, .. }: &Position) -> ToGo {
        let Some((live, _)) = &mut self.live else { return bound(board) };
        if self.vain >= VAIN_MAX {
            return live.bounds(board, *made).into();
        }
        let distance = live.distance(board, *made);
        let is_vain = matches!(distance, Distance::Between { .. });
        self.vain = if is_vain { self.vain + 1 } else { 0 };
        distance.into()
    }
}

/// What can be said of a position without anything known of its board.
fn bound(board: &Board) -> ToGo {
    match board.is_harmony() {
        true => ToGo::Exact(0),
        false => ToGo::Between(least_needed(board).max(1), None),
    }
}
