//! What the journal does when things fail, class by class (lost commits, poisoned rooms, doubtful outcomes, a dead
//! disk), on both databases.

use std::time::Duration;

use sprint_server::journal::{Append, AppendError, Fault, Faults, Gate, Journal, JournalOptions};
use sprint_server::store::{DealtBoard, Health, Store};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::database::{on_both, on_each};
use crate::rows::{append, claim, room};

struct Bench {
    store: Store,
    journal: Journal,
    task: JoinHandle<()>,
    faults: Faults,
}

async fn bench(store: Store, retry_for_ms: u64) -> Bench {
    let faults = Faults::default();
    let options = JournalOptions {
        retry_for: Duration::from_millis(retry_for_ms),
        faults: faults.clone(),
        ..JournalOptions::default()
    };
    let (journal, task) = Journal::start(store.clone(), options);
    Bench { store, journal, task, faults }
}

impl Bench {
    async fn room(&self) -> Uuid {
        let new = room(&Uuid::now_v7().simple().to_string());
        self.store.create_room(&new).await.unwrap();
        new.room_id
    }

    async fn bodies(&self, room_id: Uuid) -> Vec<String> {
        self.store.events(room_id, 1).await.unwrap().into_iter().map(|event| event.body).collect()
    }

    /// Queues an append and returns once the queue has it: on the test's one thread the new task runs first.
    async fn submit(&self, append: Append) -> JoinHandle<Result<(), AppendError>> {
        let journal = self.journal.clone();
        let task = tokio::spawn(async move { journal.append(append).await });
        tokio::task::yield_now().await;
        task
    }

    async fn health_is(&self, wanted: Health) {
        let mut health = self.journal.health();
        let found = tokio::time::timeout(Duration::from_secs(10), health.wait_for(|now| *now == wanted)).await;
        found.expect("the health changes in time").expect("the store lives");
    }
}

on_each!(nothing_is_acknowledged_before_its_commit, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let room_id = bench.room().await;
    let gate = Gate::default();
    bench.faults.next(Fault::Hold(gate.clone()));
    let waiting = bench.submit(append(room_id, 1, 1, &["a"])).await;
    gate.reached().await;
    assert!(!waiting.is_finished());
    assert_eq!(bench.bodies(room_id).await, [""; 0]);
    gate.open();
    assert_eq!(waiting.await.unwrap(), Ok(()));
    assert_eq!(bench.bodies(room_id).await, ["a"]);
});

on_each!(an_acknowledgement_can_be_read_at_once_on_another_connection, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let room_id = bench.room().await;
    for seq in 1..=50 {
        bench.journal.append(append(room_id, 1, seq, &["a"])).await.unwrap();
        assert_eq!(bench.store.events(room_id, seq).await.unwrap().len(), 1);
    }
});

on_each!(what_waits_during_a_commit_is_the_next_batch, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let mut rooms = Vec::new();
    for _ in 0..65 {
        rooms.push(bench.room().await);
    }
    let gate = Gate::default();
    bench.faults.next(Fault::Hold(gate.clone()));
    let mut waiting = vec![bench.submit(append(rooms[0], 1, 1, &["a"])).await];
    gate.reached().await;
    // 64 rooms of 5 events are 320: more than one batch takes, and no append may be split.
    for room_id in &rooms[1..] {
        waiting.push(bench.submit(append(*room_id, 1, 1, &["a", "b", "c", "d", "e"])).await);
    }
    // A room that sends twice: the second must follow the first, in a batch of its own.
    let (first, second) = (append(rooms[0], 1, 2, &["b"]), append(rooms[0], 1, 3, &["c"]));
    let journal = bench.journal.clone();
    let twice = tokio::spawn(async move { tokio::join!(biased; journal.append(first), journal.append(second)) });
    tokio::task::yield_now().await;
    gate.open();
    for append in waiting {
        assert_eq!(append.await.unwrap(), Ok(()));
    }
    assert_eq!(twice.await.unwrap(), (Ok(()), Ok(())));
    assert_eq!(bench.bodies(rooms[0]).await, ["a", "b", "c"]);
    assert_eq!(bench.store.room(rooms[0]).await.unwrap().unwrap().last_seq, 3);
    assert_eq!(bench.bodies(rooms[64]).await, ["a", "b", "c", "d", "e"]);
    assert!((3..=6).contains(&bench.faults.attempts()), "67 appends took {} commits", bench.faults.attempts());
});

