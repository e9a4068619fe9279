//! All rooms of this process: made, found by code, rebuilt from the journal when nobody runs them.
//!
//! Must never run two tasks for one room: a room's slot is filled once, and emptied when its task ends.

mod bots;
mod places;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sprint_shared::day::Day;
use sprint_shared::event::Event;
use sprint_shared::options::RoomOptions;
use sprint_shared::time::{Millis, Seat};
use thiserror::Error;
use tokio::sync::{OnceCell, Semaphore, mpsc, oneshot};
use uuid::Uuid;

pub use places::{BotPlaces, NoPlace};
use places::{For, Opening, Places};

use crate::chance::new_id;
use crate::code;
use crate::journal::EventRow;
use crate::pool::Dealers;
use crate::racing::Racing;
use crate::room::{Damaged, History, Inbound, Room, RoomContext, RoomHandle, close_damaged};
use crate::store::{Claim, CreateRoomError, GhostRow, Guest, NewRoom, Store, StoreError};

/// Rooms rebuilt at once after a start.
const REBUILT_AT_ONCE: usize = 8;
/// Pauses between two attempts to open a room that nobody asks for: they double from the first to the last.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(30)];
/// How long a room that a player has left for another may take to give the places of its bots back.
const GIVEN_BACK: Duration = Duration::from_secs(5);

/// Rooms in which one player may play alone at the same time; another one closes the oldest.
const ALONE_MAX: usize = 4;
/// From the start signal to T0 of what is played alone, in milliseconds at most: for a look at the hands, and where
/// nothing is timed for hardly that. A commit must fit in.
const COUNTDOWNS_MS: [u32; 2] = [1_000, 500];

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
    /// Who may rebuild a room in the background.
    turns: Semaphore,
    places: Places,
    /// Rooms that run in which somebody plays alone, by player and age; those are not among them that are played once.
    alone: Mutex<BTreeMap<(Uuid, Uuid), RoomHandle>>,
    /// The places of bots of rooms that are being opened, by code.
    brought: Mutex<HashMap<String, BotPlaces>>,
    bots_seated: AtomicU64,
    ended: tokio::sync::Mutex<mpsc::Receiver<()>>,
}

type Slot = Arc<OnceCell<RoomHandle>>;

/// Who is brought to a room together.
#[derive(Clone, Debug, Default)]
pub struct Party {
    /// Whose seats are kept there.
    pub guests: Vec<Guest>,
    /// Whether quick match brings them together.
    pub matched: bool,
    /// From where the one comes who is brought to bots.
    pub address: Option<IpAddr>,
    /// Of which day it is the guest's one rated try.
    pub try_of: Option<Day>,
    /// What the ghosts among the guests do: it is stored with the room, and nothing has to be proven again.
    pub ghosts: Vec<GhostRow>,
}

/// Why a room cannot be had.
#[derive(Debug, Error)]
pub enum NoRoom {
    /// No open room has this code.
    #[error("no room has this code")]
    NotFound,
    /// As many rooms as may are open.
    #[error("as many rooms as may are open")]
    Full,
    /// The guest has had the one rated try of that day.
    #[error("this day was tried already")]
    Tried,
    /// There is no place for the room's bots.
    #[error(transparent)]
    NoPlace(#[from] NoPlace),
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

    /// Who has a rated race at work.
    pub fn racing(&self) -> &Racing {
        &self.inner.context.racing
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
            turns: Semaphore::new(REBUILT_AT_ONCE),
            places: Places::default(),
            alone: Mutex::default(),
            brought: Mutex::default(),
            bots_seated: AtomicU64::new(0),
            ended: tokio::sync::Mutex::new(ended),
        };
        Lobby { inner: Arc::new(inner) }
    }

    /// Makes a room with checked options. It is made and runs even if the caller goes away meanwhile.
    pub async fn create(&self, options: RoomOptions) -> Result<RoomHandle, NoRoom> {
        self.create_for(options, Party::default()).await
    }

