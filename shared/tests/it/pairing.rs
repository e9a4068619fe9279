//! The queue of quick match, against a naive model: whatever the order of joins, leaves, crashes, opened and failed rooms
//! and waiting, nobody is paired twice and nobody is lost.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sprint_shared::pairing::{
    Connection, Effect, PairingId, Place, Pool, Queue, QueueRefusal, TICKETS_MAX, Ticket, UNLIMITED_MS,
};
use sprint_shared::preset::Preset;
use sprint_shared::time::Millis;
use uuid::Uuid;

const OFFER_MS: u64 = 15_000;

fn player(number: u8) -> Uuid {
    Uuid::from_u128(u128::from(number) + 1)
}

fn pool(seats: u8) -> Pool {
    Pool { seats, preset: Preset::Standard, bots: false }
}

fn ticket(number: u8, connection: u64, pool: Pool, rating: i64) -> Ticket {
    Ticket { player: player(number), connection: Connection(connection), pool, rating, uncertainty: 0 }
}

/// What a step of a story does.
#[derive(Clone, Debug)]
enum Step {
    /// A player joins by a new connection.
    Join { player: u8, seats: u8, bots: bool, rating: i64, uncertainty: u32 },
    /// The same connection asks again, perhaps for another pool.
    Again { player: u8, seats: u8, rating: i64 },
    /// One of a player's connections, the newest first, leaves or breaks.
    Leave { player: u8, older: usize },
    /// A player takes the bot.
    Accept { player: u8 },
    /// A room is open and stored.
    Opened { which: usize },
    /// A room could not be stored.
    Failed { which: usize },
    /// Time passes.
    Wait { ms: u64 },
    /// The server is killed: every connection is gone, and nothing is known any more.
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    let player = 0..12_u8;
    prop_oneof![
        8 => (player.clone(), 2..=4_u8, prop::bool::weighted(0.2), 1_000..2_000_i64, 0..500_u32).prop_map(
            |(player, seats, bots, rating, uncertainty)| Step::Join { player, seats, bots, rating, uncertainty }
        ),
        2 => (player.clone(), 2..=4_u8, 1_000..2_000_i64)
            .prop_map(|(player, seats, rating)| Step::Again { player, seats, rating }),
        3 => (player.clone(), 0..3_usize).prop_map(|(player, older)| Step::Leave { player, older }),
        2 => player.prop_map(|player| Step::Accept { player }),
        4 => (0..4_usize).prop_map(|which| Step::Opened { which }),
        2 => (0..4_usize).prop_map(|which| Step::Failed { which }),
        5 => prop_oneof![1..1_500_u64, 10_000..40_000_u64].prop_map(|ms| Step::Wait { ms }),
        1 => Just(Step::Crash),
    ]
}

/// Where the model believes a ticket to be.
#[derive(Clone, Debug, PartialEq)]
enum Where {
    Waiting,
    Pairing(PairingId),
}

#[derive(Clone, Debug)]
struct Believed {
    ticket: Ticket,
    since: Millis,
    at: Where,
    offered: bool,
}

/// Everything that was ever promised, written down as plainly as can be: what the queue says is held against it.
struct Model {
    queue: Queue,
    now: Millis,
    connections: u64,
    tickets: BTreeMap<Uuid, Believed>,
    /// Every connection that a player ever had since the last crash, the newest last.
    lines: BTreeMap<Uuid, Vec<Connection>>,
    /// Pairings whose room is being opened, with those who were put into them.
    opening: BTreeMap<PairingId, Vec<Uuid>>,
    seen: BTreeSet<PairingId>,
    counts: BTreeMap<Pool, usize>,
}

