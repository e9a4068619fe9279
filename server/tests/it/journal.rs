//! The journal's promises, on both databases.

use sprint_server::journal::{AppendError, Journal, JournalOptions};

use crate::database::on_each;
use crate::rows::{append, claim, room};

on_each!(an_acknowledged_append_can_be_read_back_in_order, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    journal.append(append(new.room_id, 1, 1, &["a", "b"])).await.unwrap();
    journal.append(append(new.room_id, 1, 3, &["c"])).await.unwrap();
    let bodies: Vec<String> = store.events(new.room_id, 1).await.unwrap().into_iter().map(|e| e.body).collect();
    assert_eq!(bodies, ["a", "b", "c"]);
    assert_eq!(store.room(new.room_id).await.unwrap().unwrap().last_seq, 3);
});

on_each!(an_owner_whose_epoch_is_behind_changes_nothing, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    journal.append(append(new.room_id, 1, 1, &["a"])).await.unwrap();
    let taken = store.claim(new.room_id, 1, &claim("there")).await.unwrap().unwrap();
    assert_eq!((taken.epoch, taken.last_seq), (2, 2));
    for first_seq in [2, 3, 4, 7] {
        let zombie = journal.append(append(new.room_id, 1, first_seq, &["z", "z"])).await;
        assert_eq!(zombie, Err(AppendError::Fenced));
    }
    journal.append(append(new.room_id, 2, 3, &["b"])).await.unwrap();
    let events = store.events(new.room_id, 1).await.unwrap();
    let seen: Vec<_> = events.iter().map(|event| (event.seq, event.epoch, event.body.as_str())).collect();
    assert_eq!(seen, [(1, 1, "a"), (2, 2, "owned"), (3, 2, "b")]);
});

on_each!(an_append_that_does_not_follow_the_last_one_changes_nothing, |database| {
    let store = database.open().await;
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    journal.append(append(new.room_id, 1, 1, &["a", "b"])).await.unwrap();
    // Again, overlapping, and with a gap: in the last two cases some or all of the keys are free.
    for first_seq in [1, 2, 4, 5] {
        let astray = journal.append(append(new.room_id, 1, first_seq, &["x", "y", "z"])).await;
        assert_eq!(astray, Err(AppendError::Fenced), "from {first_seq}");
    }
    assert_eq!(store.events(new.room_id, 1).await.unwrap().len(), 2);
    assert_eq!(store.room(new.room_id).await.unwrap().unwrap().last_seq, 2);
    let unknown = journal.append(append(uuid::Uuid::now_v7(), 1, 1, &["a"])).await;
    assert_eq!(unknown, Err(AppendError::Fenced));
});

on_each!(an_append_that_contradicts_itself_is_refused_before_it_queues, |database| {
    let (journal, _task) = Journal::start(database.open().await, JournalOptions::default());
    let empty = journal.append(append(uuid::Uuid::now_v7(), 1, 1, &[])).await;
    assert!(matches!(empty, Err(AppendError::Malformed(_))), "{empty:?}");
    let mut gap = append(uuid::Uuid::now_v7(), 1, 1, &["a", "b"]);
    gap.events[1].seq = 3;
    let gap = journal.append(gap).await;
    assert!(matches!(gap, Err(AppendError::Malformed(_))), "{gap:?}");
});