on_each!(a_commit_goes_on_when_the_room_that_waits_for_it_is_gone, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let room_id = bench.room().await;
    let gate = Gate::default();
    bench.faults.next(Fault::Hold(gate.clone()));
    let waiting = bench.submit(append(room_id, 1, 1, &["a"])).await;
    gate.reached().await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    gate.open();
    bench.journal.append(append(room_id, 1, 2, &["b"])).await.unwrap();
    assert_eq!(bench.bodies(room_id).await, ["a", "b"]);
});

on_each!(the_writer_ends_only_after_all_that_is_queued_is_committed, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let rooms = [bench.room().await, bench.room().await];
    let gate = Gate::default();
    bench.faults.next(Fault::Hold(gate.clone()));
    let first = bench.submit(append(rooms[0], 1, 1, &["a"])).await;
    gate.reached().await;
    let second = bench.submit(append(rooms[1], 1, 1, &["b"])).await;
    let Bench { store, journal, task, .. } = bench;
    drop(journal);
    gate.open();
    task.await.unwrap();
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (Ok(()), Ok(())));
    assert_eq!(store.events(rooms[1], 1).await.unwrap().len(), 1);
});

on_each!(a_busy_database_is_asked_again_and_the_room_never_knows, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let room_id = bench.room().await;
    for attempt in 1..=3 {
        bench.faults.at(attempt, Fault::Busy);
    }
    assert_eq!(bench.journal.append(append(room_id, 1, 1, &["a"])).await, Ok(()));
    assert_eq!(bench.faults.attempts(), 4);
    assert_eq!(bench.bodies(room_id).await, ["a"]);
    bench.health_is(Health::Ok).await;
});

on_each!(after_too_long_the_append_is_refused_and_the_health_comes_back_by_itself, |database| {
    let bench = bench(database.open().await, 50).await;
    let room_id = bench.room().await;
    for attempt in 1..=20 {
        bench.faults.at(attempt, Fault::Busy);
    }
    let refused = bench.journal.append(append(room_id, 1, 1, &["a"])).await;
    assert!(matches!(refused, Err(AppendError::Unavailable(_))), "{refused:?}");
    assert_eq!(*bench.journal.health().borrow(), Health::Stalled);
    assert_eq!(bench.bodies(room_id).await, [""; 0]);
    // Nobody sends an act to a stalled store: it has to find out for itself.
    bench.health_is(Health::Ok).await;
});

on_each!(a_late_commit_is_reported_while_it_lasts, |database| {
    let store = database.open().await;
    let gate = Gate::default();
    let options = JournalOptions { stalled_after: Duration::from_millis(1), ..JournalOptions::default() };
    options.faults.next(Fault::Hold(gate.clone()));
    let faults = options.faults.clone();
    let (journal, task) = Journal::start(store.clone(), options);
    let bench = Bench { store, journal, task, faults };
    let room_id = bench.room().await;
    let waiting = bench.submit(append(room_id, 1, 1, &["a"])).await;
    gate.reached().await;
    bench.health_is(Health::Stalled).await;
    gate.open();
    assert_eq!(waiting.await.unwrap(), Ok(()));
    assert_eq!(*bench.journal.health().borrow(), Health::Ok);
});

