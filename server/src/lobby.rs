//! All rooms of this process: made, found by code, rebuilt from the journal when nobody runs them.
//!
//! Must never run two tasks for one room: a room's slot is filled once, and emptied when its task ends.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprint_shared::event::Event;
use sprint_shared::options::RoomOptions;
use sprint_shared::time::Millis;
use thiserror::Error;
use tokio::sync::{OnceCell, mpsc};
use uuid::Uuid;

use crate::code;
use crate::journal::EventRow;
use crate::pool::Dealers;
use crate::room::{History, Room, RoomContext, RoomHandle, close_damaged};
use crate::store::{Claim, CreateRoomError, NewRoom, Store, StoreError};

/// Rooms rebuilt at once after a start.
const REBUILT_AT_ONCE: usize = 8;

/// The rooms of this process. Clones share them.
#[derive(Clone)]
pub struct Lobby {
    inner: Arc<Inner>,
}

struct Inner {
    context: RoomContext,
    store: Store,
    owner: String,
    rooms_max: usize,
    slots: Mutex<HashMap<String, Slot>>,
    /// Rooms claimed at the start that nobody has opened yet, by id: they need no second claim.
    claimed: Mutex<HashSet<Uuid>>,
    /// Every room task holds a clone; when all are gone, all rooms have ended.
    alive: Mutex<Option<mpsc::Sender<()>>>,
    ended: tokio::sync::Mutex<mpsc::Receiver<()>>,
}

type Slot = Arc<OnceCell<RoomHandle>>;

