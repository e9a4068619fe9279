//! Quick match: one task around the pure queue. It carries out what the queue decides, and opens rooms for those who
//! are paired; they hear of a room only once it is stored.
//!
//! Must never wait for a client or for the store: a full outbox closes its connection, rooms are opened beside.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use sprint_shared::options::RoomOptions;
use sprint_shared::pairing::{Connection, Effect, PairingId, Pool, Queue, QueueRefusal, Ticket, window};
use sprint_shared::protocol::queue::QueueServerMessage;
use sprint_shared::time::Millis;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};
use uuid::Uuid;

use crate::clock::Clock;
use crate::house::{self, Automaton};
use crate::lobby::{Lobby, NoRoom, Party};
use crate::room::{Inbound, RoomHandle};
use crate::stop::Stopping;
use crate::store::{Guest, Store, StoreError};

/// Messages that may wait for the queue.
const INBOX: usize = 256;
/// Messages that may wait for a socket of the queue.
pub const OUTBOX: usize = 8;
/// Between two messages that say how long one has waited, in milliseconds.
const TOLD_EVERY_MS: u64 = 1_000;

/// How long bots that were looked up are offered as they were then, in milliseconds: however many wait, the store is asked
/// once a while.
const KNOWN_MS: u64 = 30_000;
/// How often bots are looked up before it is given up, and how long after a look that failed.
const LOOKS: u32 = 30;
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What reaches the queue.
pub enum Said {
    /// Somebody wants a race.
    Join(Box<Joining>),
    /// Somebody takes the bot that was offered.
    Accept {
        /// Who.
        player: Uuid,
        /// By which connection.
        connection: Connection,
    },
    /// Somebody leaves, or the connection is gone.
    Leave {
        /// Who.
        player: Uuid,
        /// Which connection.
        connection: Connection,
    },
}

/// Somebody who wants a race.
pub struct Joining {
    /// What race.
    pub ticket: Ticket,
    /// By what name.
    pub name: String,
    /// From where.
    pub address: IpAddr,
    /// Where the queue's messages go; the first of a connection brings it.
    pub outbox: Option<mpsc::Sender<QueueServerMessage>>,
}

/// The way to the queue. Clones reach the same one.
#[derive(Clone)]
pub struct QueueHandle {
    inbox: mpsc::Sender<Said>,
    counts: watch::Receiver<BTreeMap<Pool, usize>>,
}

impl QueueHandle {
    /// Where messages for the queue go.
    pub fn inbox(&self) -> &mpsc::Sender<Said> {
        &self.inbox
    }

    /// How many wait, by pool.
    pub fn counts(&self) -> BTreeMap<Pool, usize> {
        self.counts.borrow().clone()
    }
}

/// What the queue stands on.
pub struct Ground {
    /// The one clock.
    pub clock: Clock,
    /// Where rooms are opened.
    pub lobby: Lobby,
    /// For the bots of the house.
    pub store: Store,
    /// Said when the server stops.
    pub stop: Stopping,
}

/// Starts the queue's task. Whoever has waited for `offer_ms` milliseconds is offered a bot.
pub fn start(ground: Ground, offer_ms: u64) -> QueueHandle {
    let (inbox, said) = mpsc::channel(INBOX);
    let (counts, counted) = watch::channel(BTreeMap::new());
    let Ground { clock, lobby, store, stop } = ground;
    let service = Service {
        clock,
        lobby,
        store,
        queue: Queue::new(offer_ms),
        lines: BTreeMap::new(),
        opening: JoinSet::new(),
        open: BTreeMap::new(),
        house: Vec::new(),
        looked_at: None,
        asking: JoinSet::new(),
        unoffered: Vec::new(),
        counts,
    };
    tokio::spawn(service.run(said, stop));
    QueueHandle { inbox, counts: counted }
}