impl Model {
    fn new() -> Model {
        Model {
            queue: Queue::new(OFFER_MS),
            now: Millis(1_000_000),
            connections: 0,
            tickets: BTreeMap::new(),
            lines: BTreeMap::new(),
            opening: BTreeMap::new(),
            seen: BTreeSet::new(),
            counts: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Join { player: number, seats, bots, rating, uncertainty } => {
                self.connections += 1;
                let connection = Connection(self.connections);
                let pool = Pool { bots, ..pool(seats) };
                self.join(Ticket { player: player(number), connection, pool, rating, uncertainty });
            }
            Step::Again { player: number, seats, rating } => {
                if let Some(believed) = self.tickets.get(&player(number)) {
                    let pool = Pool { seats, ..believed.ticket.pool };
                    let ticket = Ticket { pool, rating, ..believed.ticket.clone() };
                    self.join(ticket);
                }
            }
            Step::Leave { player: number, older } => {
                let lines = self.lines.get(&player(number)).cloned().unwrap_or_default();
                if let Some(connection) = lines.iter().rev().nth(older) {
                    let has_ticket =
                        self.tickets.get(&player(number)).is_some_and(|b| b.ticket.connection == *connection);
                    if has_ticket {
                        self.tickets.remove(&player(number));
                    }
                    let effects = self.queue.leave(player(number), *connection);
                    self.heed(effects, &[]);
                }
            }
            Step::Accept { player: number } => self.accept(player(number)),
            Step::Opened { which } => {
                if let Some(id) = self.opening.keys().nth(which).copied() {
                    self.opened(id);
                }
            }
            Step::Failed { which } => {
                if let Some(id) = self.opening.keys().nth(which).copied() {
                    let back = self.opening.remove(&id).unwrap();
                    let effects = self.queue.failed(id);
                    self.goes_back(&back, id, &effects);
                    self.heed(effects, &[]);
                }
            }
            Step::Wait { ms } => self.wait(ms),
            Step::Crash => {
                self.queue = Queue::new(OFFER_MS);
                self.tickets.clear();
                self.lines.clear();
                self.opening.clear();
                self.seen.clear();
                self.counts.clear();
            }
        }
        self.agree();
    }

