//! The quick-match queue as a state machine: tickets in, effects out.
//!
//! A ticket is in exactly one place: it waits, it is in a pairing whose room is being opened, or it is gone. Nothing here
//! reads a clock: instants are arguments, and whoever drives it carries the effects out. A player has one ticket, whatever
//! connections and pools they try; so nobody can be paired twice.

use std::collections::BTreeMap;

use thiserror::Error;
use uuid::Uuid;

use crate::preset::Preset;
use crate::time::Millis;

mod group;

use group::Candidate;

/// Tickets at once at most.
pub const TICKETS_MAX: usize = 10_000;
/// From one look at everybody who waits to the next, in milliseconds.
pub const LOOK_MS: u64 = 1_000;
/// The spread of ratings that is allowed at once, before uncertainty is added.
pub const WINDOW: u32 = 100;
/// By how much the spread that is allowed grows a second.
pub const WINDOW_PER_S: u32 = 25;
/// Whoever has waited for this long is paired whatever the ratings are, in milliseconds.
pub const UNLIMITED_MS: u64 = 30_000;

/// A number that no two connections of the queue share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection(pub u64);

/// A number that no two pairings of a queue share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairingId(pub u64);

/// Who is paired with each other: the same seats, the same preset, people or programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pool {
    /// Seats of the race, 2 to 4.
    pub seats: u8,
    /// The kind of board.
    pub preset: Preset,
    /// Whether programs race here: they never meet people in the queue.
    pub bots: bool,
}

/// Somebody who wants to race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Who.
    pub player: Uuid,
    /// Where they hear what comes of it.
    pub connection: Connection,
    /// With whom.
    pub pool: Pool,
    /// The rating as it is shown.
    pub rating: i64,
    /// Its uncertainty as it is shown.
    pub uncertainty: u32,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Open a room for these players, then say [`Queue::opened`] or [`Queue::failed`].
    Pair {
        /// The pairing.
        id: PairingId,
        /// Its pool.
        pool: Pool,
        /// Who is in it, the one who has waited longest first.
        players: Vec<Uuid>,
    },
    /// Open a room with bots for this player, then say [`Queue::opened`] or [`Queue::failed`].
    Practice {
        /// The pairing.
        id: PairingId,
        /// Its pool.
        pool: Pool,
        /// Who asked for it.
        player: Uuid,
    },
    /// Tell this player that the room is open; the ticket is gone.
    Matched {
        /// The pairing.
        id: PairingId,
        /// Who.
        player: Uuid,
        /// Where.
        connection: Connection,
    },
    /// The room of this pairing is wanted by nobody: close it.
    Abandoned {
        /// The pairing.
        id: PairingId,
    },
    /// Offer this player a race against a bot.
    Offer {
        /// Who.
        player: Uuid,
        /// Where.
        connection: Connection,
    },
    /// A newer connection of the same player has the ticket.
    Replaced {
        /// The older one.
        connection: Connection,
    },
    /// The pairing came to nothing: this player waits on, as long as before.
    Back {
        /// Who.
        player: Uuid,
        /// Where.
        connection: Connection,
    },
    /// Another number of players waits in a pool.
    Counts {
        /// The pool.
        pool: Pool,
        /// How many.
        waiting: usize,
    },
}

/// A request that changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QueueRefusal {
    /// As many wait as may.
    #[error("as many players wait as may: try again in a moment")]
    Full,
    /// There is no ticket, or another connection has it.
    #[error("you are not in the queue: say join first")]
    NotQueued,
    /// No bot was offered.
    #[error("no bot was offered: wait for the offer")]
    NotOffered,
    /// A race is being opened.
    #[error("a race is found already: it is being opened")]
    Pairing,
}

impl QueueRefusal {
    /// The stable code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            QueueRefusal::Full => "full",
            QueueRefusal::NotQueued => "not_queued",
            QueueRefusal::NotOffered => "not_offered",
            QueueRefusal::Pairing => "not_now",
        }
    }
}

/// Where a ticket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It waits since that instant.
    Waiting {
        /// Since when.
        since: Millis,
    },
    /// Its room is being opened.
    Pairing {
        /// The pairing.
        id: PairingId,
    },
}

/// Everybody who wants to race.
#[derive(Clone, Debug)]
pub struct Queue {
    offer_ms: u64,
    entries: BTreeMap<Uuid, Entry>,
    /// Pairings whose rooms are being opened. Who of them is still there is said by the entries alone.
    pairings: BTreeMap<PairingId, Vec<Uuid>>,
    next_pairing: u64,
    /// The next look at everybody.
    look_at: Millis,
    told: BTreeMap<Pool, usize>,
}