struct Service {
    clock: Clock,
    lobby: Lobby,
    store: Store,
    queue: Queue,
    lines: BTreeMap<Connection, Line>,
    opening: JoinSet<(PairingId, Result<Opened, NoRoom>)>,
    /// Rooms that are open for pairings that have not heard of them.
    open: BTreeMap<PairingId, Opened>,
    /// The bots of the house as they were when they were looked up last, and when that was.
    house: Vec<Automaton>,
    looked_at: Option<Millis>,
    /// The look-up that is under way, one at a time.
    asking: JoinSet<Result<Vec<Automaton>, StoreError>>,
    /// Who is offered a bot once it has ended; as many as the queue holds at most.
    unoffered: Vec<(Uuid, Connection)>,
    counts: watch::Sender<BTreeMap<Pool, usize>>,
}

struct Opened {
    room: RoomHandle,
    bots: bool,
}

/// A connection of somebody who waits.
struct Line {
    name: String,
    address: IpAddr,
    /// Gone once it was full: the socket hears that by the end of its messages, and leaves.
    outbox: Option<mpsc::Sender<QueueServerMessage>>,
    /// The bots that were offered, the one that was named first.
    offered: Vec<Automaton>,
    told_at: Millis,
    /// What it was last told: how many wait, and how far ratings may be apart.
    told: Option<(Pool, usize, Option<u32>)>,
}

impl Service {
    async fn run(mut self, mut said: mpsc::Receiver<Said>, stop: Stopping) {
        loop {
            let wake = self.queue.next_deadline().map(|at| self.clock.moment(at));
            tokio::select! {
                biased;
                () = stop.said() => return,
                Some(opened) = self.opening.join_next(), if !self.opening.is_empty() => {
                    if let Ok((id, opened)) = opened {
                        self.opened(id, opened);
                    }
                }
                Some(asked) = self.asking.join_next(), if !self.asking.is_empty() => {
                    if let Ok(automata) = asked {
                        self.looked_up(automata);
                    }
                }
                Some(said) = said.recv() => self.hear(said),
                () = async { sleep_until(wake.expect("guarded")).await }, if wake.is_some() => {}
            }
            let effects = self.queue.due(self.clock.now());
            self.carry_out(effects);
            self.tell_waiting();
        }
    }

    fn hear(&mut self, said: Said) {
        match said {
            Said::Join(joining) => self.join(*joining),
            // The offer is under way to a client that takes it before it has heard of it.
            Said::Accept { connection, .. } if self.lines.get(&connection).is_some_and(|l| l.offered.is_empty()) => {
                self.refuse(connection, QueueRefusal::NotOffered);
            }
            Said::Accept { player, connection } => match self.queue.accept(player, connection) {
                Ok(effects) => self.carry_out(effects),
                Err(refusal) => self.refuse(connection, refusal),
            },
            Said::Leave { player, connection } => {
                self.forget(connection);
                let effects = self.queue.leave(player, connection);
                self.carry_out(effects);
            }
        }
    }

    fn join(&mut self, joining: Joining) {
        let Joining { ticket, name, address, outbox } = joining;
        let (player, connection) = (ticket.player, ticket.connection);
        if let Some(outbox) = outbox {
            self.lines.insert(
                connection,
                Line { name, address, outbox: Some(outbox), offered: Vec::new(), told_at: Millis(0), told: None },
            );
        } else if !self.lines.contains_key(&connection) {
            // It has been told that it is replaced, or matched: what it said before it heard so does not count.
            return;
        }
        // Asked here, where matches are made: nobody is told of one race and put into another.
        if let Some(code) = self.lobby.racing().code_of(player) {
            let effects = self.queue.leave(player, connection);
            self.carry_out(effects);
            return self.tell_last(connection, QueueServerMessage::Matched { code: code.to_string(), bots: false });
        }
        match self.queue.join(self.clock.now(), ticket) {
            Ok(effects) => self.carry_out(effects),
            Err(refusal) => self.refuse(connection, refusal),
        }
    }

