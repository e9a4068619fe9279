//! One room, two owners: whatever the old one still sends, the new one's room stays whole.

use std::collections::BTreeSet;

use sprint_server::journal::{AppendError, Fault, Faults, Gate, Journal, JournalOptions};
use sprint_server::store::Store;

use crate::database::on_each;
use crate::rows::{append, claim, room};

struct Node {
    store: Store,
    journal: Journal,
    faults: Faults,
}

fn node(store: Store) -> Node {
    let faults = Faults::default();
    let (journal, _task) =
        Journal::start(store.clone(), JournalOptions { faults: faults.clone(), ..JournalOptions::default() });
    Node { store, journal, faults }
}

on_each!(a_stalled_owner_writes_nothing_behind_a_new_epoch, |database| {
    const ROUNDS: usize = 60;
    let first = database.open().await;
    let new = room("AAAAAA");
    first.create_room(&new).await.unwrap();
    let nodes = [node(first), node(database.open_beside().await)];
    let (mut epoch, mut last_seq) = (1, 0);
    let mut acknowledged = BTreeSet::new();
    for round in 0..ROUNDS {
        let (old, fresh) = (&nodes[round % 2], &nodes[(round + 1) % 2]);
        let (here, late) = (format!("{round} in time"), format!("{round} late"));
        old.journal.append(append(new.room_id, epoch, last_seq + 1, &[&here])).await.unwrap();
        acknowledged.insert(here);
        last_seq += 1;

        // The owner stalls with an append on its way; every third time the two are let loose at the same instant.
        let gate = Gate::default();
        old.faults.next(Fault::Hold(gate.clone()));
        let stale = append(new.room_id, epoch, last_seq + 1, &[&late, &late]);
        let journal = old.journal.clone();
        let stalled = tokio::spawn(async move { journal.append(stale).await });
        gate.reached().await;
        let at_once = round % 3 == 0;
        if at_once {
            gate.open();
        }
        let taken = fresh.store.claim(new.room_id, epoch, &claim("fresh")).await.unwrap().unwrap();
        if !at_once {
            gate.open();
        }
        match stalled.await.unwrap() {
            Ok(()) => {
                assert!(at_once, "a claim came between");
                assert_eq!(taken.last_seq, last_seq + 3);
                acknowledged.insert(late);
            }
            Err(error) => {
                assert_eq!(error, AppendError::Fenced);
                assert_eq!(taken.last_seq, last_seq + 1);
            }
        }
        assert_eq!(taken.epoch, epoch + 1);
        (epoch, last_seq) = (taken.epoch, taken.last_seq);
    }

    let events = nodes[0].store.events(new.room_id, 1).await.unwrap();
    assert!(events.iter().map(|event| event.seq).eq(1..=last_seq), "the sequence has no gap and no double");
    assert!(events.is_sorted_by_key(|event| event.epoch), "no row of a stale owner behind a new epoch");
    let stored: BTreeSet<String> = events.into_iter().map(|event| event.body).filter(|body| body != "owned").collect();
    assert_eq!(stored, acknowledged);
});