    fn join(&mut self, ticket: Ticket) {
        let who = ticket.player;
        let before = self.tickets.get(&who).cloned();
        let replaced = before.as_ref().map(|b| b.ticket.connection).filter(|c| *c != ticket.connection);
        let believed = match before {
            Some(before) if before.ticket.pool == ticket.pool => {
                Believed { ticket: ticket.clone(), offered: false, ..before }
            }
            _ => Believed { ticket: ticket.clone(), since: self.now, at: Where::Waiting, offered: false },
        };
        self.tickets.insert(who, believed);
        self.lines.entry(who).or_default().push(ticket.connection);
        let effects = self.queue.join(self.now, ticket).expect("far fewer than may");
        let told: Vec<_> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Replaced { connection } => Some(*connection),
                _ => None,
            })
            .collect();
        assert_eq!(told, replaced.into_iter().collect::<Vec<_>>(), "the older connection is told, and no other");
        self.heed(effects, &[]);
    }

    fn accept(&mut self, who: Uuid) {
        let believed = self.tickets.get(&who).cloned();
        let connection = believed.as_ref().map_or(Connection(0), |b| b.ticket.connection);
        let answer = self.queue.accept(who, connection);
        match believed {
            None => assert_eq!(answer, Err(QueueRefusal::NotQueued)),
            Some(Believed { at: Where::Pairing(_), .. }) => assert_eq!(answer, Err(QueueRefusal::Pairing)),
            Some(Believed { offered: false, .. }) => assert_eq!(answer, Err(QueueRefusal::NotOffered)),
            Some(_) => self.heed(answer.expect("a bot was offered"), &[who]),
        }
    }

    fn opened(&mut self, id: PairingId) {
        let players = self.opening.remove(&id).unwrap();
        let here = |who: &Uuid| self.tickets.get(who).is_some_and(|b| b.at == Where::Pairing(id));
        let all_here = players.iter().all(here);
        let effects = self.queue.opened(id);
        let matched: BTreeSet<_> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Matched { id: told, player, connection } => {
                    assert_eq!(*told, id);
                    assert_eq!(self.tickets[player].ticket.connection, *connection, "told where they are");
                    Some(*player)
                }
                _ => None,
            })
            .collect();
        let abandoned = effects.contains(&Effect::Abandoned { id });
        if all_here {
            assert_eq!(matched, players.iter().copied().collect(), "everybody is told");
            assert!(!abandoned);
            self.tickets.retain(|who, _| !players.contains(who));
        } else {
            assert!(matched.is_empty(), "somebody is gone, so nobody is told");
            assert!(abandoned, "and the room is closed");
            self.goes_back(&players, id, &effects);
        }
        self.heed(effects, &[]);
        assert_eq!(self.queue.opened(id), [Effect::Abandoned { id }], "a second time it brings nobody anything");
    }

    /// Those of a pairing who are still there wait again, since when they did before.
    fn goes_back(&mut self, players: &[Uuid], id: PairingId, effects: &[Effect]) {
        for who in players {
            let Some(believed) = self.tickets.get_mut(who).filter(|b| b.at == Where::Pairing(id)) else { continue };
            believed.at = Where::Waiting;
            let back = Effect::Back { player: *who, connection: believed.ticket.connection };
            assert!(effects.contains(&back), "they are told that they wait on");
        }
    }

    fn wait(&mut self, ms: u64) {
        self.now = self.now.after(ms);
        while self.queue.next_deadline().is_some_and(|at| at <= self.now) {
            let effects = self.queue.due(self.now);
            self.heed(effects, &[]);
        }
        assert_eq!(self.queue.due(self.now), [], "there is nothing left to do at the same instant");
    }

    /// Holds effects against what is believed, in their order.
    fn heed(&mut self, effects: Vec<Effect>, practising: &[Uuid]) {
        for effect in effects {
            match effect {
                Effect::Pair { id, pool, players } => self.paired(id, pool, &players),
                Effect::Practice { id, pool, player } => {
                    assert!(practising.contains(&player), "nobody races a bot who has not asked for it");
                    self.put_into(id, pool, &[player]);
                }
                Effect::Offer { player, connection } => {
                    let believed = self.tickets.get_mut(&player).expect("an offer is made to somebody who is there");
                    assert_eq!((&believed.at, believed.ticket.connection), (&Where::Waiting, connection));
                    assert!(!believed.offered && self.now.since(believed.since) >= OFFER_MS, "in time, and once");
                    believed.offered = true;
                }
                Effect::Counts { pool, waiting } => drop(self.counts.insert(pool, waiting)),
                // Looked at where they come about.
                Effect::Matched { .. } | Effect::Abandoned { .. } | Effect::Replaced { .. } | Effect::Back { .. } => {}
            }
        }
    }

    fn paired(&mut self, id: PairingId, pool: Pool, players: &[Uuid]) {
        assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), usize::from(pool.seats), "every seat, nobody twice");
        let waiting: Vec<Believed> = self.waiting_in(pool);
        let group: Vec<&Believed> = players.iter().map(|who| &self.tickets[who]).collect();
        // Somebody of them is served by it: no group that holds them is nearer in rating, and its spread is allowed.
        let serves = group.iter().any(|served| {
            let least = least_spread(&waiting, served, pool.seats.into());
            least == Some(spread(&group)) && is_allowed(served, &group, self.now)
        });
        assert!(serves, "this race serves nobody who waits: {group:#?}");
        self.put_into(id, pool, players);
    }

    fn put_into(&mut self, id: PairingId, pool: Pool, players: &[Uuid]) {
        assert!(self.seen.insert(id), "no pairing has the number of another");
        for who in players {
            let believed = self.tickets.get_mut(who).expect("nobody is paired who is not there");
            assert_eq!(believed.at, Where::Waiting, "nobody is paired twice");
            assert_eq!(believed.ticket.pool, pool, "everybody gets the race that they asked for");
            believed.at = Where::Pairing(id);
        }
        self.opening.insert(id, players.to_vec());
    }

    fn waiting_in(&self, pool: Pool) -> Vec<Believed> {
        let waiting = self.tickets.values().filter(|b| b.at == Where::Waiting && b.ticket.pool == pool);
        waiting.cloned().collect()
    }

    /// The queue and the model know the same players in the same places.
    fn agree(&self) {
        for number in 0..12 {
            let who = player(number);
            let believed = self.tickets.get(&who).map(|b| match b.at {
                Where::Waiting => Place::Waiting { since: b.since },
                Where::Pairing(id) => Place::Pairing { id },
            });
            assert_eq!(self.queue.place(who), believed, "player {number}");
            assert_eq!(self.queue.ticket(who), self.tickets.get(&who).map(|b| &b.ticket));
        }
        let told: BTreeMap<_, _> = self.counts.iter().filter(|(_, n)| **n > 0).map(|(pool, n)| (*pool, *n)).collect();
        let mut waiting = BTreeMap::new();
        for believed in self.tickets.values().filter(|b| b.at == Where::Waiting) {
            *waiting.entry(believed.ticket.pool).or_insert(0) += 1;
        }
        assert_eq!(told, waiting, "everybody hears how many wait");
        assert_eq!(self.queue.counts(), waiting);
    }

    /// All rooms open and everybody waits long enough: then only those wait who are too few for a race.
    fn come_to_rest(&mut self) {
        for _ in 0..20 {
            while let Some(id) = self.opening.keys().next().copied() {
                self.opened(id);
            }
            self.wait(UNLIMITED_MS + 1_000);
        }
        self.agree();
        assert!(self.opening.is_empty());
        for (pool, waiting) in self.queue.counts() {
            assert!(waiting < usize::from(pool.seats), "{waiting} wait in {pool:?} although they are enough");
        }
        assert!(self.tickets.values().all(|b| b.offered), "whoever still waits was offered a bot");
    }
}

