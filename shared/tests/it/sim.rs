//! Deterministic simulation: a room, its players, slow and broken lines, crashes, a journal whose commits take time.
//!
//! One seed, one run. After a while faults stop, and then every room must come to its result. What must hold is
//! checked all along: see [`world`] for the checks and [`reference`] for the second opinion on every result.
//! `SIM_SEEDS=N` runs that many seeds, `SIM_SEED=S` one of them.

mod any_room;
mod client;
mod reference;
mod room;
mod stopwatch;
mod world;

use world::{Plan, World};

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

#[test]
fn whatever_breaks_nothing_acknowledged_is_lost_and_every_room_finishes() {
    let seeds = match setting("SIM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..setting("SIM_SEEDS").unwrap_or(2_000),
    };
    let mut totals = world::Totals::default();
    for seed in seeds.clone() {
        let run = std::panic::catch_unwind(|| World::new(seed, Plan::default()).run());
        match run {
            Ok(run) => totals += run.totals,
            Err(_) => panic!("seed {seed} failed: SIM_SEED={seed} shows it alone"),
        }
    }
    println!("{} seeds: {totals:?}", seeds.end - seeds.start);
    if seeds.end - seeds.start >= 1_000 {
        assert!(totals.crashes > 100 && totals.takeovers > 100 && totals.finishes > 100, "faults happen: {totals:?}");
    }
}

#[test]
fn the_same_seed_leaves_the_same_trace() {
    for seed in 0..20 {
        let trace = |seed| World::new(seed, Plan::default()).run().trace;
        assert_eq!(trace(seed), trace(seed), "seed {seed}");
    }
}

/// What each planted fault of the room would do: the checks must see it.
#[test]
fn a_room_that_acknowledges_before_it_commits_is_caught() {
    let plan = Plan { acknowledges_early: true, ..Plan::default() };
    assert!(is_caught(plan, "an acknowledged act of"));
}

#[test]
fn a_room_that_fires_deadlines_before_its_inbox_is_caught() {
    let plan = Plan { deadline_before_inbox: true, ..Plan::default() };
    assert!(is_caught(plan, "what was received is judged before any deadline"));
}

#[test]
fn a_room_that_judges_by_the_time_it_gets_round_to_is_caught() {
    assert!(is_caught(Plan { ignores_receipt: true, ..Plan::default() }, "race time of a finish"));
}

#[test]
fn a_room_that_resumes_without_shifting_its_clocks_is_caught() {
    assert!(is_caught(Plan { forgets_outage: true, ..Plan::default() }, "race time of a finish"));
}

#[test]
fn a_room_that_lets_a_stale_close_drop_the_seat_is_caught() {
    assert!(is_caught(Plan { stale_close_counts: true, ..Plan::default() }, "presence of"));
}

#[test]
fn a_room_that_takes_an_act_twice_is_caught() {
    assert!(is_caught(Plan { forgets_counters: true, ..Plan::default() }, "was done as it was sent"));
}

/// Whether some run fails by the check that is meant, and none by another one before it.
fn is_caught(plan: Plan, check: &str) -> bool {
    (0..400).any(|seed| {
        let Err(failure) = std::panic::catch_unwind(|| World::new(seed, plan).run()) else { return false };
        let literal = failure.downcast_ref::<&str>().copied();
        let message = failure.downcast_ref::<String>().map(String::as_str).or(literal).unwrap_or_default();
        assert!(message.contains(check), "seed {seed} failed otherwise: {message}");
        true
    })
}