#[derive(Clone, Debug)]
struct Entry {
    ticket: Ticket,
    since: Millis,
    pairing: Option<PairingId>,
    offered: bool,
}

impl Queue {
    /// An empty queue that offers a bot to whoever has waited for `offer_ms` milliseconds.
    pub fn new(offer_ms: u64) -> Queue {
        Queue {
            offer_ms,
            entries: BTreeMap::new(),
            pairings: BTreeMap::new(),
            next_pairing: 1,
            look_at: Millis(0),
            told: BTreeMap::new(),
        }
    }

    /// A player joins, comes back by another connection, or wants another pool. The place in the queue is kept where the
    /// pool is the same.
    pub fn join(&mut self, now: Millis, ticket: Ticket) -> Result<Vec<Effect>, QueueRefusal> {
        let (player, pool) = (ticket.player, ticket.pool);
        let before = self.entries.get(&player);
        if before.is_none() && self.entries.len() >= TICKETS_MAX {
            return Err(QueueRefusal::Full);
        }
        let mut effects = Vec::new();
        let kept = before.filter(|entry| entry.ticket.pool == pool);
        let (since, pairing) = kept.map_or((now, None), |entry| (entry.since, entry.pairing));
        let older = before.map(|entry| entry.ticket.connection).filter(|older| *older != ticket.connection);
        effects.extend(older.map(|connection| Effect::Replaced { connection }));
        // Whoever comes back has not heard of an offer: it is made again.
        self.entries.insert(player, Entry { ticket, since, pairing, offered: false });
        self.pair(now, pool, &mut effects);
        self.count(&mut effects);
        Ok(effects)
    }

