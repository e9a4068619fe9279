//! One simulated world: the real server as a host that can be crashed, players and a spectator on hosts of their own,
//! a network between them, and a database in memory that outlives every crash.
//!
//! Everything follows from the seed: chance, time, latency, harm. Clients share [`World`]; what must hold is checked
//! with [`World::check`], and the run ends at the first failure.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};

use sprint_server::journal::Faults;
use sprint_server::simulation::seed_thread;
use sprint_server::store::{MemoryDatabase, StandsFor};
use sprint_shared::deal::{Draws, Seed};
use sprint_shared::options::{Contest, Placement, RoomOptions};
use sprint_shared::preset::Preset;
use sprint_shared::result::RoundResult;
use sprint_shared::time::Seat;
use tokio::sync::Notify;
use turmoil::{Builder, Sim};
use uuid::Uuid;

use super::harm::Harm;
use super::host::{self, Remains};
use super::line::SERVER;
use super::player::{Player, Sent};
use super::{panics, verdict, watcher};

/// The simulation moves on by this much at a time.
const TICK: Duration = Duration::from_millis(10);
/// By then every room must have its result.
const END_MS: u64 = 150_000;
/// 2027-01-15, by the server's first clock.
const EPOCH: Duration = Duration::from_secs(1_800_000_000);
/// Two moves from harmony, by hand: R2 goes onto R3, and R1 onto both.
const BLUEPRINT: &str = "R2/R3/R1/S1 7";

/// What happened in runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub crashes: u64,
    pub stops: u64,
    pub partitions: u64,
    pub holds: u64,
    pub slow_lines: u64,
    pub store_faults: u64,
    pub takeovers: u64,
    pub resumes: u64,
    pub acknowledged: u64,
    pub rounds: u64,
    pub virtual_s: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.crashes += other.crashes;
        self.stops += other.stops;
        self.partitions += other.partitions;
        self.holds += other.holds;
        self.slow_lines += other.slow_lines;
        self.store_faults += other.store_faults;
        self.takeovers += other.takeovers;
        self.resumes += other.resumes;
        self.acknowledged += other.acknowledged;
        self.rounds += other.rounds;
        self.virtual_s += other.virtual_s;
    }
}

/// What becomes of everything that anybody hears, and of every committed event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    None,
    Kept,
    Printed,
}

/// What a run came to.
pub struct Run {
    pub totals: Totals,
    pub trace: Vec<String>,
}

/// What clients share.
pub struct World {
    pub memory: MemoryDatabase,
    pub players: usize,
    pub options: RoomOptions,
    seed: u64,
    traced: Trace,
    trace: RefCell<Vec<String>>,
    failures: RefCell<Vec<String>>,
    pub totals: Cell<Totals>,
    /// The room, once it is made.
    pub room: RefCell<Option<(Uuid, String)>>,
    /// Where the running server's commits can be made to fail.
    pub faults: RefCell<Faults>,
    /// How far the server's wall clock is off, from start to start.
    pub skew_ms: Cell<i64>,
    /// Whether the server is to run on its host.
    pub serves: Cell<bool>,
    /// Asks it to end in good order.
    pub stop: Notify,
    /// Its sockets, when it has ended suddenly.
    pub remains: Remains,
    /// Since when the line of each client and the server are well, in milliseconds of the run.
    calm_since: RefCell<Vec<u64>>,
    /// No more harm is done.
    pub healed: Cell<bool>,
    /// Players that have a seat.
    pub seated: Cell<usize>,
    pub standing: RefCell<Vec<Standing>>,
    /// What clients were told of rounds.
    pub results: RefCell<BTreeMap<Uuid, RoundResult>>,
    /// Everything is checked: clients end.
    pub over: Cell<bool>,
}

/// How far a player is, as the player itself knows it.
#[derive(Clone, Default)]
pub struct Standing {
    pub player: Option<Uuid>,
    /// Welcomed on a connection that still stands.
    pub connected: bool,
    /// The series is over, or the player has left.
    pub done: bool,
    pub left: bool,
    /// Connections welcomed so far, and when the last was.
    pub welcomes: u64,
    pub welcomed_ms: u64,
    /// Everything sent, and the outcomes heard.
    pub sent: Sent,
    pub outcomes: BTreeMap<u32, (u32, String)>,
    /// Acts that were sent again and whose first outcome the server did not tell.
    pub forgotten: Vec<u32>,
    pub seat: Option<Seat>,
}

impl World {
    /// Runs a seed to its end. Panics with the first thing that does not hold.
    pub fn run(seed: u64, traced: Trace) -> Run {
        panics::watch();
        seed_thread(Some(seed));
        let mut draws = World::draws_of(seed, 0);
        let world = Rc::new(World::new(seed, traced, &mut draws));
        let latest_ms = [4, 20, 60, 150][draws.below(4) as usize];
        let mut sim = Builder::new()
            .rng_seed(draws.next_u64())
            .epoch(UNIX_EPOCH + EPOCH)
            .tick_duration(TICK)
            .min_message_latency(Duration::from_millis(1))
            .max_message_latency(Duration::from_millis(latest_ms))
            .simulation_duration(Duration::from_millis(2 * END_MS))
            .build();
        let hosted = world.clone();
        sim.host(SERVER, move || host::run(hosted.clone()));
        for who in 0..world.players {
            sim.client(name(who), Player::play(world.clone(), who));
        }
        sim.client("spectator", watcher::watch(world.clone()));
        sim.client("inspector", watcher::inspect(world.clone()));
        let mut harm = Harm::new(World::draws_of(seed, 1), &world);
        while !world.step(&mut sim, &mut harm) {}
        drop(sim);
        seed_thread(None);
        verdict::check(&world);
        let mut totals = world.totals.get();
        totals.virtual_s = harm.now_ms() / 1_000;
        Run { totals, trace: world.trace.take() }
    }

