//! Distances to harmony for those who watch: a few searches at a time, in bounded memory, off every task.
//!
//! Must never be asked for anything but what is shown already: what comes of it goes to those who watch, at once.

use std::pin::Pin;
use std::sync::Arc;

use sprint_shared::board::Board;
use sprint_shared::protocol::ToGo;
use sprint_shared::solver::{Budget, Cancel, Distance, Live, least_needed};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::curves::Position;
use super::places::{Claim, Place, Places};
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
    places: Places,
}

/// What was found out of a round's board; nothing for a room without a place.
#[derive(Default)]
struct Tool {
    live: Option<(Live, Place)>,
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
    claim: Arc<Claim>,
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
        let turns = Arc::new(Semaphore::new(cores.div_ceil(2)));
        Reckoners { threads, turns, places: Places::new(bytes_max / ROOM_BYTES) }
    }

    /// For one room.
    pub fn reckoner(&self) -> Reckoner {
        let (claim, cancel) = (Arc::default(), EndOnDrop::default());
        Reckoner { all: self.clone(), round: None, tool: None, job: None, claim, cancel }
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

    /// So many watch the room: gives its place back if one that more people watch wants it.
    pub fn is_watched_by(&mut self, viewers: usize) {
        if self.claim.has_to_give_way() && self.is_idle() {
            self.rest();
        }
        self.claim.is_watched_by(viewers);
    }

    /// Gives back what was kept of its board, and wants nothing.
    pub fn rest(&mut self) {
        (self.tool, self.claim) = (None, Arc::default());
    }

    /// Begins to reckon these positions of the round that it keeps to, whose board this is.
    pub fn begin(&mut self, start: &Board, positions: Vec<Position>) {
        let mut tool = self.tool.take().unwrap_or_default();
        if tool.live.is_none()
            && let Some(place) = self.all.places.take(&self.claim)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sprint_shared::time::Seat;
    use tokio::time::timeout;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    /// What a room that so many watch finds out of a board that is three transfers from harmony.
    async fn reckon(reckoner: &mut Reckoner, viewers: usize) -> ToGo {
        let board: Board = "R1S2/S1R2/-/- 4".parse().expect("notation");
        reckoner.is_watched_by(viewers);
        reckoner
            .begin(&board, vec![Position { seat: Seat::ALL[0], clock_ms: 1, seq: 1, board: board.clone(), made: 0 }]);
        timeout(PATIENCE, reckoner.done()).await.expect("it is small")[0].1
    }

    #[tokio::test]
    async fn exact_distances_go_to_the_room_that_more_people_watch_whoever_came_first() {
        let all = Reckoners::new(Threads::here(), ROOM_BYTES);
        let (mut first, mut featured) = (all.reckoner(), all.reckoner());
        assert!(matches!(reckon(&mut first, 1).await, ToGo::Exact(_)));
        assert!(matches!(reckon(&mut featured, 9).await, ToGo::Between(..)), "the only place is taken");
        assert!(matches!(reckon(&mut first, 1).await, ToGo::Between(..)), "it gives way");
        assert!(matches!(reckon(&mut featured, 9).await, ToGo::Exact(_)));
        assert!(matches!(reckon(&mut first, 1).await, ToGo::Between(..)));
        featured.keep_to(Some(Uuid::nil()));
        assert!(matches!(reckon(&mut first, 1).await, ToGo::Exact(_)), "another round begins without a place");
    }
}