/// Why a room cannot be had.
#[derive(Debug, Error)]
pub enum NoRoom {
    /// No open room has this code.
    #[error("no room has this code")]
    NotFound,
    /// As many rooms as may are open.
    #[error("as many rooms as may are open")]
    Full,
    /// The server stops.
    #[error("the server stops")]
    Stopping,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Lobby {
    /// Who deals and proves.
    pub fn dealers(&self) -> &Dealers {
        &self.inner.context.dealers
    }

    /// An empty lobby.
    pub fn new(context: RoomContext, rooms_max: usize) -> Lobby {
        let (alive, ended) = mpsc::channel(1);
        let inner = Inner {
            store: context.store.clone(),
            context,
            owner: "single".to_owned(),
            rooms_max,
            slots: Mutex::default(),
            claimed: Mutex::default(),
            alive: Mutex::new(Some(alive)),
            ended: tokio::sync::Mutex::new(ended),
        };
        Lobby { inner: Arc::new(inner) }
    }

    /// Makes a room with checked options.
    pub async fn create(&self, options: RoomOptions) -> Result<RoomHandle, NoRoom> {
        if lock(&self.inner.slots).len() >= self.inner.rooms_max {
            return Err(NoRoom::Full);
        }
        loop {
            let (room_id, code) = (Uuid::now_v7(), code::draw(options.public));
            let at = self.inner.context.clock.now();
            let opened = Event::RoomOpened {
                at,
                room: room_id,
                code: code.clone(),
                options: options.clone(),
                countdown_ms: self.inner.context.countdown_ms,
                idle_ms: self.inner.context.idle_ms,
            };
            let body = encode(&opened);
            let room = NewRoom {
                room_id,
                code: code.clone(),
                public: options.public,
                options: encode(&options),
                listing: r#"{"players":[],"joinable":true}"#.to_owned(),
                state: "lobby".to_owned(),
                owner: self.inner.owner.clone(),
                lease_until_ms: None,
                created_at_ms: at.0 as i64,
                events: vec![EventRow { seq: 1, at_ms: at.0 as i64, body }],
            };
            match self.inner.store.create_room(&room).await {
                Ok(()) => {}
                Err(CreateRoomError::CodeTaken) => continue,
                Err(CreateRoomError::Store(error)) => return Err(error.into()),
            }
            lock(&self.inner.claimed).insert(room_id);
            return self.open(&code).await;
        }
    }

    /// The room with this code, in its exact form; started if nobody runs it.
    pub async fn open(&self, code: &str) -> Result<RoomHandle, NoRoom> {
        if *self.inner.context.stop.borrow() {
            return Err(NoRoom::Stopping);
        }
        // A task may end between the look and the call: then its slot is emptied, and a fresh one does.
        for _ in 0..3 {
            let slot = lock(&self.inner.slots).entry(code.to_owned()).or_default().clone();
            match slot.get_or_try_init(|| self.start(code, &slot)).await {
                Ok(handle) if handle.inbox().is_closed() => self.inner.forget(code, &slot),
                Ok(handle) => return Ok(handle.clone()),
                Err(error) => {
                    self.inner.forget(code, &slot);
                    return Err(error);
                }
            }
        }
        Err(NoRoom::NotFound)
    }

    /// The room with this code if it runs.
    pub fn running(&self, code: &str) -> Option<RoomHandle> {
        lock(&self.inner.slots).get(code).and_then(|slot| slot.get().cloned())
    }

    /// Takes over every unfinished room; they are rebuilt in the background, or at once when somebody asks for one.
    pub async fn recover(&self) -> Result<usize, StoreError> {
        let claim = self.claim();
        let rooms = self.inner.store.claim_unfinished(&claim).await?;
        let count = rooms.len();
        lock(&self.inner.claimed).extend(rooms.iter().map(|room| room.room_id));
        let codes: Vec<String> = rooms.into_iter().map(|room| room.code).collect();
        let lobby = self.clone();
        tokio::spawn(async move {
            let turns = Arc::new(tokio::sync::Semaphore::new(REBUILT_AT_ONCE));
            for code in codes {
                let (lobby, turn) = (lobby.clone(), turns.clone().acquire_owned().await);
                tokio::spawn(async move {
                    let _turn = turn;
                    if let Err(error) = lobby.open(&code).await
                        && !matches!(error, NoRoom::NotFound | NoRoom::Stopping)
                    {
                        tracing::error!(code, %error, "a room could not be rebuilt");
                    }
                });
            }
        });
        Ok(count)
    }

    /// Returns once every room task has ended; rooms must have been told to stop before.
    pub async fn ended(&self) {
        lock(&self.inner.alive).take();
        while self.inner.ended.lock().await.recv().await.is_some() {}
    }

    fn claim(&self) -> Claim {
        let at = self.inner.context.clock.now();
        // The instant where the clocks stopped differs from room to room: reading the events back puts it in.
        let body = encode(&Event::Owned { at, last_at: Millis(0) });
        Claim { owner: self.inner.owner.clone(), lease_until_ms: None, at_ms: at.0 as i64, body }
    }

    /// Reads a room from the journal and starts its task.
    async fn start(&self, code: &str, slot: &Slot) -> Result<RoomHandle, NoRoom> {
        let store = &self.inner.store;
        let mut room = store.room_by_code(code).await?.filter(|room| room.finished_at_ms.is_none());
        if let Some(found) = &room
            && !lock(&self.inner.claimed).remove(&found.room_id)
        {
            // Its task has ended, perhaps with an append in doubt: the claim shuts that out before anything is read.
            room = store.claim(found.room_id, found.epoch, &self.claim()).await?;
        }
        let room = room.ok_or(NoRoom::NotFound)?;
        let stored = store.events(room.room_id, 1).await?;
        let built =
            History::read(&stored).and_then(|history| Room::new(self.inner.context.clone(), &history, room.epoch));
        let (task, inbound, handle) = match built {
            Ok(built) => built,
            Err(damage) => {
                tracing::error!(code, %damage, "a room's stored events cannot be believed; the room is closed");
                let (journal, at) = (&self.inner.context.journal, self.inner.context.clock.now());
                if let Err(error) = close_damaged(journal, room.room_id, room.epoch, room.last_seq, at).await {
                    tracing::error!(code, %error, "a damaged room could not be closed");
                }
                return Err(NoRoom::NotFound);
            }
        };
        let alive = lock(&self.inner.alive).clone().ok_or(NoRoom::Stopping)?;
        let (inner, code, slot) = (self.inner.clone(), code.to_owned(), slot.clone());
        tokio::spawn(async move {
            let _alive = alive;
            task.run(inbound).await;
            inner.forget(&code, &slot);
        });
        Ok(handle)
    }
}

impl Inner {
    /// Empties a slot, unless it is another one by now.
    fn forget(&self, code: &str, slot: &Slot) {
        let mut slots = lock(&self.slots);
        if slots.get(code).is_some_and(|now| Arc::ptr_eq(now, slot)) {
            slots.remove(code);
        }
    }
}

fn encode<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("events and options always encode")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