    fn new(seed: u64, traced: Trace, draws: &mut Draws) -> World {
        let players = 2 + draws.below(3) as usize;
        let options = RoomOptions {
            seats: players as u8,
            time_limit_s: Some(30),
            preset: Preset::Initiate,
            blueprint: (draws.below(2) == 0).then(|| BLUEPRINT.to_owned()),
            contest: if draws.below(3) == 0 { Contest::Fewest } else { Contest::Fastest },
            placement: if draws.below(4) == 0 { Placement::Guarded } else { Placement::Strict },
            spectator_delay_s: if draws.below(4) == 0 { 1 } else { 0 },
            ..RoomOptions::default()
        };
        let memory = MemoryDatabase::new(if draws.below(2) == 0 { StandsFor::File } else { StandsFor::Remote });
        memory.set_write_ms(1..=40);
        World {
            memory,
            players,
            options,
            seed,
            traced,
            trace: RefCell::default(),
            failures: RefCell::default(),
            totals: Cell::default(),
            room: RefCell::default(),
            faults: RefCell::default(),
            skew_ms: Cell::new(0),
            serves: Cell::new(true),
            stop: Notify::new(),
            remains: Remains::default(),
            calm_since: RefCell::new(vec![0; players + 1]),
            healed: Cell::new(false),
            seated: Cell::new(0),
            standing: RefCell::new(vec![Standing::default(); players]),
            results: RefCell::default(),
            over: Cell::new(false),
        }
    }

    /// Does harm, and moves on by a tick; true once all clients have ended.
    fn step(&self, sim: &mut Sim<'_>, harm: &mut Harm) -> bool {
        harm.act(sim, self);
        let ended = match sim.step() {
            Ok(ended) => ended,
            Err(error) => panic!("a host failed: {error}"),
        };
        let failure = self.failures.borrow().first().cloned().or_else(panics::first);
        assert_eq!(failure, None);
        let now_ms = harm.now_ms();
        assert!(now_ms < END_MS, "nothing has come to its end after {now_ms} ms: {:?}", self.summary());
        ended
    }

    /// Who is connected, done, and has left.
    fn summary(&self) -> Vec<(bool, bool, bool)> {
        self.standing.borrow().iter().map(|standing| (standing.connected, standing.done, standing.left)).collect()
    }

    /// Chance for one part of the run, independent of the others.
    pub fn draws_of(seed: u64, part: u64) -> Draws {
        Draws::new(&Seed::from(seed << 8 | part))
    }

    /// Chance for a client.
    pub fn draws(&self, part: u64) -> Draws {
        World::draws_of(self.seed, part)
    }

    /// Fails the run unless this holds.
    pub fn check(&self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.failures.borrow_mut().push(format!("at {} ms: {}", now_ms(), otherwise()));
        }
    }

    /// Writes down what somebody has heard.
    pub fn tell(&self, who: &str, what: &str) {
        match self.traced {
            Trace::None => {}
            Trace::Kept => self.trace.borrow_mut().push(format!("{} {who} {what}", now_ms())),
            Trace::Printed => println!("{} {who} {what}", now_ms()),
        }
    }

    /// Everybody is told the same result of a round.
    pub fn check_result(&self, result: &RoundResult) {
        let mut results = self.results.borrow_mut();
        let first = results.entry(result.round_id).or_insert_with(|| result.clone());
        self.check(first == result, || format!("two results of a round: {first:?} and {result:?}"));
    }

    /// The last durable event of the room.
    pub fn last_seq(&self) -> i64 {
        self.room.borrow().as_ref().map_or(0, |(room_id, _)| self.memory.last_seq(*room_id))
    }

    /// Counts something.
    pub fn count(&self, add: impl FnOnce(&mut Totals)) {
        let mut totals = self.totals.get();
        add(&mut totals);
        self.totals.set(totals);
    }

    /// The line of a client, or all lines, are not well until that instant.
    pub fn trouble(&self, who: Option<usize>, until_ms: u64) {
        let mut calm_since = self.calm_since.borrow_mut();
        let lines = calm_since.iter_mut().enumerate().filter(|(line, _)| who.is_none_or(|who| who == *line));
        lines.for_each(|(_, since)| *since = (*since).max(until_ms));
    }

    /// Whether the line of a client and the server have been well for so long.
    pub fn is_calm(&self, who: usize, for_ms: u64) -> bool {
        self.calm_since.borrow()[who] + for_ms <= now_ms()
    }
}

/// The name of a player's host.
pub fn name(who: usize) -> String {
    format!("player{}", who + 1)
}

/// Milliseconds since the run began.
pub fn now_ms() -> u64 {
    turmoil::sim_elapsed().unwrap_or_default().as_millis() as u64
}
