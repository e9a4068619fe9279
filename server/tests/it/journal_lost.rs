//! A Postgres that goes away in the middle of it: cut connections, killed backends, answers that never come.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sprint_server::journal::{AppendError, Fault, Gate, Journal, JournalOptions};
use sprint_server::store::{Health, Store};
use sqlx::PgConnection;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::rows::{append, claim, room};

/// Backends that wait for a lock.
const BLOCKED: &str =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// A wire between the store and the database that can be cut.
pub struct Wire {
    pub url: String,
    whole: watch::Sender<bool>,
    streams: Arc<Mutex<Vec<AbortHandle>>>,
}

impl Wire {
    pub async fn to(database: &TestDatabase) -> Wire {
        let (_, rest) = database.url.split_once('@').expect("the address has a user");
        let (server, name) = rest.split_once('/').expect("the address has a database");
        let (user, server) = (database.url.split('@').next().unwrap().to_owned(), server.to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{user}@{}/{name}", listener.local_addr().unwrap());
        let (whole, watched) = watch::channel(true);
        let streams: Arc<Mutex<Vec<AbortHandle>>> = Arc::default();
        let held = streams.clone();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                if !*watched.borrow() {
                    continue;
                }
                let server = server.clone();
                let stream = tokio::spawn(async move {
                    let mut far = TcpStream::connect(server).await.expect("the cluster answers");
                    let _ = copy_bidirectional(&mut near, &mut far).await;
                });
                held.lock().unwrap().push(stream.abort_handle());
            }
        });
        Wire { url, whole, streams }
    }

    /// Breaks every connection and lets none through.
    pub fn cut(&self) {
        self.whole.send_replace(false);
        self.streams.lock().unwrap().drain(..).for_each(|stream| stream.abort());
    }

    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}

async fn start(url: &str, database: &TestDatabase, options: JournalOptions) -> (Store, Journal, Uuid) {
    let store = Store::open(url, database.options()).await.unwrap();
    let (journal, _task) = Journal::start(store.clone(), options);
    let new = room("AAAAAA");
    store.create_room(&new).await.unwrap();
    (store, journal, new.room_id)
}

async fn bodies(store: &Store, room_id: Uuid) -> Vec<String> {
    store.events(room_id, 1).await.unwrap().into_iter().map(|event| event.body).collect()
}

/// Locks the room row, so that whatever writes to it waits inside the database.
async fn hold_room(database: &TestDatabase) -> PgConnection {
    let mut holder = database.connect().await;
    sqlx::raw_sql("BEGIN; SELECT 1 FROM room FOR UPDATE").execute(&mut holder).await.unwrap();
    holder
}

/// Waits until `count` backends wait for a lock; returns one of them.
async fn blocked(watcher: &mut PgConnection, count: usize) -> i32 {
    loop {
        let pids: Vec<i32> = sqlx::query_scalar(BLOCKED).fetch_all(&mut *watcher).await.unwrap();
        if pids.len() == count {
            return pids[0];
        }
    }
}

#[tokio::test]
async fn while_the_database_is_away_acts_wait_and_go_through_when_it_is_back() {
    let database = TestDatabase::postgres().await;
    let wire = Wire::to(&database).await;
    let (store, journal, room_id) = start(&wire.url, &database, JournalOptions::default()).await;
    journal.append(append(room_id, 1, 1, &["a"])).await.unwrap();
    wire.cut();
    let queue = journal.clone();
    let waiting = tokio::spawn(async move { queue.append(append(room_id, 1, 2, &["b"])).await });
    journal.health().wait_for(|now| *now == Health::Stalled).await.unwrap();
    assert!(!waiting.is_finished());
    wire.mend();
    assert_eq!(waiting.await.unwrap(), Ok(()));
    assert_eq!(*journal.health().borrow(), Health::Ok);
    assert_eq!(bodies(&store, room_id).await, ["a", "b"]);
}

#[tokio::test]
async fn a_database_that_stays_away_refuses_acts_and_play_goes_on_once_it_is_back() {
    let database = TestDatabase::postgres().await;
    let wire = Wire::to(&database).await;
    let options = JournalOptions { retry_for: Duration::from_millis(50), ..JournalOptions::default() };
    let (store, journal, room_id) = start(&wire.url, &database, options).await;
    wire.cut();
    let refused = journal.append(append(room_id, 1, 1, &["a"])).await;
    assert!(matches!(refused, Err(AppendError::Unavailable(_))), "{refused:?}");
    assert_eq!(*journal.health().borrow(), Health::Stalled);
    wire.mend();
    journal.health().wait_for(|now| *now == Health::Ok).await.unwrap();
    journal.append(append(room_id, 1, 1, &["b"])).await.unwrap();
    assert_eq!(bodies(&store, room_id).await, ["b"]);
}