    /// The same for guests, who are seated with the room's first commit; nobody else may sit down there. Whoever is
    /// brought to bots leaves the room with bots that was opened for them before. A caller who goes away meanwhile brings
    /// nobody: the room is left at once, and its bots' places are given back.
    pub async fn create_for(&self, options: RoomOptions, party: Party) -> Result<RoomHandle, NoRoom> {
        let (lobby, (tell, told)) = (self.clone(), oneshot::channel());
        tokio::spawn(async move {
            let untold = tell.send(lobby.bring(options, party).await);
            if let Err(Ok(room)) = untold {
                // Nobody knows of it. Where nobody is seated it stays: it may be found in the list.
                let _ = room.inbox().try_send(Inbound::Abandon);
            }
        });
        told.await.unwrap_or(Err(NoRoom::Stopping))
    }

    async fn bring(&self, options: RoomOptions, party: Party) -> Result<RoomHandle, NoRoom> {
        if options.solo.is_some() {
            let room = self.make(options, &party, None).await?;
            self.leave_oldest(party.guests.first().map(Guest::player));
            return Ok(room);
        }
        let bots = party.guests.iter().filter(|guest| !guest.is_person()).count() as u32;
        if bots == 0 {
            return self.make(options, &party, None).await;
        }
        let whose = For::person_of(&party.guests, party.matched, party.address);
        let opening = whose.player.map(|player| self.inner.places.open(player)).transpose()?;
        // Taken before the room is made, so that nobody is brought to bots that never come, and before an older one is
        // left, so that nobody leaves it in vain.
        let places = self.inner.places.take(bots, whose)?;
        if let Some(opening) = &opening {
            self.leave_older(opening).await?;
        }
        self.make(options, &party, Some(places)).await
    }

    /// Ends the oldest sessions of one who plays alone and has begun another: so many may be open.
    fn leave_oldest(&self, player: Option<Uuid>) {
        let Some(player) = player else { return };
        let alone = lock(&self.inner.alone);
        let own = || alone.range((player, Uuid::nil())..=(player, Uuid::max()));
        for (_, room) in own().take(own().count().saturating_sub(ALONE_MAX)) {
            let _ = room.inbox().try_send(Inbound::Abandon);
        }
    }

    /// Closes the rooms with bots that were opened for the player before.
    async fn leave_older(&self, opening: &Opening) -> Result<(), NoPlace> {
        for room in opening.older().iter().filter_map(|code| self.running(code)) {
            // One that takes no message at the moment does not close, which is said below.
            let _ = room.inbox().try_send(Inbound::Abandon);
        }
        opening.are_given_back(GIVEN_BACK).await
    }

    async fn make(
        &self,
        options: RoomOptions,
        Party { guests, matched, try_of, ghosts, .. }: &Party,
        mut places: Option<BotPlaces>,
    ) -> Result<RoomHandle, NoRoom> {
        loop {
            let held = self.inner.reserve(options.public).ok_or(NoRoom::Full)?;
            let at = self.inner.context.clock.now();
            let (room_id, code) = (new_id(at), held.code.clone());
            let opened = Event::RoomOpened {
                at,
                room: room_id,
                code: code.clone(),
                options: options.clone(),
                countdown_ms: countdown_ms(&options, self.inner.context.countdown_ms),
                idle_ms: self.inner.context.idle_ms,
            };
            let seated = Seat::ALL.into_iter().zip(guests).map(|(seat, guest)| guest.seat_taken(seat, at));
            let events = [opened].into_iter().chain(seated).zip(1..);
            let names: Vec<&str> = guests.iter().map(Guest::name).collect();
            let joinable = guests.is_empty();
            let room = NewRoom {
                room_id,
                code: code.clone(),
                public: options.public,
                options: encode(&options),
                listing: serde_json::json!({ "players": names, "joinable": joinable }).to_string(),
                state: "lobby".to_owned(),
                owner: self.inner.owner.clone(),
                lease_until_ms: None,
                created_at_ms: at.0 as i64,
                matched: *matched,
                guests: encode(guests),
                ghosts: ghosts.clone(),
                seated: guests.iter().map(Guest::player).collect(),
                try_of: *try_of,
                events: events.map(|(event, seq)| EventRow { seq, at_ms: at.0 as i64, body: encode(&event) }).collect(),
            };
            lock(&self.inner.claimed).insert(room_id);
            let refused = match self.inner.store.create_room(&room).await {
                Ok(()) => {
                    lock(&self.inner.brought).extend(places.take().map(|places| (code.clone(), places)));
                    let opened = self.open(&code).await;
                    lock(&self.inner.brought).remove(&code);
                    return opened;
                }
                Err(refused) => refused,
            };
            lock(&self.inner.claimed).remove(&room_id);
            match refused {
                CreateRoomError::CodeTaken => {}
                CreateRoomError::Tried => return Err(NoRoom::Tried),
                CreateRoomError::Store(error) => return Err(error.into()),
            }
        }
    }

