//! Who watches: each room that somebody watches has a gallery, a task of its own beside the room's.
//!
//! A gallery owns a copy of the race, as far behind as the room's delay, encodes what it shows once for all, and has one
//! snapshot for all who come or lag. Must never make a room wait, and never show what its room has not published, nor
//! anything of the last seconds of a delayed room, nor anything at all to somebody who races there.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use sprint_shared::options::RoomOptions;
use sprint_shared::time::Millis;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, broadcast, mpsc, oneshot};
use uuid::Uuid;

use crate::clock::Clock;
use crate::stop::Stopping;
use crate::store::{Store, StoreError, StoredEvent};

mod at_work;
mod curves;
mod delayed;
mod distance;
mod places;
mod stage;
mod task;
#[cfg(test)]
mod tests;
mod threads;

pub(crate) use stage::{OnStage, Stage, Told};
pub use threads::Threads;

use distance::Reckoners;

/// Casts that a viewer may be behind before it gets a snapshot instead.
const CASTS: usize = 64;
/// Viewers whose questions may wait for a gallery.
const ASKS: usize = 256;
/// A gallery that ends between the look and the question is asked once more, and no oftener than this.
const TRIES: usize = 3;
/// Galleries that read the journal at the same time: players at the door read the same database.
const READERS: usize = 2;

/// What all galleries of a server share. Clones share it.
#[derive(Clone)]
pub struct Galleries(Arc<Shared>);

struct Shared {
    threads: Threads,
    clock: Clock,
    store: Store,
    stop: Stopping,
    bounds: Bounds,
    viewers: AtomicUsize,
    reckoners: Reckoners,
    /// Where the store is at home: a connection that it opens stays with the threads that it was opened on.
    home: Handle,
    readers: Semaphore,
}

/// How much may be watched at once.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Viewers of one room.
    pub room_max: usize,
    /// Viewers of all rooms together.
    pub all_max: usize,
    /// Memory for distances of all rooms together, in bytes; too little for one room is none.
    pub distance_bytes_max: usize,
}

/// The way to the gallery of a room that runs.
pub struct Gallery {
    galleries: Galleries,
    stage: Arc<Stage>,
    room: RoomFacts,
    viewers: AtomicUsize,
    /// Places by player.
    players: Mutex<BTreeMap<Uuid, usize>>,
    /// How many watch who have no seat, as far as the task has counted.
    audience: AtomicUsize,
    /// The way to the task, while there is one.
    door: Mutex<Option<mpsc::Sender<Ask>>>,
}

/// What does not change of a room while it runs.
pub(crate) struct RoomFacts {
    pub room_id: Uuid,
    pub code: Arc<str>,
    pub options: Arc<RoomOptions>,
    /// How far the room's time is ahead of the clock.
    pub ahead_ms: u64,
    /// Whether nobody hosts it.
    pub is_hostless: bool,
}

/// What all who watch a room are sent at once.
pub type Cast = Arc<Shown>;

/// What a gallery has to show since the last time.
#[derive(Debug, Default)]
pub struct Shown {
    /// The messages, in order.
    pub texts: Vec<Utf8Bytes>,
    /// Players who race from now on: by none of their connections they may see this cast, or the next ones.
    pub racing: Vec<Uuid>,
    /// Players whom the host has sent away.
    pub kicked: Vec<Uuid>,
    /// The room is closed: this is the last cast.
    pub is_last: bool,
}

/// The room as it is shown, and from there on what follows.
pub struct Seen {
    /// The first messages.
    pub texts: Vec<Utf8Bytes>,
    /// The casts right after them.
    pub casts: broadcast::Receiver<Cast>,
}

/// What a viewer is answered.
pub type Answer = Result<Seen, NoEntry>;

/// A viewer's question under way, and its answer; without a word, the gallery has ended under it: ask again. Dropping it
/// takes it back.
pub type Question = Pin<Box<dyn Future<Output = Option<Answer>> + Send>>;

/// Why a viewer asks to see everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It has just come, and is refused if its player races.
    ToEnter,
    /// It was here before; the answer waits until its player does not race.
    ToGoOn,
}

struct Ask {
    player: Uuid,
    asks: Asks,
    reply: oneshot::Sender<Answer>,
}

/// A viewer's place; dropping it gives it back.
pub struct Place {
    gallery: Arc<Gallery>,
    player: Uuid,
}

/// Why somebody may not watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoEntry {
    /// The room has no spectators.
    #[error("this room does not let anybody watch")]
    NotAllowed,
    /// The room is full.
    #[error("as many people watch this room as may")]
    RoomFull,
    /// The server is full.
    #[error("as many people watch races on this server as may")]
    ServerFull,
    /// The host has sent the player away.
    #[error("the host of this room has sent you away from it")]
    Kicked,
    /// The player races there.
    #[error("you race in this room: watch it once your race is over")]
    Racing,
    /// The room is closed.
    #[error("the room is closed")]
    Closed,
    /// The room's task has ended, or the server stops.
    #[error("the room has stopped: come again")]
    Stopped,
}

