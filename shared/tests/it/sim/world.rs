//! The simulated world: one clock, one queue of happenings, a room task as the server runs it, and the checks.
//!
//! Checked all along: time at the room never goes backwards; a finish is timed by the receipt of its act on a clock
//! that stands still in outages; a connected player is present; what was acknowledged is durable and was done once,
//! as it was sent. At the end: one result, the one that the second opinion gives.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use sprint_shared::deal::{Draws, Seed};
use sprint_shared::event::{Event, Nonce};
use sprint_shared::options::RoomOptions;
use sprint_shared::play::{Act, Deed};
use sprint_shared::race::{Command, Race, Want};
use sprint_shared::replay;
use sprint_shared::time::{Millis, Seat};
use uuid::Uuid;

use super::client::{Client, Conn, Hear, Say};
use super::reference;
use super::room::Room;
use super::stopwatch::Stopwatch;
use crate::table::{SHORT, SHORT_OPTIMUM, player};

const COUNTDOWN_MS: u32 = 300;
/// Faults happen until then.
const FAULTS_MS: u64 = 12_000;
/// By then every room must have its result: time limit, waiting for players, countdowns.
const END_MS: u64 = 120_000;
const START: u64 = 1_000_000;

/// Which mistake the room makes on purpose; none by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    pub acknowledges_early: bool,
    pub deadline_before_inbox: bool,
    pub ignores_receipt: bool,
    pub forgets_outage: bool,
    pub stale_close_counts: bool,
    pub forgets_counters: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub crashes: u64,
    pub takeovers: u64,
    pub finishes: u64,
    pub acknowledged: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.crashes += other.crashes;
        self.takeovers += other.takeovers;
        self.finishes += other.finishes;
        self.acknowledged += other.acknowledged;
    }
}

pub struct Run {
    pub totals: Totals,
    pub trace: Vec<String>,
}

/// What comes to pass at an instant.
#[derive(Debug)]
enum Happening {
    Arrives { epoch: u32, conn: Conn, from: usize, say: Say },
    Heard { conn: Conn, to: usize, hear: Hear },
    Wakes { epoch: u32 },
    Commits { epoch: u32 },
    Thinks { who: usize },
    Connects { who: usize },
    Cut { who: usize },
    Crashes,
    Restarts,
}

pub struct World {
    draws: Draws,
    plan: Plan,
    now: u64,
    tie: u64,
    queue: BTreeMap<(u64, u64), Happening>,
    epoch: u32,
    conns: Conn,
    room: Option<Room>,
    durable: Vec<(Event, Millis)>,
    clients: Vec<Client>,
    stopwatch: Stopwatch,
    totals: Totals,
    trace: Vec<String>,
}

impl World {
    pub fn new(seed: u64, plan: Plan) -> World {
        let mut draws = Draws::new(&Seed::from(seed));
        let players = 2 + draws.below(3) as u8;
        let opening = Event::RoomOpened {
            at: Millis(START),
            room: Uuid::from_u128(9),
            code: "SIM".into(),
            options: RoomOptions { seats: players, time_limit_s: Some(30), ..RoomOptions::default() },
            countdown_ms: COUNTDOWN_MS,
            idle_ms: 10 * END_MS,
        };
        let race = Race::open(&opening).expect("the opening opens");
        let mut world = World {
            draws,
            plan,
            now: START,
            tie: 0,
            queue: BTreeMap::new(),
            epoch: 0,
            conns: 0,
            room: Some(Room::of(race, Millis(START))),
            durable: vec![(opening, Millis(START))],
            clients: (1..=players).map(Client::new).collect(),
            stopwatch: Stopwatch::default(),
            totals: Totals::default(),
            trace: Vec::new(),
        };
        for who in 0..world.clients.len() {
            let delay = world.draws.below(300);
            world.after(delay, Happening::Connects { who });
            world.after(delay, Happening::Thinks { who });
            world.plan_cut(who);
        }
        let first_crash = 500 + world.draws.below(2 * FAULTS_MS);
        world.after(first_crash, Happening::Crashes);
        world
    }

    pub fn run(mut self) -> Run {
        while let Some(((time, _), happening)) = self.queue.pop_first() {
            if time > START + END_MS {
                break;
            }
            assert!(time >= self.now);
            self.now = time;
            if self.trace.len() < 20_000 {
                self.trace.push(format!("{time} {happening:?}"));
            }
            self.happen(happening);
        }
        self.check_end();
        self.totals.acknowledged = self.clients.iter().map(|c| c.acknowledged.len() as u64).sum();
        Run { totals: self.totals, trace: self.trace }
    }

