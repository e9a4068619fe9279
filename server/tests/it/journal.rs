//! The journal's promises, on both databases.

use sprint_server::journal::{AppendError, Journal, JournalOptions};

use crate::database::on_both;
use crate::rows::{append, claim, room};

on_both!(an_acknowledged_append_can_be_read_back_in_order, |database| {
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

on_both!(an_owner_whose_epoch_is_behind_changes_nothing, |database| {
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