    /// The room with this code, in its exact form; started if nobody runs it.
    pub async fn open(&self, code: &str) -> Result<RoomHandle, NoRoom> {
        if self.inner.context.stop.is_said() {
            return Err(NoRoom::Stopping);
        }
        // A task may end between the look and the call: then its slot is emptied, and a fresh one does.
        for _ in 0..3 {
            let held = self.inner.hold(code);
            let handle = held.slot.get_or_try_init(|| self.start(code, &held.slot)).await?;
            if !handle.inbox().is_closed() {
                return Ok(handle.clone());
            }
            self.inner.forget(code, &held.slot);
        }
        Err(NoRoom::NotFound)
    }

    /// The room with this code if it runs.
    pub fn running(&self, code: &str) -> Option<RoomHandle> {
        lock(&self.inner.slots).get(code).and_then(|slot| slot.get().cloned())
    }

    /// Every room that runs, in no order.
    pub fn all_running(&self) -> Vec<RoomHandle> {
        lock(&self.inner.slots).values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// Takes over every unfinished room; they are rebuilt in the background, or at once when somebody asks for one.
    pub async fn recover(&self) -> Result<usize, StoreError> {
        let claim = self.claim();
        let rooms = self.inner.store.claim_unfinished(&claim).await?;
        let count = rooms.len();
        lock(&self.inner.claimed).extend(rooms.iter().map(|room| room.room_id));
        // Whether they still race there is known once the room is rebuilt; until then nobody is put into another race.
        for room in rooms.iter().filter(|room| room.matched && room.state != "over") {
            let rated = serde_json::from_str(&room.options).is_ok_and(|options: RoomOptions| options.rated);
            let admission = room.admission().ok().filter(|_| rated).unwrap_or_default();
            self.racing().tell(&room.code, admission.people().collect());
        }
        let codes: Vec<String> = rooms.into_iter().map(|room| room.code).collect();
        for code in codes {
            self.reopen(code, Duration::ZERO);
        }
        Ok(count)
    }

    /// Opens a room in the background after a pause, again and again until it runs, is closed, or the server stops.
    fn reopen(&self, code: String, pause: Duration) {
        let lobby = self.clone();
        let stop = self.inner.context.stop.clone();
        let opening = async move {
            let mut pause = pause;
            loop {
                tokio::time::sleep(pause).await;
                let turn = lobby.inner.turns.acquire().await;
                let opened = lobby.open(&code).await;
                drop(turn);
                match opened {
                    Err(NoRoom::Store(error)) => {
                        tracing::warn!(code, %error, "a room could not be rebuilt; trying again")
                    }
                    _ => return,
                }
                pause = (2 * pause).clamp(PAUSES[0], PAUSES[1]);
            }
        };
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = stop.said() => {}
                () = opening => {}
            }
        });
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
        let Some(room) = room else {
            // Nobody is sent back to a room that is over.
            self.racing().tell(code, Vec::new());
            return Err(NoRoom::NotFound);
        };
        let stored = store.events(room.room_id, 1).await?;
        let admission = room.admission().map_err(Damaged::Admission);
        let guests = admission.as_ref().map_or_else(|_| Vec::new(), |admission| admission.guests.clone());
        // Before it runs: whoever races its bots is not to wait for what they do.
        let skills = self.skills(room.room_id, &guests).await?;
        let built = History::read(&stored)
            .and_then(|history| Room::new(self.inner.context.clone(), &history, room.epoch, admission?));
        let (task, inbound, handle) = match built {
            Ok(built) => built,
            Err(damage) => {
                tracing::error!(code, %damage, "a room's stored events cannot be believed; the room is closed");
                let (journal, at) = (&self.inner.context.journal, self.inner.context.clock.now());
                if let Err(error) = close_damaged(journal, room.room_id, room.epoch, room.last_seq, at).await {
                    tracing::error!(code, %error, "a damaged room could not be closed");
                }
                self.racing().tell(code, Vec::new());
                return Err(NoRoom::NotFound);
            }
        };
        let alive = lock(&self.inner.alive).clone().ok_or(NoRoom::Stopping)?;
        self.seat_bots(&handle, skills, For::person_of(&guests, room.matched, None), |player| task.has_seat(player));
        let alone = self.note_alone(&handle, &guests);
        let (lobby, code, slot) = (self.clone(), code.to_owned(), slot.clone());
        tokio::spawn(async move {
            let _alive = alive;
            let rebuild = tokio::spawn(task.run(inbound)).await.unwrap_or(false);
            if let Some(key) = alone {
                lock(&lobby.inner.alone).remove(&key);
            }
            lobby.inner.forget(&code, &slot);
            if rebuild {
                lobby.reopen(code, PAUSES[0]);
            } else {
                lobby.racing().tell(&code, Vec::new());
            }
        });
        Ok(handle)
    }

    /// Notes a session of one who plays alone, so that it gives way to later ones.
    fn note_alone(&self, room: &RoomHandle, guests: &[Guest]) -> Option<(Uuid, Uuid)> {
        let gives_way = room.options.solo.is_some_and(|solo| !solo.is_once());
        let key = guests.first().filter(|_| gives_way).map(|guest| (guest.player(), room.room_id))?;
        lock(&self.inner.alone).insert(key, room.clone());
        Some(key)
    }
}

