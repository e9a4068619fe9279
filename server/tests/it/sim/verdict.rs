//! What must hold of what is stored, once a run is over.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use sprint_server::room::History;
use sprint_server::store::{Store, StoredEvent};
use sprint_server::verify;
use sprint_shared::event::Event;
use sprint_shared::play::{Act, Deed};
use sprint_shared::time::Millis;
use uuid::Uuid;

use super::world::{Standing, World};

/// Panics with the first thing that does not hold.
pub fn check(world: &World) {
    let (room_id, _) = world.room.borrow().clone().expect("the room was made");
    let store = Store::in_memory(&world.memory);
    let rows = now(store.events(room_id, 1)).expect("events can be read");
    for row in &rows {
        world.tell("stored", &format!("{} {} {} {}", row.seq, row.epoch, row.at_ms, row.body));
    }
    assert!(rows.iter().map(|row| row.seq).eq(1..=world.last_seq()), "no gap and no double in what is stored");
    assert!(rows.is_sorted_by_key(|row| row.epoch), "no event of an older owner behind a newer one's");
    let history = History::read(&rows).expect("what is stored is whole");
    history.rebuild(|_, _, _| {}).expect("what is stored is possible");
    check_results(world, &store, &history);
    check_clock(&history);
    for standing in world.standing.borrow().iter() {
        check_acts(world, standing, &rows);
    }
}

/// One result a round, stored once and told as it is stored, and it follows from its events.
fn check_results(world: &World, store: &Store, history: &History) {
    let mut ended: BTreeMap<Uuid, _> = BTreeMap::new();
    for event in history.events() {
        if let Event::RoundOver { result, .. } = event {
            assert!(ended.insert(result.round_id, result.clone()).is_none(), "one result a round");
        }
    }
    assert!(!ended.is_empty(), "the room has its result");
    let told = world.results.borrow();
    assert!(told.iter().all(|(round_id, result)| ended.get(round_id) == Some(result)), "results are told as stored");
    let rounds = now(store.rounds(None, i64::MAX)).expect("rounds can be read");
    let mut stored: Vec<Uuid> = rounds.iter().map(|round| round.round_id).collect();
    stored.sort_unstable();
    assert!(stored.iter().eq(ended.keys()), "every result is stored once, and no other: {stored:?}, {ended:?}");
    let report = now(verify::all(store)).expect("rounds can be read");
    assert!(report.differing.is_empty(), "a round that its events do not prove: {:?}", report.differing);
    world.count(|totals| totals.rounds += ended.len() as u64);
}

/// A finish is timed by the receipt of its act on a clock that stands still from the last event before a crash until
/// play resumes, as a bystander reads it.
fn check_clock(history: &History) {
    let (mut accrued_ms, mut runs_since, mut is_resumed) = (0, None, false);
    let mut before = Millis(0);
    for (at, event) in history.iter() {
        match event {
            Event::CountdownStarted { t0, .. } => (accrued_ms, runs_since, is_resumed) = (0, Some(t0.0 as i64), false),
            Event::Owned { .. } => {
                if let Some(since) = runs_since.take() {
                    let ran_ms = before.0 as i64 - since;
                    // Before T0 the reading is negative: the rest of the countdown is still ahead.
                    accrued_ms += if is_resumed { ran_ms.max(0) } else { ran_ms };
                }
            }
            Event::Resumed { resume_at, .. } => (runs_since, is_resumed) = (Some(resume_at.0 as i64), true),
            Event::Finished { raw_ms, .. } => {
                let reads_ms = accrued_ms + runs_since.map_or(0, |since| at.0 as i64 - since);
                assert_eq!(*raw_ms as i64, reads_ms, "race time of a finish");
            }
            _ => {}
        }
        before = at;
    }
}

/// What a player was told of each act is what is stored, once, as it was sent.
fn check_acts(world: &World, standing: &Standing, rows: &[StoredEvent]) {
    let Some(seat) = standing.seat else { return };
    let mut done: BTreeMap<u32, (u32, Deed)> = BTreeMap::new();
    for row in rows {
        let event: Event = serde_json::from_str(&row.body).expect("what is stored can be read");
        if let Event::Acted { seat: of, n, deed } = event
            && of == seat
        {
            assert!(done.insert(n, (row.seq as u32, deed)).is_none(), "act {n} of {seat:?} was done twice");
            let sent = standing.sent.get(&n).is_some_and(|acts| acts.iter().any(|act| fits(act, &deed)));
            assert!(sent, "act {n} of {seat:?} was done as it was sent: {deed:?}");
        }
    }
    for (n, (seq, text)) in &standing.outcomes {
        let stored = done.get(n);
        assert!(stored.is_some(), "an acknowledged act of {seat:?} is lost: {n}, {text}");
        assert!(stored.is_some_and(|(at, _)| at == seq), "act {n} of {seat:?} is stored elsewhere: {stored:?}, {text}");
    }
    let forgotten = standing.forgotten.iter().find(|n| done.contains_key(n));
    assert_eq!(forgotten, None, "the first outcome of an act of {seat:?} that was sent again was not told");
    world.count(|totals| totals.acknowledged += standing.outcomes.len() as u64);
}

/// Whether a deed can be what this act did.
fn fits(act: &Act, deed: &Deed) -> bool {
    match (act, deed) {
        (Act::Lift { peg }, Deed::Lifted { peg: done }) => *peg == u32::from(done.number()),
        (Act::Place { peg }, Deed::Transferred { to, .. } | Deed::Erred { to, .. } | Deed::Returned { to, .. }) => {
            *peg == u32::from(to.number())
        }
        (Act::Place { peg }, Deed::PutBack { peg: done }) => *peg == u32::from(done.number()),
        (
            Act::Move { from, to },
            Deed::Transferred { from: f, to: t } | Deed::Erred { from: f, to: t } | Deed::Returned { from: f, to: t },
        ) => (*from, *to) == (u32::from(f.number()), u32::from(t.number())),
        (Act::Lift { .. } | Act::Move { .. }, Deed::TwoHanded) => true,
        (Act::Undo, Deed::Undone { .. }) | (Act::Reset, Deed::Reset) => true,
        _ => false,
    }
}

/// The twin in memory answers reads at once.
fn now<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("reads from memory do not wait")
}