    fn after(&mut self, ms: u64, happening: Happening) {
        self.tie += 1;
        self.queue.insert((self.now + ms, self.tie), happening);
    }

    fn faulty(&self) -> bool {
        self.now < START + FAULTS_MS
    }

    fn plan_cut(&mut self, who: usize) {
        let delay = 200 + self.draws.below(6_000);
        self.after(delay, Happening::Cut { who });
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Arrives { epoch, conn, from, say } if epoch == self.epoch => {
                let now = Millis(self.now);
                if let Some(room) = &mut self.room {
                    room.inbox.push_back((now, conn, from, say));
                    // A busy machine gets round to it a little later.
                    let lag = self.draws.below(12);
                    self.after(lag, Happening::Wakes { epoch });
                }
            }
            Happening::Wakes { epoch } if epoch == self.epoch => self.wake(),
            Happening::Commits { epoch } if epoch == self.epoch => self.commit(),
            Happening::Arrives { .. } | Happening::Wakes { .. } | Happening::Commits { .. } => {}
            Happening::Heard { conn, to, hear } => {
                if self.clients[to].conn != Some(conn) {
                    return;
                }
                for say in self.clients[to].hear(&hear) {
                    self.send(to, say);
                }
            }
            Happening::Thinks { who } => {
                if let Some(say) = self.clients[who].think(&mut self.draws) {
                    self.send(who, say);
                }
                let pause = 20 + self.draws.below(500);
                self.after(pause, Happening::Thinks { who });
            }
            Happening::Connects { who } => self.connect(who),
            Happening::Cut { who } if self.faulty() => {
                self.cut(who);
                self.plan_cut(who);
            }
            Happening::Cut { .. } => {}
            Happening::Crashes if self.faulty() => self.crash(),
            Happening::Crashes => {}
            Happening::Restarts => self.restart(),
        }
    }

    fn connect(&mut self, who: usize) {
        if self.room.is_none() {
            let retry = 50 + self.draws.below(400);
            return self.after(retry, Happening::Connects { who });
        }
        self.conns += 1;
        let hello = self.clients[who].connect(self.conns);
        self.send(who, hello);
    }

    /// The line breaks, or a second tab opens while the first still talks; the server hears of the end later.
    fn cut(&mut self, who: usize) {
        let Some(conn) = self.clients[who].conn else { return };
        let (epoch, notice) = (self.epoch, self.draws.below(3_000));
        self.after(notice, Happening::Arrives { epoch, conn, from: who, say: Say::Closed });
        if self.draws.below(2) == 0 {
            self.totals.takeovers += 1;
            self.after(0, Happening::Connects { who });
        } else {
            self.clients[who].conn = None;
            self.clients[who].welcomed = false;
            let back = 100 + self.draws.below(4_000);
            self.after(back, Happening::Connects { who });
        }
    }

    fn send(&mut self, who: usize, say: Say) {
        let Some(conn) = self.clients[who].conn else { return };
        // One connection keeps its order: the delay is the connection's own.
        let (epoch, delay) = (self.epoch, 1 + u64::from(conn * 7919 % 60));
        self.after(delay, Happening::Arrives { epoch, conn, from: who, say });
    }

    fn crash(&mut self) {
        let Some(room) = self.room.take() else { return };
        self.totals.crashes += 1;
        if room.committing && self.draws.below(2) == 0 {
            // The commit reached the disk; nobody heard of it.
            self.make_durable(room.batch);
        }
        let last_at = self.durable.last().map_or(START, |(_, at)| at.0);
        self.stopwatch.stop(last_at);
        self.epoch += 1;
        for who in 0..self.clients.len() {
            if self.clients[who].conn.take().is_some() {
                self.clients[who].welcomed = false;
                let notice = self.draws.below(500);
                self.after(notice, Happening::Connects { who });
            }
        }
        let (outage, next) = (10 + self.draws.below(3_000), 1_000 + self.draws.below(6_000));
        self.after(outage, Happening::Restarts);
        self.after(outage + next, Happening::Crashes);
    }

    fn restart(&mut self) {
        let (events, stamps): (Vec<Event>, Vec<Millis>) = self.durable.iter().cloned().unzip();
        let last_at = self.durable.last().map_or(Millis(START), |(_, at)| *at);
        let mut race = replay::rebuild_at(&events, &stamps, |_, _, _| {}).expect("what is durable is possible");
        let now = Millis(self.now);
        let mut claim = Vec::new();
        let owned = race.own(now, if self.plan.forgets_outage { now } else { last_at });
        race.step(now, owned, |_, event| claim.push((event, now)));
        self.make_durable(claim);
        self.room = Some(Room::of(race, now));
        self.after(0, Happening::Wakes { epoch: self.epoch });
    }

    fn make_durable(&mut self, batch: Vec<(Event, Millis)>) {
        for (event, at) in batch {
            match &event {
                Event::CountdownStarted { t0, .. } => {
                    self.stopwatch = Stopwatch { running_since: Some(t0.0), ..Stopwatch::default() };
                }
                Event::Resumed { resume_at, .. } => {
                    // Before T0 the reading is negative: the rest of the countdown is still ahead.
                    self.stopwatch.running_since = Some(resume_at.0);
                    self.stopwatch.resumed = true;
                }
                _ => {}
            }
            self.durable.push((event, at));
        }
    }

    /// The room task's loop: inbox first, then the clock, then one append.
    fn wake(&mut self) {
        let Some(mut room) = self.room.take() else { return };
        if !room.committing && !room.race.is_closed() {
            let now = Millis(self.now);
            if self.plan.deadline_before_inbox {
                self.tick(&mut room, now);
            }
            while !room.starts()
                && let Some((receipt, conn, from, say)) = room.inbox.pop_front()
            {
                // What came in before a start was planned anew is judged by the new plan.
                let stamp = if self.plan.ignores_receipt { now } else { receipt.max(room.replanned_at) };
                self.judge(&mut room, stamp, receipt, conn, from, &say);
            }
            if !room.starts() {
                self.tick(&mut room, now);
            }
            if room.batch.is_empty() {
                self.publish(&mut room);
            } else {
                room.committing = true;
                if self.plan.acknowledges_early {
                    self.publish(&mut room);
                }
                // Disks stall now and then.
                let stall = if self.draws.below(8) == 0 { 800 } else { 40 };
                let (epoch, fsync) = (self.epoch, 1 + self.draws.below(stall));
                self.after(fsync, Happening::Commits { epoch });
            }
            self.check_presence(&room);
        }
        if !room.committing {
            // Whatever a start left in the inbox is next.
            let waiting = (!room.inbox.is_empty()).then_some(Millis(self.now));
            if let Some(deadline) = waiting.or(room.race.next_deadline()) {
                let (epoch, wait) = (self.epoch, deadline.since(Millis(self.now)));
                self.after(wait, Happening::Wakes { epoch });
            }
        }
        self.room = Some(room);
    }

    fn commit(&mut self) {
        let Some(mut room) = self.room.take() else { return };
        room.committing = false;
        let started = room.starts();
        self.make_durable(std::mem::take(&mut room.batch));
        self.publish(&mut room);
        let now = Millis(self.now);
        if started && room.race.shown_at().is_some_and(|at| now.after(room.race.start_margin_ms()) > at) {
            let events = room.race.replan(now);
            room.replanned_at = now;
            room.apply(now, events, self.clients.len());
            room.committing = true;
            let (epoch, fsync) = (self.epoch, 1 + self.draws.below(40));
            self.after(fsync, Happening::Commits { epoch });
        }
        self.room = Some(room);
        self.wake();
    }

    fn publish(&mut self, room: &mut Room) {
        for (to, conn, hear) in room.unpublished.drain(..) {
            let delay = 1 + u64::from(conn * 7919 % 60);
            self.after(delay, Happening::Heard { conn, to, hear });
        }
    }

    fn tick(&mut self, room: &mut Room, now: Millis) {
        loop {
            let mut events = room.race.due(now);
            if events.is_empty() {
                events = match room.race.want(now) {
                    Some(Want::Commit) => {
                        let id = u128::from(self.draws.next_u64());
                        room.race.commit(now, Uuid::from_u128(id), Seed([id as u8; 32]))
                    }
                    Some(Want::Deal { round_id, .. }) => {
                        let one_way_ms = std::array::from_fn(|_| self.draws.below(130) as u32);
                        let board = SHORT.parse().expect("the short board");
                        room.race.deal(now, round_id, board, Some(SHORT_OPTIMUM), one_way_ms)
                    }
                    None => return,
                };
            }
            if events.is_empty() {
                return;
            }
            room.apply(now, events, self.clients.len());
        }
    }

    fn judge(&mut self, room: &mut Room, now: Millis, receipt: Millis, conn: Conn, from: usize, say: &Say) {
        assert!(now >= room.last_now, "what was received is judged before any deadline");
        let own = room.race.seat_of(player(self.clients[from].number));
        match (say, own) {
            (Say::Hello, _) => {
                let number = self.clients[from].number;
                let Ok(events) = room.race.sit(now, player(number), "simulated", false) else { return };
                room.apply(now, events, self.clients.len());
                let at = room.race.seat_of(player(number)).expect("seated");
                if let Some(older) = room.control[at.index()].replace(conn) {
                    room.unpublished.push((from, older, Hear::Replaced));
                }
                room.decide(now, at, &Command::Connect, self.clients.len());
                room.unpublished.push((from, conn, Hear::Welcome { n: room.race.n(at) }));
                if room.race.shown_at().is_some() {
                    room.unpublished.push((from, conn, Hear::Started));
                }
            }
            (_, None) => {}
            (Say::Closed, Some(at)) => {
                if room.control[at.index()] == Some(conn) || self.plan.stale_close_counts {
                    if room.control[at.index()] == Some(conn) {
                        room.control[at.index()] = None;
                    }
                    room.decide(now, at, &Command::Disconnect, self.clients.len());
                }
            }
            // Whoever was replaced watches.
            (_, Some(at)) if room.control[at.index()] != Some(conn) => {}
            (Say::Ready, Some(at)) => room.decide(now, at, &Command::Ready(true), self.clients.len()),
            (Say::Nonce, Some(at)) => {
                room.decide(now, at, &Command::Nonce(Nonce([from as u8; 16])), self.clients.len());
            }
            (Say::Act { n, ply, act }, Some(at)) => {
                let n = if self.plan.forgets_counters { room.race.n(at) + 1 } else { *n };
                let before = room.batch.len();
                let hear = room.act(now, at, n, *ply, *act, self.clients.len());
                room.unpublished.push((from, conn, hear));
                self.check_clock(&room.batch[before..], receipt);
            }
        }
    }

    fn check_clock(&mut self, events: &[(Event, Millis)], receipt: Millis) {
        for (event, _) in events {
            if let Event::Finished { raw_ms, .. } = event {
                self.totals.finishes += 1;
                assert_eq!(*raw_ms as i64, self.stopwatch.reads(receipt.0), "race time of a finish");
            }
        }
    }

    fn check_presence(&self, room: &Room) {
        for at in Seat::ALL {
            let connected = room.control[at.index()].is_some();
            assert_eq!(room.race.is_present(at), connected, "presence of {at:?}");
        }
    }

    fn check_end(&self) {
        let events: Vec<Event> = self.durable.iter().map(|(event, _)| event.clone()).collect();
        let results = replay::results(&events).expect("what is durable is possible");
        assert_eq!(results.len(), 1, "the room has its one result");
        let mut ranks: Vec<(u8, u8)> = results[0].seats.iter().map(|s| (s.seat.number(), s.rank)).collect();
        ranks.sort_unstable();
        assert_eq!(ranks, reference::ranks(&events, SHORT), "the second opinion");
        for client in &self.clients {
            let at = events.iter().find_map(|e| match e {
                Event::SeatTaken { seat, player: p, .. } if *p == player(client.number) => Some(*seat),
                _ => None,
            });
            // Who came when the round was on had no seat.
            let Some(at) = at else { continue };
            let mut done = BTreeMap::new();
            for event in &events {
                if let Event::Acted { seat, n, deed } = event
                    && *seat == at
                {
                    assert!(done.insert(*n, *deed).is_none(), "act {n} of {at:?} was done twice");
                    let sent = client.sent.get(n).is_some_and(|acts| acts.iter().any(|a| fits(a, deed)));
                    assert!(sent, "act {n} of {at:?} was done as it was sent: {deed:?}");
                }
            }
            let lost = client.acknowledged.iter().find(|n| !done.contains_key(n));
            assert_eq!(lost, None, "an acknowledged act of {at:?} is lost");
        }
    }
}

/// Whether a deed can be what this act did.
fn fits(act: &Act, deed: &Deed) -> bool {
    match (act, deed) {
        (Act::Lift { peg }, Deed::Lifted { peg: done }) => *peg == u32::from(done.number()),
        (Act::Place { peg }, Deed::Transferred { to, .. } | Deed::Erred { to, .. }) => *peg == u32::from(to.number()),
        (Act::Place { peg }, Deed::PutBack { peg: done }) => *peg == u32::from(done.number()),
        (Act::Move { from, to }, Deed::Transferred { from: f, to: t } | Deed::Erred { from: f, to: t }) => {
            (*from, *to) == (u32::from(f.number()), u32::from(t.number()))
        }
        (Act::Lift { .. } | Act::Move { .. }, Deed::TwoHanded) => true,
        (Act::Undo, Deed::Undone { .. }) | (Act::Reset, Deed::Reset) => true,
        _ => false,
    }
}