impl Inner {
    /// A slot for a new room, unless as many as may are taken.
    fn reserve(self: &Arc<Inner>, public: bool) -> Option<Held> {
        let mut slots = lock(&self.slots);
        if slots.len() >= self.rooms_max {
            return None;
        }
        loop {
            let code = code::draw(public);
            if !slots.contains_key(&code) {
                let slot = slots.entry(code.clone()).or_default().clone();
                return Some(Held { inner: self.clone(), code, slot });
            }
        }
    }

    /// The slot of this code.
    fn hold(self: &Arc<Inner>, code: &str) -> Held {
        let slot = lock(&self.slots).entry(code.to_owned()).or_default().clone();
        Held { inner: self.clone(), code: code.to_owned(), slot }
    }

    /// Empties a slot, unless it is another one by now.
    fn forget(&self, code: &str, slot: &Slot) {
        let mut slots = lock(&self.slots);
        if slots.get(code).is_some_and(|now| Arc::ptr_eq(now, slot)) {
            slots.remove(code);
        }
    }
}

/// A slot in somebody's hands. One that is still empty when the last lets go of it is taken away, so that no two are
/// ever filled for one room, and none stays for a room that does not exist.
struct Held {
    inner: Arc<Inner>,
    code: String,
    slot: Slot,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut slots = lock(&self.inner.slots);
        // Handles are taken and given back under the lock alone, so that the last one finds itself the last.
        self.slot = Slot::default();
        let is_left = |slot: &mut Slot| Arc::strong_count(slot) == 1 && slot.get().is_none();
        if slots.get_mut(&self.code).is_some_and(is_left) {
            slots.remove(&self.code);
        }
    }
}

/// The countdown of a room with these options, where others have `usual`.
fn countdown_ms(options: &RoomOptions, usual: u32) -> u32 {
    let [timed, relaxed] = COUNTDOWNS_MS;
    match options.solo {
        None => usual,
        Some(solo) => usual.min(if solo.is_relaxed() { relaxed } else { timed }),
    }
}

fn encode<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("events and options always encode")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