on_both!(a_poisoned_room_closes_alone, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let (held, poisoned, well) = (bench.room().await, bench.room().await, bench.room().await);
    // A row where the next event belongs: the insert can never succeed.
    let id = match bench.store.is_sqlite() {
        true => format!("x'{}'", poisoned.simple()),
        false => format!("'{poisoned}'"),
    };
    let sql =
        format!("INSERT INTO room_event (room_id, seq, epoch, format, at_ms, body) VALUES ({id}, 1, 1, 1, 0, '')");
    database.execute(&sql).await;
    let gate = Gate::default();
    bench.faults.next(Fault::Hold(gate.clone()));
    let first = bench.submit(append(held, 1, 1, &["a"])).await;
    gate.reached().await;
    let (bad, good) =
        (bench.submit(append(poisoned, 1, 1, &["b"])).await, bench.submit(append(well, 1, 1, &["c"])).await);
    tokio::task::yield_now().await;
    gate.open();
    assert_eq!(first.await.unwrap(), Ok(()));
    let refused = bad.await.unwrap();
    assert!(matches!(refused, Err(AppendError::Rejected(_))), "{refused:?}");
    assert_eq!(good.await.unwrap(), Ok(()));
    assert_eq!(bench.store.room(poisoned).await.unwrap().unwrap().last_seq, 0);
    assert_eq!(bench.bodies(well).await, ["c"]);
    bench.health_is(Health::Ok).await;
});

on_each!(a_board_is_shown_once, |database| {
    let bench = bench(database.open().await, 5_000).await;
    let (one, other) = (bench.room().await, bench.room().await);
    let shown = |room_id| {
        let mut append = append(room_id, 1, 1, &["countdown"]);
        append.dealt = vec![DealtBoard { board: "R2R1/-/- 7".to_owned(), round_id: Uuid::now_v7(), again: false }];
        append
    };
    assert!(!bench.store.is_board_dealt("R2R1/-/- 7").await.unwrap());
    assert_eq!(bench.journal.append(shown(one)).await, Ok(()));
    assert!(bench.store.is_board_dealt("R2R1/-/- 7").await.unwrap());
    assert_eq!(bench.journal.append(shown(other)).await, Err(AppendError::BoardTaken));
    assert_eq!(bench.bodies(other).await, [""; 0]);
    assert_eq!(bench.journal.append(append(other, 1, 1, &["another board"])).await, Ok(()));
});

on_each!(after_a_lost_reply_the_claim_tells_what_was_committed, |database| {
    let bench = bench(database.open().await, 5_000).await;
    for (fault, expected) in [(Fault::LostReply, &["a", "owned", "b"][..]), (Fault::LostRequest, &["owned", "b"][..])] {
        let room_id = bench.room().await;
        bench.faults.next(fault);
        let doubtful = bench.journal.append(append(room_id, 1, 1, &["a"])).await;
        assert!(matches!(doubtful, Err(AppendError::Unknown(_))), "{doubtful:?}");
        let taken = bench.store.claim(room_id, 1, &claim("here")).await.unwrap().unwrap();
        // The doubtful append comes in late after all: the claim has shut it out.
        assert_eq!(bench.journal.append(append(room_id, 1, 1, &["a"])).await, Err(AppendError::Fenced));
        bench.journal.append(append(room_id, 2, taken.last_seq + 1, &["b"])).await.unwrap();
        assert_eq!(bench.bodies(room_id).await, expected);
    }
});

on_each!(after_a_disk_error_nothing_is_acknowledged_any_more, |database| {
    for fault in [Fault::Io, Fault::Full] {
        let bench = bench(database.open_again().await, 5_000).await;
        let room_id = bench.room().await;
        bench.journal.append(append(room_id, 1, 1, &["a"])).await.unwrap();
        bench.faults.next(fault);
        let failed = bench.journal.append(append(room_id, 1, 2, &["b"])).await;
        assert!(matches!(failed, Err(AppendError::Failed(_))), "{failed:?}");
        assert!(matches!(&*bench.store.health().borrow(), Health::Failed(_)));
        let after = bench.journal.append(append(room_id, 1, 2, &["b"])).await;
        assert!(matches!(after, Err(AppendError::Failed(_))), "{after:?}");
        assert!(bench.store.create_room(&room("LATER1")).await.is_err());
        assert!(bench.store.claim(room_id, 1, &claim("here")).await.is_err());
        assert_eq!(bench.bodies(room_id).await, ["a"], "reading goes on");
    }
});
