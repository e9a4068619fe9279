//! How many events a second the journal commits: one room alone, 64 and 256 rooms at once. Every event is
//! acknowledged, and counted again in the database at the end.
//!
//!     cargo bench -p sprint-server --bench journal
//!     FSYNC=on scripts/with-postgres cargo bench -p sprint-server --bench journal

use std::time::{Duration, Instant};

use sprint_server::journal::{Append, EventRow, Journal, JournalOptions};
use sprint_server::store::{Durability, NewRoom, Store, StoreOptions};
use tempfile::TempDir;
use uuid::Uuid;

const RUN: Duration = Duration::from_secs(2);
const BODY: &str = r#"{"transferred":{"seat":1,"from":3,"to":5,"disk":"R4","moves":17,"at":48213}}"#;

#[tokio::main]
async fn main() {
    for durability in [Durability::Power, Durability::Process] {
        let directory = TempDir::new_in(".").expect("a directory on the disk that is measured");
        let url = format!("sqlite://{}", directory.path().join("rooms.sqlite").display());
        measure("SQLite", &url, durability).await;
    }
    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        measure("Postgres", &url, Durability::Process).await;
    }
}

async fn measure(name: &str, url: &str, durability: Durability) {
    let options = StoreOptions { durability, ..StoreOptions::default() };
    let store = Store::open(url, options).await.expect("the database opens");
    let (journal, _task) = Journal::start(store.clone(), JournalOptions::default());
    for rooms in [1, 64, 256] {
        let mut ids = Vec::new();
        for _ in 0..rooms {
            ids.push(new_room(&store).await);
        }
        let started = Instant::now();
        let tasks: Vec<_> = ids.iter().map(|&room_id| tokio::spawn(play(journal.clone(), room_id, started))).collect();
        let (mut events, mut slowest) = (0, Duration::ZERO);
        for task in tasks {
            let (acknowledged, longest) = task.await.expect("no append fails");
            events += acknowledged;
            slowest = slowest.max(longest);
        }
        let elapsed = started.elapsed();
        let mut stored = 0;
        for room_id in ids {
            stored += store.events(room_id, 1).await.expect("events can be read").len() as i64;
        }
        assert_eq!(stored, events, "every acknowledged event is stored");
        println!(
            "{name} {durability:?}: {rooms} rooms, {:.0} events/s, slowest acknowledgement {} ms",
            events as f64 / elapsed.as_secs_f64(),
            slowest.as_millis()
        );
    }
}

/// Appends one event after another; returns how many were acknowledged, and the longest wait.
async fn play(journal: Journal, room_id: Uuid, started: Instant) -> (i64, Duration) {
    let (mut seq, mut longest) = (0, Duration::ZERO);
    while started.elapsed() < RUN {
        seq += 1;
        let events = vec![EventRow { seq, at_ms: seq, body: BODY.to_owned() }];
        let asked = Instant::now();
        let append = Append { room_id, epoch: 1, first_seq: seq, events, ..Append::default() };
        journal.append(append).await.expect("the append is committed");
        longest = longest.max(asked.elapsed());
    }
    (seq, longest)
}

async fn new_room(store: &Store) -> Uuid {
    let room_id = Uuid::now_v7();
    let room = NewRoom {
        room_id,
        code: room_id.simple().to_string(),
        public: false,
        options: "{}".to_owned(),
        listing: "{}".to_owned(),
        state: "racing".to_owned(),
        owner: "bench".to_owned(),
        lease_until_ms: None,
        created_at_ms: 0,
        matched: false,
        guests: "[]".to_owned(),
        ghosts: Vec::new(),
        seated: Vec::new(),
        try_of: None,
        events: Vec::new(),
    };
    store.create_room(&room).await.expect("a room is made");
    room_id
}