    /// A connection leaves, or is gone. One that was replaced has no ticket to take away.
    pub fn leave(&mut self, player: Uuid, connection: Connection) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.entries.get(&player).is_some_and(|entry| entry.ticket.connection == connection) {
            self.entries.remove(&player);
            self.count(&mut effects);
        }
        effects
    }

    /// A player takes the bot that was offered.
    pub fn accept(&mut self, player: Uuid, connection: Connection) -> Result<Vec<Effect>, QueueRefusal> {
        let entry = self.entries.get_mut(&player).filter(|entry| entry.ticket.connection == connection);
        let entry = entry.ok_or(QueueRefusal::NotQueued)?;
        if entry.pairing.is_some() {
            return Err(QueueRefusal::Pairing);
        }
        if !entry.offered {
            return Err(QueueRefusal::NotOffered);
        }
        let pool = entry.ticket.pool;
        let id = self.take(vec![player]);
        let mut effects = vec![Effect::Practice { id, pool, player }];
        self.count(&mut effects);
        Ok(effects)
    }

    /// The room of a pairing is open and stored. Everybody hears of it if everybody is still there; otherwise nobody does,
    /// and those who are wait on.
    pub fn opened(&mut self, id: PairingId) -> Vec<Effect> {
        let Some(players) = self.pairings.remove(&id) else { return vec![Effect::Abandoned { id }] };
        if players.iter().any(|player| !self.is_in(*player, id)) {
            let mut effects = vec![Effect::Abandoned { id }];
            self.put_back(&players, id, &mut effects);
            return effects;
        }
        let gone = players.iter().filter_map(|player| self.entries.remove(player));
        gone.map(|Entry { ticket: Ticket { player, connection, .. }, .. }| Effect::Matched { id, player, connection })
            .collect()
    }

    /// The room of a pairing could not be opened: everybody waits on.
    pub fn failed(&mut self, id: PairingId) -> Vec<Effect> {
        let players = self.pairings.remove(&id).unwrap_or_default();
        let mut effects = Vec::new();
        self.put_back(&players, id, &mut effects);
        effects
    }

    /// What time brings: once a second wider windows, and offers. Nothing before [`Queue::next_deadline`].
    pub fn due(&mut self, now: Millis) -> Vec<Effect> {
        let mut effects = Vec::new();
        if now < self.look_at {
            return effects;
        }
        self.look_at = now.after(LOOK_MS);
        let mut pools: Vec<Pool> = self.waiting().map(|entry| entry.ticket.pool).collect();
        pools.sort_unstable();
        pools.dedup();
        for pool in pools {
            self.pair(now, pool, &mut effects);
        }
        for entry in self.entries.values_mut() {
            if entry.pairing.is_none() && !entry.offered && now.since(entry.since) >= self.offer_ms {
                entry.offered = true;
                let Ticket { player, connection, .. } = entry.ticket;
                effects.push(Effect::Offer { player, connection });
            }
        }
        self.count(&mut effects);
        effects
    }

    /// When [`Queue::due`] has something to look at, if anybody waits.
    pub fn next_deadline(&self) -> Option<Millis> {
        self.waiting().next().map(|_| self.look_at)
    }

    /// How many wait in a pool.
    pub fn count_in(&self, pool: Pool) -> usize {
        self.waiting().filter(|entry| entry.ticket.pool == pool).count()
    }

    /// How many wait, by pool; pools where nobody does are left out.
    pub fn counts(&self) -> BTreeMap<Pool, usize> {
        let mut counts = BTreeMap::new();
        self.waiting().for_each(|entry| *counts.entry(entry.ticket.pool).or_default() += 1);
        counts
    }

    /// Where a player's ticket is; `None` if there is none.
    pub fn place(&self, player: Uuid) -> Option<Place> {
        let entry = self.entries.get(&player)?;
        Some(match entry.pairing {
            Some(id) => Place::Pairing { id },
            None => Place::Waiting { since: entry.since },
        })
    }

    /// A player's ticket.
    pub fn ticket(&self, player: Uuid) -> Option<&Ticket> {
        self.entries.get(&player).map(|entry| &entry.ticket)
    }

    /// Everybody who waits.
    pub fn tickets(&self) -> impl Iterator<Item = (&Ticket, Millis)> {
        self.waiting().map(|entry| (&entry.ticket, entry.since))
    }

    fn waiting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| entry.pairing.is_none())
    }

    fn is_in(&self, player: Uuid, id: PairingId) -> bool {
        self.entries.get(&player).is_some_and(|entry| entry.pairing == Some(id))
    }

    /// Pairs whoever may be paired in a pool.
    fn pair(&mut self, now: Millis, pool: Pool, effects: &mut Vec<Effect>) {
        let waiting = self.waiting().filter(|entry| entry.ticket.pool == pool);
        let candidates = waiting.map(|Entry { ticket, since, .. }| Candidate {
            rating: ticket.rating,
            uncertainty: ticket.uncertainty,
            since: *since,
            player: ticket.player,
        });
        for mut players in group::groups(candidates.collect(), pool.seats.into(), now) {
            players.sort_by_key(|player| self.entries.get(player).map(|entry| (entry.since, *player)));
            let id = self.take(players.clone());
            effects.push(Effect::Pair { id, pool, players });
        }
    }

    /// Takes players who wait into a pairing.
    fn take(&mut self, players: Vec<Uuid>) -> PairingId {
        let id = PairingId(self.next_pairing);
        self.next_pairing += 1;
        for player in &players {
            if let Some(entry) = self.entries.get_mut(player) {
                entry.pairing = Some(id);
            }
        }
        self.pairings.insert(id, players);
        id
    }

    /// Those of a pairing who are still there wait on, and are looked at with everybody else.
    fn put_back(&mut self, players: &[Uuid], id: PairingId, effects: &mut Vec<Effect>) {
        for player in players {
            if let Some(entry) = self.entries.get_mut(player).filter(|entry| entry.pairing == Some(id)) {
                entry.pairing = None;
                effects.push(Effect::Back { player: *player, connection: entry.ticket.connection });
            }
        }
        self.count(effects);
    }

    fn count(&mut self, effects: &mut Vec<Effect>) {
        let counts = self.counts();
        let emptied = self.told.keys().filter(|pool| !counts.contains_key(pool)).map(|pool| (*pool, 0));
        let changed = counts.iter().filter(|(pool, n)| self.told.get(pool) != Some(n)).map(|(pool, n)| (*pool, *n));
        effects.extend(emptied.chain(changed).map(|(pool, waiting)| Effect::Counts { pool, waiting }));
        self.told = counts;
    }
}

/// The spread of ratings that is allowed at `now` to somebody who waits since `since`, before uncertainty is added;
/// `None` if any is.
pub fn window(since: Millis, now: Millis) -> Option<u32> {
    let waited_ms = now.since(since);
    let widened = (waited_ms / 1_000) as u32 * WINDOW_PER_S;
    (waited_ms < UNLIMITED_MS).then_some(WINDOW + widened)
}