/// The least spread of all groups of that size that hold somebody, by trying them all.
fn least_spread(waiting: &[Believed], served: &Believed, seats: usize) -> Option<i64> {
    let others: Vec<&Believed> = waiting.iter().filter(|b| b.ticket.player != served.ticket.player).collect();
    let choices = (0_u32..1 << others.len()).filter(|choice| choice.count_ones() as usize == seats - 1);
    let groups = choices.map(|choice| {
        let chosen = others.iter().enumerate().filter(|(bit, _)| choice & (1 << bit) != 0).map(|(_, other)| *other);
        chosen.chain([served]).collect::<Vec<_>>()
    });
    groups.map(|group| spread(&group)).min()
}

fn spread(group: &[&Believed]) -> i64 {
    let ratings = || group.iter().map(|b| b.ticket.rating);
    ratings().max().unwrap_or(0) - ratings().min().unwrap_or(0)
}

/// 100, and 25 more a second, and the mean uncertainty of the two ends; everything from 30 s on. Where several stand at
/// an end, any of them may be taken for it.
fn is_allowed(served: &Believed, group: &[&Believed], now: Millis) -> bool {
    let waited_ms = now.since(served.since);
    if waited_ms >= 30_000 {
        return true;
    }
    let ratings = || group.iter().map(|b| b.ticket.rating);
    let at = |rating: Option<i64>| {
        let there = group.iter().filter(|b| Some(b.ticket.rating) == rating);
        there.map(|b| i64::from(b.ticket.uncertainty)).max().unwrap_or(0)
    };
    let uncertainty = (at(ratings().min()) + at(ratings().max())) / 2;
    spread(group) <= 100 + 25 * (waited_ms / 1_000) as i64 + uncertainty
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn nobody_is_paired_twice_and_nobody_is_lost(steps in prop::collection::vec(step(), 1..80)) {
        let mut model = Model::new();
        for step in &steps {
            model.take(step);
        }
        model.come_to_rest();
    }
}

/// Who was paired with whom.
fn pairs(effects: &[Effect]) -> Vec<Vec<Uuid>> {
    let pairs = effects.iter().filter_map(|effect| match effect {
        Effect::Pair { players, .. } => Some(players.clone()),
        _ => None,
    });
    pairs.collect()
}

