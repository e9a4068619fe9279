//! The harm that a run does: crashes and stops of the server, broken, held and slow lines, commits that fail in every way.
//!
//! All of it follows from the seed, and ends: after a few seconds everything is mended.

use std::collections::BTreeMap;
use std::time::Duration;

use sprint_server::journal::Fault;
use sprint_shared::deal::Draws;
use turmoil::Sim;

use super::host;
use super::line::SERVER;
use super::world::{World, name};

/// How long after its end a trouble of a line may still be felt: what was under way, and what was held up behind it.
const AFTERMATH_MS: u64 = 1_000;
/// Commits in a row that are ordered to fail, at most.
const FAILURES_MAX: u64 = 12;

pub struct Harm {
    draws: Draws,
    now_ms: u64,
    next_ms: u64,
    until_ms: u64,
    mends: BTreeMap<u64, Vec<Mend>>,
    /// Clients whose line is in trouble.
    troubled: Vec<bool>,
    is_down: bool,
}

enum Mend {
    Start,
    Repair(usize),
    Release(usize),
    Quicken(usize),
}

impl Harm {
    pub fn new(mut draws: Draws, world: &World) -> Harm {
        let until_ms = 2_000 + draws.below(4_000);
        // Now and then a run without any harm.
        let next_ms = if draws.below(16) == 0 { until_ms } else { 300 + draws.below(1_500) };
        let (mends, troubled) = (BTreeMap::new(), vec![false; world.players + 1]);
        Harm { draws, now_ms: 0, next_ms, until_ms, mends, troubled, is_down: false }
    }

    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Does what is due.
    pub fn act(&mut self, sim: &mut Sim<'_>, world: &World) {
        self.now_ms = sim.elapsed().as_millis() as u64;
        while let Some(first) = self.mends.first_entry().filter(|first| *first.key() <= self.now_ms) {
            for mend in first.remove() {
                self.mend(sim, world, mend);
            }
        }
        if !self.is_down && !sim.is_host_running(SERVER) {
            // It was stopped, or has ended by itself, as it does when its disk has failed.
            self.is_down = true;
            self.start_later();
        }
        if self.now_ms >= self.until_ms {
            if self.mends.is_empty() && !world.healed.get() {
                world.memory.set_write_ms(1..=5);
                // What was ordered and has not come is not to come any more.
                let faults = world.faults.borrow();
                let next = faults.attempts() + 1;
                (next..next + FAILURES_MAX).for_each(|attempt| faults.at(attempt, Fault::Stall(Duration::ZERO)));
                world.healed.set(true);
            }
        } else if self.now_ms >= self.next_ms {
            self.next_ms = self.now_ms + 150 + self.draws.below(1_500);
            self.strike(sim, world);
        }
    }

    fn strike(&mut self, sim: &mut Sim<'_>, world: &World) {
        let who = self.draws.below(world.players as u64 + 1) as usize;
        match self.draws.below(13) {
            0..=2 if !self.is_down => self.crash(sim, world),
            3..=5 if !self.troubled[who] => self.break_line(sim, world, who),
            6 | 7 if !self.troubled[who] => {
                let until_ms = self.trouble(world, who, 100, 2_000);
                sim.hold(host_of(world, who), SERVER);
                self.mends.entry(until_ms).or_default().push(Mend::Release(who));
                world.count(|totals| totals.holds += 1);
            }
            8 if !self.troubled[who] => {
                let until_ms = self.trouble(world, who, 500, 3_000);
                let latency_ms = 100 + self.draws.below(300);
                sim.set_link_latency(host_of(world, who), SERVER, Duration::from_millis(latency_ms));
                self.mends.entry(until_ms).or_default().push(Mend::Quicken(who));
                world.count(|totals| totals.slow_lines += 1);
            }
            9..=11 if !self.is_down => self.fail_commits(world),
            12 if !self.is_down => {
                world.stop.notify_one();
                world.count(|totals| totals.stops += 1);
            }
            _ => {}
        }
    }

    fn crash(&mut self, sim: &mut Sim<'_>, world: &World) {
        let has_power = self.draws.below(3) > 0;
        host::crash(sim, world, has_power);
        self.is_down = true;
        world.count(|totals| totals.crashes += 1);
        // The machine that comes back may have another idea of the time.
        let skew_ms = self.draws.below(4_000) as i64 - 2_000;
        world.skew_ms.set(if self.draws.below(2) == 0 { skew_ms } else { 0 });
        self.start_later();
    }

    fn start_later(&mut self) {
        let at_ms = self.now_ms + self.draws.below(1_500);
        self.mends.entry(at_ms).or_default().push(Mend::Start);
    }

    /// What is sent is lost, both ways or one.
    fn break_line(&mut self, sim: &mut Sim<'_>, world: &World, who: usize) {
        let until_ms = self.trouble(world, who, 50, 2_500);
        match self.draws.below(4) {
            0 => sim.partition_oneway(host_of(world, who), SERVER),
            1 => sim.partition_oneway(SERVER, host_of(world, who)),
            _ => sim.partition(host_of(world, who), SERVER),
        }
        self.mends.entry(until_ms).or_default().push(Mend::Repair(who));
        world.count(|totals| totals.partitions += 1);
    }

    fn trouble(&mut self, world: &World, who: usize, least_ms: u64, most_ms: u64) -> u64 {
        let until_ms = self.now_ms + least_ms + self.draws.below(most_ms - least_ms);
        self.troubled[who] = true;
        world.trouble(Some(who), until_ms + AFTERMATH_MS);
        until_ms
    }

    /// Orders what happens to the next commits.
    fn fail_commits(&mut self, world: &World) {
        let faults = world.faults.borrow();
        let next = faults.attempts() + 1;
        world.count(|totals| totals.store_faults += 1);
        match self.draws.below(8) {
            0 => (0..1 + self.draws.below(FAILURES_MAX)).for_each(|ahead| faults.at(next + ahead, Fault::Busy)),
            1 => faults.at(next, if self.draws.below(2) == 0 { Fault::Io } else { Fault::Full }),
            2 | 3 => faults.at(next, Fault::LostRequest),
            4 | 5 => faults.at(next, Fault::LostReply),
            _ => {
                let pause_ms = [100, 1_000, 4_000][self.draws.below(3) as usize];
                let pause = Duration::from_millis(50 + self.draws.below(pause_ms));
                faults.at(next, Fault::Stall(pause));
            }
        }
    }

    fn mend(&mut self, sim: &mut Sim<'_>, world: &World, mend: Mend) {
        match mend {
            Mend::Start => {
                host::start(sim, world);
                self.is_down = false;
                world.trouble(None, self.now_ms + AFTERMATH_MS);
            }
            Mend::Repair(who) => {
                sim.repair(host_of(world, who), SERVER);
                self.troubled[who] = false;
            }
            Mend::Release(who) => {
                sim.release(host_of(world, who), SERVER);
                self.troubled[who] = false;
            }
            Mend::Quicken(who) => {
                sim.set_link_latency(host_of(world, who), SERVER, Duration::from_millis(5));
                self.troubled[who] = false;
            }
        }
    }
}

/// The name of a client's host; behind the players comes the spectator.
fn host_of(world: &World, who: usize) -> String {
    if who < world.players { name(who) } else { "spectator".to_owned() }
}