    fn opened(&mut self, id: PairingId, opened: Result<Opened, NoRoom>) {
        let effects = match opened {
            Ok(opened) => {
                let effects = self.queue.opened(id);
                let matched = effects.iter().filter_map(|effect| match effect {
                    Effect::Matched { player, .. } => Some(*player),
                    _ => None,
                });
                if !opened.bots {
                    // Told here, with the match: a room that is abandoned has sent nobody to it.
                    self.lobby.racing().tell(&opened.room.code, matched.collect());
                }
                self.open.insert(id, opened);
                effects
            }
            Err(error) => {
                tracing::warn!(%error, "no room could be opened for a quick match; its players wait on");
                self.queue.failed(id)
            }
        };
        self.carry_out(effects);
        self.open.remove(&id);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Pair { id, pool, players } => self.open_for_people(id, pool, &players),
                Effect::Practice { id, pool, player } => self.open_for_one(id, pool, player),
                Effect::Offer { player, connection } => self.look_for_bots(player, connection),
                Effect::Matched { id, connection, .. } => {
                    if let Some(Opened { room, bots }) = self.open.get(&id) {
                        let (code, bots) = (room.code.to_string(), *bots);
                        self.tell_last(connection, QueueServerMessage::Matched { code, bots });
                    }
                }
                Effect::Abandoned { id } => {
                    if let Some(Opened { room, .. }) = self.open.remove(&id) {
                        // Nobody knows its code. If it takes no message, it closes when nobody shows up.
                        let _ = room.inbox().try_send(Inbound::Abandon);
                    }
                }
                Effect::Replaced { connection } => self.tell_last(connection, QueueServerMessage::Replaced {}),
                Effect::Back { connection, .. } => self.tell(connection, QueueServerMessage::Back {}),
                Effect::Counts { .. } => drop(self.counts.send_replace(self.queue.counts())),
            }
        }
    }

    fn open_for_people(&mut self, id: PairingId, pool: Pool, players: &[Uuid]) {
        let guests = players.iter().map(|player| self.person(*player, pool)).collect();
        let options = RoomOptions { rated: true, ..options(pool) };
        let lobby = self.lobby.clone();
        let options = options.checked().expect("a quick match has valid options");
        self.opening.spawn(async move {
            let room = lobby.create_for(options, Party { guests, matched: true, ..Party::default() }).await;
            (id, room.map(|room| Opened { room, bots: false }))
        });
    }

    /// One who has waited long enough races bots: nobody's rating but theirs follows from it.
    fn open_for_one(&mut self, id: PairingId, pool: Pool, player: Uuid) {
        let (lobby, store, person) = (self.lobby.clone(), self.store.clone(), self.person(player, pool));
        let line = self.queue.ticket(player).and_then(|ticket| self.lines.get(&ticket.connection));
        let (offered, address) = line.map(|line| (line.offered.clone(), Some(line.address))).unwrap_or_default();
        let strengths: Vec<_> = offered.iter().map(|bot| bot.strength).take(usize::from(pool.seats) - 1).collect();
        self.opening.spawn(async move {
            let opening = async {
                let bots = house::guests(&store, &strengths).await?;
                let guests = [person].into_iter().chain(bots).collect();
                lobby.create_for(options(pool), Party { guests, matched: true, address, ..Party::default() }).await
            };
            let room = opening.await;
            (id, room.map(|room| Opened { room, bots: true }))
        });
    }

    /// Offers a bot: at once if the bots are known, or when they are.
    fn look_for_bots(&mut self, player: Uuid, connection: Connection) {
        let now = self.clock.now();
        if self.looked_at.is_some_and(|at| now.since(at) < KNOWN_MS) {
            return self.offer(player, connection);
        }
        // Whoever changes their mind meanwhile waits for one offer all the same.
        self.unoffered.retain(|(_, other)| *other != connection);
        self.unoffered.push((player, connection));
        if !self.asking.is_empty() {
            return;
        }
        let store = self.store.clone();
        self.asking.spawn(async move {
            for _ in 1..LOOKS {
                match house::all(&store).await {
                    Ok(automata) => return Ok(automata),
                    Err(error) => tracing::warn!(%error, "no bot could be looked up; trying again"),
                }
                sleep(LOOK_AGAIN).await;
            }
            house::all(&store).await
        });
    }

    fn looked_up(&mut self, automata: Result<Vec<Automaton>, StoreError>) {
        let waiting = std::mem::take(&mut self.unoffered);
        match automata {
            Ok(automata) => (self.house, self.looked_at) = (automata, Some(self.clock.now())),
            Err(error) => return tracing::error!(%error, "no bot could be offered"),
        }
        waiting.into_iter().for_each(|(player, connection)| self.offer(player, connection));
    }

    /// Offers the bot that is nearest in rating to a player who still waits by this connection.
    fn offer(&mut self, player: Uuid, connection: Connection) {
        let ticket = self.queue.ticket(player).filter(|ticket| ticket.connection == connection);
        let Some(rating) = ticket.map(|ticket| ticket.rating) else { return };
        let automata = house::nearest(&self.house, rating);
        let (Some(line), Some(nearest)) = (self.lines.get_mut(&connection), automata.first()) else { return };
        let Automaton { strength, name, rating } = nearest.clone();
        line.offered = automata;
        self.tell(connection, QueueServerMessage::Offer { strength, name, rating });
    }

    fn person(&self, player: Uuid, pool: Pool) -> Guest {
        let line = self.queue.ticket(player).and_then(|ticket| self.lines.get(&ticket.connection));
        let (name, bot) = (line.map(|line| line.name.clone()).unwrap_or_default(), pool.bots);
        Guest::Person { player, name, bot }
    }

    /// Tells everybody who waits how long they have, where something has changed and they were not told just now.
    fn tell_waiting(&mut self) {
        let (now, counts) = (self.clock.now(), self.counts.borrow().clone());
        let mut messages = Vec::new();
        for (ticket, since) in self.queue.tickets() {
            let Some(line) = self.lines.get_mut(&ticket.connection) else { continue };
            let waiting = counts.get(&ticket.pool).copied().unwrap_or_default();
            let window = window(since, now).map(|window| window + ticket.uncertainty);
            let news = Some((ticket.pool, waiting, window));
            let is_new = line.told.is_none_or(|(pool, ..)| pool != ticket.pool);
            if line.told == news || !(is_new || now.since(line.told_at) >= TOLD_EVERY_MS) {
                continue;
            }
            (line.told, line.told_at) = (news, now);
            let (Pool { seats, preset, .. }, waiting) = (ticket.pool, waiting as u32);
            let message = QueueServerMessage::Waiting { seats, preset, waiting, since_ms: now.since(since), window };
            messages.push((ticket.connection, message));
        }
        messages.into_iter().for_each(|(connection, message)| self.tell(connection, message));
    }

    fn refuse(&mut self, connection: Connection, refusal: QueueRefusal) {
        let (code, message) = (refusal.code().to_owned(), refusal.to_string());
        self.tell(connection, QueueServerMessage::Refused { code, message });
    }

    /// A connection that takes nothing is closed.
    fn tell(&mut self, connection: Connection, message: QueueServerMessage) {
        if let Some(line) = self.lines.get_mut(&connection) {
            line.outbox.take_if(|outbox| outbox.try_send(message).is_err());
        }
    }

    /// The last message of a connection.
    fn tell_last(&mut self, connection: Connection, message: QueueServerMessage) {
        self.tell(connection, message);
        self.forget(connection);
    }

    fn forget(&mut self, connection: Connection) {
        self.lines.remove(&connection);
        self.unoffered.retain(|(_, other)| *other != connection);
    }
}

/// The room of a quick match: one round, strict, for those who are brought to it.
fn options(pool: Pool) -> RoomOptions {
    RoomOptions { seats: pool.seats, preset: pool.preset, ..RoomOptions::default() }
}