#[tokio::test]
async fn a_commit_whose_answer_was_cut_off_is_found_by_the_claim() {
    let database = TestDatabase::postgres().await;
    let wire = Wire::to(&database).await;
    let (store, journal, room_id) = start(&wire.url, &database, JournalOptions::default()).await;
    let (mut holder, mut watcher) = (hold_room(&database).await, database.connect().await);
    let queue = journal.clone();
    let doubtful = tokio::spawn(async move { queue.append(append(room_id, 1, 1, &["a"])).await });
    blocked(&mut watcher, 1).await;
    wire.cut();
    let outcome = doubtful.await.unwrap();
    assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");
    wire.mend();

    // The database has not noticed and will commit; the claim queues behind it.
    let claimer = store.clone();
    let claiming = tokio::spawn(async move { claimer.claim(room_id, 1, &claim("here")).await });
    blocked(&mut watcher, 2).await;
    assert!(!claiming.is_finished());
    sqlx::raw_sql("COMMIT").execute(&mut holder).await.unwrap();
    let taken = claiming.await.unwrap().unwrap().unwrap();
    assert_eq!((taken.epoch, taken.last_seq), (2, 2));
    assert_eq!(bodies(&store, room_id).await, ["a", "owned"]);
}

#[tokio::test]
async fn a_commit_whose_backend_was_killed_is_shut_out_by_the_claim() {
    let database = TestDatabase::postgres().await;
    let (store, journal, room_id) = start(&database.url, &database, JournalOptions::default()).await;
    let (mut holder, mut watcher) = (hold_room(&database).await, database.connect().await);
    let queue = journal.clone();
    let doubtful = tokio::spawn(async move { queue.append(append(room_id, 1, 1, &["a"])).await });
    let backend = blocked(&mut watcher, 1).await;
    sqlx::query("SELECT pg_terminate_backend($1)").bind(backend).execute(&mut watcher).await.unwrap();
    let outcome = doubtful.await.unwrap();
    assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");

    let claimer = store.clone();
    let claiming = tokio::spawn(async move { claimer.claim(room_id, 1, &claim("here")).await });
    blocked(&mut watcher, 1).await;
    sqlx::raw_sql("COMMIT").execute(&mut holder).await.unwrap();
    let taken = claiming.await.unwrap().unwrap().unwrap();
    assert_eq!((taken.epoch, taken.last_seq), (2, 1));
    assert_eq!(bodies(&store, room_id).await, ["owned"]);
}

#[tokio::test]
async fn a_commit_that_never_answers_is_given_up_as_unknown_but_not_cancelled() {
    let database = TestDatabase::postgres().await;
    let brief = Duration::from_millis(20);
    let options = JournalOptions { stalled_after: brief, unknown_after: brief, ..JournalOptions::default() };
    let (store, journal, room_id) = start(&database.url, &database, options).await;
    let (mut holder, mut watcher) = (hold_room(&database).await, database.connect().await);
    let outcome = journal.append(append(room_id, 1, 1, &["a"])).await;
    assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");
    assert_eq!(*journal.health().borrow(), Health::Stalled);

    let claimer = store.clone();
    let claiming = tokio::spawn(async move { claimer.claim(room_id, 1, &claim("here")).await });
    blocked(&mut watcher, 2).await;
    sqlx::raw_sql("COMMIT").execute(&mut holder).await.unwrap();
    claiming.await.unwrap().unwrap().unwrap();
    assert_eq!(bodies(&store, room_id).await, ["a", "owned"]);
}

#[tokio::test]
async fn a_commit_that_was_given_up_goes_on_by_itself() {
    let database = TestDatabase::postgres().await;
    let brief = Duration::from_millis(20);
    let options = JournalOptions { stalled_after: brief, unknown_after: brief, ..JournalOptions::default() };
    let gate = Gate::default();
    options.faults.next(Fault::Hold(gate.clone()));
    let (store, journal, room_id) = start(&database.url, &database, options).await;
    let outcome = journal.append(append(room_id, 1, 1, &["a"])).await;
    assert!(matches!(outcome, Err(AppendError::Unknown(_))), "{outcome:?}");
    gate.open();
    let arrives = async { while bodies(&store, room_id).await.is_empty() {} };
    tokio::time::timeout(Duration::from_secs(10), arrives).await.expect("the commit was not cancelled");
}

#[tokio::test]
async fn connections_that_were_cut_between_appends_cost_nothing() {
    let database = TestDatabase::postgres().await;
    let (store, journal, room_id) = start(&database.url, &database, JournalOptions::default()).await;
    let mut killer = database.connect().await;
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for seq in 1..=5 {
        sqlx::query(kill).execute(&mut killer).await.unwrap();
        assert_eq!(journal.append(append(room_id, 1, seq, &["a"])).await, Ok(()));
    }
    assert_eq!(bodies(&store, room_id).await.len(), 5);
}