impl NoEntry {
    /// The stable code of the refusal.
    pub fn code(self) -> &'static str {
        match self {
            NoEntry::NotAllowed => "no_spectators",
            NoEntry::RoomFull | NoEntry::ServerFull => "too_many_spectators",
            NoEntry::Kicked => "kicked",
            NoEntry::Racing => "racing",
            NoEntry::Closed => "closed",
            NoEntry::Stopped => "stopped",
        }
    }
}

impl Galleries {
    /// Galleries on these threads. The store is read where this is called.
    pub fn new(threads: Threads, clock: Clock, store: Store, stop: Stopping, bounds: Bounds) -> Galleries {
        let reckoners = Reckoners::new(threads.clone(), bounds.distance_bytes_max);
        let (viewers, home, readers) = (AtomicUsize::new(0), Handle::current(), Semaphore::new(READERS));
        let shared = Shared { threads, clock, store, stop, bounds, viewers, reckoners, home, readers };
        Galleries(Arc::new(shared))
    }

    /// Events of a room from the journal, in order.
    async fn read(&self, room_id: Uuid, range: RangeInclusive<i64>) -> Result<Vec<StoredEvent>, StoreError> {
        let _turn = self.0.readers.acquire().await.expect("it is never closed");
        let store = self.0.store.clone();
        let reading = self.0.home.spawn(async move { store.events_in(room_id, range).await });
        reading.await.unwrap_or_else(|_| Err(StoreError::Busy("the server stops".to_owned())))
    }

    /// Runs what serves a viewer where galleries run.
    pub fn spawn(&self, serving: impl Future<Output = ()> + Send + 'static) {
        self.0.threads.spawn(serving);
    }

    /// The gallery of a room that runs.
    pub(crate) fn of_room(&self, stage: Arc<Stage>, room: RoomFacts) -> Arc<Gallery> {
        let (viewers, audience) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (players, door) = (Mutex::default(), Mutex::new(None));
        Arc::new(Gallery { galleries: self.clone(), stage, room, viewers, players, audience, door })
    }
}

impl Gallery {
    /// The room's instant that is shown now.
    pub fn shown_at(&self) -> Millis {
        let delay_ms = u64::from(self.room.options.spectator_delay_s) * 1_000;
        let now = self.galleries.0.clock.now().after(self.room.ahead_ms);
        Millis(now.0.saturating_sub(delay_ms))
    }

    /// How many places are taken.
    pub fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    /// How many watch, as everybody may know: a racer who is done and watches the rest does not count, or the number would
    /// tell that before the picture does.
    pub fn audience(&self) -> usize {
        self.audience.load(Ordering::Relaxed)
    }

    /// Takes a place for a player, if the room has any to give.
    pub fn place(self: &Arc<Gallery>, player: Uuid) -> Result<Place, NoEntry> {
        let bounds = self.galleries.0.bounds;
        if !self.room.options.spectators {
            return Err(NoEntry::NotAllowed);
        }
        let taken = |viewers: &AtomicUsize, max: usize| {
            let more = |viewers: usize| Some(viewers + 1).filter(|viewers| *viewers <= max);
            viewers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
        };
        if !taken(&self.viewers, bounds.room_max) {
            return Err(NoEntry::RoomFull);
        }
        if !taken(&self.galleries.0.viewers, bounds.all_max) {
            self.viewers.fetch_sub(1, Ordering::Relaxed);
            return Err(NoEntry::ServerFull);
        }
        *self.players().entry(player).or_default() += 1;
        Ok(Place { gallery: self.clone(), player })
    }

    fn players(&self) -> MutexGuard<'_, BTreeMap<Uuid, usize>> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The way to the task, which begins if there is none.
    fn task(self: &Arc<Gallery>) -> Result<mpsc::Sender<Ask>, NoEntry> {
        if self.galleries.0.stop.is_said() {
            return Err(NoEntry::Stopped);
        }
        let mut door = self.door();
        if let Some(asks) = door.as_ref().filter(|asks| !asks.is_closed()) {
            return Ok(asks.clone());
        }
        let turns = self.stage.watch().ok_or(NoEntry::Stopped)?;
        let (asks, asked) = mpsc::channel(ASKS);
        *door = Some(asks.clone());
        self.galleries.spawn(task::run(self.clone(), turns, asked));
        Ok(asks)
    }

    fn door(&self) -> MutexGuard<'_, Option<mpsc::Sender<Ask>>> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Asks to be shown everything. Others may be asking, and the answer may take as long as the player's race.
    pub fn ask(&self, asks: Asks) -> Question {
        let (gallery, player) = (self.gallery.clone(), self.player);
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let mut ask = Ask { player, asks, reply };
            for _ in 0..TRIES {
                let task = match gallery.task() {
                    Ok(task) => task,
                    Err(refusal) => return Some(Err(refusal)),
                };
                match task.send(ask).await {
                    Ok(()) => return answer.await.ok(),
                    Err(mpsc::error::SendError(unsent)) => ask = unsent,
                }
            }
            Some(Err(NoEntry::Stopped))
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut players = self.gallery.players();
        if let Some(places) = players.get_mut(&self.player) {
            *places -= 1;
            if *places == 0 {
                players.remove(&self.player);
            }
        }
        drop(players);
        self.gallery.viewers.fetch_sub(1, Ordering::Relaxed);
        self.gallery.galleries.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}