#[test]
fn the_window_widens_and_the_oldest_is_served_first() {
    let (mut queue, start) = (Queue::new(OFFER_MS), Millis(1_000));
    let join = |queue: &mut Queue, now, number, rating| {
        pairs(&queue.join(now, ticket(number, number.into(), pool(2), rating)).expect("there is room"))
    };
    assert!(join(&mut queue, start, 0, 1_500).is_empty());
    assert!(join(&mut queue, start.after(1_000), 1, 1_700).is_empty(), "200 apart, and 125 allowed");
    // 100 + 25 a second: 200 are allowed after four seconds of the one who has waited longest.
    queue.due(start.after(3_000));
    assert!(pairs(&queue.due(start.after(3_999))).is_empty());
    assert_eq!(pairs(&queue.due(start.after(4_999))), [[player(0), player(1)]]);
    // Two who are both near a third: the one who waits longer gets the race.
    let mut queue = Queue::new(OFFER_MS);
    assert!(join(&mut queue, start, 2, 1_000).is_empty());
    assert!(join(&mut queue, start.after(10), 3, 1_210).is_empty());
    assert_eq!(join(&mut queue, start.after(20), 4, 1_100), [[player(2), player(4)]], "both are allowed");
}

#[test]
fn after_thirty_seconds_any_rating_is_near_enough() {
    let (mut queue, start) = (Queue::new(OFFER_MS), Millis(1_000));
    queue.join(start, ticket(0, 1, pool(2), 500)).expect("there is room");
    let far = queue.join(start.after(29_000), ticket(1, 2, pool(2), 2_500)).expect("there is room");
    assert!(pairs(&far).is_empty());
    assert!(pairs(&queue.due(start.after(29_999))).is_empty());
    assert_eq!(pairs(&queue.due(start.after(30_999))), [[player(0), player(1)]]);
}

#[test]
fn the_uncertainty_of_newcomers_widens_the_window() {
    let (mut queue, start) = (Queue::new(OFFER_MS), Millis(1_000));
    let newcomer = |number: u8, rating| Ticket { uncertainty: 500, ..ticket(number, number.into(), pool(2), rating) };
    queue.join(start, newcomer(0, 1_500)).expect("there is room");
    assert!(pairs(&queue.join(start, newcomer(1, 2_101)).expect("there is room")).is_empty(), "601 apart");
    let third = queue.join(start, newcomer(2, 2_100)).expect("there is room");
    assert_eq!(pairs(&third), [[player(0), player(2)]], "600 apart: the first of them is served");
}

#[test]
fn people_and_bots_never_meet_in_the_queue() {
    let (mut queue, start) = (Queue::new(OFFER_MS), Millis(1_000));
    let bot = Ticket { pool: Pool { bots: true, ..pool(2) }, ..ticket(1, 1, pool(2), 1_500) };
    queue.join(start, ticket(0, 0, pool(2), 1_500)).expect("there is room");
    assert!(pairs(&queue.join(start, bot).expect("there is room")).is_empty());
    for second in 1..=120 {
        assert!(pairs(&queue.due(start.after(second * 1_000))).is_empty(), "after {second} s");
    }
}

#[test]
fn as_many_wait_as_may_and_whoever_has_a_place_keeps_it() {
    let (mut queue, start) = (Queue::new(OFFER_MS), Millis(1_000));
    // Ratings so far apart that nobody is paired.
    for number in 0..TICKETS_MAX as u64 {
        let who = Uuid::from_u128(u128::from(number) + 1);
        let ticket = Ticket { player: who, rating: number as i64 * 1_000, ..ticket(0, number, pool(4), 0) };
        // The pools are many, so that the test does not look at everybody for each of them.
        let pool = Pool { preset: Preset::ALL[number as usize % 8], ..pool(2 + (number % 3) as u8) };
        queue.join(start, Ticket { pool, ..ticket }).expect("there is room");
    }
    let late = Ticket { player: Uuid::from_u128(u128::MAX), ..ticket(0, u64::MAX, pool(2), 0) };
    assert_eq!(queue.join(start, late.clone()), Err(QueueRefusal::Full));
    let again = queue.ticket(player(0)).expect("they have waited from the beginning").clone();
    assert!(queue.join(start, again).is_ok());
    queue.leave(player(0), Connection(0));
    assert!(queue.join(start, late).is_ok(), "there is room again");
}
