//! Deterministic simulation of the real server: router, sockets, rooms, journal and recovery over a simulated network,
//! on a store in memory, with virtual time. One seed, one run; what breaks and when follows from the seed.
//!
//! After a few seconds harm stops, and then the room must come to its result. Clients check all that they hear (see
//! [`ear`]), the stored room is checked at the end (see [`verdict`]). `SIM_SERVER_SEEDS=N` runs that many seeds,
//! `SIM_SERVER_SEED=S` one of them and prints what everybody hears. Boards are dealt on the spot: no crash comes in the
//! middle of a deal here.

mod ear;
mod guests;
mod harm;
mod host;
mod line;
mod panics;
mod player;
mod tab;
mod verdict;
mod watcher;
mod world;

use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use world::{Totals, Trace, World};

/// Seeds that are always run: in the first two every player leaves, the others found a fault of the server.
const KEPT: [u64; 4] = [2_077, 2_111, 2_226, 2_555];

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

#[test]
fn whatever_breaks_nothing_acknowledged_is_lost_and_every_room_finishes() {
    if let Some(seed) = setting("SIM_SERVER_SEED") {
        println!("1 seed: {:?}", World::run(seed, Trace::Printed).totals);
        return;
    }
    let seeds = setting("SIM_SERVER_SEEDS").unwrap_or(50);
    let totals = run_all(&KEPT.into_iter().chain(0..seeds).collect::<Vec<_>>());
    println!("{seeds} seeds over a simulated network, and {} kept ones: {totals:?}", KEPT.len());
    if seeds >= 50 {
        assert!(totals.crashes > seeds / 2 && totals.takeovers > seeds / 2, "faults happen: {totals:?}");
        assert!(totals.store_faults > seeds / 2 && totals.partitions > seeds / 2, "faults happen: {totals:?}");
        assert!(totals.resumes > seeds && totals.acknowledged > seeds, "players come back and play: {totals:?}");
        assert!(totals.rounds >= seeds, "each room comes to a result: {totals:?}");
    }
}

/// Runs are independent of one another: a thread a core takes the next seed.
fn run_all(seeds: &[u64]) -> Totals {
    let (next, totals) = (AtomicUsize::new(0), Mutex::new(Totals::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let run_some = || {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            match catch_unwind(|| World::run(seed, Trace::None)) {
                Ok(run) => *totals.lock().unwrap() += run.totals,
                Err(_) => panic!("seed {seed} failed: SIM_SERVER_SEED={seed} shows it alone"),
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run_some))));
    totals.into_inner().unwrap()
}

#[test]
fn the_same_seed_leaves_the_same_trace() {
    for seed in 0..setting("SIM_SERVER_TWICE").unwrap_or(10) {
        let (one, other) = (World::run(seed, Trace::Kept).trace, World::run(seed, Trace::Kept).trace);
        assert!(one.len() > 50, "seed {seed} leaves a trace: {one:?}");
        let differs = one.iter().zip(&other).position(|(a, b)| a != b);
        let lines = differs.map(|at| (&one[at], &other[at]));
        assert!(one == other, "seed {seed} leaves two traces, of {} and {} lines: {lines:?}", one.len(), other.len());
    }
}
