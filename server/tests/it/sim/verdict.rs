//! What must hold of what is stored, once a run is over.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::FutureExt;
use sprint_server::room::History;
use sprint_server::store::{Store, StoredEvent};
use sprint_server::verify;
use sprint_shared::event::Event;
use sprint_shared::play::{Act, Deed};

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
    check_results(world, &store, &rows);
    for standing in world.standing.borrow().iter() {
        check_acts(world, standing, &rows);
    }
}

/// One result, stored once, and it follows from its events.
fn check_results(world: &World, store: &Store, rows: &[StoredEvent]) {
    let history = History::read(rows).expect("what is stored is whole");
    history.rebuild(|_, _, _| {}).expect("what is stored is possible");
    let mut ended = Vec::new();
    for event in history.events() {
        if let Event::RoundOver { result, .. } = event {
            ended.push(result.round_id);
        }
    }
    assert!(!ended.is_empty(), "the room has its result");
    let distinct: BTreeSet<_> = ended.iter().collect();
    assert_eq!(distinct.len(), ended.len(), "one result a round");
    let stored = now(store.rounds(None, i64::MAX)).expect("rounds can be read");
    let stored: BTreeSet<_> = stored.iter().map(|round| &round.round_id).collect();
    assert_eq!(stored, distinct, "every result is stored, and no other");
    let report = now(verify::all(store)).expect("rounds can be read");
    assert!(report.differing.is_empty(), "a round that its events do not prove: {:?}", report.differing);
    world.count(|totals| totals.rounds += ended.len() as u64);
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
            assert!(sent || standing.left, "act {n} of {seat:?} was done as it was sent: {deed:?}");
        }
    }
    for (n, (seq, text)) in &standing.outcomes {
        let stored = done.get(n);
        assert!(stored.is_some(), "an acknowledged act of {seat:?} is lost: {n}, {text}");
        assert!(stored.is_some_and(|(at, _)| at == seq), "act {n} of {seat:?} is stored elsewhere: {stored:?}, {text}");
    }
    world.count(|totals| totals.acknowledged += standing.outcomes.len() as u64);
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

/// The twin in memory answers reads at once.
fn now<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("reads from memory do not wait")
}
